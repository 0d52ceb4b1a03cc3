#pragma once

/// @file
/// Random rods that are thrown at each other, and what is wrong with how they meet.

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
#include <dalembert/rod/laid.hpp>
#include <dalembert/rod/sections.hpp>

namespace test {

/// Two to six short rods, straight or bent into arcs, across each other or side by side, in the air or above a
/// plane, some of them with friction, restitution or neither.
struct RandomRods {
  using V = dalembert::Vec<double, 3>;
  static constexpr double radius = 0.005;  // [m]

  std::uint64_t state;    // the same numbers everywhere
  bool overlaps = false;  ///< whether they were refused for that
  bool met = false;       ///< whether some touched
  double given = 0;       ///< energy that contacts gave, of the kinetic energy at the start
  double corrected = 0;   ///< most that putting positions right gave in a step, likewise
  double deepest = 0;     ///< gap below those at the start, of a radius

  explicit RandomRods(std::uint64_t seed) : state(seed * 0x9E3779B97F4A7C15U + 12345U) {
    for (int i = 0; i < 3; ++i) (void)(*this)();
  }
  double operator()() {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11U) / 9007199254740992.0;
  }
  V vector() {
    const double x = (*this)() - 0.5, y = (*this)() - 0.5, z = (*this)() - 0.5;
    return {x, y, z};
  }
  /// Points of an arc of such a length and curvature from its middle on.
  std::vector<V> arc(int elements, double length, double curvature, const V& middle, const V& along) {
    V side = along.cross(vector());
    side.normalize();
    std::vector<V> points;
    for (int k = 0; k <= elements; ++k) {
      const double s = length * (static_cast<double>(k) / elements - 0.5), angle = curvature * s;
      const double chord = std::abs(angle) < 1e-6 ? s : std::sin(angle) / curvature;
      points.emplace_back(middle + chord * along + curvature * s * s / 2 * side);
    }
    return points;
  }

  /// Empty if all is well.
  std::string fault(int steps) {
    using namespace dalembert;
    const auto count = static_cast<std::size_t>(2 + 5 * (*this)());
    const double length = 0.03 + 0.1 * (*this)();
    const int elements = 6 + static_cast<int>(10 * (*this)());
    const rod::CircularSection rubber({.radius = radius, .young = 1e6, .density = 1100});
    const rod::ElasticRod<> rod(
        rubber, {.elements = elements, .length = length, .loads = {.gravity = {0, 0, -9.81}}});
    const bool beside = (*this)() < 0.4, plane = (*this)() < 0.6;
    const double bent = (*this)() < 0.5 ? 0 : 0.2 / radius * (*this)() * std::min(1.0, 0.06 / length);
    const double apart = 2.02 * radius + 0.02 * (*this)(), high = plane ? 0.08 : 0;
    V along = vector().normalized();
    std::vector<rod::Chain<>> chains;
    for (std::size_t i = 0; i < count; ++i) {
      along = beside ? V(along + 0.2 * (*this)() * vector()).normalized() : vector().normalized();
      const V middle = V(0, 0, high + apart * static_cast<double>(i)) +
                       (beside ? 0.2 * length : 0.03) * V((*this)() - 0.5, (*this)() - 0.5, 0);
      chains.push_back(rod::laid_along(arc(elements, length, bent * ((*this)() - 0.5), middle, along)));
    }
    contact::Touching<> what;
    const double law = (*this)();
    what.friction = law < 0.2 ? 0 : law < 0.3 ? std::numeric_limits<double>::infinity() : (*this)();
    what.restitution = (*this)() < 0.5 ? 0 : (*this)();
    if (plane) what.planes.emplace_back();
    const assembly::Assembly problem{assembly::bodies(std::vector(count, rod)), what};
    assembly::State<> x;
    try {
      x = problem.state(chains);
    } catch (const BodiesOverlap&) {
      overlaps = true;
      return {};
    }
    for (std::size_t i = 0; i < count; ++i) {
      const V v = 2 * vector() - V(0, 0, static_cast<double>(i)), w = 20 * vector();
      for (Eigen::Index k = 0; k <= elements; ++k) {
        const V out = x[i].position(k) - x[i].position(elements / 2);
        x[i].set_velocity(k, V(v + w.cross(out)), x[i].rotation(k).inverse().act(w));
      }
    }
    const double start = std::min(0.0, contact::smallest_gap(problem, x)), energy = problem.kinetic_energy(x);
    const double h = 1.4 / problem.wave_frequency_bound(x);
    auto stepper = Verlet{}.stepper(problem, x);
    ContactWorks<> works;
    for (int i = 0; i < steps; ++i) {
      const auto report = stepper.step(problem, x, h);
      if (!report.converged) return "no convergence in step " + std::to_string(i);
      if (!x.is_finite_throughout()) return "not finite";
      met = met || report.works.impact + report.works.correction != 0;
      works += report.works;
      corrected = std::max(corrected, report.works.correction / energy);
      if (i % 10 == 0) deepest = std::min(deepest, (contact::smallest_gap(problem, x) - start) / radius);
      if (deepest < -1e-3) return "a gap of " + std::to_string(deepest) + " radii";
    }
    given = (works.sum() - (start < 0 ? std::max(0.0, works.correction) : 0)) / energy;
    if (given > 1) return "contacts give " + std::to_string(given) + " of the energy";
    return {};
  }
};

}  // namespace test
