#include <dalembert/mechanics/slow_manifold.hpp>

#include <cmath>
#include <complex>
#include <random>
#include <stdexcept>

#include <Eigen/LU>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/ball_on_moving_plane.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/pendulum.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/snakeboard.hpp>
#include <dalembert/systems/vertical_disk.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace slow_manifold_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Sleigh = systems::ChaplyginSleigh<double>;
using Pendulum = systems::Pendulum<double>;

static_assert(Problem<SlowManifold<Sleigh, 3>> && CoordinateProblem<SlowManifold<Sleigh, 3>>);
static_assert(ValidatedProblem<SlowManifold<Sleigh, 3>>);

TEST_CASE("slow manifolds of sleighs have the coefficients of the closed form", "[slow_manifold]") {
  std::mt19937 engine(test::seed());
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> positive(0.3, 2);
  for (int i = 0; i < 50; ++i) {
    const double m = positive(engine), I = positive(engine), a = normal(engine), nu = positive(engine);
    const double K = I + m * a * a, N = I * m / K, b = m * a * a;
    const SlowManifold<Sleigh, 3> slow(
        with_friction(Sleigh{{.mass = m, .inertia = I, .offset = a}}, nu, 0.1));
    const double u = normal(engine), psi = normal(engine);
    const auto c =
        slow.coefficients(slow.state(SE2d(normal(engine), normal(engine), normal(engine)), {u, 0, psi}));
    const double u2 = m * u * u, p2 = psi * psi;
    const double c1 = -N * u * psi;
    const double c2 = N * N * a * psi * (p2 - 2 * u2 / K);
    const double c3 =
        -N * N * N * psi * u / (K * K) * (I * I * p2 - 8 * I * b * p2 - 9 * b * b * p2 + 5 * b * u2);
    const double c4 = -std::pow(N, 4) * a * psi / (K * K * K) *
                      (-2 * I * I * I * p2 * p2 + 6 * I * I * b * p2 * p2 + 11 * I * I * p2 * u2 +
                       18 * I * b * b * p2 * p2 - 50 * I * b * p2 * u2 + 10 * b * b * b * p2 * p2 -
                       61 * b * b * p2 * u2 + 14 * b * u2 * u2);
    // ν only rescales ε.
    CHECK(std::abs(c[0][0] * nu - c1) < 1e-12 * (1 + std::abs(c1)));
    CHECK(std::abs(c[1][0] * nu * nu - c2) < 1e-12 * (1 + std::abs(c2)));
    CHECK(std::abs(c[2][0] * std::pow(nu, 3) - c3) < 1e-11 * (1 + std::abs(c3)));
    CHECK(std::abs(c[3][0] * std::pow(nu, 4) - c4) < 1e-10 * (1 + std::abs(c4)));
  }
}

TEST_CASE("corrections of the sleigh are those of the closed form", "[slow_manifold]") {
  std::mt19937 engine(test::seed());
  std::normal_distribution<double> normal;
  const double m = 1.7, I = 0.6, a = 0.35, K = I + m * a * a, N = I * m / K, epsilon = 0.1;
  const Sleigh sleigh{{.mass = m, .inertia = I, .offset = a}};
  const auto friction = with_friction(sleigh, 1.0, epsilon);
  using Slow = SlowManifold<Sleigh, 2>;
  const std::array slows{Slow(friction, 0), Slow(friction, 1), Slow(friction, 2)};
  for (int i = 0; i < 20; ++i) {
    const double u = normal(engine), psi = normal(engine);
    std::array<Slow::Rates, 3> rates;
    for (std::size_t j = 0; j < 3; ++j)
      slows[j].rates(slows[j].state(SE2d::identity(), {u, 0, psi}), rates[j]);
    const double c1 = -N * u * psi, c2 = N * N * a * psi * (psi * psi - 2 * m / K * u * u);
    const Vec<double, 3> X0(a * psi * psi, 0, -(m * a / K) * u * psi);
    const Vec<double, 3> X1(I * m * (m * a * a - I) / (K * K) * u * psi * psi, 0,
                            -I * std::pow(m, 3) * a * a / std::pow(K, 3) * u * u * psi);
    const Vec<double, 3> X2((I - m * a * a) / K * psi * c2 - m * a * I / (K * K) * c1 * c1, 0,
                            std::pow(m * a / K, 2) * u * c2);
    CHECK((rates[0].xidot - X0).norm() < 1e-12 * (1 + X0.norm()));
    CHECK((rates[1].xidot - rates[0].xidot - epsilon * X1).norm() < 1e-12 * (1 + X1.norm()));
    CHECK((rates[2].xidot - rates[1].xidot - epsilon * epsilon * X2).norm() < 1e-12 * (1 + X2.norm()));
    // The drift is across the blade, with φ̇ = ψ − (ma/K)v.
    const double v = epsilon * c1 + epsilon * epsilon * c2;
    CHECK((rates[2].drift - Vec<double, 3>(0, v, -(m * a / K) * v)).norm() < 1e-13 * (1 + std::abs(v)));
    CHECK(std::abs(rates[2].slip[0] - v) < 1e-13);
  }
}

