#include <dalembert/linalg/envelope_cholesky.hpp>

#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include <dalembert/linalg/pivoted_lu.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace envelope_cholesky_test {

using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

/// Blocks of rows and which of them couple.
struct Pattern {
  std::vector<int> rows;
  std::vector<std::pair<int, int>> couples;

  int begin(int block) const { return std::accumulate(rows.begin(), rows.begin() + block, 0); }
  int size() const { return begin(static_cast<int>(rows.size())); }
};

/// A chain of blocks of these rows, each coupled to the next `reach`, told in the order of a shuffle.
Pattern chain(int blocks, int reach, std::mt19937& engine, const std::vector<int>& rows = {3}) {
  std::vector<int> place(static_cast<std::size_t>(blocks));
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), engine);
  Pattern p;
  for (int i = 0; i < blocks; ++i) p.rows.push_back(rows[static_cast<std::size_t>(i) % rows.size()]);
  for (int i = 0; i < blocks; ++i)
    for (int j = i + 1; j <= std::min(i + reach, blocks - 1); ++j)
      p.couples.emplace_back(place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(j)]);
  return p;
}

/// A matrix Σ aᵀa of that pattern and unit diagonal; a row of `a` for every pair of blocks that couple, and one for every block alone.
Matrix matrix(const Pattern& p, std::mt19937& engine) {
  std::normal_distribution<double> draw;
  Matrix g = Matrix::Zero(p.size(), p.size());
  const auto add = [&](int a, int b) {
    const auto block = [&](int i) { return p.rows[static_cast<std::size_t>(i)]; };
    const int m = block(a) + (a == b ? 0 : block(b));
    const Matrix f = Matrix::NullaryExpr(m, m, [&] { return draw(engine); });
    const Matrix s = f.transpose() * f + 0.2 * Matrix::Identity(m, m);
    const auto at = [&](int i) { return i < block(a) ? p.begin(a) + i : p.begin(b) + i - block(a); };
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) g(at(i), at(j)) += s(i, j);
  };
  for (int i = 0; i < static_cast<int>(p.rows.size()); ++i) add(i, i);
  for (const auto& [a, b] : p.couples) add(a, b);
  const Column scale = g.diagonal().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * g * scale.asDiagonal();
}

dalembert::linalg::EnvelopeCholesky<double> shaped(const Pattern& p) {
  dalembert::linalg::EnvelopeCholesky<double> banded;
  banded.start(p.rows);
  for (const auto& [a, b] : p.couples) banded.couple(a, b);
  banded.find_pattern();
  return banded;
}

/// Give it the entries of every block and of every two that couple.
void fill(dalembert::linalg::EnvelopeCholesky<double>& banded, const Pattern& p, const Matrix& g) {
  banded.set_zero();
  const auto put = [&](int a, int b) {
    for (int i = p.begin(a); i < p.begin(a + 1); ++i)
      for (int j = p.begin(b); j < p.begin(b + 1); ++j) banded(i, j) = g(i, j);
  };
  for (int i = 0; i < static_cast<int>(p.rows.size()); ++i) put(i, i);
  for (const auto& [a, b] : p.couples) put(a, b);
}

/// x = G⁺ b, and what is left of b.
std::pair<Column, Column> solve(const dalembert::linalg::EnvelopeCholesky<double>& banded, const Column& b) {
  Column x = b, left = b, work = b;
  banded.solve(x.data(), left.data(), work.data());
  return {x, left};
}

/// It solves what a dense decomposition solves.
void check_regular(const Pattern& p, std::mt19937& engine) {
  const Matrix g = matrix(p, engine);
  const Column b = Column::NullaryExpr(p.size(), [&] { return std::normal_distribution<double>()(engine); });
  dalembert::linalg::EnvelopeCholesky<double> banded = shaped(p);
  REQUIRE(banded.size() == p.size());
  fill(banded, p, g);
  banded.decompose();
  CHECK(banded.rank() == p.size());
  const auto [x, left] = solve(banded, b);
  const Column wanted = g.llt().solve(b);
  CHECK((x - wanted).norm() < 1e-12 * wanted.norm());
  CHECK(left.norm() == 0);
  const double smallest = banded.smallest();  // of numbers without a unit
  fill(banded, p, 0x1p20 * g);
  banded.decompose();
  CHECK(banded.smallest() == smallest);
}

