#pragma once

// A contact of your own: a sledge on ice, with a blade that keeps it from slipping sideways.

#include <dalembert/dalembert.hpp>
#include <string_view>
#include <tuple>

struct Blade {
  using Scalar = double;
  static constexpr std::string_view name = "Blade";
  dalembert::assembly::FrameMarker<double> sledge;  // its first axis along the blade, its third up

  auto markers() const { return std::tuple{sledge}; }

  template <class T>
  using FrameState = dalembert::assembly::FrameState<T>;
  template <class T, int n>
  using Vec = dalembert::Vec<T, n>;

  // Zero: the velocity across the blade, and the rates of the three numbers below.
  template <class T>
  Vec<T, 4> velocity_constraint(const FrameState<T>& x, const T&) const {
    const dalembert::Mat<T, 3> axes = x.rotation.matrix();
    const Vec<T, 3> across = axes.col(1), up = axes.col(2), tilting = x.angular_velocity.cross(up);
    return {x.velocity.dot(across), x.velocity[2], tilting[0], tilting[1]};
  }
  // Zero: the height above the ice, and how far the sledge leans.
  template <class T>
  Vec<T, 3> position_constraint(const FrameState<T>& x, const T&) const {
    const dalembert::Mat<T, 3> axes = x.rotation.matrix();
    return {x.position[2], axes(0, 2), axes(1, 2)};
  }
  // The rates of the positions are the last three of the velocities.
  Eigen::Matrix<double, 3, 4> along(const FrameState<double>&) const {
    Eigen::Matrix<double, 3, 4> last = Eigen::Matrix<double, 3, 4>::Zero();
    last.rightCols<3>().setIdentity();
    return last;
  }
  // Ice pushes and never pulls.
  void check(const Vec<double, 4>& force, const FrameState<double>&, double time) const {
    if (force[1] < 0)
      throw dalembert::ContactOpened(
          dalembert::message({"ContactOpened: the ice would have to hold the sledge with ", -force[1], " N"}),
          time);
  }
};
