#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/io/scene.hpp>

/// Members of a scene.
namespace dalembert::io {

DALEMBERT_INLINE Scene::Tube Scene::tube(std::string name, std::vector<double> radii, Look look) {
  require(!radii.empty(), "Scene", "radii of " + name, radii.size(), "there must be one, or one per node");
  for (const double a : radii)
    require(a > 0 && std::isfinite(a), "Scene", "radius of " + name, a, "a radius must be positive [m]");
  Shape shape{.kind = Shape::Kind::tube};
  shape.radii = std::move(radii);
  return {add(std::move(shape), std::move(name), std::move(look))};
}

DALEMBERT_INLINE Scene::Curve Scene::curve(std::string name, double width, Look look) {
  require(width > 0 && std::isfinite(width), "Scene", "width of " + name, width,
          "a width must be positive [m]");
  Shape shape{.kind = Shape::Kind::curve};
  shape.radii = {width};
  return {add(std::move(shape), std::move(name), std::move(look))};
}

DALEMBERT_INLINE Scene::Body Scene::body(std::string name, std::vector<Part> parts, Look look) {
  require(!parts.empty(), "Scene", "parts of " + name, parts.size(), "a body must have some");
  for (const Part& part : parts)
    require(std::isfinite(part.reach()) && std::isfinite(part.rotation.v().norm() + part.rotation.w()),
            "Scene", "a part of " + name, part.position.transpose(), "its place must be finite [m]");
  Shape shape{.kind = Shape::Kind::body, .nodes = 1};
  shape.parts = std::move(parts);
  return {add(std::move(shape), std::move(name), std::move(look))};
}

DALEMBERT_INLINE Scene::Point Scene::point(std::string name, Look look) {
  require(look.radius >= 0 && std::isfinite(look.radius), "Scene", "radius of " + name, look.radius,
          "it must be finite and not negative [m]");
  return {add({.kind = Shape::Kind::point, .nodes = 1}, std::move(name), std::move(look))};
}

DALEMBERT_INLINE Scene::Contacts Scene::contacts(std::string name, Look look) {
  require(look.radius >= 0 && std::isfinite(look.radius), "Scene", "radius of " + name, look.radius,
          "it must be finite and not negative [m]");
  look.colour = 2;
  look.path = false;
  return {add({.kind = Shape::Kind::contacts}, std::move(name), std::move(look))};
}

DALEMBERT_INLINE void Scene::plane(std::string name, const Vec<double, 3>& at, const Vec<double, 3>& normal,
                                   double size) {
  require(normal.norm() > 0 && normal.allFinite(), "Scene", "normal of " + name, normal.transpose(),
          "a normal must not be zero");
  require(at.allFinite(), "Scene", "place of " + name, at.transpose(), "it must be finite [m]");
  require(size >= 0 && std::isfinite(size), "Scene", "side of " + name, size,
          "it must be finite and not negative [m]");
  Shape shape{.kind = Shape::Kind::plane, .still = true};
  shape.at = at;
  shape.normal = normal.normalized();
  shape.size = size;
  (void)add(std::move(shape), std::move(name), {.colour = 4});
}

DALEMBERT_INLINE Scene::PanelId Scene::panel(std::string title, std::string unit,
                                             std::vector<std::string> names, bool logarithmic) {
  require(!names.empty(), "Scene", "names of " + title, names.size(), "a panel must have some");
  const std::size_t count = names.size();
  Panel panel{.title = std::move(title), .unit = std::move(unit), .names = std::move(names)};
  panel.logarithmic = logarithmic;
  panel.values.resize(count);
  panels_.push_back(std::move(panel));
  return {panels_.size() - 1};
}

DALEMBERT_INLINE bool Scene::frame(double time) {
  open_ = false;
  if (!std::isfinite(time) || (offered_ > 0 && time <= last_time_)) return false;
  last_time_ = time;
  if (offered_++ % stride_ != 0) return false;
  if (!times_.empty() && bytes(times_.size() + 1) > most_bytes_) {
    thin();
    if ((offered_ - 1) % stride_ != 0) return false;
  }
  times_.push_back(time);
  for (Shape& shape : shapes_)
    if (!shape.still) shape.fill(times_.size());
  open_ = true;
  return true;
}

DALEMBERT_INLINE void Scene::put(Point point, const Vec<double, 3>& position, const Vec<double, 3>& arrow) {
  Shape& one = moving(point.number, Shape::Kind::point);
  const std::size_t frame = last();
  put3(one.positions, frame, position);
  if (!one.look.arrow.empty()) put3(one.arrows, frame, arrow);
}

DALEMBERT_INLINE void Scene::row(PanelId panel, double time, const std::vector<double>& values) {
  Panel& one = panels_.at(panel.number);
  require(values.size() == one.names.size(), "Scene", "numbers of a row of " + one.title, values.size(),
          "there must be one per name");
  require(std::isfinite(time) && (one.times.empty() || time >= one.times.back()), "Scene",
          "time of a row of " + one.title, time, "it must be finite, and not before that of the row above");
  one.add(time, values);
}

DALEMBERT_INLINE double Scene::reached() const {
  double time = offered_ > 0 ? last_time_ : 0;
  for (const Panel& panel : panels_)
    if (!panel.times.empty()) time = std::max(time, panel.times.back());
  return time;
}

DALEMBERT_INLINE std::size_t Scene::add(Shape shape, std::string name, Look look) {
  if (look.colour < 0) look.colour = next_colour_++ % 8;
  shape.name = std::move(name);
  shape.look = std::move(look);
  shape.fill(shape.still ? 1 : times_.size());
  shapes_.push_back(std::move(shape));
  return shapes_.size() - 1;
}

DALEMBERT_INLINE Scene::Shape& Scene::shape(std::size_t number, Shape::Kind kind) {
  require(number < shapes_.size() && shapes_[number].kind == kind, "Scene", "number of a shape", number,
          "it must be one of this scene, of that kind");
  return shapes_[number];
}

DALEMBERT_INLINE Scene::Shape& Scene::moving(std::size_t number, Shape::Kind kind) {
  Shape& one = shape(number, kind);
  require(!one.still, "Scene", "shape", one.name, "what is placed in all frames is not put into one");
  return one;
}

DALEMBERT_INLINE Scene::Shape& Scene::still(std::size_t number, Shape::Kind kind) {
  Shape& one = shape(number, kind);
  one.still = true;
  one.positions.clear();
  one.turns.clear();
  one.fill(1);
  return one;
}

DALEMBERT_INLINE std::size_t Scene::last() const {
  require(open_, "Scene", "frames", times_.size(),
          "a shape is put into a frame that was begun and is wanted");
  return times_.size() - 1;
}

DALEMBERT_INLINE std::size_t Scene::bytes(std::size_t frames) const {
  std::size_t all = 8 * frames;
  for (const Shape& shape : shapes_)
    if (!shape.still) all += shape.bytes(frames);
  return all;
}

DALEMBERT_INLINE void Scene::thin() {
  for (Shape& shape : shapes_)
    if (!shape.still) shape.thin(times_.size());
  Shape::halve(times_, times_.size());
  stride_ *= 2;
}

DALEMBERT_INLINE void Scene::require_nodes(Shape& shape, std::size_t nodes) const {
  if (shape.nodes == 0) {
    require(nodes >= 2, "Scene", "nodes of " + shape.name, nodes, "there must be at least two");
    require(shape.radii.size() == 1 || shape.radii.size() == nodes, "Scene", "nodes of " + shape.name, nodes,
            "there must be as many as radii");
    shape.nodes = nodes;
    shape.fill(shape.still ? 1 : times_.size());
  }
  require(shape.nodes == nodes, "Scene", "nodes of " + shape.name, nodes, "their number must stay the same");
}

DALEMBERT_INLINE void Scene::put_points(Shape& shape, std::span<const Vec<double, 3>> points,
                                        std::size_t frame) const {
  require_nodes(shape, points.size());
  for (std::size_t k = 0; k < points.size(); ++k) put3(shape.positions, frame * shape.nodes + k, points[k]);
}

DALEMBERT_INLINE void Scene::put_body(Shape& shape, const SO3<double>& rotation,
                                      const Vec<double, 3>& position, std::size_t frame) {
  put3(shape.positions, frame, position);
  put4(shape.turns, frame, rotation.w(), rotation.v());
}

}  // namespace dalembert::io
