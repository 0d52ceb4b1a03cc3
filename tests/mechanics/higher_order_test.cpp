#include <dalembert/mechanics/higher_order.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/analysis/order.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/checkpoint.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/higher_order.hpp"

namespace higher_order_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Sleigh = test::SleighOfMixedOrders<double>;
using SleighProblem = LagrangeDAlembert<Sleigh>;

static_assert(ResidualProblem<SleighProblem> && CoordinateProblem<SleighProblem> &&
              NumberedProblem<SleighProblem> && ProjectableProblem<SleighProblem>);
static_assert(!StepAccelerationProblem<SleighProblem> && !SplitProblem<SleighProblem>);

constexpr double u0 = 0.5, omega0 = 0.9, alpha0 = -0.6;

SleighProblem::State start_of(const SleighProblem& problem) {
  return problem.state(SE2d::identity(), {u0, 0, omega0},
                       Vec<double, 1>(problem.system().torque(u0, omega0, alpha0)));
}
/// (u, ω, φ, μ) beside their closed forms.
double error_of(const SleighProblem& problem, const SleighProblem::State& at) {
  const Vec<double, 4> exact = problem.system().exact(u0, omega0, alpha0, at.time);
  return std::max({std::abs(at.xi[0] - exact[0]), std::abs(at.xi[1]), std::abs(at.xi[2] - exact[1]),
                   std::abs(std::remainder(at.g.angle() - exact[2], 2 * static_cast<double>(pi))),
                   std::abs(at.z[0] - exact[3])});
}
template <class Method>
double error_after(const Method& method, double step, double until) {
  const SleighProblem problem{Sleigh{}};
  auto state = start_of(problem);
  drive(method, problem, state, {.step = step, .until = until});
  return error_of(problem, state);
}

TEST_CASE("a particle with constant jerk moves on a cubic, to round-off", "[mechanics][higher-order]") {
  const test::ConstantJerk<double> system;
  const LagrangeDAlembert problem{system};
  const double x0 = 0.3, v0 = -0.4, a0 = 1.1, t = 2;
  const auto check = [&](const auto& method) {
    auto state =
        problem.state(Rn<double, 1>(Vec<double, 1>(x0)), Vec<double, 1>(v0), Vec<double, 1>(system.m * a0));
    drive(method, problem, state, {.step = 0.25, .until = t});
    CHECK(std::abs(state.g.coordinates()[0] - (x0 + v0 * t + a0 * t * t / 2 + system.j * t * t * t / 6)) <
          1e-14);
    CHECK(std::abs(state.xi[0] - (v0 + a0 * t + system.j * t * t / 2)) < 1e-14);
    CHECK(std::abs(state.z[0] - system.m * (a0 + system.j * t)) < 1e-14);
  };
  check(RungeKutta4{});
  check(Gauss<2>{});
}

TEST_CASE("a row of order 4 keeps two reactions in the state and is met to round-off",
          "[mechanics][higher-order]") {
  const test::ConstantSnap<double> system;
  const LagrangeDAlembert problem{system};
  const double v0 = -0.4, a0 = 1.1, j0 = 0.7, t = 2;
  const auto check = [&](const auto& method) {
    auto state = problem.state(Rn<double, 1>(), Vec<double, 1>(v0), {system.m * a0, system.m * j0});
    drive(method, problem, state, {.step = 0.25, .until = t});
    const double x = v0 * t + a0 * t * t / 2 + j0 * t * t * t / 6 + system.q * t * t * t * t / 24;
    CHECK(std::abs(state.g.coordinates()[0] - x) < 1e-14);
    CHECK(std::abs(state.z[0] - system.m * (a0 + j0 * t + system.q * t * t / 2)) < 1e-14);
    CHECK(std::abs(state.z[1] - system.m * (j0 + system.q * t)) < 1e-14);
  };
  check(RungeKutta4{});
  check(Gauss<2>{});
}

