#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/systems/pendulum.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace lagrange_dalembert_test {

using namespace dalembert;
using namespace test;
using Catch::Matchers::ContainsSubstring;

template <class P>
void run(const P& problem, typename P::State& state, double until, bool project = false) {
  drive(DormandPrince54{.project = project}, problem, state, {.step = 0.002, .until = until});
}

TEST_CASE("a skate on a slope swings where it began, and drifts sideways", "[assembler]") {
  const SkateOnSlope<> skate;
  const LagrangeDAlembert problem{skate};
  const double omega = 1.7, t = 3.0, c = skate.c;
  auto state = problem.state(SE2d::identity(), {0, 0, omega});
  run(problem, state, t);
  CHECK(state.g.translation()[0] ==
        Approx(c * std::pow(std::sin(omega * t), 2) / (2 * omega * omega)).epsilon(1e-10));
  CHECK(state.g.translation()[1] ==
        Approx(c * (omega * t - 0.5 * std::sin(2 * omega * t)) / (2 * omega * omega)).epsilon(1e-10));
  CHECK(state.g.rotation().log()[0] ==
        Approx(std::remainder(omega * t, 2 * 3.14159265358979323846)).epsilon(1e-11));
  // The blade's force: m(uω + c sin φ) across.
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.lambda[0] == Approx(skate.m * (state.xi[0] * omega + c * std::sin(omega * t))).epsilon(1e-10));
}

TEST_CASE("a particle under dz = y dx keeps its two constants", "[assembler]") {
  const LagrangeDAlembert problem{NonholonomicParticle<>{}};
  auto state = problem.state(Rn<double, 3>(Vec<double, 3>(0, -0.5, 0)), {1.2, 0.8, -0.6});
  run(problem, state, 2.0);
  const double y = state.g.coordinates()[1];
  CHECK(y == Approx(-0.5 + 0.8 * 2).epsilon(1e-12));
  CHECK(state.xi[0] * std::sqrt(1 + y * y) == Approx(1.2 * std::sqrt(1.25)).epsilon(1e-10));
  CHECK(problem.constraint(state).velocity < 1e-10);
}

TEST_CASE("a bead on a turning line flies out, and the line works on it", "[assembler]") {
  const BeadOnTurningLine<> bead;
  const LagrangeDAlembert problem{bead};
  auto state = problem.state(Rn<double, 2>(Vec<double, 2>(0.5, 0)), {0, 0.5 * bead.rate});
  const double t = 1.5, r = 0.5 * std::cosh(bead.rate * t), rdot = 0.5 * bead.rate * std::sinh(bead.rate * t);
  run(problem, state, t, true);
  CHECK(state.g.coordinates().norm() == Approx(r).epsilon(1e-10));
  CHECK(problem.constraint(state).position < 1e-14);
  CHECK(problem.constraint(state).velocity < 1e-14);
  // Coriolis force 2mΩṙ along the row, at the speed Ωr.
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.lambda[0] == Approx(2 * bead.m * bead.rate * rdot).epsilon(1e-9));
  CHECK(problem.power(state, rates).constraint ==
        Approx(2 * bead.m * bead.rate * rdot * bead.rate * r).epsilon(1e-9));
}

TEST_CASE("a mass that grows slows down, and the power is that of ℓ's dependence on time", "[assembler]") {
  const GrowingMass<> particle{.rate = 0.3};
  const LagrangeDAlembert problem{particle};
  auto state = problem.state(Rn<double, 1>(), Vec<double, 1>(2.0));
  run(problem, state, 1.0);
  CHECK(state.xi[0] == Approx(2 * std::exp(-0.3)).epsilon(1e-11));
  CHECK(problem.power(state, {}).load == Approx(-0.3 * problem.kinetic_energy(state)).epsilon(1e-12));
}

TEST_CASE("Chetaev's principle keeps the speed of a falling particle", "[assembler]") {
  const LagrangeDAlembert problem{ConstantSpeed<>{}};
  const double angle = 0.3;
  auto state = problem.state(Rn<double, 2>(), {std::cos(angle), std::sin(angle)});
  run(problem, state, 1.0);
  // The direction θ turns by θ̇ = −cos θ: gd⁻¹(θ) = gd⁻¹(θ₀) − t.
  const double inverse_gudermannian = std::asinh(std::tan(angle)) - 1.0;
  CHECK(std::atan2(state.xi[1], state.xi[0]) ==
        Approx(std::atan(std::sinh(inverse_gudermannian))).epsilon(1e-10));
  CHECK(state.xi.norm() == Approx(1).epsilon(1e-11));
}

