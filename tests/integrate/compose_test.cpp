#include <dalembert/integrate/compose.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/pendulum_driver.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace compose_test {

using namespace dalembert;

using LF = NonholonomicLeapfrog;
using MP = NonholonomicMcLachlanPerlmutter;
using EP = NonholonomicEnergyPreserving;
using Driver = LagrangeDAlembert<systems::PendulumDriver<>>;

static_assert(MethodFor<Composition<MP, 4>, Driver> && MethodFor<Composition<MP, 6>, Driver>);
static_assert(Composition<MP, 4>::order == 4 && Composition<MP, 6>::order == 6);
static_assert(Composition<LF, 4>::order == 2 && Composition<EP, 6>::order == 2);
static_assert(Composition<MP, 4>::symmetric && !EstimatesError<Composition<MP, 4>>);
static_assert(Composition<MP, 4>::composes && !Composition<LF, 4>::composes);

/// The sums over a composition that vanish for its order, besides Σγ = 1: of γ³, of γ⁵, and of γ³ times the
/// square of how far its middle is from the middle of the step. Source: Hairer, Lubich and Wanner 2006, section
/// V.3.2.
struct Defects {
  long double sum = -1, third = 0, fifth = 0, mixed = 0;
};
template <std::size_t N>
Defects defects(const std::array<long double, N>& weights) {
  Defects found;
  long double place = 0;
  for (const long double w : weights) {
    const long double middle = place + w / 2 - 0.5L;
    place += w;
    found.sum += w;
    found.third += w * w * w;
    found.fifth += w * w * w * w * w;
    found.mixed += w * w * w * middle * middle;
  }
  return found;
}

TEST_CASE("the weights of compositions meet their conditions, and are the same from both ends", "[compose]") {
  const auto four = defects(composition::order4<long double>),
             six = defects(composition::order6<long double>);
  CHECK(std::abs(four.sum) < 1e-18L);
  CHECK(std::abs(four.third) < 1e-18L);
  CHECK(std::abs(four.fifth) > 1e-3L);
  CHECK(std::abs(six.sum) < 1e-18L);
  CHECK(std::abs(six.third) < 1e-18L);
  CHECK(std::abs(six.fifth) < 1e-18L);
  CHECK(std::abs(six.mixed) < 1e-18L);
  const auto same = [](auto weights) {
    const auto given = weights;
    std::reverse(weights.begin(), weights.end());
    return weights == given;
  };
  CHECK(same(composition::order4<double>));
  CHECK(same(composition::order6<float>));
}

auto driver_start(const Driver& problem) {
  const double zdot = 0.3;
  return problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)),
                       {-problem.system().ratio(0.0) * zdot, zdot, 1.5});
}

template <class State>
double distance(const State& a, const State& b) {
  return (a.g.inverse() * b.g).log().norm() + (a.xi - b.xi).norm();
}

template <class M, class P>
auto after(const M& method, const P& problem, typename P::State state, int steps) {
  auto stepper = method.stepper(problem, state);
  bool converged = true;
  for (int i = 0; i < steps; ++i)
    converged = stepper.step(problem, state, 1.0 / steps).converged && converged;
  CHECK(converged);
  return state;
}

template <class M, class P>
double observed_order(const M& method, const P& problem, const typename P::State& start,
                      const typename P::State& reference, int steps) {
  const double coarse = distance(after(method, problem, start, steps), reference);
  const double fine = distance(after(method, problem, start, 2 * steps), reference);
  CAPTURE(coarse, fine);
  CHECK(fine > 2e-12);  // above round-off, or the ratio means nothing
  return std::log2(coarse / fine);
}

TEST_CASE("a composition has the order that it declares, on a vector space", "[compose][order]") {
  const Driver problem{systems::PendulumDriver<>{}};
  const auto start = driver_start(problem), reference = after(RungeKutta4{}, problem, start, 4000);
  const auto order = [&](const auto& method, int steps) {
    return observed_order(method, problem, start, reference, steps);
  };
  CHECK(order(Composition<MP, 4>{}, 16) == Approx(4).margin(0.15));
  CHECK(order(Composition<MP, 6>{}, 8) == Approx(6).margin(0.15));
  // What keeps rows in the mean of nodes gains nothing, whatever the weights promise.
  CHECK(order(Composition<LF, 4>{}, 16) == Approx(2).margin(0.15));
  CHECK(order(Composition<EP, 4>{}, 16) == Approx(2).margin(0.15));
  CHECK(order(Composition<LF, 6>{}, 16) == Approx(2).margin(0.15));
}

TEST_CASE("a composition has the order that it declares, on a group", "[compose][order]") {
  const LagrangeDAlembert problem{test::Suslov<>{}};
  const auto start = problem.state(SO3d::exp({0.3, -0.2, 0.5}), {1, 1.5, 0});
  const auto reference = after(RungeKutta4{}, problem, start, 4000);
  CHECK(observed_order(Composition<MP, 4>{}, problem, start, reference, 16) == Approx(4).margin(0.15));
  CHECK(observed_order(Composition<MP, 6>{}, problem, start, reference, 4) == Approx(6).margin(0.15));
}