TEST_CASE("a sleigh under rows of orders 1 and 3 follows its closed form", "[mechanics][higher-order]") {
  CHECK(error_after(DormandPrince853{}, 0.02, 4) < 1e-10);
  CHECK(error_after(RungeKutta4{.project = true}, 2e-3, 4) < 1e-10);
  CHECK(error_after(Gauss<3>{}, 0.02, 4) < 1e-10);
}

TEST_CASE("methods of order 4 converge with order 4 on rows of mixed orders", "[mechanics][higher-order]") {
  const auto order = [](const auto& method) {
    const std::vector<double> steps = {0.2, 0.1, 0.05, 0.025};
    std::vector<double> errors;
    for (const double h : steps) errors.push_back(error_after(method, h, 3));
    return analysis::fit_order(steps, errors).order;
  };
  CHECK(std::abs(order(RungeKutta4{}) - 4) < 0.15);
  CHECK(std::abs(order(Gauss<2>{}) - 4) < 0.15);
}

/// ξ, ξ̇, ξ̈ and ξ⃛ on the motion through `start`, from differences of ξ̇ over five states.
template <class P>
std::array<Vec<double, 3>, 4> rates_by_differences(const P& problem, const typename P::State& start) {
  constexpr double h = 4e-3;
  std::array<Vec<double, 3>, 5> xidot;
  auto rates = problem.make_rates();
  for (int i = -2; i <= 2; ++i) {
    auto at = start;
    auto stepper = DormandPrince853{}.stepper(problem, at);
    for (int k = 0; k < std::abs(i); ++k) (void)stepper.step(problem, at, i < 0 ? -h : h);
    problem.rates(at, rates);
    xidot[static_cast<std::size_t>(i + 2)] = rates.xidot;
  }
  return {start.xi, xidot[2], (8 * (xidot[3] - xidot[1]) - (xidot[4] - xidot[0])) / (12 * h),
          (16 * (xidot[3] + xidot[1]) - (xidot[4] + xidot[0]) - 30 * xidot[2]) / (12 * h * h)};
}
/// The row of order k of a system on its motion.
template <int order, class P>
double row_by_differences(const P& problem, const typename P::State& start) {
  const auto rates = rates_by_differences(problem, start);
  std::array<Vec<double, 3>, static_cast<std::size_t>(order)> x;
  std::copy_n(rates.begin(), x.size(), x.begin());
  if constexpr (requires { problem.system().higher_constraint(start.g, x, start.time); })
    return problem.system().higher_constraint(start.g, x, start.time);
  else if constexpr (requires { problem.system().higher_constraint(start.g, x); })
    return problem.system().higher_constraint(start.g, x);
  else
    return problem.system().higher_constraint(x);
}

template <int order, class System = test::AnyBody<double, order>>
double row_of_any_body() {
  const LagrangeDAlembert problem{System{}};
  auto start = problem.state(SO3d::exp({0.3, -0.7, 0.4}), {0.5, -0.8, 0.1},
                             Vec<double, order - 2>::Constant(0.4), 0.2);
  (void)problem.project(start);
  auto rates = problem.make_rates();
  problem.rates(start, rates);
  CHECK(rates.report.iterations > 2);  // the row is not affine
  return row_by_differences<order>(problem, start);
}

TEST_CASE("the rates meet rows of orders 3 and 4 that depend on everything", "[mechanics][higher-order]") {
  CHECK(std::abs(row_of_any_body<3>()) < 1e-7);
  CHECK(std::abs(row_of_any_body<4>()) < 1e-6);
}

