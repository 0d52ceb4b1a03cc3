// What every collocation method obeys, on groups and vector spaces, on problems that are reversible and on one that is not.

#include <cmath>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/pendulum_driver.hpp>

#include "laws/collocation_laws.hpp"
#include "support/allocations.hpp"
#include "support/cases.hpp"
#include "support/catch.hpp"
#include "support/systems.hpp"

namespace collocation_laws_test {

using namespace dalembert;
using namespace test;

template <class M, class P>
void check_symmetry(const M& method, const Case<P>& test_case, double h) {
  auto state = test_case.start;
  auto stepper = method.stepper(test_case.problem, state);
  (void)stepper.step(test_case.problem, state, h);
  CHECK(test_case.problem.difference(test_case.start, state).norm() > 0.01);
  (void)stepper.step(test_case.problem, state, -h);
  CAPTURE(M::order, h);
  CHECK((test_case.problem.difference(test_case.start, state).norm() < 1e-14) == M::symmetric);
}

TEST_CASE("Gauss methods undo a step by a step back, on groups and where nothing is reversible",
          "[laws][collocation]") {
  check_symmetry(Gauss<1>{}, sleigh_case(), 0.1);
  check_symmetry(Gauss<3>{}, sleigh_case(), 0.2);
  check_symmetry(Gauss<2>{}, suslov_case(), 0.1);
  check_symmetry(Gauss<2>{}, driver_case(), 0.1);
  check_symmetry(Gauss<4>{}, driver_case(), 0.2);
  check_symmetry(Radau<2>{}, sleigh_case(), 0.1);
  check_symmetry(Radau<3>{}, driver_case(), 0.2);
}

TEST_CASE("a change of the spatial frame changes nothing in a collocated motion but that",
          "[laws][collocation]") {
  check_equivariance(sleigh_case(), SE2d(3, -4, 2),
                     [](const auto& from) { return after(Gauss<3>{}, from, 5); });
}

TEST_CASE("without holding constraints a method lets them drift", "[laws][collocation]") {
  const auto test_case = driver_case();
  auto state = test_case.start;
  auto stepper = Gauss<2>{{.constrain = false}}.stepper(test_case.problem, state);
  for (int i = 0; i < 20; ++i) (void)stepper.step(test_case.problem, state, 0.1);
  CHECK(test_case.problem.constraint(state).velocity > 1e-7);
}

TEST_CASE("a step on a group depends on its state alone, its estimate too", "[laws][collocation]") {
  const auto test_case = suslov_case();
  auto one = test_case.start;
  auto stepper = Gauss<2>{}.stepper(test_case.problem, one);
  (void)stepper.step(test_case.problem, one, 0.2);
  auto other = one;
  const auto report = stepper.step(test_case.problem, one, 0.2);
  auto fresh = Gauss<2>{}.stepper(test_case.problem, other);
  CHECK(fresh.step(test_case.problem, other, 0.2).error == report.error);
  CHECK(one == other);
}

TEST_CASE("a push along a row is what an impulse there does", "[laws][collocation]") {
  const auto test_case = sleigh_case();
  const double m = 1.5, a = 0.4, about_blade = 0.7 + m * a * a;
  const Mat<double, 3> mass{{m, 0, 0}, {0, m, m * a}, {0, m * a, about_blade}};
  auto rates = test_case.problem.make_rates();
  test_case.problem.add_impulse_response(test_case.start, Vec<double, 1>(2.0), rates);
  CHECK((mass * rates.xidot - Vec<double, 3>(0, 2, 0)).norm() < 1e-14);
  CHECK(2 * test_case.problem.delassus(test_case.start)(0, 0) == Approx(rates.xidot[1]).epsilon(1e-14));
}

template <class M>
void check_far_away(const M& method) {
  // The angle, and what follows from it, is rounded to 1e-9 there.
  auto test_case = driver_case();
  test_case.start = test_case.problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 1e7)), test_case.start.xi);
  REQUIRE(test_case.problem.project(test_case.start).converged);
  auto state = test_case.start;
  auto stepper = method.stepper(test_case.problem, state);
  bool converged = true;
  double slip = 0;
  for (int i = 0; i < 20000; ++i) {
    converged = converged && stepper.step(test_case.problem, state, 0.1).converged;
    slip = std::max(slip, test_case.problem.constraint(state).velocity);
  }
  CAPTURE(M::order);
  CHECK(converged);
  CHECK(slip < 1e-13);
}

TEST_CASE("steps converge where numbers of the state are large", "[laws][collocation]") {
  check_far_away(Gauss<2>{});
  check_far_away(Gauss<3>{});
  check_far_away(Radau<2>{});
  check_far_away(Radau<3>{});
}

/// A particle pushed back, weakly, to where it is after half a step of 0.1 from x = 0 at the speed 1.
struct Jump {
  using Group = Rn<double, 1>;
  template <class T>
  T lagrangian(const Vec<T, 1>& v) const {
    return v[0] * v[0] / 2;
  }
  Vec<double, 1> force(const Rn<double, 1>& q, const Vec<double, 1>&) const {
    return Vec<double, 1>(q.coordinates()[0] > 0.05 ? -1e-7 : 1e-7);
  }
};

