#include <dalembert/linalg/block_lu.hpp>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <Eigen/LU>

#include "support/catch.hpp"

namespace block_lu_test {

using dalembert::linalg::BlockLU;
using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

/// A sparse matrix of blocks beside the same as a full one.
struct Twin {
  std::vector<int> sizes;
  std::size_t waiting;
  BlockLU<double> blocks{};
  Matrix full{};

  void find(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    blocks.start(sizes, waiting);
    for (const auto& [a, b] : pairs) blocks.couple(a, b);
    blocks.find_pattern();
    blocks.set_zero();
    full = Matrix::Zero(static_cast<Eigen::Index>(blocks.rows()), static_cast<Eigen::Index>(blocks.rows()));
  }
  template <class F>
  void put(std::size_t i, std::size_t j, const F& value) {
    for (int r = 0; r < sizes[i]; ++r)
      for (int c = 0; c < sizes[j]; ++c) {
        const double x = value(r, c);
        blocks.block(i, j)[sizes[j] * r + c] += x;
        full(static_cast<Eigen::Index>(blocks.row(i)) + r, static_cast<Eigen::Index>(blocks.row(j)) + c) += x;
      }
  }
};

/// Two chains of `nodes` blocks, with constraints of three rows that tie node 2k of the one to node k + 1 of the other.
Twin two_chains(std::size_t nodes, std::size_t ties, bool twice = false) {
  std::mt19937 engine(test::seed());
  std::uniform_real_distribution<double> draw(-1, 1);
  Twin twin{std::vector<int>(2 * nodes, 6), 2 * nodes};
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t k = 0; k + 1 < nodes; ++k) {
    pairs.emplace_back(k, k + 1);
    pairs.emplace_back(nodes + k, nodes + k + 1);
  }
  const std::size_t count = ties * (twice ? 2 : 1);
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t k = c % ties;
    twin.sizes.push_back(3);
    pairs.emplace_back(2 * nodes + c, 2 * k);
    pairs.emplace_back(2 * nodes + c, nodes + k + 1);
  }
  twin.find(pairs);
  const auto any = [&](int, int) { return draw(engine); };
  for (std::size_t k = 0; k < 2 * nodes; ++k)
    twin.put(k, k, [&](int r, int c) { return (r == c ? 9.0 : 0.0) + draw(engine); });
  for (std::size_t p = 0; p < 2 * (nodes - 1); ++p) {
    twin.put(pairs[p].first, pairs[p].second, any);
    twin.put(pairs[p].second, pairs[p].first, any);
  }
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t k = c % ties, row = 2 * nodes + c;
    for (const std::size_t node : {2 * k, nodes + k + 1}) {
      std::mt19937 same(static_cast<unsigned>(node));
      Eigen::Matrix<double, 3, 6> a;
      for (int i = 0; i < 18; ++i) a(i % 3, i / 3) = draw(same);
      twin.put(row, node, [&](int r, int j) { return a(r, j); });
      twin.put(node, row, [&](int j, int r) { return -a(r, j); });
    }
  }
  return twin;
}

TEST_CASE("a sparse LU of blocks solves what a full one does", "[linalg]") {
  for (const std::size_t ties : {0u, 1u, 4u}) {
    Twin twin = two_chains(9, ties);
    Column b(twin.full.rows());
    for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = std::sin(3.0 + 7.0 * static_cast<double>(i));
    const Column expected = twin.full.fullPivLu().solve(b);
    REQUIRE(twin.blocks.factor());
    twin.blocks.solve(b.data());
    INFO("ties " << ties);
    CHECK((b - expected).norm() < 1e-12 * expected.norm());
  }
}

TEST_CASE("rows that are there twice are solved once, and the rest as if they were there once", "[linalg]") {
  Twin once = two_chains(9, 2), twice = two_chains(9, 2, true);
  Column b = Column::Zero(once.full.rows()), c = Column::Zero(twice.full.rows());
  for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = c[i] = std::sin(3.0 + 7.0 * static_cast<double>(i));
  c.tail(6) = b.tail(6);
  REQUIRE(once.blocks.factor());
  REQUIRE(twice.blocks.factor());
  once.blocks.solve(b.data());
  twice.blocks.solve(c.data());
  const Eigen::Index nodes = 18 * 6;
  CHECK((b.head(nodes) - c.head(nodes)).norm() < 1e-9 * b.norm());
  CHECK((b.tail(6) - c.segment(nodes, 6) - c.tail(6)).norm() < 1e-9 * b.norm());
}

TEST_CASE("a chain of nodes keeps no more than its three diagonals", "[linalg]") {
  const Twin twin = two_chains(50, 0);
  CHECK(twin.blocks.entries() == 2 * (50 + 2 * 49) * 36);
}

TEST_CASE("a matrix whose block has a row of zeros is refused", "[linalg]") {
  Twin twin{{2, 2}, 2};
  twin.find({{0, 1}});
  twin.put(0, 0, [](int r, int c) { return r == c ? 1.0 : 0.0; });
  twin.put(1, 1, [](int r, int c) { return r == 0 && c == 0 ? 1.0 : 0.0; });
  CHECK_FALSE(twin.blocks.factor());
}

}  // namespace block_lu_test
