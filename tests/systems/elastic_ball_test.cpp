#include <dalembert/systems/elastic_ball.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/balls.hpp"
#include "support/catch.hpp"

namespace elastic_ball_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::CurvatureElasticBall;
using systems::ElasticBall;

static_assert(NonholonomicSystem<ElasticBall<double>> && NonholonomicSystem<ElasticBall<long double>>);
static_assert(NonholonomicSystem<CurvatureElasticBall<double>>);
static_assert(kinematic_rows<ElasticBall<>> == 3 && variational_rows<ElasticBall<>> == 2);
static_assert(kinematic_rows<CurvatureElasticBall<>> == 3 && variational_rows<CurvatureElasticBall<>> == 2);

template <class System>
System random_ball(laws::Random<ScalarOf<System>>& random) {
  const auto m = random.positive(), radius = random.positive(), inertia = random.positive();
  return System{{.mass = m, .radius = radius, .inertia = inertia}};
}

TEMPLATE_TEST_CASE(
    "eight equations for seven unknowns: an elastic ball rolls straight on, by both constraints", "[ball]",
    double, long double) {
  using S = TestType;
  const auto test = [](auto make) {
    using System = decltype(make);
    laws::Random<S> random;
    for (int i = 0; i < 1000; ++i) {
      const LagrangeDAlembert problem{random_ball<System>(random)};
      const Vec<S, 3> omega(random(), random(), S(0));
      const auto state = problem.state(test::configuration<S>(random), problem.system().rolling(omega));
      REQUIRE(problem.constraint(state).velocity <= laws::rate_tolerance<S>);
      auto rates = problem.make_rates();
      problem.rates(state, rates);
      REQUIRE(rates.report.redundant_rows == 1);
      REQUIRE(laws::largest(rates.xidot) <= laws::rate_tolerance<S>);
      REQUIRE(laws::largest(rates.lambda) <= laws::rate_tolerance<S>);
    }
  };
  test(ElasticBall<S>{{}});
  test(CurvatureElasticBall<S>{{}});
}

/// The reactions push along rolling only: their rows leave the spin alone, and annihilate every way to roll.
TEST_CASE("the reactions of both elastic balls come from rolling alone", "[ball]") {
  const ElasticBall<> ball{{.mass = 1.2, .radius = 0.7, .inertia = 0.3}};
  const CurvatureElasticBall<> other{ball.parameters()};
  CHECK(ball.variational() == other.variational());
  laws::Random<double> random;
  for (int i = 0; i < 10; ++i) {
    const Vec<double, 5> rolling = ball.rolling(random.vector<3>());
    CHECK((ball.variational() * rolling).norm() < 1e-15);
    CHECK(rolling[3] == 0.7 * rolling[1]);
    CHECK(rolling[4] == -0.7 * rolling[0]);
  }
  CHECK(ball.variational().col(2).isZero());
}

TEST_CASE("momentum and mass are the derivatives of the Lagrangian, and the power is nothing", "[ball]") {
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert by_spin{random_ball<ElasticBall<>>(random)};
    const Vec<double, 5> xi = random.vector<5>();
    laws::check_closed_forms(by_spin.system(), by_spin.state(test::configuration<double>(random), xi));
    const auto state =
        by_spin.state(test::configuration<double>(random), by_spin.system().rolling({random(), random(), 0}));
    laws::check_energy_rate(by_spin, state);
    const LagrangeDAlembert by_curvature{CurvatureElasticBall<>{by_spin.system().parameters()}};
    laws::check_closed_forms(by_curvature.system(), state);
    laws::check_energy_rate(by_curvature, state);
  }
}

