#pragma once

/// @file
/// The members of a constraint of one's own, one by one, to be put together with one of them left out.

#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/axis_marker.hpp>

using namespace dalembert;
using namespace dalembert::assembly;

struct WithScalar {
  using Scalar = double;
};
struct WithName {
  static constexpr std::string_view name = "Own";
};
struct WithMarkers {
  FrameMarker<double> marker{0};
  auto markers() const { return std::tuple{marker}; }
};
/// A marker that moves along an axis, to where its tangency is zero.
struct WithAxis {
  contact::AxisMarker<double> axis{0, 0, {0, 0, 0}, {0, 0, 1}, 1.0};
  auto markers() const { return std::tuple{axis}; }
  template <class T>
  Vec<T, 1> tangency(const FrameState<T>& x) const {
    return Vec<T, 1>(x.position[2]);
  }
};
struct WithVelocity {
  template <class T>
  Vec<T, 2> velocity_constraint(const FrameState<T>& x, const T&) const {
    return {x.velocity[0], x.velocity[1]};
  }
};
struct WithPosition {
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.position[0]);
  }
};
struct WithPositionAtNoTime {
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& x) const {
    return Vec<T, 1>(x.position[0]);
  }
};
struct WithAlong {
  Eigen::Matrix<double, 1, 2> along(const FrameState<double>&) const { return {1, 0}; }
};

/// A body under a constraint that has these members.
template <class... Members>
struct Own : Members... {};
template <class... Members>
void assemble() {
  const RigidBody<double> body{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{bodies(std::vector{body}), constraints(std::vector<Own<Members...>>(1))};
  (void)problem.state({body.at({0, 0, 0})});
}
