// What every method of the symmetric family obeys, on groups and vector spaces.

#include <algorithm>
#include <cmath>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/cases.hpp"
#include "support/catch.hpp"
#include "support/systems.hpp"

namespace symmetric_laws_test {

using namespace dalembert;
using namespace test;

using LF = NonholonomicLeapfrog;
using MP = NonholonomicMcLachlanPerlmutter;
using EP = NonholonomicEnergyPreserving;

/// The state after so many steps, each of which converged; `watch` sees every one.
template <class M, class P, class Watch>
auto after(const M& method, const Case<P>& test_case, double step, int steps, Watch&& watch) {
  auto state = test_case.start;
  auto stepper = method.stepper(test_case.problem, state);
  bool converged = true;
  for (int i = 0; i < steps; ++i) {
    converged = stepper.step(test_case.problem, state, step).converged && converged;
    watch(state);
  }
  CHECK(converged);
  return state;
}
template <class M, class P>
auto after(const M& method, const Case<P>& test_case, double step, int steps) {
  return after(method, test_case, step, steps, [](const auto&) {});
}

/// The order seen between two steps, against another kind of method with short ones.
template <class M, class P, class State>
double observed_order(const M& method, const Case<P>& test_case, const State& reference, int steps) {
  const double coarse = distance(after(method, test_case, 1.0 / steps, steps), reference);
  const double fine = distance(after(method, test_case, 0.5 / steps, 2 * steps), reference);
  CAPTURE(coarse, fine);
  CHECK(fine > 5e-13);  // above round-off, or the ratio means nothing
  return std::log2(coarse / fine);
}

template <class P>
void check_orders(const Case<P>& test_case, int steps) {
  CAPTURE(test_case.name);
  const auto reference = after(RungeKutta4{}, test_case, 1.0 / 1024, 1024);
  CHECK(observed_order(LF{}, test_case, reference, steps) == Approx(LF::order).margin(0.15));
  CHECK(observed_order(MP{}, test_case, reference, steps) == Approx(MP::order).margin(0.15));
  CHECK(observed_order(EP{}, test_case, reference, steps) == Approx(EP::order).margin(0.15));
}

TEST_CASE("the symmetric methods converge with their order, and no faster", "[laws][symmetric][order]") {
  check_orders(sleigh_case(), 32);
  check_orders(suslov_case(), 32);
  check_orders(driver_case(), 32);
  check_orders(oscillator_case(), 32);
}

template <class M, class P>
void check_symmetry(const M& method, const Case<P>& test_case) {
  CAPTURE(test_case.name);
  for (const double h : {0.1, 0.03}) {
    auto state = after(method, test_case, h, 5);  // somewhere
    const auto before = state;
    auto stepper = method.stepper(test_case.problem, state);
    CHECK(stepper.step(test_case.problem, state, h).converged);
    CHECK(distance(state, before) > 1e-3);
    CHECK(stepper.step(test_case.problem, state, -h).converged);
    CHECK(distance(state, before) < 1e-13);
    CHECK(state.time == Approx(before.time).epsilon(1e-15));
  }
}

template <class M>
void check_symmetries(const M& method) {
  check_symmetry(method, sleigh_case());
  check_symmetry(method, suslov_case());
  check_symmetry(method, driver_case());
  check_symmetry(method, oscillator_case());
}

TEST_CASE("a step back undoes a step", "[laws][symmetric]") {
  check_symmetries(LF{});
  check_symmetries(MP{});
  check_symmetries(EP{});
}

template <class M, class P>
void check_same_motion(const M& method, const Case<P>& test_case, const typename P::State::Group& frame) {
  check_equivariance(test_case, frame, [&](const auto& from) { return after(method, from, 0.05, 40); });
}

TEST_CASE("a change of the spatial frame changes nothing but that", "[laws][symmetric]") {
  check_same_motion(LF{}, sleigh_case(), SE2d(3, -4, 2));
  check_same_motion(MP{}, sleigh_case(), SE2d(3, -4, 2));
  check_same_motion(EP{}, sleigh_case(), SE2d(3, -4, 2));
  check_same_motion(LF{}, suslov_case(), SO3d::exp({1, -2, 0.5}));
  check_same_motion(MP{}, suslov_case(), SO3d::exp({1, -2, 0.5}));
  check_same_motion(EP{}, suslov_case(), SO3d::exp({1, -2, 0.5}));
}

template <class P>
void check_energy_preserving(const Case<P>& test_case, double slack) {
  CAPTURE(test_case.name);
  const double energy = test_case.problem.energy(test_case.start);
  double worst = 0;
  (void)after(EP{}, test_case, 0.05, 10000, [&](const auto& at) {
    worst = std::max(worst, std::abs(test_case.problem.energy(at) - energy));
  });
  CAPTURE(worst / energy / 1e-13);
  CHECK(worst < slack * energy);
}

TEST_CASE("the energy preserving method keeps the energy to round-off over ten thousand steps",
          "[laws][symmetric]") {
  check_energy_preserving(sleigh_case(), 1e-13);
  check_energy_preserving(suslov_case(), 1e-13);
  check_energy_preserving(driver_case(), 1e-12);  // its angle comes to 1000, and rounds accordingly
}

TEST_CASE("the method of McLachlan and Perlmutter keeps the rows at nodes", "[laws][symmetric]") {
  const auto check = [](const auto& test_case) {
    CAPTURE(test_case.name);
    double slip = 0;
    (void)after(MP{}, test_case, 0.1, 10000,
                [&](const auto& at) { slip = std::max(slip, test_case.problem.constraint(at).velocity); });
    CHECK(slip < 1e-14);
  };
  check(suslov_case());
  check(oscillator_case());
  check(driver_case());
}

TEST_CASE("far from the origin, where places are coarse, the iterations end all the same",
          "[laws][symmetric]") {
  auto far = driver_case();
  Vec<double, 3> q = far.start.g.coordinates();
  q[2] += 2e5 * static_cast<double>(pi);
  far.start.g = Rn<double, 3>(q);
  // `after` checks that every step converged.
  const auto there = after(EP{}, far, 0.1, 2000), here = after(EP{}, driver_case(), 0.1, 2000);
  CHECK((there.xi - here.xi).norm() < 1e-4);
  (void)after(MP{}, far, 0.1, 2000);
}

TEST_CASE("where reactions, drag and time do work, energies change by it", "[laws][symmetric]") {
  const LagrangeDAlembert problem{test::SlantedBlade<>{}};
  auto state = problem.state(SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7});
  auto stepper = EP{}.stepper(problem, state);
  double worst = 0, reactions = 0, loads = 0;
  const double h = 0.05;
  for (int i = 0; i < 200; ++i) {
    const auto before = state;
    CHECK(stepper.step(problem, state, h).converged);
    auto middle = before;
    middle.xi = (before.xi + state.xi) / 2;
    auto half = problem.make_increment();
    half.eta = h / 2 * middle.xi;
    problem.retract(middle, half, middle);
    const auto power = problem.power(middle, stepper.rates());
    worst = std::max(worst, std::abs(problem.energy(state) - problem.energy(before) -
                                     h * (power.constraint + power.dissipation + power.load)));
    reactions += std::abs(h * power.constraint);
    loads += std::abs(h * power.load);
  }
  CHECK(worst < 1e-14);
  CHECK(reactions > 0.1);
  CHECK(loads > 0.1);
}

}  // namespace symmetric_laws_test
