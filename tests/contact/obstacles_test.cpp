// Rods and balls on planes, cylinders and spheres.

#include <array>
#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"

namespace obstacles_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using Vec3 = Vec<double, 3>;
using Marker = FrameMarker<double>;
using OnPlane = contact::RollingOnPlane<double>;
using Catch::Matchers::ContainsSubstring;

/// A rod with free ends and a circular section.
Rod make_rod(int elements, double length, double radius, double young, const Vec3& gravity = {0, 0, 0}) {
  const rod::CircularSection<double> section(
      {.radius = radius, .young = young, .poisson = 0.49, .density = 1100, .shear_factor = 0.9});
  Rod::Parameters p{.elements = elements, .length = length, .inertia = section.inertia()};
  p.loads.gravity = gravity;
  return Rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
}

TEST_CASE("a rod rolls down a plane at two thirds of gravity's share", "[contact][plane]") {
  const double alpha = 0.3, g = 9.81, a = 0.01;
  const Rod rod = make_rod(10, 0.5, a, 1e7, {g * std::sin(alpha), 0, -g * std::cos(alpha)});
  std::vector<OnPlane> contacts;
  for (Eigen::Index k = 0; k <= 10; ++k) contacts.push_back({{0, k}, a});
  const Assembly problem{bodies(std::vector{rod}), constraints(contacts)};
  auto x = problem.state({rod.straight({0, -0.25, a}, SO3<double>::exp(Vec3(-M_PI / 2, 0, 0)))});
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.clusters == 11);
  double weight = 0;
  for (Eigen::Index k = 0; k <= 10; ++k) {
    CHECK(std::abs(r.xidot[0](k, 0) - 2 * g * std::sin(alpha) / 3) < 1e-12);
    CHECK(std::abs(r.lambda[3 * k]) < std::abs(r.lambda[3 * k + 2]));
    weight += r.lambda[3 * k + 2];
  }
  CHECK(std::abs(weight - 1100 * M_PI * a * a * 0.5 * g * std::cos(alpha)) < 1e-12 * weight);
  const double t = 0.1;
  drive(Verlet{}, problem, x, {.step = 1e-4, .until = t});
  CHECK(std::abs(x[0].position(3)[0] - g * std::sin(alpha) * t * t / 3) < 1e-12);
  CHECK(problem.constraint(x).position < 1e-15);
  CHECK(problem.constraint(x).velocity < 1e-14);
}

TEST_CASE("contacts that come to share nodes while they are closed are closed together",
          "[contact][cylinder]") {
  const double a = 0.01, b = 0.02;
  const Rod rod = make_rod(50, 1.0, a, 1e6);
  const contact::CurveMarker<double> place{0, rod, 0.04};
  using Contact = contact::RollingOnCylinder<double>;
  const auto on = [&](double x) { return Contact{place, a, {b, {x, 0, -b}, {0, 1, 0}}, true}; };
  const Assembly problem{bodies(std::vector{rod}), constraints(std::vector{on(0.5), on(0.54)})};
  auto x = problem.state({rod.straight({0, 0, a + 1e-3}, SO3<double>::exp(Vec3(0, M_PI / 2, 0)))},
                         Vec<double, 2>(0.5, 0.54));
  x.z = Vec<double, 2>(0.3, 0.75);  // guesses far apart
  problem.project(x);
  CHECK(x.z[0] == Approx(0.5).margin(1e-3));
  CHECK(x.z[1] == Approx(0.54).margin(1e-3));
  CHECK(problem.constraint(x).position < 1e-15);
}

