#pragma once

#include <type_traits>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/small_inverse.hpp>

/// Rows of which some are friction.
namespace dalembert::assembly::detail {

struct NoFriction {};

/// C(A v + b) = 0 of a constraint of R rows holds exactly; T(A v + b + ελ) = 0 is friction, T = 1 − N,
/// N = Cᵀ(C Cᵀ)⁻¹C. For a load, or an impulse, that lasts for a duration τ the system is
/// G + (ε/τ)T. It is solved in the unknowns D⁻¹λ, so that no number in it grows with ε/τ:
///   (D G D + κT) D⁻¹λ = D b,   D = N + θT,                                             (1)
///   θ² = τg/(τg + ε),  κ = εg/(τg + ε),  g the mean of G_ii
/// For τ = 0 friction has no time to act, and only the exact rows are solved.
template <class S, int P, int R>
struct FrictionRows {
  S mobility{};                 ///< ε
  S resistance{};               ///< κ
  Eigen::Matrix<S, R, P> lift;  ///< Cᵀ(C Cᵀ)⁻¹
  Mat<S, R> exact;              ///< N
  Mat<S, R> shape;              ///< D
  Vec<S, R> load;               ///< friction that is among the loads already

  /// For these ε and C. Where ε is zero all rows are exact.
  void find(S epsilon, const Eigen::Matrix<S, P, R>& along) {
    mobility = epsilon;
    load.setZero();
    lift.setZero();
    exact.setIdentity();
    shape.setIdentity();
    resistance = S(0);
    if (!(epsilon > S(0))) return;
    exact.setZero();
    if constexpr (P > 0) {
      Eigen::Matrix<S, P, R> inverse;
      linalg::find_pseudo_inverse(along, inverse);
      if (!dalembert::detail::all_finite(inverse)) return;
      lift = inverse.transpose();
      exact = lift * along;
    }
  }
  /// D and κ of (1).
  void set_duration(S duration, S g) {
    if (!(mobility > S(0))) return;
    const S inverse = S(1) / (duration * g + mobility);
    const S theta = number::sqrt(duration * g * inverse);
    resistance = mobility * g * inverse;
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < R; ++s) shape(r, s) = theta * (r == s ? S(1) : S(0)) + (S(1) - theta) * exact(r, s);
  }
  /// The lower half of G, laid out as in `SmallInverse`, becomes that of (1).
  void resist(S (&g)[R * (R + 1) / 2]) const {
    if (!(mobility > S(0))) return;
    Mat<S, R> whole;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < R; ++j) whole(i, j) = g[linalg::SmallInverse<S, R>::at(i, j)];
    for (int i = 0, k = 0; i < R; ++i)
      for (int j = 0; j <= i; ++j, ++k) {
        g[k] = resistance * ((i == j ? S(1) : S(0)) - exact(i, j));
        for (int p = 0; p < R; ++p)
          for (int q = 0; q < R; ++q) g[k] += shape(i, p) * whole(p, q) * shape(q, j);
      }
  }
  /// T x.
  [[nodiscard]] Vec<S, R> rubbing(const Vec<S, R>& x) const { return x - exact * x; }
  /// What the rows leave for given ẇ = A a + Ȧv + ḃ, slip and multipliers: N ẇ + T(u + ελ).
  [[nodiscard]] Vec<S, R> left(const Vec<S, R>& rate, const Vec<S, R>& slip, const Vec<S, R>& lambda) const {
    return rate - rubbing(rate) + rubbing(slip + mobility * lambda);
  }
  /// The friction −T u/ε of a slip u; zero where there is none.
  [[nodiscard]] Vec<S, R> force(const Vec<S, R>& slip) const {
    if (!(mobility > S(0))) return Vec<S, R>::Zero();
    return rubbing(slip) / -mobility;
  }
};

/// The block G of the rows of two constraints, `RowsView`, becomes D_a G D_b, and + κT where they are one.
/// Position rows know nothing of friction.
template <class View, class Block>
void add_friction(const View& a, const View& b, bool positions, Block& g) noexcept {
  if (positions) return;
  using S = std::remove_all_extents_t<Block>;
  // a column of G times D_a, or a row of it times D_b: `entry(i)` is number i of it
  const auto multiply = [](const View& by, bool from_left, const auto& entry) {
    S moved[std::extent_v<Block>];
    for (int p = 0; p < by.rows; ++p) moved[p] = entry(p);
    for (int r = 0; r < by.rows; ++r) {
      entry(r) = S(0);
      for (int p = 0; p < by.rows; ++p)
        entry(r) += S(by.shape[from_left ? by.rows * p + r : by.rows * r + p]) * moved[p];
    }
  };
  for (int s = 0; a.shape && s < b.rows; ++s) multiply(a, true, [&](int r) -> S& { return g[r][s]; });
  for (int r = 0; b.shape && r < a.rows; ++r) multiply(b, false, [&](int s) -> S& { return g[r][s]; });
  if (&a != &b || !a.shape) return;
  for (int r = 0; r < a.rows; ++r)
    for (int s = 0; s < a.rows; ++s)
      g[r][s] += S(a.resistance) * ((r == s ? S(1) : S(0)) - S(a.exact[a.rows * s + r]));
}

}  // namespace dalembert::assembly::detail
