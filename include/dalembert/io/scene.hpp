#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/core/detail/inline.hpp>
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
  /// One of its shapes, of a kind. What these handles hold is the scene's business.
  template <SceneShape::Kind kind>
  struct Handle {
    std::size_t number;  ///< of the shape
  };
  using Tube = Handle<SceneShape::Kind::tube>;    ///< about a chain of frames, whose third axes run along it
  using Curve = Handle<SceneShape::Kind::curve>;  ///< a line without frames
  using Body = Handle<SceneShape::Kind::body>;    ///< a rigid body
  using Point = Handle<SceneShape::Kind::point>;  ///< a point, perhaps with an arrow
  using Contacts = Handle<SceneShape::Kind::contacts>;  ///< of which each frame has as many as it has
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
  [[nodiscard]] Tube tube(std::string name, std::vector<double> radii, Look look = {});
  /// Likewise.
  [[nodiscard]] Tube tube(std::string name, double radius, Look look = {}) {
    return tube(std::move(name), std::vector{radius}, std::move(look));
  }
  /// A line `width` [m] thick. Throws std::invalid_argument for a width that is not positive.
  [[nodiscard]] Curve curve(std::string name, double width, Look look = {});
  /// A rigid body of parts, which `io::ball`, `io::box`, `io::cylinder` and `io::outline` make. Throws
  /// std::invalid_argument if there are none, and for parts that are nowhere.
  [[nodiscard]] Body body(std::string name, std::vector<Part> parts, Look look = {});
  /// A point, with an arrow if `look` says what it is. Throws std::invalid_argument for a radius that is
  /// negative or not finite.
  [[nodiscard]] Point point(std::string name, Look look = {});
  /// Contacts that come and go, with arrows of their forces unless `look` has none; those that stick are
  /// green, those that slip red, and those that nothing presses grey. Throws as `point`.
  [[nodiscard]] Contacts contacts(std::string name, Look look = {.arrow = "contact force", .unit = "N"});
  /// A square of a plane through `at` [m]; its side [m] is as the rest asks if it is 0. Throws
  /// std::invalid_argument for a normal that is zero, and for a place or a side that is not finite.
  void plane(std::string name, const Vec<double, 3>& at, const Vec<double, 3>& normal, double size = 0);
  /// A panel of numbers over time, one curve per name; of a logarithmic one the magnitudes are shown. Throws
  /// std::invalid_argument without names.
  [[nodiscard]] PanelId panel(std::string title, std::string unit, std::vector<std::string> names,
                              bool logarithmic = false);

  /// Begin a frame at a time [s], later than that of the frame before, and say whether it is wanted: if not,
  /// nothing is to be put.
  [[nodiscard]] bool frame(double time);
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
           const Vec<double, 3>& arrow = Vec<double, 3>::Constant(std::numeric_limits<double>::quiet_NaN()));

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
  void row(PanelId panel, double time, const std::vector<double>& values);

  /// The times of the frames that are kept [s].
  [[nodiscard]] const std::vector<double>& times() const noexcept { return times_; }
  /// All shapes.
  [[nodiscard]] const std::vector<Shape>& shapes() const noexcept { return shapes_; }
  /// All panels.
  [[nodiscard]] const std::vector<Panel>& panels() const noexcept { return panels_; }
  /// The last time of which anything is known [s]; 0 if nothing is.
  [[nodiscard]] double reached() const;

 private:
  std::size_t add(Shape shape, std::string name, Look look);
  Shape& shape(std::size_t number, Shape::Kind kind);
  Shape& moving(std::size_t number, Shape::Kind kind);
  Shape& still(std::size_t number, Shape::Kind kind);
  [[nodiscard]] std::size_t last() const;
  [[nodiscard]] std::size_t bytes(std::size_t frames) const;
  /// Drop every second frame.
  void thin();

  static void put3(std::vector<double>& numbers, std::size_t place, const Vec<double, 3>& x) {
    for (std::size_t i = 0; i < 3; ++i) numbers[3 * place + i] = x[static_cast<Eigen::Index>(i)];
  }
  static void put4(std::vector<double>& numbers, std::size_t place, double w, const Vec<double, 3>& v) {
    numbers[4 * place] = w;
    for (std::size_t i = 0; i < 3; ++i) numbers[4 * place + 1 + i] = v[static_cast<Eigen::Index>(i)];
  }
  void require_nodes(Shape& shape, std::size_t nodes) const;
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
  void put_points(Shape& shape, std::span<const Vec<double, 3>> points, std::size_t frame) const;
  static void put_body(Shape& shape, const SO3<double>& rotation, const Vec<double, 3>& position,
                       std::size_t frame);

  std::size_t most_bytes_, offered_ = 0, stride_ = 1;
  double last_time_ = 0;
  bool open_ = false;
  int next_colour_ = 0;
  std::vector<double> times_{};
  std::vector<Shape> shapes_{};
  std::vector<Panel> panels_{};
};

}  // namespace dalembert::io

#ifndef DALEMBERT_COMPILED
#include <dalembert/io/detail/scene_members.hpp>
#endif
