#pragma once

#include <concepts>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/detail/saddle_point.hpp>
#include <dalembert/mechanics/principle.hpp>

/// Velocity rows over a step of finite length. With the dynamics taken in one state and the rows in another,
/// which may be that at the end of the step, the acceleration ξ̇ of the step and its reactions solve
///   M ξ̇ − R_Vᵀλ = f                           in the state in the middle                         (1)
///   R(end; v + s ξ̇) = 0                    s the time over which ξ̇ acts before the rows must hold  (2)
/// with (2) linearised about the velocity at the end, as A ξ̇ + (R − A(ξ_end − v))/s = 0 with A =
/// ∂R/∂ξ.
namespace dalembert::detail {

/// Whether a system is made of a group and rows of order 1 only, so that (1) and (2) say all.
template <class System>
inline constexpr bool has_step_acceleration =
    internal_size<System> == 0 && rows_of<PositionConstraint, System> == 0 &&
    rows_of<AccelerationConstraint, System> == 0;

template <class Group>
inline constexpr bool is_vector_space = false;
template <class S, int N>
inline constexpr bool is_vector_space<Rn<S, N>> = true;

/// Whether the velocities in the two states do not matter: M is constant, f depends on places and time only,
/// rows are affine.
template <class System>
inline constexpr bool step_acceleration_is_explicit =
    taken<Mass, System> == Arguments{} && taken<Force, System>.vectors == 0 &&
    !taken<Momentum, System>.vary_along_flow() && has<Mass, System> && has<Momentum, System> &&
    has_step_acceleration<System> && is_vector_space<typename System::Group> &&
    (rows_of<VelocityConstraint, System> == 0 || std::same_as<PrincipleOf<System>, principle::DAlembert>);

/// (2), and the rows R_V of (1), in a system that holds M and f already; `from` is v and `span` is s [s].
template <MechanicalSystem System, class S = ScalarOf<System>>
void add_step_rows(const System& system, const StateOf<System>& middle, const StateOf<System>& end,
                   const typename System::Group::Tangent& from, const S& span,
                   SaddlePoint<S, full_size<System>, kinematic_rows<System>, variational_rows<System>>& out) {
  if constexpr (0 < velocity_rows<System>) {
    const Vec<S, 0> none;
    const auto linear = linearised_velocity_rows(system, end, none);
    out.constraint = linear.jacobian;
    const S per_time = 1 / span;
    const Vec<S, velocity_rows<System>> rows =
        sum(linear.value, times(out.constraint, difference(from, end.xi)));
    for (int i = 0; i < velocity_rows<System>; ++i) out.drift[i] = rows[i] * per_time;
    if constexpr (derives_variational<System>) {
      if (&middle == &end)
        out.variational = out.constraint;
      else
        out.variational = linearised_velocity_rows(system, middle, none).jacobian;
    }
  }
  if constexpr (!derives_variational<System>)
    out.variational = call<Variational, System>(system, middle.g, middle.time, middle.xi, middle.z);
}

/// What the terms of (2) are like, added to what those of (1) are.
template <class S, int N, int K, int V>
void add_step_size(const Vec<S, N>& from, const S& span, SaddlePoint<S, N, K, V>& out) {
  using std::abs;
  if constexpr (K > 0) out.square_size += abs(inner(from, times(out.mass, from))) / (span * span);
}

}  // namespace dalembert::detail
