// Rigid rods that rest on something: equilibria and small motions of contacts whose place moves along an axis.

#include <cmath>
#include <complex>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/modes/linearization.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace axis_place_rest_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using Vec3 = Vec<double, 3>;
using Turn = SO3<double>;
using Axis = contact::AxisMarker<double>;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;

/// Turns and shifts whatever is there.
struct Anywhere {
  Turn turn;
  Vec3 shift;
  explicit Anywhere(unsigned number) {
    test::Random random(test::seed() + number);
    const auto vector = [&] {
      const double x = random(), y = random(), z = random();
      return Vec3(x, y, z);
    };
    const Vec3 axis = vector();
    turn = Turn::exp(Vec3(2 * axis));
    shift = 3 * vector();
  }
  [[nodiscard]] Vec3 operator()(const Vec3& x) const { return turn.act(x) + shift; }
};

/// Nothing moves from an equilibrium.
template <class P>
void check_rest(const P& problem, const State<double>& x) {
  auto r = problem.make_rates();
  problem.rates(problem.state(x), r);
  for (std::size_t i = 0; i < x.chains.size(); ++i)
    CHECK(r.xidot[i].topRows(x[i].nodes).matrix().norm() < 1e-7);
}

TEST_CASE("a bar that balances on a ball sways along it and falls off its side",
          "[contact][axis_place][modes]") {
  // ω² = mg(R − a)/(I + ma²) along the bar, whose contact goes with it; sideways it falls at g/((R + a)(1 + J/(ma²)))
  const double g = 9.81, m = 0.7, a = 0.05, across = 0.04, along = 0.003;
  for (const unsigned number : {0U, 1U, 2U})
    for (const double R : {0.4, 0.02}) {
      CAPTURE(number, R);
      const Anywhere put(number);
      const Body bar{
          {.mass = m, .inertia = {along, across, across}, .gravity = put.turn.act(Vec3(0, 0, -g))}};
      const Axis axis{0, 0, {-0.6, 0, 0}, {1, 0, 0}, 1.5};
      const contact::RollingOnRod<double, Axis> contact{axis, FrameMarker<double>::in_space(put({0, 0, 0})),
                                                        a, R};
      const Assembly problem{bodies(std::vector{bar}), constraints(std::vector{contact})};
      const auto x = problem.state({bar.at(put({0, 0, R + a}), put.turn)}, Vec<double, 1>(0.55));
      CHECK_THAT(x.z[0], WithinRel(0.6, 1e-12));
      const double square = m * g * (R - a) / (across + m * a * a);
      const double fall = std::sqrt(g / ((R + a) * (1 + along / (m * a * a))));
      const Complex sway = std::sqrt(Complex(-square));
      for (const Complex s : {sway, Complex(fall)}) {
        const auto found = linearization(problem, x, {.count = 1, .shift = s * Complex(1.02, 0.01)});
        CHECK(std::abs(found[0].eigenvalue - s) < 1e-9 * std::abs(s));
      }
    }
}

