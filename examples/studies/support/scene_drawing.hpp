#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <dalembert/io/scene.hpp>
#include <dalembert/io/view_text.hpp>

#include "support/canvas.hpp"

namespace example {

/// Draws frames of a scene as triangles.
class SceneDrawing {
 public:
  using V = dalembert::Vec<double, 3>;

  /// Of a scene, seen as its page says; both must last as long as this.
  SceneDrawing(const dalembert::io::Scene& scene, const dalembert::io::ViewText& view);

  /// Everything, in the frames from `first` to `last`, as large as a picture of this width over height bears.
  [[nodiscard]] Sight whole(double aspect, std::size_t first, std::size_t last) const;
  /// What is `width` wide [m] about a place, from `steeper` degrees higher.
  [[nodiscard]] Sight near(const V& place, double width, double steeper = 0) const;
  /// The frame that is nearest to a time [s].
  [[nodiscard]] std::size_t frame(double time) const;
  /// Where a point or body is in a frame [m].
  [[nodiscard]] V place(std::size_t shape, std::size_t frame) const;
  /// The length that a radius or arrow of the scene goes by: the diagonal of all that has a place [m].
  [[nodiscard]] double size() const noexcept { return size_; }

  /// All shapes in a frame; without marks neither points with their arrows nor paths. Tubes of as many nodes as `heat` has numbers,
  /// from 0 to 1, are coloured by them, from grey by yellow to red.
  void draw(Canvas& canvas, std::size_t frame, bool marks = true, const std::vector<float>& heat = {}) const;

 private:
  void draw_tube(Canvas& canvas, const dalembert::io::SceneShape& shape, std::size_t frame,
                 const std::vector<float>& heat) const;
  void draw_curve(Canvas& canvas, const dalembert::io::SceneShape& shape, std::size_t frame) const;
  void draw_body(Canvas& canvas, const dalembert::io::SceneShape& shape, std::size_t frame) const;
  void draw_point(Canvas& canvas, const dalembert::io::SceneShape& shape, std::size_t frame) const;
  void draw_contacts(Canvas& canvas, const dalembert::io::SceneShape& shape, std::size_t frame) const;
  void draw_mark(Canvas& canvas, const dalembert::io::SceneShape& shape, const V& at, const V& arrow,
                 int number) const;
  void draw_plane(Canvas& canvas, const dalembert::io::SceneShape& shape) const;
  void draw_path(Canvas& canvas, const dalembert::io::SceneShape& shape, std::size_t frame) const;

  const dalembert::io::Scene& scene_;
  std::map<std::string, double> longest_;  // arrow of each name
  std::size_t arrows_ = 0;                 // how many there are at once, at most
  V low_, high_, up_, right_, back_;       // back: from the centre to the eye
  bool flat_;
  double zoom_, size_;
};

}  // namespace example
