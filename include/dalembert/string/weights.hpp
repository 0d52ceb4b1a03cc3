#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <vector>

#include <dalembert/contact/kernel.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

/// How a contact is spread over the points of a string: weights α_j, j = −R … R, of the points around
/// the one that is nearest, with sum 1.
///   weights(spacing)    an object for strings whose points have that distance [m], with
///     reach()           R
///   (offset, alpha)   writes α_{−R} … α_R, for a contact that lies `offset` times the spacing,
///     −½ … ½, to
///                       the right of the nearest point
///     (offset, ratio, alpha)   the same where it matters that the contact moves, at `ratio` times the waves
/// A force on some points acts back on the same points after the time that waves take between them, so that a
/// positive kernel sees itself late, by its mean distance from itself Σ|j| (α⋆α)_j, to first order in
/// its width. `CorrectedGaussian` makes that zero. With C(y) the autocorrelation of the kernel at a distance
/// of y points and q± = 1 ∓ σ/c, waves that left a contact m steps ago, which moves at σ, count C(q±m)
/// in its mean. With steps of length τ that mean is off by
///   (τ/c) (λ̇ M + ½ λ Ṁ),   M = ½ Σ_{m ≥ 1} m (C(q₊m) + C(q₋m))                           (1)
/// and M is zero at all speeds only if the kernel follows them: Σ m C(qm) is ∫ y C(y) dy/q² but for what
/// a sum differs from an integral by, −C(0)/12 + q² C″(0)/240 − …, which does not scale with 1/q².
namespace dalembert::strings {

/// A policy of weights; see the head of this file.
template <class W>
concept Averaging = requires(const W& averaging, double spacing, double* alpha) {
  { averaging.weights(spacing).reach() } -> std::convertible_to<int>;
  averaging.weights(spacing)(0.25, alpha);
};

namespace detail {

/// Throws std::invalid_argument unless the width in points is positive, finite and not absurd; returns it.
template <PlainReal S>
[[nodiscard]] S checked_width(S width, S points, S spacing, const char* owner) {
  using std::isfinite;
  require(isfinite(width) && width >= 0, owner, "width", width, "it must be finite and not negative [m]");
  const S in_points = width > 0 ? width / spacing : points;
  require(isfinite(in_points) && in_points >= S(0.5L) && in_points < S(1e5L), owner, "width in points",
          in_points, "it must be at least one half, or weights depend on how points and contact meet");
  return in_points;
}

/// exp(−x²/2w²) times a polynomial q(x²/w²) of degree 2 over the points, x = j − offset, normalised.
template <PlainReal S>
class GaussianPolynomial {
 public:
  /// Of width w in points over `reach` widths to each side, with q(y) = q0 + q1 y + q2 y².
  GaussianPolynomial(S width, int reach, S q0, S q1, S q2)
      : width_(width), reach_(static_cast<int>(std::ceil(S(reach) * width))), q_{q0, q1, q2} {
    for (int j = -reach_; j <= reach_; ++j) table_.push_back(std::exp(-S(j) * S(j) / (2 * w2())));
  }

  [[nodiscard]] int reach() const noexcept { return reach_; }

