#include <dalembert/integrate/explicit_rk.hpp>

#include <cmath>
#include <cstddef>

#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace explicit_rk_test {

using namespace dalembert;
using test::Pendulum;

static_assert(MethodFor<RungeKutta4, Pendulum>);
static_assert(MethodFor<DormandPrince54, Pendulum> && MethodFor<DormandPrince853, Pendulum>);
static_assert(EstimatesError<DormandPrince54> && EstimatesError<DormandPrince853> &&
              !EstimatesError<RungeKutta4>);
static_assert(RungeKutta4::order == 4 && DormandPrince54::order == 5 && DormandPrince54::error_order == 5);
static_assert(DormandPrince853::order == 8 && DormandPrince853::error_order == 8);
static_assert(!RungeKutta4::symmetric);

TEST_CASE("a step of order 4 is the Taylor polynomial of degree 4 of a linear problem", "[explicit_rk]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  Pendulum::State state{.q = 1};
  auto stepper = RungeKutta4{}.stepper(problem, state);
  const double h = 0.5;
  const auto report = stepper.step(problem, state, h);
  REQUIRE(report.converged);
  REQUIRE(report.error == 0);
  REQUIRE(state.time == h);
  REQUIRE(state.q == Approx(1 - h * h / 2 + h * h * h * h / 24).epsilon(1e-15));
  REQUIRE(state.v == Approx(-h + h * h * h / 6).epsilon(1e-15));
}

TEST_CASE(
    "a step of order 8 is the Taylor polynomial of degree 8 of a linear problem, and not that of degree 9",
    "[explicit_rk]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  Pendulum::State state{.q = 1};
  auto stepper = DormandPrince853{}.stepper(problem, state);
  const double h = 0.8;
  (void)stepper.step(problem, state, h);
  double q = 0, v = 0, term = 1;  // term = hᵏ/k!
  for (int k = 0; k <= 9; ++k, term *= h / k) {
    if (k == 9) CHECK(std::abs(state.v - v) < term);
    if (k == 9) CHECK(std::abs(state.v - (v - term)) > 1e-9);
    if (k < 9 && k % 2 == 0) q += k % 4 == 0 ? term : -term;
    if (k < 9 && k % 2 == 1) v += k % 4 == 1 ? -term : term;
  }
  CHECK(std::abs(state.q - q) > 1e-13);
}

TEST_CASE("time is exact whatever the weights add up to", "[explicit_rk]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1};
  auto stepper = DormandPrince54{}.stepper(problem, state);
  for (int i = 1; i <= 64; ++i) {
    (void)stepper.step(problem, state, 0.0625);
    REQUIRE(state.time == 0.0625 * i);
  }
}

TEST_CASE("a step back undoes a step up to its error", "[explicit_rk]") {
  const Pendulum problem{.drive = 0.3};
  Pendulum::State state{.q = 1, .v = 0.2};
  auto stepper = RungeKutta4{}.stepper(problem, state);
  (void)stepper.step(problem, state, 0.01);
  (void)stepper.step(problem, state, -0.01);
  REQUIRE(state.q == Approx(1).epsilon(1e-11));
  REQUIRE(state.v == Approx(0.2).epsilon(1e-10));
}

TEST_CASE("energy is not kept, but drifts in proportion to time", "[explicit_rk]") {
  const Pendulum problem;
  const auto drift = [&](const auto& method, double h, int steps) {
    Pendulum::State state{.q = 1};
    const double before = problem.energy(state);
    auto stepper = method.stepper(problem, state);
    for (int i = 0; i < steps; ++i) (void)stepper.step(problem, state, h);
    return problem.energy(state) - before;
  };
  CHECK(drift(RungeKutta4{}, 0.2, 4000) / drift(RungeKutta4{}, 0.2, 2000) == Approx(2).margin(0.05));
  CHECK(drift(DormandPrince853{}, 0.8, 2000) / drift(DormandPrince853{}, 0.8, 1000) ==
        Approx(2).margin(0.05));
}

TEST_CASE("the last stage is used again, unless the state was changed", "[explicit_rk]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1};
  auto stepper = DormandPrince54{}.stepper(problem, state);
  const auto cost_of_step = [&] {
    const long before = problem.evaluations;
    (void)stepper.step(problem, state, 0.1);
    return problem.evaluations - before;
  };
  REQUIRE(cost_of_step() == 7);
  REQUIRE(cost_of_step() == 6);
  stepper.reset();
  REQUIRE(cost_of_step() == 7);
  state.v += 0.1;
  REQUIRE(cost_of_step() == 7);
  REQUIRE(cost_of_step() == 6);

  Pendulum::State again{.q = 1}, fresh{.q = 1};
  auto kept = DormandPrince54{}.stepper(problem, again);
  for (int i = 0; i < 10; ++i) {
    (void)kept.step(problem, again, 0.1);
    auto anew = DormandPrince54{}.stepper(problem, fresh);
    (void)anew.step(problem, fresh, 0.1);
  }
  REQUIRE(again == fresh);
}

