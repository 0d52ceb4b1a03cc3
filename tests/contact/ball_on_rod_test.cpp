#include <dalembert/contact/ball_on_rod.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"

namespace ball_on_rod_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using Vec3 = Vec<double, 3>;
using Axis = contact::AxisMarker<double>;
using Marker = FrameMarker<double>;
using OnAxis = contact::RollingOnRod<double, Axis>;
using OnRod = contact::RollingOnRod<double>;
using Catch::Matchers::ContainsSubstring;

/// A ball on a vertical pole and how it starts, on the x axis.
struct Climb {
  double radius = 0.02, pole = 0.01, mass = 0.03, inertia = 0.4 * 0.03 * 0.02 * 0.02, g = 9.81;
  double turning = 30;  ///< φ̇ [rad/s]
  double spin = 0;      ///< σ about the outward normal [rad/s]
  double rise = 0;      ///< ż₀ [m/s]
  double z = 0.1;       ///< z₀ [m]

  Body ball() const {
    return Body{{.mass = mass, .inertia = Vec3::Constant(inertia), .gravity = {0, 0, -g}}};
  }
  double reach() const { return pole + radius; }
  double frequency() const {
    return std::abs(turning) * std::sqrt(inertia / (inertia + mass * radius * radius));
  }
  /// z̈₀ of equation (4).
  double acceleration() const {
    return (inertia * radius * spin * turning - mass * radius * radius * g) /
           (inertia + mass * radius * radius);
  }
  /// How far it swings at most [m].
  double swing() const {
    const double k = frequency();
    return (rise + std::abs(acceleration()) / k) / k;
  }
  /// The height at a time.
  double height(double t) const {
    const double k = frequency();
    return z + rise * std::sin(k * t) / k + acceleration() * (1 - std::cos(k * t)) / (k * k);
  }
  /// The ball's chain: v = ρφ̇ e₂ + ż e₃ and ω = σ e₁ − (ż/R) e₂ + (ρφ̇/R) e₃ roll.
  Chain<double> start() const {
    Chain<double> chain = ball().at({reach(), 0, z});
    chain.set_velocity(0, {0, reach() * turning, rise}, {spin, -rise / radius, reach() * turning / radius});
    return chain;
  }
};

Vec<double, Eigen::Dynamic> column(double s) { return Vec<double, Eigen::Dynamic>::Constant(1, s); }

/// The errors of the height and of the turning rate after half a swing in `steps`, on a fixed pole, relative.
Vec<double, 2> climbing_error(const Climb& c, int steps) {
  const OnAxis contact{Axis::in_space({0, 0, -1}, {0, 0, 1}, 2), {0}, c.pole, c.radius, true};
  const Assembly problem{bodies(std::vector{c.ball()}), constraints(std::vector{contact})};
  auto x = problem.state({c.start()}, column(1));
  CHECK(problem.constraint(x).velocity < 1e-14);
  CHECK(problem.constraint(x).position < 1e-17);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(std::abs(r.xidot[0](0, 2) - c.acceleration()) < 1e-13 * (1 + std::abs(c.acceleration())));
  // it is drawn inwards: the force on the pole points outwards
  CHECK(std::abs(r.lambda[0] - c.mass * c.reach() * c.turning * c.turning) < 1e-13 * r.lambda.norm());
  const double energy = problem.energy(x), end = M_PI / c.frequency();
  drive(Verlet{}, problem, x, {.step = end / steps, .until = end});
  const Vec3 at = x[0].position(0), v = x[0].linear_velocity(0);
  CHECK(problem.constraint(x).velocity < 1e-14);
  CHECK(problem.constraint(x).position < 1e-16);
  CHECK(std::abs(x.z[0] - 1 - at[2]) < 1e-13);
  const double turning = (at[0] * v[1] - at[1] * v[0]) / (c.reach() * c.reach());
  CHECK(std::abs(problem.energy(x) - energy) < 1e-3 * energy);
  return {(at[2] - c.height(end)) / c.swing(), turning / c.turning - 1};
}

TEST_CASE("a ball that rolls around a fixed pole swings up and down as its closed form says",
          "[contact][ball_on_rod]") {
  for (const double turning : {30.0, -30.0})
    for (const double spin : {0.0, 40.0}) {
      Climb c;
      c.turning = turning;
      c.spin = spin;
      c.rise = 0.2;
      CAPTURE(turning, spin);
      const auto coarse = climbing_error(c, 200), fine = climbing_error(c, 400);
      CHECK(std::abs(fine[0]) < 2e-4);
      CHECK(std::abs(std::log2(coarse[0] / fine[0]) - 2) < 0.15);
      CHECK(std::abs(fine[1]) < 1e-5);
    }
}

