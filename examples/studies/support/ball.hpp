#pragma once

#include <cmath>
#include <filesystem>
#include <vector>

#include <dalembert/io/vtk.hpp>
#include <dalembert/lie/so3.hpp>

#include "support/program.hpp"

namespace example {

/// A closed line of 48 corners through point(angle).
template <class Point>
void add_circle(dalembert::io::PolyData& drawing, const Point& point) {
  constexpr int corners = 48;
  const std::int64_t first = drawing.point_count();
  for (int i = 0; i <= corners; ++i)
    drawing.add_point(point(2 * static_cast<double>(dalembert::pi) * i / corners));
  drawing.add_line(first, corners + 1);
}

/// A rolling ball for ParaView, at equal times: three circles on its surface, and its path so far.
class BallSeries {
 public:
  using Vec3 = dalembert::Vec<double, 3>;

  /// `frames` shapes over a march.
  BallSeries(const std::filesystem::path& folder, double radius, const March& march, long frames)
      : series_(folder / "vtk", "ball"), radius_(radius), end_(march.t_end), frames_(frames) {}

  /// Add the ball at `time` [s] with its contact at `a` [m] if a shape is due; `more` adds what else is to be drawn.
  template <class More>
  void operator()(double time, const dalembert::SO3<double>& turn, const dalembert::Vec<double, 2>& a,
                  const More& more) {
    if (time < static_cast<double>(count_) * end_ / static_cast<double>(frames_) && time < end_) return;
    ++count_;
    path_.emplace_back(a[0], a[1], 0.0);
    dalembert::io::PolyData drawing;
    for (int axis = 0; axis < 3; ++axis)
      add_circle(drawing, [&](double angle) {
        Vec3 point = Vec3::Zero();
        point[(axis + 1) % 3] = radius_ * std::cos(angle);
        point[(axis + 2) % 3] = radius_ * std::sin(angle);
        return turn.act(point, Vec3(a[0], a[1], radius_));
      });
    more(drawing);
    const std::int64_t first = drawing.point_count();
    for (const Vec3& point : path_) drawing.add_point(point);
    if (path_.size() > 1) drawing.add_line(first, static_cast<std::int64_t>(path_.size()));
    series_.add(time, drawing);
  }

 private:
  dalembert::io::PvdSeries series_;
  double radius_, end_;
  long frames_, count_ = 0;
  std::vector<Vec3> path_{};
};

}  // namespace example
