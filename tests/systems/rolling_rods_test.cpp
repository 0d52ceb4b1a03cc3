#include <dalembert/systems/rolling_rods.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/contact/contact_evaluation.hpp>

#include "support/catch.hpp"

namespace rolling_rods_test {

using namespace dalembert;
using namespace dalembert::systems;
using Parameters = RollingRodsParameters<double>;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("Placed, the rods are straight, stretched and touch", "[rolling_rods]") {
  const Parameters p;
  const auto rods = rolling_rods(p);
  const auto chains = rolling_rods_placement(p, rods);
  const V d2(std::cos(p.crossing_angle), std::sin(p.crossing_angle), 0);
  REQUIRE((chains[0].position(45) - V(0, 0, -0.005)).norm() < 1e-15);
  REQUIRE((chains[1].position(55) - V(0, 0, 0.005)).norm() < 1e-15);
  REQUIRE((chains[0].position(100) - V(0.55 * 1.25, 0, -0.005)).norm() < 1e-15);
  REQUIRE((chains[1].position(0) - (V(0, 0, 0.005) - 0.55 * 1.25 * d2)).norm() < 1e-15);
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE((chains[i].rotation(7).act(V::UnitX()) - V::UnitZ()).norm() < 1e-15);
    REQUIRE((chains[i].rotation(7).act(V::UnitZ()) - p.directions()[i]).norm() < 1e-15);
    REQUIRE((rods[i].strain(chains[i], 31).stretch - V(0, 0, 1.25)).norm() < 1e-13);
  }
}

TEST_CASE("The static start of the defaults has the known contact", "[rolling_rods]") {
  const auto start = static_start(Parameters{});
  const auto& e = start.equilibrium;
  REQUIRE_THAT(start.state.z[0], WithinAbs(0.4510941, 5e-8));
  REQUIRE_THAT(start.state.z[1], WithinAbs(0.5489059, 5e-8));
  REQUIRE_THAT(e.energy, WithinRel(5.32975335, 1e-9));
  REQUIRE_THAT(start.normal_force(), WithinAbs(5.346133, 5e-7));
  REQUIRE(e.search.iterations <= 20);
  REQUIRE((start.state[0].position(0) - V(-0.45 * 1.25, 0, 0.075)).norm() < 1e-15);
  REQUIRE((start.state[0].position(100) - V(0.55 * 1.25, 0, 0.075)).norm() < 1e-15);
  REQUIRE_THAT(start.state[1].position(0)[2], WithinAbs(-0.075, 1e-15));
  REQUIRE(start.state[0].velocity.abs().maxCoeff() == 0.0);
}

TEST_CASE("Struck, the defaults have the known kinetic energy and contact force, and roll",
          "[rolling_rods]") {
  const Parameters p;
  const auto start = static_start(p);
  const auto problem = start.problem();
  auto state = start.state;
  set_initial_velocity(problem, state, p);
  REQUIRE_THAT(problem.kinetic_energy(state), WithinRel(0.291307415, 2e-9));
  REQUIRE_THAT(problem.energy(state), WithinRel(0.291307415 + 5.32975335, 1e-9));
  REQUIRE(problem.constraint(state).velocity < 1e-13);
  REQUIRE(problem.constraint(state).position < 1e-15);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  REQUIRE_THAT(contact::evaluate(start.crossing, state, rates.lambda).components[0], WithinAbs(5.5454, 5e-5));

  // a second time it is the same: nothing of the first is left
  const auto velocity = state[1].velocity;
  set_initial_velocity(problem, state, p);
  REQUIRE((state[1].velocity - velocity).abs().maxCoeff() < 1e-13);
  for (const auto& chain : state.chains) {
    REQUIRE(chain.velocity.row(0).abs().maxCoeff() == 0.0);
    REQUIRE(chain.velocity.row(100).abs().maxCoeff() == 0.0);
  }
}