  /// exp(−(j − o)²/2w²) = exp(−o²/2w²) exp(−j²/2w²) exp(o/w²)^j, and the first factor is the
  /// same for all. Four points at a time, so that operations need not wait for each other.
  void operator()(S offset, S* alpha) const { write(offset, q_[0], q_[1], q_[2], alpha); }
  /// The same with another polynomial.
  void write(S offset, S q0, S q1, S q2, S* alpha) const {
    const S scale = 1 / w2(), ratio = std::exp(offset * scale), fourth = (ratio * ratio) * (ratio * ratio);
    const S lowest = std::exp(-S(reach_) * offset * scale), from = -S(reach_) - offset;
    S power[4] = {lowest, lowest * ratio, lowest * ratio * ratio, lowest * ratio * ratio * ratio};
    S place[4] = {from, from + 1, from + 2, from + 3}, sums[4] = {0, 0, 0, 0};
    const int count = 2 * reach_ + 1;
    const S* const bell = table_.data();
    int i = 0;
    for (; i + 3 < count; i += 4)
      for (int k = 0; k < 4; ++k) {
        const S y = place[k] * place[k] * scale, a = bell[i + k] * power[k] * (q0 + y * (q1 + y * q2));
        alpha[i + k] = a;
        sums[k] += a;
        power[k] *= fourth;
        place[k] += 4;
      }
    for (int k = 0; i + k < count; ++k) {
      const S y = place[k] * place[k] * scale;
      sums[k] += alpha[i + k] = bell[i + k] * power[k] * (q0 + y * (q1 + y * q2));
    }
    const S factor = 1 / ((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (int j = 0; j < count; ++j) alpha[j] *= factor;
  }

 private:
  [[nodiscard]] S w2() const noexcept { return width_ * width_; }

  S width_;
  int reach_;
  S q_[3];
  std::vector<S> table_{};
};

/// The kernel of `CorrectedGaussian`, exp(−y/2) (1 − ½He₂ + b He₄) with y = x²/w², whose b follows
/// the speed of the contact.
template <PlainReal S>
class MovingGaussian {
 public:
  /// Of width w in points, with b for a contact at rest.
  MovingGaussian(S w, S b) : bell_(w, 8, 1, 0, 0) {
    const S narrow = std::min(w, S(32)), share = (narrow / w) * (narrow / w), rest = factor(narrow, 0);
    std::array<S, nodes + 2> at{};  // that of ratio² = i/nodes; beyond the ends as beside them
    for (int i = 0; i <= nodes; ++i)
      at[static_cast<std::size_t>(i)] =
          b + share * (factor(narrow, std::sqrt(std::min(S(i) / S(nodes), S(0.96L)))) - rest);
    for (int i = 0; i < nodes; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const S next = at[k + 1], bend = i > 0 ? next - 2 * at[k] + at[k - 1] : at[2] - 2 * at[1] + at[0];
      table_[k] = {at[k], next - at[k] - bend / 2, bend / 2};
    }
  }

  [[nodiscard]] int reach() const noexcept { return bell_.reach(); }
  /// For a contact at rest.
  void operator()(S offset, S* alpha) const { (*this)(offset, 0, alpha); }
  /// For one that moves at `ratio` times the speed of the waves.
  void operator()(S offset, S ratio, S* alpha) const {
    const S square = ratio * ratio, place = S(nodes) * (square < S(0.999L) ? square : S(0.999L));
    const int i = static_cast<int>(place);
    const auto& c = table_[static_cast<std::size_t>(i)];
    const S t = place - S(i), b = c[0] + t * (c[1] + t * c[2]);
    bell_.write(offset, S(1.5L) + 3 * b, -S(0.5L) - 6 * b, b, alpha);
  }

  /// The b that makes M of (1) zero at a ratio σ/c. In the limit of smooth sums over points the transform of
  /// the kernel is exp(−κ²/2) (1 + ½κ² + bκ⁴), κ = wk, and κ²ⁿ in that of C stands for
  /// (−½)ⁿ He₂ₙ(z) exp(−z²/2), z = y/(√2 w).
  [[nodiscard]] static S factor(S w, S ratio) {
    S sums[3] = {0, 0, 0};  // M = sums₀ + b sums₁ + b² sums₂
    for (const S q : {1 - ratio, 1 + ratio})
      for (S m = 1, z = 0; z < 9; ++m) {
        z = q * m / (std::sqrt(S(2)) * w);
        S he[9] = {1, z};
        for (int n = 1; n < 8; ++n) he[n + 1] = z * he[n] - S(n) * he[n - 1];
        const S g = m * std::exp(-z * z / 2);
        sums[0] += g * (1 - he[2] / 2 + he[4] / 16);
        sums[1] += g * (he[4] / 2 - he[6] / 8);
        sums[2] += g * he[8] / 16;
      }
    const S half = sums[1] / (2 * sums[2]);
    return std::sqrt(half * half - sums[0] / sums[2]) - half;
  }

 private:
  static constexpr int nodes = 64;

  GaussianPolynomial<S> bell_;
  std::array<std::array<S, 3>, nodes>
      table_{};  // b in each part of ratio², a parabola in its share of the part
};

}  // namespace detail

/// The Gaussian exp(−x²/2w²), of which Σ|j| (α⋆α)_j = 2w/√π: accurate to first order in its
/// width.
template <PlainReal S = double>
struct Gaussian {
  S width = 0;         ///< w [m]; 0 for `points` instead
  S points = S(1.5L);  ///< w in units of the distance of points

