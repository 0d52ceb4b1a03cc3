// Contacts of nodes that are alone are solved in packs: as touches would be, to round-off.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace node_contacts_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Touching;
using V = Vec<double, 3>;

/// One step of Verlet's method, its contacts in packs or not.
template <class Problem>
struct Step {
  typename Problem::NodeLoads loads;
  State<> end;
  Projection<double> report;

  Step(const Problem& problem, const State<>& start, double h, bool in_packs)
      : loads(problem.make_loads()), end(start) {
    loads.touching.nodes_in_packs = in_packs;
    problem.locate(start, loads);
    problem.loads(start, loads);
    end.time = start.time + h;
    const auto part = problem.part(0);
    part.begin_step(start, loads, h, end, OneByOne{});
    report = part.project_position(end, h, loads);
    part.end_step(end, loads, h, OneByOne{});
    (void)part.finish_step(end, loads);
  }
  ContactWorks<> works() const { return loads.touching.works; }
};

double distance(const State<>& a, const State<>& b, double turning) {
  double most = 0;
  for (std::size_t i = 0; i < a.chains.size(); ++i)
    for (Eigen::Index k = 0; k < a[i].nodes; ++k) {
      most = std::max(most, (a[i].position(k) - b[i].position(k)).norm());
      most = std::max(most, (a[i].linear_velocity(k) - b[i].linear_velocity(k)).norm());
      most = std::max(most, turning * (a[i].angular_velocity(k) - b[i].angular_velocity(k)).norm());
      most = std::max(most, turning * (a[i].rotation(k).matrix() - b[i].rotation(k).matrix()).norm());
    }
  return most;
}

/// Rods thrown at some surfaces, and a body with a ball or a plate.
struct Throw {
  std::mt19937_64 random;
  int in_packs = 0, as_touches = 0, landed = 0, let_out = 0;
  double worst = 0, worst_work = 0;

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  V within(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }

