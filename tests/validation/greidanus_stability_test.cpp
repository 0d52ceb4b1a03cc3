// Straight rolling of Greidanus's tyre: the engine's small motions against the closed form, and where Routh's criterion
// changes its mind.

#include <cmath>
#include <complex>
#include <vector>

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/greidanus_tire.hpp>

#include "support/tire_stability.hpp"

namespace greidanus_stability_test {

using namespace dalembert;
using systems::GreidanusTire;
using test::published_part;
using Column = Vec<double, Eigen::Dynamic>;

/// Straight rolling somewhere, with place, heading and wheel angle divided out: what is left besides the
/// published polynomial is one zero.
auto straight(const GreidanusTire<>& tire, double speed) {
  const LagrangeDAlembert problem{tire};
  const auto state = problem.state({SE2d(0.3, -0.2, 0.5), Rn<double, 2>(Vec<double, 2>(0.4, 0))},
                                   tire.rolling(speed, 0, 0, 0, 0), Vec<double, 1>(0.0));
  return analysis::linearization(problem, state, analysis::translations(problem, {0, 1, 2, 3}));
}

TEST_CASE("Greidanus's tyre has the published characteristic polynomial", "[validation][tire]") {
  test::TireDraw draw;
  for (int i = 0; i < 20; ++i) {
    const GreidanusTire<> tire{{.axle = draw.positive(),
                                .yaw = draw.positive(),
                                .mass = draw.positive(),
                                .lateral_curvature = draw.positive(),
                                .drift_curvature = draw.positive(),
                                .lateral_stiffness = draw.positive(),
                                .torsional_stiffness = draw.positive()}};
    const double v = draw.speed();
    const auto& p = tire.parameters();
    const double jm = p.yaw * p.mass, slack = p.lateral_stiffness - p.mass * v * v * p.lateral_curvature;
    const double third = p.yaw * slack + p.mass * p.torsional_stiffness;
    const Column c = published_part(straight(tire, v));
    REQUIRE(c.size() == 5);
    CAPTURE(i, v);
    // Relative to the larger of the terms of which each coefficient is the sum.
    const double size =
        p.yaw * p.lateral_stiffness + p.mass * p.torsional_stiffness + jm * v * v * p.lateral_curvature;
    CHECK(c[1] == Approx(v * p.drift_curvature).epsilon(1e-10));
    CHECK(std::abs(jm * c[2] - third) < 1e-10 * size);
    CHECK(jm * c[3] == Approx(p.yaw * v * p.drift_curvature * p.lateral_stiffness).epsilon(1e-10));
    CHECK(std::abs(jm * c[4] - p.torsional_stiffness * slack) <
          1e-10 * p.torsional_stiffness * (std::abs(slack) + 2 * p.lateral_stiffness));
  }
}

/// A zero of f near a and b, by the secant method.
template <class F>
double zero(const F& f, double a, double b) {
  double fa = f(a), fb = f(b);
  for (int i = 0; i < 20 && fb != fa && std::abs(b - a) > 1e-13 * std::abs(b); ++i) {
    const double next = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = next, fb = f(b);
  }
  return b;
}

/// The real part of the pair of eigenvalues with the larger imaginary part.
double growth_of_fast_pair(const GreidanusTire<>& tire, double speed) {
  std::complex<double> fastest = 0;
  for (const auto& value : straight(tire, speed).eigenvalues)
    if (value.imag() > fastest.imag()) fastest = value;
  return fastest.real();
}

TEST_CASE("Routh's boundaries of Greidanus's tyre are where they are published to be", "[validation][tire]") {
  const auto tire = [](double lateral, double torsional) {
    return GreidanusTire<>{{.axle = 0.7,
                            .yaw = 1.3,
                            .mass = 2.1,
                            .lateral_curvature = 0.4,
                            .drift_curvature = 0.9,
                            .lateral_stiffness = lateral,
                            .torsional_stiffness = torsional}};
  };
  // k_q = M a V²: the constant coefficient changes its sign, a real eigenvalue passes through zero.
  const auto constant = [&](double v) { return published_part(straight(tire(9, 7), v))[4]; };
  const double v1 = zero(constant, 3.0, 3.5);
  CHECK(v1 * v1 == Approx(9 / (2.1 * 0.4)).epsilon(1e-10));
  // k_ε = J a V²: the third entry of Routh's first column, c₂ − c₃/c₁, changes its sign.
  const auto third = [&](double v) {
    const Column c = published_part(straight(tire(9, 7), v));
    return c[2] - c[3] / c[1];
  };
  const double v2 = zero(third, 3.0, 3.5);
  CHECK(v2 * v2 == Approx(7 / (1.3 * 0.4)).epsilon(1e-10));
  // M k_ε = J k_q: a pair of eigenvalues crosses the imaginary axis, at any speed.
  for (const double speed : {1.0, 1.6}) {
    const double torsional = zero([&](double k) { return growth_of_fast_pair(tire(9, k), speed); }, 5.4, 5.7);
    CHECK(2.1 * torsional == Approx(1.3 * 9).epsilon(1e-10));
  }
  CHECK(growth_of_fast_pair(tire(9, 5.4), 1.0) > 0);
  CHECK(growth_of_fast_pair(tire(9, 5.7), 1.0) < 0);
}

TEST_CASE("eigenvalues of Greidanus's tyre are followed along its speed", "[validation][tire]") {
  const GreidanusTire<> tire{{.axle = 0.7,
                              .yaw = 1.3,
                              .mass = 2.1,
                              .lateral_curvature = 0.4,
                              .drift_curvature = 0.9,
                              .lateral_stiffness = 9,
                              .torsional_stiffness = 7}};
  std::vector<double> speeds;
  for (int i = 0; i <= 60; ++i) speeds.push_back(0.5 + 0.025 * i);
  const auto curves =
      analysis::eigenvalue_curves(speeds, [&](double v) { return straight(tire, v).eigenvalues; });
  REQUIRE(curves.size() == speeds.size());
  for (std::size_t k = 1; k < curves.size(); ++k)
    for (std::size_t i = 0; i < curves[k].values.size(); ++i) {
      CAPTURE(curves[k].parameter, i);
      CHECK(std::abs(curves[k].values[i] - curves[k - 1].values[i]) < 0.15);
    }
}

}  // namespace greidanus_stability_test
