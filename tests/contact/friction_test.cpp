#include <dalembert/contact/friction.hpp>

#include <cmath>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"
#include "support/turned_reactions.hpp"

namespace friction_of_contacts_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Vec3 = Vec<double, 3>;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using OnPlane = contact::RollingOnPlane<double>;
using RollingContact = contact::RollingContact<double>;
using Catch::Matchers::ContainsSubstring;

constexpr double mass = 0.3, radius = 0.1, inertia = 0.4 * mass * radius * radius;

/// A ball on a tilted plane. Its slip obeys u̇ = g_t − σu, σ = (1/m + a²/I)/ε.
template <class Contact>
struct Ball {
  Vec3 normal = Vec3(0.2, -0.3, 1).normalized();
  Vec3 gravity = Vec3(0.5, 0.1, -2);
  Vec3 pull = gravity - gravity.dot(normal) * normal;
  Assembly<Kinds<Body>, Kinds<Contact>> problem;
  State<double> state;

  template <class Make>
  explicit Ball(const Make& make)
      : problem(
            bodies(std::vector{
                Body{{.mass = mass, .inertia = {inertia, inertia, inertia}, .gravity = gravity}}}),
            constraints(std::vector{make(OnPlane{{0}, radius, {Vec3(0, 0, 0), normal, Vec3(0, 0, 0)}})})) {
    auto chain = problem.template bodies<0>()[0].at(radius * normal, SO3<double>::exp(Vec3(0.1, 0.2, 0.3)));
    chain.set_velocity(0, normal.cross(Vec3(1, 0, 0)), Vec3(0.3, 0.2, 0.1));
    state = problem.state({chain});
  }
};
Ball<contact::Frictional<OnPlane>> slipping_ball(double epsilon) {
  return Ball<contact::Frictional<OnPlane>>(
      [&](const OnPlane& rolling) { return contact::with_friction(rolling, epsilon); });
}
Vec3 slip_of(const auto& problem, const State<double>& x) { return Vec3(problem.row_velocities(x)); }

TEST_CASE("reactions along other rows act as they do where nothing else has friction",
          "[contact][friction]") {
  const auto ball = slipping_ball(0.01);
  const auto& balls = ball.problem.template bodies<0>();
  const Body sledge{{.mass = 0.7, .inertia = {0.1, 0.2, 0.15}, .gravity = Vec3(0.4, -0.3, -2)}};
  auto start = sledge.at(Vec3(0.5, -2, 0));
  start.set_velocity(0, Vec3(0.3, 0, 0), Vec3(0, 0, 1.5));
  const test::Blade blade{FrameMarker<double>{1, 0, Vec3(0, 0, 0)}};
  const Assembly beside{bodies(std::vector{balls[0], sledge}),
                        constraints(ball.problem.template constraints<0>(), std::vector{blade})};
  const Assembly alone{bodies(std::vector{sledge}),
                       constraints(std::vector{test::Blade{FrameMarker<double>{0, 0, Vec3(0, 0, 0)}}})};
  auto x = beside.state({ball.state[0], start});
  auto y = alone.state({start});
  drive(Verlet{}, beside, x, {.step = 0.01, .until = 1});
  drive(Verlet{}, alone, y, {.step = 0.01, .until = 1});
  CHECK((x[1].velocity - y[0].velocity).abs().maxCoeff() < 1e-12);
  CHECK((x[1].configuration - y[0].configuration).abs().maxCoeff() < 1e-12);
}

