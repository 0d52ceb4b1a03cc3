#pragma once

#include <vector>

#include <dalembert/io/scene_parts.hpp>
#include <dalembert/lie/so3.hpp>

/// How wheels that stay upright look.
namespace example {

/// An upright wheel that rolled by an angle, its axle to the left of its heading [rad].
[[nodiscard]] inline dalembert::SO3<double> rolled_wheel(double heading, double rolled) {
  using Turn = dalembert::SO3<double>;
  const double quarter = static_cast<double>(dalembert::pi) / 2;
  return Turn::exp({0, 0, heading}) * Turn::exp({-quarter, 0, 0}) * Turn::exp({0, 0, rolled});
}

/// A wheel about its third axis: a tyre with spokes in two shades, and a hub in the colour of a number.
[[nodiscard]] inline std::vector<dalembert::io::Part> wheel_parts(double radius, int hub) {
  return {dalembert::io::cylinder(radius, 0.12 * radius).with_stripes(),
          dalembert::io::cylinder(0.12 * radius, 0.4 * radius).coloured(hub)};
}

}  // namespace example
