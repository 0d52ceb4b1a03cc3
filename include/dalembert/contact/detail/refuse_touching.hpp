#pragma once

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/touching.hpp>

/// What an assembly whose bodies touch cannot be asked, in a sentence of the compiler.
namespace dalembert::assembly {

namespace detail {

/// What knows bodies and constraints alone.
template <class S>
constexpr void refuse_touching() {
  static_assert(sizeof(S) == 0,
                "equilibria, modes and linearised motions know no contacts that open: name them as "
                "constraints, or leave `Touching` out");
}

}  // namespace detail

/// Refused by the compiler, as those below.
template <class Bodies, class S, class... C, class... More>
void static_equilibrium(const Assembly<Bodies, contact::WithTouching<S, C...>>&, More&&...) {
  detail::refuse_touching<S>();
}
/// Refused.
template <class Bodies, class S, class... C, class... More>
void modes(const Assembly<Bodies, contact::WithTouching<S, C...>>&, More&&...) {
  detail::refuse_touching<S>();
}
/// Refused.
template <class Bodies, class S, class... C, class... More>
void linearization(const Assembly<Bodies, contact::WithTouching<S, C...>>&, More&&...) {
  detail::refuse_touching<S>();
}
/// Refused.
template <class Bodies, class S, class... C, class... More>
void highest_frequency(const Assembly<Bodies, contact::WithTouching<S, C...>>&, More&&...) {
  detail::refuse_touching<S>();
}

}  // namespace dalembert::assembly