TEST_CASE("a ball that starts sliding comes to roll, its slip falling exponentially, with order 2",
          "[contact][friction]") {
  for (const double epsilon : {3.0, 0.01, 1e-5}) {
    CAPTURE(epsilon);
    const auto ball = slipping_ball(epsilon);
    const double rate = (1 / mass + radius * radius / inertia) / epsilon, until = 2 / rate;
    const Vec3 last = ball.pull / rate, slip = slip_of(ball.problem, ball.state);
    const Vec3 expected = last + std::exp(-rate * until) * (slip - last);
    // the centre gains from friction m Δv = −∫u/ε, and all the while gravity's share
    const Vec3 moved = last * until + (1 - std::exp(-rate * until)) / rate * (slip - last);
    const Vec3 velocity = ball.state[0].velocity.row(0).head(3).transpose().matrix();
    const Vec3 faster = velocity + until * ball.pull - moved / (mass * epsilon);
    double slip_before = 0, velocity_before = 0;
    for (const int steps : {20, 40, 80}) {
      auto x = ball.state;
      drive(Verlet{}, ball.problem, x, {.step = until / steps, .until = until});
      const Vec3 v = x[0].velocity.row(0).head(3).transpose().matrix();
      const double slip_error = (slip_of(ball.problem, x) - expected).norm() / slip.norm();
      const double velocity_error = (v - faster).norm() / velocity.norm();
      if (slip_before > 0) {
        CHECK(std::abs(std::log2(slip_before / slip_error) - 2) < 0.15);
        CHECK(std::abs(std::log2(velocity_before / velocity_error) - 2) < 0.15);
      }
      slip_before = slip_error;
      velocity_before = velocity_error;
      CHECK(ball.problem.constraint(x).velocity < 1e-15);
      CHECK(ball.problem.constraint(x).position < 1e-15);
    }
    CHECK(slip_before < 1e-4);
  }
}

TEST_CASE("a step that is long for the friction damps the slip and follows rolling", "[contact][friction]") {
  for (const double epsilon : {1e-4, 1e-6, 1e-9}) {
    CAPTURE(epsilon);
    const auto ball = slipping_ball(epsilon);
    const double rate = (1 / mass + radius * radius / inertia) / epsilon;
    auto x = ball.state;
    drive(Verlet{}, ball.problem, x, {.step = 0.05, .until = 1.0});
    const Vec3 left = ball.pull / rate;
    CHECK((slip_of(ball.problem, x) - left).norm() < 1e-6 * left.norm() + 1e-15);
    // once it rolls, the force is rolling's: 2/7 of gravity's share for a full ball
    auto r = ball.problem.make_rates();
    ball.problem.rates(x, r);
    const Vec3 lambda(r.lambda), along = lambda - lambda.dot(ball.normal) * ball.normal;
    CHECK((along + 2.0 / 7 * mass * ball.pull).norm() < 1e-15 / epsilon + 1e-6);
    CHECK(std::abs(lambda.dot(ball.normal) + mass * ball.gravity.dot(ball.normal)) < 1e-14 / epsilon + 1e-12);
  }
}

TEST_CASE("rates under friction have the slip's force, and the energy that it takes", "[contact][friction]") {
  const double epsilon = 0.02;
  const auto ball = slipping_ball(epsilon);
  const auto& p = ball.problem;
  auto r = p.make_rates();
  p.rates(ball.state, r);
  const Vec3 slip = slip_of(p, ball.state), lambda(r.lambda);
  CHECK((lambda + slip / epsilon + mass * ball.gravity.dot(ball.normal) * ball.normal).norm() < 1e-13);
  const auto power = p.power(ball.state, r);
  CHECK(std::abs(power.dissipation + slip.squaredNorm() / epsilon) < 1e-12 * slip.squaredNorm() / epsilon);
  CHECK(std::abs(power.constraint) < 1e-13);
  CHECK(p.constraint(ball.state).velocity < 1e-15);
  auto projected = ball.state;
  p.project(projected);
  CHECK((slip_of(p, projected) - slip).norm() < 1e-15);
}

/// A plane that rises along its normal at ½ a t², and a ball that rolls on it.
struct OnRisingPlane : OnPlane {
  double a = 0;
  template <class T>
  Vec<T, 3> velocity_constraint(const FrameState<T>& x, const T& t) const {
    return OnPlane::velocity_constraint(x, t) - Vec<T, 3>(surface.normal.cast<T>() * (T(a) * t));
  }
  Rows<double, 3, 1> coefficients(const FrameState<double>& x, double t) const {
    auto out = OnPlane::coefficients(x, t);
    out.known -= a * t * surface.normal;
    return out;
  }
  Vec3 acceleration_bias(const FrameState<double>& x, const FrameRates<double>& of_x, double t) const {
    return OnPlane::acceleration_bias(x, of_x, t) - a * surface.normal;
  }
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T& t) const {
    return OnPlane::position_constraint(x, t) - Vec<T, 1>(T(a / 2) * t * t);
  }
};