TEST_CASE("The bumps are where they shall be, with sections normal to the rods", "[rolling_rods]") {
  Parameters p;
  p.roll = 0.0;
  const auto start = static_start(p);
  const auto problem = start.problem();
  auto state = start.state;
  set_initial_velocity(problem, state, p);
  // away from the contact the projection changes nothing
  REQUIRE((state[0].linear_velocity(20) - V(0, 3.2, 2.4)).norm() < 1e-12);
  const double c = std::cos(static_cast<double>(pi) / 2 * 0.04 / 0.17);
  REQUIRE((state[0].linear_velocity(24) - std::pow(c, 4) * V(0, 3.2, 2.4)).norm() < 1e-12);
  REQUIRE(state[0].linear_velocity(3).norm() == 0.0);
  REQUIRE(state[1].linear_velocity(20).norm() == 0.0);
  // the spin follows the slope of the velocity
  const V slope = (state[0].linear_velocity(25) - state[0].linear_velocity(23)) / (0.02 * 1.25);
  const SO3<double> frame = start.state[0].rotation(24);
  const V turning = frame.act(state[0].angular_velocity(24)).cross(frame.act(V::UnitZ()));
  const V e3 = frame.act(V::UnitZ());
  REQUIRE((turning - (slope - e3 * e3.dot(slope))).norm() < 0.02 * slope.norm());
}

TEST_CASE("Before the projection the roll has no slip along its velocity", "[rolling_rods]") {
  Parameters p;
  p.strike = 0.0;
  const auto start = static_start(p);
  const auto problem = start.problem();
  auto state = start.state;
  set_initial_velocity(problem, state, p);
  // so the projection takes little: the sections at the contact move with the bump and twist to roll
  const V along = V(std::sin(p.crossing_angle), -std::cos(p.crossing_angle), 0);
  const V v = state[1].linear_velocity(55);
  REQUIRE_THAT(v.dot(along), WithinAbs(4.0, 0.1));
  REQUIRE(std::abs(state[1].angular_velocity(55)[2]) > 0.9 * 4.0 / 0.005);
  REQUIRE(state[0].linear_velocity(45).norm() < 0.3);
}

/// The velocities of rod 2 of one pair with different strikes and rolls.
struct Struck {
  Parameters base{.elements = 50, .kernel_width = 0.02};
  RollingRodsStart<double, contact::CubicSpline> start = static_start(base);

  rod::Columns<double, 6> operator()(const Parameters& p) const {
    const auto problem = start.problem();
    auto state = start.state;
    set_initial_velocity(problem, state, p);
    return state[1].velocity;
  }
  /// The largest twist beside the contact, where the projection changes nothing.
  double twist(const Parameters& p) const {
    const rod::Columns<double, 6> v = (*this)(p);
    return std::max(v.col(5).head(24).abs().maxCoeff(), v.col(5).segment(32, 19).abs().maxCoeff());
  }
};

TEST_CASE("A strike on the contact twists no more than the contact itself", "[rolling_rods]") {
  const Struck struck;
  Parameters p = struck.base;
  p.strike_centre = 0.45;
  p.roll = 0.0;
  REQUIRE(struck(p).middleRows(24, 8).abs().maxCoeff() > 10);
  REQUIRE(struck.twist(p) == 0.0);
  // the twist with which rod 2 rolls is that on a rod 1 at rest
  p.roll = 4.0;
  const double twist = struck.twist(p);
  REQUIRE(twist > 500);
  p.strike = 0.0;
  REQUIRE(struck.twist(p) == twist);
}

TEST_CASE("A roll that barely reaches the contact twists its rod twice as fast as it rolls, at most",
          "[rolling_rods]") {
  const Struck struck;
  Parameters p = struck.base;
  p.strike = 0.0;
  const double bound = 2 * p.roll / p.radius;
  double fastest = 0;
  int twisted = 0;
  for (int side : {-1, 1})
    for (int node = 24; node <= 32; ++node)
      for (double overlap : {1e-1, 1e-2, 1e-4, 1e-7, 1e-10, 1e-13}) {
        p.roll_centre = 0.02 * node + side * p.roll_width * (1 - overlap);
        const double twist = struck.twist(p);
        CAPTURE(side, node, overlap);
        CHECK(twist <= bound);
        fastest = std::max(fastest, twist);
        if (twist > 1e-9) ++twisted;
      }
  CHECK(twisted > 50);
  CHECK(fastest > 0.9 * bound);
}

