#include <dalembert/linalg/small_inverse.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace small_inverse_test {

using dalembert::linalg::find_pseudo_inverse;

/// C Xᵀ = 1 for X = (CCᵀ)⁻¹C, whose rows are sums of those of C: what stands across these is across X.
template <int P, int R>
void check(test::Draw& draw) {
  using Rows = Eigen::Matrix<double, P, R>;
  Rows c, x;
  for (int i = 0; i < P; ++i)
    for (int j = 0; j < R; ++j) c(i, j) = draw.between(-1, 1) + (i == j ? 2.0 : 0.0);
  dalembert::linalg::find_pseudo_inverse(c, x);
  const Eigen::Matrix<double, P, P> one = c * x.transpose();
  CHECK((one - Eigen::Matrix<double, P, P>::Identity()).norm() < 1e-13);
  const Eigen::Matrix<double, P, P> weights = x * x.transpose();
  CHECK((weights * c - x).norm() < 1e-13);
}

TEST_CASE("a pseudo-inverse is one of the rows, and made of them", "[linalg]") {
  test::Draw draw(test::seed());
  for (int i = 0; i < 20; ++i) {
    check<1, 1>(draw);
    check<1, 3>(draw);
    check<2, 3>(draw);
    check<2, 5>(draw);
    check<3, 6>(draw);
  }
}

/// The lower half of G = D A Aᵀ D of a random A of so many columns, D from 1e-6 to 1e6.
template <int N>
Eigen::Matrix<double, N, N> gram(test::Draw& draw, int columns) {
  Eigen::MatrixXd a(N, columns);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < columns; ++j) a(i, j) = draw.between(-1, 1) + (i == j ? 2.0 : 0.0);
  for (int i = 0; i < N; ++i) a.row(i) *= std::pow(10.0, draw.between(-6, 6));
  return a * a.transpose();
}
template <int N>
bool invert(const Eigen::Matrix<double, N, N>& g, dalembert::linalg::SmallInverse<double, N>& inverse) {
  double half[N * (N + 1) / 2];
  for (int i = 0, k = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j, ++k) half[k] = g(i, j);
  return inverse.set(half);
}
template <int N>
void check_inverse(test::Draw& draw) {
  dalembert::linalg::SmallInverse<double, N> inverse;
  const Eigen::Matrix<double, N, N> g = gram<N>(draw, N + 1);
  REQUIRE(invert<N>(g, inverse));
  dalembert::Vec<double, N> b;
  for (int i = 0; i < N; ++i) b[i] = draw.between(-1, 1) * std::sqrt(g(i, i));
  const dalembert::Vec<double, N> x = inverse.negative_times(b);
  for (int i = 0; i < N; ++i) {
    double sum = b[i];
    for (int j = 0; j < N; ++j) sum += g(i, j) * x[j];
    CHECK(std::abs(sum) < 1e-11 * std::sqrt(g(i, i)));
  }
  if constexpr (N > 1) CHECK_FALSE(invert<N>(gram<N>(draw, N - 1), inverse));
}

TEST_CASE("up to three rows are inverted whatever their scales, and rows that depend on each other are not",
          "[linalg]") {
  test::Draw draw(test::seed());
  for (int i = 0; i < 200; ++i) {
    check_inverse<1>(draw);
    check_inverse<2>(draw);
    check_inverse<3>(draw);
  }
}

}  // namespace small_inverse_test
