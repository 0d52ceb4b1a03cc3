// Rods stacked crosswise in layers: at rest each layer bears the weight of those above it, every crossing its
// share, and the plane all of it. They cross where a rod that is held up at two places does not slope there: on a
// slope those above would roll.

#include <cmath>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace woodpile_test {

using namespace dalembert;
using namespace dalembert::assembly;
using V = Vec<double, 3>;

constexpr double a = 0.005, length = 0.16, g = 9.81;

struct Woodpile {
  std::size_t layers, rods;

  static rod::ElasticRod<> rod(double damping) {
    return rod::ElasticRod<>(
        rod::CircularSection({.radius = a, .young = 1e6, .density = 1100}),
        {.elements = 16, .length = length, .loads = {.gravity = {0, 0, -g}}, .damping = {damping}});
  }
  auto problem() const {
    contact::Touching<> what;
    what.friction = 0.4;
    what.planes.push_back(contact::Plane<>{});
    return Assembly{bodies(std::vector(layers * rods, rod(50))), what};
  }
  /// Laid, not pressed yet.
  std::vector<Chain<>> laid() const {
    std::vector<Chain<>> chains;
    for (std::size_t layer = 0; layer < layers; ++layer)
      for (std::size_t i = 0; i < rods; ++i) {
        const double along = static_cast<double>(i) / static_cast<double>(rods - 1);
        const double beside = length * (0.2235 + 0.553 * along), z = a * (1 + 2 * static_cast<double>(layer));
        const bool even = layer % 2 == 0;
        chains.push_back(even ? rod(0).straight({0, beside, z}, {.direction = V(1, 0, 0)})
                              : rod(0).straight({beside, 0, z}, {.direction = V(0, 1, 0)}));
      }
    return chains;
  }
  static double weight() { return rod(0).node_mass() * 16 * g; }
};

TEST_CASE("in a woodpile at rest every layer bears the weight of those above", "[validation][contact]") {
  const Woodpile pile{.layers = 3, .rods = 2};
  const auto problem = pile.problem();
  auto state = problem.state(pile.laid());
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 0.6, .output_interval = 0.6});
  std::vector<double> borne(pile.layers, 0.0);
  std::size_t crossings = 0, worst_crossing = 0;
  double uneven = 0, deepest = 0, slip = 0;
  for (const auto& t : contact::touches(problem, state)) {
    deepest = std::max(deepest, -t.gap);
    slip = std::max(slip, t.slip.norm());
    if (t.other.kind != contact::TouchingSurface::Kind::body) {
      borne[0] += t.force[2];
      continue;
    }
    const std::size_t layer = std::max(t.body, t.other.number) / pile.rods;
    borne[layer] += std::abs(t.force[2]);
    ++crossings;
    const double share = Woodpile::weight() * static_cast<double>(pile.layers - layer) / 2;
    if (std::abs(std::abs(t.force[2]) / share - 1) > uneven) worst_crossing = layer;
    uneven = std::max(uneven, std::abs(std::abs(t.force[2]) / share - 1));
  }
  CAPTURE(uneven, worst_crossing, deepest, slip, borne[0], borne[1], borne[2]);
  CHECK(crossings == 8);
  for (std::size_t layer = 0; layer < pile.layers; ++layer) {
    const double above = Woodpile::weight() * static_cast<double>((pile.layers - layer) * pile.rods);
    CAPTURE(layer, borne[layer] / above - 1);
    CHECK(std::abs(borne[layer] / above - 1) < 1e-5);
  }
  CHECK(uneven < 1e-5);
  CHECK(deepest < 1e-14);
  CHECK(slip < 1e-6);
}

}  // namespace woodpile_test
