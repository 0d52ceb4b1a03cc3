// What methods say of themselves, order, symmetry and whether compositions of them gain order, holds where
// there are velocity rows whose coefficients change with the place.

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/integrate/thread_team.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/cases.hpp"
#include "support/catch.hpp"

namespace declared_orders_laws_test {

using namespace dalembert;

/// An upright body in a plane, on a knife edge under a point of it.
struct Knife {
  using Scalar = double;
  static constexpr std::string_view name = "Knife";
  assembly::FrameMarker<double> edge;

  auto markers() const { return std::tuple{edge}; }
  template <class T>
  Vec<T, 4> velocity_constraint(const assembly::FrameState<T>& a, const T&) const {
    const Mat<T, 3> axes = a.rotation.matrix();
    T across(0);
    for (int i = 0; i < 3; ++i) across += axes(i, 1) * a.velocity[i];
    return {across, a.velocity[2], a.angular_velocity[0], a.angular_velocity[1]};
  }
};

auto knife_case() {
  const assembly::RigidBody<double> body({.mass = 1.5, .inertia = {0.6, 0.8, 0.7}});
  const assembly::Assembly problem{assembly::bodies(std::vector{body}),
                                   assembly::constraints(std::vector{Knife{{0, 0, {-0.4, 0, 0}}}})};
  auto chain = body.at({0.3, -0.2, 0}, SO3<double>::exp({0, 0, 0.5}));
  chain.set_velocity(0, {1, 2, 0}, {0, 0, 1.7});
  auto start = problem.state({chain});
  problem.project(start);
  return test::Case{"a body on a knife edge", problem, start};
}
template <class Body>
double distance(const assembly::State<Body>& a, const assembly::State<Body>& b) {
  return (a[0].configuration - b[0].configuration).matrix().norm() +
         (a[0].velocity - b[0].velocity).matrix().norm();
}
using test::distance;

/// The same place, and a motion that goes back.
template <class State>
State reversed(State x) {
  if constexpr (requires { x.xi; })
    x.xi = -x.xi;
  else
    x[0].velocity *= -1;
  return x;
}

template <class M, class P>
auto after(const M& method, const P& problem, typename P::State state, double h, int steps) {
  auto stepper = method.stepper(problem, state);
  for (int i = 0; i < steps; ++i) REQUIRE(stepper.step(problem, state, h).converged);
  return state;
}

/// Order and symmetry of a method are those that it says.
template <class M, class P>
void check_declared(const char* name, const M& method, const test::Case<P>& from,
                    const typename P::State& exact, int steps) {
  CAPTURE(name, from.name);
  const double coarse = distance(after(method, from.problem, from.start, 1.0 / steps, steps), exact),
               fine = distance(after(method, from.problem, from.start, 0.5 / steps, 2 * steps), exact);
  CAPTURE(coarse, fine);
  CHECK(fine > 1e-12);  // above round-off, or the ratio means nothing
  CHECK(std::log2(coarse / fine) == Approx(M::order).margin(0.15));
  const auto there = reversed(after(method, from.problem, from.start, 1.0 / steps, steps));
  const double off = distance(reversed(after(method, from.problem, there, 1.0 / steps, steps)), from.start);
  CAPTURE(off);
  CHECK((off < 1e-11) == M::symmetric);
}

TEST_CASE("methods have the order and the symmetry that they declare, on small systems", "[laws][order]") {
  const auto from = test::driver_case();
  const auto exact = after(DormandPrince853{}, from.problem, from.start, 1.0 / 128, 128);
  const auto check = [&](const char* name, const auto& method, int steps) {
    check_declared(name, method, from, exact, steps);
  };
  check("RungeKutta4", RungeKutta4{}, 32);
  check("NonholonomicLeapfrog", NonholonomicLeapfrog{}, 32);
  check("NonholonomicMcLachlanPerlmutter", NonholonomicMcLachlanPerlmutter{}, 32);
  check("NonholonomicEnergyPreserving", NonholonomicEnergyPreserving{}, 32);
  check("Gauss<1>", Gauss<1>{}, 32);
  check("Gauss<2>", Gauss<2>{}, 8);
  check("Radau<2>", Radau<2>{}, 32);
  check("Composition<Leapfrog, 4>", Composition<NonholonomicLeapfrog, 4>{}, 32);
  check("Composition<EnergyPreserving, 6>", Composition<NonholonomicEnergyPreserving, 6>{}, 32);
  check("Composition<McLachlanPerlmutter, 4>", Composition<NonholonomicMcLachlanPerlmutter, 4>{}, 16);
  check("Composition<McLachlanPerlmutter, 6>", Composition<NonholonomicMcLachlanPerlmutter, 6>{}, 6);
  check("Composition<Gauss<1>, 4>", Composition<Gauss<1>, 4>{}, 16);
  check("Composition<Gauss<1>, 6>", Composition<Gauss<1>, 6>{}, 6);
  const auto sleigh = test::sleigh_case();
  const auto there = after(DormandPrince853{}, sleigh.problem, sleigh.start, 1.0 / 128, 128);
  check_declared("DormandPrince54", DormandPrince54{}, sleigh, there, 16);
  check_declared("DormandPrince853", DormandPrince853{}, sleigh, there, 4);
}

TEST_CASE("methods of assemblies have the order and the symmetry that they declare, on a knife edge",
          "[laws][order]") {
  const auto from = knife_case();
  const auto exact = after(DormandPrince853{}, from.problem, from.start, 1.0 / 128, 128);
  const auto check = [&](const char* name, const auto& method, int steps) {
    check_declared(name, method, from, exact, steps);
  };
  check("RungeKutta4", RungeKutta4{}, 32);
  check("Verlet", Verlet{}, 64);
  check("ThreadedVerlet", ThreadedVerlet{.threads = 2}, 64);
  check("ImplicitMidpoint", ImplicitMidpoint{}, 64);
  check("DiscreteGradient", DiscreteGradient{}, 64);
  check("GeneralizedAlpha", GeneralizedAlpha{}, 64);
  check("Composition<DiscreteGradient, 4>", Composition<DiscreteGradient, 4>{}, 32);
  check("Composition<DiscreteGradient, 6>", Composition<DiscreteGradient, 6>{}, 32);
}

}  // namespace declared_orders_laws_test
