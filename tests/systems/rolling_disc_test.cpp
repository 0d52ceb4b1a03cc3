#include <dalembert/systems/rolling_disc.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Geometry>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"
#include "systems/rolling_disc_laws.hpp"

namespace rolling_disc_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::RollingDisc;

static_assert(NonholonomicSystem<RollingDisc<double>> && NonholonomicSystem<RollingDisc<long double>>);

TEST_CASE("the assembler gives Newton's and Euler's laws for a disc of any inertia", "[rolling_disc]") {
  laws::check_disc<double>();
}

/// The angles and rates of a random motion of (5).
template <class S>
struct Angles {
  S yaw, lean, spin, yaw_rate, lean_rate, spin_rate;
};

TEST_CASE("the assembler gives the equations in Euler's angles for a round disc", "[rolling_disc]") {
  using S = double;
  laws::Random<S> random;
  const S tolerance = laws::rate_tolerance<S>;
  S worst = 0;
  for (int i = 0; i < 1000; ++i) {
    const S m = random.positive(), r = random.positive(), A = random.positive(), C = random.positive();
    const S gravity = random.positive(), K = C + m * r * r;
    const RollingDisc<S> disc{
        {.mass = m, .radius = r, .inertia = Vec<S, 3>(A, A, C).asDiagonal(), .gravity = gravity}};
    const LagrangeDAlembert problem{disc};
    const Angles<S> q{3 * random(), random(), 3 * random(), random(), random(), random()};
    const SO3<S> R = disc.attitude(q.yaw, q.lean, q.spin);
    const Vec<S, 3> omega = disc.angular_velocity(q.lean, q.spin, q.yaw_rate, q.lean_rate, q.spin_rate);
    const auto state = problem.state(disc.standing(R, {0, 0}), disc.rolling(R, omega));
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const S s = q.yaw_rate * std::sin(q.lean), a = q.lean_rate, b = q.spin_rate + s;
    const S c = q.yaw_rate * std::cos(q.lean);
    const S adot = ((K * b - A * s) * c + m * gravity * r * std::sin(q.lean)) / (A + m * r * r);
    const S bdot = -m * r * r * a * c / K, cdot = a * (A * s - C * b) / A;
    // The components of ω along the leaning axes turn against the disc's at the rate q̇₃ about e₃.
    const SO3<S> leaning = SO3<S>::exp({0, 0, q.yaw}) * SO3<S>::exp({q.lean, 0, 0});
    const SO3<S> to_leaning = leaning.inverse() * R;
    const Vec<S, 3> wdot = to_leaning.act(rates.xidot.template head<3>());
    const Vec<S, 3> expected = Vec<S, 3>(adot, bdot, cdot) + Vec<S, 3>(a, s, c).cross(Vec<S, 3>(a, b, c));
    worst = std::max(worst, laws::distance(wdot, expected, laws::largest(expected)));
    // The centre moves at rb ahead and −ra across.
    const Vec<S, 3> v = leaning.inverse().act(state.xi.template tail<3>());
    CHECK((v - r * Vec<S, 3>(b, -a, 0)).norm() < 20 * tolerance);
  }
  CHECK(worst <= tolerance);
}