TEST_CASE("a composition takes a step back, and keeps rows at nodes", "[compose]") {
  const Driver problem{systems::PendulumDriver<>{}};
  auto state = driver_start(problem);
  auto stepper = Composition<MP, 6>{}.stepper(problem, state);
  for (int i = 0; i < 5; ++i) CHECK(stepper.step(problem, state, 0.1).converged);
  CHECK(problem.constraint(state).velocity < 1e-14);
  const auto before = state;
  const auto report = stepper.step(problem, state, 0.1);
  CHECK(report.iterations > 1);
  CHECK(state.time == before.time + 0.1);
  CHECK(stepper.previous() == before);
  CHECK(distance(state, before) > 1e-2);
  (void)stepper.step(problem, state, -0.1);
  CHECK(distance(state, before) < 1e-13);
}

/// A particle on ice that ends at x = 1.
struct Ice {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    if (value_of(q.coordinates()[0]) > 1) throw InvalidState("the ice has ended", 0);
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
};

TEST_CASE("a composition that throws leaves the state as it was, and goes on from there", "[compose]") {
  const LagrangeDAlembert problem{Ice{}};
  auto state = problem.state(Rn<double, 2>(Vec<double, 2>(0.95, 0)), {1, 0}, 3);
  const auto before = state;
  auto stepper = Composition<LF, 4>{}.stepper(problem, state);
  CHECK_THROWS_AS(stepper.step(problem, state, 0.1), InvalidState);
  CHECK(state == before);
  CHECK(stepper.step(problem, state, 0.01).converged);
  CHECK(state.g.coordinates()[0] == Approx(0.96).epsilon(1e-15));
}

/// A method whose stages do as they are told, and that keeps from each the time at which the next should begin.
struct ToldMethod {
  struct Orders {
    int stage = 0;  // counted from 1 in every step of the composition
    int does_not_converge = 0, throws = 0;
    int confused = 0;  // stages that began elsewhere than where the last one had ended
    int resets = 0;
  };
  struct Stepper {
    Orders* orders;
    std::optional<double> expected{};
    StepReport<double> step(const Driver&, Driver::State& state, double h) {
      const int stage = ++orders->stage;
      if (expected && *expected != state.time) ++orders->confused;
      expected = state.time + h;
      if (stage == orders->throws) throw InvalidState("told to throw", state.time);
      state.time += h;
      return {.converged = stage != orders->does_not_converge, .iterations = stage == 2 ? 7 : 3};
    }
    void reset() {
      expected.reset();
      ++orders->resets;
    }
  };
  static constexpr int order = 2;
  static constexpr bool symmetric = true;
  static constexpr bool composes = true;
  Orders* orders = nullptr;
  Stepper stepper(const Driver&, const Driver::State&) const { return {orders}; }
};

TEST_CASE("a composition has converged if every stage has", "[compose]") {
  const Driver problem{systems::PendulumDriver<>{}};
  ToldMethod::Orders orders;
  auto state = driver_start(problem);
  auto stepper = Composition<ToldMethod, 4>{{&orders}}.stepper(problem, state);
  for (int stage = 0; stage <= 5; ++stage) {
    CAPTURE(stage);
    orders.stage = 0;
    orders.does_not_converge = stage;
    const auto report = stepper.step(problem, state, 0.1);
    CHECK(report.converged == (stage == 0));
    CHECK(report.iterations == 7);
    CHECK(orders.stage == 5);
    CHECK(orders.resets == stage);
    stepper.reset();  // what the method keeps is forgotten with it
  }
}

TEST_CASE("a composition forgets what its method kept when a stage throws, and only then", "[compose]") {
  const Driver problem{systems::PendulumDriver<>{}};
  ToldMethod::Orders orders;
  auto state = driver_start(problem);
  auto stepper = Composition<ToldMethod, 4>{{&orders}}.stepper(problem, state);
  CHECK(stepper.step(problem, state, 0.5).converged);
  CHECK(orders.resets == 0);
  for (int stage = 1; stage <= 5; ++stage) {
    CAPTURE(stage);
    stepper.reset();
    orders = {.throws = stage};
    const auto before = state;
    CHECK_THROWS_AS(stepper.step(problem, state, 0.5), InvalidState);
    CHECK(state == before);
    orders.stage = 0;
    orders.throws = 0;
    CHECK(stepper.step(problem, state, 0.25).converged);
    CHECK(orders.resets == 1);
    CHECK(orders.confused == 0);
  }
}

TEST_CASE("without velocity rows the leapfrog composes", "[compose][order]") {
  const LagrangeDAlembert problem{test::HeavyTop<>{}};
  const auto start = problem.state(SO3d::exp({0.3, -0.2, 0.5}), {1, 1.5, -2});
  const auto reference = after(RungeKutta4{}, problem, start, 4000);
  CHECK(observed_order(Composition<LF, 4>{}, problem, start, reference, 32) == Approx(4).margin(0.15));
}

}  // namespace compose_test
