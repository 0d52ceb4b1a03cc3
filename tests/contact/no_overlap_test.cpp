#include <dalembert/contact/no_overlap.hpp>

#include <cmath>
#include <exception>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/varying_rod.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace no_overlap_test {

using namespace dalembert;
using assembly::bodies;
using assembly::constraints;
using Rod = rod::ElasticRod<double>;
using Body = assembly::RigidBody<double>;
using RollingContact = contact::RollingContact<double>;
using OnRod = contact::RollingOnRod<double>;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

const SO3<double> along_x = SO3<double>::exp(V(0, M_PI / 2, 0)),
                  along_y = SO3<double>::exp(V(-M_PI / 2, 0, 0));

/// A rod along x and one along y that lies on it; a third one along y, 20 mm above the first, that falls on it at 1 m/s, and no contact of
/// which anyone has thought.
struct Falling {
  static constexpr double a = 0.005, step = 1e-4;
  Rod rod = test::soft_rod<Rod>(a, 20);
  assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<RollingContact>> problem{
      bodies(std::vector{rod, rod, rod}),
      constraints(std::vector{RollingContact{{0, rod, 0.05}, {1, rod, 0.05}, a, a, true}})};
  assembly::State<double> state;

  explicit Falling(double height = 0.02) {
    std::vector<rod::Chain<double>> chains{rod.straight({-0.5, 0, 0}, along_x),
                                           rod.straight({-0.2, -0.5, 2 * a}, along_y),
                                           rod.straight({0.2, -0.5, 2 * a + height}, along_y)};
    for (Eigen::Index k = 0; k < 21; ++k) chains[2].set_velocity(k, {0, 0, -1}, {0, 0, 0});
    Vec<double, Eigen::Dynamic> s(2);
    s << 0.3, 0.5;
    state = problem.state(chains, s);
  }
};
using Problem = decltype(Falling::problem);

/// Drives until something overlaps; the times that were shown.
template <class Method>
std::vector<double> run_into_overlap(const Method& method, Falling& falling,
                                     const DriveOptions<Problem>& options, double& found) {
  std::vector<double> seen;
  try {
    drive(method, falling.problem, falling.state, options,
          [&](const Problem&, const auto& at) { seen.push_back(at.time); });
    FAIL("no error");
  } catch (const IntegrationFailureWith<assembly::State<double>>& failure) {
    CHECK_THAT(failure.what(), ContainsSubstring("body 0 at s = 0.7 m and body 2 at s = 0.5"));
    CHECK(failure.last().time == falling.state.time);
    try {
      std::rethrow_if_nested(failure);
      FAIL("nothing inside");
    } catch (const BodiesOverlap& overlap) {
      CHECK(overlap.bodies() == std::array<std::size_t, 2>{0, 2});
      found = overlap.time();
    }
  }
  return seen;
}

TEST_CASE("rods that overlap at the start end a run before it begins", "[contact]") {
  Falling falling(-1e-3);
  double found = -1;
  const auto seen = run_into_overlap(
      Verlet{}, falling,
      {.step = Falling::step, .until = 0.01, .checks = {contact::no_overlap(falling.problem)}}, found);
  CHECK(found == 0);
  CHECK(falling.state.time == 0);
  CHECK(seen.empty());
}

TEST_CASE("rods that come to overlap in a run end it with what was computed kept", "[contact]") {
  const auto check = [](const auto& method, long every, double expected) {
    Falling falling(0.02 + Falling::step / 2);
    double found = -1;
    const auto seen = run_into_overlap(method, falling,
                                       {.step = Falling::step,
                                        .until = 0.05,
                                        .output_interval = 10 * Falling::step,
                                        .checks = {contact::no_overlap(falling.problem)},
                                        .check_every = every},
                                       found);
    // they touch in the middle of the step after 20 ms, and are a tenth of their radius deep in that after 20.5 ms
    CHECK(found == Approx(expected));
    CHECK(falling.state.time == Approx(expected - Falling::step));
    REQUIRE(!seen.empty());
    CHECK(seen.back() == Approx(10 * Falling::step * std::ceil(expected / (10 * Falling::step) - 1 - 1e-9)));
    CHECK(falling.state[2].position(0)[2] ==
          Approx(2 * Falling::a + 0.02 + Falling::step / 2 - falling.state.time));
  };
  check(Verlet{}, 100, 0.03);
  check(Verlet{}, 7, 0.021);
  check(RungeKutta4{}, 1, 0.0206);
}

TEST_CASE("rods that overlap at the end are found although no check is due", "[contact]") {
  Falling falling;
  double found = -1;
  run_into_overlap(Verlet{}, falling,
                   {.step = Falling::step,
                    .until = 0.0215,
                    .checks = {contact::no_overlap(falling.problem)},
                    .check_every = 1000},
                   found);
  CHECK(found == Approx(0.0215));
  Falling again;
  const auto report = drive(Verlet{}, again.problem, again.state,
                            {.step = Falling::step,
                             .until = 0.0215,
                             .checks = {contact::no_overlap(again.problem, {.tolerance = 0.002})},
                             .check_every = 1});
  CHECK(report.steps == 215);
}

