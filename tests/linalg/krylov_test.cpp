#include <dalembert/linalg/krylov.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "support/catch.hpp"
#include "support/plain_matrix.hpp"

namespace krylov_test {

using dalembert::NoConvergence;
using test::PlainMatrix;
using Complex = std::complex<double>;
template <class T>
using Krylov = dalembert::linalg::Krylov<double, T>;

/// x ← A x.
template <class T>
auto applied(const PlainMatrix& a) {
  return [a](std::vector<T>& x) {
    std::vector<T> y(x.size(), T(0));
    for (int j = 0; j < a.cols; ++j)
      for (int i = 0; i < a.rows; ++i)
        y[static_cast<std::size_t>(i)] += a(i, j) * x[static_cast<std::size_t>(j)];
    x = y;
  };
}

/// An operator that is symmetric in a metric M, M^(−½) Q Θ Qᵀ M^½, Q orthogonal.
PlainMatrix symmetric_operator(const std::vector<double>& values, const std::vector<double>& metric,
                               test::Draw& draw) {
  const int n = static_cast<int>(metric.size());
  std::vector<double> root, inverse, all = values;
  for (const double m : metric) {
    root.push_back(std::sqrt(m));
    inverse.push_back(1 / std::sqrt(m));
  }
  all.resize(metric.size());
  const PlainMatrix q = test::orthonormal(n, n, draw);
  return test::diagonal(inverse) * q * test::diagonal(all) * q.transpose() * test::diagonal(root);
}

std::vector<double> random_metric(int n, double powers, test::Draw& draw) {
  std::vector<double> metric;
  for (int i = 0; i < n; ++i) metric.push_back(draw.power(-powers, powers));
  return metric;
}

template <class T>
T product(const std::vector<T>& a, const std::vector<T>& b, const std::vector<double>& metric) {
  T sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += metric[i] * Eigen::numext::conj(a[i]) * b[i];
  return sum;
}

/// Whether a pair is one of the operator: |OP x − θ x| over |θ| and the length of x, both in the metric.
template <class T>
double missed(const PlainMatrix& a, const dalembert::linalg::KrylovPair<double, T>& pair,
              const std::vector<double>& metric) {
  std::vector<T> left = pair.vector;
  applied<T>(a)(left);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] -= pair.value * pair.vector[i];
  return std::sqrt(std::real(product(left, left, metric))) / std::abs(pair.value);
}

TEST_CASE(
    "pairs of an operator that is symmetric in a metric are found, the largest first, orthonormal in it",
    "[linalg][krylov]") {
  test::Draw draw(test::seed());
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const int n = 30;
    const std::vector<double> metric = random_metric(n, 2, draw);
    std::vector<double> values;
    for (int i = 0; i < n; ++i) values.push_back((i % 2 ? -scale : scale) * draw.power(-1, 1));
    const PlainMatrix a = symmetric_operator(values, metric, draw);
    Krylov<double> krylov(applied<double>(a), metric, 30, 1e-10, 0);
    const auto found = krylov.find(7);
    REQUIRE(found.size() == 7);
    std::sort(values.begin(), values.end(), [](double x, double y) { return std::abs(x) > std::abs(y); });
    for (std::size_t i = 0; i < 7; ++i) {
      CHECK(found[i].value == Approx(values[i]).epsilon(1e-10));
      CHECK(found[i].residual <= 1e-10);
      CHECK(missed(a, found[i], metric) < 1e-9);
      for (std::size_t j = 0; j <= i; ++j)
        CHECK(std::abs(product(found[i].vector, found[j].vector, metric) - (i == j)) < 1e-10);
    }
    CHECK(krylov.asymmetry() < 1e-11);
  }
}

TEST_CASE("none of many equal eigenvalues is missed", "[linalg][krylov]") {
  test::Draw draw(test::seed());
  const std::vector<double> metric = random_metric(40, 1, draw);
  for (const int equal : {2, 5, 9}) {
    std::vector<double> values(static_cast<std::size_t>(equal), 3.0);
    for (int i = equal; i < 40; ++i) values.push_back(draw.between(0.1, 2));
    const PlainMatrix a = symmetric_operator(values, metric, draw);
    const auto found = Krylov<double>(applied<double>(a), metric, 40, 1e-9, 0).find(9);
    REQUIRE(found.size() == 9);
    for (int i = 0; i < 9; ++i) {
      CAPTURE(equal, i);
      if (i < equal)
        CHECK(found[static_cast<std::size_t>(i)].value == Approx(3).epsilon(1e-8));
      else
        CHECK(found[static_cast<std::size_t>(i)].value < 2.1);
    }
  }
}