/// What the pair starts with.
struct Start {
  Vec<double, 2> s;
  double kinetic_energy, normal_force;  // at the first instant of the motion
};

/// With another kernel, or from the statics of the crossing with another form of the contact.
template <class Contact>
Start struck(const Parameters& p, Contact contact, const assembly::State<double>& at_rest,
             const std::vector<rod::ElasticRod<double>>& rods) {
  const assembly::Assembly problem{assembly::bodies(rods), assembly::constraints(std::vector{contact})};
  auto state = at_rest;
  problem.solve_tangencies(state);
  set_initial_velocity(problem, state, p);
  REQUIRE(problem.constraint(state).velocity < 1e-12);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  return {state.z, problem.kinetic_energy(state),
          contact::evaluate(contact, state, rates.lambda).components[0]};
}

TEST_CASE("The pair starts with every kind of contact", "[rolling_rods]") {
  using namespace dalembert::contact;
  const Parameters p;
  const auto starts = [](const Start& start, const Start& known) {
    CHECK((start.s - known.s).norm() < 1e-10);
    CHECK_THAT(start.kinetic_energy, WithinRel(known.kinetic_energy, 1e-9));
    CHECK_THAT(start.normal_force, WithinRel(known.normal_force, 1e-8));
  };
  const auto quintic = static_start<double, QuinticSpline>(p);
  CHECK_THAT(quintic.normal_force(), WithinRel(5.36315914422, 1e-9));
  CHECK_THAT(quintic.equilibrium.energy, WithinRel(5.33108029947, 1e-10));
  starts(struck(p, quintic.crossing, quintic.state, quintic.rods),
         {{0.45120477632121, 0.54879522367879}, 0.29135206957, 5.54376674019});

  const auto start = static_start(p);
  const auto& c = start.crossing;
  starts(struck(p, RollingOfRods<double, CubicSpline, BodyAveraging>{c.first, c.second, c.radius1, c.radius2},
                start.state, start.rods),
         {{0.45109405983062, 0.54890594016938}, 0.291299747322, 3.2069107614});
  starts(struck(p,
                RollingOfRods<double, CubicSpline, SpatialAveraging, MaterialTangency>{c.first, c.second,
                                                                                       c.radius1, c.radius2},
                start.state, start.rods),
         {{0.45107548236791, 0.54892451763209}, 0.291308472773, 5.46921980571});
}

TEST_CASE("Other pairs: angles, stretches, hooks, stiff rods", "[rolling_rods]") {
  const auto force = [](const Parameters& p) { return static_start(p).normal_force(); };
  Parameters p;
  for (const double angle : {45.0, 60.0, 90.0, -75.0, 105.0}) {
    p.crossing_angle = angle * static_cast<double>(pi) / 180;
    REQUIRE_THAT(force(p), WithinAbs(5.346, 0.002));
  }
  p = {};
  p.hook = 0.3;
  REQUIRE_THAT(force(p), WithinRel(26.9, 1e-3));
  p = {};
  p.pre_stretch = 0.0;
  REQUIRE_THAT(force(p), WithinRel(0.3683, 1e-3));
  p = {};  // steel wires of 10 mm
  p.young = 2e11;
  p.poisson = 0.3;
  p.pre_stretch = 0.001;
  p.hook = 0.01;
  REQUIRE_THAT(force(p), WithinRel(1094.91, 1e-5));
  p = {};
  p.hook = -0.02;
  REQUIRE_THROWS_AS(static_start(p), ContactOpened);
}