TEST_CASE("surfaces are known from contacts, and else from the inertia of a rod", "[contact]") {
  const rod::CircularSection<double> section({.radius = 0.007, .young = 1e6, .poisson = 0.4, .density = 900});
  Rod::Parameters p;
  p.elements = 20;
  p.length = 1;
  p.inertia = section.inertia();
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  p.elements = 4;
  const Rod coarse(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  const Body ball{{.mass = 0.1, .inertia = {1e-4, 1e-4, 1e-4}}};
  const assembly::Assembly problem{
      bodies(std::vector{rod, rod, rod, coarse}, std::vector{ball, ball, ball}),
      constraints(std::vector{RollingContact{{0, rod, 0.1}, {1, rod, 0.05}, 0.002, 0.003}},
                  std::vector{OnRod{{1, rod, 0.05}, {4}, 0.003, 0.02},
                              OnRod{{1, rod, 0.05}, {5, 0, {0, 0, 0.1}}, 0.003, 0.02}})};
  const auto tubes = contact::surfaces(problem);
  REQUIRE(tubes.size() == 5);
  const std::vector<double> radii{0.002, 0.003, 0.007, 0.007, 0.02};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(tubes[i].body == i);
    CHECK(tubes[i].radius == Approx(radii[i]));
  }
  CHECK(tubes[0].average->kernel_width() == Approx(0.1));
  CHECK(tubes[2].average->kernel_width() == Approx(0.05));
  CHECK_FALSE(tubes[3].average);  // too few elements for an average: its chords
  CHECK(tubes[4].nodes == 1);
  const auto given = contact::surfaces(problem, std::vector<double>{0, 0.004, 0, 0, 0, 0, 0.03});
  REQUIRE(given.size() == 6);
  CHECK(given[1].radius == 0.004);
  CHECK(given[5].body == 6);
  CHECK_THROWS_WITH(contact::surfaces(problem, std::vector<double>(6)),
                    ContainsSubstring("NoOverlapOptions: radii = 6, but"));
  CHECK_THROWS_WITH(contact::surfaces(problem, std::vector<double>(7, -1)),
                    ContainsSubstring("radius 0 = -1, but"));
}

TEST_CASE("what is touched along an axis, or beside its node, is no ball", "[contact]") {
  const Body body{{.mass = 0.1, .inertia = {1e-4, 1e-4, 1e-4}}};
  const auto touched = [&](const auto& place) {
    std::vector<contact::detail::Surface<double>> surfaces(1);
    contact::detail::note_surface(surfaces, place, 0.02);
    CHECK(surfaces[0].radius == 0.02);
    return contact::detail::tube_of(0, body, surfaces[0], 0.0);
  };
  CHECK(touched(assembly::FrameMarker<double>{0})->radius == 0.02);
  CHECK_FALSE(touched(assembly::FrameMarker<double>{0, 0, {0, 0, 0.1}}));
  CHECK_FALSE(touched(contact::AxisMarker<double>{.body = 0, .length = 0.5}));
}

TEST_CASE("the surface of a rod that varies is as thick as its thickest element", "[contact]") {
  const auto tapered = rod::varying<rod::VaryingRod<double>>(
      {.elements = 10, .length = 1.0}, [](double s) { return test::soft_section<double>(0.012 - 0.01 * s); });
  const auto tubes = contact::surfaces(assembly::Assembly{bodies(std::vector{tapered})});
  REQUIRE(tubes.size() == 1);
  CHECK(tubes[0].radius == Approx(0.0115));
}

TEST_CASE("bodies of which nothing is known are left alone", "[contact]") {
  const Body ball{{.mass = 0.1, .inertia = {1e-4, 1e-4, 1e-4}}};
  const assembly::Assembly problem{bodies(std::vector{ball, ball})};
  const auto x = problem.state({ball.at({0, 0, 0}), ball.at({0.01, 0, 0})});
  CHECK(contact::surfaces(problem).empty());
  CHECK_NOTHROW(contact::no_overlap(problem)(problem, x));
  CHECK_NOTHROW(contact::no_overlap(problem, {.radii = {0.004, 0.005}})(problem, x));
  CHECK_THROWS_AS(contact::no_overlap(problem, {.radii = {0.006, 0.006}})(problem, x), BodiesOverlap);
  CHECK_NOTHROW(contact::no_overlap(problem, {.radii = {0.006, 0.006}, .tolerance = 0.003})(problem, x));
  CHECK_NOTHROW(contact::no_overlap(problem, {.radii = {0.006, 0.006}, .left_out = {{1, 0}}})(problem, x));
}

TEST_CASE("checks that never happen are refused", "[contact]") {
  Falling falling;
  const auto run = [&](const DriveOptions<Problem>& options) {
    drive(Verlet{}, falling.problem, falling.state, options);
  };
  CHECK_THROWS_WITH(run({.step = 1e-4, .until = 0.1, .check_every = 0}),
                    ContainsSubstring("DriveOptions: check_every = 0"));
  CHECK_THROWS_WITH(run({.step = 1e-4, .until = 0.1, .checks = {{}}}), ContainsSubstring("checks = empty"));
}

}  // namespace no_overlap_test