  template <class Section>
  void run(const Section& section, int steps) {
    const double a = 0.01, inf = std::numeric_limits<double>::infinity();
    Touching<> what;
    const int law = static_cast<int>(between(0, 4));
    what.friction = law == 0 ? 0 : law == 1 ? inf : between(0.1, 0.6);
    what.restitution = between(0, 1) < 0.5 ? 0 : between(0.2, 1);
    what.radii = {a, 0.7 * a, 1};
    const int place = static_cast<int>(between(0, 4));
    if (place != 1) {  // a plane below, which may move along itself
      contact::Plane<> plane;
      plane.normal = SO3<>::exp({between(-0.03, 0.03), between(-0.03, 0.03), 0}).act(V(0, 0, 1));
      if (between(0, 1) < 0.5) plane.velocity = plane.normal.cross(within(2));
      what.planes.push_back(plane);
    }
    if (place == 1 || place == 3) {  // a cylinder or a sphere that turns
      contact::Drum<> drum;
      drum.surface.radius = 0.1;
      drum.surface.centre = {0.05, 0, -0.1};
      drum.surface.axis = between(0, 1) < 0.5 ? V::Zero() : V(0, 1, 0);
      drum.angular_velocity = drum.surface.axis.isZero(0) ? within(20) : V(0, between(-20, 20), 0);
      if (!drum.surface.axis.isZero(0)) drum.velocity = {0, between(-1, 1), 0};
      what.drums.push_back(drum);
    }
    if (place == 2) {  // a hollow
      contact::Drum<> bowl;
      bowl.inside = true;
      bowl.surface.radius = 0.2;
      bowl.surface.centre = {0, 0, 0.19};
      bowl.surface.axis = between(0, 1) < 0.5 ? V::Zero() : V(1, 0, 0);
      what.drums.push_back(bowl);
    }
    if (between(0, 1) < 0.3)
      what.pairs.push_back({.first = contact::TouchingSurface(contact::TouchingSurface::Kind::body, 1),
                            .second = contact::TouchingSurface::any(),
                            .friction = 0.2,
                            .restitution = 0.5});
    const auto make = [&](int elements) {
      const double how = between(0, 1);
      return rod::ElasticRod<>(
          section, {.elements = elements,
                    .length = 0.01 * elements,
                    .start = how < 0.3   ? rod::Boundary<>::degrees({true, false, false, false, true, false})
                             : how < 0.5 ? rod::Boundary<>::clamped()
                                         : rod::Boundary<>::free(),
                    .finish = how > 0.8 ? rod::Boundary<>::degrees({false, false, false, true, false, false})
                                        : rod::Boundary<>::free(),
                    .loads = {.gravity = {0, 0, -9.81}},
                    .damping = {between(0, 1) < 0.5 ? 0. : 10.}});
    };
    const auto one = make(3 + static_cast<int>(between(0, 20))), two = make(7);
    const auto ball = RigidBody<>{{.mass = 0.1, .inertia = {1e-5, 1e-5, 1e-5}, .gravity = {0, 0, -9.81}}};
    const auto all = bodies(one, two, ball);
    const auto [first, second, third] = all.handles();
    if (between(0, 1) < 0.5) what.balls.push_back({frame(third), 0.02});
    if (between(0, 1) < 0.05)  // a plate that the ball bears, which presses from above
      what.plates.push_back({frame(third), {.point = {0, 0, -0.1 + 2.25 * a}, .normal = {0, 0, -1}}});
    const Assembly problem{all, what};
    const double turn = between(-1, 1);
    const V along(std::cos(turn), std::sin(turn), between(-0.01, 0.03));
    State<> state;
    try {
      state = problem.state({{first, one.straight({0, 0, between(0.95, 1.2) * a}, {.direction = along})},
                             {second, two.straight({0.02, 0.03, between(0.65, 1) * a}, {.direction = along})},
                             {third, ball.at({0.1, 0.03, 0.1})}});
    } catch (const BodiesOverlap&) {
      return;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      V fly = within(1);
      fly[2] = -std::abs(fly[2]);
      const V spin = within(20);
      for (Eigen::Index k = 0; k < state[i].nodes; ++k)
        state[i].set_velocity(k, fly + within(0.02), spin + within(1));
    }
    state[2].set_velocity(0, {0, 0, -0.3}, {0.3, 0.2, 0});
    const double h = 3e-5 * std::pow(10, between(0, 0.3));
    for (int i = 0; i < steps; ++i) {
      // far apart they are no different, but the first step of each is from the same state
      const Step packs(problem, state, h, true), touches(problem, state, h, false);
      REQUIRE(touches.loads.touching.node_contacts.empty());
      for (const auto& c : packs.loads.touching.node_contacts)
        for (int lane = 0; lane < rod::lane_width<double>; ++lane) {
          if constexpr (rod::lane_width < double >> 1) {
            if (!(c.mine[lane] > 0)) continue;
            in_packs += c.gap[lane] <= c.tolerance()[lane];
            landed += c.gap[lane] <= c.tolerance()[lane] && !(c.was_closed[lane] > 0);
            let_out += c.gap_before[lane] < -1e-12;
          }
        }
      for (const auto& t : packs.loads.touching.touches) as_touches += t.closed;
      worst = std::max(worst, distance(packs.end, touches.end, a));
      REQUIRE(packs.report.converged == touches.report.converged);
      const auto p = packs.works(), q = touches.works();
      for (const double d :
           {p.impact - q.impact, p.friction - q.friction, p.driven - q.driven, p.correction - q.correction})
        worst_work = std::max(worst_work, std::abs(d));
      state = packs.end;
    }
    REQUIRE(state.is_finite_throughout());
  }
};

TEST_CASE("nodes in packs move as touches would", "[contact][touching]") {
  Throw all{std::mt19937_64(1)};
  const rod::CircularSection circle({.radius = 0.01, .young = 1e5, .density = 1100});
  const rod::RectangularSection strip({.width = 0.02, .height = 0.008, .young = 1e5, .density = 1100});
  for (int i = 0; i < 60; ++i) {
    all.run(circle, 200);
    all.run(strip, 200);
  }
  UNSCOPED_INFO(all.in_packs << " in packs, " << all.as_touches << " touches, " << all.landed << " landed, "
                             << all.let_out << " let out, off by " << all.worst << ", " << all.worst_work);
  CHECK(all.worst < 1e-13);
  CHECK(all.worst_work < 1e-15);
  CHECK(all.in_packs > 10000);
  CHECK(all.as_touches > 2000);
  CHECK(all.landed > 100);
  CHECK(all.let_out > 100);
}

}  // namespace node_contacts_test
