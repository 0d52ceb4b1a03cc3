// Implicit steps of contacts whose rows are friction.

#include <cmath>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace friction_implicit_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Vec3 = Vec<double, 3>;
using Body = RigidBody<double>;
using OnPlane = contact::RollingOnPlane<double>;

TEST_CASE("a ball that slides slows down by friction as the midpoint rule has it, however strong that is",
          "[contact][friction][implicit]") {
  // u̇ = g_t − σu, σ = (1/m + a²/I)/ε
  constexpr double mass = 0.3, radius = 0.1, inertia = 0.4 * mass * radius * radius, h = 0.02;
  for (const double epsilon : {10.0, 0.3, 1e-3, 1e-8}) {
    CAPTURE(epsilon);
    const Vec3 normal = Vec3(0.2, -0.3, 1).normalized(), gravity(0.5, 0.1, -2);
    const Vec3 pull = gravity - gravity.dot(normal) * normal;
    const Assembly problem{
        bodies(std::vector{Body{{.mass = mass, .inertia = {inertia, inertia, inertia}, .gravity = gravity}}}),
        constraints(std::vector{
            contact::with_friction(OnPlane{{0}, radius, {Vec3(0, 0, 0), normal, Vec3(0, 0, 0)}}, epsilon)})};
    const auto turn = SO3<double>::exp(Vec3(0.1, 0.2, 0.3));
    const Vec3 along = pull.normalized();  // all stays in one plane
    auto chain = problem.bodies<0>()[0].at(radius * normal, turn);
    chain.set_velocity(0, Vec3(0.7 * along), turn.inverse().act(Vec3(-2 * normal.cross(along))));
    auto x = problem.state({chain});
    Vec3 slip = problem.row_velocities(x);
    CHECK(slip.norm() > 0.8);
    const double step = (1 / mass + radius * radius / inertia) / epsilon * h;
    auto stepper = ImplicitMidpoint{}.stepper(problem, x);
    for (int i = 0; i < 5; ++i) {
      (void)stepper.step(problem, x, h);
      slip = ((1 - step / 2) * slip + h * pull) / (1 + step / 2);
      CHECK((Vec3(problem.row_velocities(x)) - slip).norm() < 1e-11);
      CHECK(problem.constraint(x).position < 1e-13);
      CHECK(problem.constraint(x).velocity < 1e-13);
    }
  }
}

/// How far two states are apart, relative to how far the nodes have gone.
double distance(const State<double>& a, const State<double>& b, const State<double>& from) {
  double most = 0, gone = 0;
  for (std::size_t i = 0; i < a.chains.size(); ++i)
    for (Eigen::Index k = 0; k < a[i].nodes; ++k) {
      most = std::max(most, (a[i].position(k) - b[i].position(k)).norm());
      gone = std::max(gone, (from[i].position(k) - b[i].position(k)).norm());
    }
  return most / gone;
}

TEST_CASE("rods that slip under friction go in implicit steps where they go in explicit ones",
          "[contact][friction][implicit]") {
  const systems::RollingRodsParameters<double> p{.elements = 16, .kernel_width = 0.125, .strike = 4.0};
  const auto start = systems::static_start(p);
  const auto rolling = start.problem();
  auto from = start.state;
  systems::set_initial_velocity(rolling, from, p);
  const double until = 0.02;
  for (const double epsilon : {2.0, 0.05}) {
    CAPTURE(epsilon);
    const Assembly problem{
        bodies(rolling.bodies<0>()),
        constraints(std::vector{contact::with_friction(rolling.constraints<0>()[0], epsilon)})};
    State<double> expected = from;
    drive(Verlet{}, problem, expected, {.step = until / 4096, .until = until});
    State<double> rolls = from;
    drive(Verlet{}, rolling, rolls, {.step = until / 4096, .until = until});
    const double slipped = distance(rolls, expected, from);
    CHECK(slipped > 0.01 * epsilon);
    const auto check = [&](const char* name, const auto& method) {
      CAPTURE(name);
      double before = 0;
      for (const int steps : {64, 128}) {
        State<double> x = from;
        drive(method, problem, x, {.step = until / steps, .until = until});
        const double apart = distance(x, expected, from);
        CAPTURE(steps, apart);
        if (before > 0) CHECK(std::abs(std::log2(before / apart) - 2) < 0.2);
        before = apart;
      }
      CHECK(before < 0.1 * slipped);
    };
    check("implicit midpoint", ImplicitMidpoint{});
    check("discrete gradient", DiscreteGradient{});
    check("generalized alpha", GeneralizedAlpha{});
  }
}

}  // namespace friction_implicit_test
