#include <dalembert/linalg/detail/cone_blocks.hpp>

#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/cone_problems.hpp"
#include "support/draw.hpp"

namespace cone_blocks_test {

using namespace dalembert;
using Blocks = linalg::detail::ConeBlocks<double>;
using Problem = linalg::ConeProblem<double>;
using Grown = Blocks::Column;
using Eigen::Index;

TEST_CASE("a dense problem is the same in blocks: its velocities, sizes and responses", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(test::seed())};
  Blocks blocks;
  for (int round = 0; round < 200; ++round) {
    const Problem p = random.problem(true);
    blocks.take(p);
    CHECK(blocks.held == p.held);
    CHECK(blocks.pressed == 0);
    CHECK(blocks.friction == p.friction);
    CHECK(blocks.row(0) == 3 * ((p.held + 2) / 3));
    CHECK(blocks.size() == blocks.row(0) + 3 * static_cast<Index>(p.friction.size()));
    CHECK(blocks.largest_response() == p.largest_response());
    Problem::Column P(p.size());
    for (double& x : P) x = random.between(-1, 1);
    Grown in_blocks, u;
    blocks.to_blocks(P, in_blocks);
    for (Index i = p.held; i < blocks.row(0); ++i) CHECK(in_blocks[i] == 0);
    Problem::Column back, velocities;
    blocks.to_dense(in_blocks, back);
    CHECK(back == P);
    blocks.put_velocities(in_blocks, u);
    blocks.to_dense(u, velocities);
    const double size = p.b.norm() + p.G.norm() * P.norm();
    CHECK((velocities - p.velocities(P)).norm() < 1e-14 * size);
    blocks.take_away(in_blocks);
    blocks.put_velocities(in_blocks, u);
    blocks.to_dense(u, velocities);
    CHECK((velocities - p.b).norm() < 1e-14 * size);
  }
}

TEST_CASE("rows and contacts that are put one by one are those of a dense matrix", "[linalg][cone]") {
  test::Draw draw(test::seed());
  Blocks blocks;
  for (int round = 0; round < 100; ++round) {
    blocks.held = draw.below(4);
    blocks.pressed = draw.below(5);
    blocks.friction.assign(static_cast<std::size_t>(draw.below(6)), 0.3);
    const Index rows = blocks.held + blocks.pressed, n = blocks.size();
    CHECK(blocks.row(0) % 3 == 0);
    CHECK(blocks.row(0) >= rows);
    CHECK(blocks.row(0) < rows + 3);
    blocks.begin();
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(n, n);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j <= i; ++j) {
        const double x = draw.between(-1, 1) + (i == j ? 5.0 : 0.0);
        blocks.put(static_cast<std::size_t>(i), static_cast<std::size_t>(j), x);
        G(i, j) = G(j, i) = x;
      }
    for (std::size_t i = 0; i < blocks.friction.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        if (i != j && draw.below(2) == 0) continue;
        Mat<double, 3> block;
        for (double& x : block.reshaped()) x = draw.between(-1, 1);
        if (i == j) block = Mat<double, 3>(block + block.transpose());
        blocks.put(i, j, block);
        G.block(blocks.row(i), blocks.row(j), 3, 3) = block;
        G.block(blocks.row(j), blocks.row(i), 3, 3) = block.transpose();
      }
    blocks.end();
    CHECK(blocks.b.isZero(0));
    CHECK(blocks.largest_response() == std::max(0.0, n > 0 ? G.diagonal().maxCoeff() : 0.0));
    Grown P, u;
    P.resize(n);
    for (double& x : P) x = draw.between(-1, 1);
    blocks.put_velocities(P, u);
    CHECK((u - G * P).norm() <= 1e-14 * G.norm() * P.norm());
  }
}

}  // namespace cone_blocks_test
