#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/schur.hpp>

/// The eigenvectors of largest eigenvalue of an operator that is known by what it does to a vector, in
/// blocks, with every vector made orthogonal to all before it in a diagonal metric M: the Lanczos method for
/// operators on real vectors that are symmetric in M, Arnoldi's for any on complex ones. A block finds as
/// many equal eigenvalues as it has vectors. To see that none of a symmetric operator was missed, the search
/// begins again at right angles to what was found, until it finds nothing larger.
/// Source: Ruhe 1979, Math. Comput. 33, 680; Parlett 1998, chapter 13; Saad 1992, Numerical Methods for
/// Large Eigenvalue Problems, chapter 6.
namespace dalembert::linalg {

/// An eigenvalue and its vector, of numbers T that are S or complex.
template <class S, class T>
struct KrylovPair {
  T value;                ///< θ
  std::vector<T> vector;  ///< x with xᴴMx = 1
  S residual;             ///< |OP x − θ x|/|θ| in the metric
};

/// See the head of this file. `apply(x)` makes x ← OP x; done once, or twice where it is not symmetric, it
/// leads into the space of the eigenvectors.
template <class S, class T>
class Krylov {
 public:
  using Column = std::vector<T>;                           ///< a vector
  using Pair = KrylovPair<S, T>;                           ///< what is found
  using Apply = std::function<void(Column&)>;              ///< x ← OP x
  static constexpr bool symmetric = std::is_same_v<S, T>;  ///< else complex

  /// Of an operator, in the metric of these diagonal entries; spaces have so many vectors at most, pairs are
  /// found to a tolerance relative to |θ|. `time` is for errors [s].
  Krylov(Apply apply, const std::vector<S>& metric, std::size_t largest_space, S tolerance, double time)
      : apply_(std::move(apply)),
        metric_(metric),
        most_(std::min(largest_space, metric.size())),
        tolerance_(tolerance),
        time_(time) {}

  /// The `count` pairs of largest |θ|, the largest first; fewer where there are no more. Of a symmetric
  /// operator there are at least `least` ones. Throws NoConvergence.
  [[nodiscard]] std::vector<Pair> find(std::size_t count, std::size_t least = 0) {
    std::vector<Pair> found = search({}, count, 6, S(0));
    while (symmetric) {
      const bool full = found.size() >= count;
      if (!full && found.size() >= least) break;
      std::vector<Pair> more =
          search(found, 1, 2, full ? std::abs(found[count - 1].value) * (1 + S(1e-6)) : S(0));
      if (more.empty()) break;
      found.push_back(std::move(more[0]));
      dalembert::detail::heap_sort(found.begin(), found.end(), [](const Pair& a, const Pair& b) {
        return std::abs(a.value) > std::abs(b.value);
      });
    }
    if (found.size() > count) found.erase(found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
    return found;
  }

  /// How far the operator is from a symmetric one, relative to its largest eigenvalue.
  [[nodiscard]] S asymmetry() const noexcept { return asymmetry_; }

 private:
  static constexpr S rounding = S(1e3) * std::numeric_limits<S>::epsilon();

  /// The `count` pairs of largest |θ| at right angles to those given, if they are larger than `least`.
  [[nodiscard]] std::vector<Pair> search(const std::vector<Pair>& given, std::size_t count, std::size_t width,
                                         S least) {
    projected_.clear();
    basis_.clear();
    for (std::size_t i = 0; i < width; ++i) {
      Column x = random();
      apply_(x);
      if (!symmetric) apply_(x);
      append(given, std::move(x), nullptr, symmetric ? rounding : S(1e-8));
    }
    for (std::size_t k = 0;; ++k) {
      if (k == basis_.size() || k == most_ || (k >= count + width && (k - count) % width == 0)) {
        if (auto pairs = look(k, count, least)) return std::move(*pairs);
        if (k == most_ || k == basis_.size())
          throw NoConvergence(message({"NoConvergence: ", count, symmetric ? " modes" : " eigenvalues",
                                       " are not found in a space of ", k,
                                       " directions; allow a larger one, or take another shift"}),
                              time_);
      }
      Column x = basis_[k];
      apply_(x);
      projected_.emplace_back(most_ + width, T(0));
      append(given, std::move(x), projected_[k].data(), rounding);
    }
  }

  /// What is asked of `search`, if the first k vectors of the basis know that; if they are all of it, there
  /// is no more.
  [[nodiscard]] std::optional<std::vector<Pair>> look(std::size_t k, std::size_t count, S least) {
    std::vector<Pair> pairs;
    if (k == 0) return pairs;
    const bool whole = k == basis_.size();
    if (!whole && count > k) return std::nullopt;
    const Schur<T> ritz(among(k), k);
    std::vector<std::size_t> order(k);
    for (std::size_t i = 0; i < k; ++i) order[i] = i;
    dalembert::detail::heap_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return std::abs(ritz.value(i)) > std::abs(ritz.value(j));
    });
    if (!ritz.converged()) return std::nullopt;
    const S largest = std::abs(ritz.value(order[0]));
    for (std::size_t i = 0; i < std::min(count, k); ++i) {
      const T value = ritz.value(order[i]);
      const S size = std::abs(value);
      const Column y = ritz.vector(order[i]);
      S square(0);
      for (std::size_t row = k; row < basis_.size(); ++row) {
        T sum(0);
        for (std::size_t j = 0; j < k; ++j) sum += projected(row, j) * y[j];
        square += std::norm(sum);
      }
      const S error = std::sqrt(square);
      if (least > S(0) && size + error <= least && k > 2) break;
      if (!whole && !(error <= tolerance_ * size + rounding * largest)) return std::nullopt;
      if (!(size > least) || !(size > (symmetric ? rounding / 16 : rounding) * largest)) break;
      Column x(metric_.size(), T(0));
      for (std::size_t j = 0; j < k; ++j) add(y[j], basis_[j], x);
      pairs.push_back({value, std::move(x), error / size});
    }
    return pairs;
  }

