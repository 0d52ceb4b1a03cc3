#include <dalembert/mechanics/detail/differentiated_constraints.hpp>

#include <cmath>

#include <dalembert/mechanics/detail/projection.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace differentiated_constraints_test {

using namespace dalembert;
using namespace test;

/// The rows of a system at rest in its rates, and how much its velocity violates them.
template <class System>
struct Rows
    : SaddlePoint<double, detail::full_size<System>, kinematic_rows<System>, variational_rows<System>> {
  Vec<double, position_rows<System> + velocity_rows<System>> violation;
};

template <class System>
Rows<System> rows(const System& system, const StateOf<System>& at) {
  Rows<System> found;
  const auto mixed = find_mixed_rows(system);
  const Vec<double, System::Group::dof> xidot = Vec<double, System::Group::dof>::Zero();
  const Vec<double, internal_size<System>> zdot = Vec<double, internal_size<System>>::Zero();
  detail::add_rows(system, mixed, at, xidot, zdot, found);
  found.violation = detail::velocity_violation(system, mixed, at);
  return found;
}

template <class System>
Rows<System> rows(const System& system, const ConfigurationOf<System>& g,
                  const Vec<double, System::Group::dof>& xi, double t) {
  return rows(system, place(system, g, xi, t));
}

TEST_CASE("a position constraint is lifted twice", "[lifted_rows]") {
  // φ = |x|² − 1, φ̇ = 2x·v, φ̈ = 2x·v̇ + 2|v|²
  const SphericalPendulum<> pendulum;
  const Vec<double, 3> x(0.3, -0.5, 0.9), v(1.1, 0.2, -0.4);
  const Rn<double, 3> q(x);
  REQUIRE(position_constraint<double>(pendulum, place(pendulum, q, v))[0] == Approx(x.squaredNorm() - 1));
  REQUIRE((rows(pendulum, q, v, 0.0).constraint - 2 * x.transpose()).norm() < 1e-15);
  REQUIRE(rows(pendulum, q, v, 0.0).violation[0] == Approx(2 * x.dot(v)));
  REQUIRE(rows(pendulum, q, v, 0.0).drift[0] == Approx(2 * v.squaredNorm()));
}

TEST_CASE("the lift of a position constraint knows its dependence on time", "[lifted_rows]") {
  // φ = y c − x s: φ̇ = ẏc − ẋs − Ω(ys + xc), φ̈ = … − 2Ω(ẏs + ẋc) − Ω²(yc − xs)
  const BeadOnTurningLine<> bead{.rate = 1.1};
  const double x = 0.3, y = -0.5, vx = 1.1, vy = 0.2, t = 0.6, c = std::cos(1.1 * t), s = std::sin(1.1 * t);
  const Rn<double, 2> q(Vec<double, 2>(x, y));
  const Vec<double, 2> v(vx, vy);
  REQUIRE((rows(bead, q, v, t).constraint - Mat<double, 1, 2>(-s, c)).norm() < 1e-15);
  REQUIRE(rows(bead, q, v, t).violation[0] == Approx(vy * c - vx * s - 1.1 * (y * s + x * c)));
  REQUIRE(rows(bead, q, v, t).drift[0] == Approx(-2 * 1.1 * (vy * s + vx * c) - 1.1 * 1.1 * (y * c - x * s)));
}

TEST_CASE("a velocity constraint is lifted once, along the motion", "[lifted_rows]") {
  // R = ż − yẋ, Ṙ = z̈ − yẍ − ẏẋ
  const NonholonomicParticle<> particle;
  const Rn<double, 3> q(Vec<double, 3>(0.3, -0.5, 0.9));
  const Vec<double, 3> v(1.1, 0.2, -0.4);
  REQUIRE(velocity_constraint<double>(particle, place(particle, q, v), Vec<double, 0>())[0] ==
          Approx(-0.4 + 0.5 * 1.1));
  REQUIRE((rows(particle, q, v, 0.0).constraint - Mat<double, 1, 3>(0.5, 0, 1)).norm() < 1e-15);
  REQUIRE(rows(particle, q, v, 0.0).drift[0] == Approx(-0.2 * 1.1));
}