/// How far the slow motion of an order is from the motion under friction that starts on the slow manifold, at t = 0.5.
template <class System, int k>
double slow_error(const System& system, LinearFriction<double, k> friction, double epsilon, int order,
                  const typename System::Group& g, const typename System::Group::Tangent& xi) {
  friction.epsilon = epsilon;
  const SlowManifold<System, 2> slow(system, friction, order);
  auto state = slow.state(g, xi);
  const LagrangeDAlembert problem{with_friction(system, friction)};
  auto full = slow.on_manifold(state, 3);
  const double fastest = slow.decay_rates(state)[k - 1];
  drive(RungeKutta4{}, slow, state, {.step = 0.005, .until = 0.5});
  drive(RungeKutta4{}, problem, full, {.step = 0.1 / fastest, .until = 0.5});
  return slow.difference(state, slow.below(full)).norm();
}
/// Errors of orders 0 to 2 fall with the powers 1 to 3 of ε, and order 0 is the nonholonomic motion.
template <class System, int k>
void check_orders(const System& system, const LinearFriction<double, k>& friction, double epsilon,
                  const typename System::Group& g, const typename System::Group::Tangent& xi) {
  for (int order = 0; order <= 2; ++order) {
    const double coarse = slow_error(system, friction, epsilon, order, g, xi);
    const double fine = slow_error(system, friction, epsilon / 2, order, g, xi);
    CAPTURE(order, coarse, fine);
    CHECK(std::log2(coarse / fine) == Approx(order + 1).margin(0.15));
  }
  const LagrangeDAlembert problem{system};
  const SlowManifold<System, 2> slow(system, friction, 0);
  const auto state = slow.state(g, xi);
  auto rates = problem.make_rates();
  auto corrected = slow.make_rates();
  problem.rates(state, rates);
  slow.rates(state, corrected);
  CHECK((rates.xidot - corrected.xidot).norm() < 1e-12);
  CHECK((rates.lambda - corrected.lambda).norm() < 1e-12);
  const Vec<double, k> c1 = slow.coefficients(state)[0];
  CHECK((friction.coefficient * c1 + rates.lambda).norm() < 1e-12);  // c₁ = −ν⁻¹λ
}

Mat<double, 2> skewed() {
  Mat<double, 2> nu;
  nu << 2.0, 0.4, 0.4, 0.9;
  return nu;
}

TEST_CASE("slow motions of an uneven ball that slides have their orders in ε", "[slow_manifold]") {
  const systems::RollingBall<> ball{
      {.mass = 1, .radius = 1, .inertia = Vec<double, 3>(0.3, 0.5, 0.7).asDiagonal()}};
  const systems::RollingBall<>::Group g(SO3d::exp({0.3, -0.7, 0.5}), Rn<double, 2>());
  check_orders(ball, LinearFriction<double, 2>{.coefficient = skewed(), .epsilon = 0.1}, 0.02, g,
               ball.rolling(g, {0.9, -0.7, 1.2}));
}

struct Swing {
  template <class T>
  Vec<T, 2> operator()(const Vec<T, 2>& shape, const Vec<T, 2>&, const T& t) const {
    using std::sin;
    return {sin(3 * t), -shape[1]};
  }
};

