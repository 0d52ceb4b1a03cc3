#include <dalembert/systems/ball_on_moving_plane.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/balls.hpp"
#include "support/catch.hpp"

namespace ball_on_moving_plane_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::BallOnMovingPlane;
using systems::ShakenTray;
using systems::Shear;
using systems::StagnationFlow;
using systems::Turntable;

enum class Kind { turntable, shear, stagnation, tray, swirl };

/// The planes of the header, and one that nobody has heard of, as one type, for which the assembler is compiled once.
template <class S>
struct AnyFlow {
  Kind kind = Kind::swirl;
  Turntable<S> turntable{.rate = S(-1.9), .centre = {S(0.1), S(0.2)}};
  Shear<S> shear{.rate = S(0.9)};
  StagnationFlow<S> stagnation{.rate = S(0.8)};
  ShakenTray<S> tray{.amplitude = {S(0.2), S(-0.1)}, .frequency = S(3)};

  template <class T>
  Vec<T, 2> operator()(const Vec<T, 2>& a, const T& t) const {
    using std::sin;
    switch (kind) {
      case Kind::turntable:
        return turntable(a);
      case Kind::shear:
        return shear(a);
      case Kind::stagnation:
        return stagnation(a);
      case Kind::tray:
        return tray(a, t);
      default: {
        const T rate = S(0.8) + S(0.3) * t;
        return {sin(a[0]) - rate * a[1], rate * a[0] * a[1]};
      }
    }
  }
};

template <class S = double>
using Ball = BallOnMovingPlane<S, AnyFlow<S>>;

static_assert(NonholonomicSystem<BallOnMovingPlane<double>>);
static_assert(NonholonomicSystem<Ball<double>> && NonholonomicSystem<Ball<long double>>);
static_assert(systems::PlanarFlow<Turntable<double>, double> &&
              systems::PlanarFlow<ShakenTray<double>, double>);
static_assert(!systems::PlanarFlow<int, double>);
static_assert(
    !systems::PlanarFlow<Vec<double, 2> (*)(const Vec<double, 2>&), double>);  // over plain numbers only

template <class S>
Ball<S> random_ball(laws::Random<S>& random, Kind kind) {
  const S m = random.positive(), radius = random.positive(), inertia = random.positive();
  return Ball<S>{{.mass = m, .radius = radius, .inertia = inertia}, {.kind = kind}};
}

/// A state that rolls, at a random time.
template <class Problem, class Random>
auto random_state(const Problem& problem, Random& random) {
  using S = typename Problem::Scalar;
  const auto g = test::configuration<S>(random);
  const S t = random.positive();
  const auto velocity = random.template vector<2>();
  return problem.state(g, problem.system().rolling(g.second().coordinates(), velocity, random(), t), t);
}

/// dv/dt along the motion: ∂v/∂a ȧ + ∂v/∂t.
template <class System, class State, class S = ScalarOf<System>>
Vec<S, 2> plane_acceleration(const System& ball, const State& state) {
  using D = Dual<S, 1>;
  const Vec<S, 2> velocity = state.xi.template tail<2>();
  const Vec<D, 2> a = seeded(state.g.second().coordinates(), velocity);
  const Vec<D, 2> v = ball.template plane_velocity<D>(a, D::variable(state.time, 0));
  return {v[0].derivative(0), v[1].derivative(0)};
}

/// (3) of the header.
struct MovingPlane {
  template <class System, class State>
  auto operator()(const System& ball, const State& state) const {
    using S = ScalarOf<System>;
    laws::Expected<System> expected;
    const auto& p = ball.parameters();
    const S d = p.mass * p.radius * p.radius;
    const Vec<S, 2> dv = plane_acceleration(ball, state), slip = -d / (p.inertia + d) * dv;
    const Vec<S, 2> acceleration = slip + dv;
    expected.xidot << -slip[1] / p.radius, slip[0] / p.radius, S(0), acceleration;
    expected.lambda = p.mass * acceleration;
    return expected;
  }
};

