// Contacts are where bodies are nearest to each other, not where a tangency holds as well: at the far side of a bend,
// on a saddle of the distance, or on a stretch of one rod that cannot come back to itself.

#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/frictionless_contact.hpp>
#include <dalembert/contact/line.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace nearest_places_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::contact;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using V = Vec<double, 3>;
using Column = Vec<double, Eigen::Dynamic>;
using Catch::Matchers::ContainsSubstring;

constexpr double a = 0.005, width = 0.05, bend = 0.2, beside = 0.05, half_turn = M_PI;

Rod rod(Rod::Parameters p = {}) {
  p.start = p.finish = rod::Boundary<double>::clamped();
  return test::soft_rod<Rod>(a, 80, p);
}
/// Unit speed along a circle about the origin from the angle −¾ on, in the plane of e and f.
rod::Chain<double> arc(const V& e, const V& f, const V& centre = {0, 0, 0}) {
  const Rod one = rod();
  rod::Chain<double> chain(one.nodes());
  for (Eigen::Index k = 0; k < one.nodes(); ++k) {
    const double angle = one.spacing() * static_cast<double>(k) / bend - 0.75;
    Mat<double, 3> axes;  // to the centre, across, along
    axes.col(0) = -std::cos(angle) * e - std::sin(angle) * f;
    axes.col(2) = -std::sin(angle) * e + std::cos(angle) * f;
    axes.col(1) = axes.col(2).cross(axes.col(0));
    chain.set_frame(k, SO3<double>::from_matrix(axes), centre - bend * axes.col(0));
  }
  return chain;
}
/// Through the point p along the third axis of space.
rod::Chain<double> upright(const V& p) { return rod().straight(p - V(0, 0, 0.5), SO3<double>::identity()); }
/// The arc length at an angle of the circle.
double at(double angle) { return bend * (angle + 0.75); }

const Body ball{{.mass = 0.1, .inertia = {1e-4, 1e-4, 1e-4}}};
const V near_side(beside, 0, 0);  // nearest to the circle at the angle 0, farthest from it at π

/// States of an arc whose distance from something has a minimum near `from` and another extremum at `far`.
template <class Bodies, class C>
void is_nearest(const Bodies& bodies, const C& contact, std::vector<rod::Chain<double>> chains,
                Column from = Column(1), Column far = Column(1)) {
  CAPTURE(C::name);
  const auto problem = std::apply(
      [&](const auto&... list) {
        return Assembly{assembly::bodies(list...), assembly::constraints(std::vector{contact})};
      },
      bodies);
  const auto x = problem.state(chains, from);
  CHECK(std::abs(x.z[0] - from[0]) < width);
  CHECK_THROWS_AS(problem.state(chains, far), ParallelRods);
  CHECK_THROWS_WITH(problem.state(chains, far), ContainsSubstring("not nearest"));
}
const auto rod_and_ball = std::pair{std::vector{rod()}, std::vector{ball}};
const auto two_rods = std::tuple{std::vector{rod(), rod()}};
Column ones(double s) { return Column{{s}}; }
Column twos(double s, double t) { return Column{{s, t}}; }

TEST_CASE("a contact at one place of a rod is where the rod is nearest", "[contact][ball_on_rod][cylinder]") {
  const std::vector<rod::Chain<double>> chains{arc(V::UnitX(), V::UnitY()), ball.at(near_side)};
  const CurveMarker<double> curve{0, rod(), width};
  const Column from = ones(at(0.1)), far = ones(at(half_turn + 0.1));
  is_nearest(rod_and_ball, RollingOnRod<double>{curve, {1}, a, 0.1, true}, chains, from, far);
  is_nearest(rod_and_ball, SlidingOnRod<double>{curve, {1, 0, {0, 0.01, 0}}, a, 0.1, true}, chains, from,
             far);
  is_nearest(rod_and_ball, Bead<double>{curve, {1}}, chains, from, far);
  is_nearest(rod_and_ball, with_friction(RollingOnRod<double>{curve, {1}, a, 0.1, true}, 0.1), chains, from,
             far);
  for (const V& axis : {V(0, 0, 1), V(0, 0, 0)}) {
    const Cylinder<double> cylinder{0.1, near_side, axis};
    is_nearest(rod_and_ball, RollingOnCylinder<double>{curve, a, cylinder, true}, chains, from, far);
    is_nearest(rod_and_ball, SlidingOnCylinder<double>{curve, a, cylinder, true}, chains, from, far);
  }
}

TEST_CASE("stations of a line are where the other rod is nearest", "[contact][line]") {
  const std::vector<rod::Chain<double>> chains{upright(near_side), arc(V::UnitX(), V::UnitY())};
  const CurveMarker<double> curve{1, rod(), width};
  const Column from = ones(at(0.1)), far = ones(at(half_turn + 0.1));
  is_nearest(two_rods, RollingStation<double>{{0, 40}, curve, a, a, true}, chains, from, far);
  is_nearest(two_rods, SlidingStation<double>{{0, 41}, curve, a, a, true}, chains, from, far);
}

