#include <dalembert/analysis/batch_means.hpp>

#include <cmath>
#include <random>
#include <stdexcept>

#include "support/catch.hpp"

namespace batch_means_test {

using namespace dalembert;
using analysis::batch_means;
using Column = Vec<double, Eigen::Dynamic>;

/// x_{i+1} = c x_i + noise of variance 1 about `mean`: the mean of n members has the variance 1/(n(1 − c)²),
/// n large.
Column correlated(double c, Eigen::Index n, double mean, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise;
  Column x(n);
  double now = 0;
  for (int i = 0; i < 100; ++i) now = c * now + noise(random);
  for (double& at : x) at = mean + (now = c * now + noise(random));
  return x;
}

TEST_CASE("the error of a mean is that of a series whose members are correlated", "[batch_means]") {
  for (const double c : {0.0, 0.8, 0.95}) {
    CAPTURE(c);
    const double exact = 1 / ((1 - c) * std::sqrt(16384.0));
    double within = 0, error = 0;
    const int series = 40;
    for (unsigned seed = 1; seed <= series; ++seed) {
      const auto found = batch_means(correlated(c, 16384, 3, seed));
      within += std::abs(found.mean - 3) < 2 * found.error;
      error += found.error / series;
      CHECK(found.block >= 256);
    }
    CHECK(error > 0.9 * exact);
    CHECK(error < 1.6 * exact);  // the largest of several estimates is larger than each
    CHECK(within >= 36);
  }
}

TEST_CASE("the error of a mean falls where neighbours take turns", "[batch_means]") {
  // x_i = n_i − n_{i−1}: the sum is the last less the first
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  Column x(4096);
  double before = noise(random);
  for (double& at : x) {
    const double now = noise(random);
    at = now - before;
    before = now;
  }
  CHECK(batch_means(x).error < 0.2 * std::sqrt(2 / 4096.0));
}

TEST_CASE("a trend is an error", "[batch_means]") {
  Column x(1000);
  for (Eigen::Index i = 0; i < 1000; ++i) x[i] = 1e-3 * static_cast<double>(i);
  const auto found = batch_means(x);
  CHECK(found.mean == Approx(0.4995));
  CHECK(found.error == Approx(0.25).epsilon(1e-9));
}

TEST_CASE("the error of eight members is that of the textbook", "[batch_means]") {
  Column x(8);
  x << 1, -1, 1, -1, 1, -1, 1, -1;
  const auto found = batch_means(x);
  CHECK(found.mean == 0);
  CHECK(found.error == Approx(std::sqrt(8.0 / (8 * 7))));
  CHECK(found.block == 1);
  CHECK(std::isinf(batch_means(Column(x.head(7))).error));
  CHECK_THROWS_AS(batch_means(Column(0)), std::invalid_argument);
}

}  // namespace batch_means_test