TEST_CASE("a body without constraints moves, and keeps energy and vertical momentum", "[assembler]") {
  const HeavyTop<> top;
  const LagrangeDAlembert problem{top};
  STATIC_REQUIRE(Problem<decltype(problem)>);
  auto state = problem.state(SO3d::exp({0.3, -0.2, 0.5}), {1, 2, 3});
  const auto vertical = [&] { return state.g.act(Vec<double, 3>(top.inertia.cwiseProduct(state.xi)))[2]; };
  const double energy = problem.energy(state), momentum = vertical();
  run(problem, state, 2.0);
  CHECK(problem.energy(state) == Approx(energy).epsilon(1e-9));
  CHECK(vertical() == Approx(momentum).epsilon(1e-9));
}

TEST_CASE("reactions along given rows do the work that the balance says", "[assembler]") {
  const LagrangeDAlembert problem{SlantedBlade<>{}};
  auto state = problem.state(SE2d::identity(), {1, 0, 2});
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(std::abs(problem.power(state, rates).constraint) > 0.1);
  CHECK(problem.power(state, rates).load == Approx(-0.2 * (1 + 4)));
  CHECK(rates.xidot[1] == Approx(0).margin(1e-14));
}

TEST_CASE("redundant rows are solved and reported", "[assembler]") {
  const LagrangeDAlembert problem{TwoRows<>{}};
  auto state = problem.state(Rn<double, 2>(), {1, 0});
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.report.redundant_rows == 1);
  CHECK(rates.xidot.norm() < 1e-14);
  CHECK(rates.lambda[0] + 2 * rates.lambda[1] == Approx(3.0));
  CHECK(rates.lambda[0] == Approx(2 * rates.lambda[1]));
  state.xi = {1, 0.5};
  CHECK(problem.project(state).converged);
  CHECK(state.xi[1] == Approx(0).margin(1e-14));
}

TEST_CASE("rows that contradict each other are named", "[assembler]") {
  const LagrangeDAlembert problem{TwoRows<>{.rate = 1}};
  auto state = problem.state(Rn<double, 2>(), {1, 0}, 2.5);
  auto rates = problem.make_rates();
  REQUIRE_THROWS_AS(problem.rates(state, rates), IncompatibleConstraints);
  REQUIRE_THROWS_WITH(problem.rates(state, rates),
                      ContainsSubstring("first rail, second rail") && ContainsSubstring("t = 2.5"));
  const auto before = state;
  CHECK_FALSE(problem.project(state).converged);
  CHECK(state == before);
}

TEST_CASE("a coordinate without mass or constraint is refused", "[assembler]") {
  const LagrangeDAlembert problem{MasslessCoordinate<>{}};
  auto rates = problem.make_rates();
  const auto state = problem.state(Rn<double, 2>(), {1, 0});
  REQUIRE_THROWS_AS(problem.rates(state, rates), InvalidState);
  REQUIRE_THROWS_WITH(problem.rates(state, rates), ContainsSubstring("undetermined"));
}