TEST_CASE("crossings are no saddles and no maxima of the distance", "[contact][crossing]") {
  const CurveMarker<double> first{0, rod(), width}, second{1, rod(), width};
  const contact::RollingContact<double> rolling{first, second, a, a, true};
  const auto both = [&](const auto& chains, const Column& from, const Column& far) {
    is_nearest(two_rods, rolling, chains, from, far);
    is_nearest(two_rods, FrictionlessContact<double>::of(rolling), chains, from, far);
    is_nearest(two_rods, RollingOfRods<double>{first, second, a, a, true}, chains, from, far);
  };
  // an arc and a straight rod: on the far side the distance is a maximum along the arc, a minimum along the rod
  both(std::vector{arc(V::UnitX(), V::UnitY()), upright(near_side)}, twos(at(0.1), 0.51),
       twos(at(half_turn + 0.1), 0.51));
  // two arcs at right angles that turn their backs on each other, and the far sides of both
  both(std::vector{arc(V::UnitX(), V::UnitY()), arc(-V::UnitX(), V::UnitZ(), {0.5, 0, 0})},
       twos(at(0.05), at(0.05)), twos(at(half_turn + 0.05), at(half_turn + 0.05)));
}

TEST_CASE("a place of static equilibrium is where the rod is nearest", "[contact][statics]") {
  // an arc between clamped ends is in equilibrium; a sphere just touches it, on the inside or at the far side
  const std::vector<rod::Chain<double>> chains{arc(V::UnitX(), V::UnitY())};
  for (const double angle : {0.0, half_turn}) {
    CAPTURE(angle);
    auto rods = assembly::bodies(std::vector{rod()});
    const double distance = angle == 0 ? bend - beside : bend + beside;
    auto contacts = assembly::constraints(std::vector{
        SlidingOnCylinder<double>{{0, rod(), width}, a, {distance - a, near_side, {0, 0, 0}}, true}});
    State<double> x;
    x.chains = chains;
    x.z = ones(at(angle));
    const auto nothing_changes = [](double, auto&, auto&, auto&) {};
    if (angle == 0)
      CHECK_NOTHROW(static_equilibrium(rods, contacts, x, nothing_changes));
    else
      CHECK_THROWS_AS(static_equilibrium(rods, contacts, x, nothing_changes), ParallelRods);
  }
}

/// A straight leg, an arc and another leg, which crosses the first `above` it.
rod::Chain<double> eye(const Rod& one, double bent, double above) {
  rod::Chain<double> chain(one.nodes());
  const double leg = (one.length() - bent) / 2;
  V at(0, 0, 0);
  for (Eigen::Index k = 0; k < one.nodes(); ++k) {
    const auto part = [&](double s) { return std::clamp((s - leg) / bent, 0.0, 1.0); };
    const double s = one.spacing() * static_cast<double>(k), turn = 5 * part(s);
    Mat<double, 3> axes;
    axes << 0, -std::sin(turn), std::cos(turn), 0, std::cos(turn), std::sin(turn), 1, 0, 0;
    axes.col(1) = axes.col(2).cross(axes.col(0));
    chain.set_frame(k, SO3<double>::from_matrix(axes), at + V(0, 0, above * part(s)));
    const double middle = 5 * part(s + one.spacing() / 2);
    at += one.spacing() * V(std::cos(middle), std::sin(middle), 0);
  }
  return chain;
}

TEST_CASE("places of one rod are not nearer to each other than it could be bent",
          "[contact][crossing][line]") {
  const double thick = 0.02;
  const Rod one = test::soft_rod<Rod>(thick, 250);
  const CurveMarker<double> curve{0, one, 0.004};
  const auto refuses = [&](const auto& contact, const Column& near, const Column& away) {
    CAPTURE(contact.name);
    const Assembly problem{assembly::bodies(std::vector{one}), assembly::constraints(std::vector{contact})};
    CHECK_THROWS_AS(problem.state({eye(one, 0.04, 2 * thick)}, near), SelfContactTooNear);
    CHECK_NOTHROW(problem.state({eye(one, 0.09, 2 * thick)}, away));
    auto uneven = contact;
    uneven.radius2 = 2 * thick;
    const auto make = [&] {
      return Assembly{assembly::bodies(std::vector{one}), assembly::constraints(std::vector{uneven})};
    };
    CHECK_THROWS_WITH(make(), ContainsSubstring("second radius = 0.04"));
  };
  refuses(contact::RollingContact<double>{curve, curve, thick, thick, true}, twos(0.474, 0.526),
          twos(0.4415, 0.5585));
  refuses(FrictionlessContact<double>{curve, curve, thick, thick, true}, twos(0.474, 0.526),
          twos(0.4415, 0.5585));
  refuses(RollingStation<double>{{0, 118}, curve, thick, thick, true}, ones(0.527), ones(0.56));
  refuses(SlidingStation<double>{{0, 118}, curve, thick, thick, true}, ones(0.527), ones(0.56));
}

}  // namespace nearest_places_test
