#include <dalembert/linalg/detail/cone_search.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/cone_problems.hpp"

namespace cone_search_test {

using namespace dalembert;
using Problem = linalg::ConeProblem<double>;
using Blocks = linalg::detail::ConeBlocks<double>;
using Search = linalg::detail::ConeSearch<double>;
using Column = Search::Column;
using Eigen::Index;

Column none(const Blocks& blocks) {
  Column P;
  P.set_zero(blocks.size());
  return P;
}

TEST_CASE("one search after the other finds impulses by the law, from any start", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(test::seed())};
  Search search;
  Blocks blocks;
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const Problem p = random.problem(true);
    blocks.take(p);
    Column start = none(blocks);
    const double unit = p.b.norm() / p.G.norm();
    if (round % 2 == 0)
      for (Index i = blocks.row(0); i < blocks.size(); ++i) start[i] = unit * random.between(-1, 1);
    const auto found = search(blocks, {}, start);
    REQUIRE(found.converged);
    Problem::Column P;
    blocks.to_dense(found.P, P);
    CHECK(test::breach(p, P) < 1e-9);
    CHECK(found.residual <= 1e-11);
    CHECK(found.factored <= found.newton);
    // what is solved already takes no step, with the same matrix or another
    for (const bool same : {true, false}) {
      const auto again = search(blocks, {}, found.P, same);
      CHECK(again.converged);
      CHECK(again.newton == 0);
      CHECK(again.P == found.P);
    }
  }
}

TEST_CASE("rows that press do so where they would open the wrong way, and only there", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(test::seed())};
  Search search;
  int pressing = 0, open = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    Blocks blocks;
    blocks.held = random.below(3);
    blocks.pressed = 1 + random.below(8);
    blocks.friction.assign(static_cast<std::size_t>(random.below(3)), 0.4);
    blocks.begin();
    const Index rows = blocks.held + blocks.pressed, n = blocks.size();
    const double unit = std::pow(10.0, random.between(-6, 6)), speed = std::pow(10.0, random.between(-6, 6));
    // rows among themselves, and each contact by itself
    const Eigen::MatrixXd A =
        Eigen::MatrixXd::NullaryExpr(rows, rows + 2, [&] { return random.between(-1, 1); });
    const Eigen::MatrixXd G = unit * A * A.transpose();
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j <= i; ++j)
        blocks.put(static_cast<std::size_t>(i), static_cast<std::size_t>(j), G(i, j));
    for (std::size_t c = 0; c < blocks.friction.size(); ++c)
      blocks.put(c, c, Mat<double, 3>(unit * Mat<double, 3>::Identity()));
    blocks.end();
    for (Index i = 0; i < n; ++i)
      if (i < rows || i >= blocks.row(0)) blocks.b[i] = speed * random.between(-1, 1);
    const auto found = search(blocks, {}, none(blocks));
    REQUIRE(found.converged);
    Column u;
    blocks.put_velocities(found.P, u);
    const double size = speed + unit * A.squaredNorm() * found.P.norm(), force = found.P.norm();
    for (Index i = 0; i < blocks.held; ++i) CHECK(std::abs(u[i]) < 1e-10 * size);
    for (Index i = blocks.held; i < rows; ++i) {
      CHECK(u[i] > -1e-10 * size);
      CHECK(found.P[i] >= -1e-10 * force);
      CHECK(std::min(std::abs(u[i]) / size, std::abs(found.P[i]) / (force + 1e-300)) < 1e-10);
      (u[i] > 1e-6 * size ? open : pressing) += 1;
    }
    for (Index i = rows; i < blocks.row(0); ++i) CHECK(found.P[i] == 0);
    for (std::size_t c = 0; c < blocks.friction.size(); ++c) {  // alone each has a closed form
      const Index i = blocks.row(c);
      const double normal = std::max(0.0, -blocks.b[i] / unit);
      const double slip = std::hypot(blocks.b[i + 1], blocks.b[i + 2]) / unit;
      const double part = slip > 0.4 * normal ? 0.4 * normal / slip : 1;
      CHECK(std::abs(found.P[i] - normal) <= 1e-10 * force);
      for (const Index k : {i + 1, i + 2})
        CHECK(std::abs(found.P[k] + part * blocks.b[k] / unit) <= 1e-9 * force);
    }
  }
  CHECK(pressing > 100);
  CHECK(open > 100);
}

TEST_CASE("a problem of no rows is solved, and one that has no solution is told unsolved", "[linalg][cone]") {
  Search search;
  Blocks blocks;
  blocks.begin();
  blocks.end();
  const auto nothing = search(blocks, {}, none(blocks));
  CHECK(nothing.converged);
  CHECK(nothing.P.size() == 0);
  Problem p(0, {0.5});
  p.b << -1, 0, 0;  // nothing moves by impulses
  blocks.take(p);
  const auto unsolved = search(blocks, {.sweeps = 100}, none(blocks));
  CHECK_FALSE(unsolved.converged);
  p.G = Problem::Matrix(Problem::Matrix::Identity(3, 3));
  blocks.take(p);
  const auto solved = search(blocks, {}, none(blocks));
  CHECK(solved.converged);
  CHECK(solved.P[0] == Approx(1));
}

TEST_CASE("what Newton's method solves from zero needs no coefficients that grow", "[linalg][cone]") {
  Search search;
  Blocks blocks;
  Problem p(1, {0.5, 0.3});
  for (Index i = 0; i < p.size(); ++i)
    for (Index j = 0; j < p.size(); ++j) p.G(i, j) = i == j ? 2 : 0.1;
  p.b << 0.4, -1, 0.1, 0.2, -1, 2, -1;  // one contact sticks, one slips
  blocks.take(p);
  const auto found = search(blocks, {}, none(blocks));
  CHECK(found.converged);
  CHECK(found.newton > 0);
  CHECK(found.factored > 0);
  CHECK(found.ladders == 0);
  CHECK(found.sweeps == 0);
}

}  // namespace cone_search_test
