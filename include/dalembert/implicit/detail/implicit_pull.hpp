#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <dalembert/core/number.hpp>
#include <dalembert/implicit/detail/implicit_kind.hpp>

/// Where loads lie between q₀ and q₁, position rows pull along a discrete gradient D of φ instead of CA,
/// so that they do no work:
///   D = CA + ε (M Δ)ᵀ/(ΔᵀMΔ),  ε = φ₁ − φ₀ − h C u                                    (1)
/// over the nodes that bear the constraint, with the squares of their weights. Source: Gonzalez 1999, Comput.
/// Methods Appl. Mech. Eng. 174, 185 (discrete gradients of constraints).
namespace dalembert::assembly::detail {

/// Σ size²/(CA M⁻¹ AᵀCᵀ) over the position rows of a constraint.
template <class S>
[[nodiscard]] S square_of_placing(ImplicitKind<S>& kind, std::size_t number, const Inertias<S>& inertia) {
  const int R = kind.sizes.rows, P = kind.sizes.positions;
  const LinearisedRows<S>& one = kind.rows(number);
  S moves[most_rows] = {};
  kind.find_places(number);
  one.each_node([&](const Window& v, Eigen::Index k, const S* rows, const S*) {
    for (int p = 0; p < P; ++p)
      for (int i = 0; i < 6; ++i) {
        S on(0);
        for (int r = 0; r < R; ++r) on += one.along(p, r) * rows[6 * r + i];
        moves[p] += inertia[v.body].inverse(k, i) * on * on;
      }
  });
  S sum(0);
  for (int p = 0; p < P; ++p)
    if (moves[p] > S(0)) sum += one.error_sizes[p] * one.error_sizes[p] / moves[p];
  return sum;
}

/// f += w M Δ/(ΔᵀMΔ) on the nodes of a constraint, where w is the work that its pull λ still does, of
/// which (1) takes at most a part: while Newton's method is under way it may be anything. Where next to
/// nothing moves, w is round-off, and is not divided by less.
template <class S>
void pull_along_motion(const ImplicitKind<S>& kind, std::size_t number, S work, const S* lambda,
                       const Inertias<S>& inertia, const NodeNumbers<S>& moved, NodeNumbers<S>& f) {
  if (number::is_zero(work)) return;
  const int R = kind.sizes.rows;
  const LinearisedRows<S>& one = kind.rows(number);
  const auto share = [&](const Window& v, Eigen::Index k) {  // α² grows from nothing at a window's end
    if (one.view.nodes != nullptr) return S(1);
    const S alpha = one.weight(v, k);
    return S(alpha * alpha);
  };
  S size(0), strength(0);
  const S length = kind.length(number);
  const S rounding = S(16) * std::numeric_limits<S>::epsilon() * length * length;
  one.each_node([&](const Window& v, Eigen::Index k, const S*, const S* pulls) {
    for (int i = 0; i < 6; ++i) {
      const S inverse = inertia[v.body].inverse(k, i), x = moved[v.body](k, i);
      if (!(inverse > S(0))) continue;
      S pull(0);
      for (int r = 0; r < R; ++r) pull += pulls[6 * r + i] * lambda[r];
      strength += inverse * pull * pull;
      size += share(v, k) * (x * x + (i < 3 ? rounding : S(0))) / inverse;
    }
  });
  if (!(size > S(0))) return;
  const S most = S(0.25) * number::sqrt(strength * size);
  const S factor = std::clamp(work, S(-most), most) / size;
  one.each_node([&](const Window& v, Eigen::Index k, const S*, const S*) {
    for (int i = 0; i < 6; ++i) {
      const S inverse = inertia[v.body].inverse(k, i);
      if (inverse > S(0)) f[v.body](k, i) += factor * share(v, k) * moved[v.body](k, i) / inverse;
    }
  });
}

}  // namespace dalembert::assembly::detail
