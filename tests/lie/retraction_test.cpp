#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <dalembert/lie/retraction.hpp>

#include "lie/sample.hpp"
#include "support/catch.hpp"

using namespace dalembert;

namespace retraction_test {

/// (1 − ½X)⁻¹(1 + ½X).
template <int N>
Mat<double, N> transform(const Mat<double, N>& X) {
  const Mat<double, N> one = Mat<double, N>::Identity();
  return (one - 0.5 * X).inverse() * (one + 0.5 * X);
}

TEST_CASE("cay is the Cayley transform of the matrices", "[lie][cayley]") {
  test::Sample sample(test::seed());
  for (int i = 0; i < 20; ++i) {
    const Vec<double, 6> xi = 3 * sample.vector<6>();
    const Vec<double, 3> omega = xi.tail<3>();
    CHECK((Cayley::map<SO3d>(omega).matrix() - transform(SO3d::hat(omega))).norm() < 1e-14);

    Mat<double, 4> X = Mat<double, 4>::Zero();
    X.topLeftCorner<3, 3>() = SO3d::hat(omega);
    X.topRightCorner<3, 1>() = xi.head<3>();
    CHECK((Cayley::map<SE3d>(xi).matrix() - transform(X)).norm() < 1e-14);

    const Vec<double, 3> plane = xi.head<3>();
    Mat<double, 3> Y;
    Y << 0, -plane[2], plane[0], plane[2], 0, plane[1], 0, 0, 0;
    CHECK((Cayley::map<SE2d>(plane).matrix() - transform(Y)).norm() < 1e-14);

    // T⁻¹η = (1 − ½ξ) η (1 + ½ξ) as matrices
    const Vec<double, 3> eta = sample.vector<3>();
    const Mat<double, 3> one = Mat<double, 3>::Identity(), hat = SO3d::hat(omega);
    const Vec<double, 3> given = Cayley::spatial_tangent_inverse<SO3d>(omega) * eta;
    CHECK((given - SO3d::vee((one - 0.5 * hat) * SO3d::hat(eta) * (one + 0.5 * hat))).norm() < 1e-14);
  }
}

TEST_CASE("cay and exp part at the third order, by a twelfth of the cube of the angle", "[lie][cayley]") {
  for (const double h : {0.02, 0.01}) {
    const double apart = h - Cayley::map<SO2d>(Vec<double, 1>(h)).angle();
    CHECK(apart == Approx(h * h * h / 12).epsilon(1e-3));
  }
}

TEST_CASE("many small retractions leave the rotation normalised", "[lie][retraction]") {
  SE3d g;
  Vec<double, 6> xi;
  xi << 0.1, 0, 0, 0.01, -0.02, 0.03;
  for (int i = 0; i < 20000; ++i) g = Exponential::retract(g, xi);
  CHECK(std::abs(g.rotation().w() * g.rotation().w() + g.rotation().v().squaredNorm() - 1) < 5e-16);
  // the same screw in one go
  const SE3d once = SE3d::exp(20000 * xi);
  CHECK((g.translation() - once.translation()).norm() < 1e-8);
  CHECK((g.rotation().matrix() - once.rotation().matrix()).norm() < 1e-10);
}

TEST_CASE("the body tangent turns a body velocity into the rate of local coordinates", "[lie][retraction]") {
  // g(t) = g₀ τ(ξ(t)) with body velocity ν: over a short time, τ⁻¹(g₀⁻¹ g exp(hν)) = ξ + h T⁻¹ν + O(h²)
  const Vec<double, 3> xi(0.3, -0.2, 0.9), nu(1, 2, -0.5);
  const double h = 1e-6;
  const auto rate = [&]<class R>(R) {
    const SE2d forth = R::template map<SE2d>(xi) * SE2d::exp(h * nu),
               back = R::template map<SE2d>(xi) * SE2d::exp(-h * nu);
    return Vec<double, 3>((R::inverse_map(forth) - R::inverse_map(back)) / (2 * h));
  };
  CHECK((rate(Exponential{}) - Exponential::body_tangent_inverse<SE2d>(xi, nu)).norm() < 1e-9);
  CHECK((rate(Cayley{}) - Cayley::body_tangent_inverse<SE2d>(xi, nu)).norm() < 1e-9);
}

}  // namespace retraction_test
