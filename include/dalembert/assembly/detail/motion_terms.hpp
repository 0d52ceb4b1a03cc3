#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include <dalembert/assembly/detail/static_terms.hpp>

/// What one constraint is in small motions about a state of rest. It sees the nodes through a few numbers per place, V and W, R and, of a place that
/// moves along a rod, R′, of a frame a turn θ, Λ ← exp(θ̂)Λ; and through s:
///   u = A_K (V, W) + b,   g = A_Vᵀλ      force and torque at each place, spatial                                    (1)
///   δg, δF                               by (R, R′, θ, s) of all places, for the same λ                             (2)
namespace dalembert::assembly::detail {

/// Equations (1) and (2) for constraints of kind C.
template <Constraint C>
struct MotionTerms {
  using Traits = ConstraintTraits<C>;
  using S = typename C::Scalar;
  static constexpr int N = Traits::places, R = Traits::rows, Z = Traits::slides;
  /// Six numbers for each place, R then R′ or θ, then s of those that slide.
  static constexpr int variables = 6 * N + Z;
  using Static = StaticTerms<C>;
  using D = Dual<S, variables>;
  using E = Dual<D, 1>;
  using Points = typename Static::Points;

  Eigen::Matrix<S, R, 6 * N> rows;               ///< A_K on (V, W) of each place
  Eigen::Matrix<S, R, 6 * N> pulls;              ///< A_V
  Vec<S, R> known;                               ///< b
  Vec<S, 6 * N> pull;                            ///< g
  Eigen::Matrix<S, 6 * N, variables> curvature;  ///< of g
  Vec<S, Z> apart;                               ///< F
  Eigen::Matrix<S, Z, variables> tangency;       ///< of F

  /// At these points, with these multipliers.
  void find(const C& c, const Points& points, const Vec<S, R>& lambda, S time) {
    known.setZero();
    if constexpr (!Traits::Has::velocity) {  // u = φ̇
      Static terms;
      terms.find(c, points, lambda, time);
      rows = pulls = terms.slopes;
      pull = terms.pull;
      curvature = terms.curvature;
    } else {
      pull.setZero();
      for (int along = 0; along < 6 * N; ++along) {
        differentiate([&](const auto&... x) { return c.velocity(x...); }, c, points, lambda, time, along,
                      rows);
        if constexpr (!Traits::Has::reaction)
          pulls = rows;
        else
          differentiate([&](const auto&... x) { return c.reaction(x...); }, c, points, lambda, time, along,
                        pulls);
      }
      const auto still = Static::template seen<S>(c, [&](auto i) { return at_rest<S>(points[i]); });
      known = with_seen([&](const auto&... one) { return c.velocity(one...); }, still, time);
    }
    if constexpr (Z > 0) {
      const auto x = Static::template seen<D>(c, [&](auto i) { return near<i>(points); });
      const Vec<D, Z> f = with_seen([&](const auto&... one) { return c.tangency(one...); }, x);
      for (int r = 0; r < Z; ++r) {
        apart[r] = f[r].value();
        for (int v = 0; v < variables; ++v) tangency(r, v) = f[r].derivative(v);
      }
    }
  }

 private:
  template <class T>
  [[nodiscard]] static Moving<T> at_rest(const Point<S>& p) {
    const Vec<T, 3> zero(T(S(0)), T(S(0)), T(S(0)));
    return {p.R.template cast<T>(), p.dR.template cast<T>(), p.rotation.template cast<T>(), zero, zero};
  }
  /// Place I near its point, by the variables.
  template <std::size_t I>
  [[nodiscard]] static Moving<D> near(const Points& points) {
    const Point<S>& p = points[I];
    constexpr int first = 6 * static_cast<int>(I);
    Moving<D> m = at_rest<D>(p);
    Vec<D, 3> turn;
    for (int j = 0; j < 3; ++j) {
      m.R[j] = D::variable(p.R[j], first + j);
      turn[j] = D::variable(S(0), first + 3 + j);
    }
    if constexpr (Static::template slides<I>) {
      const D s = D::variable(S(0), 6 * N + Static::template slide<I>);
      for (int j = 0; j < 3; ++j) {
        m.R[j] += p.dR[j] * s;
        m.dR[j] = D::variable(p.dR[j], first + 3 + j) + p.ddR[j] * s;
      }
    } else {
      m.rotation = SO3<D>::exp_to_second_order(turn) * m.rotation;
    }
    return m;
  }

  /// Column `along` of the matrix of a function u that is affine in V and W, and, of the last that is asked for, that of g = ∂(λ·u)/∂(V, W).
  template <class F>
  void differentiate(const F& u, const C& c, const Points& points, const Vec<S, R>& lambda, S time, int along,
                     Eigen::Matrix<S, R, 6 * N>& matrix) {
    const auto x = Static::template seen<E>(c, [&](auto i) {
      const Moving<D> at = near<i>(points);
      Moving<E> moved{at.R.template cast<E>(), at.dR.template cast<E>(), at.rotation.template cast<E>(),
                      at.V.template cast<E>(), at.W.template cast<E>()};
      const int j = along - 6 * static_cast<int>(i);
      if (j >= 0 && j < 3) moved.V[j] = E::variable(D(S(0)), 0);
      if (j >= 3 && j < 6) moved.W[j - 3] = E::variable(D(S(0)), 0);
      return moved;
    });
    const Vec<E, R> values = with_seen(u, x, E(D(time)));
    pull[along] = S(0);
    for (int v = 0; v < variables; ++v) curvature(along, v) = S(0);
    for (int r = 0; r < R; ++r) {
      const D slope = values[r].derivative(0);
      matrix(r, along) = slope.value();
      pull[along] += lambda[r] * slope.value();
      for (int v = 0; v < variables; ++v) curvature(along, v) += lambda[r] * slope.derivative(v);
    }
  }
};

}  // namespace dalembert::assembly::detail
