#include <dalembert/analysis/drift.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace drift_test {

using namespace dalembert;
using analysis::Drift;
using analysis::DriftKind;
using analysis::DriftRecord;
using analysis::EnergyOf;
using analysis::SlipOf;

/// The record of q(t) at t₀ + 0.1 k, k < count.
template <class F>
DriftRecord<double> record(const F& q, int count = 5000, double start = 0) {
  DriftRecord<double> made;
  for (int k = 0; k < count; ++k) made.add(start + 0.1 * k, q(0.1 * k));
  return made;
}

TEST_CASE("a drift is of the kind that it was made", "[drift]") {
  using std::exp, std::sin, std::sqrt;
  const auto kind = [](const auto& q, int count = 5000) {
    return std::string(to_string(record(q, count).kind()));
  };
  for (const int count : {100, 1000, 5000, 7777}) {
    CAPTURE(count);
    const double end = 0.1 * count;
    CHECK(kind([](double) { return 3.0; }, count) == "bounded");
    CHECK(kind([=](double t) { return sin(60 * t / end); }, count) == "bounded");
    CHECK(kind([=](double t) { return 1 - exp(-8 * t / end); }, count) == "bounded");
    CHECK(kind([](double t) { return sqrt(t); }, count) == "bounded");
    CHECK(kind([](double t) { return -1e-9 * t; }, count) == "linear");
    CHECK(kind([=](double t) { return t / end + 0.3 * sin(400 * t / end); }, count) == "linear");
    CHECK(kind([=](double t) { return 1 + t * t; }, count) == "growing");
    CHECK(kind([=](double t) { return -exp(6 * t / end); }, count) == "growing");
    CHECK(kind([=](double t) { return t * sin(60 * t); }, count) == "growing");
  }
  // A small trend under a large oscillation stands out when there are many periods.
  CHECK(kind([](double t) { return sin(7 * t) + 1e-3 * t; }) == "linear");
  CHECK(kind([](double t) { return sin(7 * t) + 1e-6 * t; }) == "bounded");
}

TEST_CASE("a kind is told from eight observations on", "[drift]") {
  const auto steady = [](double t) { return t; };
  CHECK(record(steady, 7).kind() == DriftKind::bounded);
  CHECK(record(steady, 8).kind() == DriftKind::linear);
}

TEST_CASE("a trend stands out at ten standard errors of its slope", "[drift]") {
  // What is added, + − − + in turn, changes no slope of a whole, half or quarter of the record. Sixteen observations at unit
  // intervals: Σ(t − t̄)² = 340 and Σ rest² = 16 size², with 14 degrees of freedom.
  const auto kind = [](double errors) {
    const double size = std::sqrt(340.0 * 14 / 16) / errors;
    DriftRecord<double> made;
    for (int k = 0; k < 16; ++k) made.add(k, k + (k % 4 == 0 || k % 4 == 3 ? size : -size));
    return made.kind();
  };
  CHECK(kind(9.8) == DriftKind::bounded);
  CHECK(kind(10.2) == DriftKind::linear);
}

TEST_CASE("noise is bounded and a walk at random is nothing linear", "[drift]") {
  std::mt19937 engine(test::seed());
  std::normal_distribution<double> normal;
  int linear = 0;
  for (int run = 0; run < 50; ++run) {
    CHECK(record([&](double) { return normal(engine); }).kind() == DriftKind::bounded);
    double sum = 0;
    linear += record([&](double) { return sum += normal(engine); }).kind() == DriftKind::linear;
  }
  CHECK(linear < 20);
}

TEST_CASE("maximum and trend are those of all observations", "[drift]") {
  const auto made =
      record([](double t) { return 5 + 0.02 * t + (t > 30 && t < 30.15 ? -7.0 : 0.0); }, 1000, 1e6);
  CHECK(made.count() == 1000);
  CHECK(made.first() == 5);
  CHECK(made.maximum() == Approx(7 - 0.602));
  double mean_t = 0, mean_q = 0, tt = 0, tq = 0;
  const auto q = [](double t) { return 0.02 * t + (t > 30 && t < 30.15 ? -7.0 : 0.0); };
  for (int k = 0; k < 1000; ++k) mean_t += 1e-4 * k, mean_q += 1e-3 * q(0.1 * k);
  for (int k = 0; k < 1000; ++k) {
    tt += (0.1 * k - mean_t) * (0.1 * k - mean_t);
    tq += (0.1 * k - mean_t) * (q(0.1 * k) - mean_q);
  }
  CHECK(made.trend() == Approx(tq / tt).epsilon(1e-9));
  CHECK(record([](double) { return 1.0; }, 1).trend() == 0);
}

TEST_CASE("what is not finite is not forgotten", "[drift]") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto made = record([=](double t) { return t > 5 && t < 5.15 ? bad : 0.0; });
    CHECK(std::isnan(made.maximum()));
    CHECK(made.kind() == DriftKind::growing);
  }
}

TEST_CASE("the energy of a pendulum drifts in proportion to time under a method that is not symmetric",
          "[drift]") {
  const test::Pendulum problem;
  test::Pendulum::State state{.q = 1};
  Drift energy{problem, EnergyOf{}};
  Drift slip{problem, SlipOf{}};
  drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 500.0}, energy, slip);
  CHECK(energy.count() == 5001);
  CHECK(energy.kind() == DriftKind::linear);
  CHECK(energy.trend() < 0);
  CHECK(energy.maximum() == Approx(-energy.trend() * 500).epsilon(0.1));
  CHECK(slip.kind() == DriftKind::bounded);
  CHECK(slip.maximum() == 0);
  // The place itself swings, and so does what a load puts into the energy.
  test::Pendulum::State again{.q = 1};
  Drift place{problem, [](const test::Pendulum&, const auto& at) { return at.q; }};
  drive(RungeKutta4{}, problem, again, {.step = 0.1, .until = 500.0}, place);
  CHECK(place.kind() == DriftKind::bounded);
  CHECK(place.maximum() == Approx(2).epsilon(1e-2));
}

TEST_CASE("an observation of drift does not allocate", "[drift][allocation]") {
  const test::Pendulum problem;
  Drift energy{problem, EnergyOf{}};
  test::Pendulum::State state{.q = 1};
  CHECK(test::allocations_during([&] {
          for (int k = 0; k < 1000; ++k) {
            state.time += 0.1;
            energy(problem, state);
          }
        }) == 0);
  CHECK(energy.count() == 1000);
}

}  // namespace drift_test
