#include <dalembert/mechanics/detail/step_rows.hpp>

#include <limits>
#include <random>

#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>
#include <dalembert/systems/pendulum_driver.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/systems.hpp"

namespace step_rows_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;

template <class System>
inline constexpr bool is_explicit = detail::step_acceleration_is_explicit<System>;
template <class System>
inline constexpr bool serves = StepAccelerationProblem<LagrangeDAlembert<System>>;

/// A charge in a magnetic field that grows with x: the mass is constant, but forces depend on the velocity.
struct Charge {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    const T x = q.coordinates()[0];
    return (v[0] * v[0] + v[1] * v[1]) / 2 + x * x * v[1];
  }
  Mat<double, 2> mass() const { return Mat<double, 2>::Identity(); }
};

/// The same with its momentum in closed form.
struct ChargeInClosedForm : Charge {
  template <class T>
  Vec<T, 2> momentum(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    const T x = q.coordinates()[0];
    return {v[0], v[1] + x * x};
  }
};

/// A pendulum driver with a drag.
struct DraggedDriver : systems::PendulumDriver<> {
  template <class T>
  Vec<T, 3> force(const Vec<T, 3>& v) const {
    return {-v[0], -v[1], -v[2]};
  }
};

/// A particle under ż = yẋ that is pushed along a direction of its own, which depends on its place and its velocity.
struct PushedParticle : test::NonholonomicParticle<> {
  Mat<double, 1, 3> variational(const Rn<double, 3>& q, const Vec<double, 3>& v) const {
    return {-q.coordinates()[0], 0.1 * v[1], 1.0};
  }
};

static_assert(is_explicit<systems::PendulumDriver<double>> &&
              is_explicit<systems::NonholonomicParticle<double>>);
static_assert(!is_explicit<test::NonholonomicParticle<>>);  // no closed forms
static_assert(!is_explicit<Charge> && !is_explicit<ChargeInClosedForm>);
static_assert(!is_explicit<test::Suslov<>> && !is_explicit<test::SkateOnSlope<>>);  // groups that turn
static_assert(!is_explicit<DraggedDriver>);

static_assert(serves<test::Suslov<>> && serves<test::HeavyTop<>> && serves<test::HeavyTopInSpace<>> &&
              serves<test::HeavyTopReduced<>> && serves<test::ConstantSpeed<>> && serves<Charge>);
static_assert(!serves<test::Maxwell<>>);            // internal coordinates
static_assert(!serves<test::SphericalPendulum<>>);  // position rows
static_assert(!serves<test::Servo<>>);              // rows of order 2

/// A random state of any system of the list.
template <class System>
auto some_state(std::mt19937& engine) {
  using Group = typename System::Group;
  std::normal_distribution<double> number;
  typename Group::Tangent eta, xi;
  for (int i = 0; i < Group::dof; ++i) eta[i] = number(engine);
  for (int i = 0; i < Group::dof; ++i) xi[i] = number(engine);
  return State<Group>{.time = number(engine), .g = Group::exp(eta), .xi = xi};
}

/// The dynamics in `middle`, and the rows of `end` linearised there, put in by hand.
template <class System>
void check_equations(const System& system, const char* name) {
  CAPTURE(name);
  constexpr int n = System::Group::dof, k = velocity_rows<System>;
  const LagrangeDAlembert problem{system};
  std::mt19937 engine(test::seed());
  auto rates = problem.make_rates();
  auto residual = problem.make_residual();
  for (int i = 0; i < 20; ++i) {
    const auto middle = some_state<System>(engine), end = some_state<System>(engine);
    const auto from = some_state<System>(engine).xi;
    const double span = i % 2 == 0 ? 0.1 : -0.3;
    problem.step_acceleration(middle, end, from, span, rates);
    CHECK(rates.report.redundant_rows == 0);
    CHECK(rates.report.iterations == 1);
    const double scale = 1 + rates.xidot.norm() + rates.lambda.norm();
    problem.residual(middle, rates, residual);
    CHECK(residual.template head<n>().norm() < 1e-13 * scale * scale);

    const Vec<double, 0> none;
    const Vec<double, n> change = from + span * rates.xidot - end.xi;
    const Vec<double, k> rows =
        velocity_constraint<double>(system, end, none) + velocity_jacobian(system, end, none) * change;
    CHECK(rows.norm() < 1e-13 * scale);
    problem.residual(end, rates, residual);
    CHECK(residual.template head<n>().norm() > 1e-6);
  }
}

TEST_CASE("an impulse obeys the dynamics in one state and the rows in another", "[step_acceleration]") {
  check_equations(systems::PendulumDriver<>{}, "PendulumDriver");
  check_equations(test::SkateOnSlope<>{}, "SkateOnSlope");
  check_equations(test::ConstantSpeed<>{}, "ConstantSpeed, rows not affine");
  check_equations(PushedParticle{}, "PushedParticle, rows for the reactions that change");
  check_equations(test::SlantedBlade<>{}, "SlantedBlade, other rows for the reactions");
}

