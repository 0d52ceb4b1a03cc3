#include <dalembert/linalg/detail/cone_path.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/cone_problems.hpp"

namespace cone_path_test {

using namespace dalembert;
using Problem = linalg::ConeProblem<double>;
using Eigen::Index;

/// The path of a problem, each row in its own unit.
struct Path : linalg::detail::ConePath<double> {
  using Base = linalg::detail::ConePath<double>;
  using Base::bound_, Base::Column, Base::follow;
  linalg::detail::ConeBlocks<double> blocks;

  explicit Path(const linalg::ConeProblem<double>& p) {
    blocks.take(p);
    p_ = &blocks;
    n_ = blocks.size();
    held_rho_ = 1 / p.largest_response();
    row_rho_.resize(blocks.row(0));
    for (Index i = 0; i < blocks.row(0); ++i)
      row_rho_[i] = blocks.G.diagonal(i) > 0 ? 1 / blocks.G.diagonal(i) : held_rho_;
    for (std::size_t c = 0; c < p.friction.size(); ++c) {
      const Index i = blocks.row(c);
      rho_.push_back(
          {1 / blocks.G.diagonal(i), 1 / std::max(blocks.G.diagonal(i + 1), blocks.G.diagonal(i + 2))});
    }
    jams_.assign(p.friction.size(), 0);
  }
};

TEST_CASE("the path from a solution without friction leads to one with all of it", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(test::seed())};
  int arrived = 0, followed = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    Problem p = random.problem(true);
    for (double& mu : p.friction) mu = random.between(0, 1);
    Problem without = p;
    for (double& mu : without.friction) mu = 0;
    const auto start = linalg::solve_cone_problem(without);
    if (!start.converged || start.P.norm() == 0) continue;
    ++followed;
    // half of the coefficients, then all of them
    double top = 0;
    for (const double mu : p.friction) top = std::max(top, mu);
    for (const double part : {0.5, 1.0}) {
      Path path(p);
      Path::Column P;
      path.blocks.to_blocks(start.P, P);
      if (!path.follow(P, part * top)) continue;
      arrived += part == 1;
      CHECK(path.bound_ == part * top);
      CHECK(path.farthest() <= part * top);
      Problem bounded = p;
      for (double& mu : bounded.friction) mu = std::min(mu, part * top);
      Problem::Column found;
      path.blocks.to_dense(P, found);
      CHECK(test::breach(bounded, found) < 1e-8);
    }
  }
  CHECK(followed > 100);
  CHECK(arrived > followed * 9 / 10);
}

TEST_CASE("there is no path where nothing presses, or to no friction", "[linalg][cone]") {
  Problem p(0, {0.5});
  p.G = Problem::Matrix(Problem::Matrix::Identity(3, 3));
  p.b << -1, 0.2, 0;
  Path path(p);
  Path::Column P;
  P.set_zero(3);
  P[0] = 1;
  CHECK_FALSE(path.follow(P, 0));
  CHECK(path.farthest() == 0);
  REQUIRE(path.follow(P, 0.5));
  CHECK(P[0] == Approx(1));
  CHECK(P[1] == Approx(-0.2));
  p.b.setZero();
  Path still(p);
  P.set_zero(3);
  CHECK_FALSE(still.follow(P, 0.5));
}

}  // namespace cone_path_test
