#pragma once

/// @file
/// A constraint between a point that moves along an axis of a body and a frame.

#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/axis_marker.hpp>

namespace test {

/// How far the two points are apart, along an axis of the frame and across it, with the time. How its
/// velocity rows belong to that is not right.
struct OnAxis {
  using Scalar = double;
  static constexpr std::string_view name = "OnAxis";
  template <class T>
  using FrameState = dalembert::assembly::FrameState<T>;

  dalembert::contact::AxisMarker<double> axis;
  dalembert::assembly::FrameMarker<double> frame;

  auto markers() const { return std::tie(axis, frame); }
  template <class T>
  static dalembert::Vec<T, 2> apart(const FrameState<T>& a, const FrameState<T>& b, const T& t) {
    const dalembert::Vec<T, 3> d = b.position - a.position, along = b.rotation.matrix().col(1);
    return {along.dot(d) + t * d[0], along.cross(d)[2] - t * t * a.position[1]};
  }
  template <class T>
  dalembert::Vec<T, 2> position_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    return apart(a, b, t);
  }
  template <class T>
  dalembert::Vec<T, 2> velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    return {a.velocity[0] + t * b.angular_velocity[1] - t,
            a.tangent.dot(b.velocity) + a.position[2] * a.angular_velocity[0]};
  }
  Eigen::Matrix<double, 2, 2> along(const FrameState<double>&, const FrameState<double>&) const {
    return Eigen::Matrix<double, 2, 2>::Identity();
  }
  template <class T>
  T tangency(const FrameState<T>& a, const FrameState<T>& b) const {
    return (a.position - b.position).dot(a.tangent);
  }
};

}  // namespace test