TEST_CASE("over a short time an impulse is the rates", "[step_acceleration]") {
  const LagrangeDAlembert problem{systems::PendulumDriver<>{}};
  std::mt19937 engine(test::seed());
  auto at = some_state<systems::PendulumDriver<>>(engine);
  (void)problem.project(at);
  auto rates = problem.make_rates(), short_time = rates;
  auto slope = problem.make_increment(), step = problem.make_increment();
  problem.rates(at, rates);
  problem.slope(at, step, rates, slope);
  const auto error = [&](double h) {
    auto end = at;
    step.set_zero();
    step.add_scaled(h, slope);
    problem.retract(at, step, end);
    problem.step_acceleration(at, end, at.xi, h, short_time);
    return (short_time.xidot - rates.xidot).norm() + (short_time.lambda - rates.lambda).norm();
  };
  CHECK(error(1e-4) / error(0.5e-4) == Approx(2).margin(0.05));
  CHECK(error(1e-6) < 1e-4);
}

TEST_CASE("without rows an impulse is the rates in the middle", "[step_acceleration]") {
  const LagrangeDAlembert problem{test::HeavyTop<>{}};
  std::mt19937 engine(test::seed());
  const auto middle = some_state<test::HeavyTop<>>(engine), end = some_state<test::HeavyTop<>>(engine);
  auto rates = problem.make_rates(), impulse = problem.make_rates();
  problem.rates(middle, rates);
  problem.step_acceleration(middle, end, end.xi, 0.7, impulse);
  CHECK((impulse.xidot - rates.xidot).norm() < 1e-14);
}

TEST_CASE("rows that contradict each other are named, those that repeat are counted", "[step_acceleration]") {
  const LagrangeDAlembert agree{test::TwoRows<>{}};
  auto at = agree.state(Rn<double, 2>(), {1, 0.5}, 1.0);
  auto rates = agree.make_rates();
  agree.step_acceleration(at, at, at.xi, 0.1, rates);
  CHECK(rates.report.redundant_rows == 1);
  CHECK(rates.xidot[1] == Approx(-5));  // what stops it within the span
  const LagrangeDAlembert disagree{test::TwoRows<>{.rate = 1}};
  CHECK_THROWS_WITH(disagree.step_acceleration(at, at, at.xi, 0.1, rates), ContainsSubstring("rail"));
  CHECK_THROWS_AS(disagree.step_acceleration(at, at, at.xi, 0.1, rates), IncompatibleConstraints);
  at.xi[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(agree.step_acceleration(at, at, at.xi, 0.1, rates), InvalidState);
}

/// A particle between two rails that say the same, aslant so that their values round, unless the second one moves.
struct SlantedRails {
  using Group = Rn<double, 2>;
  double inertia = 1, rate = 0;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + inertia * v[1] * v[1]) / 2;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 2>& v) const {
    return {0.3 * v[0] - 0.7 * v[1], 0.51 * v[0] - 1.19 * v[1] - rate};
  }
};

TEST_CASE("rows that repeat do not contradict each other by rounding, however slow or short the motion",
          "[step_acceleration]") {
  const LagrangeDAlembert problem{SlantedRails{}};
  auto rates = problem.make_rates();
  for (const double speed : {1.0, 1e-4, 1e-8, 1e-12}) {
    for (const double span : {1.0, 1e-3, 1e-18}) {
      CAPTURE(speed, span);
      const auto at = problem.state(Rn<double, 2>(), {speed * 7 / 3, speed});
      REQUIRE_NOTHROW(problem.step_acceleration(at, at, at.xi, span, rates));
      CHECK(rates.report.redundant_rows == 1);
      CHECK(rates.xidot.norm() <= 1e-15 * speed / span);
    }
  }
}

TEST_CASE("rows that contradict each other are named also where the kinetic energy is negative",
          "[step_acceleration]") {
  const LagrangeDAlembert problem{SlantedRails{.inertia = -10, .rate = 1}};
  auto rates = problem.make_rates();
  const auto at = problem.state(Rn<double, 2>(), {7.0 / 3, 1});
  REQUIRE(problem.kinetic_energy(at) < 0);
  CHECK_THROWS_AS(problem.step_acceleration(at, at, at.xi, 0.1, rates), IncompatibleConstraints);
}

TEST_CASE("the steps that are made of impulses do not allocate", "[step_acceleration][allocation]") {
  const auto check = [](const auto& method, const auto& problem, const auto& start) {
    auto state = start;
    auto stepper = method.stepper(problem, state);
    bool converged = true;
    const long allocations = test::allocations_during([&] {
      for (int i = 0; i < 10; ++i) converged = converged && stepper.step(problem, state, 0.01).converged;
    });
    CHECK(converged);
    CHECK(allocations == 0);
  };
  const systems::PendulumDriver<> driver;
  const LagrangeDAlembert driven{driver};
  const auto start =
      driven.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {-0.3 * driver.ratio(0.0), 0.3, 1.5});
  check(NonholonomicLeapfrog{}, driven, start);
  check(NonholonomicMcLachlanPerlmutter{}, driven, start);
  check(NonholonomicEnergyPreserving{}, driven, start);
  check(Composition<NonholonomicMcLachlanPerlmutter, 6>{}, driven, start);
  const LagrangeDAlembert redundant{test::TwoRows<>{}};
  check(NonholonomicEnergyPreserving{}, redundant, redundant.state(Rn<double, 2>(), {1, 0}));
}

}  // namespace step_rows_test
