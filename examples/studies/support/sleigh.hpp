#pragma once

#include <cmath>
#include <vector>

#include <dalembert/io/scene_parts.hpp>

/// How a sleigh on a blade looks.
namespace example {

/// Twice the radius of gyration about the blade [m], from mass [kg], moment of inertia about the centre of mass [kg m²], and its distance ahead of the
/// blade [m].
[[nodiscard]] inline double sleigh_size(double mass, double inertia, double ahead) {
  return 2 * std::sqrt(inertia / mass + ahead * ahead);
}

/// A plate that is pointed in front, the blade under it at the origin, and a ball at the centre of mass.
[[nodiscard]] inline std::vector<dalembert::io::Part> sleigh_parts(double mass, double inertia,
                                                                   double ahead) {
  using namespace dalembert;
  const double l = sleigh_size(mass, inertia, ahead), a = ahead;
  return {io::outline({{a - 0.5 * l, -0.2 * l},
                       {a + 0.35 * l, -0.2 * l},
                       {a + 0.5 * l, 0},
                       {a + 0.35 * l, 0.2 * l},
                       {a - 0.5 * l, 0.2 * l}},
                      0.04 * l),
          io::box({0.3 * l, 0.02 * l, 0.06 * l}).at({0, 0, 0.02 * l}).coloured(3),
          io::ball(0.04 * l).at({a, 0, 0.02 * l}).coloured(1)};
}

}  // namespace example
