#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/io/scene_shapes.hpp>
#include <dalembert/lie/so3.hpp>

/// A motion as it is to be seen: which shapes there are, where they are in each frame, and numbers over time
/// beside them. `io::write_view` makes a page of it that plays.
///   io::Scene scene;
///   const auto rod = scene.tube("rod", 0.005);
///   const auto contact = scene.point("contact", {.arrow = "force", .unit = "N"});
///   const auto forces = scene.panel("normal force", "N", {"lambda_n"});
///   …
///   if (scene.frame(state.time)) {
///     scene.put(rod, state[0]);
///     scene.put(contact, place, force);
///   }
///   scene.row(forces, state.time, {lambda_n});
namespace dalembert::io {

/// Records a motion. What has no place in a frame, because it was not put or is not a number, is not drawn
/// there.
class Scene {
 public:
  /// A tube about a chain of frames, whose third axes run along it. What these handles hold is the scene's
  /// business.
  struct Tube {
    std::size_t number;  ///< of the shape
  };
  /// A line without frames.
  struct Curve {
    std::size_t number;  ///< of the shape
  };
  /// A rigid body.
  struct Body {
    std::size_t number;  ///< of the shape
  };
  /// A point, perhaps with an arrow.
  struct Point {
    std::size_t number;  ///< of the shape
  };
  /// Contacts, of which each frame has as many as it has.
  struct Contacts {
    std::size_t number;  ///< of the shape
  };
  /// A panel of numbers over time.
  struct PanelId {
    std::size_t number;  ///< of the panel
  };

  using Shape = SceneShape;  ///< what is kept of a shape
  using Panel = ScenePanel;  ///< what is kept of numbers over time

  /// Holds about `most_bytes` of a page's data: where a motion has more frames, every second one is dropped,
  /// again and again.
  explicit Scene(std::size_t most_bytes = 5'500'000) : most_bytes_(most_bytes) {}

