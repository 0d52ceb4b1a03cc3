// How a contact is spread over the points of a string.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include <dalembert/string/weights.hpp>

#include "support/catch.hpp"

namespace string_weights_test {

using namespace dalembert;
using strings::CorrectedGaussian;
using strings::Gaussian;

TEST_CASE("the corrected weights average cubics and do not see themselves late", "[string][waveguide]") {
  for (const double w : {1.0, 1.5, 4.0}) {
    CAPTURE(w);
    const double b = CorrectedGaussian<>::tuned_factor(w);
    CHECK(std::abs(CorrectedGaussian<>::lateness(w, b)) < 1e-10);
    CHECK(std::abs(b - (std::sqrt(616.0) - 14) / 30) < 0.12 / (w * w));
    const auto weights = CorrectedGaussian<>::of_factor(w, b);
    const int R = weights.reach();
    std::vector<double> alpha(2 * static_cast<std::size_t>(R) + 1);
    for (const double offset : {-0.5, -0.1, 0.3}) {
      weights(offset, alpha.data());
      std::array<double, 4> moments{};
      for (int j = -R; j <= R; ++j)
        for (std::size_t n = 0; n < 4; ++n)
          moments[n] += alpha[static_cast<std::size_t>(j + R)] * std::pow((j - offset) / w, double(n));
      CHECK(moments[0] == Approx(1).epsilon(1e-14));
      for (std::size_t n = 1; n < 4; ++n) CHECK(std::abs(moments[n]) < (w < 1.2 ? 1e-3 : 1e-8));
    }
  }
  const double w = 3;
  CHECK(CorrectedGaussian<>::of_factor(w, 0.3).reach() == 24);
  // The Gaussian's own lateness, 2w/√π in the limit.
  const auto gaussian = Gaussian<>{.points = w}.weights(1.0);
  std::vector<double> alpha(2 * static_cast<std::size_t>(gaussian.reach()) + 1);
  gaussian(0.2, alpha.data());
  double late = 0;
  for (std::size_t i = 0; i < alpha.size(); ++i)
    for (std::size_t k = 0; k < alpha.size(); ++k)
      late += std::abs(double(i) - double(k)) * alpha[i] * alpha[k];
  CHECK(late == Approx(2 * w / std::sqrt(std::acos(-1.0))).epsilon(0.02));
}

/// The weights of an averaging on points one metre apart, at an offset.
template <class W>
std::vector<double> weights_at(const W& averaging, double offset) {
  const auto weights = averaging.weights(1.0);
  std::vector<double> alpha(2 * static_cast<std::size_t>(weights.reach()) + 1);
  weights(offset, alpha.data());
  return alpha;
}

TEST_CASE("weights are the kernel at the distances of points, with sum 1", "[string][waveguide]") {
  const double w = 1.7, offset = 0.31, b = CorrectedGaussian<>::tuned_factor(w);
  const auto check = [&](const std::vector<double>& alpha, const auto& kernel) {
    const int reach = static_cast<int>(alpha.size()) / 2;
    double sum = 0, total = 0;
    for (int j = -reach; j <= reach; ++j) sum += kernel((j - offset) / w);
    for (int j = -reach; j <= reach; ++j) {
      const double a = alpha[static_cast<std::size_t>(j + reach)];
      CHECK(std::abs(a - kernel((j - offset) / w) / sum) < 1e-15);
      total += a;
    }
    CHECK(std::abs(total - 1) < 1e-15);
  };
  check(weights_at(Gaussian<>{.width = w}, offset), [](double x) { return std::exp(-x * x / 2); });
  check(weights_at(CorrectedGaussian<>{.points = w}, offset), [b](double x) {
    const double he2 = x * x - 1, he4 = x * x * x * x - 6 * x * x + 3;
    return std::exp(-x * x / 2) * (1 - he2 / 2 + b * he4);
  });
  check(weights_at(strings::Spline<contact::QuinticSpline>{.width = w}, offset),
        [](double x) { return contact::QuinticSpline{}(x).value; });
}

/// M of (1): waves that left a contact at a ratio of their speed, in earlier steps, at its weights now.
double lateness(const auto& weights, double ratio) {
  const int reach = weights.reach();
  std::vector<double> now(2 * static_cast<std::size_t>(reach) + 1), then = now;
  double sum = 0;
  for (const double q : {1 - ratio, 1 + ratio})
    for (const double offset : {0.0, 0.5}) {
      weights(offset, ratio, now.data());
      for (int m = 1; q * m < 2 * reach; ++m) {
        const double place = offset + q * m;
        const int middle = static_cast<int>(std::floor(place + 0.5));
        weights(place - middle, ratio, then.data());
        for (int i = std::max(-reach, middle - reach); i <= std::min(reach, middle + reach); ++i)
          sum += m * now[static_cast<std::size_t>(i + reach)] *
                 then[static_cast<std::size_t>(i - middle + reach)] / 4;
      }
    }
  return sum;
}

TEST_CASE("corrected weights do not see themselves late at any speed", "[string][waveguide]") {
  for (const double w : {1.5, 2.0, 5.0, 40.0}) {
    const auto weights = CorrectedGaussian<>{.points = w}.weights(1.0);
    for (const double ratio : {0.0, 0.1, 0.37, 0.6, -0.6, 0.85}) {
      CAPTURE(w, ratio);
      CHECK(std::abs(lateness(weights, ratio)) < 2e-6 * w / (1 - std::abs(ratio)));
      std::vector<double> alpha(2 * static_cast<std::size_t>(weights.reach()) + 1), at_rest = alpha;
      weights(0.3, ratio, alpha.data());
      double sum = 0;
      for (const double a : alpha) sum += a;
      CHECK(sum == Approx(1).epsilon(1e-14));
      weights(0.3, at_rest.data());
      CHECK((alpha == at_rest) == (ratio == 0));
    }
  }
  // Numbers that are none pass through, and end a step as such.
  std::vector<double> alpha(25);
  CorrectedGaussian<>{}.weights(1.0)(0.1, std::nan(""), alpha.data());
  CHECK(std::isfinite(alpha[12]));
}

TEST_CASE("weights refuse widths that they cannot have", "[string][waveguide][errors]") {
  CHECK_THROWS_AS(Gaussian<>{.width = -1}.weights(1.0), std::invalid_argument);
  CHECK_THROWS_AS(Gaussian<>{.width = 0.4}.weights(1.0), std::invalid_argument);
  CHECK_THROWS_AS(CorrectedGaussian<>{.points = 1e6}.weights(1.0), std::invalid_argument);
  CHECK_THROWS_AS(strings::Spline<contact::CubicSpline>{.points = 0}.weights(1.0), std::invalid_argument);
}

}  // namespace string_weights_test
