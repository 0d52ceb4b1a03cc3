#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/lie/so3.hpp>

#include "lie/reference.hpp"
#include "lie/sample.hpp"
#include "support/catch.hpp"

using namespace dalembert;
using reference::error;
using reference::Long;

namespace so3_test {

using V = Vec<double, 3>;
using M = Mat<double, 3>;
using LV = Vec<Long, 3>;
using LM = Mat<Long, 3>;

LV wide(const V& x) { return x.cast<Long>(); }

TEST_CASE("a quarter turn about e3 takes e1 to e2", "[lie][so3]") {
  const SO3d g = SO3d::exp({0, 0, static_cast<double>(pi / 2)});
  CHECK((g.act(V::UnitX()) - V::UnitY()).norm() < 1e-15);
  CHECK((g.matrix() * V::UnitX() - V::UnitY()).norm() < 1e-15);
  CHECK(g.w() == Approx(std::sqrt(0.5)));
  CHECK(g.v()[2] == Approx(std::sqrt(0.5)));
  // first the right factor: e3 → e2 by the quarter turn about −e1, which that about e3 takes to −e1
  const SO3d h = SO3d::exp({static_cast<double>(-pi / 2), 0, 0});
  CHECK(((g * h).act(V::UnitZ()) + V::UnitX()).norm() < 1e-15);
}

TEST_CASE("hat is the cross product", "[lie][so3]") {
  const V a{1, 2, 3}, b{-2, 0.5, 4};
  CHECK(SO3d::hat(a) * b == a.cross(b));
  CHECK(SO3d::vee(SO3d::hat(a)) == a);
  CHECK(SO3d::ad(a, b) == a.cross(b));
  CHECK(SO3d::coad(a, b) == b.cross(a));
}

TEST_CASE("exp, log and Jacobians are accurate to a few ulp from 1e-14 to pi", "[lie][so3]") {
  test::Sample sample(test::seed());
  double exp = 0, vector = 0, log = 0, turned = 0, jacobian = 0, inverse = 0, matrix = 0;
  for (const double angle : reference::angles(300)) {
    const V omega = angle * sample.unit<3>();
    const LM hat = reference::hat(wide(omega)), R = reference::series(hat, 0), J = reference::series(hat, 1);
    const SO3d g = SO3d::exp(omega);
    exp = std::max(exp, error(g.matrix(), R));
    const Long theta = wide(omega).norm();
    vector = std::max(vector, error(g.v(), LV(std::sin(theta / 2) / theta * wide(omega))));
    log = std::max(log, error(g.log(), reference::log(static_cast<Long>(g.w()), wide(g.v()))));
    const SO3d minus = SO3d::from_unit_quaternion(-g.w(), -g.v());
    turned = std::max(turned, error(minus.log(), reference::log(static_cast<Long>(g.w()), wide(g.v()))));
    matrix = std::max(matrix, error(SO3d::from_matrix(g.matrix()).matrix(), LM(g.matrix().cast<Long>())));
    jacobian = std::max({jacobian, error(SO3d::left_jacobian(omega), J),
                         error(SO3d::right_jacobian(omega), LM(J.transpose()))});
    inverse = std::max({inverse, error(SO3d::left_jacobian_inverse(omega), LM(J.inverse())),
                        error(SO3d::right_jacobian_inverse(omega), LM(J.transpose().inverse()))});
  }
  CAPTURE(exp, vector, log, turned, jacobian, inverse, matrix);
  CHECK(exp < 8);
  CHECK(vector < 4);
  CHECK(log < 4);
  CHECK(turned < 4);
  CHECK(jacobian < 6);
  CHECK(inverse < 4);
  CHECK(matrix < 10);
}

TEST_CASE("log is right at half a turn and at none", "[lie][so3]") {
  CHECK(SO3d::identity().log() == V::Zero());
  CHECK(SO3d::from_unit_quaternion(-1, V::Zero()).log() == V::Zero());
  const V axis = V(1, -2, 2) / 3;
  const V half = SO3d::from_unit_quaternion(0, axis).log();
  CHECK((half - static_cast<double>(pi) * axis).norm() < 1e-15);
  CHECK((SO3d::from_unit_quaternion(-1e-9, axis).log() + (static_cast<double>(pi) - 2e-9) * axis).norm() <
        1e-15);
}

TEST_CASE("a matrix gives back its rotation, whatever component is the largest", "[lie][so3]") {
  for (const V& axis : {V(V::UnitX()), V(V::UnitY()), V(V::UnitZ()), V(V(1, 1, 1).normalized())}) {
    for (const double angle : {0.0, 1e-8, 0.5, 2.0, 3.1, 3.14159265, 4.0}) {
      const SO3d g = SO3d::exp(angle * axis);
      CAPTURE(axis.transpose(), angle);
      CHECK((SO3d::from_matrix(g.matrix()).inverse() * g).log().norm() < 1e-15);
    }
  }
  using P = Pack<double, 4>;
  const Vec<P, 3> omega{P(0.3), P(-2.0), P(0.1)};
  const SO3<P> g = SO3<P>::from_matrix(SO3<P>::exp(omega).matrix());
  CHECK((SO3d::exp({0.3, -2.0, 0.1}).log() - V(g.log()[0][3], g.log()[1][3], g.log()[2][3])).norm() < 1e-15);
}

TEST_CASE("what is not a rotation is refused", "[lie][so3]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_AS(SO3d::from_quaternion(0, V::Zero()), std::invalid_argument);
  CHECK_THROWS_WITH(SO3d::from_matrix(M::Zero()), ContainsSubstring("orthogonal"));
  CHECK_THROWS_WITH(SO3d::from_matrix(-M::Identity()), ContainsSubstring("handedness"));
  M nan = M::Identity();
  nan(0, 0) = std::nan("");
  CHECK_THROWS_AS(SO3d::from_matrix(nan), std::invalid_argument);
  CHECK(SO3d::from_quaternion(2, V::Zero()) == SO3d::identity());
}

TEST_CASE("one Newton step normalises the quaternion of a long product", "[lie][so3]") {
  SO3d bare, kept;
  const SO3d step = SO3d::exp({0.1, -0.2, 0.3});
  for (int i = 0; i < 100000; ++i) {
    bare = bare * step;
    kept = (kept * step).normalised();
  }
  const auto off = [](const SO3d& g) { return std::abs(g.w() * g.w() + g.v().squaredNorm() - 1); };
  CHECK(off(bare) > 1e-13);
  CHECK(off(kept) < 5e-16);
  CHECK(off(SO3d::from_unit_quaternion(1.001, V::Zero()).normalised()) < 4e-6);
}

TEST_CASE("exp of many rounds is a unit quaternion", "[lie][so3]") {
  for (const double angle : {1e4, 1e9, 1e12, 1e16, 1e30, 1e150}) {
    CAPTURE(angle);
    const SO3d g = SO3d::exp({0.6 * angle, 0.3, 0.8 * angle});
    CHECK(std::abs(g.w() * g.w() + g.v().squaredNorm() - 1) < 1e-15);
  }
}

TEST_CASE("log and exp of SO(3) have right derivatives at zero", "[lie][so3]") {
  const auto there_and_back = [](const auto& x) {
    using S = typename std::decay_t<decltype(x)>::Scalar;
    return SO3<S>::exp(x).log();
  };
  const V zero = V::Zero();
  CHECK(jacobian(there_and_back, zero) == M::Identity());
  // d²/dω² of the first entry of R: −1 for ω₂ and ω₃
  const auto entry = [](const auto& x) {
    using S = typename std::decay_t<decltype(x)>::Scalar;
    return SO3<S>::exp(x).matrix()(0, 0);
  };
  CHECK((hessian(entry, zero) - M(V(0, -1, -1).asDiagonal())).norm() < 1e-16);
}

}  // namespace so3_test