TEST_CASE("the disc's closed forms and powers are right", "[rolling_disc]") {
  using S = double;
  laws::Random<S> random;
  for (int i = 0; i < 10; ++i) {
    const LagrangeDAlembert problem{laws::some_disc<S>(random)};
    auto state = laws::some_state<S>(problem, random);
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("the attitude leans, heads and rolls as its words say", "[rolling_disc]") {
  const RollingDisc<> disc{{.mass = 1.2, .radius = 0.4}};
  const SO3d upright = disc.attitude(0, 0, 0);
  CHECK((upright.act({0, 0, 1}) - Vec<double, 3>(0, 1, 0)).norm() < 1e-15);
  const auto g = disc.standing(upright, {0.3, -0.2});
  CHECK((g.second().coordinates() - Vec<double, 3>(0.3, -0.2, 0.4)).norm() < 1e-15);
  CHECK((disc.contact(g) - Vec<double, 2>(0.3, -0.2)).norm() < 1e-15);
  const auto xi = disc.rolling(upright, disc.angular_velocity(0, 0, 0, 0, 2.0));
  CHECK((xi.tail<3>() - Vec<double, 3>(0.8, 0, 0)).norm() < 1e-15);
  const auto leaning = disc.standing(disc.attitude(0, 0.5, 0), {0, 0});
  CHECK(leaning.second().coordinates()[1] == Approx(-0.4 * std::sin(0.5)));
  CHECK(leaning.second().coordinates()[2] == Approx(0.4 * std::cos(0.5)));
  const auto turned = disc.standing(disc.attitude(static_cast<double>(pi) / 2, 0.5, 0), {0, 0});
  CHECK(turned.second().coordinates()[0] == Approx(0.4 * std::sin(0.5)));
}

TEST_CASE("a disc standing still upright falls neither way, and pushes with its weight", "[rolling_disc]") {
  const RollingDisc<> disc{{.mass = 1.2, .radius = 0.4, .gravity = 10}};
  const LagrangeDAlembert problem{disc};
  const SO3d R = disc.attitude(0.7, 0, 0.3);
  const auto state = problem.state(disc.standing(R, {0, 0}), disc.rolling(R, {0, 0, 0}));
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.xidot.norm() < 1e-14);
  CHECK((rates.lambda - Vec<double, 3>(12, 0, 0)).norm() < 1e-13);
}

TEST_CASE("a disc lying flat is refused by the equations", "[rolling_disc]") {
  const RollingDisc<> disc{{}};
  const LagrangeDAlembert problem{disc};
  const SO3d R = disc.attitude(0, 0, 0);
  auto state = problem.state(disc.standing(R, {0, 0}), disc.rolling(R, {0, 0, 0}));
  state.g = {SO3d::identity(), Rn<double, 3>()};
  auto rates = problem.make_rates();
  CHECK_THROWS_AS(problem.rates(state, rates), systems::FlatDisc);
}

/// Drives a disc that is let go at a lean of 0.3 rad until it fails: the error it throws and what caused it.
template <class M>
void check_fall(const M& method, double tolerance) {
  const LagrangeDAlembert problem{RollingDisc<>{{}}};
  const RollingDisc<>& disc = problem.system();
  const SO3d R = disc.attitude(0, 0.3, 0);
  auto state = problem.state(disc.standing(R, {0, 0}), disc.rolling(R, {0, 0, 0}));
  CAPTURE(M::order, method.project, tolerance);
  long steps = 0;
  const auto count = [&](const auto&, const auto&) {
    if (++steps > 2000) throw std::runtime_error("the run does not end");
  };
  try {
    drive(method, problem, state, {.step = 0.01, .until = 2.0, .tolerance = tolerance}, count);
    FAIL("the disc must not fall through the plane");
  } catch (const IntegrationFailure& failure) {
    CHECK_THROWS_AS(std::rethrow_if_nested(failure), systems::FlatDisc);
    CHECK_THAT(failure.what(), ContainsSubstring("fallen flat"));
    CHECK(failure.time() > (tolerance > 0 ? 0.8587 : 0.84));
    CHECK(failure.time() < 0.85871);
    CHECK(state.g.second().coordinates()[2] >= 0);
    CHECK(problem.constraint(state).position < 1e-5);
  }
}

TEST_CASE("a disc that falls flat ends the run there, be it projected or not and however long its steps are",
          "[rolling_disc]") {
  for (const double tolerance : {0.0, 1e-6, 1e-10})
    for (const bool project : {false, true}) check_fall(DormandPrince853{.project = project}, tolerance);
}

TEST_CASE("a disc below the plane is refused, not lifted onto its other side", "[rolling_disc]") {
  const LagrangeDAlembert problem{RollingDisc<>{{}}};
  const RollingDisc<>& disc = problem.system();
  const SO3d beyond = disc.attitude(0, 1.6, 0);
  auto state = problem.state(disc.standing(beyond, {0, 0}), disc.rolling(beyond, {1, 0, 0}), 3.0);
  auto rates = problem.make_rates();
  CHECK_NOTHROW(problem.rates(state, rates));
  CHECK_NOTHROW(problem.project(state));
  const Vec<double, 3> centre = state.g.second().coordinates();
  state.g = {beyond, Rn<double, 3>(Vec<double, 3>(centre[0], centre[1], -centre[2]))};
  CHECK_THROWS_AS(problem.rates(state, rates), systems::FlatDisc);
  try {
    problem.project(state);
    FAIL("it must be refused");
  } catch (const systems::FlatDisc& flat) {
    CHECK(flat.time() == 3.0);
  }
}

TEST_CASE("impossible discs are refused, by name and value", "[rolling_disc]") {
  CHECK_THROWS_WITH((RollingDisc<>{{.mass = -1}}), ContainsSubstring("RollingDisc: mass = -1"));
  CHECK_THROWS_WITH((RollingDisc<>{{.radius = 0}}), ContainsSubstring("RollingDisc: radius = 0"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS((RollingDisc<>{{.mass = nan}}), std::invalid_argument);
  CHECK_THROWS_AS((RollingDisc<>{{.radius = nan}}), std::invalid_argument);
  CHECK_THROWS_WITH((RollingDisc<>{{.gravity = nan}}), ContainsSubstring("gravity"));
  Mat<double, 3> inertia = Mat<double, 3>::Identity();
  inertia(0, 1) = 0.5;
  CHECK_THROWS_WITH((RollingDisc<>{{.inertia = inertia}}), ContainsSubstring("symmetric"));
  inertia(1, 0) = 0.5;
  CHECK_THROWS_WITH((RollingDisc<>{{.inertia = inertia}}).steady_spin(0.1, 1.0),
                    ContainsSubstring("diag(A, A, C)"));
  inertia(2, 2) = -1;
  CHECK_THROWS_WITH((RollingDisc<>{{.inertia = inertia}}), ContainsSubstring("positive definite"));
}

}  // namespace rolling_disc_test
