#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/linalg/krylov.hpp>
#include <dalembert/modes/modes.hpp>

/// Small motions about an equilibrium of any bodies under any constraints, nonholonomic ones too, with
/// damping and with loads that have no potential:
///   M q̈ + D q̇ + K q = A_Vᵀ δλ,   A_K q̇ = 0,   q = φ e^{st}                                    (1)
/// the linearised equations of Lagrange and d'Alembert. K and D are those of the bodies and of all loads at
/// the time of the state, D with ν M. K is unsymmetric where loads follow the bodies or friction holds:
/// equilibria may then flutter. Where s ≠ 0 also A_K φ = 0. Motions to equilibria near by, s = 0 with A_K
/// φ ≠ 0, which nonholonomic constraints leave, are not looked for. Found are those s nearest to a complex
/// shift σ, by Arnoldi's method on the inverse of (1) there, which takes one sparse LU decomposition of K +
/// σD + σ²M with A: O(N) where each constraint touches few nodes that are near each other along the
/// bodies. For small systems of any kind all of them are found by `analysis::linearization`.
/// Source: Tisseur & Meerbergen 2001, SIAM Rev. 43, 235 (quadratic eigenvalue problems).
namespace dalembert::assembly {

/// Which motions are looked for.
template <class S = double>
struct LinearizationOptions {
  int count = 10;  ///< how many
  /// σ, near which they are looked for [1/s], not 0; if nothing is said, a positive number near zero.
  std::optional<std::complex<S>> shift{};
  S tolerance = S(1e-9);  ///< of each residual
  S equilibrium_tolerance =
      S(1e-5);            ///< how far the state may be from equilibrium, relative to its size, or [rad]
  int largest_space = 0;  ///< directions among which they are looked for, at most; 0: 40 for each, and 100

  /// Throws std::invalid_argument for a number out of its range.
  void check() const {
    const char* const name = "LinearizationOptions";
    detail::check_search(name, "motion", *this);
    const S size = shift ? std::abs(*shift) : S(1);
    require(std::isfinite(size) && size > 0, name, "size of the shift", size,
            "it must be finite and not zero [1/s]");
  }
};

/// A motion Re(φ e^{st}); see the head of this file.
template <class S = double>
struct LinearMotion {
  std::complex<S> eigenvalue{};  ///< s [1/s]: it grows if the real part is positive
  NodeNumbers<S> real{};         ///< Re φ: of each node δr (spatial) and Σ (body)
  NodeNumbers<S> imaginary{};    ///< Im φ
  S residual{};  ///< of the eigenvector in the inverted equations, relative to its eigenvalue there

  /// The rate at which it grows, negative where it decays [1/s].
  [[nodiscard]] S growth() const { return eigenvalue.real(); }
  /// The angular frequency at which it swings [rad/s].
  [[nodiscard]] S frequency() const { return std::abs(eigenvalue.imag()); }
};

namespace detail {

/// Eigenvalues s of (1) and vectors φ, found about a shift σ.
template <class S>
class LinearSearch {
 public:
  using T = std::complex<S>;
  using Column = std::vector<T>;
  using Pair = linalg::KrylovPair<S, T>;

  LinearSearch(const MotionMatrices<S>& motions, T shift, const LinearizationOptions<S>& options)
      : motions_(motions), shift_(shift), options_(options) {
    for (std::size_t i = 0; i < nodes_; ++i) {
      if (!(mass_[i] > S(0))) continue;
      least_ = least_ < S(0) ? damping_[i] : std::min(least_, damping_[i]);
      most_ = std::max(most_, damping_[i]);
    }
  }