TEMPLATE_TEST_CASE("on every plane the ball has its closed equations at random states", "[ball]", double,
                   long double) {
  using S = TestType;
  for (const Kind kind : {Kind::turntable, Kind::shear, Kind::stagnation, Kind::tray, Kind::swirl}) {
    CAPTURE(static_cast<int>(kind));
    laws::check_rates<Ball<S>>(
        [&](auto& random) { return random_ball<S>(random, kind); },
        [](const auto& problem, auto& random) { return random_state(problem, random); }, MovingPlane{});
  }
}

TEST_CASE("the planes move as they say", "[ball]") {
  const Vec<double, 2> a(2.0, 3.0);
  CHECK(Turntable<>{.rate = 0.5, .centre = {1.0, 1.0}}(a) == Vec<double, 2>(-1.0, 0.5));
  CHECK(Turntable<>{}(a) == Vec<double, 2>(-3.0, 2.0));
  CHECK(Shear<>{.rate = 0.5}(a) == Vec<double, 2>(1.5, 0.0));
  CHECK(StagnationFlow<>{.rate = 0.5}(a) == Vec<double, 2>(1.0, -1.5));
  const ShakenTray<> tray{.amplitude = {0.1, 0.2}, .frequency = 3.0};
  CHECK((tray(a, 0.0) - Vec<double, 2>(0.3, 0.6)).norm() < 1e-15);
  CHECK(tray(a, static_cast<double>(pi) / 6).norm() < 1e-15);
}

TEST_CASE("the plane's power is what the energy gains, and closed forms are derivatives", "[ball]") {
  laws::Random<double> random;
  for (const Kind kind : {Kind::turntable, Kind::shear, Kind::stagnation, Kind::tray, Kind::swirl}) {
    const LagrangeDAlembert problem{random_ball(random, kind)};
    const auto state = random_state(problem, random);
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
    // The plane does the work λ·v, λ = Mä.
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const Vec<double, 2> v = problem.system().plane_velocity(state.g.second().coordinates(), state.time);
    const double power = problem.system().parameters().mass * rates.xidot.tail<2>().dot(v);
    CHECK(std::abs(problem.power(state, rates).constraint - power) < 1e-12 * (1 + std::abs(power)));
    CHECK(std::abs(power) > 1e-3);
    CHECK(std::abs(problem.power(state, rates).load) < 1e-15);
  }
}

TEST_CASE("over a run the energy monitor's work is the energy gained, and C is constant", "[ball]") {
  const Ball<> ball{{.mass = 1.6, .radius = 0.8, .inertia = 0.37}};
  const LagrangeDAlembert problem{ball};
  const auto g = SO3d::exp({0.3, -0.2, 0.5});
  const Vec<double, 2> a(0.2, -0.1), velocity(0.3, 0.4);
  auto state = problem.state({g, Rn<double, 2>(a)}, ball.rolling(a, velocity, 0.7));
  analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
  const Vec<double, 2> integral = ball.first_integral(a, velocity);
  drive(RungeKutta4{}, problem, state, {.step = 1e-3, .until = 1.5}, monitor,
        [&](const auto&, const auto& at) {
          const Vec<double, 2> now =
              ball.first_integral(at.g.second().coordinates(), at.xi.template tail<2>(), at.time);
          REQUIRE((now - integral).norm() < 1e-10);
        });
  CHECK(monitor.energy_error() > 0.01);
  CHECK(monitor.balance_error() < 1e-5 * monitor.energy_error());
  CHECK(std::abs(state.xi[2] - 0.7) < 1e-12);
}