/// A particle on a sphere whose height has a constant third rate; not at the poles.
struct OnSphere {
  using Group = Rn<double, 3>;
  double j = 0.4;
  template <class T>
  T lagrangian(const Rn<T, 3>& q, const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - 2 * q.coordinates()[0];
  }
  template <class T>
  T position_constraint(const Rn<T, 3>& q) const {
    const Vec<T, 3>& x = q.coordinates();
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1;
  }
  template <class T>
  T jerk_constraint(const Vec<T, 3>&, const Vec<T, 3>&, const Vec<T, 3>& jerk) const {
    return jerk[2] - j;
  }
  template <class T>
  Mat<T, 2, 3> variational(const Rn<T, 3>& q) const {
    const Vec<T, 3>& x = q.coordinates();
    Mat<T, 2, 3> rows;
    rows << x[0], x[1], x[2], T(0), T(0), T(1);
    return rows;
  }
  void require_valid(const Rn<double, 3>& q, double t) const {
    if (std::abs(q.coordinates()[2]) > 0.9) throw InvalidState("OnSphere: too near to a pole", t);
  }
};

TEST_CASE("a row of order 3 stands beside one of positions, which a projection meets",
          "[mechanics][higher-order]") {
  const LagrangeDAlembert problem{OnSphere{}};
  auto state = problem.state(Rn<double, 3>({1.1, 0.1, -0.1}), {0.2, 0.8, 0.3}, Vec<double, 1>(0.1));
  CHECK(problem.project(state).converged);
  CHECK(problem.constraint(state).position < 1e-15);
  CHECK(problem.constraint(state).velocity < 1e-15);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const double z = state.g.coordinates()[2], v = state.xi[2], a = rates.xidot[2], t = 0.8;
  const auto start = state;
  drive(DormandPrince853{.project = true}, problem, state, {.step = 0.01, .until = t});
  CHECK(std::abs(state.g.coordinates()[2] - (z + v * t + a * t * t / 2 + 0.4 * t * t * t / 6)) < 1e-12);
  CHECK(problem.constraint(state).position < 1e-14);

  // what was moved can be told
  auto again = start;
  problem.retract(start, problem.difference(start, state), again);
  auto later = state;
  later.time = 3;
  auto sooner = state;
  sooner.time = 1;
  CHECK(problem.difference(sooner, later).time == 2);
  CHECK((again.g.coordinates() - state.g.coordinates()).norm() < 1e-15);
  CHECK((again.z - state.z).norm() + (again.xi - state.xi).norm() < 1e-15);

  const auto pole = problem.state(Rn<double, 3>({0, 0.1, 0.99}), {0.2, 0.8, 0.3}, Vec<double, 1>(0.1));
  CHECK_THROWS_WITH(problem.rates(pole, rates), ContainsSubstring("too near to a pole"));
}

TEST_CASE("impulses along rows of lower order change the velocity as they say", "[mechanics][higher-order]") {
  const LagrangeDAlembert problem{test::AnyBody<double>{}};
  const auto state = problem.state(SO3d::exp({0.3, -0.7, 0.4}), {0.5, -0.8, 0.1}, Vec<double, 1>(0.4), 0.3);
  const Vec<double, 1> impulse(0.7);
  auto rates = problem.make_rates();
  rates.xidot = {1, 2, 3};
  problem.add_impulse_response(state, impulse, rates);
  auto pushed = state;
  pushed.xi += rates.xidot - Vec<double, 3>(1, 2, 3);
  const Vec<double, 1> change = problem.velocity_residual(pushed) - problem.velocity_residual(state);
  CHECK(std::abs(change[0] - problem.delassus(state)(0, 0) * impulse[0]) < 1e-14);
  CHECK(change[0] > 0.1);
}

TEST_CASE("Gauss's methods hold rows of order 1 at their nodes beside one of order 3",
          "[mechanics][higher-order]") {
  const LagrangeDAlembert problem{test::AnyBody<double>{}};
  auto state = problem.state(SO3d::exp({0.3, -0.7, 0.4}), {0.5, -0.8, 0.1}, Vec<double, 1>(0.4), 0.3);
  (void)problem.project(state);
  auto other = state;
  const auto report = drive(Gauss<2>{}, problem, state, {.step = 0.01, .until = 1.3});
  CHECK(report.violation.velocity < 1e-13);
  drive(DormandPrince853{}, problem, other, {.step = 0.01, .until = 1.3});
  CHECK(problem.difference(state, other).coordinates().norm() < 1e-7);
}

