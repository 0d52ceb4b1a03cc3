#include <dalembert/mechanics/lagrangian.hpp>

#include <Eigen/Geometry>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace lagrangian_test {

using namespace dalembert;
using namespace test;

TEST_CASE("a free body turns by Euler's equations", "[lagrangian]") {
  // I ω̇ = Iω × ω; the Lagrangian of HeavyTop without its weight is Suslov's without its constraint.
  const Suslov<> body;
  const Vec<double, 3> w(0.3, -0.7, 1.1);
  EulerLagrangeTerms<double, 3> terms;
  euler_lagrange(body, place(body, SO3d::identity(), w), terms);
  REQUIRE((terms.mass - body.mass()).norm() < 1e-15);
  const Vec<double, 3> p = body.mass() * w;
  REQUIRE((terms.bias + p.cross(w)).norm() < 1e-15);
}

TEST_CASE("a potential turns a body by its moment about the point", "[lagrangian]") {
  // ∂_gℓ for ℓ = −w e₃·R c: the moment is c × (−w Rᵀe₃).
  const HeavyTop<> top;
  const SO3d g = SO3d::exp({0.4, -1.2, 0.8});
  const Vec<double, 3> w = Vec<double, 3>::Zero();
  const Vec<double, 3> centre(0.1, -0.2, 0.5);
  const Vec<double, 3> weight = g.inverse().act(Vec<double, 3>(0, 0, -3));
  const Vec<double, 3> moment = configuration_force<double>(top, place(top, g, w));
  REQUIRE((moment - centre.cross(weight)).norm() < 1e-14);
  EulerLagrangeTerms<double, 3> terms;
  euler_lagrange(top, place(top, g, w), terms);
  REQUIRE((terms.bias + moment).norm() < 1e-14);
}

TEST_CASE("on SE(2) the body frame's rotation shows as a centrifugal force", "[lagrangian]") {
  // m(u̇ − vω), m(v̇ + uω), Iω̇ for a body with its centre at the origin of the frame.
  const SkateOnSlope<> skate{.m = 2, .inertia = 3, .c = 0};
  const double u = 0.5, v = -0.7, omega = 1.3;
  EulerLagrangeTerms<double, 3> terms;
  euler_lagrange(skate, place(skate, SE2d(1, 2, 0.4), Vec<double, 3>(u, v, omega)), terms);
  REQUIRE((terms.mass - Mat<double, 3>(Vec<double, 3>(2, 2, 3).asDiagonal())).norm() < 1e-15);
  REQUIRE((terms.bias - Vec<double, 3>(-2 * v * omega, 2 * u * omega, 0)).norm() < 1e-15);
}

TEST_CASE("a potential on the plane pushes along the body's own axes", "[lagrangian]") {
  const SkateOnSlope<> skate{.m = 2, .inertia = 3, .c = 1.5};
  const double phi = 0.4;
  const Vec<double, 3> force =
      configuration_force<double>(skate, place(skate, SE2d(1, 2, phi), Vec<double, 3>(1, 2, 3)));
  REQUIRE((force - Vec<double, 3>(3 * std::cos(phi), -3 * std::sin(phi), 0)).norm() < 1e-15);
}

TEST_CASE("momentum that changes with time is a force", "[lagrangian]") {
  const GrowingMass<> particle{.rate = 0.3};
  EulerLagrangeTerms<double, 1> terms;
  euler_lagrange(particle, place(particle, Rn<double, 1>(), Vec<double, 1>(2.0), 0.5), terms);
  const double mass = std::exp(0.15);
  REQUIRE(terms.mass(0, 0) == Approx(mass).epsilon(1e-15));
  REQUIRE(terms.bias[0] == Approx(0.3 * mass * 2).epsilon(1e-15));
  REQUIRE(lagrangian_time_derivative(particle, place(particle, Rn<double, 1>(), Vec<double, 1>(2.0), 0.5)) ==
          Approx(0.3 * mass * 2).epsilon(1e-15));
}

/// A point mass on the line whose inertia depends on where it is: ℓ = ½(1 + x²)v².
struct VaryingInertia {
  using Group = Rn<double, 1>;
  template <class T>
  T lagrangian(const Rn<T, 1>& q, const Vec<T, 1>& v) const {
    const T x = q.coordinates()[0];
    return (1 + x * x) * v[0] * v[0] / 2;
  }
};

/// The same, with closed forms.
struct VaryingInertiaClosed : VaryingInertia {
  template <class T>
  Vec<T, 1> momentum(const Rn<T, 1>& q, const Vec<T, 1>& v) const {
    const T x = q.coordinates()[0];
    return Vec<T, 1>((1 + x * x) * v[0]);
  }
  Mat<double, 1> mass(const Rn<double, 1>& q) const {
    return Mat<double, 1>(1 + q.coordinates()[0] * q.coordinates()[0]);
  }
};

TEST_CASE("inertia that depends on the place gives the quadratic term", "[lagrangian]") {
  // (1 + x²)v̇ + x v²
  EulerLagrangeTerms<double, 1> terms;
  const auto check = [&](const auto& system) {
    euler_lagrange(system, place(system, Rn<double, 1>(Vec<double, 1>(0.7)), Vec<double, 1>(-1.2)), terms);
    REQUIRE(terms.mass(0, 0) == Approx(1.49).epsilon(1e-15));
    REQUIRE(terms.bias[0] == Approx(0.7 * 1.44).epsilon(1e-15));
  };
  check(VaryingInertia{});
  check(VaryingInertiaClosed{});
}

TEST_CASE("energy is kinetic plus potential", "[lagrangian]") {
  const SkateOnSlope<> skate{.m = 2, .inertia = 3, .c = 1.5};
  const SE2d g(0.25, 2, 0.4);
  const Vec<double, 3> xi(1, 2, 3);
  const double kinetic = 0.5 * 2 * 5 + 0.5 * 3 * 9;
  REQUIRE(kinetic_energy(skate, place(skate, g, xi)) == Approx(kinetic).epsilon(1e-15));
  REQUIRE(energy(skate, place(skate, g, xi)) == Approx(kinetic - 2 * 1.5 * 0.25).epsilon(1e-15));
}

}  // namespace lagrangian_test