TEST_CASE("chains of constraints are solved as a dense matrix is", "[linalg][banded]") {
  std::mt19937 engine{test::seed()};
  for (const int blocks : {1, 2, 7, 60, 200})
    for (const int reach : {0, 1, 3}) {
      CAPTURE(blocks, reach);
      check_regular(chain(blocks, reach, engine), engine);
      check_regular(chain(blocks, reach, engine, {1, 5, 3, 0, 2}), engine);
    }
}

TEST_CASE("a matrix of any pattern is solved as a dense matrix is", "[linalg][banded]") {
  std::mt19937 engine{test::seed()};
  SECTION("one constraint that couples with all others") {
    Pattern p{std::vector<int>(40, 3), {}};
    for (int i = 0; i < 40; ++i) p.couples.emplace_back(i, 17);
    check_regular(p, engine);
    CHECK(shaped(p).entries() < 1000);  // of 7260: what all couple with comes last
  }
  SECTION("any with any") {
    for (int trial = 0; trial < 20; ++trial) {
      Pattern p{std::vector<int>(30, 2), {}};
      for (int i = 0; i < 50; ++i)
        p.couples.emplace_back(static_cast<int>(engine() % 30), static_cast<int>(engine() % 30));
      check_regular(p, engine);
    }
  }
  SECTION("a net, in which no order leaves a narrow band") {
    Pattern p{std::vector<int>(100, 3), {}};
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 10; ++j) {
        if (i < 9) p.couples.emplace_back(10 * i + j, 10 * i + j + 10);
        if (j < 9) p.couples.emplace_back(10 * i + j, 10 * i + j + 1);
      }
    check_regular(p, engine);
    CHECK(shaped(p).entries() < 300 * 33);
  }
}

TEST_CASE("of a chain told in any order only the band is kept", "[linalg][banded]") {
  std::mt19937 engine{test::seed()};
  for (const int blocks : {60, 500, 2000})
    for (const int reach : {1, 4}) {
      const auto kept = shaped(chain(blocks, reach, engine)).entries();
      const auto band = static_cast<std::size_t>(3 * blocks * (3 * reach + 3));
      CAPTURE(blocks, reach);
      CHECK(kept <= band);
      CHECK(kept > band / 2);
    }
}

TEST_CASE("a closed ring of constraints has twice the band of a chain", "[linalg][banded]") {
  Pattern p{std::vector<int>(300, 3), {}};
  for (int i = 0; i < 300; ++i) p.couples.emplace_back(i, (i + 1) % 300);
  CHECK(shaped(p).entries() <= 900 * 9);
  std::mt19937 engine{test::seed()};
  check_regular(p, engine);
}

/// A matrix of rank n − fewer: constraint after constraint repeats a mixture of rows of its neighbour.
Matrix deficient(const Pattern& p, int fewer, std::mt19937& engine) {
  Matrix g = matrix(p, engine);
  Matrix t = Matrix::Identity(p.size(), p.size());
  for (int i = 0; i < fewer; ++i) {
    const auto& [a, b] = p.couples[static_cast<std::size_t>(5 * i)];
    t.row(p.begin(a)).setZero();
    t(p.begin(a), p.begin(b)) = 0.8;
    t(p.begin(a), p.begin(b) + 1) = -0.5;
  }
  const Matrix h = t * g * t.transpose();
  const Column scale = h.diagonal().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * h * scale.asDiagonal();
}

