#pragma once

#include <dalembert/assembly/detail/body_calls.hpp>

/// The stiffness of a body in an implicit step, and of the loads on it: where a body says it in several forms, the one that suits the step.
namespace dalembert::assembly::detail {

/// add(k, l, K_kl) of a body and its loads at a time; a body may take room for it.
template <class B, class R, class X, class S, class Add>
void add_stiffness_in_room(const B& body, R& room, const X& at, S time, const Add& add) {
  if constexpr (requires { add_stiffness(body, at, room, add); }) {
    add_stiffness(body, at, room, add);
    if constexpr (requires { add_load_stiffness(body, at, time, add); })
      add_load_stiffness(body, at, time, add);
  } else {
    add_stiffness_of(body, at, time, add);
  }
}

/// The same of loads between two configurations, which are apart by `moved`; add_direct(k, l, K_kl) by `moved` itself.
template <class B, class R, class X, class M, class S, class Add, class Direct>
void add_stiffness_between(const B& body, R& room, const X& from, const X& middle, const X& to,
                           const M& moved, S time, const Add& add, const Direct& add_direct) {
  if constexpr (requires { add_discrete_stiffness(body, from, to, moved, room, add_direct); }) {
    add_discrete_stiffness(body, from, to, moved, room, add_direct);
    if constexpr (requires { add_load_stiffness(body, middle, time, add); })
      add_load_stiffness(body, middle, time, add);
  } else {
    add_stiffness_in_room(body, room, middle, time, add);
  }
}

/// add(k, l, factor D_kl) of the damping by loads at a time, if there is any.
template <class B, class X, class S, class Add>
void add_damping_times(const B& body, const X& at, S time, S factor, const Add& add) {
  if constexpr (requires { add_load_damping(body, at, time, add); })
    add_load_damping(body, at, time, [&](Eigen::Index k, Eigen::Index l, const auto& D) {
      add(k, l, Mat<S, 6, 6>(factor * D));
    });
}

}  // namespace dalembert::assembly::detail
