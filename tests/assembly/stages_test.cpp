// Stages of a step beside states that are moved by hand.

#include <dalembert/assembly/detail/stages.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace stages_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Eigen::Index;
using V3 = Vec<double, 3>;
using Numbers = Vec<double, Eigen::Dynamic>;

/// A chain, a string, and another chain, of which only the displacements may be large.
struct Scene {
  test::Draw draw{test::seed()};
  double size;  ///< of positions and velocities
  State<double> x;
  Increment<double> offset, k;
  NodeNumbers<double> acceleration;

  explicit Scene(double s) : size(s) {
    for (const Index nodes : {3, 0, 5}) {
      Chain<double> chain = nodes > 0 ? Chain<double>(nodes) : Chain<double>{};
      auto zero = nodes > 0 ? rod::zero_columns<double, 6>(nodes) : Columns<double, 6>(0, 6);
      Line<double> line;
      Numbers empty;
      if (nodes == 0) {
        line.displacement = line.velocity = Numbers::Zero(4);
        empty = Numbers::Zero(4);
      }
      x.chains.push_back(chain);
      x.lines.push_back(line);
      for (auto* all :
           {&offset.displacement, &offset.velocity, &k.displacement, &k.velocity, &acceleration}) {
        all->chains.push_back(zero);
        all->lines.push_back(empty);
      }
    }
    x.z = offset.z = k.z = Numbers::Zero(0);
    for (auto& chain : x.chains)
      for (Index i = 0; i < chain.nodes; ++i) {
        const auto turn = draw.rotation();
        const V3 place = size * draw.vector(), velocity = size * draw.vector(), spin = draw.vector();
        chain.set_frame(i, turn, place);
        chain.set_velocity(i, velocity, spin);
      }
    for (auto* column : {&x.lines[1].displacement, &x.lines[1].velocity})
      for (double& u : *column) u = size * draw.between(-1, 1);
    for (auto* all : {&offset.displacement, &offset.velocity, &acceleration})
      visit_nodes(x.chains, *all, [&](double& u) { u = draw.between(-1, 1); });
  }
  State<double> at(const Increment<double>& u) const {
    State<double> y = x;
    assembly::detail::retract(x, u, y);
    return y;
  }
};

TEST_CASE("a state at an offset is as far from the base as that says, chains and strings",
          "[assembly][stages]") {
  for (const double size : {1e-6, 1.0, 1e6}) {
    const Scene scene(size);
    Increment<double> back = difference(scene.x, scene.at(scene.offset));
    REQUIRE(scene.offset.norm() > 0.1);
    CHECK(back.displacement.lines[1].norm() > 0.1);
    back.add_scaled(-1, scene.offset);
    CHECK(back.norm() < 1e-15 * (10 + size));
    CHECK(back.velocity.norm() < 1e-15 * (10 + size));
  }
}

TEST_CASE("the slope of a stage moves it by its own velocities, and these by the accelerations",
          "[assembly][stages]") {
  constexpr double h = 1e-5;
  for (const double size : {1e-3, 1.0, 1e3}) {
    Scene scene(size);
    const State<double> stage = scene.at(scene.offset);
    assembly::detail::slope(stage, scene.offset, scene.acceleration, scene.k);
    Increment<double> next = scene.offset, last = scene.offset;
    next.add_scaled(h, scene.k);
    last.add_scaled(-h, scene.k);
    const Increment<double> moved = difference(scene.at(last), scene.at(next));
    for (const std::size_t b : {0U, 2U})
      for (Index i = 0; i < stage[b].nodes; ++i)
        for (int j = 0; j < 6; ++j) {
          CHECK(std::abs(moved.displacement[b](i, j) / (2 * h) - stage[b].velocity(i, j)) <
                1e-8 * (1 + size));
          CHECK(std::abs(moved.velocity[b](i, j) / (2 * h) - scene.acceleration[b](i, j)) <
                1e-8 * (1 + size));
        }
    for (Index i = 0; i < 4; ++i) {
      CHECK(scene.k.displacement.lines[1][i] == stage.lines[1].velocity[i]);
      CHECK(scene.k.velocity.lines[1][i] == scene.acceleration.lines[1][i]);
    }
  }
}

}  // namespace stages_test
