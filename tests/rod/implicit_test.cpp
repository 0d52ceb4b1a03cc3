#include <dalembert/rod/implicit.hpp>

#include <cmath>

#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/section.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace implicit_rod_test {

using namespace dalembert;
using V3 = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Columns = rod::Columns<double, 6>;

constexpr Eigen::Index nodes = 5;

/// A heavy rod under loads at its ends.
Rod loaded_rod() {
  Rod::Parameters p;
  p.elements = nodes - 1;
  p.length = 0.8;
  p.loads.gravity = {0.3, -1, -9};
  p.loads.start.force = {0.1, 0.2, -0.4};
  const rod::CircularSection<double> section(
      {.radius = 0.02, .young = 1e5, .poisson = 0.4, .density = 900.0});
  p.inertia = section.inertia();
  return Rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
}

/// Where nodes go from a bent configuration, by cay of the last three columns.
struct Step {
  explicit Step(const Rod& rod, double size) : from(rod.straight(V3::Zero(), SO3<double>::identity())) {
    test::Random random(test::seed());
    for (Eigen::Index k = 0; k < nodes; ++k)
      rod::move_node(from, k, V3(0.05 * random.vector<double>()), V3(0.5 * random.vector<double>()));
    displacement = rod::zero_columns<double, 6>(nodes);
    for (Eigen::Index k = 0; k < nodes; ++k) {
      rod::put3<0>(displacement, k, V3(0.1 * size * random.vector<double>()));
      rod::put3<3>(displacement, k, V3(size * random.vector<double>()));
    }
    place();
  }
  void place() {
    middle = to = from;
    for (Eigen::Index k = 0; k < nodes; ++k) {
      const V3 move = rod::at3<0>(displacement, k), psi = rod::at3<3>(displacement, k);
      const double angle = 2 * std::atan(psi.norm() / 2);
      const V3 turn = psi.norm() > 0 ? V3(angle / psi.norm() * psi) : V3(psi);
      to.set_frame(k, from.rotation(k) * SO3<double>::exp(turn), from.position(k) + move);
      middle.set_frame(k, from.rotation(k) * SO3<double>::exp(V3(turn / 2)), from.position(k) + move / 2);
    }
  }
  /// Forces, and (1 − ½ψ̂)Λᵀt for the torques t in space.
  [[nodiscard]] Columns loads(const Rod& rod) const {
    Columns f = rod::zero_columns<double, 6>(nodes);
    REQUIRE(rod::discrete_loads(rod, from, middle, to, displacement, f));
    for (Eigen::Index k = 0; k < nodes; ++k) {
      const V3 psi = rod::at3<3>(displacement, k);
      const V3 t = middle.rotation(k).act(V3(rod::at3<3>(f, k)));
      const V3 y = from.rotation(k).inverse().act(t);
      rod::put3<3>(f, k, V3(y - 0.5 * psi.cross(y)));
    }
    return f;
  }

  rod::Chain<double> from, middle{}, to{};
  Columns displacement{};
};

TEST_CASE("discrete loads of a rod do the work of its potential energy", "[rod]") {
  const Rod rod = loaded_rod();
  for (const double size : {1e-3, 0.1, 0.8}) {
    const Step step(rod, size);
    const Columns f = step.loads(rod);
    double work = 0;
    for (Eigen::Index k = 0; k < nodes; ++k)
      for (int i = 0; i < 6; ++i) work += f(k, i) * step.displacement(k, i);
    const double before = rod::potential_energy(rod, step.from), after = rod::potential_energy(rod, step.to);
    INFO("size " << size);
    CHECK(std::abs(work + after - before) < 1e-14 * (std::abs(before) + std::abs(after)));
  }
}

TEST_CASE("discrete loads of a step to nowhere are the loads of the rod", "[rod]") {
  const Rod rod = loaded_rod();
  const Step step(rod, 0);
  Columns f = rod::zero_columns<double, 6>(nodes), expected = f;
  REQUIRE(rod::discrete_loads(rod, step.from, step.middle, step.to, step.displacement, f));
  REQUIRE(rod.forces(step.from, expected));
  CHECK((f - expected).topRows(nodes).abs().maxCoeff() < 1e-13 * expected.abs().maxCoeff());
}

TEST_CASE("the tangent of discrete loads is that of their differences", "[rod]") {
  const Rod rod = loaded_rod();
  Step step(rod, 0.6);
  Eigen::MatrixXd told = Eigen::MatrixXd::Zero(6 * nodes, 6 * nodes), expected = told;
  rod::add_discrete_stiffness(rod, step.from, step.to, step.displacement,
                              [&](Eigen::Index k, Eigen::Index l, const auto& block) {
                                for (int i = 0; i < 6; ++i)
                                  for (int j = 0; j < 6; ++j) told(6 * k + i, 6 * l + j) += block(i, j);
                              });
  const double small = 1e-6;
  for (Eigen::Index l = 0; l < nodes; ++l)
    for (int j = 0; j < 6; ++j) {
      const double was = step.displacement(l, j);
      Columns side[2];
      for (int s : {0, 1}) {
        step.displacement(l, j) = was + (s == 0 ? -small : small);
        step.place();
        side[s] = step.loads(rod);
      }
      step.displacement(l, j) = was;
      for (Eigen::Index k = 0; k < nodes; ++k)
        for (int i = 0; i < 6; ++i)
          expected(6 * k + i, 6 * l + j) = -(side[1](k, i) - side[0](k, i)) / (2 * small);
    }
  CHECK((told - expected).cwiseAbs().maxCoeff() < 1e-7 * expected.cwiseAbs().maxCoeff());
}

}  // namespace implicit_rod_test