  /// The weights on points with that distance [m]. They are cut off at 6 w.
  [[nodiscard]] detail::GaussianPolynomial<S> weights(S spacing) const {
    const S w = detail::checked_width(width, points, spacing, "Gaussian");
    return {w, 6, 1, 0, 0};
  }
};

/// The Gaussian times 1 − ½He₂(x/w) + b He₄(x/w), He_n the Hermite polynomials of probability: the
/// second moment is zero, so that it averages smooth waves to fourth order, and b makes Σ|j| (α⋆α)_j
/// zero, so that the contact does not see itself late. In the limit w ≫ 1 15b² + 14b − 7 = 0; on points
/// b differs by order 1/w², and follows the speed of the contact, so that (1) is zero.
template <PlainReal S = double>
struct CorrectedGaussian {
  S width = 0;         ///< w [m]; 0 for `points` instead
  S points = S(1.5L);  ///< w in units of the distance of points

  /// The weights on points with that distance [m]. They are cut off at 8 w.
  [[nodiscard]] detail::MovingGaussian<S> weights(S spacing) const {
    const S w = detail::checked_width(width, points, spacing, "CorrectedGaussian");
    return {w, tuned_factor(w)};
  }

  /// The weights of width w in points with a given b.
  [[nodiscard]] static detail::GaussianPolynomial<S> of_factor(S w, S b) {
    // 1 − ½(y − 1) + b (y² − 6y + 3), y = x²/w²
    return {w, 8, S(1.5L) + 3 * b, -S(0.5L) - 6 * b, b};
  }

  /// The b with Σ|j| (α⋆α)_j = 0, by Newton's method on the weights of a contact at a point and midway
  /// between two.
  [[nodiscard]] static S tuned_factor(S w) {
    using std::abs;
    S b = (std::sqrt(S(616)) - 14) / 30;
    for (int i = 0; i < 20; ++i) {
      const S step = S(1e-4L), value = lateness(w, b);
      const S slope = (lateness(w, b + step) - lateness(w, b - step)) / (2 * step);
      const S change = value / slope;
      b -= change;
      if (abs(change) < S(1e-12L)) break;
    }
    return b;
  }

  /// Σ|j| (α⋆α)_j of the weights of width w in points with that b, mean of a contact at a point and
  /// midway between two.
  [[nodiscard]] static S lateness(S w, S b) {
    using std::abs;
    const auto weights = of_factor(w, b);
    const int count = 2 * weights.reach() + 1;
    std::vector<S> alpha(static_cast<std::size_t>(count));
    S sum = 0;
    for (const S offset : {S(0), S(0.5L)}) {
      weights(offset, alpha.data());
      // Σ|i − k| α_i α_k = 2 Σ_m C_m (1 − C_m) with the sums C_m of the weights up to m
      S behind = 0;
      for (const S a : alpha) {
        behind += a;
        sum += behind * (1 - behind);
      }
    }
    return sum;
  }
};

/// A kernel of contact/kernel.hpp that reaches a bounded way, such as a B-spline.
template <contact::Kernel K, PlainReal S = double>
struct Spline {
  static_assert(K::reach > 0, "Spline: the kernel must vanish from some distance on");
  S width = 0;   ///< ℓ, the unit of the kernel's argument [m]; 0 for `points` instead
  S points = 1;  ///< ℓ in units of the distance of points
  K kernel{};    ///< B

  /// The weights.
  class Weights {
   public:
    /// With ℓ in points.
    Weights(const K& kernel, S width)
        : kernel_(kernel),
          width_(width),
          reach_(static_cast<int>(std::ceil(S(K::reach) * width + S(0.5L)))) {}

    /// R.
    [[nodiscard]] int reach() const noexcept { return reach_; }
    /// The weights at that offset.
    void operator()(S offset, S* alpha) const {
      S sum = 0;
      for (int j = -reach_; j <= reach_; ++j)
        sum += alpha[j + reach_] = kernel_((offset - S(j)) / width_).value;
      for (int i = 0; i < 2 * reach_ + 1; ++i) alpha[i] /= sum;
    }

   private:
    K kernel_;
    S width_;
    int reach_;
  };

  /// The weights on points with that distance [m].
  [[nodiscard]] Weights weights(S spacing) const {
    return {kernel, detail::checked_width(width, points, spacing, "Spline")};
  }
};

}  // namespace dalembert::strings
