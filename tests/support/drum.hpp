#pragma once

/// @file
/// A constraint on a marker that slides.

#include <string_view>
#include <tuple>

#include <dalembert/assembly/marker.hpp>

namespace test {

/// A marker that slides along a rod, or along an axis of a body, and turns with a frame as it does there,
/// about the tangent and about another axis.
template <class Sliding>
struct Drum {
  using Scalar = double;
  static constexpr std::string_view name = "Drum";
  template <class T>
  using FrameState = dalembert::assembly::FrameState<T>;
  Sliding sliding;
  dalembert::assembly::FrameMarker<double> frame;

  auto markers() const { return std::tie(sliding, frame); }
  template <class T>
  dalembert::Vec<T, 2> velocity_constraint(const FrameState<T>& r, const FrameState<T>& x, const T&) const {
    const dalembert::Vec<T, 3> turning = r.angular_velocity - x.angular_velocity;
    return {r.tangent.dot(turning) + r.velocity[1] * r.tangent[0], turning[1] - 0.3 * x.velocity[2]};
  }
  template <class T>
  T tangency(const FrameState<T>& r, const FrameState<T>& x) const {
    return (r.position - x.position).dot(r.tangent);
  }
};

}  // namespace test