/// The blade's velocity in space as a row: −ẋ sin φ + ẏ cos φ written with g, so that the lift has to move g on a group.
struct SpatialRow {
  using Group = SE2<double>;
  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return (xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]) / 2;
  }
  template <class T>
  T velocity_constraint(const SE2<T>& g, const Vec<T, 3>& xi) const {
    const Vec<T, 2> velocity = g.rotation().act(Vec<T, 2>(xi[0], xi[1]));
    return velocity[1];
  }
};

TEST_CASE("the flow on a group is g exp(s xi)", "[lifted_rows]") {
  // R = u sin φ + v cos φ, its drift is ω(u cos φ − v sin φ)
  const double u = 0.7, v = -0.2, omega = 1.3, phi = 0.4;
  const auto drift = rows(SpatialRow{}, SE2d(1, 2, phi), Vec<double, 3>(u, v, omega), 0.0).drift;
  REQUIRE(drift[0] == Approx(omega * (u * std::cos(phi) - v * std::sin(phi))));
}

/// The distance of a point of the body from the origin, as a position row on SE(2).
struct TetheredBody {
  using Group = SE2<double>;
  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return (xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]) / 2;
  }
  template <class T>
  T position_constraint(const SE2<T>& g) const {
    const Vec<T, 2> point = g.act(Vec<T, 2>(0.5, -0.3));
    return (point[0] * point[0] + point[1] * point[1] - 1) / 2;
  }
};

TEST_CASE("the second derivative along the flow on a group is exact", "[lifted_rows]") {
  // φ = ½|r|² − ½ for a point of the body: φ̇ = r·ṙ, d²/ds² = |ṙ|² + r·r̈ with r̈ at constant ξ = R(ω × (V + ω × b))
  const SE2d g(0.4, -0.7, 0.9);
  const Vec<double, 3> xi(0.7, -0.2, 1.3);
  const Vec<double, 2> body(0.5, -0.3);
  const auto turn = [](const Vec<double, 2>& p) { return Vec<double, 2>(-p[1], p[0]); };
  const Vec<double, 2> r = g.act(body);
  const Vec<double, 2> in_body = Vec<double, 2>(xi[0], xi[1]) + xi[2] * turn(body);
  const Vec<double, 2> velocity = g.rotation().act(in_body);
  const Vec<double, 2> acceleration = g.rotation().act(Vec<double, 2>(xi[2] * turn(in_body)));
  REQUIRE(rows(TetheredBody{}, g, xi, 0.0).violation[0] == Approx(r.dot(velocity)));
  REQUIRE((rows(TetheredBody{}, g, xi, 0.0).constraint * xi)[0] == Approx(r.dot(velocity)));
  REQUIRE(rows(TetheredBody{}, g, xi, 0.0).drift[0] == Approx(velocity.squaredNorm() + r.dot(acceleration)));
}

TEST_CASE("the rows of C_V are those of the principle", "[lifted_rows]") {
  const SE2d g;
  const Vec<double, 3> xi(1, 0, 2);
  const SlantedBlade<> blade{.slant = 0.35};
  const auto of_blade = rows(blade, g, xi, 0.0);
  REQUIRE((of_blade.constraint - Mat<double, 1, 3>(0, 1, 0)).norm() < 1e-15);
  REQUIRE((of_blade.variational - Mat<double, 1, 3>(std::sin(0.35), std::cos(0.35), 0)).norm() < 1e-15);
  const ConstantSpeed<> speed;
  const Vec<double, 2> v(0.6, 0.8);
  const auto of_speed = rows(speed, Rn<double, 2>(), v, 0.0);
  REQUIRE((of_speed.constraint - v.transpose()).norm() < 1e-15);
  REQUIRE((of_speed.variational - v.transpose()).norm() < 1e-15);
}

TEST_CASE("rows that contain z or its rate are lifted to that rate", "[lifted_rows]") {
  // Maxwell's element: R = ẋ − ż − c z stands as it is; A = (0, −1), β = ẋ − c z.
  const Maxwell<> element;
  const auto at = place(element, Rn<double, 1>(), Vec<double, 1>(0.7), Vec<double, 1>(0.3));
  const auto maxwell = rows(element, at);
  REQUIRE((maxwell.constraint - Mat<double, 1, 2>(0, -1)).norm() < 1e-15);
  REQUIRE(maxwell.drift[0] == Approx(0.7 - element.c * 0.3));
  REQUIRE((maxwell.variational - Mat<double, 1, 2>(1, -1)).norm() < 1e-15);
  REQUIRE(maxwell.violation[0] == 0);

  // φ = z³ + z − x: A = (0, 3z² + 1), β = −ẋ; the virtual displacements know ∂φ/∂x.
  const Cubic<> cubic;
  const auto implicit = rows(cubic, place(cubic, Rn<double, 1>(), Vec<double, 1>(0.7), Vec<double, 1>(0.3)));
  REQUIRE((implicit.constraint - Mat<double, 1, 2>(0, 1.27)).norm() < 1e-15);
  REQUIRE(implicit.drift[0] == Approx(-0.7));
  REQUIRE((implicit.variational - Mat<double, 1, 2>(-1, 1.27)).norm() < 1e-15);
}