/// The same, where ξ is the velocity in space.
struct AnyBodyInSpace : test::AnyBody<double> {
  using Trivialisation = trivialisation::Right;
};

/// A top reduced by its symmetry about the vertical, which is all that it knows of its attitude.
struct ReducedTop {
  using Group = SO3<double>;
  using Configuration = Advected<Group>;
  template <class T>
  T lagrangian(const Advected<SO3<T>>& up, const Vec<T, 3>& w) const {
    return (w[0] * w[0] + 1.4 * w[1] * w[1] + 0.9 * w[2] * w[2]) / 2 - 0.3 * up[0] - 1.5 * up[2];
  }
  template <class T>
  T velocity_constraint(const Advected<SO3<T>>& up, const Vec<T, 3>& w) const {
    return w[2] + 0.4 * up[0] * w[0];
  }
  template <class T>
  T higher_constraint(const Advected<SO3<T>>& up, const std::array<Vec<T, 3>, 3>& x) const {
    return x[2][0] + up[1] * x[1][1] - up[2];
  }
  template <class T>
  Mat<T, 2, 3> variational(const Advected<SO3<T>>& up) const {
    Mat<T, 2, 3> rows;
    rows << 0.4 * up[0], T(0), T(1), T(1), up[1], T(0);
    return rows;
  }
};

TEST_CASE("rows of order 3 hold for velocities in space and in reduced equations too",
          "[mechanics][higher-order]") {
  CHECK(std::abs(row_of_any_body<3, AnyBodyInSpace>()) < 1e-7);
  const LagrangeDAlembert top{ReducedTop{}};
  auto state = top.state(Advected<SO3d>({0.48, -0.6, 0.64}), {0.5, -0.8, 0.1}, Vec<double, 1>(0.4));
  (void)top.project(state);
  CHECK(std::abs(row_by_differences<3>(top, state)) < 1e-7);
}

TEST_CASE("an energy monitor counts the work of reactions of all orders", "[mechanics][higher-order]") {
  const LagrangeDAlembert problem{test::AnyBody<double>{}};
  auto state = problem.state(SO3d::exp({0.3, -0.7, 0.4}), {0.5, -0.8, 0.1}, Vec<double, 1>(0.4));
  (void)problem.project(state);
  analysis::EnergyMonitor monitor{problem};
  drive(DormandPrince853{}, problem, state, {.step = 0.01, .until = 1}, monitor);
  CHECK(monitor.energy_error() > 0.1);
  CHECK(std::abs(monitor.last().work.constraint) > 0.01);
  CHECK(std::abs(monitor.last().work.load) > 0.01);
  CHECK(monitor.balance_error() < 1e-11);
}

TEST_CASE("a projection moves the velocity onto rows of lower order and leaves reactions as they are",
          "[mechanics][higher-order]") {
  const SleighProblem problem{Sleigh{}};
  auto state = start_of(problem);
  state.xi[1] = 0.2;
  const auto before = state;
  CHECK(problem.project(state).converged);
  CHECK(problem.constraint(state).velocity < 1e-15);
  CHECK(state.z == before.z);
  // at right angles in the metric of kinetic energy: ω changes too, where the centre of mass is off the blade
  const double along_omega = 0.4 * 1.5 * -0.2 + (0.7 + 1.5 * 0.4 * 0.4) * (state.xi[2] - before.xi[2]);
  CHECK(std::abs(along_omega) < 1e-15);
}

TEST_CASE("a run with rows of order 3 goes on from a checkpoint bit for bit", "[mechanics][higher-order]") {
  const test::Folder folder;
  const SleighProblem problem{Sleigh{}};
  auto whole = start_of(problem), first = whole;
  drive(RungeKutta4{}, problem, whole, {.step = 0.0625, .until = 2});
  drive(RungeKutta4{}, problem, first, {.step = 0.0625, .until = 1});
  io::save_checkpoint(folder / "middle.txt", first);
  auto second = start_of(problem);
  io::load_checkpoint(folder / "middle.txt", second);
  CHECK(second == first);
  drive(RungeKutta4{}, problem, second, {.step = 0.0625, .until = 2});
  CHECK(second == whole);
}

