#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/detail/symmetric_eigenvectors.hpp>
#include <dalembert/core/errors.hpp>

/// The eigenvectors of largest eigenvalue of an operator that is symmetric in a metric M and known by what it
/// does to a vector: the Lanczos method in blocks, with every vector made orthogonal to all before it. A
/// block finds as many equal eigenvalues as it has vectors; to see that none was missed, the search begins
/// again at right angles to what was found, until it finds nothing larger.
/// Source: Ruhe 1979, Math. Comput. 33, 680; Parlett 1998, chapter 13.
namespace dalembert::assembly::detail {

/// An eigenvalue and its vector.
template <class S>
struct KrylovPair {
  S value;                ///< θ
  std::vector<S> vector;  ///< with xᵀMx = 1
};

/// See the head of this file. `apply(x)` makes x ← OP x, M is diagonal.
template <class S, class Apply>
class SymmetricKrylov {
 public:
  using Column = std::vector<S>;

  using Pair = KrylovPair<S>;

  SymmetricKrylov(Apply& apply, const Column& metric, std::size_t largest_space, S tolerance)
      : apply_(apply), metric_(metric), largest_(largest_space), tolerance_(tolerance) {}

  /// The `count` pairs of largest |θ|, the largest first; fewer where there are no more. There are at least
  /// `least` ones. Throws NoConvergence.
  [[nodiscard]] std::vector<Pair> find(std::size_t count, std::size_t least, double time) {
    std::vector<Pair> found = search({}, count, block, S(0), time);
    for (;;) {
      const bool full = found.size() >= count;
      if (!full && found.size() >= least) break;
      std::vector<Pair> more =
          search(found, 1, 2, full ? std::abs(found[count - 1].value) * (1 + S(1e-6)) : S(0), time);
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
  static constexpr std::size_t block = 6;

  /// The `count` pairs of largest |θ| at right angles to those given, if they are larger than `least`.
  [[nodiscard]] std::vector<Pair> search(const std::vector<Pair>& given, std::size_t count, std::size_t width,
                                         S least, double time) {
    std::vector<Column> basis;
    const std::size_t most = std::min(largest_, metric_.size());
    Column h((most + width) * (most + width), S(0));  // entry (i, j) at j (most + width) + i
    const auto entry = [&](std::size_t i, std::size_t j) -> S& { return h[j * (most + width) + i]; };
    for (std::size_t i = 0; i < width; ++i) {
      Column x = random();
      apply_(x);
      append(given, basis, std::move(x), nullptr);
    }
    for (std::size_t k = 0;; ++k) {
      const bool whole = k == basis.size();  // all that the operator leads to
      if (whole || k == most || (k >= count + width && (k - count) % width == 0)) {
        std::vector<Pair> pairs;
        const State state = look(basis, k, count, least, whole, entry, pairs);
        if (state == State::found) return pairs;
        if (state == State::nothing) return {};
        if (k == most)
          throw NoConvergence(message({"NoConvergence: ", count, " modes are not found in a space of ", most,
                                       " directions; allow a larger one, or take another shift"}),
                              time);
      }
      Column x = basis[k];
      apply_(x);
      append(given, basis, std::move(x), &entry(0, k));
    }
  }

  enum class State { found, nothing, unknown };

  /// What the first k vectors of the basis know.
  template <class Entry>
  [[nodiscard]] State look(const std::vector<Column>& basis, std::size_t k, std::size_t count, S least,
                           bool whole, const Entry& entry, std::vector<Pair>& pairs) {
    if (k == 0) return State::found;
    Column t(k * k);
    S apart(0), most(0);
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t i = 0; i < k; ++i) {
        t[j * k + i] = (entry(i, j) + entry(j, i)) / 2;
        apart = std::max(apart, std::abs(entry(i, j) - entry(j, i)));
        most = std::max(most, std::abs(entry(i, j)));
      }
    if (!(apart <= asymmetry_ * most)) asymmetry_ = apart / most;
    const dalembert::detail::SymmetricEigenvectors<S> ritz(std::move(t), k);
    std::vector<std::size_t> order(k);
    std::iota(order.begin(), order.end(), std::size_t(0));
    dalembert::detail::heap_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return std::abs(ritz.values[i]) > std::abs(ritz.values[j]);
    });
    if (whole) count = std::min(count, k);
    if (count > k) return State::unknown;
    for (std::size_t i = 0; i < count; ++i) {
      const S value = ritz.values[order[i]], *y = &ritz.vectors[order[i] * k];
      S square(0);
      for (std::size_t row = k; row < basis.size(); ++row) {
        S sum(0);
        for (std::size_t j = 0; j < k; ++j) sum += entry(row, j) * y[j];
        square += sum * sum;
      }
      const S error = std::sqrt(square);
      if (least > S(0) && i == 0 && std::abs(value) + error <= least && k > 2) return State::nothing;
      const S rounding = S(1e3) * std::numeric_limits<S>::epsilon() * most;
      if (!whole && !(error <= tolerance_ * std::abs(value) + rounding)) return State::unknown;
      if (least > S(0) && !(std::abs(value) > least)) return State::nothing;
      if (!(std::abs(value) > S(64) * std::numeric_limits<S>::epsilon() * most)) break;
      Column x(metric_.size(), S(0));
      for (std::size_t j = 0; j < k; ++j)
        for (std::size_t r = 0; r < x.size(); ++r) x[r] += y[j] * basis[j][r];
      pairs.push_back({value, std::move(x)});
    }
    return State::found;
  }

  /// Take away from x what lies along the given and the basis, into `share` for the basis, and append what is
  /// left.
  void append(const std::vector<Pair>& given, std::vector<Column>& basis, Column x, S* share) {
    const S before = std::sqrt(product(x, x));
    for (int pass = 0; pass < 3; ++pass) {
      for (const Pair& p : given) take_away(p.vector, x);
      for (std::size_t i = 0; i < basis.size(); ++i) {
        const S along = take_away(basis[i], x);
        if (share) share[i] += along;
      }
    }
    const S left = std::sqrt(product(x, x));
    if (!(left > S(1e3) * std::numeric_limits<S>::epsilon() * before)) return;
    for (S& one : x) one /= left;
    if (share) share[basis.size()] = left;
    basis.push_back(std::move(x));
  }
  S take_away(const Column& unit, Column& x) const {
    const S along = product(unit, x);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * unit[i];
    return along;
  }
  [[nodiscard]] S product(const Column& a, const Column& b) const {
    S sum(0);
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * metric_[i] * b[i];
    return sum;
  }
  /// Nothing special, the same in every run.
  [[nodiscard]] Column random() {
    Column x(metric_.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      seed_ = seed_ * 6364136223846793005U + 1442695040888963407U;
      x[i] = metric_[i] > S(0) ? (static_cast<S>(seed_ >> 40) / S(1 << 23) - S(1)) / std::sqrt(metric_[i])
                               : S(0);
    }
    return x;
  }

  Apply& apply_;
  const Column& metric_;
  std::size_t largest_;
  S tolerance_, asymmetry_{};
  std::uint64_t seed_ = 1;
};

}  // namespace dalembert::assembly::detail