/// Two dashpots beside each other, with their springs' stretches.
struct TwoDashpots {
  using Group = Rn<double, 1>;
  static constexpr int internal = 2;
  template <class T>
  T lagrangian(const Vec<T, 1>& v, const Vec<T, 2>& z) const {
    return (v[0] * v[0] - z[0] * z[0] - z[1] * z[1]) / 2;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 1>& v, const Vec<T, 2>& z, const Vec<T, 2>& zdot) const {
    return {v[0] - zdot[0] - 3 * z[0], v[0] - 2 * zdot[1] - zdot[0] - z[1]};
  }
};

TEST_CASE("each rate of several internal coordinates has its column", "[lifted_rows]") {
  const TwoDashpots dashpots;
  const auto found =
      rows(dashpots, place(dashpots, Rn<double, 1>(), Vec<double, 1>(0.7), Vec<double, 2>(0.3, 0.2)));
  CHECK((found.constraint - Mat<double, 2, 3>{{0, -1, 0}, {0, -1, -2}}).norm() < 1e-15);
  CHECK((found.drift - Vec<double, 2>(0.7 - 0.9, 0.7 - 0.2)).norm() < 1e-15);
}

TEST_CASE("rows of order 2 stand as they are", "[lifted_rows]") {
  // R = ẍ − ẏ², under extended Chetaev
  const Servo<> servo;
  const auto at = place(servo, Rn<double, 2>(), Vec<double, 2>(0.7, -1.5));
  const auto found = rows(servo, at);
  REQUIRE((found.constraint - Mat<double, 1, 2>(1, 0)).norm() < 1e-15);
  REQUIRE(found.drift[0] == Approx(-2.25));
  REQUIRE((found.variational - Mat<double, 1, 2>(1, 0)).norm() < 1e-15);
}

/// A(ξ̇, ż) + β of a system's rows linearised at these rates.
template <class System>
auto rows_at_rates(const System& system, const StateOf<System>& at,
                   const Vec<double, System::Group::dof>& xidot,
                   const Vec<double, internal_size<System>>& zdot) {
  Rows<System> found;
  detail::add_rows(system, find_mixed_rows(system), at, xidot, zdot, found);
  const Vec<double, kinematic_rows<System>> value =
      found.constraint * detail::stacked(xidot, zdot) + found.drift;
  return value;
}

TEST_CASE("rows that contain rates have their own value where they are linearised", "[lifted_rows]") {
  const Vec<double, 1> v(0.7), z(0.3), a(1.7), zdot(-0.8);
  const Maxwell<> element;  // ẋ − ż − cz
  CHECK(rows_at_rates(element, place(element, Rn<double, 1>(), v, z), a, zdot)[0] ==
        Approx(0.7 + 0.8 - element.c * 0.3));
  const AccelerationServo<> servo{.stiffening = 0.25};  // ż + sż³ + cz − bẍ
  CHECK(rows_at_rates(servo, place(servo, Rn<double, 1>(), v, z), a, zdot)[0] ==
        Approx(-0.8 - 0.25 * 0.512 + servo.c * 0.3 - servo.b * 1.7));
}

TEST_CASE("rows of order 2 may contain the rates of internal coordinates", "[lifted_rows]") {
  // At rest in its rates sż³ has no slope.
  const AccelerationServo<> servo{.b = 1.2, .stiffening = 0.25};
  const auto found = rows(servo, place(servo, Rn<double, 1>(), Vec<double, 1>(0.7), Vec<double, 1>(0.3)));
  CHECK((found.constraint - Mat<double, 1, 2>(-1.2, 1)).norm() < 1e-15);
  CHECK(found.drift[0] == Approx(servo.c * 0.3));
  CHECK((found.variational - found.constraint).norm() == 0);
}

}  // namespace differentiated_constraints_test