TEST_CASE("the ball's path solves its equation in the plane, ȧ = C + σ v(a, t)", "[ball]") {
  const Vec<double, 2> a(0.3, -0.2), velocity(0.25, 0.4);
  const Ball<>::Parameters given{.mass = 0.5, .radius = 0.3, .inertia = 0.02};
  const auto check = [&](Kind kind, const auto& exact) {
    const Ball<> ball{given, {.kind = kind}};
    const LagrangeDAlembert problem{ball};
    auto state = problem.state({SO3d(), Rn<double, 2>(a)}, ball.rolling(a, velocity, 0.7));
    const Vec<double, 2> c = ball.first_integral(a, velocity);
    drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 3.0}, [&](const auto&, const auto& at) {
      const Vec<double, 2> expected = exact(at.time, c, ball.share());
      REQUIRE((at.g.second().coordinates() - expected).norm() < 1e-8);
    });
  };
  check(Kind::shear, [&](double t, const Vec<double, 2>& c, double sigma) -> Vec<double, 2> {
    return {a[0] + c[0] * t + sigma * 0.9 * (a[1] * t + c[1] * t * t / 2), a[1] + c[1] * t};
  });
  check(Kind::stagnation, [&](double t, const Vec<double, 2>& c, double sigma) -> Vec<double, 2> {
    const double k = 0.8 * sigma;
    return {a[0] * std::exp(k * t) + c[0] * std::expm1(k * t) / k,
            a[1] * std::exp(-k * t) - c[1] * std::expm1(-k * t) / k};
  });
  check(Kind::tray, [&](double t, const Vec<double, 2>& c, double sigma) -> Vec<double, 2> {
    return a + c * t + sigma * std::sin(3.0 * t) * Vec<double, 2>(0.2, -0.1);
  });
  check(Kind::turntable, [&](double t, const Vec<double, 2>&, double) -> Vec<double, 2> {
    const BallOnMovingPlane<> ball{given, AnyFlow<double>{}.turntable};
    return ball.exact({.position = a, .velocity = velocity}, t).position;
  });
}

TEST_CASE("a solid ball on a turntable runs on circles at 2/7 of its rate", "[ball]") {
  const double mass = 0.7, radius = 0.3, rate = 2.1;
  const BallOnMovingPlane ball{{.mass = mass, .radius = radius, .inertia = 0.4 * mass * radius * radius},
                               Turntable<>{.rate = rate, .centre = {0.4, 0.1}}};
  REQUIRE(ball.circle_rate() == Approx(2 * rate / 7).epsilon(1e-15));
  const BallOnMovingPlane<>::Motion start{.position = {0.9, -0.3}, .velocity = {0.2, 0.5}};
  const double period = 2 * static_cast<double>(pi) / ball.circle_rate();
  const auto later = ball.exact(start, period);
  CHECK((later.position - start.position).norm() < 1e-14);
  CHECK((later.velocity - start.velocity).norm() < 1e-14);
  // About e₃ × ȧ/k from where it is, and to the left as the table turns.
  const Vec<double, 2> centre =
      start.position + Vec<double, 2>(-start.velocity[1], start.velocity[0]) / ball.circle_rate();
  for (const double t : {0.3, 1.0, 5.0}) {
    const auto now = ball.exact(start, t);
    CHECK((now.position - centre).norm() ==
          Approx(start.velocity.norm() / ball.circle_rate()).epsilon(1e-14));
    const Vec<double, 2> from_centre = now.position - centre;
    CHECK((now.velocity - ball.circle_rate() * Vec<double, 2>(-from_centre[1], from_centre[0])).norm() <
          1e-14);
  }
  // The table at rest, or almost: a straight line.
  const BallOnMovingPlane at_rest{ball.parameters(), Turntable<>{.rate = 0}};
  CHECK(at_rest.exact(start, 3.0).position == start.position + 3.0 * start.velocity);
  const BallOnMovingPlane slow{ball.parameters(), Turntable<>{.rate = 1e-300}};
  CHECK((slow.exact(start, 3.0).position - start.position - 3.0 * start.velocity).norm() < 1e-15);
}

/// The general path: the same ball in the body's frame, g ∈ SO(3) × R² and nothing reduced.
struct InBody {
  using Group = Product<SO3d, Rn<double, 2>>;
  Ball<> ball;

  template <class T>
  T lagrangian(const Vec<T, 5>& xi) const {
    return ball.lagrangian(xi);  // |W| = |ω|
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Product<SO3<T>, Rn<T, 2>>& g, const Vec<T, 5>& xi, const T& t) const {
    Vec<T, 5> in_space = xi;
    in_space.template head<3>() = g.first().act(Vec<T, 3>(xi.template head<3>()));
    return ball.velocity_constraint(g, in_space, t);
  }
};

