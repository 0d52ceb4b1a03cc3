#include <dalembert/assembly/rigid_body.hpp>

#include <array>
#include <cmath>
#include <limits>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"

namespace rigid_body_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

/// Jacobi's sn, cn and dn of u for the parameter m, by the arithmetic-geometric mean (Abramowitz & Stegun 16.4).
std::array<double, 3> jacobi(double u, double m) {
  std::array<double, 12> a{1}, c{std::sqrt(m)};
  double b = std::sqrt(1 - m);
  std::size_t n = 0;
  while (std::abs(c[n]) > 1e-17 && n + 1 < a.size()) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double phi = std::ldexp(a[n] * u, static_cast<int>(n)), before = phi;
  for (; n > 0; --n) {
    before = phi;
    phi = (phi + std::asin(c[n] * std::sin(phi) / a[n])) / 2;
  }
  return {std::sin(phi), std::cos(phi), std::cos(phi) / std::cos(before - phi)};
}

TEST_CASE("a free asymmetric body turns as Euler's equations have it, to second order",
          "[assembly][rigid_body]") {
  // J₁ < J₂ < J₃ and |Π|² > 2 E J₂: it turns about the third axis (Landau & Lifshitz, Mechanics, §37)
  const double j1 = 0.8, j2 = 1.3, j3 = 1.7;
  const Body body{{.mass = 1, .inertia = {j1, j2, j3}}};
  const Assembly problem{bodies(std::vector{body})};
  const Vec3 start(0.4, 0, 1.1);
  const double twice_energy = j1 * 0.16 + j3 * 1.21, square = j1 * j1 * 0.16 + j3 * j3 * 1.21;
  REQUIRE(square > twice_energy * j2);
  const double t = 3.7;
  const double rate = std::sqrt((j3 - j2) * (square - twice_energy * j1) / (j1 * j2 * j3));
  const double m = (j2 - j1) * (twice_energy * j3 - square) / ((j3 - j2) * (square - twice_energy * j1));
  const auto [sn, cn, dn] = jacobi(rate * t, m);
  const Vec3 exact(std::sqrt((twice_energy * j3 - square) / (j1 * (j3 - j1))) * cn,
                   std::sqrt((twice_energy * j3 - square) / (j2 * (j3 - j2))) * sn,
                   std::sqrt((square - twice_energy * j1) / (j3 * (j3 - j1))) * dn);
  std::array<double, 3> errors{};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    auto x = problem.state({body.at({0, 0, 0})});
    x[0].set_velocity(0, {0, 0, 0}, start);
    const Vec3 momentum = x[0].rotation(0).act(Vec3(j1 * start[0], 0, j3 * start[2]));
    drive(Verlet{}, problem, x, {.step = t / (50 << i), .until = t});
    const Vec3 w = x[0].angular_velocity(0);
    errors[i] = (w - exact).norm();
    const Vec3 later = x[0].rotation(0).act(Vec3(j1 * w[0], j2 * w[1], j3 * w[2]));
    CHECK((later - momentum).norm() < 1e-13);  // the splitting keeps it
  }
  for (std::size_t i = 0; i + 1 < errors.size(); ++i)
    CHECK(std::abs(std::log2(errors[i] / errors[i + 1]) - 2) < 0.15);
  auto x = problem.state({body.at({0, 0, 0})});
  x[0].set_velocity(0, {0, 0, 0}, start);
  drive(DormandPrince853{}, problem, x, {.step = 0.02, .until = t});
  CHECK((x[0].angular_velocity(0) - exact).norm() < 1e-12);
}

TEST_CASE("a body falls, and its loads and damping do their work", "[assembly][rigid_body]") {
  const Body body{{.mass = 2,
                   .inertia = {0.3, 0.2, 0.25},
                   .gravity = {0, 0, -9.81},
                   .force = {1, 0, 0},
                   .torque = {0.1, 0, 0.2},
                   .damping = 0.3}};
  const Assembly problem{bodies(std::vector{body})};
  auto x = problem.state({body.at({0, 0, 1})});
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK((Vec3(r.xidot[0](0, 0), r.xidot[0](0, 1), r.xidot[0](0, 2)) - Vec3(0.5, 0, -9.81)).norm() < 1e-14);
  double work = 0;
  const auto power = [&] {
    problem.rates(x, r);
    const auto p = problem.power(x, r);
    return p.dissipation + p.load;
  };
  const double energy = problem.energy(x);
  double before = power();
  for (int i = 0; i < 500; ++i) {
    drive(RungeKutta4{}, problem, x, {.step = 2e-3, .until = x.time + 2e-3});
    const double now = power();
    work += (before + now) / 2 * 2e-3;
    before = now;
  }
  CHECK(work < -1);
  CHECK(std::abs(problem.energy(x) - energy - work) < 1e-5 * std::abs(work));
  // velocities approach (g + f/m)/ν
  const double fallen = 9.81 / 0.3 * (1 - std::exp(-0.3));
  CHECK(std::abs(x[0].linear_velocity(0)[2] + fallen) < 1e-9);
}

TEST_CASE("wrong parameters of a rigid body are refused", "[assembly][rigid_body]") {
  const auto make = [](double mass, const Vec3& inertia, double damping) {
    return Body{{.mass = mass, .inertia = inertia, .damping = damping}};
  };
  CHECK_THROWS_WITH(make(0, {1, 1, 1}, 0), ContainsSubstring("RigidBody: mass = 0"));
  CHECK_THROWS_WITH(make(1, {1, -1, 1}, 0), ContainsSubstring("RigidBody: inertia = -1"));
  CHECK_THROWS_WITH(make(1, {1, 1, 3}, 0), ContainsSubstring("exceed the sum"));
  CHECK_THROWS_WITH(make(1, {1, 1, 1}, -1), ContainsSubstring("RigidBody: damping = -1"));
  CHECK_NOTHROW(make(1, {1, 1, 2}, 0));
}

}  // namespace rigid_body_test
