#pragma once

/// @file
/// Random heaps of bodies that touch, and what is wrong with how they fall.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/verlet.hpp>

namespace test {

/// A random heap of two to six bodies with balls, some off their centres, in a bowl or on a plane, some of
/// it with friction, restitution or neither.
struct RandomHeap {
  using V = dalembert::Vec<double, 3>;

  std::mt19937_64 random;
  double scale = 1;
  std::optional<double> friction{};  ///< in place of a random one
  double most_given = 1e-2;  ///< energy that contacts may give at these steps, of ten or so that there is
  bool overlaps = false;     ///< whether it was refused for that

  explicit RandomHeap(std::uint64_t seed) : random(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  V within(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }

  /// Empty if all is well.
  std::string fault(int steps, double step = 2e-3) {
    using namespace dalembert;
    using namespace dalembert::assembly;
    using contact::Touching;
    scale = std::pow(10.0, std::floor(between(-3, 4)));
    const auto count = static_cast<std::size_t>(between(2, 7));
    std::vector<RigidBody<>> list;
    for (std::size_t i = 0; i < count; ++i) {
      const double m = between(0.1, 3) * scale;
      const V j = V(between(1, 1.5), between(1, 1.5), between(1, 1.5)) * 0.004 * m * scale * scale;
      list.push_back(RigidBody<>{{.mass = m, .inertia = j, .gravity = {0, 0, -10 * scale}}});
    }
    const auto all = bodies(list);
    const auto [handles] = all.handles();
    Touching<> what;
    const int law = static_cast<int>(between(0, 4));
    what.friction = law == 0 ? 0 : law == 1 ? std::numeric_limits<double>::infinity() : between(0, 1.2);
    if (friction) what.friction = *friction;
    what.restitution = between(0, 1) < 0.5 ? 0 : between(0, 1);
    if (between(0, 1) < 0.7) what.planes.emplace_back();
    if (between(0, 1) < 0.5) {
      contact::Drum<> bowl;
      bowl.surface.radius = scale;
      bowl.surface.centre = {0, 0, 0.9 * scale};
      bowl.inside = true;
      if (between(0, 1) < 0.5) bowl.angular_velocity = within(3);
      what.drums.push_back(bowl);
    }
    for (const auto& h : handles) {
      const int balls = 1 + static_cast<int>(between(0, 2));
      for (int k = 0; k < balls; ++k) {
        const V offset = balls == 1 && between(0, 1) < 0.6 ? V(V::Zero()) : V(within(0.06 * scale));
        what.balls.push_back({frame(h, offset), between(0.04, 0.1) * scale});
      }
    }
    const Assembly problem{all, what};
    std::vector<Chain<>> chains;
    for (std::size_t i = 0; i < count; ++i) {
      const V side = within(0.25);
      auto chain = list[i].at(scale * V(side[0], side[1], 0.25 + 0.22 * double(i)), SO3<>::exp(within(3)));
      chain.set_velocity(0, scale * within(1.5), within(10));
      chains.push_back(chain);
    }
    State<> state;
    try {
      state = problem.state(chains);
    } catch (const BodiesOverlap&) {
      overlaps = true;
      return {};
    }
    double deepest_start = std::min(0.0, contact::smallest_gap(problem, state));
    ContactWorks<> works;
    auto stepper = Verlet{}.stepper(problem, state);
    for (int i = 0; i < steps; ++i) {
      const auto report = stepper.step(problem, state, step);
      if (!report.converged) return "no convergence in step " + std::to_string(i);
      if (!state.is_finite_throughout()) return "not finite";
      const double gap = contact::smallest_gap(problem, state);
      if (gap < deepest_start - 64 * 2.3e-16 * 20 * scale) return "gap " + std::to_string(gap / scale);
      works += report.works;
    }
    // letting bodies out of each other may lift them
    const double given =
        works.sum() - works.driven - (deepest_start < 0 ? std::max(0.0, works.correction) : 0);
    if (given > most_given * std::pow(scale, 3))
      return "contacts give energy: impact " + std::to_string(works.impact) + ", friction " +
             std::to_string(works.friction) + ", driven " + std::to_string(works.driven) + ", correction " +
             std::to_string(works.correction) + " J at a scale of " + std::to_string(scale);
    return {};
  }
};

}  // namespace test
