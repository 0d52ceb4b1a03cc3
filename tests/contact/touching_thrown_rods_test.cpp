#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"
#include "support/random_rods.hpp"

namespace touching_thrown_rods_test {

using namespace dalembert;
using V = Vec<double, 3>;

/// The same numbers everywhere. Among these throws a contact slides onto further nodes while positions are put right.
struct Chance {
  std::uint32_t state;
  double operator()() {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8U) / 16777216;
  }
  V vector() {
    const double z = (*this)() - 0.5, y = (*this)() - 0.5, x = (*this)() - 0.5;
    return {x, y, z};
  }
};

TEST_CASE("a few rods thrown anyhow meet without getting into each other", "[contact][touching]") {
  int runs = 0, met = 0;
  for (std::uint32_t seed = 5600; seed < 5650; ++seed) {
    CAPTURE(seed);
    Chance chance{12345U + 7919U * seed};
    for (int i = 0; i < 5; ++i) (void)chance();
    const auto count = static_cast<std::size_t>(2 + 5 * chance());
    const double a = 0.005, length = 0.02 + 0.1 * chance();
    const int elements = 6 + static_cast<int>(10 * chance());
    const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
    const rod::ElasticRod<> rod(
        rubber, {.elements = elements, .length = length, .loads = {.gravity = {0, 0, -9.81}}});
    std::vector<rod::Chain<>> chains;
    for (std::size_t i = 0; i < count; ++i) {
      const V along = chance.vector().normalized();
      const double height = 0.08 + 0.05 * chance() * static_cast<double>(i);
      const double y = 0.06 * (chance() - 0.5), x = 0.06 * (chance() - 0.5);
      chains.push_back(rod.straight(V(V(x, y, height) - 0.5 * length * along), {.direction = along}));
    }
    const double kind = chance(), more = kind < 0.2 ? 0 : chance(),
                 inf = std::numeric_limits<double>::infinity();
    const double friction = kind < 0.2 ? 0 : more < 0.1 ? inf : chance();
    const double restitution = chance() < 0.5 ? 0 : chance();
    const assembly::Assembly problem{
        assembly::bodies(std::vector(count, rod)),
        contact::Touching<>{
            .friction = friction, .restitution = restitution, .planes = {contact::Plane<>{}}}};
    assembly::State<> state;
    try {
      state = problem.state(chains);
    } catch (const BodiesOverlap&) {
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const V v = 2 * chance.vector(), w = 20 * chance.vector();
      for (Eigen::Index k = 0; k <= elements; ++k) {
        const V out = state[i].position(k) - state[i].position(elements / 2);
        state[i].set_velocity(k, V(v + w.cross(out)), state[i].rotation(k).inverse().act(w));
      }
    }
    ++runs;
    const double start = std::min(0.0, contact::smallest_gap(problem, state));
    const double h = 1.4 / problem.wave_frequency_bound(state);
    auto stepper = Verlet{}.stepper(problem, state);
    double deepest = 0;
    bool touched = false;
    for (int i = 0; i < 600; ++i) {
      const auto report = stepper.step(problem, state, h);
      REQUIRE(report.converged);
      touched = touched || report.works.impact + report.works.correction != 0;
      if (i % 10 == 0) deepest = std::min(deepest, contact::smallest_gap(problem, state));
    }
    met += touched;
    CHECK(deepest >= start - 1e-13);
  }
  CHECK(runs > 20);
  CHECK(met > 10);
}

// In some of these an end springs back onto a plane within a step, in others the nearest point of a rod is sought from farther
// off than the rods are apart, or contacts are so parallel, or so close, that whole steps of Newton's method alternate.
TEST_CASE("rods thrown across and beside each other do not get into each other", "[contact][touching]") {
  int met = 0;
  for (const std::uint64_t seed :
       {459u,  862u,  1034u, 1104u, 1161u, 1232u,  1902u,  2333u,  2974u, 3010u, 3070u,
        3764u, 3783u, 3801u, 4400u, 4460u, 4812u,  4905u,  4957u,  6348u, 6479u, 6658u,
        7079u, 7484u, 8250u, 8909u, 9327u, 10204u, 10737u, 11025u, 12471u}) {
    CAPTURE(seed);
    test::RandomRods rods(seed);
    std::string fault;
    CHECK_NOTHROW(fault = rods.fault(300));
    CHECK(fault.empty());
    CHECK(rods.deepest > -1e-10);
    met += rods.met;
  }
  CHECK(met == 31);
}

// Two of these lie beside each other, a third of a radius too close: cells along them turn up as contacts one
// after the other.
TEST_CASE("rods that begin deep in each other are let out without a kick", "[contact][touching]") {
  test::RandomRods rods(std::uint64_t{59580} << 32u | std::uint64_t{10137} << 16u | std::uint64_t{37975});
  CHECK(rods.fault(60).empty());
  CHECK(rods.given < 0.05);
  CHECK(rods.corrected < 1e-3);
}

// Nearly side by side, the nearest places run along rods by more than they are long in a step. In the first two the
// impulses of a step's beginning gave twice the kinetic energy when they went by that; in the third whole steps of Newton's
// method alternate until half ones have come near; in the last a contact is in either of two cells while it is put right.
TEST_CASE("rods nearly side by side get no energy from where their contacts run to", "[contact][touching]") {
  const auto thrown = [](std::uint64_t draw) { return test::RandomRods(draw * 2654435761U + 12345U); };
  for (const std::uint64_t draw : {17210U, 22289U, 6980U, 197156U}) {
    CAPTURE(draw);
    test::RandomRods rods = thrown(draw);
    std::string fault;
    CHECK_NOTHROW(fault = rods.fault(60));
    CHECK(fault.empty());
    CHECK(rods.met);
    CHECK(rods.given < 0);
    CHECK(rods.deepest > -1e-10);
    CHECK(rods.corrected < 1e-3);
  }
}

// The first rod is at rest until the third hits it, and is then faster than what the second was searched for; while it
// vibrates between them, the place where it is nearest splits in two. Some are bent so tightly about another that cells go
// over to them from one step to the next, and gaps are then told by other places.
TEST_CASE("a rod that is struck does not get into the next one within the step", "[contact][touching]") {
  const double a = 0.005, length = 0.1, h = 1e-6;
  const int elements = 12;
  const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = elements, .length = length});
  const V x(1, 0, 0), y(0, 1, 0);
  const auto laid = [&](double z, const V& along) {
    return rod.straight(V(V(0, 0, z) - 0.5 * length * along), {.direction = along});
  };
  for (const double part : {0.2, 0.45, 0.9})
    for (const double above : {0.0, 0.3})
      for (const double below : {0.06, 0.1, 0.2}) {
        CAPTURE(part, above, below);
        const assembly::Assembly problem{assembly::bodies(std::vector(3, rod)), contact::Touching<>{}};
        auto state = problem.state({laid(0, x), laid(-(2 + below) * a, y), laid((2 + above) * a, y)});
        for (Eigen::Index k = 0; k <= elements; ++k)
          state[2].set_velocity(k, {0, 0, -part * a / h}, {0, 0, 0});
        auto stepper = Verlet{}.stepper(problem, state);
        double deepest = 0;
        for (int i = 0; i < 8; ++i) {
          REQUIRE(stepper.step(problem, state, h).converged);
          deepest = std::min(deepest, contact::smallest_gap(problem, state));
        }
        CHECK(deepest > (part < 0.3 ? -1e-12 : -1e-5) * a);
      }
}

}  // namespace touching_thrown_rods_test
