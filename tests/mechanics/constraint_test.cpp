#include <dalembert/mechanics/constraint.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace {

using namespace dalembert;
using namespace test;

static_assert(position_rows<SphericalPendulum<>> == 1 && velocity_rows<SphericalPendulum<>> == 0);
static_assert(velocity_rows<TwoRows<>> == 2 && kinematic_rows<TwoRows<>> == 2 &&
              variational_rows<TwoRows<>> == 2);
static_assert(kinematic_rows<HeavyTop<>> == 0 && variational_rows<HeavyTop<>> == 0);
static_assert(std::is_same_v<PrincipleOf<Suslov<>>, principle::DAlembert>);
static_assert(std::is_same_v<PrincipleOf<ConstantSpeed<>>, principle::Chetaev>);
static_assert(std::is_same_v<PrincipleOf<SlantedBlade<>>, principle::Given>);

TEST_CASE("rows have the system's names, or their kind and number", "[constraint]") {
  REQUIRE(constraint_name<TwoRows<>>(1) == "second rail");
  REQUIRE(constraint_name<SphericalPendulum<>>(0) == "position row 0");
  REQUIRE(constraint_name<Suslov<>>(0) == "velocity row 0");
}

TEST_CASE("a position constraint is lifted twice", "[constraint]") {
  // φ = |x|² − 1, φ̇ = 2x·v, φ̈ = 2x·v̇ + 2|v|²
  const SphericalPendulum<> pendulum;
  const Vec<double, 3> x(0.3, -0.5, 0.9), v(1.1, 0.2, -0.4);
  const Rn<double, 3> q(x);
  REQUIRE(position_constraint<double>(pendulum, q, 0.0)[0] == Approx(x.squaredNorm() - 1));
  REQUIRE((constraint_jacobian(pendulum, q, v, 0.0) - 2 * x.transpose()).norm() < 1e-15);
  REQUIRE(constraint_velocity(pendulum, q, v, 0.0)[0] == Approx(2 * x.dot(v)));
  REQUIRE(constraint_drift(pendulum, q, v, 0.0)[0] == Approx(2 * v.squaredNorm()));
}

TEST_CASE("the lift of a position constraint knows its dependence on time", "[constraint]") {
  // φ = y c − x s: φ̇ = ẏc − ẋs − Ω(ys + xc), φ̈ = … − 2Ω(ẏs + ẋc) − Ω²(yc − xs)
  const BeadOnTurningLine<> bead{.rate = 1.1};
  const double x = 0.3, y = -0.5, vx = 1.1, vy = 0.2, t = 0.6, c = std::cos(1.1 * t), s = std::sin(1.1 * t);
  const Rn<double, 2> q(Vec<double, 2>(x, y));
  const Vec<double, 2> v(vx, vy);
  REQUIRE((constraint_jacobian(bead, q, v, t) - Mat<double, 1, 2>(-s, c)).norm() < 1e-15);
  REQUIRE(constraint_velocity(bead, q, v, t)[0] == Approx(vy * c - vx * s - 1.1 * (y * s + x * c)));
  REQUIRE(constraint_drift(bead, q, v, t)[0] ==
          Approx(-2 * 1.1 * (vy * s + vx * c) - 1.1 * 1.1 * (y * c - x * s)));
}

TEST_CASE("a velocity constraint is lifted once, along the motion", "[constraint]") {
  // R = ż − yẋ, Ṙ = z̈ − yẍ − ẏẋ
  const NonholonomicParticle<> particle;
  const Rn<double, 3> q(Vec<double, 3>(0.3, -0.5, 0.9));
  const Vec<double, 3> v(1.1, 0.2, -0.4);
  REQUIRE(velocity_constraint<double>(particle, q, v, 0.0)[0] == Approx(-0.4 + 0.5 * 1.1));
  REQUIRE((constraint_jacobian(particle, q, v, 0.0) - Mat<double, 1, 3>(0.5, 0, 1)).norm() < 1e-15);
  REQUIRE(constraint_drift(particle, q, v, 0.0)[0] == Approx(-0.2 * 1.1));
}