  /// A tube with one radius, or one per node [m]. Throws std::invalid_argument for radii that are not
  /// positive.
  [[nodiscard]] Tube tube(std::string name, std::vector<double> radii, Look look = {}) {
    require(!radii.empty(), "Scene", "radii of " + name, radii.size(), "there must be one, or one per node");
    for (const double a : radii)
      require(a > 0 && std::isfinite(a), "Scene", "radius of " + name, a, "a radius must be positive [m]");
    Shape shape{.kind = Shape::Kind::tube};
    shape.radii = std::move(radii);
    return {add(std::move(shape), std::move(name), std::move(look))};
  }
  /// Likewise.
  [[nodiscard]] Tube tube(std::string name, double radius, Look look = {}) {
    return tube(std::move(name), std::vector{radius}, std::move(look));
  }
  /// A line `width` [m] thick. Throws std::invalid_argument for a width that is not positive.
  [[nodiscard]] Curve curve(std::string name, double width, Look look = {}) {
    require(width > 0 && std::isfinite(width), "Scene", "width of " + name, width,
            "a width must be positive [m]");
    Shape shape{.kind = Shape::Kind::curve};
    shape.radii = {width};
    return {add(std::move(shape), std::move(name), std::move(look))};
  }
  /// A rigid body of parts, which `io::ball`, `io::box`, `io::cylinder` and `io::outline` make. Throws
  /// std::invalid_argument if there are none, and for parts that are nowhere.
  [[nodiscard]] Body body(std::string name, std::vector<Part> parts, Look look = {}) {
    require(!parts.empty(), "Scene", "parts of " + name, parts.size(), "a body must have some");
    for (const Part& part : parts)
      require(std::isfinite(part.reach()) && std::isfinite(part.rotation.v().norm() + part.rotation.w()),
              "Scene", "a part of " + name, part.position.transpose(), "its place must be finite [m]");
    Shape shape{.kind = Shape::Kind::body, .nodes = 1};
    shape.parts = std::move(parts);
    return {add(std::move(shape), std::move(name), std::move(look))};
  }
  /// A point, with an arrow if `look` says what it is. Throws std::invalid_argument for a radius that is
  /// negative or not finite.
  [[nodiscard]] Point point(std::string name, Look look = {}) {
    require(look.radius >= 0 && std::isfinite(look.radius), "Scene", "radius of " + name, look.radius,
            "it must be finite and not negative [m]");
    return {add({.kind = Shape::Kind::point, .nodes = 1}, std::move(name), std::move(look))};
  }
  /// Contacts that come and go, with arrows of their forces unless `look` has none; those that stick are
  /// green, those that slip red, and those that nothing presses grey. Throws as `point`.
  [[nodiscard]] Contacts contacts(std::string name, Look look = {.arrow = "contact force", .unit = "N"}) {
    require(look.radius >= 0 && std::isfinite(look.radius), "Scene", "radius of " + name, look.radius,
            "it must be finite and not negative [m]");
    look.colour = 2;
    look.path = false;
    return {add({.kind = Shape::Kind::contacts}, std::move(name), std::move(look))};
  }
  /// A square of a plane through `at` [m]; its side [m] is as the rest asks if it is 0. Throws
  /// std::invalid_argument for a normal that is zero, and for a place or a side that is not finite.
  void plane(std::string name, const Vec<double, 3>& at, const Vec<double, 3>& normal, double size = 0) {
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
  /// A panel of numbers over time, one curve per name; of a logarithmic one the magnitudes are shown. Throws
  /// std::invalid_argument without names.
  [[nodiscard]] PanelId panel(std::string title, std::string unit, std::vector<std::string> names,
                              bool logarithmic = false) {
    require(!names.empty(), "Scene", "names of " + title, names.size(), "a panel must have some");
    const std::size_t count = names.size();
    Panel panel{.title = std::move(title), .unit = std::move(unit), .names = std::move(names)};
    panel.logarithmic = logarithmic;
    panel.values.resize(count);
    panels_.push_back(std::move(panel));
    return {panels_.size() - 1};
  }

  /// Begin a frame at a time [s], later than that of the frame before, and say whether it is wanted: if not,
  /// nothing is to be put.
  [[nodiscard]] bool frame(double time) {
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
  /// Where a tube is in the frame that was begun last. Throws std::invalid_argument for another number of
  /// nodes than before, or than its radii, as those below for a shape that was placed or that is another
  /// scene's.
  template <FrameChain C>
  void put(Tube tube, const C& chain) {
    put_chain(moving(tube.number, Shape::Kind::tube), chain, last());
  }
  /// Where a line is in that frame [m].
  void put(Curve curve, std::span<const Vec<double, 3>> points) {
    put_points(moving(curve.number, Shape::Kind::curve), points, last());
  }
  /// Where a body is: its rotation, from the body to space, and its origin [m].
  void put(Body body, const SO3<double>& rotation, const Vec<double, 3>& position) {
    put_body(moving(body.number, Shape::Kind::body), rotation, position, last());
  }
  /// Where a point is [m], and its arrow, spatial.
  void put(Point point, const Vec<double, 3>& position,
           const Vec<double, 3>& arrow = Vec<double, 3>::Constant(std::numeric_limits<double>::quiet_NaN())) {
    Shape& one = moving(point.number, Shape::Kind::point);
    const std::size_t frame = last();
    put3(one.positions, frame, position);
    if (!one.look.arrow.empty()) put3(one.arrows, frame, arrow);
  }

  /// The contacts of that frame, such as `contact::touches` tells; those that are nowhere are left out.
  template <ContactReport C>
  void put(Contacts contacts, const std::vector<C>& reports) {
    auto& here = moving(contacts.number, Shape::Kind::contacts).contacts[last()];
    here.clear();
    for (const C& report : reports)
      if (const auto one = SceneContact::of(report); one.point.allFinite()) here.push_back(one);
  }

  /// Where a shape is in all frames.
  template <FrameChain C>
  void place(Tube tube, const C& chain) {
    put_chain(still(tube.number, Shape::Kind::tube), chain, 0);
  }
  /// Likewise.
  void place(Curve curve, std::span<const Vec<double, 3>> points) {
    put_points(still(curve.number, Shape::Kind::curve), points, 0);
  }
  /// Likewise.
  void place(Body body, const SO3<double>& rotation, const Vec<double, 3>& position) {
    put_body(still(body.number, Shape::Kind::body), rotation, position, 0);
  }

  /// Append a row to a panel: one number per name, at a time [s] not before that of the row above. Of long
  /// panels every second row is dropped, again and again. Throws std::invalid_argument for another number of
  /// them, and for another time.
  void row(PanelId panel, double time, const std::vector<double>& values) {
    Panel& one = panels_.at(panel.number);
    require(values.size() == one.names.size(), "Scene", "numbers of a row of " + one.title, values.size(),
            "there must be one per name");
    require(std::isfinite(time) && (one.times.empty() || time >= one.times.back()), "Scene",
            "time of a row of " + one.title, time, "it must be finite, and not before that of the row above");
    one.add(time, values);
  }

  /// The times of the frames that are kept [s].
  [[nodiscard]] const std::vector<double>& times() const noexcept { return times_; }
  /// All shapes.
  [[nodiscard]] const std::vector<Shape>& shapes() const noexcept { return shapes_; }
  /// All panels.
  [[nodiscard]] const std::vector<Panel>& panels() const noexcept { return panels_; }
  /// The last time of which anything is known [s]; 0 if nothing is.
  [[nodiscard]] double reached() const {
    double time = offered_ > 0 ? last_time_ : 0;
    for (const Panel& panel : panels_)
      if (!panel.times.empty()) time = std::max(time, panel.times.back());
    return time;
  }

 private:
  std::size_t add(Shape shape, std::string name, Look look) {
    if (look.colour < 0) look.colour = next_colour_++ % 8;
    shape.name = std::move(name);
    shape.look = std::move(look);
    shape.fill(shape.still ? 1 : times_.size());
    shapes_.push_back(std::move(shape));
    return shapes_.size() - 1;
  }
  Shape& shape(std::size_t number, Shape::Kind kind) {
    require(number < shapes_.size() && shapes_[number].kind == kind, "Scene", "number of a shape", number,
            "it must be one of this scene, of that kind");
    return shapes_[number];
  }
  Shape& moving(std::size_t number, Shape::Kind kind) {
    Shape& one = shape(number, kind);
    require(!one.still, "Scene", "shape", one.name, "what is placed in all frames is not put into one");
    return one;
  }
  Shape& still(std::size_t number, Shape::Kind kind) {
    Shape& one = shape(number, kind);
    one.still = true;
    one.positions.clear();
    one.turns.clear();
    one.fill(1);
    return one;
  }
  [[nodiscard]] std::size_t last() const {
    require(open_, "Scene", "frames", times_.size(),
            "a shape is put into a frame that was begun and is wanted");
    return times_.size() - 1;
  }
  [[nodiscard]] std::size_t bytes(std::size_t frames) const {
    std::size_t all = 8 * frames;
    for (const Shape& shape : shapes_)
      if (!shape.still) all += shape.bytes(frames);
    return all;
  }
  /// Drop every second frame.
  void thin() {
    for (Shape& shape : shapes_)
      if (!shape.still) shape.thin(times_.size());
    Shape::halve(times_, times_.size());
    stride_ *= 2;
  }

  static void put3(std::vector<double>& numbers, std::size_t place, const Vec<double, 3>& x) {
    for (std::size_t i = 0; i < 3; ++i) numbers[3 * place + i] = x[static_cast<Eigen::Index>(i)];
  }
  static void put4(std::vector<double>& numbers, std::size_t place, double w, const Vec<double, 3>& v) {
    numbers[4 * place] = w;
    for (std::size_t i = 0; i < 3; ++i) numbers[4 * place + 1 + i] = v[static_cast<Eigen::Index>(i)];
  }
  void require_nodes(Shape& shape, std::size_t nodes) const {
    if (shape.nodes == 0) {
      require(nodes >= 2, "Scene", "nodes of " + shape.name, nodes, "there must be at least two");
      require(shape.radii.size() == 1 || shape.radii.size() == nodes, "Scene", "nodes of " + shape.name,
              nodes, "there must be as many as radii");
      shape.nodes = nodes;
      shape.fill(shape.still ? 1 : times_.size());
    }
    require(shape.nodes == nodes, "Scene", "nodes of " + shape.name, nodes,
            "their number must stay the same");
  }
  template <class C>
  void put_chain(Shape& shape, const C& chain, std::size_t frame) {
    require_nodes(shape, static_cast<std::size_t>(chain.nodes));
    for (std::size_t k = 0; k < shape.nodes; ++k) {
      const auto at = static_cast<std::ptrdiff_t>(k);
      const auto rotation = chain.rotation(at);
      put3(shape.positions, frame * shape.nodes + k,
           Vec<double, 3>(chain.position(at).template cast<double>()));
      put4(shape.turns, frame * shape.nodes + k, static_cast<double>(rotation.w()),
           Vec<double, 3>(rotation.v().template cast<double>()));
    }
  }
  void put_points(Shape& shape, std::span<const Vec<double, 3>> points, std::size_t frame) const {
    require_nodes(shape, points.size());
    for (std::size_t k = 0; k < points.size(); ++k) put3(shape.positions, frame * shape.nodes + k, points[k]);
  }
  static void put_body(Shape& shape, const SO3<double>& rotation, const Vec<double, 3>& position,
                       std::size_t frame) {
    put3(shape.positions, frame, position);
    put4(shape.turns, frame, rotation.w(), rotation.v());
  }

  std::size_t most_bytes_, offered_ = 0, stride_ = 1;
  double last_time_ = 0;
  bool open_ = false;
  int next_colour_ = 0;
  std::vector<double> times_{};
  std::vector<Shape> shapes_{};
  std::vector<Panel> panels_{};
};

}  // namespace dalembert::io