/// A particle in the plane whose acceleration along y has a given rate, by a reaction along x alone.
struct OutOfReach {
  using Group = Rn<double, 2>;
  double rate = 0.5;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T jerk_constraint(const Vec<T, 2>&, const Vec<T, 2>&, const Vec<T, 2>& jerk) const {
    return jerk[1] - rate;
  }
  Mat<double, 1, 2> variational() const { return {1, 0}; }
};

TEST_CASE("reactions are found for the accelerations at the start", "[mechanics][higher-order]") {
  const SleighProblem problem{Sleigh{}};
  const auto start = start_of(problem);
  auto other = start;
  other.z[0] = 7;
  auto rates = problem.make_rates();
  problem.rates(start, rates);
  CHECK(std::abs(problem.with_rates(other, {rates.xidot}).z[0] - start.z[0]) < 1e-14);
  // The acceleration along the blade is not the reaction's to choose.
  Vec<double, 3> aim = rates.xidot;
  aim[0] += 3;
  CHECK(std::abs(problem.with_rates(other, {aim}).z[0] - start.z[0]) < 1e-14);

  const test::ConstantSnap<double> line;
  const LagrangeDAlembert snap{line};
  auto at = snap.state(Rn<double, 1>(), Vec<double, 1>(0.2), {5, -3});
  at = snap.with_rates(at, {Vec<double, 1>(1.1), Vec<double, 1>(0.7)});
  CHECK((at.z - line.m * Vec<double, 2>(1.1, 0.7)).norm() < 1e-14);
}

/// Two rows of order 1 along one direction, `apart` from each other, and one of order 3 across it.
struct Twice {
  using Group = Rn<double, 2>;
  double apart = 0;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 2>& v, const T& t) const {
    return {v[0], v[0] - apart * t};
  }
  template <class T>
  T jerk_constraint(const Vec<T, 2>&, const Vec<T, 2>&, const Vec<T, 2>& jerk) const {
    return jerk[1];
  }
  Mat<double, 3, 2> variational() const {
    Mat<double, 3, 2> rows;
    rows << 1, 0, 1, 0, 0, 1;
    return rows;
  }
};

TEST_CASE("rows of lower order that repeat or contradict each other are refused",
          "[mechanics][higher-order]") {
  const LagrangeDAlembert twice{Twice{}};
  const auto state = twice.state(Rn<double, 2>(), {0, 1}, Vec<double, 1>(0.3));
  auto rates = twice.make_rates();
  CHECK_THROWS_WITH(twice.rates(state, rates), ContainsSubstring("must not follow from each other"));
  const LagrangeDAlembert apart{Twice{.apart = 1}};
  CHECK_THROWS_AS(apart.rates(state, rates), IncompatibleConstraints);
  CHECK_THROWS_WITH(apart.rates(state, rates), ContainsSubstring("velocity row"));
}

TEST_CASE("a row that its reaction cannot reach is refused by name, unless it holds already",
          "[mechanics][higher-order]") {
  const LagrangeDAlembert problem{OutOfReach{}};
  const auto state = problem.state(Rn<double, 2>(), {1, 0}, Vec<double, 1>(0.3));
  auto rates = problem.make_rates();
  CHECK_THROWS_AS(problem.rates(state, rates), IncompatibleConstraints);
  CHECK_THROWS_WITH(problem.rates(state, rates),
                    ContainsSubstring("no reaction makes these rows hold (higher row 0)"));
  const LagrangeDAlembert idle{OutOfReach{.rate = 0}};
  idle.rates(state, rates);
  CHECK(rates.zdot[0] == 0);
  CHECK(rates.report.redundant_rows == 1);
}

