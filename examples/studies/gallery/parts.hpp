#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <dalembert/io/scene_parts.hpp>

#include "gallery/exhibit.hpp"

/// What bodies of the gallery are made of.
namespace gallery {

inline constexpr double half_turn = static_cast<double>(dalembert::pi);

/// The rotation about the axis `i` by an angle [rad].
[[nodiscard]] inline dalembert::SO3<double> about(int i, double angle) {
  return dalembert::SO3<double>::exp(angle * Vec3::Unit(i));
}

/// The rotation of a heading in the plane, and a place above it [m].
template <class Frame>
[[nodiscard]] Pose on_plane(const Frame& frame, double height) {
  const auto& at = frame.translation();
  return {about(2, frame.angle()), Vec3(at[0], at[1], height)};
}

/// A round bar between two points [m].
[[nodiscard]] inline dalembert::io::Part bar(const Vec3& from, const Vec3& to, double radius) {
  const Vec3 along = (to - from).normalized(), axis = Vec3::UnitZ().cross(along);
  const double sine = axis.norm(), angle = std::atan2(sine, along[2]);
  const Vec3 turn = sine > 0 ? Vec3(axis * (angle / sine)) : Vec3(angle * Vec3::UnitX());
  return dalembert::io::cylinder(radius, (to - from).norm())
      .at((from + to) / 2)
      .turned(dalembert::SO3<double>::exp(turn));
}

/// A wheel whose axle is the second axis.
[[nodiscard]] inline dalembert::io::Part wheel(double radius, double width) {
  return dalembert::io::cylinder(radius, width).turned(about(0, -half_turn / 2)).with_stripes();
}

/// What the page says a system was given.
[[nodiscard]] inline dalembert::io::ViewText::Parameter given(std::string name, double value,
                                                              std::string unit) {
  return {std::move(name), dalembert::shortest_text(value), std::move(unit)};
}

}  // namespace gallery
