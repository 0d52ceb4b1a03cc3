#pragma once

#include <dalembert/assembly/state.hpp>
#include <dalembert/rod/detail/stages.hpp>

/// Stages of a step of an assembly: slopes at an offset from the base of the step, and states there.
namespace dalembert::assembly::detail {

/// (ṙ, J_r⁻¹(θ) ω, r̈, ω̇) of chains, (u_t, u_tt) of lines, for a stage at `offset`.
template <class S>
void slope(const State<S>& at, const Increment<S>& offset, const NodeNumbers<S>& acceleration,
           Increment<S>& k) noexcept {
  for (std::size_t i = 0; i < at.chains.size(); ++i) {
    rod::detail::slope_of_displacement(at[i], offset.displacement[i], k.displacement[i]);
    k.velocity[i] = acceleration[i];
  }
  for (std::size_t i = 0; i < at.lines.size(); ++i) {
    k.displacement.lines[i] = at.lines[i].velocity;
    k.velocity.lines[i] = acceleration.lines[i];
  }
}

/// Chains and lines of at ⊕ offset.
template <class S>
void retract(const State<S>& at, const Increment<S>& offset, State<S>& state) {
  for (std::size_t i = 0; i < at.chains.size(); ++i)
    rod::detail::retract(at[i], offset.displacement[i], offset.velocity[i], state[i]);
  for (std::size_t i = 0; i < at.lines.size(); ++i) {
    state.lines[i].displacement = at.lines[i].displacement + offset.displacement.lines[i];
    state.lines[i].velocity = at.lines[i].velocity + offset.velocity.lines[i];
  }
}

}  // namespace dalembert::assembly::detail