  /// The operator among the first k vectors of the basis, of a symmetric one its symmetric part.
  [[nodiscard]] Column among(std::size_t k) {
    Column t(k * k);
    S apart(0), most(0);
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t i = 0; i < k; ++i) {
        const T &entry = projected(i, j), &across = projected(j, i);
        t[j * k + i] = symmetric ? (entry + across) / S(2) : entry;
        apart = std::max(apart, std::abs(entry - across));
        most = std::max(most, std::abs(entry));
      }
    if (!(apart <= asymmetry_ * most)) asymmetry_ = apart / most;
    return t;
  }

  /// Take away from x what lies along the given and the basis, into `share` for the basis, and append what is
  /// left, if it is more than a part of x.
  void append(const std::vector<Pair>& given, Column x, T* share, S loss) {
    const S before = norm(x);
    const auto take_away = [&](const Column& unit) {
      const T along = product(unit, x);
      add(-along, unit, x);
      return along;
    };
    for (int pass = 0; pass < 2; ++pass) {
      for (const Pair& p : given) take_away(p.vector);
      for (std::size_t i = 0; i < basis_.size(); ++i) {
        const T along = take_away(basis_[i]);
        if (share) share[i] += along;
      }
    }
    const S left = norm(x);
    if (!(left > loss * before)) return;
    for (T& one : x) one /= left;
    if (share) share[basis_.size()] = left;
    basis_.push_back(std::move(x));
  }
  /// Products of complex numbers by hand, which otherwise look for infinities.
  [[nodiscard]] static T times(const T& a, const T& b) {
    if constexpr (symmetric)
      return a * b;
    else
      return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  static void add(const T& factor, const Column& a, Column& x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += times(factor, a[i]);
  }
  [[nodiscard]] T product(const Column& a, const Column& b) const {
    T sum(0);
    for (std::size_t i = 0; i < a.size(); ++i) sum += metric_[i] * times(Eigen::numext::conj(a[i]), b[i]);
    return sum;
  }
  [[nodiscard]] S norm(const Column& x) const { return std::sqrt(std::real(product(x, x))); }
  /// Nothing special, the same in every run.
  [[nodiscard]] Column random() {
    const auto number = [&] {
      seed_ = seed_ * 6364136223846793005U + 1442695040888963407U;
      return static_cast<S>(seed_ >> 40) / S(1 << 23) - S(1);
    };
    Column x(metric_.size(), T(0));
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(metric_[i] > S(0))) continue;
      if constexpr (symmetric)
        x[i] = number();
      else
        x[i] = T(number(), number());
      x[i] /= std::sqrt(metric_[i]);
    }
    return x;
  }
  /// Row i of what the operator makes of vector j of the basis.
  [[nodiscard]] T& projected(std::size_t i, std::size_t j) { return projected_[j][i]; }

  Apply apply_;
  const std::vector<S>& metric_;
  std::size_t most_;
  S tolerance_, asymmetry_{};
  double time_;
  std::vector<Column> basis_;
  std::vector<Column> projected_;
  std::uint64_t seed_ = 1;
};

}  // namespace dalembert::linalg
