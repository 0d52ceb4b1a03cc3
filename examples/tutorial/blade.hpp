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

  // Zero: the height above the ice, and how far the sledge leans.
  template <class T>
  Vec<T, 3> position_constraint(const FrameState<T>& x, const T&) const {
    const dalembert::Mat<T, 3> axes = x.rotation.matrix();
    return {x.position[2], axes(0, 2), axes(1, 2)};
  }
  // Zero besides: the velocity across the blade.
  template <class T>
  Vec<T, 1> velocity_constraint(const FrameState<T>& x, const T&) const {
    const Vec<T, 3> across = x.rotation.matrix().col(1);
    return Vec<T, 1>(x.velocity.dot(across));
  }
  // Ice pushes and never pulls.
  void check(const Vec<double, 4>& force, const FrameState<double>&, double time) const {
    if (force[0] < 0)
      throw dalembert::ContactOpened(
          dalembert::message({"ContactOpened: the ice would have to hold the sledge with ", -force[0], " N"}),
          time);
  }
};
