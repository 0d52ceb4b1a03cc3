// One stepper that serves several states in turn: what it keeps from a step is for the state of that step alone.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"
#include "support/systems.hpp"

namespace steppers_in_turn_test {

using namespace dalembert;

/// Oscillators q̈ = −q without coupling, in a state that owns arrays and does not compare, as rods do.
struct Oscillators {
  using Scalar = double;
  struct State {
    double time = 0;
    std::vector<double> q, v;
  };
  struct Rates {
    std::vector<double> a;
  };
  struct Increment {
    std::vector<double> q, v;
    double time = 0;
    void set_zero() { *this = {std::vector<double>(q.size()), std::vector<double>(q.size()), 0}; }
    void add_scaled(double factor, const Increment& k) {
      for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] += factor * k.q[i];
        v[i] += factor * k.v[i];
      }
      time += factor * k.time;
    }
    double norm() const {
      double most = 0;
      for (std::size_t i = 0; i < q.size(); ++i) most = std::max({most, std::abs(q[i]), std::abs(v[i])});
      return most;
    }
  };
  using NodeLoads = std::vector<double>;

  std::size_t count = 3;
  mutable long evaluations = 0;

  Rates make_rates() const { return {NodeLoads(count)}; }
  Increment make_increment() const { return {NodeLoads(count), NodeLoads(count), 0}; }
  NodeLoads make_loads() const { return NodeLoads(count); }
  void locate(const State&, NodeLoads&) const {}
  void loads(const State& at, NodeLoads& out) const {
    ++evaluations;
    for (std::size_t i = 0; i < count; ++i) out[i] = -at.q[i];
  }
  void rates(const State& at, Rates& out) const { loads(at, out.a); }
  void slope(const State& at, const Increment&, const Rates& given, Increment& out) const {
    out = {at.v, given.a, 1};
  }
  void retract(const State& at, const Increment& u, State& out) const {
    out = at;
    for (std::size_t i = 0; i < count; ++i) {
      out.q[i] += u.q[i];
      out.v[i] += u.v[i];
    }
    out.time += u.time;
  }
  void solve_algebraic(State&) const {}
  Projection<double> project(State&) const { return {}; }
  double kinetic_energy(const State& at) const {
    double twice = 0;
    for (const double v : at.v) twice += v * v;
    return twice / 2;
  }
  double energy(const State& at) const { return kinetic_energy(at); }
  Violation<double> constraint(const State&) const { return {}; }
  Powers<double> power(const State&, const Rates&) const { return {}; }

  void add_constraint_forces(State&, NodeLoads&) const {}
  void kick(State& at, const NodeLoads& given, double h) const {
    for (std::size_t i = 0; i < count; ++i) at.v[i] += h * given[i];
  }
  void kick_drift(const State& at, const NodeLoads& given, double kick_for, double h, State& out) const {
    out = at;
    kick(out, given, kick_for);
    for (std::size_t i = 0; i < count; ++i) out.q[i] += h * out.v[i];
    out.time += h;
  }
  Projection<double> project_position(State&, double, NodeLoads&) const { return {}; }
  Projection<double> finish_step(State& state, NodeLoads& loads) const {
    add_constraint_forces(state, loads);
    return {};
  }
};
static_assert(SplitProblem<Oscillators>);

Oscillators::State start(double q) { return {0, {q, 2 * q, 3 * q}, {1, -q, 0}}; }

/// The state after so many steps of 0.1 s with a stepper of its own.
template <class M>
Oscillators::State alone(double q, int steps) {
  const Oscillators problem;
  auto state = start(q);
  auto stepper = M{}.stepper(problem, state);
  for (int i = 0; i < steps; ++i) (void)stepper.step(problem, state, 0.1);
  return state;
}

