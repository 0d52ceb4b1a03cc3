#pragma once

#include <cstddef>

#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/state.hpp>

/// What a body may say in two forms, with the time or without it, and which numbers are those of a body.
namespace dalembert::assembly::detail {

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
  return chains_or_lines<LineBody<B>>(x)[i];
}

}  // namespace dalembert::assembly::detail
