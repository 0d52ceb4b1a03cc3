#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include <dalembert/assembly/constraint.hpp>

/// Joints between any two places of bodies, or a place and a frame in space. The frames a and b of the places have the axes a₁, a₂, a₃ and
/// b₁, b₂, b₃ and the origins x_a, x_b.
///   spherical joint   x_a = x_b                                                                                     (1)
///   hinge             (1), a₁·b₃ = a₂·b₃ = 0: it turns about the third axis                                         (2)
///   weld              (1), and the frames are one                                                                   (3)
///   led place         x_a = x(t) for a given path; what leads it does the work −λ·ẋ                                 (4)
namespace dalembert::assembly {

/// Equation (1): three rows, the force on the first place [N].
template <class S>
struct SphericalJoint {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "SphericalJoint";                     ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows

  FramePlace<S> a;  ///< one of the two frames that it joins
  FramePlace<S> b;  ///< the other

  /// The two places.
  [[nodiscard]] auto places() const { return std::tie(a, b); }
  /// (1) [m].
  template <class T>
  [[nodiscard]] Vec<T, 3> position(const Seen<T>& of_a, const Seen<T>& of_b, const T&) const {
    return of_a.position - of_b.position;
  }
};

/// Equation (2): three rows as those of a spherical joint, then two torques [N m].
template <class S>
struct Hinge {
  using Scalar = S;                                  ///< the number type
  static constexpr std::string_view name = "Hinge";  ///< for messages
  static constexpr std::array<std::string_view, 5> row_names = {"x", "y", "z", "axis 1",
                                                                "axis 2"};  ///< of the rows

  FramePlace<S> a;  ///< one of the two frames that it joins
  FramePlace<S> b;  ///< the other

  /// The two places.
  [[nodiscard]] auto places() const { return std::tie(a, b); }
  /// (2) [m, rad].
  template <class T>
  [[nodiscard]] Vec<T, 5> position(const Seen<T>& of_a, const Seen<T>& of_b, const T&) const {
    const Mat<T, 3> A = of_a.rotation.matrix(), B = of_b.rotation.matrix();
    Vec<T, 5> phi;
    for (int i = 0; i < 3; ++i) phi[i] = of_a.position[i] - of_b.position[i];
    for (int i = 0; i < 2; ++i) phi[3 + i] = A(0, i) * B(0, 2) + A(1, i) * B(1, 2) + A(2, i) * B(2, 2);
    return phi;
  }
};

/// Equation (3): the force on the first place [N] and the torque on it [N m], in the frame there.
template <class S>
struct Weld {
  using Scalar = S;                                 ///< the number type
  static constexpr std::string_view name = "Weld";  ///< for messages
  static constexpr std::array<std::string_view, 6> row_names = {"x",      "y",     "z", "axis 1",
                                                                "axis 2", "axis 3"};  ///< of the rows

  FramePlace<S> a;  ///< one of the two frames that it joins
  FramePlace<S> b;  ///< the other

  /// The two places.
  [[nodiscard]] auto places() const { return std::tie(a, b); }
  /// (3) [m, rad]: twice the vector of the quaternion of the one frame in the other, an angle if it is small.
  template <class T>
  [[nodiscard]] Vec<T, 6> position(const Seen<T>& of_a, const Seen<T>& of_b, const T&) const {
    const SO3<T> turn = of_b.rotation.inverse() * of_a.rotation;
    const S twice = number_of(turn.w()) < S(0) ? S(-2) : S(2);
    Vec<T, 6> phi;
    for (int i = 0; i < 3; ++i) {
      phi[i] = of_a.position[i] - of_b.position[i];
      phi[3 + i] = twice * turn.v()[i];
    }
    return phi;
  }

 private:
  template <class T>
  [[nodiscard]] static S number_of(const T& x) {
    if constexpr (requires { x.value(); })
      return number_of(x.value());
    else
      return x;
  }
};

/// Equation (4) for a path, which is called with a time on any number type: `Vec<T, 3> path(T t)` [m].
template <class S, class Path>
struct LedPlace {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "LedPlace";                           ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows

  FramePlace<S> a;  ///< what is led
  Path path;        ///< where it is led

  /// The place.
  [[nodiscard]] auto places() const { return std::tie(a); }
  /// (4) [m].
  template <class T>
  [[nodiscard]] Vec<T, 3> position(const Seen<T>& of_a, const T& t) const {
    const Vec<T, 3> goal = path(t);
    return of_a.position - goal;
  }
};

}  // namespace dalembert::assembly
