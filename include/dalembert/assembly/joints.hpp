#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <tuple>
#include <utility>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/assembly/detail/seeds.hpp>
#include <dalembert/core/detail/path_step.hpp>
#include <dalembert/core/number.hpp>

/// Joints between any two markers of bodies, or a marker and a frame in space. The frames a and b of the
/// markers have the axes a₁, a₂, a₃ and b₁, b₂, b₃ and the origins x_a, x_b.
///   spherical joint   x_a = x_b                                                                         (1)
///   hinge             (1), a₁·b₃ = a₂·b₃ = 0: a revolute joint about the third axis            (2)
///   weld              (1), and the frames are one: a fixed joint                                        (3)
///   prescribed motion x_a = x(t) for a given path; what moves it does the work ∫λ·ẋ dt             (4)
/// Rods are joined at their end nodes, at any angle (`rotation` of a marker): several welds at one node make
/// a rod that branches, and a weld of the first node of a rod to its last closes it to a ring.
namespace dalembert::assembly {

/// Equation (1): three rows, the force on the first marker [N].
template <class S = double>
struct SphericalJoint {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "SphericalJoint";                     ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows

  FrameMarker<S> a;  ///< one of the two frames that it joins
  FrameMarker<S> b;  ///< the other

  /// The two markers.
  [[nodiscard]] auto markers() const { return std::tie(a, b); }
  /// (1) [m].
  template <class T>
  [[nodiscard]] Vec<T, 3> position_constraint(const FrameState<T>& of_a, const FrameState<T>& of_b,
                                              const T&) const {
    return of_a.position - of_b.position;
  }
};
/// Of two markers.
template <class S>
SphericalJoint(FrameMarker<S>, FrameMarker<S>) -> SphericalJoint<S>;

/// Equation (2): three rows as those of a spherical joint, then two torques [N m].
template <class S = double>
struct Hinge {
  using Scalar = S;                                  ///< the number type
  static constexpr std::string_view name = "Hinge";  ///< for messages
  /// Of the rows.
  static constexpr std::array<std::string_view, 5> row_names = {"x", "y", "z", "axis 1", "axis 2"};
  /// Of what they keep at zero.
  static constexpr std::array<std::string_view, 5> row_units = {"m", "m", "m", "rad", "rad"};

  FrameMarker<S> a;  ///< one of the two frames that it joins
  FrameMarker<S> b;  ///< the other

  /// The two markers.
  [[nodiscard]] auto markers() const { return std::tie(a, b); }
  /// (2) [m, rad].
  template <class T>
  [[nodiscard]] Vec<T, 5> position_constraint(const FrameState<T>& of_a, const FrameState<T>& of_b,
                                              const T&) const {
    const Mat<T, 3> A = of_a.rotation.matrix(), B = of_b.rotation.matrix();
    const Vec<T, 2> along(A.col(0).dot(B.col(2)), A.col(1).dot(B.col(2)));
    return dalembert::detail::stacked(dalembert::detail::difference(of_a.position, of_b.position), along);
  }
};
/// Of two markers.
template <class S>
Hinge(FrameMarker<S>, FrameMarker<S>) -> Hinge<S>;

/// Equation (3): the force on the first marker [N] and the torque on it [N m], in the frame there.
template <class S = double>
struct Weld {
  using Scalar = S;                                 ///< the number type
  static constexpr std::string_view name = "Weld";  ///< for messages
  /// Of the rows.
  static constexpr std::array<std::string_view, 6> row_names = {"x", "y", "z", "axis 1", "axis 2", "axis 3"};
  /// Of what they keep at zero.
  static constexpr std::array<std::string_view, 6> row_units = {"m", "m", "m", "rad", "rad", "rad"};

  FrameMarker<S> a;  ///< one of the two frames that it joins
  FrameMarker<S> b;  ///< the other

  /// The two markers.
  [[nodiscard]] auto markers() const { return std::tie(a, b); }
  /// (3) [m, rad]: twice the vector of the quaternion of the one frame in the other, an angle if it is small.
  template <class T>
  [[nodiscard]] Vec<T, 6> position_constraint(const FrameState<T>& of_a, const FrameState<T>& of_b,
                                              const T&) const {
    const Vec<T, 3> angles = T(S(2)) * turn_between(of_a, of_b).second;
    return dalembert::detail::stacked(dalembert::detail::difference(of_a.position, of_b.position), angles);
  }
  /// The rows of φ̇. With the quaternion (w, v) of the one frame in the other, w ≥ 0, and u = Λ_bᵀ(W_a
  /// − W_b), the angles change at w u − v × u.
  [[nodiscard]] Rows<S, 6, 2> coefficients(const FrameState<S>& of_a, const FrameState<S>& of_b,
                                           const S&) const {
    const auto [w, v] = turn_between(of_a, of_b);
    const Mat<S, 3> B = of_b.rotation.matrix();
    Rows<S, 6, 2> rows;
    for (auto* blocks : {&rows.linear, &rows.angular})
      for (auto& block : *blocks) dalembert::detail::set_zero(block);
    for (int j = 0; j < 3; ++j) {
      const Triple3 e{B(j, 0), B(j, 1), B(j, 2)};  // Λ_bᵀ of axis j of space
      const Vec<S, 3> column = w * e - cross(v, e);
      rows.linear[0](j, j) = S(1);
      rows.linear[1](j, j) = S(-1);
      for (int i = 0; i < 3; ++i) {
        rows.angular[0](3 + i, j) = column[i];
        rows.angular[1](3 + i, j) = -column[i];
      }
    }
    rows.known = dalembert::detail::zeros<S, 6>();
    return rows;
  }
  /// φ̈ for nodes that keep their velocities: with u̇ = −ω_b × u the angles have w u̇ − v × u̇
  /// − ½|u|²v.
  [[nodiscard]] Vec<S, 6> acceleration_bias(const FrameState<S>& of_a, const FrameState<S>& of_b,
                                            const FrameRates<S>& change_of_a,
                                            const FrameRates<S>& change_of_b, const S&) const {
    const auto [w, v] = turn_between(of_a, of_b);
    const SO3<S> to_b = of_b.rotation.inverse();
    const Triple3 u(to_b.act(dalembert::detail::difference(of_a.angular_velocity, of_b.angular_velocity)));
    const Triple3 faster = cross(u, Triple3(to_b.act(of_b.angular_velocity)));
    const Triple3 angular = w * faster - cross(v, faster) - (S(0.5) * dot(u, u)) * v;
    return dalembert::detail::stacked(
        dalembert::detail::difference(change_of_a.velocity, change_of_b.velocity), Vec<S, 3>(angular));
  }