TEST_CASE("a rod that is fixed in space pushes a ball as a cylinder does", "[contact][ball_on_rod]") {
  Climb c;
  c.spin = -25;
  c.rise = 0.3;
  const OnAxis contact{Axis::in_space({0, 0, -1}, {0, 0, 1}, 2), {0}, c.pole, c.radius, true};
  const contact::RollingOnCylinder<double, Marker> other{{0}, c.radius, {c.pole, {0, 0, 0}, {0, 0, 1}}, true};
  const Assembly a{bodies(std::vector{c.ball()}), constraints(std::vector{contact})};
  const Assembly b{bodies(std::vector{c.ball()}), constraints(std::vector{other})};
  const auto x = a.state({c.start()}, column(1));
  const auto y = b.state({c.start()});
  auto of_x = a.make_rates();
  auto of_y = b.make_rates();
  a.rates(x, of_x);
  b.rates(y, of_y);
  CHECK((of_x.lambda + of_y.lambda).norm() < 1e-13 * of_y.lambda.norm());
  CHECK((of_x.xidot[0] - of_y.xidot[0]).abs().maxCoeff() < 1e-12 * of_y.xidot[0].abs().maxCoeff());
}

TEST_CASE("a ball that rolls around a stiff and heavy rod swings as on a fixed pole",
          "[contact][ball_on_rod]") {
  Climb c;
  c.turning = -40;
  c.spin = 30;
  c.z = 0;
  const rod::CircularSection<double> section(
      {.radius = c.pole, .young = 1e11, .poisson = 0.3, .density = 1e6, .shear_factor = 0.9});
  Rod::Parameters p{.elements = 16, .length = 0.32, .inertia = section.inertia()};
  p.start = p.finish = rod::Boundary<double>::clamped();
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  const OnRod contact{{0, rod, rod.spacing()}, {1}, c.pole, c.radius, true};
  const Assembly problem{bodies(std::vector{rod}, std::vector{c.ball()}), constraints(std::vector{contact})};
  auto x = problem.state({rod.straight({0, 0, -0.2}, SO3<double>::identity()), c.start()}, column(0.2));
  CHECK(problem.constraint(x).velocity < 1e-15);
  const double energy = problem.energy(x), end = M_PI / c.frequency();
  drive(Verlet{}, problem, x, {.step = 1e-5, .until = end});
  const double drop = c.z - c.height(end);
  REQUIRE(drop > 0.03);
  CHECK(std::abs(x[1].position(0)[2] - c.height(end)) < 1e-4 * drop);
  CHECK(problem.constraint(x).velocity < 1e-13);
  CHECK(problem.constraint(x).position < 1e-16);
  CHECK(std::abs(problem.energy(x) - energy) < 1e-5 * problem.kinetic_energy(x));
  const Vec3 moved = x[0].position(8) - rod.straight({0, 0, -0.2}, SO3<double>::identity()).position(8);
  CHECK(moved.norm() > 1e-9);  // it gives way, a little
  CHECK(moved.norm() < 1e-5);
}

