#include <dalembert/linalg/bordered_cholesky.hpp>

#include <random>
#include <vector>

#include <Eigen/LU>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace bordered_cholesky_test {

using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

/// A chain of blocks of two rows, hubs of three that couple with every block, and rows beside, at random.
struct Case {
  int blocks, hubs, border;
  std::mt19937 engine{test::seed()};
  dalembert::linalg::BorderedCholesky<double> sparse;

  Case(int b, int h, int k) : blocks(b), hubs(h), border(k) {
    std::vector<int> rows(static_cast<std::size_t>(blocks), 2);
    rows.insert(rows.end(), static_cast<std::size_t>(hubs), 3);
    sparse.start(rows, static_cast<std::size_t>(hubs), border);
    for (int i = 0; i < blocks; ++i) {
      if (i > 0) sparse.couple(i, i - 1);
      for (int h2 = 0; h2 < hubs; ++h2) sparse.couple(i, blocks + h2);
    }
    sparse.find_pattern();
  }
  int chain() const { return 2 * blocks; }
  int band() const { return chain() + 3 * hubs; }
  Matrix random(int rows, int columns) {
    std::normal_distribution<double> draw;
    return Matrix::NullaryExpr(rows, columns, [&] { return draw(engine); });
  }
  /// The whole matrix; D is singular where it is asked for.
  Matrix matrix(bool singular) {
    const int n = chain(), m = band();
    Matrix g = Matrix::Zero(m + border, m + border);
    for (int i = 0; i + 1 < blocks; ++i) {
      const Matrix f = random(4, 4);
      g.block(2 * i, 2 * i, 4, 4) += 0.1 * f.transpose() * f;
    }
    if (!singular) g.topLeftCorner(n, n) += 0.3 * Matrix::Identity(n, n);
    if (singular) g.row(2).setZero(), g.col(2).setZero();
    g.block(n, 0, m - n, n) = 0.3 * random(m - n, n);
    if (singular) g.col(2).setZero();
    g.block(0, n, n, m - n) = g.block(n, 0, m - n, n).transpose();
    g.block(n, n, m - n, m - n) = -Matrix::Identity(m - n, m - n);
    g.bottomRows(border) = random(border, m + border);
    g.rightCols(border) = random(m + border, border);
    return g;
  }
  void fill(const Matrix& g) {
    sparse.set_zero();
    for (int i = 0; i < g.rows(); ++i)
      for (int j = 0; j < g.cols(); ++j) {
        const bool in_band = i < band() && j < band();
        const bool hub = i >= chain() && i < band();
        if (in_band && (j > i || (!hub && i / 2 - j / 2 > 1) || (hub && j >= chain() && i != j))) continue;
        sparse(i, j) = g(i, j);
      }
  }
};

TEST_CASE("what is symmetric but for a border has the solution of a dense LU, without an allocation",
          "[linalg][hubs]") {
  for (const int hubs : {0, 1, 2})
    for (const int border : {0, 1, 4}) {
      CAPTURE(hubs, border);
      Case c(30, hubs, border);
      REQUIRE(c.sparse.size() == c.band() + border);
      const Matrix g = c.matrix(false);
      Column b = c.random(c.sparse.size(), 1), x = b, left = b, work = b;
      b.segment(c.chain(), 3 * hubs).setZero();
      CHECK(test::allocations_during([&] {
              c.fill(g);
              x = b;
              c.sparse.decompose();
              c.sparse.solve(x.data(), left.data(), work.data());
            }) == 0);
      CHECK(c.sparse.is_regular());
      CHECK(c.sparse.rank() == c.sparse.size());
      const Column y = g.lu().solve(b);
      CHECK((x - y).norm() < 1e-10 * y.norm());
      CHECK(left.norm() == 0);
      CHECK(c.sparse.entries() <
            static_cast<std::size_t>(6 * c.chain() + c.band() * (3 * hubs + 2 * border) + 16));
    }
}

TEST_CASE("a border beside rows that follow from others has no solution", "[linalg][hubs]") {
  Case c(30, 0, 2);
  c.fill(c.matrix(true));
  c.sparse.decompose();
  CHECK_FALSE(c.sparse.is_regular());
}

TEST_CASE("a border that follows from other rows has no solution", "[linalg][hubs]") {
  Case c(30, 1, 2);
  Matrix g = c.matrix(false);
  g.row(g.rows() - 1) = g.row(3) - 2 * g.row(g.rows() - 2);
  c.fill(g);
  c.sparse.decompose();
  CHECK_FALSE(c.sparse.is_regular());
}

TEST_CASE("the smallest pivot is one of the band, over its largest, or of the Schur complement of the border",
          "[linalg][hubs]") {
  dalembert::linalg::BorderedCholesky<double> sparse;
  const auto smallest = [&](const std::vector<double>& corner) {
    const int n = 3, border = static_cast<int>(corner.size());
    sparse.start({1, 1, 1}, 0, border);
    sparse.find_pattern();
    sparse(0, 0) = 2;
    sparse(1, 1) = 4;
    sparse(2, 2) = 1;
    for (int i = 0; i < border; ++i) {
      sparse(n + i, i) = sparse(i, n + i) = 2;
      // what the band takes from the corner is added
      sparse(n + i, n + i) = corner[static_cast<std::size_t>(i)] + (i == 0 ? 2 : 1);
    }
    sparse.decompose();
    CHECK(sparse.is_regular());
    return sparse.smallest();
  };
  CHECK(smallest({}) == Approx(0.25));
  CHECK(smallest({0.125}) == Approx(0.125));
  CHECK(smallest({8}) == Approx(0.25));
  CHECK(smallest({}) == Approx(0.25));
  CHECK(smallest({8, 0.125}) == Approx(0.125));
  CHECK(smallest({-0.125, 8}) == Approx(0.125));
  CHECK(smallest({8, -16}) == Approx(0.25));
}

}  // namespace bordered_cholesky_test
