#include <dalembert/linalg/cone_types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace cone_types_test {

using Problem = dalembert::linalg::ConeProblem<double>;
using Block = dalembert::Mat<double, 3>;
using Catch::Matchers::ContainsSubstring;
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST_CASE("rows that hold come first, then three a contact, and all begin at zero", "[linalg][cone]") {
  Problem p(2, {0.3, 0, infinite});
  CHECK(p.size() == 11);
  CHECK(p.row(0) == 2);
  CHECK(p.row(2) == 8);
  CHECK(p.G.rows() == 11);
  CHECK(p.G.cols() == 11);
  CHECK(p.b.size() == 11);
  CHECK(p.largest_response() == 0);
  for (Eigen::Index i = 0; i < 11; ++i) CHECK(p.b[i] == 0);
  p.check();
  p.G(3, 4) = 1;
  p.b[5] = 1;
  p.held = 1;
  p.friction.pop_back();
  p.clear();
  CHECK(p.G.rows() == 7);
  CHECK(p.b.size() == 7);
  for (Eigen::Index i = 0; i < p.G.size(); ++i) CHECK(p.G.data()[i] == 0);
  for (Eigen::Index i = 0; i < 7; ++i) CHECK(p.b[i] == 0);
  CHECK(Problem(0, {}).size() == 0);
}

TEST_CASE("a block is put with its transpose, and velocities are those before and what impulses add",
          "[linalg][cone]") {
  test::Draw draw(test::seed());
  Problem p(1, {0.3, 0.4});
  Block block;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block(i, j) = 1 + 3 * i + j;
  p.put(1, 0, block);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      CHECK(p.G(4 + i, 1 + j) == block(i, j));
      CHECK(p.G(1 + j, 4 + i) == block(i, j));
    }
  for (double& x : p.b) x = draw.between(-1, 1);
  Problem::Column impulse(7);
  for (Eigen::Index i = 0; i < 7; ++i) impulse[i] = draw.between(-1, 1);
  const Problem::Column u = p.velocities(impulse);
  CHECK(u[0] == p.b[0]);
  for (int i = 0; i < 3; ++i) {
    double down = p.b[4 + i], up = p.b[1 + i];
    for (int j = 0; j < 3; ++j) {
      down += block(i, j) * impulse[1 + j];
      up += block(j, i) * impulse[4 + j];
    }
    CHECK(u[4 + i] == Approx(down));
    CHECK(u[1 + i] == Approx(up));
  }
  CHECK(p.largest_response() == 0);  // of what is on the diagonal
  p.G(2, 2) = 5;
  p.G(6, 6) = 7;
  p.G(0, 0) = 3;
  CHECK(p.largest_response() == 7);
}

/// The nearest point of |P_t| ≤ μ P_n to y, by search along the angle in the plane of the normal and y_t.
dalembert::Vec<double, 3> nearest_of_cone(const dalembert::Vec<double, 3>& y, double mu) {
  const double tangent = std::hypot(y[1], y[2]);
  if (tangent <= mu * y[0]) return y;
  const double along = std::max(0.0, (y[0] + mu * tangent) / (1 + mu * mu));
  const double part = tangent > 0 ? mu * along / tangent : 0;
  return {along, part * y[1], part * y[2]};
}

