#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/rod/section.hpp>

#include "support/catch.hpp"

namespace implicit_scalars_test {

using namespace dalembert;

template <class S>
rod::ElasticRod<S> clamped_rod() {
  typename rod::ElasticRod<S>::Parameters p;
  p.elements = 6;
  p.length = S(0.6);
  const rod::CircularSection<S> section(
      {.radius = S(0.01), .young = S(1e6), .poisson = S(0.4), .density = S(1000)});
  p.inertia = section.inertia();
  p.start = rod::Boundary<S>::clamped();
  return rod::ElasticRod<S>(rod::LinearElastic<S>(section.stiffness_diagonal()), p);
}

/// The relative change of energy of a rod that swings with its tip driven by a joint.
template <class S>
S change_of_energy() {
  const auto rod = clamped_rod<S>();
  const assembly::RigidBody<S> body({.mass = S(0.05), .inertia = Vec<S, 3>::Constant(S(1e-4))});
  const assembly::Assembly problem{
      assembly::bodies(std::vector{rod}, std::vector{body}),
      assembly::constraints(std::vector{assembly::SphericalJoint<S>{{0, 6}, {1, 0, {0, 0, S(-0.1)}}}})};
  auto chain = rod.straight(Vec<S, 3>::Zero(), SO3<S>::identity());
  for (int k = 1; k <= 6; ++k) chain.set_velocity(k, {S(0.05 * k * k), 0, 0}, {0, S(0.5 * k), 0});
  auto state = problem.state({chain, body.at({0, 0, S(0.7)})});
  problem.project(state);
  const S before = problem.energy(state);
  auto stepper = DiscreteGradient{}.stepper(problem, state);
  for (int i = 0; i < 20; ++i) (void)stepper.step(problem, state, S(2e-3));
  return std::abs(problem.energy(state) - before) / before;
}

TEST_CASE("discrete gradients keep energy to the round-off of every number type", "[implicit]") {
  CHECK(change_of_energy<float>() < 1e-3f);
  CHECK(change_of_energy<double>() < 1e-13);
  CHECK(change_of_energy<long double>() < 1e-16L);
}

/// A force at the tip that changes with time.
struct Pull {
  double force;
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double t, rod::Columns<double, 6>& f) const {
    f(at.nodes - 1, 0) += force * t;
  }
};

TEST_CASE("implicit steps give a body its own loads besides those of the rod", "[implicit]") {
  const auto rod = clamped_rod<double>();
  const assembly::Assembly problem{
      assembly::bodies(std::vector{assembly::WithLoad<rod::ElasticRod<double>, Pull>(rod, {0.1})})};
  const auto start = problem.state({rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity())});
  const auto run = [&](const auto& method) {
    auto x = start;
    auto stepper = method.stepper(problem, x);
    for (int i = 0; i < 100; ++i) (void)stepper.step(problem, x, 1e-3);
    return x[0].position(6);
  };
  const Vec<double, 3> middle = run(ImplicitMidpoint{}), between = run(DiscreteGradient{});
  CHECK(middle[0] > 5e-4);
  CHECK((middle - between).norm() < 1e-3 * middle[0]);
}

TEST_CASE("a load that is no number ends an implicit step", "[implicit]") {
  const auto rod = clamped_rod<double>();
  const assembly::Assembly problem{assembly::bodies(std::vector{
      assembly::WithLoad<rod::ElasticRod<double>, Pull>(rod, {std::numeric_limits<double>::quiet_NaN()})})};
  auto state = problem.state({rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity())});
  auto stepper = DiscreteGradient{}.stepper(problem, state);
  CHECK_THROWS_AS((void)stepper.step(problem, state, 1e-3), NotFinite);
  CHECK(state.time == 0);
}

}  // namespace implicit_scalars_test
