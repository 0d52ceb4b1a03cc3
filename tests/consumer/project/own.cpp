// A material, a contact and a load of one's own, beside types that the compiled library has.

#include <dalembert/dalembert.hpp>
#include <iostream>
#include <string_view>
#include <tuple>
#include <vector>

using namespace dalembert;

// Bends the stiffer the more it is bent.
struct Stiffening {
  using Scalar = double;

  template <class L>
  rod::Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    const Vec<L, 3> extension(stretch[0], stretch[1], stretch[2] - L(1));
    return {L(400) * extension, (L(0.02) + L(0.01) * rod::dot(curvature, curvature)) * curvature};
  }
  template <class L>
  L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    const Vec<L, 3> extension(stretch[0], stretch[1], stretch[2] - L(1));
    const L bend = rod::dot(curvature, curvature);
    return L(200) * rod::dot(extension, extension) + L(0.01) * bend + L(0.0025) * bend * bend;
  }
  rod::RestStrain<double> rest() const { return {}; }
};

// Holds a node at a distance from the origin of space.
struct OnSphere {
  using Scalar = double;
  static constexpr std::string_view name = "OnSphere";
  assembly::FrameMarker<double> node;
  double radius;  // [m]

  auto markers() const { return std::tuple{node}; }
  template <class T>
  Vec<T, 1> velocity_constraint(const assembly::FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.position.dot(x.velocity) / x.position.norm());
  }
  template <class T>
  Vec<T, 1> position_constraint(const assembly::FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.position.norm() - radius);
  }
  auto along(const assembly::FrameState<double>&) const { return Mat<double, 1, 1>(1); }
};

// Pulls at the last node.
struct Pull {
  template <class B>
  void add(const B& body, const rod::Chain<double>&, double, rod::Columns<double, 6>& f) const {
    f(body.nodes() - 1, 1) += 0.05;  // [N]
  }
  template <class B>
  double potential(const B& body, const rod::Chain<double>& at) const {
    return -0.05 * at.position(body.nodes() - 1)[1];
  }
};

int main() {
  using Own = rod::Rod<Stiffening>;
  const Own own(Stiffening{},
                {.elements = 20, .length = 1, .inertia = {.mass = 0.1, .rotary = {1e-5, 1e-5, 2e-5}}});
  const assembly::Assembly problem{assembly::bodies(std::vector{assembly::WithLoad{own, Pull{}}}),
                                   assembly::constraints(std::vector{OnSphere{{0, 0}, 0.5}})};
  auto state = problem.state({own.straight({0.5, 0, 0}, SO3d::identity())});
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 0.5}, monitor);

  const rod::CircularSection<double> section({.radius = 0.01, .young = 1e6, .density = 1000});
  const rod::ElasticRod<double> known(rod::LinearElastic<double>(section.stiffness_diagonal()),
                                      {.elements = 20, .length = 1, .inertia = section.inertia()});
  const assembly::Assembly falling{assembly::bodies(std::vector{known})};
  auto other = falling.state({known.straight({0, 0, 0}, SO3d::identity())});
  drive(Verlet{}, falling, other, {.step = 1e-4, .until = 0.01});

  std::cout << "own policies: change of energy " << monitor.energy_error() << " J, slip "
            << monitor.violation().velocity << " m/s, drift "
            << (other[0].position(20) - Vec<double, 3>(0, 0, 1)).norm() << " m\n";
}