TEST_CASE("slow motions of a snakeboard whose wheels slide have their orders in ε", "[slow_manifold]") {
  const systems::Snakeboard<double, Swing> board{{}, Swing{}};
  using Group = systems::Snakeboard<double, Swing>::Group;
  const Group g(SE2d(0.1, -0.2, 0.4), Rn<double, 2>(Vec<double, 2>(0.2, 0.5)));
  check_orders(board, LinearFriction<double, 2>{.coefficient = skewed(), .epsilon = 0.1}, 0.02, g,
               board.gliding(0.5, 0.8, 1.1, -0.6));
}

TEST_CASE("a uniform ball that slides has no slow slip at all", "[slow_manifold]") {
  // Friction vanishes with the slip, so a ball that rolls goes on rolling, for every ε.
  const systems::RollingBall<> ball{{}};
  const systems::RollingBall<>::Group g(SO3d::exp({0.3, -0.7, 0.5}), Rn<double, 2>());
  const SlowManifold<systems::RollingBall<>, 2> slow(with_friction(ball, skewed(), 0.1));
  const auto state = slow.state(g, ball.rolling(g, {0.9, -0.7, 1.2}));
  for (const auto& c : slow.coefficients(state)) CHECK(c.norm() < 1e-13);
  auto rates = slow.make_rates();
  slow.rates(state, rates);
  CHECK(rates.drift.norm() < 1e-14);
  // Off it, slip decays like exp(−(1/M + R²/I)νt/ε).
  const Vec<double, 2> decay = slow.decay_rates(state);
  const double mean = (2.0 + 0.9) / 2, half = std::hypot((2.0 - 0.9) / 2, 0.4);
  CHECK(decay[0] == Approx((1 + 1 / 0.4) * (mean - half) / 0.1));
  CHECK(decay[1] == Approx((1 + 1 / 0.4) * (mean + half) / 0.1));
}

TEST_CASE("the slow manifold of a disk is the slow eigenvector of its friction", "[slow_manifold]") {
  // With ω constant, u̇ = vω + F₁/m, v̇ = −uω + F₂/m, Ω̇ = −RF₁/I are linear.
  const double m = 1.2, R = 0.7, I = 0.5, omega = 0.8;
  const systems::VerticalDisk<> disk{{.mass = m, .radius = R, .axial = I}};
  const auto miss = [&](double epsilon) {
    Mat<double, 2> F = skewed() / epsilon;
    Mat<double, 2, 3> slip;
    slip << 1, 0, -R, 0, 1, 0;
    Mat<double, 3> A = Mat<double, 3>::Zero();
    A(0, 1) = omega;
    A(1, 0) = -omega;
    A -= Vec<double, 3>(1 / m, 1 / m, 1 / I).asDiagonal() * slip.transpose() * F * slip;
    Vec<double, 3> x(R, 0, 1);
    for (int i = 0; i < 40; ++i) x = A.partialPivLu().solve(x).normalized();
    const SlowManifold<systems::VerticalDisk<>, 3> slow(with_friction(disk, skewed(), epsilon));
    const auto exact = Vec<double, 4>(x[0], x[1], omega, x[2]);
    const auto below = slow.state(systems::VerticalDisk<>::Group(), exact);
    return (slow.on_manifold(below, 4).xi - exact).norm();
  };
  CHECK(std::log2(miss(0.08) / miss(0.04)) == Approx(5).margin(0.3));
  CHECK(miss(0.01) < 1e-9);
}

TEST_CASE("a ball that slides on a turntable spirals out, and its slow slip is that of the spiral",
          "[slow_manifold]") {
  // With ȧ = w and the slip s as complex numbers, ẇ = −αs and ṡ = −βs − iΩw; slow is λ = (−β + √(β² + 4iαΩ))/2, s = −λw/α.
  const double m = 1.4, R = 0.6, I = 0.3, Omega = 1.7, nu = 1.2;
  using Ball = systems::BallOnMovingPlane<double>;
  const Ball ball({.mass = m, .radius = R, .inertia = I}, {.rate = Omega});
  const auto miss = [&](double epsilon) {
    const SlowManifold<Ball, 3> slow(with_friction(ball, nu, epsilon));
    const double alpha = nu / (m * epsilon), beta = nu / epsilon * (1 / m + R * R / I);
    const std::complex<double> i(0, 1), w(0.8, -0.3);
    const std::complex<double> lambda = (-beta + std::sqrt(beta * beta + 4.0 * i * alpha * Omega)) / 2.0;
    const std::complex<double> s = -lambda * w / alpha;
    CHECK(lambda.real() > 0);
    const Vec<double, 2> place(0.4, 0.9);
    auto exact = ball.rolling(place, {w.real() - s.real(), w.imag() - s.imag()}, 0.7);
    exact[3] = w.real();
    exact[4] = w.imag();
    typename Ball::Group g(SO3d::exp({0.3, -0.7, 0.5}), Rn<double, 2>(place));
    const auto below = slow.state(g, exact, 0.2);
    return (slow.on_manifold(below, 4).xi - exact).norm();
  };
  CHECK(std::log2(miss(0.08) / miss(0.04)) == Approx(5).margin(0.3));
  CHECK(miss(0.01) < 1e-9);
}

