#pragma once

#include <dalembert/assembly/body.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/tangents/load_differences.hpp>

/// The derivatives of loads on a body and what they do to its highest frequency, for `WithLoad`.
namespace dalembert::assembly::detail {

/// Whether a load may depend on velocities.
template <class L>
inline constexpr bool sees_velocities = !(requires { requires !L::depends_on_velocities; });

/// f(load) for a load, or for each of a sum.
template <class L, class F>
void each_load(const L& load, const F& f) {
  if constexpr (requires { load.each_load(f); })
    load.each_load(f);
  else
    f(load);
}

/// Whether a load tells its derivatives, by add_stiffness or add_damping.
template <class L, class B, DerivativeBy by, class S = typename B::Scalar>
inline constexpr bool is_told = requires(const L& load, const B& body, const Chain<S>& at, S t,
                                         AddBlock<S> add) {
  requires by == DerivativeBy::place;
  load.add_stiffness(body, at, t, add);
}
|| requires(const L& load, const B& body, const Chain<S>& at, S t, AddBlock<S> add) {
  requires by == DerivativeBy::velocity;
  load.add_damping(body, at, t, add);
};

/// add(k, l, −∂f_k/∂(δr_l, Σ_l)), or by (ṙ_l, ω_l), as far as loads tell it.
template <DerivativeBy by, class L, class B, class Add, class S = typename B::Scalar>
void add_told(const L& loads, const B& body, const Chain<S>& at, S t, const Add& add) {
  each_load(loads, [&]<class One>(const One& load) {
    if constexpr (!is_told<One, B, by>)
      return;
    else if constexpr (by == DerivativeBy::place)
      load.add_stiffness(body, at, t, add);
    else
      load.add_damping(body, at, t, add);
  });
}
/// The same of all loads: of those that do not tell it by differences.
template <DerivativeBy by, class L, class B, class Add, class S = typename B::Scalar>
void add_whole(const L& loads, const B& body, const Chain<S>& at, S t, const Add& add,
               WithoutDerivative without = WithoutDerivative::refuse) {
  add_told<by>(loads, body, at, t, add);
  each_load(loads, [&]<class One>(const One& load) {
    if constexpr (!is_told<One, B, by> && (by == DerivativeBy::place || sees_velocities<One>))
      LoadDifferences<S>(at, length_of_body(body, at), by, without,
                         [&](const Chain<S>& moved, Columns<S, 6>& f) { load.add(body, moved, t, f); })
          .tell([&](Eigen::Index k, Eigen::Index l, const Mat<S, 6, 6>& block) { add(k, l, block); });
  });
}

/// Bounds on (1) of `WithLoad`: ω of a body alone, and what its loads add to it as if it were damping.
template <class S>
struct FrequencyBounds {
  S own{}, damping{};  // [rad/s, 1/s]

  /// γ + √(γ² + ω²), below 2 over which steps are stable.
  [[nodiscard]] S bound() const { return damping + number::sqrt(damping * damping + own * own); }
};

/// A bound on the norm of M^(−1/2) A M^(−1/2) for the matrix A of the derivatives of a load [of A/kg].
template <DerivativeBy by, class L, class B, class S = typename B::Scalar>
[[nodiscard]] S norm_by_inertia(const L& load, const B& body, const Chain<S>& at, S t) {
  Columns<S, 6> root = rod::zero_columns<S, 6>(at.nodes), rows = root, columns = root;
  for (Eigen::Index k = 0; k < at.nodes; ++k) {
    const NodeInertia<S> inertia = node_inertia(body, k);
    for (int i = 0; i < 6; ++i)
      if (inertia.inverse[i] > S(0)) root(k, i) = number::sqrt(inertia.inverse[i]);
  }
  const auto add = [&](Eigen::Index k, Eigen::Index l, const auto& block) {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const S size = number::abs(block(i, j)) * root(k, i) * root(l, j);
        rows(k, i) += size;
        columns(l, j) += size;
      }
  };
  add_whole<by>(load, body, at, t, add, WithoutDerivative::skip);
  return number::sqrt(S(rows.maxCoeff() * columns.maxCoeff()));  // ‖A‖₂² ≤ ‖A‖₁‖A‖∞
}

/// γ for which γ + √(γ² + ω²) is the bound ω of a body's frequencies, raised by one load.
template <class L, class B, class S = typename B::Scalar>
[[nodiscard]] S damping_like(const L& load, const B& body, const Chain<S>& at, S t, S omega) {
  S raised;
  if constexpr (requires { load.frequency_bound(body, at, omega); }) {
    raised = load.frequency_bound(body, at, omega);
  } else {
    const S stiffness = norm_by_inertia<DerivativeBy::place>(load, body, at, t);
    const S damping = norm_by_inertia<DerivativeBy::velocity>(load, body, at, t);
    raised = FrequencyBounds<S>{number::sqrt(omega * omega + stiffness), damping}.bound();
  }
  return raised > omega ? S((raised * raised - omega * omega) / (S(2) * raised)) : S(0);
}
/// The same of a sum: 2γΩ + ω² ≥ Ω² holds for the sum of the γ, whatever the loads are.
template <class L, class B, class S = typename B::Scalar>
[[nodiscard]] S damping_like_all(const L& loads, const B& body, const Chain<S>& at, S t, S omega) {
  S sum(0);
  each_load(loads, [&](const auto& load) { sum += damping_like(load, body, at, t, omega); });
  return sum;
}

}  // namespace dalembert::assembly::detail
