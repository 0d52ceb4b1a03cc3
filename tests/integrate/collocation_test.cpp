#include <dalembert/integrate/collocation.hpp>

#include <cmath>
#include <complex>
#include <limits>

#include <dalembert/integrate/dense_output.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace collocation_test {

using namespace dalembert;
using test::Pendulum;

static_assert(MethodFor<Gauss<2>, Pendulum> && MethodFor<Radau<3>, Pendulum>);
static_assert(EstimatesError<Gauss<1>> && HasDenseOutput<Radau<2>>);
static_assert(Gauss<3>::order == 6 && Gauss<3>::symmetric && Gauss<3>::error_order == 4);
static_assert(Radau<3>::order == 5 && !Radau<3>::symmetric);

template <class M>
Pendulum::State after(const M& method, const Pendulum& problem, Pendulum::State state, double h, int steps) {
  auto stepper = method.stepper(problem, state);
  for (int i = 0; i < steps; ++i) REQUIRE(stepper.step(problem, state, h).converged);
  return state;
}

TEST_CASE("a step times a weight has more digits than a number", "[collocation]") {
  using Family = collocation::Gauss<3>;
  const auto exact = collocation::integrals(Family::nodes, 1);
  const auto weights = detail::split_integrals<Family, double>(1);
  for (const double h : {0.1, 1.0, -0.3}) {
    for (std::size_t j = 0; j < exact.size(); ++j) {
      const auto parts = weights[j].scaled(h);
      const long double product = static_cast<long double>(h) * exact[j];
      const long double sum = static_cast<long double>(parts.high) + static_cast<long double>(parts.low);
      CHECK(std::abs(sum - product) <= 2 * std::numeric_limits<long double>::epsilon() * std::abs(product));
    }
  }
}

TEST_CASE("a step of a linear problem is the rational function of the method", "[collocation]") {
  // q + iv of an oscillator turns by the stability function at −ih.
  using C = std::complex<double>;
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  const double h = 0.4;
  const C z(0, -h);
  const auto step = [&](const auto& method) {
    const auto state = after(method, problem, {.q = 1}, h, 1);
    return C(state.q, state.v);
  };
  CHECK(std::abs(step(Gauss<1>{}) - (1.0 + z / 2.0) / (1.0 - z / 2.0)) < 1e-15);
  CHECK(std::abs(step(Gauss<2>{}) - (1.0 + z / 2.0 + z * z / 12.0) / (1.0 - z / 2.0 + z * z / 12.0)) < 1e-15);
  CHECK(std::abs(step(Gauss<3>{}) - (1.0 + z / 2.0 + z * z / 10.0 + z * z * z / 120.0) /
                                        (1.0 - z / 2.0 + z * z / 10.0 - z * z * z / 120.0)) < 1e-15);
  CHECK(std::abs(step(Radau<2>{}) - (1.0 + z / 3.0) / (1.0 - 2.0 * z / 3.0 + z * z / 6.0)) < 1e-15);
  CHECK(std::abs(step(Radau<3>{}) - (1.0 + 2.0 * z / 5.0 + z * z / 20.0) /
                                        (1.0 - 3.0 * z / 5.0 + 3.0 * z * z / 20.0 - z * z * z / 60.0)) <
        1e-15);
}

TEST_CASE("Gauss methods keep the quadratic energy of an oscillator to round-off", "[collocation]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  const auto drift = [&](const auto& method) {
    const auto state = after(method, problem, {.q = 1}, 0.3, 20000);
    return std::abs(problem.energy(state) - 0.5);
  };
  CHECK(drift(Gauss<2>{}) < 1e-13);
  CHECK(drift(Gauss<4>{}) < 1e-13);
  CHECK(drift(Gauss<6>{}) < 1e-13);
  CHECK(drift(Radau<3>{}) > 1e-6);
}

template <class M>
void check_estimate(const M& method, double h) {
  const Pendulum problem{.drive = 0.3};
  double last = 0;
  for (const double step : {h, h / 2}) {
    Pendulum::State state{.q = 1, .v = 0.2};
    auto stepper = method.stepper(problem, state);
    const double estimate = stepper.step(problem, state, step).error;
    if (last > 0) CHECK(std::log2(last / estimate) == Approx(M::error_order).margin(0.25));
    CHECK(stepper.step(problem, state, -step).error > 0);
    last = estimate;
  }
}

TEST_CASE("the error estimate of collocation shrinks with its order", "[collocation]") {
  check_estimate(Gauss<1>{}, 0.05);
  check_estimate(Gauss<2>{}, 0.1);
  check_estimate(Gauss<4>{}, 0.1);
  check_estimate(Radau<2>{}, 0.05);
  check_estimate(Radau<3>{}, 0.1);
}

