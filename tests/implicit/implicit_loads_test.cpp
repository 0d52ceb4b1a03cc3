// Loads and internal damping in implicit steps, whose Newton's method knows their derivatives.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/rod/internal_damping.hpp>
#include <dalembert/rod/loads.hpp>

#include "support/catch.hpp"

namespace implicit_loads_test {

using namespace dalembert;
using V = Vec<double, 3>;
using R = rod::ElasticRod<double>;

TEST_CASE("implicit steps are hundreds of times as long as explicit ones under strong internal damping",
          "[assembly][damping]") {
  // a cantilever that swings, with a thrust at its tip that follows it; ηω > 100 for its fastest waves
  R::Parameters p{.elements = 12, .length = 1, .inertia = {1, V(1e-3, 1e-3, 2e-3)}};
  p.start = rod::Boundary<double>::clamped();
  Vec<double, 6> k;
  k << 4e3, 4e3, 4e3, 1, 1, 1;
  const R rod(rod::LinearElastic<double>(k), p);
  const assembly::WithLoad body{
      rod, assembly::LoadSum{rod::KelvinVoigt<double>::proportional(k, 1e-2),
                             rod::PointLoad{1.0, rod::EndLoad<double>{.follower_force = V(3, 0, -3)}}}};
  const assembly::Assembly problem{assembly::bodies(std::vector{body})};
  auto start = problem.state({rod.straight(V::Zero(), SO3<double>::identity())});
  for (int j = 1; j <= 12; ++j) start[0].set_velocity(j, V(j * j / 144.0, 0, 0), V::Zero());
  const double limit = 2 / problem.frequency_bound(start);
  auto fine = start;
  drive(Verlet{}, problem, fine, {.step = limit / 2, .until = 0.4});
  const auto error = [&](double h) {
    auto x = start;
    auto stepper = ImplicitMidpoint{}.stepper(problem, x);
    for (int i = 0; i < std::lround(0.4 / h); ++i) CHECK(stepper.step(problem, x, h).iterations <= 12);
    return (x[0].position(12) - fine[0].position(12)).norm();
  };
  CHECK(1e-2 > 300 * limit);
  const double coarse = error(1e-2), middle = error(5e-3);
  CHECK(coarse < 3e-3);
  CHECK(std::log2(coarse / middle) == Approx(2).margin(0.3));
}

/// Springs that draw all nodes to the plane y = 0, and tell how stiff they are.
struct Bed {
  double stiffness;  // [N/m]
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double, rod::Columns<double, 6>& f) const {
    for (Eigen::Index k = 0; k < at.nodes; ++k) f(k, 1) -= stiffness * at.configuration(k, 1);
  }
  template <class B>
  double potential(const B&, const rod::Chain<double>& at) const {
    return stiffness / 2 * at.configuration.col(1).square().sum();
  }
  template <class B, class Add>
  void add_stiffness(const B&, const rod::Chain<double>& at, double, Add&& add) const {
    Mat<double, 6, 6> block = Mat<double, 6, 6>::Zero();
    block(1, 1) = stiffness;
    for (Eigen::Index k = 0; k < at.nodes; ++k) add(k, k, block);
  }
};
/// A load that does nothing.
struct Nothing {
  template <class B>
  void add(const B&, const rod::Chain<double>&, double, rod::Columns<double, 6>&) const {}
};

TEST_CASE("implicit steps know the stiffness that loads tell, also beneath other loads",
          "[assembly][implicit]") {
  R::Parameters p{.elements = 6, .length = 1, .inertia = {1, V(1e-3, 1e-3, 2e-3)}};
  Vec<double, 6> k;
  k << 4e3, 4e3, 4e3, 1, 1, 1;
  const R rod(rod::LinearElastic<double>(k), p);
  const assembly::RigidBody<double> ball{{.mass = 1.0 / 6, .inertia = {1e-3, 1e-3, 1e-3}}};
  const Bed bed{1e6};  // a node on it swings 390 times in a second
  const auto most = [&](const auto& method, const auto& body) {
    const assembly::Assembly problem{assembly::bodies(std::vector{body})};
    const V start(0, 1e-3, 0);
    auto x =
        problem.state({body.nodes() == 1 ? ball.at(start) : rod.straight(start, SO3<double>::identity())});
    auto stepper = method.stepper(problem, x);
    int iterations = 0;
    for (int i = 0; i < 20; ++i) iterations = std::max(iterations, stepper.step(problem, x, 0.05).iterations);
    return iterations;
  };
  const assembly::WithLoad once{rod, bed};
  const assembly::WithLoad beneath{once, Nothing{}};
  const assembly::WithLoad alone{ball, bed};
  const auto all = [&](const auto& method) {
    CHECK(most(method, once) <= 6);
    CHECK(most(method, beneath) <= 6);
    CHECK(most(method, alone) <= 6);
  };
  all(ImplicitMidpoint{});
  all(DiscreteGradient{});
  all(GeneralizedAlpha{0.8});
}

}  // namespace implicit_loads_test
