#include <algorithm>
#include <cmath>

#include <dalembert/lie/se2.hpp>

#include "lie/reference.hpp"
#include "lie/sample.hpp"
#include "support/catch.hpp"

using namespace dalembert;
using reference::error;
using reference::Long;

namespace se2_test {

using T = Vec<double, 3>;
using P = Vec<double, 2>;
using LT = Vec<Long, 3>;
using LM = Mat<Long, 3>;

TEST_CASE("a wheel that rolls on a circle comes to where it should", "[lie][se2]") {
  // speed 1 along the body's first axis, rate 1: after a quarter turn at (1, 1), looking along e2
  const double quarter = static_cast<double>(pi / 2);
  const SE2d g = SE2d::exp(quarter * T(1, 0, 1));
  CHECK((g.translation() - P(1, 1)).norm() < 1e-15);
  CHECK(g.angle() == Approx(quarter));
  CHECK((g.act({1, 0}) - P(1, 2)).norm() < 1e-15);
  CHECK((SE2d(1, 1, quarter).inverse() * g).log().norm() < 1e-15);
}

TEST_CASE("the bracket and the momentum equation of SE(2) have their signs", "[lie][se2]") {
  const T xi(1, 2, 3), eta(-2, 0.5, 4), mu(3, -1, 2);
  CHECK(SE2d::ad(xi, eta) == T(2 * 4 - 3 * 0.5, 3 * -2 - 1 * 4, 0));
  CHECK(SE2d::coad(xi, mu) == T(3 * -1, -3 * 3, 2 * 3 - 1 * -1));
}

TEST_CASE("exp, log and Jacobians of SE(2) are accurate to a few ulp from 1e-14 to pi", "[lie][se2]") {
  test::Sample sample(test::seed());
  double exp = 0, log = 0, jacobian = 0, inverse = 0;
  for (const double size : reference::angles(300)) {
    const double angle = sample.uniform(-1, 1) < 0 ? -size : size;
    T xi;
    xi << sample.decade(-3, 2) * sample.unit<2>(), angle;
    const LT exact = xi.cast<Long>();
    const SE2d g = SE2d::exp(xi);
    exp = std::max(exp, error(g.matrix(), reference::series(reference::algebra2(exact), 0)));

    const Long theta =
        std::atan2(static_cast<Long>(g.rotation().sine()), static_cast<Long>(g.rotation().cosine()));
    const LM V = reference::series(reference::algebra2(LT(0, 0, theta)), 1);
    LT twist;
    twist << V.topLeftCorner<2, 2>().inverse() * g.translation().cast<Long>(), theta;
    log = std::max(log, error(g.log(), twist));

    const LM ad = reference::adjoint2(exact), J = reference::series(ad, 1),
             Jr = reference::series(LM(-ad), 1);
    jacobian = std::max({jacobian, error(SE2d::left_jacobian(xi), J), error(SE2d::right_jacobian(xi), Jr)});
    inverse = std::max({inverse, error(SE2d::left_jacobian_inverse(xi), LM(J.inverse())),
                        error(SE2d::right_jacobian_inverse(xi), LM(Jr.inverse()))});
  }
  CAPTURE(exp, log, jacobian, inverse);
  CHECK(exp < 4);
  CHECK(log < 4);
  CHECK(jacobian < 4);
  CHECK(inverse < 4);
}

TEST_CASE("large turns of SE(2) are those of their sine and cosine", "[lie][se2]") {
  for (const double angle : {3.5, -5.0, 40.0, -1e6}) {
    const SE2d g = SE2d::exp(T(1, 0, angle));
    CAPTURE(angle);
    CHECK(g.rotation().sine() == std::sin(angle));
    CHECK((g.translation() - P(std::sin(angle), 1 - std::cos(angle)) / angle).norm() < 1e-15);
  }
}

}  // namespace se2_test
