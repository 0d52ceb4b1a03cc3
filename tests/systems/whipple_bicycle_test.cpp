#include <dalembert/systems/whipple_bicycle.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <stdexcept>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/catch.hpp"

namespace whipple_bicycle_test {

using namespace dalembert;
using Bicycle = systems::WhippleBicycle<>;
using Problem = LagrangeDAlembert<Bicycle>;
using Catch::Matchers::ContainsSubstring;

static_assert(NonholonomicSystem<Bicycle> && NonholonomicSystem<systems::WhippleBicycle<long double>>);
static_assert(kinematic_rows<Bicycle> == 6);

constexpr double gravity = 9.81;

/// (φ̈, δ̈) of a bicycle with lean, steer and their rates in x, whose rear wheel turns as at this speed.
Vec<double, 2> acceleration(const Problem& problem, double speed, const Vec<double, 4>& x) {
  const Bicycle& bicycle = problem.system();
  const auto g = bicycle.on_ground(x[0], x[1]);
  const auto state =
      problem.state(g, bicycle.rolling(g, {.speed = speed, .lean_rate = x[2], .steer_rate = x[3]}));
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  // φ̈ = ω̇·t + ω·ṫ, of which the last is of second order here
  return {bicycle.lean_rate(g, rates.xidot), rates.xidot[6]};
}

/// The engine's equations of motion linearised about straight rolling, by differences of sixth order.
Mat<double, 4> linearised_by_engine(const Problem& problem, double speed) {
  const double h = 4e-3;
  Mat<double, 4> a = Mat<double, 4>::Zero();
  a.topRightCorner<2, 2>().setIdentity();
  for (int j = 0; j < 4; ++j) {
    const auto difference = [&](double step) -> Vec<double, 2> {
      Vec<double, 4> x = Vec<double, 4>::Zero();
      x[j] = step;
      return acceleration(problem, speed, x) - acceleration(problem, speed, -x);
    };
    a.block<2, 1>(2, j) = (45 * difference(h) - 9 * difference(2 * h) + difference(3 * h)) / (60 * h);
  }
  return a;
}

/// How far `value` is from an eigenvalue of `a`: Newton's step for the characteristic polynomial.
double distance_from_eigenvalue(const Mat<double, 4>& a, const std::complex<double>& value) {
  // Faddeev and LeVerrier: the coefficients by traces.
  Mat<double, 4> power = Mat<double, 4>::Identity();
  std::complex<double> polynomial = 1, slope = 0;
  for (int i = 1; i <= 4; ++i) {
    const Mat<double, 4> product = a * power;
    const double coefficient = -product.trace() / i;
    power = product + coefficient * Mat<double, 4>::Identity();
    slope = slope * value + polynomial;
    polynomial = polynomial * value + coefficient;
  }
  return std::abs(polynomial / slope);
}

TEST_CASE("the engine's eigenvalues are those published for the benchmark", "[bicycle]") {
  using C = std::complex<double>;
  // Meijaard et al. 2007, table 2: the weave, of a complex pair, the capsize and the castering eigenvalue at v [m/s].
  struct Row {
    double speed, weave_real, weave_imaginary, capsize, castering;
  };
  constexpr std::array<Row, 10> published = {{
      {1, 3.52696170990070, 0.80774027519930, -3.13423125066578, -7.11008014637442},
      {2, 2.68234517512745, 1.68066296590675, -3.07158645641514, -8.67387984831735},
      {3, 1.70675605663975, 2.31582447384325, -2.63366137253667, -10.35101467245920},
      {4, 0.41325331521125, 3.07910818603206, -1.42944427361326, -12.15861426576447},
      {5, -0.77534188219585, 4.46486771378823, -0.32286642900409, -14.07838969279822},
      {6, -1.52644486584142, 5.87673060598709, -0.00406690076970, -16.08537123098026},
      {7, -2.13875644258362, 7.19525913329805, 0.10268170574766, -18.15788466125262},
      {8, -2.69348683581097, 8.46037971396931, 0.14327879765713, -20.27940894394569},
      {9, -3.21675402252485, 9.69377351531791, 0.15790184030917, -22.43788559040858},
      {10, -3.72016840437287, 10.90681139476287, 0.16105338653172, -24.62459635017404},
  }};
  const Problem problem{Bicycle{}};
  const auto linear = systems::linearised(problem.system().parameters());
  const auto check = [&](double speed, const std::array<C, 3>& values) {
    const Mat<double, 4> ours = linearised_by_engine(problem, speed), theirs = linear.rates(speed, gravity);
    for (const C& value : values) {
      CAPTURE(speed, value.real(), value.imag());
      CHECK(distance_from_eigenvalue(theirs, value) < 1e-12);
      CHECK(distance_from_eigenvalue(ours, value) < 1e-10);
    }
  };
  for (const Row& row : published)
    check(row.speed, {C(row.weave_real, row.weave_imaginary), C(row.capsize), C(row.castering)});
  check(0, {C(-3.13164324790656), C(3.13164324790656), C(-5.53094371765393)});
  check(4.29238253634111,
        {C(0, 3.43503384866144), C(0, -3.43503384866144), C(0, 3.43503384866144)});  // weave speed
  check(6.02426201538837, {C(0), C(0), C(0)});                                       // capsize speed
}

TEST_CASE("bicycles of all kinds move, near the upright, as their linear equations say", "[bicycle]") {
  std::mt19937 engine(test::seed());
  std::uniform_real_distribution<double> spread(-1, 1);
  const auto vary = [&](double& x) { x *= 1 + 0.3 * spread(engine); };
  for (int i = 0; i < 10; ++i) {
    systems::WhippleParameters<> p;
    for (auto* wheel : {&p.rear, &p.front})
      for (double* x : {&wheel->radius, &wheel->mass, &wheel->diameter, &wheel->axle}) vary(*x);
    for (auto* frame : {&p.body, &p.fork})
      for (double* x : {&frame->x, &frame->z, &frame->mass, &frame->xx, &frame->yy, &frame->zz, &frame->xz})
        vary(*x);
    for (double* x : {&p.wheelbase, &p.tilt, &p.gravity}) vary(*x);
    p.trail = 0.1 * spread(engine);
    const Problem problem{Bicycle{p}};
    const double speed = 5 * spread(engine);
    const Mat<double, 4> expected = systems::linearised(p).rates(speed, p.gravity);
    const Mat<double, 4> difference = linearised_by_engine(problem, speed) - expected;
    CAPTURE(i, speed, p.trail);
    CHECK(difference.cwiseAbs().maxCoeff() < 1e-9 * expected.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("a bicycle far from upright has the accelerations published for it", "[bicycle]") {
  // Basu-Mandal, Chatterjee, Papadopoulos 2007, table 1. Their axes are x back, y right and z up; their angles θ, ψ, φ turn about
  // z, x, z from a frame that lies on its side, and all angles run the other way.
  const double half_turn = static_cast<double>(pi);
  const double lean = half_turn / 2 - 0.9501292851472, pitch = half_turn - 3.1257073014894;
  const SO3d R = SO3d::exp({lean, 0, 0}) * SO3d::exp({0, pitch, 0});
  const Bicycle::Group g(SE3d(R, {0, 0, -0.2440472102925}),
                         Rn<double, 3>(Vec<double, 3>(-0.2311385135743, 0, 0)));
  const double yaw_rate = -0.7830033527065, lean_rate = -0.6068425835418, pitch_rate = 0.0119185528069;
  const Vec<double, 3> down = R.inverse().act(Vec<double, 3>::UnitZ());
  const Vec<double, 3> across(std::cos(pitch), 0, std::sin(pitch)),
      below(-std::sin(pitch), 0, std::cos(pitch));
  const Vec<double, 3> omega = yaw_rate * down + lean_rate * across + pitch_rate * Vec<double, 3>::UnitY();
  const Vec<double, 3> v = R.inverse().act({2.8069345714545, -0.1480982396001, -0.1058778746261});
  Vec<double, 9> xi;
  xi << v, omega, -0.4859824687093, -8.9129896614890, -8.0133620584155;

  const Problem problem{Bicycle{}};
  const auto state = problem.state(g, xi);
  CHECK(problem.constraint(state).position < 1e-12);
  CHECK(problem.constraint(state).velocity < 1e-12);
  const auto ours = problem.system().on_ground(lean, -0.2311385135743);
  CHECK((ours.inverse() * g).log().norm() < 1e-12);
  const auto rolling = problem.system().rolling(
      g, {.speed = 0.3 * 8.9129896614890, .lean_rate = lean_rate, .steer_rate = -0.4859824687093});
  CHECK((rolling - xi).norm() < 1e-11);

  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const Vec<double, 3> vdot = rates.xidot.head<3>(), omegadot = rates.xidot.segment<3>(3);
  const Vec<double, 3> hub = R.act(vdot + SO3d::ad(omega, v));
  const Vec<double, 3> turning = omegadot - yaw_rate * SO3d::ad(down, omega) - lean_rate * pitch_rate * below;
  const double yaw = turning.dot(below) / down.dot(below);
  CHECK(std::abs(hub[0] - 0.5041626315047) < 1e-11);
  CHECK(std::abs(hub[1] + 0.3449706619454) < 1e-11);
  CHECK(std::abs(hub[2] - 1.4604528332980) < 1e-11);
  CHECK(std::abs(yaw + 0.8353281706379) < 1e-11);
  CHECK(std::abs(turning.dot(across) - 7.8555281128244) < 1e-11);
  CHECK(std::abs(turning[1] - yaw * down[1] + 0.1205543897884) < 1e-11);
  CHECK(std::abs(rates.xidot[6] - 4.6198904039403) < 1e-11);
  CHECK(std::abs(rates.xidot[7] + 1.8472554144217) < 1e-11);
  CHECK(std::abs(rates.xidot[8] + 2.4548072904550) < 1e-11);

  // Where the bicycle is and where it heads makes no difference, and neither do the turns of its wheels.
  const Bicycle::Group moved(SE3d(SO3d::exp({0, 0, 2.3}), {4, -5, 0}),
                             Rn<double, 3>(Vec<double, 3>(0, 0.7, -0.3)));
  auto elsewhere = problem.make_rates();
  problem.rates(problem.state(moved * g, xi), elsewhere);
  CHECK((elsewhere.xidot - rates.xidot).norm() < 1e-11);
  CHECK((elsewhere.lambda - rates.lambda).norm() < 1e-10);
}

TEST_CASE("the momentum is the derivative of the Lagrangian, and the mass that of the momentum",
          "[bicycle]") {
  const Bicycle bicycle;
  const auto g = bicycle.on_ground(0.4, -0.9);
  std::mt19937 engine(test::seed());
  std::normal_distribution<double> normal;
  Vec<double, 9> xi;
  for (int i = 0; i < 9; ++i) xi[i] = normal(engine);
  using D = Dual<double, 9>;
  const Bicycle::Group::rebind<D> lifted = g.cast<D>();
  const D value = bicycle.lagrangian<D>(lifted, seeded(xi));
  const Vec<double, 9> momentum = bicycle.momentum(g, xi);
  CHECK((value.derivatives() - momentum).norm() < 1e-13 * momentum.norm());
  const Mat<double, 9> mass = bicycle.mass(g);
  CHECK((mass * xi - momentum).norm() < 1e-13 * momentum.norm());
  CHECK((mass - mass.transpose()).norm() < 1e-13 * mass.norm());
}

TEST_CASE("the ground carries the weight of an upright bicycle", "[bicycle]") {
  const Problem problem{Bicycle{}};
  const Bicycle& bicycle = problem.system();
  const auto g = bicycle.on_ground(0, 0);
  for (const double speed : {0.0, 5.0, -7.0}) {
    const auto state = problem.state(g, bicycle.rolling(g, {.speed = speed}));
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const double front = gravity * (85 * 0.3 + 4 * 0.9 + 3 * 1.02) / 1.02;
    CHECK(state.xi[0] == Approx(speed).margin(1e-15));
    CHECK(state.xi[8] == Approx(-speed / 0.35).margin(1e-15));
    CHECK(rates.xidot.norm() < 1e-12);
    CHECK(rates.lambda[0] == Approx(gravity * 94 - front).epsilon(1e-13));
    CHECK(rates.lambda[1] == Approx(front).epsilon(1e-13));
    CHECK(rates.lambda.tail<4>().norm() < 1e-10);
    CHECK(rates.report.redundant_rows == 0);
  }
}

TEST_CASE("at a stable speed a disturbed bicycle comes upright again, on its wheels and without loss",
          "[bicycle]") {
  const Problem problem{Bicycle{}};
  const Bicycle& bicycle = problem.system();
  const auto g = bicycle.on_ground(0.15, -0.1);
  auto state = problem.state(g, bicycle.rolling(g, {.speed = 4.6, .lean_rate = 0.5}));
  CHECK(bicycle.lean(state.g) == Approx(0.15).epsilon(1e-14));
  CHECK(bicycle.lean_rate(state.g, state.xi) == Approx(0.5).epsilon(1e-14));
  const double energy = problem.energy(state), kinetic = problem.kinetic_energy(state);
  double most_lost = 0, most_slip = 0, most_lean = 0;
  const auto watch = [&](const auto&, const auto& at) {
    most_lost = std::max(most_lost, std::abs(problem.energy(at) - energy));
    most_slip = std::max({most_slip, problem.constraint(at).position, problem.constraint(at).velocity});
    most_lean = std::max(most_lean, std::abs(bicycle.lean(at.g)));
  };
  drive(DormandPrince54{}, problem, state,
        {.step = 0.01, .until = 10.0, .output_interval = 0.1, .tolerance = 1e-11}, watch);
  CHECK(most_lost < 1e-9 * kinetic);
  CHECK(most_slip < 1e-8);
  CHECK(most_lean > 0.15);
  CHECK(std::abs(bicycle.lean(state.g)) < 0.02);
}

TEST_CASE("a bicycle too far from the ground to be put on it is refused", "[bicycle]") {
  const Problem problem{Bicycle{}};
  const SE3<double> frame(SO3<double>::exp({0.1, 0.2, 0}), {0, 0, 1e150});
  Vec<double, 9> xi = Vec<double, 9>::Zero();
  xi[8] = 1e200;  // beside a velocity so large, any step is small
  auto state = problem.state({frame, Rn<double, 3>(Vec<double, 3>(0.1, 0, 0))}, xi);
  CHECK_THROWS_AS(problem.project(state), NotFinite);
}

TEST_CASE("poses in which a wheel cannot reach the ground are refused", "[bicycle]") {
  CHECK_THROWS_WITH(Bicycle{}.on_ground(2.0, 0.0), ContainsSubstring("WhippleBicycle: lean = 2"));
  CHECK_THROWS_AS(Bicycle{}.on_ground(std::nan(""), 0.0), std::invalid_argument);
  CHECK_THROWS_WITH(Bicycle{}.on_ground(std::nan(""), 0.0),
                    ContainsSubstring("WhippleBicycle: lean = nan, but it must be finite"));
  CHECK_THROWS_WITH(Bicycle{}.on_ground(0.1, std::nan("")), ContainsSubstring("WhippleBicycle: steer = nan"));
  CHECK_THROWS_WITH(Bicycle{}.on_ground(0.1, std::numeric_limits<double>::infinity()),
                    ContainsSubstring("WhippleBicycle: steer = inf"));
  CHECK_THROWS_AS(Bicycle{{.wheelbase = -1}}, std::invalid_argument);
}

}  // namespace whipple_bicycle_test