TEST_CASE("a plane that rises faster and faster lifts a ball that slips on it", "[contact][friction]") {
  const double epsilon = 0.02, a = 0.7;
  const Ball<contact::Frictional<OnRisingPlane>> ball([&](const OnPlane& rolling) {
    return contact::with_friction(OnRisingPlane{rolling, a}, epsilon);
  });
  auto r = ball.problem.make_rates();
  ball.problem.rates(ball.state, r);
  const Vec3 slip = slip_of(ball.problem, ball.state), lambda(r.lambda);
  REQUIRE(slip.norm() > 0.1);
  CHECK((lambda + slip / epsilon - mass * (a - ball.gravity.dot(ball.normal)) * ball.normal).norm() < 1e-13);
  const Vec3 faster = r.xidot[0].row(0).head(3).transpose().matrix();
  CHECK(faster.dot(ball.normal) == Approx(a).epsilon(1e-13));
}

/// Two rods hooked into each other and struck, which roll, or slip under friction.
struct Hooked {
  systems::RollingRodsParameters<double> p{.elements = 20, .kernel_width = 0.1, .strike = 4.0};
  systems::RollingRodsStart<double, contact::CubicSpline> start = systems::static_start(p);
  Assembly<Kinds<Rod>, Kinds<RollingContact>> rolling = start.problem();
  State<double> state = [&] {
    auto x = start.state;
    systems::set_initial_velocity(rolling, x, p);
    return x;
  }();

  auto with_friction(double epsilon) const {
    return Assembly{bodies(rolling.bodies<0>()),
                    constraints(std::vector{contact::with_friction(rolling.constraints<0>()[0], epsilon)})};
  }
};
/// How far two states are apart [m].
double distance(const State<double>& a, const State<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.chains.size(); ++i)
    for (Eigen::Index k = 0; k < a[i].nodes; ++k)
      most = std::max(most, (a[i].position(k) - b[i].position(k)).norm());
  return most;
}

TEST_CASE("two rods under friction tend to rolling with slope 1 in epsilon, at the step of rolling",
          "[contact][friction]") {
  const Hooked hooked;
  const double h = 2e-4, until = 0.05;
  auto rolled = hooked.state;
  drive(Verlet{}, hooked.rolling, rolled, {.step = h, .until = until});
  auto held = hooked.rolling.make_rates();
  double before = 0;
  for (const double epsilon : {1e-2, 1e-3, 1e-4}) {
    CAPTURE(epsilon);
    const auto problem = hooked.with_friction(epsilon);
    auto x = hooked.state;
    analysis::EnergyMonitor monitor{problem};
    drive(Verlet{}, problem, x, {.step = h, .until = until}, monitor);
    CHECK(problem.constraint(x).position < 1e-15);
    CHECK(problem.constraint(x).velocity < 1e-14);

    // slip = −ε λ_t of rolling, to first order
    hooked.rolling.rates(x, held);
    const Vec3 slip = slip_of(problem, x), lambda(held.lambda);
    auto r = problem.make_rates();
    problem.rates(x, r);
    const Vec3 normal = (Vec3(r.lambda) + slip / epsilon).normalized();
    const Vec3 along = lambda - lambda.dot(normal) * normal;
    const double slip_error = (slip + epsilon * along).norm() / slip.norm();
    const double apart = distance(x, rolled);
    if (before > 0) CHECK(std::abs(std::log10(before / apart) - 1) < 0.1);
    CHECK(slip_error < 3 * epsilon);
    before = apart;

    // what is lost is what friction takes
    const double lost = monitor.last().work.dissipation;
    CHECK(lost < 0);
    CHECK(monitor.balance_error() < 2e-4 * hooked.rolling.kinetic_energy(hooked.state));
    CHECK(std::abs(monitor.last().power.dissipation + slip.squaredNorm() / epsilon) <
          1e-12 * slip.squaredNorm() / epsilon);
  }
  CHECK(before < 1e-5);
}

