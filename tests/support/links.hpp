#pragma once

/// @file
/// Constraints between two frames that say as little as each form needs, and one of each form that there is.

#include <cmath>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>

namespace test {

/// Two frames on bodies, or in space.
struct Ends {
  using Scalar = double;
  using Marker = dalembert::assembly::FrameMarker<double>;
  template <class T>
  using FrameState = dalembert::assembly::FrameState<T>;

  Marker first, second;

  auto markers() const { return std::tuple{first, second}; }
  template <class T>
  static dalembert::Vec<T, 3> apart(const FrameState<T>& a, const FrameState<T>& b) {
    return b.position - a.position;
  }
};

/// Half the square of a distance is what the time says: a position row alone.
struct Leash : Ends {
  static constexpr std::string_view name = "Leash";
  template <class T>
  T position_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    const auto d = apart(a, b);
    return d.dot(d) / 2.0 - 0.3 - 0.2 * t * t + 0.5 * t * d[2];
  }
};

/// The same, which says how its rows drift.
struct Drifting : Leash {
  static constexpr std::string_view name = "Drifting";
  double acceleration_bias(const FrameState<double>& a, const FrameState<double>& b,
                           const dalembert::assembly::FrameRates<double>& of_a,
                           const dalembert::assembly::FrameRates<double>& of_b, double t) const {
    const dalembert::Vec<double, 3> v = of_b.position - of_a.position, rate = of_b.velocity - of_a.velocity;
    return v.squaredNorm() + apart(a, b).dot(rate) - 0.4 + v[2] + 0.5 * t * rate[2];
  }
};

/// A point of the second frame moves relative to the first one along two of that one's axes as the time says:
/// velocity rows alone.
struct Blades : Ends {
  static constexpr std::string_view name = "Blades";
  template <class T>
  dalembert::Vec<T, 2> velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    const dalembert::Mat<T, 3> axes = a.rotation.matrix();
    const dalembert::Vec<T, 3> v = b.velocity - a.velocity_at(apart(a, b));
    return {axes.col(0).dot(v) - t * t, axes.col(1).dot(v) + 0.4 * axes.col(2).dot(b.angular_velocity)};
  }
};

/// The same distance, and velocity rows that say how its rate is a part of them.
struct Ways : Leash {
  static constexpr std::string_view name = "Ways";
  template <class T>
  dalembert::Vec<T, 2> velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    const dalembert::Vec<T, 3> d = apart(a, b), v = b.velocity - a.velocity;
    const T swing = d[0] * v[1] - d[1] * v[0], stretch = d.dot(v) - 0.4 * t + 0.5 * d[2] + 0.5 * t * v[2];
    return {swing - stretch, 2.0 * swing + stretch};
  }
  Eigen::Matrix<double, 1, 2> along(const FrameState<double>&, const FrameState<double>&) const {
    return {-2.0 / 3, 1.0 / 3};
  }
};

/// The same distance, and a velocity row that comes after its rate.
struct Stacked : Leash {
  static constexpr std::string_view name = "Stacked";
  template <class T>
  T velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    const dalembert::Mat<T, 3> axes = a.rotation.matrix();
    return axes.col(1).dot(b.angular_velocity) - 0.5 * t;
  }
};

/// Velocity rows that pull along others.
struct Slanted : Blades {
  static constexpr std::string_view name = "Slanted";
  template <class T>
  dalembert::Vec<T, 2> reaction(const FrameState<T>& a, const FrameState<T>& b, const T&) const {
    const dalembert::Vec<T, 3> d = apart(a, b);
    return {d.dot(b.velocity) + a.angular_velocity[0], d.cross(a.velocity)[2] - d.dot(b.angular_velocity)};
  }
};

/// What `Blades` says, in numbers.
struct Numbered : Blades {
  static constexpr std::string_view name = "Numbered";
  dalembert::assembly::Rows<double, 2, 2> coefficients(const FrameState<double>& a,
                                                       const FrameState<double>& b, double t) const {
    const dalembert::Mat<double, 3> axes = a.rotation.matrix();
    const dalembert::Vec<double, 3> d = apart(a, b);
    dalembert::assembly::Rows<double, 2, 2> rows;
    for (int r = 0; r < 2; ++r) {
      const dalembert::Vec<double, 3> axis = axes.col(r);
      rows.linear[0].row(r) = -axis.transpose();
      rows.linear[1].row(r) = axis.transpose();
      rows.angular[0].row(r) = -d.cross(axis).transpose();
      rows.angular[1].row(r) = (r == 0 ? 0.0 : 0.4) * axes.col(2).transpose();
    }
    rows.known = {-t * t, 0};
    return rows;
  }
};

}  // namespace test
