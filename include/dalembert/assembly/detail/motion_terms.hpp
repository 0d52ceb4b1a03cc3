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
    if constexpr (P > 0) find_pull(c, points, lambda, time);
    if constexpr (!follows_positions) {
      Vec<S, R> rest = lambda;
      if constexpr (P > 0)
        rest -= normal_;
      else
        pull.setZero(), curvature.setZero();
      for (int along = 0; along < 6 * N; ++along) {
        differentiate([&](const auto&... x) { return c.velocity(x...); }, c, points, time, along, rows,
                      Traits::Has::reaction ? nullptr : &rest);
        if constexpr (Traits::Has::reaction)
          differentiate([&](const auto&... x) { return c.reaction(x...); }, c, points, time, along, pulls,
                        &rest);
      }
      if constexpr (!Traits::Has::reaction) pulls = rows;
    }
    if constexpr (Traits::Has::velocity) {
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
  using Has = typename Traits::Has;
  static_assert(!Has::reaction || Has::velocity,
                "a constraint with reaction rows says its velocity rows too");
  /// Whether the rows are the rates of the position rows.
  static constexpr bool follows_positions =
      Traits::positions == R && !Has::reaction && !(Has::along && Has::velocity);
  /// Position rows of which the pull is a gradient: all of them, or, among velocity rows, one.
  static constexpr int P = follows_positions ? R : Traits::positions == 1 && !Has::reaction ? 1 : 0;

  /// The part Cᵀm of the multipliers that pulls along position rows φ, φ̇ = C u, and what follows from it: g = ∂(m·φ)/∂(R, θ), whose derivative is symmetric.
  void find_pull(const C& c, const Points& points, const Vec<S, R>& lambda, S time) {
    Vec<S, P> m;
    if constexpr (follows_positions) {
      m = normal_ = lambda;
    } else {
      const auto still = Static::template seen<S>(c, [&](auto i) { return at_rest<S>(points[i]); });
      const Eigen::Matrix<S, P, R> along =
          with_seen([&](const auto&... one) { return c.along(one...); }, still);
      S square(0), sum(0);
      for (int r = 0; r < R; ++r) {
        square += along(0, r) * along(0, r);
        sum += along(0, r) * lambda[r];
      }
      m[0] = sum / square;
      for (int r = 0; r < R; ++r) normal_[r] = along(0, r) * m[0];
    }
    Static terms;
    terms.find(c, points, m, time);
    pull = terms.pull;
    curvature = terms.curvature;
    if constexpr (follows_positions) {
      for (int r = 0; r < R; ++r)
        for (int a = 0; a < 6 * N; ++a) rows(r, a) = terms.slopes(r, a);
      pulls = rows;
    }
  }

  Vec<S, R> normal_;  // Cᵀm

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

  /// Column `along` of the matrix of a function u that is affine in V and W; where multipliers are given, g = ∂(λ·u)/∂(V, W) is added to.
  template <class F>
  void differentiate(const F& u, const C& c, const Points& points, S time, int along,
                     Eigen::Matrix<S, R, 6 * N>& matrix, const Vec<S, R>* lambda) {
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
    for (int r = 0; r < R; ++r) {
      const D slope = values[r].derivative(0);
      matrix(r, along) = slope.value();
      if (!lambda) continue;
      pull[along] += (*lambda)[r] * slope.value();
      for (int v = 0; v < variables; ++v) curvature(along, v) += (*lambda)[r] * slope.derivative(v);
    }
  }
};

}  // namespace dalembert::assembly::detail
