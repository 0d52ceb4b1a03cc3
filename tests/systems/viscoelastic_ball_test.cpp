#include <dalembert/systems/viscoelastic_ball.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/catch.hpp"

namespace viscoelastic_ball_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::PlaneAtRest;
using systems::Turntable;
using systems::ViscoelasticBall;
using Still = ViscoelasticBall<double>;
using OnTable = ViscoelasticBall<double, Turntable<double>>;
using Vec2 = Vec<double, 2>;
using State4 = Vec<double, 4>;

static_assert(NonholonomicSystem<Still> && NonholonomicSystem<OnTable>);
static_assert(NonholonomicSystem<ViscoelasticBall<long double, systems::ShakenTray<long double>>>);

constexpr double mass = 0.7, radius = 0.3, inertia = 0.03, friction = 0.06, gravity = 9.0;

template <class Ball, class Flow>
Ball ball_of(const Flow& flow) {
  return Ball({.mass = mass, .radius = radius, .inertia = inertia, .friction = friction, .gravity = gravity},
              flow);
}

/// exp(m) by its series, halved and squared.
Mat<double, 4> exponential(const Mat<double, 4>& m) {
  const double size = m.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = static_cast<int>(std::max(0.0, std::ceil(std::log2(size)) + 3));
  const Mat<double, 4> small = m / std::ldexp(1.0, halvings);
  Mat<double, 4> sum = Mat<double, 4>::Identity(), term = sum;
  for (int i = 1; i < 20; ++i) {
    term = (term * small / i).eval();
    sum += term;
  }
  for (int i = 0; i < halvings; ++i) sum = (sum * sum).eval();
  return sum;
}

/// (W, a − c) on a turntable at time t, from D Ẇ = −MR²Ω J ȧ − μMgR W and ȧ = W + ΩJ(a − c).
State4 on_turntable(double table, const State4& start, double t) {
  const double d = inertia + mass * radius * radius, part = mass * radius * radius / d;
  Mat<double, 2> turn;
  turn << 0, -1, 1, 0;
  const Mat<double, 2> one = Mat<double, 2>::Identity();
  Mat<double, 4> m;
  m.topLeftCorner<2, 2>() = -part * table * turn - friction * mass * gravity * radius / d * one;
  m.topRightCorner<2, 2>() = -part * table * table * turn * turn;
  m.bottomLeftCorner<2, 2>() = one;
  m.bottomRightCorner<2, 2>() = table * turn;
  return exponential(t * m) * start;
}

/// Runs a ball and returns the error of place and velocity beside `expected(t)`.
template <class Ball, class Expected>
double error_of_run(const Ball& ball, const Vec2& place, const Vec2& velocity, double until,
                    Expected&& expected) {
  const LagrangeDAlembert problem{ball};
  auto state =
      problem.state({SO3d::exp({0.3, 0.1, -0.4}), Rn<double, 2>(place)}, ball.rolling(place, velocity, 1.3));
  double error = 0;
  const auto watch = [&](const auto&, const auto& at) {
    const typename Ball::Motion motion = expected(at.time);
    error = std::max({error, (at.g.second().coordinates() - motion.position).norm(),
                      (at.xi.template tail<2>() - motion.velocity).norm(), std::abs(at.xi[2] - 1.3)});
  };
  analysis::EnergyMonitor monitor{problem};
  drive(DormandPrince853{}, problem, state, {.step = 0.02, .until = until}, watch, monitor);
  CHECK(monitor.balance_error() < 1e-10);
  CHECK(monitor.last().work.dissipation < -1e-3);
  CHECK(std::abs(monitor.last().work.load) < 1e-15);
  CHECK(monitor.violation().velocity < 1e-12);
  return error;
}

TEST_CASE("rolling friction slows a ball down exponentially along a straight line", "[ball]") {
  const Still ball = ball_of<Still>(PlaneAtRest<double>{});
  const double lasting = (inertia + mass * radius * radius) / (friction * mass * gravity * radius);
  CHECK(std::abs(ball.damping_rate() * lasting - 1) < 1e-14);
  const Vec2 place(0.2, -0.1), velocity(0.5, 0.9);
  const auto by_hand = [&](double t) -> Still::Motion {
    const double left = std::exp(-t / lasting);
    return {place + lasting * (1 - left) * velocity, left * velocity};
  };
  CHECK(error_of_run(ball, place, velocity, 3, by_hand) < 1e-10);
  for (const double t : {-1.0, 0.0, 2.5}) {
    const auto exact = ball.exact({place, velocity}, t);
    CHECK((exact.position - by_hand(t).position).norm() < 1e-14);
    CHECK((exact.velocity - by_hand(t).velocity).norm() < 1e-14);
  }
  const auto end = ball.exact({place, velocity}, 1e3);
  CHECK(std::abs((end.position - place).norm() - velocity.norm() * lasting) < 1e-14);
}