TEST_CASE("from one start both constraints give one motion", "[ball]") {
  laws::Random<double> random;
  const ElasticBall<>::Parameters given{.mass = 1.2, .radius = 0.7, .inertia = 0.3};
  const LagrangeDAlembert by_spin{ElasticBall<>{given}};
  const LagrangeDAlembert by_curvature{CurvatureElasticBall<>{given}};
  const auto g = test::configuration<double>(random);
  const Vec<double, 3> omega(0.8, -1.3, 0);
  auto first = by_spin.state(g, by_spin.system().rolling(omega));
  auto second = first;
  drive(RungeKutta4{}, by_spin, first, {.step = 0.01, .until = 5.0});
  drive(RungeKutta4{.project = true}, by_curvature, second, {.step = 0.01, .until = 5.0});
  CHECK((first.g.inverse() * second.g).log().norm() < 1e-13);
  CHECK((first.xi - second.xi).norm() < 1e-14);
  // Ȧ = ω̂A with ω constant, and a straight path.
  CHECK((first.g.first().matrix() - (SO3d::exp(5.0 * omega) * g.first()).matrix()).norm() < 1e-7);
  const Vec<double, 2> path = first.g.second().coordinates() - g.second().coordinates();
  CHECK((path - 5.0 * 0.7 * Vec<double, 2>(-1.3, -0.8)).norm() < 1e-13);
}

TEST_CASE("a ball that spins in place tells the two constraints apart", "[ball]") {
  const ElasticBall<>::Parameters given{.mass = 1.2, .radius = 0.7, .inertia = 0.3};
  const LagrangeDAlembert by_spin{ElasticBall<>{given}};
  const LagrangeDAlembert by_curvature{CurvatureElasticBall<>{given}};
  const auto g = CurvatureElasticBall<>::Group::identity();
  const Vec<double, 5> spinning = by_curvature.system().rolling({0, 0, 2.5});
  CHECK(by_spin.constraint(by_spin.state(g, spinning)).velocity == 2.5);  // not allowed there
  auto state = by_curvature.state(g, spinning);
  CHECK(by_curvature.constraint(state).velocity == 0);
  auto rates = by_curvature.make_rates();
  by_curvature.rates(state, rates);
  CHECK(rates.xidot.isZero());
  drive(RungeKutta4{}, by_curvature, state, {.step = 0.01, .until = 2.0});
  CHECK(state.xi[2] == 2.5);
  CHECK(state.g.second().coordinates().isZero());
  CHECK((state.g.first().matrix() - SO3d::exp({0, 0, 5.0}).matrix()).norm() < 1e-8);
}

TEST_CASE("a ball that rolls and spins contradicts the constraint of second order, and the row is named",
          "[ball]") {
  const LagrangeDAlembert problem{CurvatureElasticBall<>{{.mass = 1.2, .radius = 0.7, .inertia = 0.3}}};
  for (const double spin : {-0.4, 1e-3, 2.0}) {
    auto rates = problem.make_rates();
    const auto at_identity = CurvatureElasticBall<>::Group::identity();
    const auto state = problem.state(at_identity, problem.system().rolling({0.8, -1.3, spin}));
    CHECK_THROWS_AS(problem.rates(state, rates), IncompatibleConstraints);
    CHECK_THROWS_WITH(problem.rates(state, rates), ContainsSubstring("spin with the curvature of the path"));
  }
}

/// The same constraint where the plane may turn the ball so that its path bends: reactions along ∂R/∂ξ̇. `sign` = −1 gives the
/// constraint that section 6 of Cendra et al. prints.
struct Steered : systems::detail::HomogeneousBall<double> {
  using Principle = principle::ExtendedChetaev;
  double sign;
  explicit Steered(double given) : HomogeneousBall("Steered", {1.2, 0.7, 0.3}), sign(given) {}

  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 5>& xi) const {
    return slip(xi);
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 5>& xi, const Vec<T, 5>& xidot) const {
    const CurvatureElasticBall<double> ball{parameters()};
    const T squared = xi[0] * xi[0] + xi[1] * xi[1];
    const T turning = ball.acceleration_constraint(xi, xidot) + xi[2] * squared;
    return sign * turning - xi[2] * squared;
  }
};