/// The blade's velocity in space as a row: −ẋ sin φ + ẏ cos φ written with g, so that the lift has to move g on a group.
struct SpatialRow {
  using Group = SE2<double>;
  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return T(0.5) * T(xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]);
  }
  template <class T>
  T velocity_constraint(const SE2<T>& g, const Vec<T, 3>& xi) const {
    const Vec<T, 2> velocity = g.rotation().act(Vec<T, 2>(xi[0], xi[1]));
    return velocity[1];
  }
};

TEST_CASE("the flow on a group is g exp(s xi)", "[constraint]") {
  // R = u sin φ + v cos φ, its drift is ω(u cos φ − v sin φ)
  const double u = 0.7, v = -0.2, omega = 1.3, phi = 0.4;
  const auto drift = constraint_drift(SpatialRow{}, SE2d(1, 2, phi), Vec<double, 3>(u, v, omega), 0.0);
  REQUIRE(drift[0] == Approx(omega * (u * std::cos(phi) - v * std::sin(phi))));
}

/// The distance of a point of the body from the origin, as a position row on SE(2).
struct TetheredBody {
  using Group = SE2<double>;
  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return T(0.5) * T(xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]);
  }
  template <class T>
  T position_constraint(const SE2<T>& g) const {
    const Vec<T, 2> point = g.act(Vec<T, 2>(T(0.5), T(-0.3)));
    return T(0.5) * T(point[0] * point[0] + point[1] * point[1] - T(1));
  }
};

TEST_CASE("the second derivative along the flow on a group is exact", "[constraint]") {
  // φ = ½|r|² − ½ for a point of the body: φ̇ = r·ṙ, d²/ds² = |ṙ|² + r·r̈ with r̈ at constant ξ = R(ω × (V + ω × b))
  const SE2d g(0.4, -0.7, 0.9);
  const Vec<double, 3> xi(0.7, -0.2, 1.3);
  const Vec<double, 2> body(0.5, -0.3);
  const auto turn = [](const Vec<double, 2>& p) { return Vec<double, 2>(-p[1], p[0]); };
  const Vec<double, 2> r = g.act(body);
  const Vec<double, 2> in_body = Vec<double, 2>(xi[0], xi[1]) + xi[2] * turn(body);
  const Vec<double, 2> velocity = g.rotation().act(in_body);
  const Vec<double, 2> acceleration = g.rotation().act(Vec<double, 2>(xi[2] * turn(in_body)));
  REQUIRE(constraint_velocity(TetheredBody{}, g, xi, 0.0)[0] == Approx(r.dot(velocity)));
  REQUIRE((constraint_jacobian(TetheredBody{}, g, xi, 0.0) * xi)[0] == Approx(r.dot(velocity)));
  REQUIRE(constraint_drift(TetheredBody{}, g, xi, 0.0)[0] ==
          Approx(velocity.squaredNorm() + r.dot(acceleration)));
}

TEST_CASE("the rows of C_V are those of the principle", "[constraint]") {
  const SE2d g;
  const Vec<double, 3> xi(1, 0, 2);
  const SlantedBlade<> blade{.slant = 0.35};
  const Mat<double, 1, 3> kinematic = constraint_jacobian(blade, g, xi, 0.0);
  REQUIRE((kinematic - Mat<double, 1, 3>(0, 1, 0)).norm() < 1e-15);
  REQUIRE((variational_jacobian(blade, g, xi, 0.0, kinematic) -
           Mat<double, 1, 3>(std::sin(0.35), std::cos(0.35), 0))
              .norm() < 1e-15);
  const ConstantSpeed<> speed;
  const Vec<double, 2> v(0.6, 0.8);
  const Mat<double, 1, 2> gradient = constraint_jacobian(speed, Rn<double, 2>(), v, 0.0);
  REQUIRE((variational_jacobian(speed, Rn<double, 2>(), v, 0.0, gradient) - v.transpose()).norm() < 1e-15);
}

}  // namespace
