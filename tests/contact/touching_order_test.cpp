#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"

namespace touching_order_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double g = 9.81, a = 0.05, b = 0.5;

/// A ball in a bowl, on a turning globe, or on a plate, and where it is after a while.
struct Course {
  double friction = 0;
  bool inside = true;
  V angular_velocity = V::Zero();

  auto problem() const {
    const double m = 0.7, j = 0.4 * m * a * a;
    const RigidBody<> ball{{.mass = m, .inertia = {j, j, 1.1 * j}, .gravity = {0, 0, -g}}};
    const auto all = bodies(ball);
    const auto [one] = all.handles();
    Touching<> what{.friction = friction, .balls = {{frame(one), a}}};
    contact::Drum<> bowl;
    bowl.surface.radius = b;
    bowl.inside = inside;
    bowl.angular_velocity = angular_velocity;
    what.drums.push_back(bowl);
    return Assembly{all, what};
  }
  V end(double step, double until, const V& spin) const {
    const auto p = problem();
    const double r = inside ? b - a : b + a, angle = 0.4, side = inside ? -1 : 1;
    Chain<> chain(1);
    chain.set_frame(0, SO3<>::identity(), {r * std::sin(angle), 0, side * r * std::cos(angle)});
    auto state = p.state({chain});
    state[0].set_velocity(0, {0, 0.3, 0}, spin);
    drive(Verlet{}, p, state, {.step = step, .until = until});
    CHECK(std::abs(state[0].position(0).norm() - r) < 2e-15);
    return state[0].position(0);
  }
  /// Errors of steps over those of steps half as long.
  double ratio(double until, const V& spin) const {
    std::vector<V> ends;
    for (const double step : {2e-3, 1e-3, 5e-4}) ends.push_back(end(step, until, spin));
    return (ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm();
  }
};

TEST_CASE("steps are of second order while contacts slide, roll or are smooth", "[contact][touching]") {
  const double infinite = std::numeric_limits<double>::infinity();
  // from rolling: the material at the contact is at rest
  const V rolls(0.3 * std::cos(0.4) / a, 0, 0.3 * std::sin(0.4) / a);
  for (const auto& [friction, spin] :
       {std::pair{0.0, V(0, 0, 3)}, std::pair{0.1, V(0, -80, 20)}, std::pair{infinite, V(rolls)}}) {
    const Course bowl{.friction = friction};
    const double found = bowl.ratio(0.4, spin);
    INFO("friction " << friction << ": " << found);
    CHECK(found > 3.6);
    CHECK(found < 4.4);
  }
  const Course globe{.friction = 0.2, .inside = false, .angular_velocity = {2, -3, 1}};
  const double found = globe.ratio(0.1, {0, 60, 10});
  INFO("globe: " << found);
  CHECK(found > 3.6);
  CHECK(found < 4.4);
}

TEST_CASE("a ball in a smooth bowl is a pendulum", "[contact][touching]") {
  const Course bowl;
  const auto p = bowl.problem();
  Chain<> chain(1);
  const double r = b - a, angle = 0.9;
  chain.set_frame(0, SO3<>::identity(), {r * std::sin(angle), 0, -r * std::cos(angle)});
  auto state = p.state({chain});
  double deepest = 0, pressed = 0, worst = 0;
  drive(Verlet{}, p, state, {.step = 1e-4, .until = 0.7}, [&](const auto& problem, const auto& x) {
    const double c = -x[0].position(0)[2] / r, speed = x[0].linear_velocity(0).squaredNorm();
    deepest = std::max(deepest, std::abs(speed - 2 * g * r * (c - std::cos(angle))));
    const auto touches = contact::touches(problem, x);
    REQUIRE(touches.size() == 1);
    pressed = touches[0].pressure();
    worst = std::max(worst, std::abs(pressed - 0.7 * (g * c + speed / r)));
  });
  CHECK(deepest < 1e-6);
  CHECK(worst < 1e-6);
}

}  // namespace touching_order_test