/// The signed radius of a path, (ẋ² + ẏ²)^{3/2}/(ẋÿ − ẏẍ): positive where it turns to the left.
double radius_of_curvature(const Vec<double, 2>& v, const Vec<double, 2>& acceleration) {
  return std::pow(v.squaredNorm(), 1.5) / (v[0] * acceleration[1] - v[1] * acceleration[0]);
}

TEST_CASE("the constraint of second order says that spin is speed over radius, with its sign", "[ball]") {
  // Kinematics: a ball led along a circle of radius r > 0, to the left, whose spin is |v|/r.
  const double r = 2.5, speed = 0.9, ball_radius = 0.7;
  const CurvatureElasticBall<> ball{{.mass = 1.2, .radius = ball_radius, .inertia = 0.3}};
  const double rate = speed / r;
  for (const double t : {0.0, 0.7, 2.0, 4.4}) {
    const Vec<double, 2> v = speed * Vec<double, 2>(std::cos(rate * t), std::sin(rate * t));
    const Vec<double, 2> bend = rate * Vec<double, 2>(-v[1], v[0]);
    REQUIRE(radius_of_curvature(v, bend) == Approx(r).epsilon(1e-14));
    Vec<double, 5> xi, xidot;
    xi << -v[1] / ball_radius, v[0] / ball_radius, rate, v;
    xidot << -bend[1] / ball_radius, bend[0] / ball_radius, 0, bend;
    CHECK((ball.rolling(xi.head<3>()) - xi).norm() < 1e-15);
    CHECK(std::abs(ball.acceleration_constraint(xi, xidot)) < 1e-15);
    xidot.head<2>() = -xidot.head<2>();  // the same as the printed sign
    CHECK(std::abs(ball.acceleration_constraint(xi, xidot)) > 0.1);
  }
}

TEST_CASE("the printed sign of the constraint of second order gives another motion", "[ball]") {
  for (const double sign : {1.0, -1.0}) {
    const Steered ball{sign};
    const LagrangeDAlembert problem{ball};
    const Vec<double, 3> omega(0.8, -1.3, 0.45);
    auto state = problem.state(Steered::Group::identity(), ball.rolling(omega));
    const Vec<double, 2> start = state.xi.tail<2>();
    const double duration = 3.0;
    drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = duration});
    // The ball runs on the circle of radius |v|/ω₃: to the left for ω₃ > 0, and the other way by the printed sign.
    const double angle = sign * omega[2] * duration;
    const double along = std::sin(angle) / (sign * omega[2]),
                 across = (1 - std::cos(angle)) / (sign * omega[2]);
    const Vec<double, 2> place = along * start + across * Vec<double, 2>(-start[1], start[0]);
    CAPTURE(sign);
    CHECK((state.g.second().coordinates() - place).norm() < 1e-8);
    CHECK(std::abs(state.xi[2] - omega[2]) < 1e-12);
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    CHECK(radius_of_curvature(state.xi.tail<2>(), rates.xidot.tail<2>()) ==
          Approx(sign * start.norm() / omega[2]).epsilon(1e-9));
  }
}

TEST_CASE("impossible elastic balls are refused, by name and value", "[ball]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH((ElasticBall<>{{.mass = -1}}), ContainsSubstring("ElasticBall: mass = -1"));
  CHECK_THROWS_WITH((ElasticBall<>{{.radius = 0}}), ContainsSubstring("ElasticBall: radius = 0"));
  CHECK_THROWS_WITH((CurvatureElasticBall<>{{.inertia = 0}}),
                    ContainsSubstring("CurvatureElasticBall: inertia = 0"));
  CHECK_THROWS_AS((ElasticBall<>{{.mass = nan}}), std::invalid_argument);
  CHECK_THROWS_AS((ElasticBall<>{{.inertia = std::numeric_limits<double>::infinity()}}),
                  std::invalid_argument);
}

}  // namespace elastic_ball_test
