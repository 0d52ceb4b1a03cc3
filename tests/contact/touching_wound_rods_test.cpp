// A rod that winds about another touches it along an arc, whichever of them is named first.

#include <algorithm>
#include <array>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace touching_wound_rods_test {

using namespace dalembert;
using V = Vec<double, 3>;

constexpr double a = 0.005;

/// A cord that is laid across a stiff post, its ends drawn down, after 30 ms.
struct Hung {
  double deepest = 0, middle = 0, pressed = 0;
  std::size_t contacts = 0;

  /// Radius and elements of the post, elements of the cord, in radii of the cord.
  Hung(double post_radius, double post_element, double element, bool cord_first) {
    const auto held = rod::Boundary<>::clamped();
    const double wide = std::max(12.0, 6 * post_radius);
    const rod::ElasticRod<> post(
        rod::CircularSection<>({.radius = post_radius * a, .young = 1e7, .density = 1100}),
        {.elements = static_cast<int>(wide / post_element),
         .length = wide * a,
         .start = held,
         .finish = held});
    const int half = static_cast<int>(12 / element);
    rod::ElasticRod<>::Parameters p{.elements = 2 * half, .length = 2 * half * element * a, .damping = {100}};
    p.loads.gravity = p.loads.start.force = p.loads.finish.force = V(0, 0, -2);
    const rod::ElasticRod<> cord(rod::CircularSection<>({.radius = a, .young = 1e6, .density = 1100}), p);
    std::vector rods{post, cord};
    std::vector chains{
        post.straight({0, -wide / 2 * a, 0}, {.direction = {0, 1, 0}}),
        cord.straight({-p.length / 2, 0.1 * a, (1.001 + post_radius) * a}, {.direction = {1, 0, 0}})};
    if (cord_first) {
      std::swap(rods[0], rods[1]);
      std::swap(chains[0], chains[1]);
    }
    const assembly::Assembly problem{assembly::bodies(rods), contact::Touching<>{.friction = 0.1}};
    auto x = problem.state(chains);
    auto stepper = Verlet{}.stepper(problem, x);
    const double h = std::min(2e-5, 0.5 / problem.wave_frequency_bound(x));
    bool converged = true;
    while (x.time < 0.03) {
      converged = stepper.step(problem, x, h).converged && converged;
      deepest = std::min(deepest, contact::smallest_gap(problem, x));
    }
    CHECK(converged);
    const auto touches = contact::touches(problem, x);
    contacts = touches.size();
    for (const auto& t : touches) pressed += t.pressure();
    middle = x[cord_first ? 0 : 1].position(half)[2];
  }
};

TEST_CASE("a cord hung over a post lies on it, whatever the elements and the order of the two",
          "[contact][touching]") {
  for (const auto& [post, post_element, element] : {std::array{2.0, 1.0, 1.0}, std::array{4.0, 1.8, 2.0}}) {
    CAPTURE(post, post_element, element);
    const Hung one(post, post_element, element, false), other(post, post_element, element, true);
    for (const Hung& hung : {one, other}) {
      CHECK(hung.deepest > -1e-13 * a);
      CHECK(hung.contacts > 1);
      CHECK(hung.middle > (1 + post) * a * 0.97);
      CHECK(hung.middle < (1 + post) * a * 1.01);
    }
    CHECK(std::abs(one.middle - other.middle) < 1e-3 * a);
    CHECK(std::abs(one.pressed - other.pressed) < 0.02 * one.pressed);
  }
}

}  // namespace touching_wound_rods_test
