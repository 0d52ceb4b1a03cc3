#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/laid.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/film.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/stable.hpp"
#include "support/table.hpp"

/// What studies of round rods that touch each other have in common: the problem, what is asked about its contacts, the
/// options of a cord, and its page.
namespace example {

using dalembert::Vec;
using TouchingRod = dalembert::rod::ElasticRod<>;
using TouchingRods = dalembert::assembly::Assembly<dalembert::assembly::Kinds<TouchingRod>,
                                                   dalembert::contact::WithTouching<double>>;

/// The contacts of a state, counted.
struct TouchCounts {
  long rods = 0, others = 0, sticking = 0, sliding = 0;  ///< of rods with rods, with other surfaces; of all
  double pressed = 0;                                    ///< sum of the normal forces of rods with rods [N]
  double gap = 0;                                        ///< least gap of what is closed, at most 0 [m]
  double creep = 0;                                      ///< largest slip of what sticks [m/s]

  template <class Problem>
  TouchCounts(const Problem& problem, const TouchingRods::State& x) {
    using namespace dalembert::contact;
    for (const auto& t : touches(problem, x)) {
      const bool rod = t.other.kind == TouchingSurface::Kind::body;
      ++(rod ? rods : others);
      if (rod) pressed += t.pressure();
      gap = std::min(gap, t.gap);
      if (t.mode == TouchMode::slides) ++sliding;
      if (t.mode != TouchMode::sticks) continue;
      ++sticking;
      creep = std::max(creep, t.slip.norm());
    }
  }
  [[nodiscard]] long all() const noexcept { return rods + others; }
};

/// A cord: an elastic rod whose section is thinner than what touches, so that it bends easily.
struct Cord {
  double radius = 0.005, thin = 0.3, young = 2e7, density = 1100, friction = 0.3;

  /// Declares the options of these names.
  void declare(Program& program) {
    program.option("radius", radius, "m", "of the cord", Rule::positive);
    program.option("thin", thin, "1", "radius of the section that resists, over --radius", Rule::positive);
    program.option("young", young, "Pa", "Young's modulus", Rule::positive);
    program.option("density", density, "kg/m^3", "density of the cord, by its radius", Rule::positive);
    program.option("friction", friction, "1", "coefficient of friction", Rule::not_negative);
    program.rule("thin", "must not be more than 1", [this] { return thin <= 1; });
  }
  [[nodiscard]] dalembert::rod::CircularSection<> section() const {
    return dalembert::rod::CircularSection<>(
        {.radius = thin * radius, .young = young, .density = density / (thin * thin)});
  }
  /// EA [N].
  [[nodiscard]] double stretching() const {
    return young * static_cast<double>(dalembert::pi) * thin * thin * radius * radius;
  }
};

/// Points on a curve, `h` apart along straight lines between them; the end of it is left out where less than h is left.
inline std::vector<Vec<double, 3>> evenly(const std::vector<Vec<double, 3>>& fine, double h) {
  std::vector<Vec<double, 3>> points{fine.front()};
  for (std::size_t i = 1; i < fine.size(); ++i) {
    while ((fine[i] - points.back()).norm() >= h) {
      const Vec<double, 3>& from = fine[i - 1];
      const Vec<double, 3> step = fine[i] - from, gone = from - points.back();
      const double b = gone.dot(step), s = step.squaredNorm();
      points.emplace_back(from + (std::sqrt(b * b - s * (gone.squaredNorm() - h * h)) - b) / s * step);
    }
  }
  return points;
}

/// Evenly spaced points of a curve without its corners: twice each goes to the mean of those up to `beside` places
/// before and after it, as far as there are as many on either side.
inline std::vector<Vec<double, 3>> rounded(std::vector<Vec<double, 3>> points, std::size_t beside) {
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<Vec<double, 3>> from = points;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::size_t reach = std::min({beside, i, from.size() - 1 - i});
      Vec<double, 3> sum = Vec<double, 3>::Zero();
      for (std::size_t k = i - reach; k <= i + reach; ++k) sum += from[k];
      points[i] = sum / static_cast<double>(2 * reach + 1);
    }
  }
  return points;
}

/// A smooth curve through points, finely: Catmull and Rom's spline.
inline std::vector<Vec<double, 3>> smooth(const std::vector<Vec<double, 3>>& through, int between = 200) {
  std::vector<Vec<double, 3>> fine;
  const auto last = through.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    const auto &p = through[i], &q = through[i + 1];
    const Vec<double, 3> dp = i == 0 ? Vec<double, 3>(q - p) : Vec<double, 3>((q - through[i - 1]) / 2);
    const Vec<double, 3> dq =
        i + 1 == last ? Vec<double, 3>(q - p) : Vec<double, 3>((through[i + 2] - p) / 2);
    for (int k = 0; k < between; ++k) {
      const double u = static_cast<double>(k) / between, u2 = u * u, u3 = u2 * u;
      fine.emplace_back((2 * u3 - 3 * u2 + 1) * p + (u3 - 2 * u2 + u) * dp + (3 * u2 - 2 * u3) * q +
                        (u3 - u2) * dq);
    }
  }
  fine.push_back(through.back());
  return fine;
}

/// From 0 to 1 between two times, without a jerk.
inline double ramp(double t, double from, double to) {
  const double x = std::min(1.0, std::max(0.0, (t - from) / (to - from)));
  return x * x * (3 - 2 * x);
}

/// The tubes of all rods in a scene.
class Tubes {
 public:
  Tubes(dalembert::io::Scene& scene, std::size_t count, double radius, std::size_t colours = 6)
      : scene_(&scene) {
    for (std::size_t i = 0; i < count; ++i)
      tubes_.push_back(
          scene.tube("rod " + std::to_string(i + 1), radius, {.colour = static_cast<int>(i % colours)}));
  }
  /// A state, into the frame that the scene has begun.
  void put(const TouchingRods::State& x) {
    for (std::size_t i = 0; i < tubes_.size(); ++i) scene_->put(tubes_[i], x[i]);
  }

 private:
  dalembert::io::Scene* scene_;
  std::vector<dalembert::io::Scene::Tube> tubes_{};
};

/// A picture of the scene at some times, side by side, with these words or the times above.
inline void draw_times(const Run& run, const std::string& name, const std::vector<double>& times, int width,
                       int height, const std::vector<std::string>& words = {}) {
  if (run.scene.times().empty()) return;
  const SceneDrawing drawing(run.scene, run.view);
  std::vector<Still> stills;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::size_t frame = drawing.frame(times[i]);
    const double t = std::round(1e3 * run.scene.times()[frame]) / 1e3;
    stills.push_back({drawing.whole(static_cast<double>(width) / height, frame, frame), frame,
                      static_cast<int>(i) * width, 0, width, height,
                      words.empty() ? dalembert::message({"t = ", t, " s"}) : words[i]});
  }
  draw_stills(run, {name, width * static_cast<int>(times.size()), height}, drawing, stills);
}

}  // namespace example