TEST_CASE("contacts with friction that share nodes with others tend to rolling", "[contact][friction]") {
  const Rod rod = test::soft_rod<Rod>(0.005, 12);
  const double a = 0.005, width = 0.1;
  const auto crossing = [&](std::size_t i) {
    return RollingContact{{0, rod, width}, {i, rod, width}, a, a, true};
  };
  std::vector<rod::Chain<double>> chains{rod.straight({-0.5, 0, 0}, SO3<double>::exp(Vec3(0, M_PI / 2, 0)))};
  const auto across = SO3<double>::exp(Vec3(-M_PI / 2, 0, 0));
  chains.push_back(rod.straight({0, -0.5, 2 * a}, across));
  chains.push_back(rod.straight({0.08, -0.5, -2 * a}, across));
  for (Eigen::Index k = 0; k < 13; ++k) {
    const double s = static_cast<double>(k) / 12;
    chains[1].set_velocity(k, Vec3(0.3 + 0.2 * s, 0.1, -0.2 * s), Vec3(1, 0, 2));
    chains[2].set_velocity(k, Vec3(-0.1, 0.2 * s, 0.3 * s), Vec3(0, 1, -1));
  }
  const Vec<double, Eigen::Dynamic> guess{{0.5, 0.5, 0.58, 0.5}};
  const Assembly rolling{bodies(std::vector(3, rod)), constraints(std::vector{crossing(1), crossing(2)})};
  auto start = rolling.state(chains, guess);
  rolling.project(start);
  const double h = 1e-4, until = 0.02;
  auto rolled = start;
  drive(Verlet{}, rolling, rolled, {.step = h, .until = until});
  double before = 0;
  for (const double epsilon : {1e-2, 1e-3, 1e-4}) {
    const Assembly problem{
        bodies(std::vector(3, rod)),
        constraints(std::vector{contact::with_friction(crossing(1), epsilon)}, std::vector{crossing(2)})};
    auto x = start;
    drive(Verlet{}, problem, x, {.step = h, .until = until});
    auto r = problem.make_rates();
    problem.rates(x, r);
    CHECK(r.report.clusters == 1);
    CHECK(problem.constraint(x).velocity < 1e-13);
    const double apart = distance(x, rolled);
    CAPTURE(epsilon, apart);
    if (before > 0) CHECK(std::abs(std::log10(before / apart) - 1) < 0.1);
    before = apart;
  }
}

/// A contact whose friction has no mobility at all.
struct Stuck : OnPlane {
  double mobility() const { return 0; }
};

TEST_CASE("a contact of zero mobility rolls", "[contact][friction]") {
  const Ball<Stuck> stuck([](const OnPlane& rolling) { return Stuck{rolling}; });
  const Ball<OnPlane> rolling([](const OnPlane& contact) { return contact; });
  auto x = stuck.state, y = rolling.state;
  auto of_stuck = stuck.problem.make_rates();
  auto of_rolling = rolling.problem.make_rates();
  stuck.problem.rates(x, of_stuck);
  rolling.problem.rates(y, of_rolling);
  CHECK((of_stuck.lambda - of_rolling.lambda).norm() < 1e-14);
  stuck.problem.project(x);
  rolling.problem.project(y);
  drive(Verlet{}, stuck.problem, x, {.step = 0.01, .until = 0.5});
  drive(Verlet{}, rolling.problem, y, {.step = 0.01, .until = 0.5});
  CHECK(distance(x, y) < 1e-14);
  CHECK(stuck.problem.constraint(x).velocity < 1e-15);
}

TEST_CASE("an epsilon that is not positive and finite is refused", "[contact][friction]") {
  const OnPlane rolling{{0}, radius};
  const Body body{{.mass = mass, .inertia = {inertia, inertia, inertia}}};
  const auto refused = [&](double epsilon) {
    return [&, epsilon] {
      (void)Assembly{bodies(std::vector{body}),
                     constraints(std::vector{contact::with_friction(rolling, epsilon)})};
    };
  };
  for (const double epsilon : {0.0, -1.0, HUGE_VAL, std::nan("")})
    CHECK_THROWS_WITH(refused(epsilon)(), ContainsSubstring("RollingOnPlane: epsilon = "));
  CHECK_NOTHROW(refused(1e-4)());
}

}  // namespace friction_of_contacts_test