TEST_CASE(
    "where rows follow from others the solution is that of least norm, as that of a complete decomposition",
    "[linalg][banded]") {
  std::mt19937 engine{test::seed()};
  for (const int fewer : {1, 4}) {
    CAPTURE(fewer);
    Pattern p = chain(25, 1, engine);
    const Matrix g = deficient(p, fewer, engine);
    // a row that repeats those of a neighbour couples with that one's neighbours
    const auto near = p.couples;
    for (const auto& [a, b] : near)
      for (const auto& [c, d] : near)
        if (b == c || a == d) p.couples.emplace_back(b == c ? a : c, b == c ? d : b);
    dalembert::linalg::EnvelopeCholesky<double> banded = shaped(p);
    fill(banded, p, g);
    banded.decompose();
    REQUIRE(banded.rank() == p.size() - fewer);

    Eigen::CompleteOrthogonalDecomposition<Matrix> dense(p.size(), p.size());
    dense.setThreshold(1e-10);
    dense.compute(g);
    REQUIRE(dense.rank() == banded.rank());
    for (const bool consistent : {true, false}) {
      CAPTURE(consistent);
      Column b = Column::NullaryExpr(p.size(), [&] { return std::normal_distribution<double>()(engine); });
      if (consistent) b = g * b;
      const auto [x, left] = solve(banded, b);
      const Column y = dense.solve(b), rest = b - g * y;
      CHECK((x - y).norm() < 1e-9 * y.norm());
      CHECK((left - rest).norm() < 1e-10 * b.norm());
      CHECK((left + g * x - b).norm() < 1e-10 * b.norm());
      if (consistent) CHECK(left.norm() < 1e-11 * b.norm());
      if (!consistent) CHECK(left.norm() > 1e-3 * b.norm());
    }
  }
}

TEST_CASE(
    "a dense matrix of any rank, symmetric or not, has the solution of least norm, without an allocation",
    "[linalg][dense]") {
  std::mt19937 engine{test::seed()};
  std::normal_distribution<double> draw;
  dalembert::linalg::PivotedLU<double> dense;
  for (const bool symmetric : {true, false})
    for (const int rank : {9, 8, 3, 0}) {
      CAPTURE(symmetric, rank);
      const Matrix a = Matrix::NullaryExpr(9, rank, [&] { return draw(engine); });
      const Matrix other = Matrix::NullaryExpr(9, rank, [&] { return draw(engine); });
      const Matrix g = symmetric ? Matrix(a * a.transpose()) : Matrix(a * other.transpose());
      const Column b = Column::NullaryExpr(9, [&] { return draw(engine); });
      Column x = b, left = b, work = b;
      const auto solve = [&] {
        dense.start(9, symmetric);
        for (int i = 0; i < 9; ++i)
          for (int j = 0; j < (symmetric ? i + 1 : 9); ++j) dense(i, j) = g(i, j);
        dense.decompose();
        x = b;
        dense.solve(x.data(), left.data(), work.data());
      };
      solve();
      CHECK(test::allocations_during(solve) == 0);
      REQUIRE(dense.rank() == rank);
      Eigen::CompleteOrthogonalDecomposition<Matrix> complete(9, 9);
      complete.setThreshold(1e-10);
      complete.compute(g);
      const Column y = complete.solve(b);
      CHECK((x - y).norm() < 1e-8 * (1 + y.norm()));
      CHECK((left + g * y - b).norm() < 1e-8 * b.norm());
    }
}

TEST_CASE("a matrix of the same pattern is decomposed anew, without an allocation", "[linalg][banded]") {
  std::mt19937 engine{test::seed()};
  const Pattern p = chain(80, 2, engine);
  dalembert::linalg::EnvelopeCholesky<double> banded = shaped(p);
  Column x(p.size()), left(p.size()), work(p.size());
  for (int i = 0; i < 3; ++i) {
    const Matrix g = matrix(p, engine);
    const Column b =
        Column::NullaryExpr(p.size(), [&] { return std::normal_distribution<double>()(engine); });
    fill(banded, p, g);
    x = b;
    CHECK(test::allocations_during([&] {
            banded.decompose();
            banded.solve(x.data(), left.data(), work.data());
          }) == 0);
    CHECK((g * x - b).norm() < 1e-11 * b.norm());
  }
}

TEST_CASE("finding a pattern again makes no allocation", "[linalg][banded]") {
  std::mt19937 engine{test::seed()};
  const Pattern p = chain(80, 2, engine);
  dalembert::linalg::EnvelopeCholesky<double> banded = shaped(p);
  CHECK(test::allocations_during([&] {
          banded.start(p.rows);
          for (const auto& [a, b] : p.couples) banded.couple(a, b);
          banded.find_pattern();
        }) == 0);
}

}  // namespace envelope_cholesky_test