/// The pendulum in the coordinates (r, φ − κr²), polar ones but for a shear, where its mass depends on where it is.
struct PolarPendulum {
  using Group = Rn<double, 2>;
  double shear;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    using std::sin;
    const Vec<T, 2>& x = q.coordinates();
    const T turning = v[1] + 2 * shear * x[0] * v[0];
    return (v[0] * v[0] + x[0] * x[0] * turning * turning) / 2 -
           9.81 * x[0] * sin(x[1] + shear * x[0] * x[0]);
  }
  template <class T>
  T position_constraint(const Rn<T, 2>& q) const {
    return q.coordinates()[0] - 1;
  }
};

TEST_CASE("a pendulum whose rod is friction lengthens as its closed form says", "[slow_manifold]") {
  const double r = 1.3, phi = -0.6, turning = 1.7, gravity = 9.81, epsilon = 0.01;
  const Vec<double, 2> out(std::cos(phi), std::sin(phi)), around(-std::sin(phi), std::cos(phi));
  const SlowManifold<Pendulum, 2> slow(with_friction(Pendulum{{}}, 1.0, epsilon));
  const auto state = slow.state(Rn<double, 2>(r * out), r * turning * around + 0.3 * out);
  CHECK((state.xi - r * turning * around).norm() < 1e-14);
  const auto c = slow.coefficients(state);
  CHECK(c[0][0] == Approx(r * turning * turning - gravity * out[1]));
  CHECK(c[1][0] == Approx(3 * gravity * turning * out[0]));
  CHECK(c[2][0] == Approx(3 * gravity * gravity * out[0] * out[0] / r + 3 * r * std::pow(turning, 4)));
  auto rates = slow.make_rates();
  slow.rates(state, rates);

  // In any coordinates the coefficients are the same, and ξ_D = r φ̇ e_φ in these is φ̇ in those.
  for (const double shear : {0.0, 0.4}) {
    const SlowManifold<PolarPendulum, 2> polar(with_friction(PolarPendulum{shear}, 1.0, epsilon));
    const auto in_polar = polar.state(Rn<double, 2>(Vec<double, 2>(r, phi - shear * r * r)),
                                      {0.3, turning - 2 * shear * r * 0.3});
    CHECK((in_polar.xi - Vec<double, 2>(0, turning)).norm() < 1e-14);
    const auto d = polar.coefficients(in_polar);
    for (std::size_t i = 0; i < 3; ++i) CHECK(c[i][0] == Approx(d[i][0]));
    auto polar_rates = polar.make_rates();
    polar.rates(in_polar, polar_rates);
    const double lengthening = polar_rates.drift[0];
    const Vec<double, 2> expected =
        (lengthening * turning + r * polar_rates.xidot[1]) * around - r * turning * turning * out;
    CHECK((rates.xidot - expected).norm() < 1e-11);
    CHECK(polar_rates.xidot[1] == Approx(-(gravity * out[0] + 2 * lengthening * turning) / r));
    CHECK(polar_rates.drift[1] == Approx(-2 * shear * r * lengthening).margin(1e-15));
  }
}

/// A block that a belt of the velocity w(t) = sin 2t drags along.
struct Dragged {
  using Group = Rn<double, 1>;
  template <class T>
  T lagrangian(const Vec<T, 1>& v) const {
    return 1.5 * v[0] * v[0] / 2;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 1>& v, const T& t) const {
    using std::sin;
    return v[0] - sin(2 * t);
  }
};

