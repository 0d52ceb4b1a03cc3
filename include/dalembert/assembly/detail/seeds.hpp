#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include <dalembert/assembly/marker.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/lie/detail/triple.hpp>

/// What bears a place, moved by numbers T that carry derivatives. All derivatives of what constraints say
/// begin here.
namespace dalembert::assembly::detail {

/// Zero, whose derivative number `number` is 1.
template <class T>
[[nodiscard]] T seed(int number) {
  return T::variable(typename T::Scalar(0), number);
}
/// Three of them.
template <class T>
[[nodiscard]] Vec<T, 3> seeds(int first) {
  return {seed<T>(first), seed<T>(first + 1), seed<T>(first + 2)};
}
/// The derivatives number `number` of numbers.
template <class T, int N>
[[nodiscard]] Vec<typename T::Scalar, N> slopes_of(const Vec<T, N>& x, int number = 0) {
  Vec<typename T::Scalar, N> slopes;
  for (int i = 0; i < N; ++i) slopes[i] = x[i].derivative(number);
  return slopes;
}
template <class T>
[[nodiscard]] dalembert::detail::OneRow<typename T::Scalar> slopes_of(const dalembert::detail::OneRow<T>& x,
                                                                      int number = 0) {
  return {x.value.derivative(number)};
}
/// A vector in other numbers.
template <class T, class S>
[[nodiscard, gnu::always_inline]] inline Vec<T, 3> in_numbers(const Vec<S, 3>& v) {
  return {T(v[0]), T(v[1]), T(v[2])};
}

/// As it is, without its velocities.
template <class T, class S>
[[nodiscard]] PointState<T> at_rest(const Point<S>& p) {
  const Vec<T, 3> zero(T(S(0)), T(S(0)), T(S(0)));
  return {in_numbers<T>(p.R), in_numbers<T>(p.dR), p.rotation.template cast<T>(), zero, zero};
}
/// As it is, moving: a point, or the same in numbers with fewer derivatives.
template <class T, class P>
[[nodiscard, gnu::always_inline]] inline PointState<T> moving(const P& p) {
  return {in_numbers<T>(p.R), in_numbers<T>(p.dR), p.rotation.template cast<T>(), in_numbers<T>(p.V),
          in_numbers<T>(p.W)};
}

/// Turned by θ, Λ ← exp(θ̂)Λ, to second order.
template <class T>
void turn(PointState<T>& m, const Vec<T, 3>& theta) {
  m.rotation = SO3<T>::exp_to_second_order(theta) * m.rotation;
}
/// Moved along its body by s [m].
template <class T, class S>
void slide_along(PointState<T>& m, const Point<S>& p, const T& s) {
  for (int j = 0; j < 3; ++j) {
    m.R[j] += p.dR[j] * s;
    m.dR[j] += p.ddR[j] * s;
  }
}

/// What changes at this rate, by the time ε: x + ẋε.
template <class T>
[[nodiscard]] Dual<T, 1> changing(const T& x, const T& rate) {
  Dual<T, 1> all(x);
  all.set_derivative(0, rate);
  return all;
}
template <class T>
[[nodiscard]] Vec<Dual<T, 1>, 3> changing(const Vec<T, 3>& x, const Vec<T, 3>& rate) {
  return {changing(x[0], rate[0]), changing(x[1], rate[1]), changing(x[2], rate[2])};
}

/// φ̇ of the position rows of an evaluator, for frames that move as they are seen to.
template <class E, class T, std::size_t N>
[[nodiscard]] auto position_rate(const E& evaluator, const std::array<FrameState<T>, N>& x, const T& t) {
  using D = Dual<T, 1>;
  std::array<FrameState<D>, N> later;
  for (std::size_t i = 0; i < N; ++i) {
    const auto& [position, tangent, rotation, velocity, omega] = x[i];
    // the quaternion (w, v) turns at ½ (0, ω)(w, v)
    const dalembert::detail::Triple<T> v(rotation.v());
    const dalembert::detail::Triple<T> half = constant<T>(0.5L) * dalembert::detail::Triple<T>(omega);
    later[i] = {
        changing(position, velocity), in_numbers<D>(tangent),
        SO3<D>::from_unit_quaternion(changing(rotation.w(), T(-dot(half, v))),
                                     changing(rotation.v(), Vec<T, 3>(rotation.w() * half + cross(half, v)))),
        in_numbers<D>(velocity), in_numbers<D>(omega)};
  }
  return slopes_of(evaluator.position(later, changing(t, T(1))));
}

/// φ of an evaluator for markers whose nodes are displaced and turned, and later: step(i) is the change of
/// number i of three displacements and three turns for each of them, and at last of the time.
template <class E, class S, class Step>
[[nodiscard]] auto moved_position(const E& evaluator, const typename E::Points& points, const S& time,
                                  const Step& step) {
  using T = decltype(step(0));
  const auto x = evaluator.template seen<T>([&](auto i) {
    constexpr int first = 6 * static_cast<int>(i);
    const auto& place = std::get<i>(evaluator.markers());
    const Vec<T, 3> theta(step(first + 3), step(first + 4), step(first + 5));
    PointState<T> m = at_rest<T>(points[i]);
    for (int j = 0; j < 3; ++j) m.R[j] += step(first + j);
    turn(m, theta);
    if constexpr (std::remove_cvref_t<decltype(place)>::slides)  // its position is that of the material
      if (place.beside_node())
        m.R = dalembert::detail::plus_cross(m.R, theta, in_numbers<T>(place.arm(points[i])));
    return m;
  });
  return evaluator.position(x, T(time) + step(E::changes));
}

}  // namespace dalembert::assembly::detail