TEST_CASE("the natural map is the distance of impulses from where de Saxcé's law would put them",
          "[linalg][cone]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 200; ++round) {
    const double scale = draw.power(-6, 6);
    const int held = draw.below(3);
    Problem p(held, {draw.between(0, 2), 0});
    for (Eigen::Index i = 0; i < p.size(); ++i) {
      p.b[i] = draw.between(-1, 1);
      for (Eigen::Index j = 0; j <= i; ++j)
        p.G(i, j) = p.G(j, i) = scale * (draw.between(-0.1, 0.1) + (i == j ? draw.between(0.5, 2) : 0));
    }
    Problem::Column impulse(p.size());
    for (Eigen::Index i = 0; i < p.size(); ++i) impulse[i] = draw.between(-1, 1) / scale;
    double largest = 0;
    for (Eigen::Index i = 0; i < p.size(); ++i) largest = std::max(largest, p.G(i, i));
    const double rho = 1 / largest;
    double worst = 0;
    std::vector<double> u;
    for (Eigen::Index i = 0; i < p.size(); ++i) {
      u.push_back(p.b[i]);
      for (Eigen::Index j = 0; j < p.size(); ++j) u.back() += p.G(i, j) * impulse[j];
    }
    for (int i = 0; i < held; ++i) worst = std::max(worst, rho * std::abs(u[static_cast<std::size_t>(i)]));
    for (const std::size_t c : {0U, 1U}) {
      const Eigen::Index i = held + 3 * static_cast<Eigen::Index>(c);
      const auto at = static_cast<std::size_t>(i);
      const double slip = std::hypot(u[at + 1], u[at + 2]), mu = p.friction[c];
      const auto moved = nearest_of_cone({impulse[i] - rho * (u[at] + mu * slip),
                                          impulse[i + 1] - rho * u[at + 1], impulse[i + 2] - rho * u[at + 2]},
                                         mu);
      worst = std::max(worst, std::hypot(std::hypot(impulse[i] - moved[0], impulse[i + 1] - moved[1]),
                                         impulse[i + 2] - moved[2]));
    }
    CAPTURE(round);
    CHECK(p.natural_map(impulse) == Approx(worst).epsilon(1e-12));
  }
}

TEST_CASE("the natural map is zero where a contact sticks, slips or parts as Coulomb's law says",
          "[linalg][cone]") {
  // a point of mass 2 that comes down at 1, and slides at 3 or 0.3
  Problem p(0, {0.5});
  for (int i = 0; i < 3; ++i) p.G(i, i) = 0.5;
  Problem::Column impulse(3);
  p.b[0] = -1, p.b[1] = 3, p.b[2] = 0;
  impulse << 2, -1, 0;
  CHECK(p.natural_map(impulse) < 1e-15);
  impulse[1] = 1;
  CHECK(p.natural_map(impulse) > 0.5);  // friction must not push on
  p.b[1] = 0.3;
  impulse[1] = -0.6;
  CHECK(p.natural_map(impulse) < 1e-15);
  p.b[0] = 1;
  impulse.setZero();
  CHECK(p.natural_map(impulse) == 0);
}

TEST_CASE("problems that mean nothing are refused, with what is wrong", "[linalg][cone]") {
  const double nan = std::nan("");
  CHECK_THROWS_AS(Problem(0, {-0.1}).check(), std::invalid_argument);
  CHECK_THROWS_WITH(Problem(0, {0.2, -0.1}).check(), ContainsSubstring("friction = -0.1"));
  CHECK_THROWS_WITH(Problem(0, {nan}).check(), ContainsSubstring("friction"));
  CHECK_NOTHROW(Problem(1, {0, infinite}).check());
  Problem p(1, {0.3});
  p.held = -1;
  CHECK_THROWS_WITH(p.check(), ContainsSubstring("rows that hold = -1"));
  p.held = 2;
  CHECK_THROWS_WITH(p.check(), ContainsSubstring("rows of G = 4"));
  p.G.set_zero(5, 5);
  CHECK_THROWS_WITH(p.check(), ContainsSubstring("size of b = 4"));
  p.b.set_zero(5);
  CHECK_NOTHROW(p.check());
  for (const double bad : {nan, infinite, -infinite}) {
    p.b[4] = bad;
    CHECK_THROWS_WITH(p.check(), ContainsSubstring("not finite"));
    p.b[4] = 0;
    p.G(4, 4) = bad;
    CHECK_THROWS_WITH(p.check(), ContainsSubstring("not finite"));
    p.G(4, 4) = 0;
  }
  CHECK_NOTHROW(p.check());
}

TEST_CASE("where nothing moves by impulses the natural map of rows that hold is their velocity",
          "[linalg][cone]") {
  Problem p(2, {});
  p.b << 0.25, -3;
  Problem::Column impulse(2);
  impulse << 5, 7;
  CHECK(p.natural_map(impulse) == 3);
  CHECK(dalembert::linalg::detail::natural_map(p, impulse, Problem::Column(-2 * p.b)) == 6);
}

}  // namespace cone_types_test