template <class M>
void check_in_turn() {
  const Oscillators problem;
  const auto expect = [](const Oscillators::State& state, double q, int steps) {
    const auto expected = alone<M>(q, steps);
    CAPTURE(M::order, q, steps);
    CHECK(state.time == expected.time);
    CHECK(state.q == expected.q);
    CHECK(state.v == expected.v);
  };
  std::vector<Oscillators::State> states{start(1), start(-5)};
  auto stepper = M{}.stepper(problem, states[0]);
  const auto step = [&](std::size_t i) { (void)stepper.step(problem, states[i], 0.1); };
  for (int i = 0; i < 3; ++i) {
    step(0);
    step(1);
  }
  expect(states[0], 1, 3);
  expect(states[1], -5, 3);
  std::swap(states[0], states[1]);  // they have the same time
  step(1);
  expect(states[1], 1, 4);
  auto elsewhere = std::move(states);
  elsewhere.reserve(100);
  (void)stepper.step(problem, elsewhere[1], 0.1);
  expect(elsewhere[1], 1, 5);
  (void)stepper.step(problem, elsewhere[0], 0.1);
  expect(elsewhere[0], -5, 4);
}

TEST_CASE("one stepper serves states in turn as if each had its own, also swapped and moved", "[steppers]") {
  check_in_turn<Verlet>();
  check_in_turn<DormandPrince54>();
  check_in_turn<DormandPrince853>();
}

TEST_CASE("what is kept from a step is used by the next one of the same state, moved or driven",
          "[steppers]") {
  const Oscillators problem;
  auto state = start(1);
  auto stepper = Verlet{}.stepper(problem, state);
  for (int i = 0; i < 10; ++i) (void)stepper.step(problem, state, 0.1);
  auto moved = std::move(state);
  for (int i = 0; i < 10; ++i) (void)stepper.step(problem, moved, 0.1);
  CHECK(problem.evaluations == 21);
  problem.evaluations = 0;
  drive(Verlet{}, problem, moved, {.step = 0.1 / 3, .until = moved.time + 10});
  CHECK(problem.evaluations == 301);
  problem.evaluations = 0;
  auto rk = DormandPrince54{}.stepper(problem, moved);
  for (int i = 0; i < 10; ++i) (void)rk.step(problem, moved, 0.1);
  CHECK(problem.evaluations == 61);
}

TEST_CASE("the rounding that collocation carries over belongs to its state", "[steppers]") {
  const LagrangeDAlembert problem{test::HeavyTop<>{}};
  const Gauss<2> method{.options = {.compensated = true}};
  const auto first = problem.state(SO3d::exp({0.3, -0.2, 0.5}), {1, 1.5, -2});
  const auto second = problem.state(SO3d::exp({-0.7, 0.1, 0.4}), {100, 0.3, 50});
  auto one = first, other = second, apart = first;
  auto shared = method.stepper(problem, one), own = method.stepper(problem, apart);
  bool same = true, carried = false;
  auto plain = first;
  auto without = Gauss<2>{}.stepper(problem, plain);
  for (int i = 0; i < 50; ++i) {
    auto between = one;  // as with a stepper that starts anew
    auto fresh = method.stepper(problem, between);
    (void)fresh.step(problem, between, 0.01);
    (void)shared.step(problem, one, 0.01);
    (void)shared.step(problem, other, 0.001);
    same = same && one == between;
    (void)own.step(problem, apart, 0.01);
    (void)without.step(problem, plain, 0.01);
    carried = carried || apart != plain;
  }
  CHECK(same);
  CHECK(carried);
}

TEST_CASE("a state is known again if only its time was rounded otherwise", "[stepper]") {
  test::Pendulum::State state{.time = 0.3, .q = 1, .v = 2};
  detail::LastState<test::Pendulum::State> last;
  CHECK_FALSE(last.is(state));
  last.note(state, 0.1);
  CHECK(last.is(state));
  auto other = state;
  other.time = std::nextafter(0.3, 1.0);
  CHECK(last.is(other));
  other.time = 0.3 + 1e-12;
  CHECK_FALSE(last.is(other));
  other = state;
  other.v = std::nextafter(2.0, 3.0);
  CHECK_FALSE(last.is(other));
  last.forget();
  CHECK_FALSE(last.is(state));
}

}  // namespace steppers_in_turn_test
