#pragma once

/// @file
/// Constraints whose reactions act along other rows than they hold: their forces are turned about the vertical.

#include <cmath>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>

namespace test {

/// By how much the reaction of a row lies beside it [rad].
inline constexpr double slant = 10 * M_PI / 180;

/// A body that stays in the plane z = 0 upright on a knife edge under a point of it, whose force is turned about the vertical.
struct Blade {
  using Scalar = double;
  static constexpr std::string_view name = "Blade";
  dalembert::assembly::FrameMarker<double> edge;

  auto markers() const { return std::tuple{edge}; }
  template <class T>
  dalembert::Vec<T, 4> rows(const dalembert::assembly::FrameState<T>& a, double angle) const {
    const dalembert::Mat<T, 3> axes = a.rotation.matrix();
    const double c = std::cos(angle), s = std::sin(angle);
    T across(0);
    for (int i = 0; i < 3; ++i) across += (c * axes(i, 1) + s * axes(i, 0)) * a.velocity[i];
    return {across, a.velocity[2], a.angular_velocity[0], a.angular_velocity[1]};
  }
  template <class T>
  dalembert::Vec<T, 4> velocity_constraint(const dalembert::assembly::FrameState<T>& a, const T&) const {
    return rows(a, 0.0);
  }
  template <class T>
  dalembert::Vec<T, 4> reaction(const dalembert::assembly::FrameState<T>& a, const T&) const {
    return rows(a, slant);
  }
};

/// A ball of radius 0.3 that rolls on the plane z = 0; the force along x and y is turned about the vertical, its torque is not.
struct RollingBall {
  using Scalar = double;
  static constexpr std::string_view name = "RollingBall";
  static constexpr double radius = 0.3;
  dalembert::assembly::FrameMarker<double> centre;

  auto markers() const { return std::tuple{centre}; }
  template <class T>
  dalembert::Vec<T, 3> velocity_constraint(const dalembert::assembly::FrameState<T>& a, const T&) const {
    return {a.velocity[0] - radius * a.angular_velocity[1], a.velocity[1] + radius * a.angular_velocity[0],
            a.velocity[2]};
  }
  template <class T>
  dalembert::Vec<T, 3> reaction(const dalembert::assembly::FrameState<T>& a, const T&) const {
    const double c = std::cos(slant), s = std::sin(slant);
    return {c * a.velocity[0] + s * a.velocity[1] - radius * a.angular_velocity[1],
            c * a.velocity[1] - s * a.velocity[0] + radius * a.angular_velocity[0], a.velocity[2]};
  }
  template <class T>
  dalembert::Vec<T, 1> position_constraint(const dalembert::assembly::FrameState<T>& a, const T&) const {
    return dalembert::Vec<T, 1>(a.position[2] - radius);
  }
  Eigen::Matrix<double, 1, 3> along(const dalembert::assembly::FrameState<double>&) const {
    return {0, 0, 1};
  }
};

/// A point that stays at its distance from a centre, and is pulled there by a force that is turned about the vertical.
struct SlantedRing {
  using Scalar = double;
  using V = dalembert::Vec<double, 3>;
  static constexpr std::string_view name = "SlantedRing";
  dalembert::assembly::FrameMarker<double> point;
  V centre;
  double radius = 0.5;

  auto markers() const { return std::tuple{point}; }
  template <class T>
  dalembert::Vec<T, 3> outwards(const dalembert::assembly::FrameState<T>& a) const {
    return a.position - centre.cast<T>();
  }
  template <class T>
  dalembert::Vec<T, 1> position_constraint(const dalembert::assembly::FrameState<T>& a, const T&) const {
    return dalembert::Vec<T, 1>(outwards(a).norm() - radius);
  }
  template <class T>
  dalembert::Vec<T, 1> velocity_constraint(const dalembert::assembly::FrameState<T>& a, const T&) const {
    return dalembert::Vec<T, 1>(outwards(a).dot(a.velocity));
  }
  template <class T>
  dalembert::Vec<T, 1> reaction(const dalembert::assembly::FrameState<T>& a, const T&) const {
    const double c = std::cos(slant), s = std::sin(slant);
    const dalembert::Vec<T, 3> d = outwards(a);
    return dalembert::Vec<T, 1>((c * d[0] - s * d[1]) * a.velocity[0] +
                                (s * d[0] + c * d[1]) * a.velocity[1] + d[2] * a.velocity[2]);
  }
  Eigen::Matrix<double, 1, 1> along(const dalembert::assembly::FrameState<double>& a) const {
    return Eigen::Matrix<double, 1, 1>(1 / outwards(a).norm());
  }
};

}  // namespace test