TEST_CASE("on a turntable a ball with rolling friction follows a matrix exponential", "[ball]") {
  const double table = 2.1;
  const Vec2 centre(0.1, 0.2), place(0.5, -0.1), velocity(0.2, 0.4);
  const OnTable ball = ball_of<OnTable>(Turntable<double>{.rate = table, .centre = centre});
  Mat<double, 2> turn;
  turn << 0, -1, 1, 0;
  State4 start;
  start << velocity - table * turn * (place - centre), place - centre;
  const auto by_exponential = [&](double t) -> OnTable::Motion {
    const State4 now = on_turntable(table, start, t);
    const Vec2 away = now.tail<2>();
    return {centre + away, now.head<2>() + table * turn * away};
  };
  CHECK(error_of_run(ball, place, velocity, 5, by_exponential) < 1e-10);
  for (const double t : {-0.5, 0.0, 0.3, 4.0}) {
    const auto exact = ball.exact({place, velocity}, t), expected = by_exponential(t);
    CHECK((exact.position - expected.position).norm() < 1e-11 * (1 + expected.position.norm()));
    CHECK((exact.velocity - expected.velocity).norm() < 1e-11 * (1 + expected.velocity.norm()));
  }
}

TEST_CASE("without friction a turntable makes circles, and with a little of it spirals", "[ball]") {
  const Turntable<double> table{.rate = 2.0};
  const OnTable smooth({.mass = mass, .radius = radius, .inertia = inertia}, table);
  const systems::BallOnMovingPlane<double> circling({.mass = mass, .radius = radius, .inertia = inertia},
                                                    table);
  const Vec2 place(0.5, -0.1), velocity(0.2, 0.4);
  const auto circle = circling.exact({place, velocity}, 3.0);
  CHECK((smooth.exact({place, velocity}, 3.0).position - circle.position).norm() < 1e-14);

  // the growth of a spiral to first order in the friction: ȧ/|ȧ| turns at σΩ, |ȧ| grows like exp((1 − σ) t/(σT))
  const OnTable rough(
      {.mass = mass, .radius = radius, .inertia = inertia, .friction = 1e-4, .gravity = gravity}, table);
  const double sigma = rough.share(), growth = (1 - sigma) / sigma * rough.damping_rate();
  const double rate = sigma * table.rate, turns = 2 * static_cast<double>(pi) / rate;
  // a circle about the middle of the table is all of the growing solution but for first order
  const Vec2 out(0.4, 0), round(0, 0.4 * rate);
  const double change = std::log(rough.exact({out, round}, 5 * turns).velocity.norm() / round.norm());
  CHECK(change > 0);
  CHECK(std::abs(change / (5 * turns * growth) - 1) < 0.05);
}

TEST_CASE("a turntable that stands still is a plane at rest", "[ball]") {
  const Still still = ball_of<Still>(PlaneAtRest<double>{});
  const OnTable table = ball_of<OnTable>(Turntable<double>{.rate = 0});
  const Vec2 place(0.5, -0.1), velocity(0.2, 0.4);
  for (const double t : {0.1, 1e3}) {
    const auto a = still.exact({place, velocity}, t);
    const auto b = table.exact({place, velocity}, t);
    CHECK((a.position - b.position).norm() < 1e-14);
    CHECK((a.velocity - b.velocity).norm() < 1e-14);
  }
}

TEST_CASE("the power of rolling friction is −μMg|W|²/R, all of it dissipation", "[ball]") {
  const double table = 2.1;
  const OnTable ball = ball_of<OnTable>(Turntable<double>{.rate = table});
  const LagrangeDAlembert problem{ball};
  const Vec2 place(0.5, -0.1), velocity(0.2, 0.4), under(-table * place[1], table * place[0]);
  const auto state = problem.state({SO3d(), Rn<double, 2>(place)}, ball.rolling(place, velocity, 0.7));
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const auto power = problem.power(state, rates);
  CHECK(std::abs(power.load) < 1e-15);
  CHECK(std::abs(power.dissipation + friction * mass * gravity * (velocity - under).squaredNorm() / radius) <
        1e-14);
  const Vec2 acceleration = rates.xidot.tail<2>();
  CHECK((rates.lambda - mass * acceleration).norm() < 1e-13);
  CHECK(std::abs(power.constraint - rates.lambda.dot(under)) < 1e-13);
}

TEST_CASE("bad parameters of a viscoelastic ball are refused by name", "[ball]") {
  CHECK_THROWS_WITH((Still{{.mass = 0}}), ContainsSubstring("ViscoelasticBall: mass = 0"));
  CHECK_THROWS_WITH((Still{{.friction = -1}}), ContainsSubstring("ViscoelasticBall: friction = -1"));
  CHECK_THROWS_WITH((Still{{.gravity = std::nan("")}}), ContainsSubstring("ViscoelasticBall: gravity"));
  CHECK_THROWS_WITH((OnTable{{}, {.rate = 1, .centre = {std::nan(""), 0}}}),
                    ContainsSubstring("ViscoelasticBall: velocity of the plane"));
}

}  // namespace viscoelastic_ball_test
