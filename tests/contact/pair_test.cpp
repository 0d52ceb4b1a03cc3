// Pairs of round sides that touch: what all of them share, and two balls.

#include <dalembert/contact/pair.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/frictionless_contact.hpp>
#include <dalembert/contact/line.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/modes/linearization.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace pair_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using V = Vec<double, 3>;
using Body = RigidBody<double>;
using Marker = FrameMarker<double>;

TEST_CASE("pairs are named by what touches", "[contact]") {
  CHECK(contact::RollingContact<double>::name == "RollingContact");
  CHECK(contact::RollingOnRod<double>::name == "RollingOnRod");
  CHECK(contact::RollingStation<double>::name == "RollingStation");
  CHECK(contact::RollingOnBall<double>::name == "RollingOnBall");
  CHECK(contact::FrictionlessContact<double>::name == "FrictionlessContact");
  CHECK(contact::SlidingOnRod<double>::name == "SlidingOnRod");
  CHECK(contact::SlidingStation<double>::name == "SlidingStation");
  CHECK(contact::SlidingOnBall<double>::name == "SlidingOnBall");
}

TEST_CASE("a ball on a ball that is fixed moves as on a sphere", "[contact]") {
  const double a = 0.07, b = 0.31, m = 0.4;
  test::Random random(test::seed());
  for (const bool rolls : {true, false}) {
    const V centre = random.vector<double>(), n = random.vector<double>().normalized();
    const Body ball{{.mass = m, .inertia = {2e-3, 3e-3, 2.5e-3}, .gravity = V(0.5, -3, 2)}};
    auto chain = ball.at(centre + (a + b) * n, SO3<double>::exp(random.vector<double>()));
    const V along = n.cross(random.vector<double>()), spin = random.vector<double>();
    chain.set_velocity(0, along, spin);
    const auto check = [&](const auto& on_ball, const auto& on_sphere, double sign) {
      const Assembly one{bodies(std::vector{ball}), constraints(std::vector{on_ball})};
      const Assembly other{bodies(std::vector{ball}), constraints(std::vector{on_sphere})};
      auto x = one.state({chain}), y = other.state({chain});
      one.project(x);
      other.project(y);
      CHECK((x[0].velocity - y[0].velocity).abs().maxCoeff() < 1e-13);
      auto r = one.make_rates();
      auto q = other.make_rates();
      one.rates(x, r);
      other.rates(y, q);
      CHECK((r.xidot[0] - q.xidot[0]).abs().maxCoeff() < 1e-11);
      CHECK((r.lambda - sign * q.lambda).norm() < 1e-11);
      CHECK(r.lambda.norm() > 0.05);
    };
    if (rolls)
      check(contact::RollingOnBall<double>{Marker::in_space(centre), {0}, b, a, true},
            contact::RollingOnCylinder<double, Marker>{{0}, a, {b, centre, V::Zero()}, true}, -1);
    else
      check(contact::SlidingOnBall<double>{Marker::in_space(centre), {0}, b, a, true},
            contact::SlidingOnCylinder<double, Marker>{{0}, a, {b, centre, V::Zero()}, true}, 1);
  }
}

TEST_CASE("two free balls roll on each other and keep energy and momentum", "[contact]") {
  const double a = 0.2, b = 0.3;
  const Body one{{.mass = 0.5, .inertia = {8e-3, 8e-3, 8e-3}}},
      two{{.mass = 1.1, .inertia = {0.04, 0.04, 0.04}}};
  const Assembly problem{bodies(std::vector{one, two}),
                         constraints(std::vector{contact::RollingOnBall<double>{{0}, {1}, a, b, true}})};
  const V n = V(0.3, 0.5, -1).normalized(), offset(3, -2, 5);
  auto x = problem.state({one.at(offset), two.at(offset + (a + b) * n)});
  x[0].set_velocity(0, V(0.3, -0.2, 0.1), V(2, 1, -3));
  x[1].set_velocity(0, V(-0.1, 0.4, 0.2), V(-1, 2, 1));
  problem.project(x);
  const auto momentum = [&](const State<double>& s) {
    V linear = V::Zero(), angular = V::Zero();
    const double mass[] = {0.5, 1.1}, inertia[] = {8e-3, 0.04};
    for (std::size_t i = 0; i < 2; ++i) {
      const V p = mass[i] * s[i].linear_velocity(0), r = s[i].position(0);
      const V spin = s[i].rotation(0).act(s[i].angular_velocity(0));
      linear += p;
      angular += r.cross(p) + inertia[i] * spin;
    }
    return std::pair{linear, angular};
  };
  const auto before = momentum(x);
  const double energy = problem.energy(x);
  const double start = x[0].position(0)[0];
  drive(Verlet{}, problem, x, {.step = 1e-3, .until = 2.0});
  const auto after = momentum(x);
  CHECK((after.first - before.first).norm() < 1e-12);
  CHECK((after.second - before.second).norm() < 1e-5 * before.second.norm());
  CHECK_THAT(problem.energy(x), WithinRel(energy, 1e-5));
  CHECK(problem.constraint(x).position < 1e-14);
  CHECK(problem.constraint(x).velocity < 1e-13);
  CHECK(std::abs(x[0].position(0)[0] - start) > 0.1);
}

TEST_CASE("a ball on top of a ball falls as fast as rolling lets it", "[contact][modes]") {
  // s² = g/((a + b)(1 + I/(ma²)))
  const double a = 0.07, b = 0.31, m = 0.4, g = 9.81, inertia = 0.4 * m * a * a;
  const Body ball{{.mass = m, .inertia = {inertia, inertia, inertia}, .gravity = V(0, 0, -g)}};
  const Assembly problem{
      bodies(std::vector{ball}),
      constraints(std::vector{contact::RollingOnBall<double>{Marker::in_space(V(1, 2, 3)), {0}, b, a}})};
  const auto x = problem.state({ball.at(V(1, 2, 3 + a + b))});
  const double s = std::sqrt(g / ((a + b) * 1.4));
  const auto found = linearization(problem, x, {.count = 1, .shift = 1.1 * s});
  CHECK_THAT(found[0].eigenvalue.real(), WithinRel(s, 1e-9));
}

TEST_CASE("radii of pairs are checked", "[contact]") {
  const Body ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const auto make = [&](double a, double b) {
    return Assembly{bodies(std::vector{ball, ball}),
                    constraints(std::vector{contact::SlidingOnBall<double>{{0}, {1}, a, b}})};
  };
  CHECK_THROWS_WITH(make(0, 1), ContainsSubstring("SlidingOnBall: radius = 0"));
  CHECK_THROWS_WITH(make(1, -2), ContainsSubstring("SlidingOnBall: radius = -2"));
  const auto apart = make(1, 2);
  auto x = apart.state({ball.at(V(0, 0, 0)), ball.at(V(0, 3, 0))});
  x[0].set_velocity(0, V(1, 0, 0), V(0, 0, 0));
  auto r = apart.make_rates();
  CHECK_THROWS_WITH(apart.rates(x, r), ContainsSubstring("the normal force of a SlidingOnBall is -"));
}

}  // namespace pair_test