TEST_CASE("numbers that are not finite are refused, at the start and later", "[assembler]") {
  const LagrangeDAlembert problem{SkateOnSlope<>{}};
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(problem.state(SE2d::identity(), {nan, 0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(problem.state(SE2d(infinity, 0, 0), {0, 0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(problem.state(SE2d::identity(), {0, 0, 1}, nan), std::invalid_argument);
  CHECK_THROWS_WITH(problem.state(SE2d::identity(), {nan, 0, 1}), ContainsSubstring("LagrangeDAlembert"));
  auto state = problem.state(SE2d::identity(), {0, 0, 1});
  state.xi[2] = nan;
  auto rates = problem.make_rates();
  CHECK_THROWS_AS(problem.rates(state, rates), InvalidState);
}

TEST_CASE("answers that are too large for numbers are refused", "[assembler]") {
  const LagrangeDAlembert problem{SlantedBlade<>{}};
  auto state = problem.state(SE2d::identity(), {0.1, 0, 1}, 2.5);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  REQUIRE_NOTHROW(problem.power(state, rates));
  state.xi[2] = 1e200;
  CHECK_THROWS_AS(problem.energy(state), InvalidState);
  CHECK_THROWS_WITH(problem.energy(state), ContainsSubstring("energy") && ContainsSubstring("t = 2.5"));
  CHECK_THROWS_AS(problem.kinetic_energy(state), InvalidState);
  CHECK_THROWS_AS(problem.power(state, rates), InvalidState);
  const LagrangeDAlembert heavy{SkateOnSlope<>{.m = 4e307}};
  auto slipping = heavy.state(SE2d::identity(), {0.1, 3, 1});
  CHECK_THROWS_AS(heavy.project(slipping), InvalidState);
}

TEST_CASE("d'Alembert's principle refuses a constraint that is not affine", "[assembler]") {
  const LagrangeDAlembert problem{ConstantSpeedUnderDAlembert<>{}};
  REQUIRE_THROWS_AS(problem.state(Rn<double, 2>(), {1, 0}), std::invalid_argument);
  REQUIRE_THROWS_WITH(problem.state(Rn<double, 2>(), {1, 0}), ContainsSubstring("Chetaev"));
  REQUIRE_THROWS_AS(problem.state(Rn<double, 2>(), {0, 0}), std::invalid_argument);
}

/// A row that has no derivative at x = 0.
struct RowWithRoot {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T velocity_constraint(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    using std::sqrt;
    const T x = q.coordinates()[0];
    return v[1] - v[0] / sqrt(x);
  }
};

TEST_CASE("a state where the rows have no derivatives is refused as that", "[assembler]") {
  const LagrangeDAlembert problem{RowWithRoot{}};
  CHECK_NOTHROW(problem.state(Rn<double, 2>(Vec<double, 2>(1, 0)), {1, 1}));
  CHECK_THROWS_WITH(problem.state(Rn<double, 2>(), {1, 1}), ContainsSubstring("must have derivatives"));
}

TEST_CASE("projection is the least change in kinetic energy", "[assembler]") {
  const SlantedBlade<> blade;
  const LagrangeDAlembert problem{blade};
  auto state = problem.state(SE2d::identity(), {1, 0.3, 2});
  const auto before = state;
  const auto done = problem.project(state);
  // δξ = −M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹v keeps the momenta along u and ω: m u and m a v + (I + ma²)ω.
  const double m = blade.m, a = blade.a, k = blade.inertia + m * a * a;
  CHECK(state.xi[0] == Approx(1));
  CHECK(state.xi[1] == Approx(0).margin(1e-15));
  CHECK(state.xi[2] == Approx(2 + m * a * 0.3 / k));
  const Vec<double, 3> change = state.xi - before.xi;
  CHECK(done.moved == Approx(std::sqrt(m * std::pow(change[1] + a * change[2], 2) +
                                       blade.inertia * change[2] * change[2])));
  CHECK(done.converged);
  CHECK(done.iterations == 0);  // there are no positions to project
}

TEST_CASE("projection onto positions is normal to them", "[assembler]") {
  const LagrangeDAlembert problem{SphericalPendulum<>{}};
  const Vec<double, 3> x(0.3, 0.6, -1.1);
  auto state = problem.state(Rn<double, 3>(x), {0.5, -0.4, 0.2});
  const auto done = problem.project(state);
  CHECK((state.g.coordinates() - x.normalized()).norm() < 1e-14);
  CHECK(std::abs(state.xi.dot(x)) < 1e-15);
  CHECK(done.iterations > 1);
  CHECK(done.moved ==
        Approx(std::sqrt(0.8) *
               std::max(x.norm() - 1, std::abs(Vec<double, 3>(0.5, -0.4, 0.2).dot(x.normalized())))));
}

TEST_CASE("what lies on its rows is projected onto them in any unit of length", "[assembler]") {
  for (const double length : {1e-6, 1.0, 3e4, 1e5, 1e6, 1e12})
    for (double angle = -1.5; angle < 3; angle += 0.1) {
      CAPTURE(length, angle);
      const systems::Pendulum<> pendulum{{.length = length}};
      const LagrangeDAlembert problem{pendulum};
      auto state = problem.state(pendulum.at_angle(angle), {0, 0});
      CHECK(problem.project(state).converged);
      CHECK(std::abs(problem.constraint(state).position) < 1e-15 * length);
    }
}

TEST_CASE("projection that cannot converge says so", "[assembler]") {
  const LagrangeDAlembert problem{SphericalPendulum<>{}};
  auto state =
      problem.state(Rn<double, 3>(), {0.5, -0.4, 0.2});  // at the centre of the sphere no direction leads out
  CHECK_FALSE(problem.project(state).converged);
}

TEST_CASE("a spherical pendulum stays on its sphere and keeps energy when projected", "[assembler]") {
  const LagrangeDAlembert problem{SphericalPendulum<>{}};
  auto state = problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {0, 1, 0.5});
  const double energy = problem.energy(state);
  run(problem, state, 3.0, true);
  CHECK(problem.constraint(state).position < 1e-15);
  CHECK(problem.constraint(state).velocity < 1e-14);
  CHECK(problem.energy(state) == Approx(energy).epsilon(1e-9));
}

TEST_CASE("Maxwell's element loses the energy that its reaction takes", "[assembler][mixed]") {
  const Maxwell<> element;
  const LagrangeDAlembert problem{element};
  auto state = problem.state(Rn<double, 1>(), Vec<double, 1>(0.7), Vec<double, 1>(0.3));
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.xidot[0] == Approx(-element.k * 0.3 / element.m));
  CHECK(rates.zdot[0] == Approx(0.7 - element.c * 0.3));
  CHECK(problem.power(state, rates).constraint == Approx(-element.k * element.c * 0.09));
  auto residual = problem.make_residual();
  problem.residual(state, rates, residual);
  CHECK(residual.norm() < 1e-14);
  // mẍ = −kz with ż = ẋ − cz: the velocity decays like the roots of s² + cs + k/m.
  const double half = element.c / 2, w = std::sqrt(element.k / element.m - half * half), t = 2.3;
  run(problem, state, t);
  const double b = (-element.k / element.m * 0.3 + half * 0.7) / w;
  CHECK(state.xi[0] ==
        Approx(std::exp(-half * t) * (0.7 * std::cos(w * t) + b * std::sin(w * t))).epsilon(1e-10));
}

TEST_CASE("an internal coordinate that a position row gives is solved for", "[assembler][mixed]") {
  const Cubic<> cubic;
  const LagrangeDAlembert problem{cubic};
  auto state = problem.state(Rn<double, 1>(Vec<double, 1>(1.327)), Vec<double, 1>(0.5), Vec<double, 1>(0.1));
  CHECK(std::abs(std::pow(state.z[0], 3) + state.z[0] - 1.327) < 1e-15);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const double slope = 3 * state.z[0] * state.z[0] + 1;
  CHECK(rates.xidot[0] == Approx(-cubic.k * state.z[0] / slope / cubic.m));
  CHECK(rates.zdot[0] == Approx(0.5 / slope));
  CHECK(std::abs(problem.power(state, rates).constraint) < 1e-14);
  const double energy = problem.energy(state);
  run(problem, state, 5.0);
  CHECK(problem.energy(state) == Approx(energy).epsilon(1e-10));
  CHECK(problem.constraint(state).position < 1e-14);
}

TEST_CASE("projection moves internal coordinates, for nothing, where a position row needs them",
          "[assembler][mixed]") {
  const LagrangeDAlembert problem{Cubic<>{}};
  auto state = problem.state(Rn<double, 1>(Vec<double, 1>(1.327)), Vec<double, 1>(0.5), Vec<double, 1>(0.1));
  const auto before = state;
  state.z[0] += 0.2;
  const auto done = problem.project(state);
  CHECK(done.converged);
  CHECK(done.moved < 1e-14);
  CHECK(state.z[0] == Approx(before.z[0]).epsilon(1e-15));
  CHECK(state.g.coordinates()[0] == Approx(1.327).epsilon(1e-15));
  CHECK(state.xi == before.xi);
}

TEST_CASE("internal coordinates that do not exist are an error", "[assembler][mixed]") {
  const LagrangeDAlembert problem{Cubic<>{}};
  auto state = problem.state(Rn<double, 1>(), Vec<double, 1>(0.5), Vec<double, 1>(0.1));
  state.g = Rn<double, 1>(Vec<double, 1>(std::numeric_limits<double>::quiet_NaN()));
  const auto z = state.z;
  CHECK_THROWS_AS(problem.solve_algebraic(state), NoConvergence);
  CHECK(state.z == z);
}

TEST_CASE("rows of one function may be of different order", "[assembler][mixed]") {
  const MaxwellOnSkate<> skate;
  const LagrangeDAlembert problem{skate};
  const auto state = problem.state(SE2d(1, 2, 0.3), {0.7, 0, 1.1}, Vec<double, 1>(0.3));
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.xidot[0] == Approx(-skate.k * 0.3));  // u̇ − vω = −kz
  CHECK(std::abs(rates.xidot[1]) < 1e-15);
  CHECK(rates.zdot[0] == Approx(0.7 - skate.c * 0.3));
  CHECK(rates.lambda[0] == Approx(0.7 * 1.1));
  auto astray = state;
  astray.xi[1] = 0.5;
  CHECK(problem.project(astray).converged);
  CHECK(astray.xi[1] == Approx(0).margin(1e-15));
  CHECK(astray.xi[0] == Approx(0.7));
}

TEST_CASE("a constraint of order 2 is kept by its reaction, also where it is not linear",
          "[assembler][order2]") {
  auto check = [](double stiffening, double expected) {
    const LagrangeDAlembert problem{Servo<>{.stiffening = stiffening}};
    const auto state = problem.state(Rn<double, 2>(), {0.4, -1.5});
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    CHECK(rates.xidot[0] == Approx(expected).epsilon(1e-14));
    CHECK(rates.xidot[1] == Approx(-1));
    CHECK(rates.lambda[0] * (1 + 3 * stiffening * expected * expected) == Approx(expected).epsilon(1e-13));
    CHECK(problem.power(state, rates).constraint == Approx(expected * 0.4).epsilon(1e-13));
    CHECK((rates.report.iterations > 1) == (stiffening > 0));
    auto residual = problem.make_residual();
    problem.residual(state, rates, residual);
    CHECK(residual.norm() < 1e-13);
  };
  check(0, 2.25);
  check(0.75 / 3.375, 1.5);  // 1.5 + s·1.5³ = 2.25
}

TEST_CASE("a constraint of order 2 may give the rate of an internal coordinate",
          "[assembler][mixed][order2]") {
  const AccelerationServo<> servo{.b = 1.2};
  const LagrangeDAlembert problem{servo};
  const auto state = problem.state(Rn<double, 1>(), Vec<double, 1>(0.7), Vec<double, 1>(0.5));
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const double lambda = servo.k * 0.5, a = -servo.b * lambda / servo.m;
  CHECK(rates.lambda[0] == Approx(lambda).epsilon(1e-14));
  CHECK(rates.xidot[0] == Approx(a).epsilon(1e-14));
  CHECK(rates.zdot[0] == Approx(servo.b * a - servo.c * 0.5).epsilon(1e-14));
  CHECK(rates.report.iterations == 1);
  auto residual = problem.make_residual();
  problem.residual(state, rates, residual);
  CHECK(residual.norm() < 1e-14);
}

/// A particle that falls, with the law (1 + ẍ)³ = 1 + f across: what says ẍ is the small difference of large terms.
struct SmallDifference {
  using Group = Rn<double, 2>;
  using Principle = principle::ExtendedChetaev;
  double f = 0;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - q.coordinates()[1];
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 2>&, const Vec<T, 2>& a) const {
    const T sum = 1 + a[0];
    return sum * sum * sum - 1 - f;
  }
};

TEST_CASE("rows that never meet their own rounding are solved to it", "[assembler][order2]") {
  for (const double f : {3.1e-8, 3.3e-9, 4.7e-10}) {
    CAPTURE(f);
    const LagrangeDAlembert problem{SmallDifference{.f = f}};
    auto rates = problem.make_rates();
    problem.rates(problem.state(Rn<double, 2>(), {0, 0}), rates);
    CHECK(std::abs(rates.xidot[0] - (std::cbrt(1 + f) - 1)) < 1e-15);
    CHECK(rates.xidot[1] == Approx(-1));
    CHECK(rates.report.iterations < 5);
  }
}

/// Servo's law ẍ + sẍ³ = ẏ², in any unit of the row and of time, for an x with or without inertia.
struct ServoInUnits {
  using Group = Rn<double, 2>;
  using Principle = principle::ExtendedChetaev;
  double row = 1, second = 1, inertia = 1;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (inertia * v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 2>& v, const Vec<T, 2>& a) const {
    const T bend = 0.75 / 3.375 * (a[0] * second * second) * (a[0] * second * second);
    return row * (a[0] + bend * a[0] - v[1] * v[1]);
  }
};

TEST_CASE("a law for accelerations is solved whatever its units, and where there is no inertia",
          "[assembler][order2]") {
  for (const ServoInUnits& servo :
       {ServoInUnits{}, ServoInUnits{.row = 1e-12}, ServoInUnits{.row = 1e12}, ServoInUnits{.second = 1e8},
        ServoInUnits{.second = 1e-8}, ServoInUnits{.inertia = 0}}) {
    CAPTURE(servo.row, servo.second, servo.inertia);
    const LagrangeDAlembert problem{servo};
    auto rates = problem.make_rates();
    problem.rates(problem.state(Rn<double, 2>(), {0, 1.5 / servo.second}), rates);
    CHECK(rates.xidot[0] * servo.second * servo.second == Approx(1.5).epsilon(1e-14));
  }
}

TEST_CASE("velocities in space, in the body, and reduced are one motion", "[assembler][reduction]") {
  const LagrangeDAlembert body{HeavyTop<>{}};
  const LagrangeDAlembert space{HeavyTopInSpace<>{}};
  const LagrangeDAlembert reduced{HeavyTopReduced<>{}};
  const SO3d g = SO3d::exp({0.3, -0.2, 0.5});
  const Vec<double, 3> w(1, 2, 3), up(0, 0, 1);
  auto in_body = body.state(g, w);
  auto in_space = space.state(g, g.act(w));
  auto in_reduced = reduced.state(Advected<SO3d>(g.inverse().act(up)), w);
  auto of_body = body.make_rates();
  auto of_space = space.make_rates();
  auto of_reduced = reduced.make_rates();
  body.rates(in_body, of_body);
  space.rates(in_space, of_space);
  reduced.rates(in_reduced, of_reduced);
  CHECK((of_space.xidot - g.act(of_body.xidot)).norm() < 1e-13);
  CHECK((of_reduced.xidot - of_body.xidot).norm() < 1e-14);
  CHECK(space.energy(in_space) == Approx(body.energy(in_body)));
  CHECK(reduced.energy(in_reduced) == Approx(body.energy(in_body)));
  run(body, in_body, 1.0);
  run(space, in_space, 1.0);
  run(reduced, in_reduced, 1.0);
  CHECK((in_space.g.inverse() * in_body.g).log().norm() < 1e-10);
  CHECK((in_space.xi - in_body.g.act(in_body.xi)).norm() < 1e-9);
  CHECK((in_reduced.g.value() - in_body.g.inverse().act(up)).norm() < 1e-10);
  CHECK((in_reduced.xi - in_body.xi).norm() < 1e-10);
}

template <class P>
void check_difference(const P& problem, const typename P::State& from, const typename P::State& to) {
  auto there = from;
  problem.retract(from, problem.difference(from, to), there);
  CHECK((there.g.inverse() * to.g).log().norm() < 1e-14);
  CHECK((there.xi - to.xi).norm() < 1e-14);
  CHECK(there.time == to.time);
}

TEST_CASE("the difference of two states leads from one to the other, in body and in space", "[assembler]") {
  const SO3d g = SO3d::exp({0.3, -0.2, 0.5}), h = SO3d::exp({-0.7, 0.4, 1.1});
  const LagrangeDAlembert body{HeavyTop<>{}};
  check_difference(body, body.state(g, {1, 2, 3}), body.state(h, {-1, 0, 2}, 0.5));
  const LagrangeDAlembert space{HeavyTopInSpace<>{}};
  check_difference(space, space.state(g, {1, 2, 3}), space.state(h, {-1, 0, 2}, 0.5));
}

}  // namespace lagrange_dalembert_test
