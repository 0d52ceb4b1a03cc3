#include <dalembert/linalg/detail/projected_gradients.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <dalembert/linalg/cone_problem.hpp>

#include "support/catch.hpp"
#include "support/cone_problems.hpp"

namespace projected_gradients_test {

using namespace dalembert;
using Problem = linalg::ConeProblem<double>;
using Impulses = Problem::GrowingColumn;

/// A row of contacts that press on a beam of so many bodies, each contact on its two neighbours, in blocks.
Problem row_of_contacts(int contacts, double mu, double coupling, std::mt19937& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Problem p(0, std::vector<double>(static_cast<std::size_t>(contacts), mu));
  for (int i = 0; i < contacts; ++i) {
    const auto at = static_cast<std::size_t>(i);
    p.put(at, at, Mat<double, 3>::Identity());
    if (i > 0) p.put(at, at - 1, Mat<double, 3>(coupling * Mat<double, 3>::Identity()));
    p.b[3 * i] = -1 + 0.9 * uniform(engine);
    p.b[3 * i + 1] = 0.8 * uniform(engine);
    p.b[3 * i + 2] = 0.8 * uniform(engine);
  }
  return p;
}
std::vector<std::array<double, 2>> steps_of(const Problem& p) {
  std::vector<std::array<double, 2>> rho;
  for (std::size_t c = 0; c < p.friction.size(); ++c) {
    const auto i = p.row(c);
    rho.push_back({1 / p.G(i, i), 1 / p.G(i + 1, i + 1)});
  }
  return rho;
}
Impulses after(const Problem& p, int steps) {
  Impulses P;
  P.set_zero(p.size());
  linalg::detail::ConeBlocks<double> blocks;
  blocks.take(p);
  linalg::detail::ProjectedGradients<double>()(blocks, steps_of(p), steps, P);
  return P;
}

TEST_CASE("projected gradients lead to the solution of a cone problem", "[linalg]") {
  std::mt19937 engine(3);
  for (const double mu : {0.0, 0.4, std::numeric_limits<double>::infinity()}) {
    const Problem p = row_of_contacts(24, mu, 0.3, engine);
    const auto solution = linalg::solve_cone_problem<double>(p);
    REQUIRE(solution.converged);
    double before = std::numeric_limits<double>::infinity();
    for (const int steps : {5, 20, 80, 320}) {
      const Impulses P = after(p, steps);
      double off = 0;
      for (Eigen::Index i = 0; i < p.size(); ++i) {
        off = std::max(off, std::abs(P[i] - solution.P[i]));
        if (i % 3 == 0) {
          CHECK(P[i] >= 0);
          if (std::isfinite(mu)) CHECK(std::hypot(P[i + 1], P[i + 2]) <= mu * P[i] * (1 + 1e-15));
        }
      }
      CHECK(off < before);
      before = 0.5 * off + 1e-15;
    }
    CHECK(before < 1e-6);
  }
}

TEST_CASE("redundant contacts bear even parts after projected gradients", "[linalg]") {
  // twelve contacts that hold one body along their common normal
  Problem p(0, std::vector<double>(12, 0.3));
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j <= i; ++j) p.put(i, j, Mat<double, 3>::Identity());
  for (Eigen::Index i = 0; i < 12; ++i) p.b[3 * i] = -1;
  const Impulses near = after(p, 5);
  for (Eigen::Index i = 0; i < 12; ++i) CHECK(near[3 * i] == near[0]);
  CHECK(near[0] > 0.5 / 12);
  const auto solution = linalg::solve_cone_problem<double>(p);
  REQUIRE(solution.converged);
  for (Eigen::Index i = 0; i < 12; ++i) CHECK(std::abs(solution.P[3 * i] - 1.0 / 12) < 1e-13);
}

TEST_CASE("near by projected gradients Newton's method takes fewer steps", "[linalg]") {
  std::mt19937 engine(5);
  for (const int contacts : {8, 40, 160}) {
    const Problem p = row_of_contacts(contacts, 0.4, 0.45, engine);
    const auto solution = linalg::solve_cone_problem<double>(p);
    CHECK(solution.converged);
    Problem::Column little = Problem::Column::Zero(p.size());
    little[0] = 1e-200;  // so it is not begun nearby
    const auto from_there = linalg::solve_cone_problem<double>(p, {}, little);
    CHECK(from_there.converged);
    CHECK(solution.newton < from_there.newton);
    CHECK(test::breach(p, solution.P) < 1e-12);
  }
}

}  // namespace projected_gradients_test
