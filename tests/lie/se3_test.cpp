#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/lie/se3.hpp>

#include "lie/reference.hpp"
#include "lie/sample.hpp"
#include "support/catch.hpp"

using namespace dalembert;
using reference::error;
using reference::Long;

namespace se3_test {

using V = Vec<double, 3>;
using T = Vec<double, 6>;
using LV = Vec<Long, 3>;
using LT = Vec<Long, 6>;
using LM = Mat<Long, 6>;

TEST_CASE("a screw about e3 moves along e3 and turns", "[lie][se3]") {
  T xi;
  xi << 0, 0, 2, 0, 0, static_cast<double>(pi / 2);
  const SE3d g = SE3d::exp(xi);
  CHECK((g.translation() - V(0, 0, 2)).norm() < 1e-15);
  CHECK((g.act({1, 0, 0}) - V(0, 1, 2)).norm() < 1e-15);
  CHECK((g.log() - xi).norm() < 1e-15);
  // γ comes first: a velocity along the body's e1 while it turns goes round a circle of radius 2/π
  xi << 1, 0, 0, 0, 0, static_cast<double>(pi / 2);
  CHECK((SE3d::exp(xi).translation() - V(1, 1, 0) * static_cast<double>(2 / pi)).norm() < 1e-15);
}

TEST_CASE("the bracket and the momentum equation have their signs", "[lie][se3]") {
  T xi, eta, mu;
  xi << 1, 2, 3, 4, 5, 6;
  eta << -1, 0.5, 2, 0, 3, -2;
  mu << 2, -3, 1, 0.5, 0.25, 4;
  const V gamma = xi.head<3>(), omega = xi.tail<3>(), f = mu.head<3>(), m = mu.tail<3>();
  const V a = eta.head<3>(), b = eta.tail<3>();
  T expected;
  expected << omega.cross(a) + gamma.cross(b), omega.cross(b);
  CHECK(SE3d::ad(xi, eta) == expected);
  expected << f.cross(omega), f.cross(gamma) + m.cross(omega);
  CHECK(SE3d::coad(xi, mu) == expected);
  CHECK(SE3d::ad(xi) == Mat<double, 6>(reference::adjoint(xi.cast<Long>()).cast<double>()));
}

TEST_CASE("exp, log and Jacobians of SE(3) are accurate to a few ulp from 1e-14 to pi", "[lie][se3]") {
  test::Sample sample(test::seed());
  double exp = 0, log = 0, jacobian = 0, inverse = 0, applied = 0;
  for (const double angle : reference::angles(150)) {
    T xi;
    xi << sample.decade(-3, 2) * sample.unit<3>(), angle * sample.unit<3>();
    const LT exact = xi.cast<Long>();
    const SE3d g = SE3d::exp(xi);
    exp = std::max(exp, error(g.matrix(), reference::series(reference::algebra(exact), 0)));

    const LV omega = reference::log(static_cast<Long>(g.rotation().w()), g.rotation().v().cast<Long>());
    LT twist;
    twist << reference::series(reference::hat(omega), 1).inverse() * g.translation().cast<Long>(), omega;
    log = std::max(log, error(g.log(), twist));

    const LM J = reference::series(reference::adjoint(exact), 1),
             Jr = reference::series(LM(-reference::adjoint(exact)), 1);
    jacobian = std::max({jacobian, error(SE3d::left_jacobian(xi), J), error(SE3d::right_jacobian(xi), Jr)});
    inverse = std::max({inverse, error(SE3d::left_jacobian_inverse(xi), LM(J.inverse())),
                        error(SE3d::right_jacobian_inverse(xi), LM(Jr.inverse()))});
    const T eta = sample.vector<6>();
    const LT wide = eta.cast<Long>();
    const auto scaled = [&](const T& given, const LM& by) {  // relative to the size of the matrix
      return static_cast<double>((given.cast<Long>() - by * wide).norm() / (by.norm() * wide.norm())) /
             std::numeric_limits<double>::epsilon();
    };
    applied =
        std::max({applied, scaled(SE3d::left_jacobian(xi, eta), J), scaled(SE3d::right_jacobian(xi, eta), Jr),
                  scaled(SE3d::left_jacobian_inverse(xi, eta), J.inverse()),
                  scaled(SE3d::right_jacobian_inverse(xi, eta), Jr.inverse())});
  }
  CAPTURE(exp, log, jacobian, inverse, applied);
  CHECK(exp < 8);
  CHECK(log < 8);
  CHECK(jacobian < 6);
  CHECK(inverse < 4);
  CHECK(applied < 4);
}

TEST_CASE("Jacobians of SE(3) hold beyond pi, up to the pole at 2 pi", "[lie][se3]") {
  test::Sample sample(test::seed());
  for (const double angle : {3.2, 4.0, 5.0, 6.0, 6.2}) {
    T xi;
    xi << sample.unit<3>(), angle * sample.unit<3>();
    const LM J = reference::series(reference::adjoint(xi.cast<Long>()), 1);
    CAPTURE(angle);
    CHECK(error(SE3d::left_jacobian(xi), J) < 12);
    CHECK(error(SE3d::left_jacobian_inverse(xi), LM(J.inverse())) < 4 / (1 - angle / 6.2831854));
  }
}

TEST_CASE("the matrix of a motion is its homogeneous one", "[lie][se3]") {
  const SE3d g(SO3d::exp({0.1, 0.2, 0.3}), {1, 2, 3}), h(SO3d::exp({-1, 0.4, 2}), {0.5, 0, -1});
  CHECK(((g * h).matrix() - g.matrix() * h.matrix()).norm() < 1e-15);
  CHECK((g.inverse().matrix() - g.matrix().inverse()).norm() < 1e-15);
}

TEST_CASE("exp and log of SE(3) have right derivatives at zero", "[lie][se3]") {
  const auto there_and_back = [](const auto& x) {
    using S = typename std::decay_t<decltype(x)>::Scalar;
    return SE3<S>::exp(x).log();
  };
  CHECK(jacobian(there_and_back, T(T::Zero())) == Mat<double, 6>::Identity());
}

}  // namespace se3_test