  /// The nearest to the shift, where these are its equations.
  [[nodiscard]] std::vector<Pair> find(linalg::SparseEquations<S, T> equations) {
    equations_ = std::move(equations);
    const auto count = static_cast<std::size_t>(options_.count);
    const bool alike = !(most_ > least_) && motions_.load_damping.empty() && motions_.friction.empty();
    std::vector<Pair> found = find_alike(count, alike);
    if (!alike && !found.empty()) return find_unlike(count, std::abs(found.back().value));
    if (found.size() > count) found.erase(found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
    return found;
  }

 private:
  /// For D = νM. The vectors are those of Kφ = κMφ, s² + νs + κ = 0, which one inverse (K + σD +
  /// σ²M)⁻¹M of half the size has as those of the eigenvalue 1/((σ − s)(σ − s′)), s + s′ =
  /// −ν. For other D they are estimates, with a mean of ν, and need not be the nearest ones.
  [[nodiscard]] std::vector<Pair> find_alike(std::size_t count, bool alike) {
    const S nu = (least_ + most_) / 2;
    const T other = T(nu) + S(2) * shift_;
    const auto apply = [&](Column& q) {
      right([&](std::size_t i) { return mass_[i] * q[i]; });
      solve(q);
    };
    for (std::size_t vectors = count;; vectors *= 2) {
      auto found = largest(apply, mass_, vectors);
      const bool whole = found.size() < vectors;
      std::vector<Pair> all;
      for (Pair& pair : found) {
        const T product = S(1) / pair.value, kappa = product - shift_ * (shift_ + nu);
        const T root = std::sqrt(T(nu * nu / 4) - kappa);
        for (const T& s : {T(-nu / 2) + root, T(-nu / 2) - root})
          all.push_back({s, pair.vector, pair.residual});
      }
      dalembert::detail::heap_sort(all.begin(), all.end(), [&](const Pair& a, const Pair& b) {
        return std::abs(a.value - shift_) < std::abs(b.value - shift_);
      });
      if (whole || found.empty() || !alike) return all;
      // what was not found has (σ − s)(σ − s′) no less than the last, and |σ − s′| ≤ |σ −
      // s| + |2σ + ν|
      const S least = 1 / std::abs(found.back().value), half = std::abs(other) / 2;
      const S certain = least / (half + std::sqrt(half * half + least));
      if (all.size() >= count && std::abs(all[count - 1].value - shift_) <= certain * (1 + S(1e-6)))
        return all;
      if (vectors >= mass_.size()) return all;
    }
  }

  /// For any D, by the system of first order for (q, q̇), with q in units of q̇ over a typical frequency:
  ///   (K + σD + σ²M) q = −M v₀ − (D + σM) q₀,  v = q₀ + σq
  [[nodiscard]] std::vector<Pair> find_unlike(std::size_t count, S frequency) {
    std::vector<S> metric(2 * nodes_);
    for (std::size_t i = 0; i < nodes_; ++i) {
      metric[i] = (frequency * frequency + std::norm(shift_)) * mass_[i];
      metric[nodes_ + i] = mass_[i];
    }
    const auto apply = [&](Column& y) {
      right([&](std::size_t i) { return -mass_[i] * (y[nodes_ + i] + (damping_[i] + shift_) * y[i]); });
      motions_.each_damping([&](const auto& e) {
        all_[static_cast<std::size_t>(e.row)] -= e.value * y[static_cast<std::size_t>(e.column)];
      });
      std::copy_n(y.begin(), nodes_, y.begin() + static_cast<std::ptrdiff_t>(nodes_));
      solve(y);
      for (std::size_t i = 0; i < nodes_; ++i) y[nodes_ + i] += shift_ * y[i];
    };
    auto found = largest(apply, metric, count);
    for (Pair& pair : found) {
      pair.value = shift_ + S(1) / pair.value;
      pair.vector.resize(nodes_);
    }
    return found;
  }

  /// all_ = the solution of the equations for this right side of the nodes' rows, and q = that of the nodes.
  template <class Entry>
  void right(const Entry& entry) {
    std::fill(all_.begin(), all_.end(), T(0));
    for (std::size_t i = 0; i < nodes_; ++i) all_[i] = entry(i);
  }
  void solve(Column& q) {
    equations_.solve(all_);
    for (std::size_t i = 0; i < nodes_; ++i) q[i] = mass_[i] > S(0) ? all_[i] : T(0);
  }
  [[nodiscard]] std::vector<Pair> largest(const typename linalg::Krylov<S, T>::Apply& apply,
                                          const std::vector<S>& metric, std::size_t count) const {
    const int space = options_.largest_space > 0 ? options_.largest_space : 40 * options_.count + 100;
    return linalg::Krylov<S, T>(apply, metric, static_cast<std::size_t>(space), options_.tolerance,
                                static_cast<double>(motions_.x.time))
        .find(count);
  }

  const MotionMatrices<S>& motions_;
  T shift_;
  const LinearizationOptions<S>& options_;
  std::size_t nodes_ = static_cast<std::size_t>(motions_.nodes);
  std::vector<S> mass_{motions_.mass.begin(), motions_.mass.end()};
  std::vector<S> damping_{motions_.damping.begin(), motions_.damping.end()};
  S least_{-1}, most_{};  // ν of the nodes that move
  Column all_ = Column(static_cast<std::size_t>(motions_.size()));
  linalg::SparseEquations<S, T> equations_{};
};

/// The motions of these matrices; see `linearization`.
template <class S>
[[nodiscard]] std::vector<LinearMotion<S>> linear_motions_of(const MotionMatrices<S>& motions,
                                                             const LinearizationOptions<S>& options) {
  using T = std::complex<S>;
  const S scale = motions.largest_square();
  const T near_zero = scale > S(0) ? T(S(1e-5) * std::sqrt(scale)) : T(1);
  const T given = options.shift.value_or(near_zero);
  const S beside = std::max(S(1e-6) * std::abs(given),  // how far from an eigenvalue it is to be
                            S(1e3) * std::numeric_limits<S>::epsilon() * scale / std::abs(given));
  std::vector<linalg::KrylovPair<S, T>> found;
  const auto about = [&](T at) {  // K + σD + σ²M with A, decomposed
    return motions.template decomposed<T>([&](Eigen::Index i) { return at * (motions.damping[i] + at); }, at);
  };
  search_about(given, options.shift.has_value(), beside, S(0.1), [&](T shift, bool) {
    LinearSearch<S> search(motions, shift, options);
    found = search.find(equations_about("linearization", motions, options, shift, near_zero, about));
    return found.empty() ? std::numeric_limits<S>::infinity() : std::abs(found[0].value - shift);
  });
  std::vector<LinearMotion<S>> result;
  for (const auto& pair : found) {
    LinearMotion<S> motion;
    motion.eigenvalue = pair.value;
    motion.residual = pair.residual;
    motion.real = at_nodes<S>(motions.x.chains, [&](std::size_t i) { return pair.vector[i].real(); });
    motion.imaginary = at_nodes<S>(motions.x.chains, [&](std::size_t i) { return pair.vector[i].imag(); });
    result.push_back(std::move(motion));
  }
  return result;
}

}  // namespace detail

/// The motions nearest to the shift, the nearest first; fewer than asked for where there are fewer. At most
/// six that have one eigenvalue are found. Velocities of the state are left aside. Throws
/// std::invalid_argument for a state that is no equilibrium; NoConvergence, and what `Assembly::rates`
/// throws, as a contact that would have to pull.
template <class... B, class... C, class S>
[[nodiscard]] std::vector<LinearMotion<S>> linearization(
    const Assembly<Kinds<B...>, Kinds<C...>>& problem, const State<S>& x,
    const std::type_identity_t<LinearizationOptions<S>>& options = {}) {
  options.check();
  return detail::linear_motions_of<S>(detail::small_motions(problem, x), options);
}

}  // namespace dalembert::assembly
