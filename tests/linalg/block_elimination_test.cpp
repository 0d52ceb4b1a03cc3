#include <dalembert/linalg/detail/block_elimination.hpp>

#include <cmath>
#include <cstddef>
#include <limits>

#include <Eigen/LU>

#include "support/blocks.hpp"
#include "support/catch.hpp"

namespace block_elimination_test {

using namespace dalembert;
using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;
using linalg::detail::BlockShape;

/// The blocks of J, of a pattern that was found.
void fill(const Matrix& J, const linalg::detail::BlockMatrix<double>& pattern,
          linalg::detail::BlockElimination<double>& lu) {
  lu.clear();
  for (std::size_t i = 0; i < pattern.count(); ++i)
    pattern.each(i, [&](std::size_t j, const double*) {
      double* const to = lu.block(i, j);
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          to[BlockShape::stride * r + c] =
              J(static_cast<Eigen::Index>(3 * i + r), static_cast<Eigen::Index>(3 * j + c));
    });
}

Eigen::Index step(std::size_t i) { return static_cast<Eigen::Index>(i); }

TEST_CASE("blocks are eliminated as a dense matrix is", "[linalg]") {
  test::Blocks random;
  linalg::detail::BlockMatrix<double> pattern;
  linalg::detail::BlockElimination<double> lu;
  for (const int blocks : {40, 1, 5, 130, 16})
    for (const int columns : {2, 7}) {
      CAPTURE(blocks, columns);
      const Matrix G = random.symmetric(blocks, columns, 0.1);
      test::put(G, pattern);
      lu.find(pattern);
      Matrix J = G;  // not symmetric, and its blocks want pivots
      for (int i = 0; i < 3 * blocks; ++i) J.row(i) *= random.uniform(0.5, 2);
      for (int i = 0; i < blocks; ++i) J.row(3 * i).swap(J.row(3 * i + 2));
      const Column F = Column::LinSpaced(3 * blocks, -1, 2);
      for (int again = 0; again < 2; ++again) {
        fill(J, pattern, lu);
        REQUIRE(lu.factor());
        Column x = F;
        lu.solve(x);
        CHECK((J * x - F).norm() < 1e-11 * F.norm());
        CHECK((x - Column(J.partialPivLu().solve(F))).norm() < 1e-10 * x.norm());
      }
    }
}

TEST_CASE("a block without an inverse is told", "[linalg]") {
  test::Blocks random;
  linalg::detail::BlockMatrix<double> pattern;
  linalg::detail::BlockElimination<double> lu;
  for (const int blocks : {1, 20}) {
    Matrix J = random.symmetric(blocks, 3, 0.1);
    test::put(J, pattern);
    lu.find(pattern);
    for (const double lost : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
      J.row(3 * blocks - 1).setConstant(lost);
      fill(J, pattern, lu);
      CHECK(!lu.factor());
    }
  }
}

TEST_CASE("a chain takes room in proportion to its length, a star too", "[linalg]") {
  linalg::detail::BlockElimination<double> lu;
  for (const std::size_t blocks : {std::size_t(10), std::size_t(100), std::size_t(300)}) {
    linalg::detail::BlockMatrix<double> chain, star;
    chain.start(blocks), star.start(blocks);
    for (std::size_t i = 1; i < blocks; ++i) {
      chain.put(i, i - 1, Eigen::Matrix3d::Identity());
      star.put(i, 0, Eigen::Matrix3d::Identity());
    }
    chain.finish(), star.finish();
    for (const auto* G : {&chain, &star}) {  // as many blocks, elsewhere
      lu.find(*G);
      CHECK(lu.changes() == blocks - 1);
      Matrix J = 4 * static_cast<double>(blocks) * Matrix::Identity(step(3 * blocks), step(3 * blocks));
      for (std::size_t i = 0; i < blocks; ++i)
        G->each(i, [&](std::size_t j, const double*) {
          if (i != j) J.block<3, 3>(step(3 * i), step(3 * j)).setOnes();
        });
      fill(J, *G, lu);
      REQUIRE(lu.factor());
      const Column F = Column::LinSpaced(step(3 * blocks), -1, 2);
      Column x = F;
      lu.solve(x);
      CHECK((J * x - F).norm() < 1e-12 * F.norm());
    }
  }
}

}  // namespace block_elimination_test