TEST_CASE("a ball and a free rigid rod that roll on each other keep their energy and momenta",
          "[contact][ball_on_rod]") {
  const double radius = 0.05, thickness = 0.02;
  const Body ball{{.mass = 0.4, .inertia = Vec3::Constant(4e-4)}};
  const Body bar{{.mass = 0.7, .inertia = {0.02, 0.02, 2e-4}}};
  const OnAxis contact{{0, 0, {0, 0, -0.5}, {0, 0, 1}, 1.0}, {1}, thickness, radius, true};
  const Assembly problem{bodies(std::vector{bar, ball}), constraints(std::vector{contact})};
  auto start = problem.state({bar.at({0, 0, 0}), ball.at({radius + thickness, 0, 0.2})}, column(0.7));
  start[0].set_velocity(0, {0.1, 0.2, -0.1}, {0.5, 1, 2});
  start[1].set_velocity(0, {0, -0.3, 0.4}, {3, -4, 5});
  problem.project(start);
  const auto momentum = [&](const auto& x) {
    Vec<double, 6> sum = Vec<double, 6>::Zero();
    for (std::size_t b = 0; b < 2; ++b) {
      const auto& p = problem.bodies<0>()[b].parameters();
      const Vec3 l = p.mass * x[b].linear_velocity(0);
      const Vec3 w = x[b].angular_velocity(0);
      sum.head<3>() += l;
      sum.tail<3>() += x[b].position(0).cross(l) + x[b].rotation(0).act(Vec3(p.inertia.cwiseProduct(w)));
    }
    return sum;
  };
  const double energy = problem.energy(start);
  const Vec<double, 6> before = momentum(start);
  std::array<Vec3, 3> ends;
  for (int i = 0; i < 3; ++i) {
    auto x = start;
    const double step = 1e-3 / (1 << i);
    drive(Verlet{}, problem, x, {.step = step, .until = 0.3});
    const Vec<double, 6> change = momentum(x) - before;
    CHECK(change.head<3>().norm() < 1e-14);
    CHECK(change.tail<3>().norm() < 1e-3 * step * step);
    CHECK(std::abs(problem.energy(x) - energy) < 50 * step * step * energy);
    CHECK(problem.constraint(x).velocity < 1e-14);
    // the gap is a difference of places half a metre from the origin
    CHECK(problem.constraint(x).position < 2 * std::numeric_limits<double>::epsilon() * 0.5);
    ends[static_cast<std::size_t>(i)] = x[1].position(0);
  }
  CHECK(std::abs(std::log2((ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm()) - 2) < 0.15);
}

TEST_CASE("a ball slides down the side of a level rod and leaves it where a sliding point would",
          "[contact][ball_on_rod]") {
  // without friction it does not turn: cos θ = ⅔ cos θ₀
  const double radius = 0.03, thickness = 0.05, tilt = 0.2;
  const Body ball{{.mass = 1, .inertia = Vec3::Constant(4e-4), .gravity = {0, 0, -9.81}}};
  using Contact = contact::SlidingOnRod<double, Axis>;
  const Contact contact{Axis::in_space({-1, 0, 0}, {1, 0, 0}, 2), {0}, thickness, radius};
  const Assembly problem{bodies(std::vector{ball}), constraints(std::vector{contact})};
  auto x =
      problem.state({ball.at((radius + thickness) * Vec3(0, std::sin(tilt), std::cos(tilt)))}, column(1));
  x[0].set_velocity(0, {0.3, 0, 0}, {1, 2, 3});
  try {
    drive(Verlet{}, problem, x, {.step = 1e-5, .until = 1.0});
    FAIL("it did not leave");
  } catch (const IntegrationFailure& failure) {
    CHECK_THAT(failure.what(), ContainsSubstring("the normal force of a SlidingOnRod is -"));
  }
  const Vec3 r = x[0].position(0);
  CHECK(std::abs(r[2] / (radius + thickness) - 2 * std::cos(tilt) / 3) < 1e-4);
  CHECK(std::abs(r[0] - 0.3 * x.time) < 1e-12);
  CHECK(std::abs(x.z[0] - 1 - r[0]) < 1e-12);
  CHECK((x[0].angular_velocity(0) - Vec3(1, 2, 3)).norm() < 1e-14);
}

TEST_CASE("a ball rolls down the side of a level rod and leaves it where a rolling one does",
          "[contact][ball_on_rod]") {
  // m v²/(a + R) = m g cos θ: a homogeneous ball leaves at cos θ = 10/17 cos θ₀
  const double radius = 0.03, thickness = 0.05, tilt = 0.2;
  const Body ball{{.mass = 1, .inertia = Vec3::Constant(0.4 * radius * radius), .gravity = {0, 0, -9.81}}};
  const OnAxis contact{Axis::in_space({-1, 0, 0}, {1, 0, 0}, 2), {0}, thickness, radius};
  const Assembly problem{bodies(std::vector{ball}), constraints(std::vector{contact})};
  auto x =
      problem.state({ball.at((radius + thickness) * Vec3(0, std::sin(tilt), std::cos(tilt)))}, column(1));
  CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.step = 1e-5, .until = 1.0}),
                    ContainsSubstring("the normal force of a RollingOnRod is -"));
  CHECK(std::abs(x[0].position(0)[2] / (radius + thickness) - 10 * std::cos(tilt) / 17) < 1e-4);
}

TEST_CASE("balls on rods that cannot be are refused", "[contact][ball_on_rod]") {
  const Climb c;
  const auto make = [&](const Axis& axis, double thickness, double radius) {
    return Assembly{bodies(std::vector{c.ball()}),
                    constraints(std::vector{OnAxis{axis, {0}, thickness, radius, true}})};
  };
  const auto pole = Axis::in_space({0, 0, -1}, {0, 0, 1}, 2);
  CHECK_THROWS_WITH(make(pole, 0, 1), ContainsSubstring("RollingOnRod: radius of the rod = 0"));
  CHECK_THROWS_WITH(make(pole, 1, -1), ContainsSubstring("RollingOnRod: radius = -1"));
}

TEST_CASE("a place that begins far along its rod comes to where the ball is", "[contact][ball_on_rod]") {
  Rod::Parameters p{.elements = 64, .length = 3.2, .inertia = {1.0, Vec3(0.1, 0.1, 0.2)}};
  p.start = p.finish = rod::Boundary<double>::clamped();
  const Rod rod(rod::LinearElastic<double>(Vec<double, 6>::Constant(1e3)), p);
  const Climb c;
  const OnRod contact{{0, rod, rod.spacing()}, {1}, c.pole, c.radius, true};
  const Assembly problem{bodies(std::vector{rod}, std::vector{c.ball()}), constraints(std::vector{contact})};
  auto x = problem.state({rod.straight({0, 0, 0}, SO3<double>::identity()), c.ball().at({c.reach(), 0, 2.9})},
                         column(1.3));
  problem.project(x);
  CHECK(x.z[0] == Approx(2.9).epsilon(1e-13));
}

}  // namespace ball_on_rod_test