template <class M>
void check_estimate(double h, double margin) {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  double last = 0;
  for (int i = 0; i < 3; ++i, h /= 2) {
    Pendulum::State state{.q = 1};
    auto stepper = M{}.stepper(problem, state);
    const double estimate = stepper.step(problem, state, h).error;
    if (last > 0) CHECK(std::log2(last / estimate) == Approx(M::error_order).margin(margin));
    CHECK(estimate > std::abs(state.q - std::cos(h)));
    CHECK(estimate > std::abs(state.v + std::sin(h)));
    last = estimate;
  }
}

TEST_CASE("the error estimate shrinks with the declared power, and lies above the error", "[explicit_rk]") {
  check_estimate<DormandPrince54>(0.4, 0.3);
  check_estimate<DormandPrince853>(1.0, 0.3);
}

/// q̇ = tᵏ.
struct Power {
  using Scalar = double;
  struct State {
    double time = 0, q = 0;
    bool operator==(const State&) const = default;
  };
  struct Rates {
    double q = 0;
  };
  struct Increment {
    double q = 0, time = 0;
    void set_zero() { *this = {}; }
    void add_scaled(double factor, const Increment& k) {
      q += factor * k.q;
      time += factor * k.time;
    }
    double norm() const { return std::abs(q); }
  };
  int exponent = 0;
  Rates make_rates() const { return {}; }
  Increment make_increment() const { return {}; }
  void rates(const State& at, Rates& out) const { out.q = std::pow(at.time, exponent); }
  void slope(const State&, const Increment&, const Rates& given, Increment& out) const { out = {given.q, 1}; }
  void retract(const State& at, const Increment& u, State& out) const {
    out = {at.time + u.time, at.q + u.q};
  }
  void solve_algebraic(State&) const {}
  Projection<double> project(State&) const { return {}; }
  double kinetic_energy(const State&) const { return 0; }
  double energy(const State&) const { return 0; }
  Violation<double> constraint(const State&) const { return {}; }
  Powers<double> power(const State&, const Rates&) const { return {}; }
};

TEST_CASE("the estimate of order 8 is made of those of orders 5 and 3 as it should be", "[explicit_rk]") {
  // In q̇ = tᵏ a method of order p is exact for k < p, and what is left for k = p is known from its weights
  // alone.
  const auto defect = [](const auto& weights, int k) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      double c = 0;
      for (const double entry : tableau::DormandPrince853::a<double>[i]) c += entry;
      sum += weights[i] * std::pow(c, k);
    }
    return std::abs(sum);
  };
  using T = tableau::DormandPrince853;
  const double h = 0.5;
  for (const int k : {5, 6, 7}) {
    const Power problem{k};
    Power::State state;
    auto stepper = DormandPrince853{}.stepper(problem, state);
    const double fine = std::pow(h, k + 1) * defect(T::error<double>, k);
    const double coarse = std::pow(h, k + 1) * defect(T::coarse_error<double>, k);
    const double expected = fine * fine / std::sqrt(fine * fine + 0.01 * coarse * coarse);
    CHECK(stepper.step(problem, state, h).error == Approx(expected).epsilon(1e-9));
    CHECK(state.q == Approx(std::pow(h, k + 1) / (k + 1)).epsilon(1e-11));
    CHECK(stepper.displacement() == Approx(state.q).epsilon(1e-14));
  }
  const Power none{0};
  Power::State state;
  auto stepper = DormandPrince853{}.stepper(none, state);
  CHECK(stepper.step(none, state, h).error < 1e-15);
  CHECK(stepper.previous() == Power::State{});
}

TEST_CASE("a stage that throws leaves the state alone, and the stepper usable", "[explicit_rk]") {
  Pendulum problem{.throws_from = 0.14};
  Pendulum::State state{.q = 1}, expected{.q = 1};
  auto stepper = DormandPrince54{}.stepper(problem, state);
  (void)stepper.step(problem, state, 0.1);
  const auto before = state;
  REQUIRE_THROWS_AS(stepper.step(problem, state, 0.1), ContactOpened);
  REQUIRE(state == before);
  problem.throws_from = 10;
  (void)stepper.step(problem, state, 0.1);
  auto other = DormandPrince54{}.stepper(problem, expected);
  (void)other.step(problem, expected, 0.1);
  (void)other.step(problem, expected, 0.1);
  REQUIRE(state == expected);
}

}  // namespace explicit_rk_test