TEST_CASE("a block on a shaking belt lags behind it by the series of the exact motion", "[slow_manifold]") {
  // m v̇ = −(v − w)/ε: the slow slip is s = Σ (−mε)ʲ w⁽ʲ⁾.
  const SlowManifold<Dragged, 3> slow(with_friction(Dragged{}, 1.0, 0.05));
  const double t = 0.4, m = 1.5;
  const auto state = slow.state(Rn<double, 1>(), Vec<double, 1>(7.0), t);
  CHECK(state.xi[0] == Approx(std::sin(2 * t)));
  const auto c = slow.coefficients(state);
  CHECK(c[0][0] == Approx(-m * 2 * std::cos(2 * t)));
  CHECK(c[1][0] == Approx(-m * m * 4 * std::sin(2 * t)));
  CHECK(c[2][0] == Approx(m * m * m * 8 * std::cos(2 * t)));
  CHECK(c[3][0] == Approx(m * m * m * m * 16 * std::sin(2 * t)));
  auto rates = slow.make_rates();
  slow.rates(state, rates);
  CHECK(rates.xidot[0] == Approx(2 * std::cos(2 * t)));  // ξ_D = w, to every order
  // The belt does work on the block, some of which friction takes.
  const auto power = slow.power(state, rates);
  const auto energy = [&](double s) {
    return slow.energy(slow.state(Rn<double, 1>(), Vec<double, 1>(0.0), t + s));
  };
  CHECK(power.dissipation == Approx(-std::pow(rates.slip[0], 2) / 0.05).epsilon(0.01));
  CHECK(power.dissipation + power.constraint + power.load ==
        Approx((energy(1e-4) - energy(-1e-4)) / 2e-4).epsilon(1e-6));
}

TEST_CASE("the energy of a slow motion falls by what friction takes, to its order", "[slow_manifold]") {
  const Sleigh sleigh{{.mass = 1.7, .inertia = 0.6, .offset = 0.35}};
  const auto imbalance = [&](double epsilon, int order) {
    const SlowManifold<Sleigh, 2> slow(with_friction(sleigh, 1.0, epsilon), order);
    auto state = slow.state(SE2d::identity(), {0.45, 0, -1.3});
    auto rates = slow.make_rates();
    slow.rates(state, rates);
    const auto power = slow.power(state, rates);
    CHECK(power.dissipation < 0);
    CHECK(power.load == 0);
    const double h = 1e-4;
    auto before = state, after = state;
    auto stepper = RungeKutta4{}.stepper(slow, state);
    (void)stepper.step(slow, after, h);
    (void)stepper.step(slow, before, -h);
    return std::abs((slow.energy(after) - slow.energy(before)) / (2 * h) - power.dissipation -
                    power.constraint);
  };
  CHECK(std::log2(imbalance(0.04, 1) / imbalance(0.02, 1)) > 1.8);
  CHECK(std::log2(imbalance(0.08, 2) / imbalance(0.04, 2)) > 2.7);
}

TEST_CASE("orders beyond those prepared, and states that are no numbers, are refused", "[slow_manifold]") {
  const auto system = with_friction(Sleigh{{}}, 1.0, 0.1);
  CHECK_THROWS_WITH((SlowManifold<Sleigh, 2>(system, 3)), ContainsSubstring("SlowManifold: order = 3"));
  CHECK_THROWS_AS((SlowManifold<Sleigh, 2>(system, -1)), std::invalid_argument);
  const SlowManifold<Sleigh, 2> slow(system);
  CHECK_THROWS_AS(slow.state(SE2d::identity(), {std::nan(""), 0, 1}), std::invalid_argument);
  const SlowManifold<Pendulum, 2> pendulum(with_friction(Pendulum{{}}, 1.0, 0.1));
  CHECK_THROWS_AS(pendulum.state(Rn<double, 2>(), {1, 0}), InvalidState);
}

TEST_CASE("a step of a slow motion does not allocate", "[slow_manifold]") {
  const SlowManifold<Sleigh, 2> slow(with_friction(Sleigh{{}}, 1.0, 0.1));
  auto state = slow.state(SE2d::identity(), {-1, 0, 1});
  auto stepper = RungeKutta4{}.stepper(slow, state);
  (void)stepper.step(slow, state, 0.01);
  CHECK(test::allocations_during([&] { (void)stepper.step(slow, state, 0.01); }) == 0);
}

}  // namespace slow_manifold_test