 private:
  using Triple3 = dalembert::detail::Triple<S>;
  /// (w, v), w ≥ 0.
  template <class T>
  [[nodiscard]] static std::pair<T, dalembert::detail::Triple<T>> turn_between(const FrameState<T>& of_a,
                                                                               const FrameState<T>& of_b) {
    const SO3<T> turn = of_b.rotation.inverse() * of_a.rotation;
    const T sign(S(number::plain(turn.w()) < 0 ? -1 : 1));
    return {sign * turn.w(), sign * dalembert::detail::Triple<T>(Vec<T, 3>(turn.v()))};
  }
};
/// Of two markers.
template <class S>
Weld(FrameMarker<S>, FrameMarker<S>) -> Weld<S>;

/// Equation (4) for a path, which is called with a time on any number type: `Vec<T, 3> path(T t) const` [m].
template <class S, class Path>
struct PrescribedMotion {
  /// Whether the path gives three numbers of type T at a time of type T.
  template <class T>
  static constexpr bool gives = requires(const Path& path, const T& t) {
    { path(t) } -> std::convertible_to<Vec<T, 3>>;
  };
  static_assert(
      gives<S> && gives<Dual<S, 1>>,
      "the path of a PrescribedMotion is called with a time of any number type T, a Dual too, and is not "
      "changed by that: Vec<T, 3> operator()(const T& t) const");

  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "PrescribedMotion";                   ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows

  FrameMarker<S> a;  ///< whose motion is prescribed
  Path path;         ///< where it goes

  /// It.
  [[nodiscard]] auto markers() const { return std::tie(a); }
  /// (4) [m].
  template <class T>
  [[nodiscard]] Vec<T, 3> position_constraint(const FrameState<T>& of_a, const T& t) const {
    const Vec<T, 3> goal = path(t);
    return of_a.position - goal;
  }
  /// Throws PathJumps if x(t + h) − x(t) differs from the integral of the velocity by more than half a step
  /// at what that is seen to vary by: no more is known of a path between the steps, whose velocity may jump.
  void check_step(const S& t, const S& h) const {
    using T = Dual<S, 1>;
    typename Step::Rates x, v;
    const auto times = Step::times(t, h);
    for (std::size_t k = 0; k < Step::samples; ++k) {
      const Vec<T, 3> at = path(T(times[k]) + detail::seed<T>(0));
      for (int i = 0; i < 3; ++i) {
        x[k][i] = at[i].value();
        v[k][i] = at[i].derivative(0);
      }
    }
    const Step step(x.front(), x.back(), v, h);
    if (!step.followed_but_for_jumping_rates(h)) [[unlikely]]
      refuse(step.moved, " m", t, h, "which its velocity does not");
  }
  /// The same for methods that would leave the path where it has a corner: only the second derivative may
  /// jump. A jump of it by c makes the integral of the velocity miss 0.018 ch² at most.
  void check_smooth_step(const S& t, const S& h) const {
    using T = Dual<S, 1>;
    using T2 = Dual<T, 1>;
    typename Step::Rates x, v, second;
    const auto times = Step::times(t, h);
    for (std::size_t k = 0; k < Step::samples; ++k) {
      const Vec<T2, 3> at = path(T2(T(times[k]) + detail::seed<T>(0)) + detail::seed<T2>(0));
      for (int i = 0; i < 3; ++i) {
        x[k][i] = at[i].value().value();
        v[k][i] = at[i].value().derivative(0);
        second[k][i] = at[i].derivative(0).derivative(0);
      }
    }
    const Step step(x.front(), x.back(), v, h), change(v.front(), v.back(), second, h);
    if (!change.followed_but_for_jumping_rates(h)) [[unlikely]]
      refuse(change.moved, " m/s in its velocity", t, h,
             "and this method does not put states back onto the constraints");
    if (!step.followed(h * h * change.spread / S(20))) [[unlikely]]
      refuse(step.moved, " m", t, h, "which its velocity does not");
  }

 private:
  using Step = dalembert::detail::PathStep<S, 3>;

  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(const S& moved, const char* unit, const S& t,
                                                            const S& h, const char* why) {
    throw PathJumps(message({"PathJumps: the path of a prescribed marker moves by ", moved, unit,
                             " in a step of ", h, " s, ", why}),
                    number::plain(t));
  }
};

}  // namespace dalembert::assembly
