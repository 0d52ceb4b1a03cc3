#pragma once

/// @file
/// A constraint with an internal coordinate that follows its rate.

#include <string_view>

#include <dalembert/contact/bead.hpp>

namespace test {

/// A bead whose place on the rod is said by its rate.
struct Runner {
  using Scalar = double;
  static constexpr std::string_view name = "Runner";
  dalembert::contact::Bead<double> bead;
  double wind = 0;

  [[nodiscard]] auto markers() const { return bead.markers(); }
  template <class T>
  [[nodiscard]] dalembert::Vec<T, 2> velocity_constraint(const dalembert::assembly::FrameState<T>& r,
                                                         const dalembert::assembly::FrameState<T>& x,
                                                         const T& t) const {
    return bead.velocity_constraint(r, x, t);
  }
  template <class T>
  [[nodiscard]] dalembert::Vec<T, 1> sliding(const dalembert::assembly::FrameState<T>& r,
                                             const dalembert::assembly::FrameState<T>& x, const T&) const {
    const dalembert::Vec<T, 3> moved = x.velocity - r.velocity;
    return dalembert::Vec<T, 1>(moved.dot(r.tangent) / r.tangent.dot(r.tangent) + wind);
  }
};

}  // namespace test