/// The phase error of a rolling ring after half a period of `steps`·2 steps, relative.
double ring_error(int steps) {
  const int n = 64;
  const double h = 0.005, a = 0.005, young = 1e6, rho = 1100, amplitude = 0.3;
  const double radius = h / (2 * std::sin(M_PI / n));
  const double omega = std::sqrt(2 * young / (3 * rho)) / radius;
  CHECK(omega == Approx(483.18505535).epsilon(1e-10));
  const Rod rod = make_rod(n, n * h, a, young);
  std::vector<OnPlane> contacts;
  for (Eigen::Index k = 0; k < n; ++k) contacts.push_back({{0, k}, a, {}, true});
  const Assembly problem{bodies(std::vector{rod}),
                         constraints(contacts, std::vector{Weld<double>{{0, 0}, {0, n}}})};
  rod::Chain<double> chain(n + 1);
  for (Eigen::Index k = 0; k <= n; ++k) {
    const double angle = 2 * M_PI * static_cast<double>(k) / n, c = std::cos(angle), s = std::sin(angle);
    Mat<double, 3> axes;  // the normal of the plane, outwards, along the ring
    axes << 0, c, -s, 0, s, c, 1, 0, 0;
    chain.set_frame(k, SO3<double>::from_matrix(axes), radius * Vec3(c, s, 0) + Vec3(0, 0, a));
    chain.set_velocity(k, a * amplitude * omega * Vec3(c, s, 0), {0, 0, amplitude * omega});
  }
  auto x = problem.state({chain});
  CHECK(problem.constraint(x).position < 1e-15);
  CHECK(problem.constraint(x).velocity < 1e-12);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.redundant_rows == 0);
  CHECK(r.report.clusters == n);  // the weld and the contact of node 0 are one
  const double half = M_PI / omega;
  drive(Verlet{}, problem, x, {.step = half / steps, .until = half});
  CHECK(problem.constraint(x).velocity < 1e-13);
  CHECK(problem.constraint(x).position < 1e-15);
  // there it passes through where it began, backwards
  const double phi = (x[0].position(5).head<2>().norm() - radius) / a;
  return phi / (amplitude * omega) / half;
}

TEST_CASE("a ring rolls about its tangent at the frequency of its stretching", "[contact][plane]") {
  const double coarse = ring_error(157), fine = ring_error(314);
  CHECK(std::abs(fine) < 1e-5);
  CHECK(std::abs(std::log2(coarse / fine) - 2) < 0.15);
}

TEST_CASE("a rod rocks on a cylinder with the period of a stiff one", "[contact][cylinder]") {
  const double a = 0.01, b = 0.05, length = 0.2, tilt = 0.3;
  const Rod rod = make_rod(20, length, a, 1e10, {0, 0, -9.81});
  using Contact = contact::RollingOnCylinder<double>;
  const Contact contact{{0, rod, 0.01}, a, {b, {0, 0, 0}, {0, 1, 0}}};
  const Assembly problem{bodies(std::vector{rod}), constraints(std::vector{contact})};
  const Vec3 along(std::cos(tilt), 0, -std::sin(tilt)), up(std::sin(tilt), 0, std::cos(tilt));
  const Vec3 middle = (a + b) * up - b * tilt * along;
  Vec<double, Eigen::Dynamic> s(1);
  s << length / 2 + b * tilt;
  auto x = problem.state(
      {rod.straight(middle - length / 2 * along, SO3<double>::exp(Vec3(0, M_PI / 2 + tilt, 0)))}, s);
  CHECK(problem.constraint(x).position < 1e-15);
  const double energy = problem.energy(x);
  const double h = 2e-6;
  double before = x.z[0], time = 0;
  auto stepper = Verlet{}.stepper(problem, x);
  while (x.z[0] > length / 2 && x.time < 0.2) {
    before = x.z[0];
    time = x.time;
    REQUIRE(stepper.step(problem, x, h).converged);
  }
  const double quarter = time + h * (before - length / 2) / (before - x.z[0]);
  CHECK(std::abs(4 * quarter / 0.61289845 - 1) < 2e-5);
  CHECK(problem.constraint(x).position < 1e-15);
  CHECK(problem.constraint(x).velocity < 1e-14);
  CHECK(std::abs(problem.energy(x) - energy) < 1e-5 * std::abs(energy));
}

TEST_CASE("a ball rolls on a sphere until it would leave it", "[contact][cylinder]") {
  // m v²/(a + b) = m g cos θ: a homogeneous ball leaves at cos θ = 10/17
  const double a = 0.02, b = 0.3, g = 9.81;
  const Body ball{{.mass = 1, .inertia = Vec3::Constant(0.4 * a * a), .gravity = {0, 0, -g}}};
  using Contact = contact::RollingOnCylinder<double, Marker>;
  const Assembly problem{bodies(std::vector{ball}),
                         constraints(std::vector{Contact{{0}, a, {b, {0, 0, 0}, {0, 0, 0}}}})};
  const double start = 0.1;
  auto x = problem.state({ball.at((a + b) * Vec3(std::sin(start), 0, std::cos(start)))});
  try {
    drive(Verlet{}, problem, x, {.step = 2e-5, .until = 5.0});
    FAIL("it did not leave");
  } catch (const IntegrationFailure& failure) {
    CHECK_THAT(failure.what(), ContainsSubstring("the normal force of a RollingOnCylinder is -"));
  }
  const Vec3 r = x[0].position(0);
  CHECK(std::abs(r.norm() - (a + b)) < 1e-15);
  // from rest at 0.1 rad: 10 (cos 0.1 − cos θ)/7 = cos θ
  CHECK(std::abs(r[2] / r.norm() - 10 * std::cos(start) / 17) < 1e-4);
}

