#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/so3.hpp>

/// What rigid bodies of an `io::Scene` are made of.
///   scene.body("wheel", {io::cylinder(0.3, 0.04), io::box({0.6, 0.02, 0.05}).coloured(1)});
namespace dalembert::io {

/// A part of a rigid body, fixed in its frame.
struct Part {
  /// Its form.
  enum class Kind {
    ball,      ///< of radius sizes[0]
    box,       ///< with the sides sizes, about its middle
    cylinder,  ///< of radius sizes[0] and length sizes[1], about its third axis and middle
    outline    ///< a polygon in its first two axes, sizes[0] thick
  };
  Kind kind{};                                       ///< its form
  Vec<double, 3> sizes = Vec<double, 3>::Zero();     ///< [m]
  std::vector<Vec<double, 2>> corners{};             ///< of an outline, counter-clockwise [m]
  Vec<double, 3> position = Vec<double, 3>::Zero();  ///< of its middle, in the body [m]
  SO3<double> rotation = SO3<double>::identity();    ///< from the part to the body
  int colour = -1;                                   ///< as in `Look`; -1: that of the body
  bool striped = false;                              ///< in two shades, so that the eye sees how it turns

  /// The same elsewhere in the body.
  [[nodiscard]] Part at(const Vec<double, 3>& place) const {
    Part part = *this;
    part.position = place;
    return part;
  }
  /// The same, turned.
  [[nodiscard]] Part turned(const SO3<double>& turn) const {
    Part part = *this;
    part.rotation = turn;
    return part;
  }
  /// The same in a colour of its own.
  [[nodiscard]] Part coloured(int number) const {
    Part part = *this;
    part.colour = number;
    return part;
  }
  /// The same in two shades.
  [[nodiscard]] Part with_stripes() const {
    Part part = *this;
    part.striped = true;
    return part;
  }
  /// The radius of a ball about the origin of the body that holds it [m].
  [[nodiscard]] double reach() const {
    double own = sizes.norm() / 2;
    if (kind == Kind::ball) own = sizes[0];
    if (kind == Kind::cylinder) own = std::hypot(sizes[0], sizes[1] / 2);
    if (kind == Kind::outline)
      for (const auto& corner : corners) own = std::max(own, std::hypot(corner.norm(), sizes[0] / 2));
    return position.norm() + own;
  }
};

namespace detail {

inline Part part_of(Part::Kind kind, const char* name, const Vec<double, 3>& sizes, int count) {
  for (int i = 0; i < count; ++i)
    require(sizes[i] > 0 && std::isfinite(sizes[i]), name, "size", sizes[i], "it must be positive [m]");
  return {.kind = kind, .sizes = sizes};
}

}  // namespace detail

/// A ball of a radius [m]. This and the following throw std::invalid_argument for sizes that are not
/// positive.
[[nodiscard]] inline Part ball(double radius) {
  return detail::part_of(Part::Kind::ball, "ball", {radius, 0, 0}, 1);
}
/// A box with these sides [m].
[[nodiscard]] inline Part box(const Vec<double, 3>& sides) {
  return detail::part_of(Part::Kind::box, "box", sides, 3);
}
/// A cylinder about its third axis [m].
[[nodiscard]] inline Part cylinder(double radius, double length) {
  return detail::part_of(Part::Kind::cylinder, "cylinder", {radius, length, 0}, 2);
}
/// A plate: a polygon with these corners in its first two axes, counter-clockwise and without crossings,
/// `thickness` thick [m]. Throws std::invalid_argument for less than three corners, or if they go round
/// clockwise.
[[nodiscard]] inline Part outline(std::vector<Vec<double, 2>> corners, double thickness) {
  require(corners.size() >= 3, "outline", "corners", corners.size(), "there must be at least three");
  double area = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto &a = corners[i], &b = corners[(i + 1) % corners.size()];
    area += (a[0] * b[1] - a[1] * b[0]) / 2;
  }
  require(area > 0, "outline", "area", area, "the corners must go round counter-clockwise");
  Part part = detail::part_of(Part::Kind::outline, "outline", {thickness, 0, 0}, 1);
  part.corners = std::move(corners);
  return part;
}

}  // namespace dalembert::io