TEST_CASE("the reduced principle gives the motion of the general one", "[ball]") {
  const Ball<> ball{{.mass = 1.6, .radius = 0.8, .inertia = 0.37}};
  const LagrangeDAlembert reduced{ball};
  const LagrangeDAlembert general{InBody{ball}};
  laws::Random<double> random;
  auto first = random_state(reduced, random);
  auto xi = first.xi;
  xi.head<3>() = first.g.first().inverse().act(Vec<double, 3>(first.xi.head<3>()));
  auto second = general.state(first.g, xi, first.time);
  const double until = first.time + 1.0;
  drive(RungeKutta4{}, reduced, first, {.step = 2e-3, .until = until});
  drive(RungeKutta4{}, general, second, {.step = 2e-3, .until = until});
  CHECK((first.g.inverse() * second.g).log().norm() < 1e-9);
  CHECK((first.g.first().inverse().act(Vec<double, 3>(first.xi.head<3>())) - second.xi.head<3>()).norm() <
        1e-9);
}

/// The variational equation (58) itself: δ∫L dt = 0 for δω = α̇ − ω × α and δa = R(α₂, −α₁), α zero at both ends. `along_v` adds
/// v to δa, as if the plane's velocity belonged to the variations.
double variation(const std::vector<State<Ball<>::Group>>& path, const Ball<>& ball,
                 const Vec<double, 3>& direction, double along_v) {
  const auto& p = ball.parameters();
  const double from = path.front().time, duration = path.back().time - from;
  const auto bump = [&](double t) {
    const double s = (t - from) / duration;
    return std::pair{std::pow(s * (1 - s), 3), 3 * std::pow(s * (1 - s), 2) * (1 - 2 * s) / duration};
  };
  double sum = 0;
  for (const auto& at : path) {
    const std::pair<double, double> size = bump(at.time);
    const Vec<double, 3> omega = at.xi.head<3>(), alpha = size.first * direction,
                         alphadot = size.second * direction;
    const Vec<double, 3> domega = alphadot - omega.cross(alpha);
    const Vec<double, 2> v = ball.plane_velocity(at.g.second().coordinates(), at.time);
    const Vec<double, 2> vdot = plane_acceleration(ball, at);
    const Vec<double, 2> da = p.radius * Vec<double, 2>(alphadot[1], -alphadot[0]) +
                              along_v * (size.second * v + size.first * vdot);
    sum += p.inertia * omega.dot(domega) + p.mass * at.xi.tail<2>().dot(da);
  }
  return sum / static_cast<double>(path.size());
}

TEST_CASE("the action is stationary for variations without the plane's velocity, and not for others",
          "[ball]") {
  const Ball<> ball{{.mass = 1.6, .radius = 0.8, .inertia = 0.37}, {.kind = Kind::turntable}};
  const LagrangeDAlembert problem{ball};
  const Vec<double, 2> a(0.3, -0.2), velocity(0.25, 0.4);
  auto state = problem.state({SO3d(), Rn<double, 2>(a)}, ball.rolling(a, velocity, 0.7));
  std::vector<State<Ball<>::Group>> path;
  drive(RungeKutta4{}, problem, state, {.step = 4e-3, .until = 2.0},
        [&](const auto&, const auto& at) { path.push_back(at); });
  for (int i = 0; i < 3; ++i) {
    const Vec<double, 3> direction = Vec<double, 3>::Unit(i);
    CHECK(std::abs(variation(path, ball, direction, 0)) < 1e-9);
    CHECK(std::abs(variation(path, ball, direction, 1)) > 1e-5);
  }
}

TEST_CASE("impossible balls and planes are refused, by name and value", "[ball]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH((BallOnMovingPlane<>{{.mass = -1}}), ContainsSubstring("BallOnMovingPlane: mass = -1"));
  CHECK_THROWS_WITH((BallOnMovingPlane<>{{.radius = 0}}), ContainsSubstring("BallOnMovingPlane: radius = 0"));
  CHECK_THROWS_AS((BallOnMovingPlane<>{{.inertia = nan}}), std::invalid_argument);
  CHECK_THROWS_WITH((BallOnMovingPlane<>{{}, {.rate = nan}}), ContainsSubstring("velocity of the plane"));
}

}  // namespace ball_on_moving_plane_test
