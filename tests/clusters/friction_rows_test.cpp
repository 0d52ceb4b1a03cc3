// Rows of which some are friction: the system in which no number grows is the one with ε/τ.

#include <dalembert/clusters/friction_rows.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/eigen.hpp"

namespace friction_rows_test {

using namespace dalembert;
constexpr int P = 1, R = 3;
using Rows = assembly::detail::FrictionRows<double, P, R>;
using Square = Mat<double, R>;

Square random_square(test::Draw& draw) {
  Square a;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j) a(i, j) = draw.between(-1, 1) + (i == j ? 2.0 : 0.0);
  return a;
}

TEST_CASE("the multipliers of friction are those of G + (ε/τ) T, whatever ε, τ and the scale of G",
          "[clusters]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 50; ++round) {
    const double size = draw.power(-6, 6), epsilon = size * draw.power(-3, 3), duration = draw.power(-2, 2);
    const Square a = random_square(draw), G = size * a * a.transpose();
    Eigen::Matrix<double, P, R> along;
    for (int r = 0; r < R; ++r) along(0, r) = draw.between(-1, 1);
    const Square N = along.transpose() * along / along.squaredNorm(), T = Square::Identity() - N;
    Rows rows;
    rows.find(epsilon, along);
    CHECK((rows.exact - N).norm() < 1e-14);
    rows.set_duration(duration, G.trace() / R);
    CHECK((rows.shape * N - N).norm() < 1e-14);  // exact rows keep their scale
    double half[R * (R + 1) / 2];
    for (int i = 0, k = 0; i < R; ++i)
      for (int j = 0; j <= i; ++j, ++k) half[k] = G(i, j);
    rows.resist(half);
    Square system;
    for (int i = 0, k = 0; i < R; ++i)
      for (int j = 0; j <= i; ++j, ++k) system(i, j) = system(j, i) = half[k];
    const Vec<double, R> b = random_square(draw).col(0);
    const Vec<double, R> lambda = rows.shape * system.lu().solve(Vec<double, R>(rows.shape * b));
    const Vec<double, R> expected = Square(G + epsilon / duration * T).lu().solve(b);
    CHECK((lambda - expected).norm() < 1e-10 * expected.norm());
  }
}

TEST_CASE("without mobility all rows hold, and none is friction", "[clusters]") {
  Rows rows;
  rows.find(0.0, Eigen::Matrix<double, P, R>(0.1, 0.2, 0.3));
  rows.set_duration(0.1, 2.0);
  CHECK(rows.exact == Square::Identity());
  CHECK(rows.shape == Square::Identity());
  CHECK(rows.resistance == 0);
  CHECK(rows.force(Vec<double, R>(1, 2, 3)).norm() == 0);
  CHECK(rows.rubbing(Vec<double, R>(1, 2, 3)).norm() == 0);
}

TEST_CASE("friction is the slip along the rows that rub over −ε, whatever ε", "[clusters]") {
  test::Draw draw(test::seed());
  for (const double epsilon : {1e-12, 1e-3, 0.5, 1.0, 2.0, 1e3, 1e12}) {
    CAPTURE(epsilon);
    Eigen::Matrix<double, P, R> along;
    for (int r = 0; r < R; ++r) along(0, r) = draw.between(0.2, 1);
    const Vec<double, R> slip = random_square(draw).col(0);
    Rows rows;
    rows.find(epsilon, along);
    const Square T = Square::Identity() - along.transpose() * along / along.squaredNorm();
    const Vec<double, R> force = rows.force(slip), expected = T * slip / -epsilon;
    CHECK((force - expected).norm() < 1e-13 * slip.norm() / epsilon);
    CHECK((rows.left(slip, slip, force) - (slip - T * slip)).norm() < 1e-13 * slip.norm());
  }
}

}  // namespace friction_rows_test
