#include <dalembert/linalg/detail/block_matrix.hpp>

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>

#include "support/blocks.hpp"
#include "support/catch.hpp"

namespace block_matrix_test {

using namespace dalembert;

TEST_CASE("products with blocks are those with all entries, whatever was there before", "[linalg]") {
  test::Blocks random;
  linalg::detail::BlockMatrix<double> G;
  for (const int blocks : {40, 1, 16, 90, 15}) {
    const Eigen::MatrixXd dense = random.symmetric(blocks, 4, 1e-3);
    test::put(dense, G);
    REQUIRE(G.count() == static_cast<std::size_t>(blocks));
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(3 * blocks, -1, 2);
    Eigen::VectorXd y = 0.5 * x;
    G.add_product(x, 2.0, y);
    CHECK((y - (0.5 * x + 2 * dense * x)).norm() < 1e-14 * dense.norm() * x.norm());
    const Eigen::VectorXd before = y;
    G.add_product(Eigen::VectorXd(Eigen::VectorXd::Zero(3 * blocks)), 2.0, y);
    CHECK(y == before);
    for (int i = 0; i < 3 * blocks; ++i) CHECK(G.diagonal(i) == dense(i, i));
    for (int i = 0; i < blocks; ++i) {
      const auto at = static_cast<std::size_t>(i);
      CHECK((G.row_product(at, x) - dense.middleRows(3 * i, 3) * x).norm() < 1e-13 * dense.norm());
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          CHECK(G.own(at, r, c) == dense(3 * i + static_cast<int>(r), 3 * i + static_cast<int>(c)));
    }
  }
}

TEST_CASE("a matrix that is put entry by entry is that of its blocks", "[linalg]") {
  test::Blocks random;
  linalg::detail::BlockMatrix<double> G;
  for (const int blocks : {20, 1, 33, 7}) {
    for (const bool lower : {true, false}) {
      const Eigen::MatrixXd dense = random.symmetric(blocks, 4, 1e-3);
      const int rows = 3 * blocks;
      G.start(static_cast<std::size_t>(blocks));
      std::size_t entries = 0;
      for (int i = 0; i < rows; ++i)
        for (int j = lower ? 0 : i; j < (lower ? i + 1 : rows); ++j) {
          if (dense(i, j) == 0) continue;
          G.add(static_cast<std::size_t>(i), static_cast<std::size_t>(j), dense(i, j));
          if (i % 3 == 0 && j % 3 == 0) entries += i == j ? 1 : 2;
        }
      G.finish();
      CHECK(G.columns().size() == entries);
      const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(rows, -1, 2);
      Eigen::VectorXd y = 0.5 * x;
      G.add_product(x, 2.0, y);
      CHECK((y - (0.5 * x + 2 * dense * x)).norm() < 1e-14 * dense.norm() * x.norm());
    }
  }
}

TEST_CASE("of a matrix of blocks those of the diagonal are there, others that are zero are not", "[linalg]") {
  linalg::detail::BlockMatrix<double> G;
  G.start(5);
  G.put(3, 1, Eigen::Matrix3d::Zero());
  G.put(4, 1, Eigen::Matrix3d::Identity());
  G.finish();
  CHECK(G.columns().size() == 5 + 2);
  std::size_t seen = 0;
  G.each(1, [&](std::size_t j, const double*) { seen += j; });
  CHECK(seen == 1 + 4);
  CHECK(G.diagonal(0) == 0);
}

}  // namespace block_matrix_test
