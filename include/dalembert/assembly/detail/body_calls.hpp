#pragma once

#include <cstddef>

#include <dalembert/assembly/body.hpp>

/// The functions beside a body, for callers that have members of the same names, and the ones that a body
/// may have in two forms.
namespace dalembert::assembly::detail {

template <class B, class X>
[[nodiscard]] typename B::Scalar energy_of_motion(const B& body, const X& x) {
  return kinetic_energy(body, x);
}
template <class B, class X>
[[nodiscard]] typename B::Scalar energy_of_position(const B& body, const X& x) {
  return potential_energy(body, x);
}

/// A bound on frequencies about a configuration, under loads at a time.
template <class B, class X, class S>
[[nodiscard]] S bound_of_frequency(const B& body, const X& x, S time) {
  if constexpr (requires { frequency_bound(body, x, time); })
    return frequency_bound(body, x, time);
  else
    return frequency_bound(body, x);
}

/// Loads of a configuration at a time; false where they mean nothing.
template <class B, class X, class F, class S>
[[nodiscard]] bool forces_of(const B& body, const X& at, S time, F& f) {
  if constexpr (requires { body.forces(at, time, f); })
    return body.forces(at, time, f);
  else
    return body.forces(at, f);
}
template <class B, class X, class F, class S>
[[nodiscard]] S power_of_loads(const B& body, const X& at, const F& a, const F& f, S time) {
  if constexpr (requires { load_power(body, at, a, f, time); })
    return load_power(body, at, a, f, time);
  else
    return load_power(body, at, a, f);
}

/// What body i of this kind has of a state, or of numbers for all nodes: its part of the chains, or of the
/// lines.
template <class B, class X>
[[nodiscard]] auto& entry(X& x, std::size_t i) noexcept {
  if constexpr (LineBody<B>)
    return x.lines[i];
  else
    return x[i];
}

}  // namespace dalembert::assembly::detail