TEST_CASE("an operator of small rank has no more pairs than that", "[linalg][krylov]") {
  test::Draw draw(test::seed());
  const std::vector<double> metric = random_metric(12, 1, draw);
  const PlainMatrix a = symmetric_operator({5, -4, 3}, metric, draw);
  for (const std::size_t least : {0U, 3U}) {
    const auto found = Krylov<double>(applied<double>(a), metric, 12, 1e-10, 0).find(6, least);
    REQUIRE(found.size() == 3);
    CHECK(found[0].value == Approx(5));
    CHECK(found[1].value == Approx(-4));
    CHECK(found[2].value == Approx(3));
  }
  CHECK(Krylov<double>(applied<double>(PlainMatrix(12, 12)), metric, 12, 1e-10, 0).find(2).empty());
  CHECK(Krylov<Complex>(applied<Complex>(PlainMatrix(12, 12)), metric, 12, 1e-10, 0).find(2).empty());
}

TEST_CASE("where the metric is zero nothing is sought", "[linalg][krylov]") {
  // two masses on springs, and between them a knot without mass that follows the mean of both
  const std::vector<double> metric{2, 0, 2};
  PlainMatrix a(3, 3);  // u ← (K M)u of the masses, and its mean
  a.entries = {3, 2, 1, 0, 0, 0, 1, 2, 3};
  const auto found = Krylov<double>(applied<double>(a), metric, 3, 1e-12, 0).find(2);
  REQUIRE(found.size() == 2);
  CHECK(found[0].value == Approx(4));
  CHECK(found[1].value == Approx(2));
  CHECK(std::abs(found[0].vector[0]) == Approx(0.5));
  CHECK(found[0].vector[1] == Approx(found[0].vector[0]));
  CHECK(std::abs(found[1].vector[1]) < 1e-12);
}

TEST_CASE("an operator that is not symmetric says how far it is from that", "[linalg][krylov]") {
  const std::vector<double> metric{1, 1, 1};
  PlainMatrix a = test::diagonal({4, 2, 1});
  a(0, 1) = 0.02;
  a(1, 0) = -0.02;
  Krylov<double> krylov(applied<double>(a), metric, 3, 1e-10, 0);
  (void)krylov.find(1);
  CHECK(krylov.asymmetry() > 0.002);
  CHECK(krylov.asymmetry() < 0.02);
}

TEST_CASE("complex eigenvalues of any operator are found with their vectors", "[linalg][krylov]") {
  test::Draw draw(test::seed());
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const int n = 20;
    const std::vector<double> metric = random_metric(n, 1, draw);
    // pairs u ± iv in blocks on the diagonal, and what couples one block with the next
    PlainMatrix blocks(n, n);
    std::vector<Complex> values;
    for (int i = 0; i < n; i += 2) {
      const double u = scale * draw.between(-2, 2), v = scale * draw.between(0.2, 2) * (1 + i / 2);
      blocks(i, i) = blocks(i + 1, i + 1) = u;
      blocks(i, i + 1) = -v;
      blocks(i + 1, i) = v;
      if (i + 2 < n) blocks(i, i + 2) = scale;
      values.emplace_back(u, v);
      values.emplace_back(u, -v);
    }
    const PlainMatrix q = test::orthonormal(n, n, draw), a = q * blocks * q.transpose();
    Krylov<Complex> krylov(applied<Complex>(a), metric, 20, 1e-9, 0);
    const auto found = krylov.find(6);
    REQUIRE(found.size() == 6);
    std::sort(values.begin(), values.end(),
              [](const Complex& x, const Complex& y) { return std::abs(x) > std::abs(y); });
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(std::abs(found[i].value) == Approx(std::abs(values[i])).epsilon(1e-8));
      double apart = 1e300;
      for (const Complex& value : values) apart = std::min(apart, std::abs(found[i].value - value));
      CHECK(apart < 1e-8 * std::abs(values[i]));
      CHECK(std::abs(product(found[i].vector, found[i].vector, metric) - 1.0) < 1e-10);
      CHECK(missed(a, found[i], metric) < 1e-8);
      for (std::size_t j = 0; j < i; ++j)
        CHECK(std::abs(found[i].value - found[j].value) > 1e-6 * std::abs(values[i]));
    }
  }
}

TEST_CASE("a space that is too small for what is asked is refused, at its time", "[linalg][krylov]") {
  test::Draw draw(test::seed());
  const std::vector<double> metric(60, 1.0);
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(1 + 0.01 * i);
  const PlainMatrix a = symmetric_operator(values, metric, draw);
  using Catch::Matchers::ContainsSubstring;
  for (const bool complex : {false, true}) {
    try {
      if (complex)
        (void)Krylov<Complex>(applied<Complex>(a), metric, 11, 1e-12, 7.5).find(5);
      else
        (void)Krylov<double>(applied<double>(a), metric, 11, 1e-12, 7.5).find(5);
      FAIL("found in too small a space");
    } catch (const NoConvergence& error) {
      CHECK_THAT(error.what(), ContainsSubstring("5 ") && ContainsSubstring("space of 11 directions") &&
                                   ContainsSubstring(complex ? "eigenvalues" : "modes"));
      CHECK(error.time() == 7.5);
    }
  }
}

}  // namespace krylov_test