TEST_CASE("a hinged bar leans on a ball", "[contact][axis_place][statics]") {
  const double g = 9.81, m = 0.7, a = 0.05, R = 0.3, middle = 0.5;
  for (const unsigned number : {3U, 4U}) {
    CAPTURE(number);
    const Anywhere put(number);
    // the pivot is the origin, about y; the bar points along x where its guess is; the ball is below it
    const Vec3 ball(0.8, 0, -0.5);
    const Body bar{{.mass = m, .inertia = {0.003, 0.04, 0.04}, .gravity = put.turn.act(Vec3(0, 0, -g))}};
    const Axis axis{0, 0, {-middle, 0, 0}, {1, 0, 0}, 1.4};
    const Turn about_y = Turn::exp(Vec3(-M_PI / 2, 0, 0));
    const Assembly problem{bodies(std::vector{bar}),
                           constraints(std::vector{Hinge<double>{
                                           FrameMarker<double>::in_space(put({0, 0, 0}), put.turn * about_y),
                                           {0, 0, {-middle, 0, 0}, about_y}}},
                                       std::vector{contact::SlidingOnRod<double, Axis>{
                                           axis, FrameMarker<double>::in_space(put(ball)), a, R}})};
    const double distance = ball.norm(), from_pivot = std::sqrt(distance * distance - (a + R) * (a + R));
    const double down = std::atan2(0.5, 0.8) - std::asin((a + R) / distance);  // below the horizontal
    State<double> x;
    x.chains = {bar.at(put({middle * std::cos(0.1), 0, -middle * std::sin(0.1)}),
                       put.turn * Turn::exp(Vec3(0, 0.1, 0)))};
    x.z = Vec<double, 1>(0.8);
    const auto found = static_equilibrium(problem, x);
    CHECK(found.search.iterations <= 8 * found.search.load_steps);
    CHECK_THAT(x.z[0], WithinRel(from_pivot, 1e-10));
    const Vec3 along = put.turn.inverse().act(x[0].rotation(0).act(Vec3(1, 0, 0)));
    CHECK((along - Vec3(std::cos(down), 0, -std::sin(down))).norm() < 1e-10);
    CHECK_THAT(found.multipliers[5], WithinRel(m * g * middle * std::cos(down) / from_pivot, 1e-9));
    check_rest(problem, x);
  }
}

TEST_CASE("an elastic rod lies on an axis as it does on a cylinder that is fixed",
          "[contact][axis_place][statics]") {
  const double a = 0.005, b = 0.04;
  Rod::Parameters p;
  p.start = rod::Boundary<double>::clamped();
  p.loads.gravity = {0, 0, -1};
  const Rod rod = test::soft_rod<Rod>(a, 24, p);
  const Vec3 e = Vec3(0.2, 1, 0) / std::sqrt(1.04);
  const auto chain = rod.straight({-0.6, 0, a + b}, Turn::exp(Vec3(0, M_PI / 2, 0)));
  const contact::CurveMarker<double> first{0, rod, 0.1};
  const Assembly alone{
      bodies(std::vector{rod}),
      constraints(std::vector{contact::RollingOnCylinder<double>{first, a, {b, {0, 0, 0}, e}}})};
  State<double> y;
  y.chains = {chain};
  y.z = Vec<double, 1>(0.6);
  const auto expected = static_equilibrium(alone, y);
  // a body that is welded to space bears the axis, whose frame and offset are its own
  const Body cylinder{{.mass = 0.5, .inertia = {2e-3, 2e-3, 4e-4}}};
  const Turn turned = Turn::exp(Vec3(0.4, 0.5, -1));
  const Vec3 centre(0.1, -0.2, 0.3);
  const Axis axis{1, 0, turned.inverse().act(Vec3(-0.3 * e - centre)), turned.inverse().act(e), 0.6};
  const Assembly problem{
      bodies(std::vector{rod}, std::vector{cylinder}),
      constraints(std::vector{contact::RollingContact<double, contact::CubicSpline, Axis>{first, axis, a, b}},
                  std::vector{Weld<double>{FrameMarker<double>::in_space(centre, turned), {1}}})};
  State<double> x;
  x.chains = {chain, cylinder.at(centre, turned)};
  x.z = Vec<double, 2>(0.6, 0.3);
  const auto found = static_equilibrium(problem, x);
  REQUIRE(expected.multipliers[0] > 1e-3);
  CHECK_THAT(std::abs(found.multipliers[0]), WithinRel(expected.multipliers[0], 1e-9));
  CHECK_THAT(x.z[0], WithinRel(y.z[0], 1e-10));
  CHECK((x[0].configuration - y[0].configuration).matrix().norm() < 1e-9);
  check_rest(problem, x);
}

}  // namespace axis_place_rest_test