TEST_CASE("a step that a jump of the force keeps from converging says so", "[laws][collocation]") {
  const LagrangeDAlembert problem{Jump{}};
  auto state = problem.state(Rn<double, 1>(Vec<double, 1>(0)), Vec<double, 1>(1));
  auto stepper = Gauss<1>{}.stepper(problem, state);
  CHECK_FALSE(stepper.step(problem, state, 0.1).converged);
}

TEST_CASE("position rows hold at the nodes", "[laws][collocation]") {
  const LagrangeDAlembert problem{test::SphericalPendulum<>{}};
  auto state = problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {0, 1, 0.5});
  const double energy = problem.energy(state);
  auto stepper = Gauss<3>{}.stepper(problem, state);
  double worst = 0;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(stepper.step(problem, state, 0.02).converged);
    const auto violation = problem.constraint(state);
    worst = std::max({worst, violation.position, violation.velocity});
  }
  CHECK(worst < 5e-13);
  CHECK(std::abs(problem.energy(state) - energy) < 1e-6);
}

/// A bead on a stiff spring whose other end swings, with a damper: q̈ = −k(q − sin t) − d(q̇ − cos t) − sin t, so that q = sin t is a motion.
struct StiffBead {
  using Group = Rn<double, 1>;
  double stiffness = 1e8, damping = 1e3;
  template <class T>
  T lagrangian(const Vec<T, 1>& v) const {
    return v[0] * v[0] / 2;
  }
  template <class T>
  Vec<T, 1> force(const Rn<T, 1>& q, const Vec<T, 1>& v, const T& t) const {
    using std::cos, std::sin;
    const T swing = sin(t), speed = cos(t);
    return Vec<T, 1>(-stiffness * (q.coordinates()[0] - swing) - damping * (v[0] - speed) - swing);
  }
};

TEST_CASE("a stiff problem is stepped by Newton's method, with steps of the slow motion",
          "[laws][collocation]") {
  const LagrangeDAlembert problem{StiffBead{}};
  const auto error = [&](const auto& method) {
    auto state = problem.state(Rn<double, 1>(Vec<double, 1>(0.0)), Vec<double, 1>(1.0));
    auto stepper = method.stepper(problem, state);
    for (int i = 0; i < 40; ++i) {
      const auto report = stepper.step(problem, state, 0.1);
      REQUIRE(report.converged);
      REQUIRE(report.iterations < 30);
    }
    return std::abs(state.g.coordinates()[0] - std::sin(state.time));
  };
  CHECK(error(Radau<2>{}) < 1e-6);
  CHECK(error(Radau<3>{}) < 1e-7);
  CHECK(error(Gauss<3>{}) < 1e-6);
}

TEST_CASE("rounding that is carried over does not add up", "[laws][collocation]") {
  const LagrangeDAlembert problem{test::GrowingMass<>{.rate = 0}};
  const auto error = [&](bool compensated, bool forgetful) {
    auto state = problem.state(Rn<double, 1>(Vec<double, 1>(0.0)), Vec<double, 1>(1.0 / 3));
    auto stepper = Gauss<1>{{.constrain = true, .compensated = compensated}}.stepper(problem, state);
    for (int i = 0; i < 10000; ++i) {
      (void)stepper.step(problem, state, 0.1);
      if (forgetful) stepper.reset();
    }
    const long double exact = 10000 * static_cast<long double>(0.1) * static_cast<long double>(1.0 / 3);
    return std::abs(state.g.coordinates()[0] - static_cast<double>(exact));
  };
  CHECK(error(true, false) < 2e-13);
  CHECK(error(false, false) > 1e-11);
  CHECK(error(true, true) > 1e-11);
}

TEST_CASE("a step too long for any iteration is no convergence", "[laws][collocation]") {
  const auto test_case = driver_case();
  auto state = test_case.start;
  auto stepper = Gauss<2>{}.stepper(test_case.problem, state);
  CHECK_FALSE(stepper.step(test_case.problem, state, 20.0).converged);
}

TEST_CASE("a step with constraints held, or by Newton's method, does not allocate",
          "[laws][allocation][collocation]") {
  const auto test_case = driver_case();
  auto state = test_case.start;
  auto stepper = Gauss<2>{{.constrain = true, .compensated = true}}.stepper(test_case.problem, state);
  const LagrangeDAlembert stiff{StiffBead{}};
  auto bead = stiff.state(Rn<double, 1>(Vec<double, 1>(0.0)), Vec<double, 1>(1.0));
  auto other = Radau<2>{}.stepper(stiff, bead);
  const long allocations = test::allocations_during([&] {
    for (int i = 0; i < 3; ++i) {
      (void)stepper.step(test_case.problem, state, 0.1);
      (void)other.step(stiff, bead, 0.1);
    }
  });
  CHECK(allocations == 0);
}

}  // namespace collocation_laws_test
