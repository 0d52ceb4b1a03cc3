#include <dalembert/linalg/pivoted_qr.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "support/catch.hpp"
#include "support/plain_matrix.hpp"

namespace pivoted_qr_test {

using dalembert::Mat;
using dalembert::Vec;
using dalembert::linalg::PivotedQr;
using test::PlainMatrix;

template <class S, int R, int C>
Mat<S, R, C> fixed(const PlainMatrix& a) {
  Mat<S, R, C> b;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) b(i, j) = static_cast<S>(a(i, j));
  return b;
}

/// Least squares of every rank against the pseudo-inverse.
template <class S, int R, int C>
void check(test::Draw& draw, double tolerance) {
  for (int rank = 1; rank <= std::min(R, C); ++rank) {
    for (int round = 0; round < 10; ++round) {
      const double scale = draw.power(-6, 6), size = draw.power(-6, 6);
      CAPTURE(R, C, rank, scale, size);
      const auto known = test::known_matrix(R, C, rank, false, 4, draw);
      const PlainMatrix b = size * test::random_matrix(R, 1, draw), best = 1 / scale * (known.inverse * b);
      const PlainMatrix missed = b - known.matrix * (scale * best);
      PivotedQr<S, R, C> qr(fixed<S, R, C>(scale * known.matrix), fixed<S, R, 1>(b));
      REQUIRE(qr.rank == rank);
      // what no solution reaches is in the rest of Qᵀb
      double rest = 0;
      for (int i = rank; i < R; ++i) rest = std::hypot(rest, static_cast<double>(qr.b(i, 0)));
      CHECK(std::abs(rest - missed.norm()) < tolerance * b.norm());
      std::array<int, C> columns = qr.column;
      std::sort(columns.begin(), columns.end());
      for (int j = 0; j < C; ++j) CHECK(columns[static_cast<std::size_t>(j)] == j);
      const Vec<S, C> x = qr.solve();
      double error = 0;
      for (int i = 0; i < C; ++i) error = std::hypot(error, static_cast<double>(x[i]) - best(i));
      CHECK(error < tolerance * b.norm() / scale);
    }
  }
}

TEST_CASE("least squares of any shape, rank and scale have the shortest of the best solutions",
          "[linalg][pivoted_qr]") {
  test::Draw draw(test::seed());
  check<double, 1, 1>(draw, 1e-14);
  check<double, 4, 4>(draw, 1e-13);
  check<double, 6, 3>(draw, 1e-13);
  check<double, 2, 5>(draw, 1e-13);
  check<double, 1, 3>(draw, 1e-13);
  check<float, 4, 5>(draw, 1e-4);
}

TEST_CASE("of a matrix of zeros the solution is zero, and all of the right side is left",
          "[linalg][pivoted_qr]") {
  const Vec<double, 3> b(1, -2, 2);
  PivotedQr<double, 3, 2> qr(Mat<double, 3, 2>::Zero(), b);
  CHECK(qr.rank == 0);
  CHECK(qr.b(0, 0) == 1);
  CHECK(qr.b(1, 0) == -2);
  CHECK(qr.b(2, 0) == 2);
  const Vec<double, 2> x = qr.solve();
  CHECK(x[0] == 0);
  CHECK(x[1] == 0);
}

TEST_CASE("the longest column comes first, and lengths of what is left fall", "[linalg][pivoted_qr]") {
  test::Draw draw(test::seed());
  Mat<double, 4, 4> a = fixed<double, 4, 4>(test::random_matrix(4, 4, draw));
  for (int i = 0; i < 4; ++i) {
    a(i, 1) *= 1e-3;
    a(i, 2) *= 1e3;
  }
  const PivotedQr<double, 4, 4> qr(a, Vec<double, 4>::Zero());
  CHECK(qr.column[0] == 2);
  CHECK(qr.column[3] == 1);
  CHECK(std::abs(qr.a(0, 0)) ==
        Approx(std::hypot(std::hypot(a(0, 2), a(1, 2)), std::hypot(a(2, 2), a(3, 2)))));
  for (int i = 0; i < 3; ++i) CHECK(std::abs(qr.a(i, i)) >= std::abs(qr.a(i + 1, i + 1)));
  // the first column of R, with those beside it, has the products of the columns of the matrix
  for (int j = 0; j < 4; ++j) {
    double product = 0;
    for (int i = 0; i < 4; ++i) product += a(i, 2) * a(i, qr.column[static_cast<std::size_t>(j)]);
    CHECK(qr.a(0, 0) * qr.a(0, j) == Approx(product).margin(1e-9));
  }
}

TEST_CASE("columns are as good as dependent where less is left of one than rounding",
          "[linalg][pivoted_qr]") {
  for (const double apart : {1e-9, 1e-12, 1e-14, 0.0}) {
    CAPTURE(apart);
    Mat<double, 3, 2> a;
    a << 1, 1, 2, 2, 2, 2 + apart;
    const PivotedQr<double, 3, 2> qr(a, Vec<double, 3>::Zero());
    CHECK(qr.rank == (apart > 2e-12 ? 2 : 1));
  }
}

}  // namespace pivoted_qr_test