TEST_CASE("A parameter out of its range is refused by name", "[rolling_rods]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const auto refuses = [](auto member, auto value, const char* name) {
    Parameters p;
    p.*member = value;
    CAPTURE(name, value);
    REQUIRE_THROWS_AS(p.check(), std::invalid_argument);
    REQUIRE_THROWS_WITH(p.check(), ContainsSubstring("RollingRodsParameters") && ContainsSubstring(name));
    REQUIRE_THROWS_AS(static_start(p), std::invalid_argument);
  };
  refuses(&Parameters::elements, 1, "elements");
  refuses(&Parameters::elements, 1'000'001, "at most 1000000: each chain of so many takes 104000208 bytes");
  for (const double bad : {0.0, -1.0, nan, infinite}) {
    refuses(&Parameters::length, bad, "length");
    refuses(&Parameters::radius, bad, "radius");
    refuses(&Parameters::young, bad, "young");
    refuses(&Parameters::density, bad, "density");
    refuses(&Parameters::shear_factor, bad, "shear_factor");
    refuses(&Parameters::kernel_width, bad, "kernel_width");
    refuses(&Parameters::strike_width, bad, "strike_width");
    refuses(&Parameters::roll_width, bad, "roll_width");
  }
  for (const double bad : {-1.0, 0.51, nan}) refuses(&Parameters::poisson, bad, "poisson");
  for (const double bad : {-1.0, nan, infinite}) refuses(&Parameters::pre_stretch, bad, "pre_stretch");
  for (const double bad : {0.0, static_cast<double>(pi), -2 * static_cast<double>(pi), nan, infinite})
    refuses(&Parameters::crossing_angle, bad, "crossing_angle");
  for (const double bad : {nan, -infinite}) {
    refuses(&Parameters::hook, bad, "hook");
    refuses(&Parameters::strike, bad, "strike");
    refuses(&Parameters::roll, bad, "roll");
    refuses(&Parameters::strike_centre, bad, "strike_centre");
    refuses(&Parameters::roll_centre, bad, "roll_centre");
  }
  for (const double bad : {-0.1, nan, infinite}) refuses(&Parameters::damping, bad, "damping");
  for (const double bad : {0.0, 1.0, nan})
    refuses(&Parameters::crossing, std::array<double, 2>{bad, 0.5}, "crossing");
  for (const double bad : {0.5, 1.0, 3.0}) refuses(&Parameters::radius, bad, "longer than thick");
  Parameters p{.length = 2, .pre_stretch = std::numeric_limits<double>::max()};
  REQUIRE_THROWS_WITH(p.check(), ContainsSubstring("pre_stretch"));
  p = {};
  p.kernel_width = 0.3;
  REQUIRE_THROWS_AS(static_start(p), std::invalid_argument);
  p = {.poisson = 0.6};
  REQUIRE_THROWS_WITH(p.check(), ContainsSubstring("poisson = 0.6, but"));
}

TEST_CASE("Rods and their velocities are finite, whatever they are made from", "[rolling_rods]") {
  const double huge = std::numeric_limits<double>::max();
  const Struck struck;
  int made = 0, struck_well = 0;
  for (const auto member :
       {&Parameters::length, &Parameters::radius, &Parameters::young, &Parameters::poisson,
        &Parameters::density, &Parameters::shear_factor, &Parameters::pre_stretch,
        &Parameters::crossing_angle, &Parameters::hook, &Parameters::kernel_width, &Parameters::strike,
        &Parameters::strike_centre, &Parameters::strike_width, &Parameters::roll, &Parameters::roll_centre,
        &Parameters::roll_width, &Parameters::damping})
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, -huge, -1e300, -1.0, -0.0, 0.0, 5e-324,
                               1e-300, 1e-160, 1e160, 1e300, huge}) {
      Parameters p = struck.base;
      p.*member = value;
      CAPTURE(value);
      try {
        const auto rods = rolling_rods(p);
        for (const auto& chain : rolling_rods_placement(p, rods)) CHECK(chain.finite());
        CHECK(std::isfinite(value));
        ++made;
        const bool finite = struck(p).topRows(51).isFinite().all();
        CHECK(finite);
        ++struck_well;
      } catch (const std::invalid_argument&) {
      }
    }
  CHECK(made > 60);
  CHECK(struck_well > 40);
}

}  // namespace rolling_rods_test