TEST_CASE("a ball slides down a sphere until it would leave it", "[contact][cylinder]") {
  // m v²/(a + b) = m g cos θ without spin: from rest at 0.1 rad it leaves at 3 cos θ = 2 cos 0.1
  const double a = 0.02, b = 0.3, start = 0.1;
  const Body ball{{.mass = 1, .inertia = Vec3::Constant(0.4 * a * a), .gravity = {0, 0, -9.81}}};
  using Contact = contact::SlidingOnCylinder<double, Marker>;
  const Assembly problem{bodies(std::vector{ball}),
                         constraints(std::vector{Contact{{0}, a, {b, {0, 0, 0}, {0, 0, 0}}}})};
  auto x = problem.state({ball.at((a + b) * Vec3(std::sin(start), 0, std::cos(start)))});
  CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.step = 2e-5, .until = 5.0}),
                    ContainsSubstring("the normal force of a SlidingOnCylinder is -"));
  const Vec3 r = x[0].position(0);
  CHECK(std::abs(r.norm() - (a + b)) < 1e-15);
  CHECK(std::abs(r[2] / r.norm() - 2 * std::cos(start) / 3) < 1e-4);
  CHECK(x[0].angular_velocity(0).norm() == 0);
}

TEST_CASE("a rod balances on a cylinder without friction and slides off a sphere as off a ball",
          "[contact][cylinder]") {
  const double a = 0.01, b = 0.05, length = 0.2, g = 9.81;
  const Rod rod = make_rod(20, length, a, 1e7, {0, 0, -g});
  const contact::CurveMarker<double> middle{0, rod, 0.01};
  const auto accelerations = [&](const auto& contact, const Vec3& beside) {
    const Assembly problem{bodies(std::vector{rod}), constraints(std::vector{contact})};
    Vec<double, Eigen::Dynamic> s(1);
    s << length / 2;
    auto chain = rod.straight(beside - Vec3(length / 2, 0, 0), SO3<double>::exp(Vec3(0, M_PI / 2, 0)));
    for (Eigen::Index k = 0; k <= 20; ++k)
      chain.set_velocity(k, {1, 0.2, 0.3 * double(k)}, {0.1 * double(k), 1, 2});
    auto x = problem.state({chain}, s);
    auto r = problem.make_rates();
    problem.rates(x, r);
    return std::pair{r.xidot[0], Vec<double, Eigen::Dynamic>(r.lambda)};
  };
  using Contact = contact::SlidingOnCylinder<double>;
  const Vec3 beside = (a + b) * Vec3(0, 0.6, 0.8);
  const auto on_cylinder = accelerations(Contact{middle, a, {b, {0, 0, 0}, {0, 0, 0}}, true}, beside);
  const auto on_ball =
      accelerations(contact::SlidingOnRod<double>{middle, Marker::in_space({0, 0, 0}), a, b, true}, beside);
  CHECK((on_cylinder.first - on_ball.first).matrix().norm() < 1e-9);
  CHECK(std::abs(on_cylinder.second[0] - on_ball.second[0]) < 1e-12);

  const Assembly across{bodies(std::vector{rod}),
                        constraints(std::vector{Contact{middle, a, {b, {0, 0, 0}, {0, 1, 0}}}})};
  Vec<double, Eigen::Dynamic> s(1);
  s << length / 2;
  auto x = across.state({rod.straight({-length / 2, 0, a + b}, SO3<double>::exp(Vec3(0, M_PI / 2, 0)))}, s);
  const auto equilibrium = static_equilibrium(across, x);
  CHECK(std::abs(equilibrium.multipliers[0] - 1100 * M_PI * a * a * length * g) < 1e-9);
  CHECK(x[0].position(0)[2] < a + b - 1e-7);  // it bends
}