/// Rows of orders 2 and `order` of a particle in space; C_V by the extended principle of Chetaev.
template <int order>
struct Derived {
  using Group = Rn<double, 3>;
  using Principle = principle::ExtendedChetaev;
  static constexpr int higher_order = order;
  double bend = 0;
  template <class T>
  T lagrangian(const Vec<T, 3>& v) const {
    return (v[0] * v[0] + 2 * v[1] * v[1] + v[2] * v[2]) / 2;
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 3>& v, const Vec<T, 3>& a, const T& t) const {
    return a[0] + 0.3 * a[0] * a[0] * a[0] + v[1] * a[1] - t;
  }
  template <class T>
  T higher_constraint(const std::array<Vec<T, 3>, static_cast<std::size_t>(order)>& x) const {
    const Vec<T, 3>&v = x[0], &a = x[1], &top = x[order - 1];
    return (1 + v[0] * v[0]) * top[2] + v[1] * top[1] - a[0] + bend * top[2] * top[2];
  }
};

TEST_CASE("the extended principle of Chetaev gives reactions of rows of order 3",
          "[mechanics][higher-order]") {
  const LagrangeDAlembert problem{Derived<3>{}};
  const Vec<double, 3> v(0.4, -0.3, 0.7);
  const double mu = 0.6;
  const auto state = problem.state(Rn<double, 3>(), v, Vec<double, 1>(mu), 0.5);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const Vec<double, 3>& a = rates.xidot;
  CHECK(std::abs(a[0] + 0.3 * a[0] * a[0] * a[0] + v[1] * a[1] - 0.5) < 1e-13);
  const double lambda = rates.lambda[0];
  CHECK(rates.lambda[1] == mu);
  CHECK(std::abs(a[0] - lambda * (1 + 0.9 * a[0] * a[0])) < 1e-13);
  CHECK(std::abs(2 * a[1] - lambda * v[1] - mu * v[1]) < 1e-13);
  CHECK(std::abs(a[2] - mu * (1 + v[0] * v[0])) < 1e-13);
  CHECK(std::abs(row_by_differences<3>(problem, state)) < 1e-7);
  auto aimed = state;
  aimed.z[0] = -1;
  CHECK(std::abs(problem.with_rates(aimed, {a}).z[0] - mu) < 1e-12);

  const LagrangeDAlembert bent{Derived<3>{.bend = 0.1}};
  CHECK_THROWS_WITH(bent.state(Rn<double, 3>(), v, Vec<double, 1>(mu)),
                    ContainsSubstring("not affine in the highest rate"));
}

TEST_CASE("a row of order 4 stands beside one of order 2 that is not affine", "[mechanics][higher-order]") {
  const LagrangeDAlembert problem{Derived<4>{}};
  const auto state = problem.state(Rn<double, 3>(), {0.4, -0.3, 0.7}, {0.6, -0.2}, 0.5);
  CHECK(std::abs(row_by_differences<4>(problem, state)) < 1e-6);
}

TEST_CASE("a step under rows of order 3 does not allocate", "[mechanics][higher-order][allocation]") {
  const SleighProblem problem{Sleigh{}};
  auto state = start_of(problem);
  auto stepper = Gauss<2>{}.stepper(problem, state);
  (void)stepper.step(problem, state, 0.01);
  CHECK(test::allocations_during([&] { (void)stepper.step(problem, state, 0.01); }) == 0);
}

TEST_CASE("a state with numbers that are not finite is refused", "[mechanics][higher-order]") {
  const SleighProblem problem{Sleigh{}};
  CHECK_THROWS_AS(problem.state(SE2d::identity(), {1, 0, 0}, Vec<double, 1>(std::nan(""))),
                  std::invalid_argument);
  auto state = start_of(problem);
  state.z[0] = std::nan("");
  auto rates = problem.make_rates();
  CHECK_THROWS_AS(problem.rates(state, rates), InvalidState);
}

}  // namespace higher_order_test