template <class M>
void check_dense_output(const M& method, double h) {
  const Pendulum problem{.drive = 0.3};
  const Pendulum::State start{.q = 1, .v = 0.2};
  double last = 0;
  for (const double step : {h, h / 2}) {
    auto state = start;
    auto stepper = method.stepper(problem, state);
    (void)stepper.step(problem, state, step);
    double worst = 0;
    for (const double theta : {0.15, 0.4, 0.65, 0.9}) {
      Pendulum::State between;
      REQUIRE(stepper.interpolate(problem, theta, between).converged);
      CHECK(between.time == Approx(theta * step).epsilon(1e-15));
      const auto exact = after(Gauss<6>{}, problem, start, theta * step / 2, 2);
      worst = std::max({worst, std::abs(between.q - exact.q), std::abs(between.v - exact.v)});
    }
    Pendulum::State node;
    (void)stepper.interpolate(problem, 1, node);
    CHECK(node == state);
    (void)stepper.interpolate(problem, 0, node);
    CHECK(node.q == Approx(start.q).epsilon(1e-15));
    if (last > 0) CHECK(std::log2(last / worst) == Approx(M::dense_order + 1).margin(0.25));
    last = worst;
  }
}

TEST_CASE("the polynomial of a step has the order that it says", "[collocation]") {
  check_dense_output(Gauss<2>{}, 0.1);
  check_dense_output(Gauss<3>{}, 0.05);
  check_dense_output(Radau<3>{}, 0.05);
  const Pendulum problem;
  Pendulum::State state{.q = 1};
  auto stepper = Gauss<2>{}.stepper(problem, state);
  CHECK_THROWS_AS(stepper.interpolate(problem, 0.5, state), std::invalid_argument);
  (void)stepper.step(problem, state, 0.1);
  const auto middle = state;
  (void)stepper.step(problem, state, 0.1);
  CHECK(stepper.previous() == middle);
  Pendulum::State between;
  (void)stepper.interpolate(problem, 0, between);
  CHECK(between.q == Approx(middle.q).epsilon(1e-15));
  stepper.reset();
  CHECK_THROWS_AS(stepper.interpolate(problem, 0.5, between), std::invalid_argument);
}

TEST_CASE("a step depends on its state alone, so that a run can be taken up anywhere", "[collocation]") {
  const Pendulum problem{.drive = 0.3};
  Pendulum::State whole{.q = 1};
  auto stepper = Gauss<3>{}.stepper(problem, whole);
  for (int i = 0; i < 7; ++i) (void)stepper.step(problem, whole, 0.2);
  Pendulum::State parts = after(Gauss<3>{}, problem, {.q = 1}, 0.2, 4);
  CHECK(after(Gauss<3>{}, problem, parts, 0.2, 3) == whole);
}

TEST_CASE("a stage of collocation that throws leaves the state alone, and the stepper usable",
          "[collocation]") {
  Pendulum problem{.throws_from = 0.14};
  Pendulum::State state{.q = 1};
  auto stepper = Gauss<2>{}.stepper(problem, state);
  (void)stepper.step(problem, state, 0.1);
  const auto before = state;
  REQUIRE_THROWS_AS(stepper.step(problem, state, 0.1), ContactOpened);
  REQUIRE(state == before);
  Pendulum::State between;
  CHECK_THROWS_AS(stepper.interpolate(problem, 0.5, between), std::invalid_argument);
  problem.throws_from = 10;
  (void)stepper.step(problem, state, 0.1);
  REQUIRE(state == after(Gauss<2>{}, problem, {.q = 1}, 0.1, 2));
}

TEST_CASE("numbers that are not finite are no convergence", "[collocation]") {
  const Pendulum problem{.nan_from = 0.01};
  Pendulum::State state{.q = 1};
  auto stepper = Gauss<2>{}.stepper(problem, state);
  CHECK_FALSE(stepper.step(problem, state, 0.1).converged);
}

TEST_CASE("numbers that are not finite are forgotten with the step that they spoilt", "[collocation]") {
  Pendulum problem{.nan_from = 0.01};
  const Pendulum::State start{.q = 1};
  auto state = start;
  auto stepper = Gauss<2>{}.stepper(problem, state);
  CHECK_FALSE(stepper.step(problem, state, 0.1).converged);
  problem.nan_from = std::numeric_limits<double>::infinity();
  state = start;
  CHECK(stepper.step(problem, state, 0.1).converged);
  CHECK(state == after(Gauss<2>{}, problem, start, 0.1, 1));
}

TEST_CASE("a step of collocation does not allocate", "[collocation][allocation]") {
  const Pendulum problem{.drive = 0.3};
  Pendulum::State state{.q = 1};
  auto stepper = Gauss<4>{}.stepper(problem, state);
  const long allocations = test::allocations_during([&] {
    for (int i = 0; i < 10; ++i) (void)stepper.step(problem, state, 0.1);
  });
  CHECK(allocations == 0);
}

TEST_CASE("rounding is carried only for problems that tell states apart", "[collocation]") {
  const Pendulum problem;
  const Pendulum::State state{.q = 1};
  CHECK_THROWS_AS((Gauss<2>{{.constrain = true, .compensated = true}}.stepper(problem, state)),
                  std::invalid_argument);
}

}  // namespace collocation_test