TEST_CASE("a ball on a moving plane is dragged along, and the plane does work", "[contact][plane]") {
  const double a = 0.1;
  const Body ball{{.mass = 2, .inertia = Vec3::Constant(0.4 * 2 * a * a), .gravity = {0.5, 0, -9.81}}};
  const OnPlane contact{{0}, a, {{0, 0, 0}, {0, 0, 1}, {0.7, -0.2, 0}}};
  const Assembly problem{bodies(std::vector{ball}), constraints(std::vector{contact})};
  auto x = problem.state({ball.at({0, 0, a})});
  problem.project(x);
  CHECK(problem.constraint(x).velocity < 1e-15);
  // from rest: v = u·I/(I + ma²), as the plane's impulse has it
  CHECK(std::abs(x[0].linear_velocity(0)[0] - 0.7 * 0.4 / 1.4) < 1e-15);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(std::abs(r.xidot[0](0, 0) - 0.5 * 5 / 7) < 1e-14);
  const auto power = problem.power(x, r);
  CHECK(std::abs(power.constraint) < 1e-14);
  CHECK(std::abs(power.load - r.lambda.dot(Vec3(0.7, -0.2, 0))) < 1e-14);
}

TEST_CASE("a ball that is not centred in its body is turned where it is pushed off a plane",
          "[contact][plane]") {
  const Body body{{.mass = 1, .inertia = {0.02, 0.03, 0.025}}};
  const Assembly problem{bodies(std::vector{body}),
                         constraints(std::vector{OnPlane{{0, 0, {0.1, 0, 0}}, 0.05, {}, true}})};
  auto x = problem.state({body.at({0, 0, 0.05 - 1e-6})});
  const auto done = problem.project(x);
  CHECK(std::abs(problem.row_errors(x)[0]) < 1e-16);
  // a push along the normal at the arm d: 1/m + d²/J₂ of compliance, of which the second part turns
  const double compliance = 1 + 0.01 / 0.03;
  CHECK(std::abs(x[0].position(0)[2] - 0.05 + 1e-6 - 1e-6 / compliance) < 1e-11);
  CHECK(std::abs(done.moved - 1e-6 / std::sqrt(compliance)) < 1e-10);
}

TEST_CASE("a body that slides on a plane keeps its spin", "[contact][plane]") {
  const Body ball{{.mass = 2, .inertia = {0.1, 0.1, 0.1}, .gravity = {1, 0, -9.81}}};
  using Contact = contact::SlidingOnPlane<double>;
  const Assembly problem{bodies(std::vector{ball}), constraints(std::vector{Contact{{0}, 0.1}})};
  auto x = problem.state({ball.at({0, 0, 0.1})});
  x[0].set_velocity(0, {0, 0, 0}, {1, 2, 3});
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(std::abs(r.lambda[0] - 2 * 9.81) < 1e-13);
  CHECK(std::abs(r.xidot[0](0, 0) - 1) < 1e-15);
  drive(Verlet{}, problem, x, {.step = 1e-3, .until = 0.5});
  CHECK((x[0].angular_velocity(0) - Vec3(1, 2, 3)).norm() < 1e-14);
  CHECK(problem.constraint(x).position < 1e-16);
}

TEST_CASE("obstacles that are none are refused", "[contact][plane][cylinder]") {
  const Body ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const auto plane = [&](double radius, const contact::Plane<double>& p) {
    return Assembly{bodies(std::vector{ball}), constraints(std::vector{OnPlane{{0}, radius, p}})};
  };
  CHECK_THROWS_WITH(plane(0, {}), ContainsSubstring("RollingOnPlane: radius = 0"));
  CHECK_THROWS_WITH(plane(1, {{0, 0, 0}, {0, 0, 0}}), ContainsSubstring("length of the normal = 0"));
  CHECK_THROWS_WITH(plane(1, {{0, 0, 0}, {0, 0, 1}, {0, 0, 1}}), ContainsSubstring("must move along itself"));
  const auto cylinder = [&](const contact::Cylinder<double>& p) {
    using Contact = contact::RollingOnCylinder<double, Marker>;
    return Assembly{bodies(std::vector{ball}), constraints(std::vector{Contact{{0}, 1, p}})};
  };
  CHECK_THROWS_WITH(cylinder({0, {0, 0, 0}, {0, 0, 1}}), ContainsSubstring("radius of the cylinder = 0"));
  CHECK_THROWS_WITH(cylinder({1, {0, 0, 0}, {0, 0, 2}}), ContainsSubstring("length of the axis = 2"));
  const auto smooth = [&](double radius, const contact::Cylinder<double>& p) {
    using Contact = contact::SlidingOnCylinder<double, Marker>;
    return Assembly{bodies(std::vector{ball}), constraints(std::vector{Contact{{0}, radius, p}})};
  };
  CHECK_THROWS_WITH(smooth(0, {1}), ContainsSubstring("SlidingOnCylinder: radius = 0"));
  CHECK_THROWS_WITH(smooth(1, {1, {0, 0, 0}, {0, 0, 2}}), ContainsSubstring("length of the axis = 2"));
}

}  // namespace obstacles_test
