#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/band_lu.hpp>
#include <dalembert/linalg/detail/block_pattern.hpp>

/// Solutions by a band, where a matrix has one once its rows and columns are put in another order: contacts
/// in a heap couple with few others each.
namespace dalembert::linalg::detail {

/// Whether none of n pivots is, by rounding, zero beside the largest.
template <class S, class Pivot>
[[nodiscard]] bool is_regular(std::size_t n, const Pivot& pivot) {
  S least = std::numeric_limits<S>::infinity(), most(0);
  for (std::size_t i = 0; i < n; ++i) {
    const S size(std::abs(pivot(i)));
    least = std::min(least, size);
    number::keep_larger(most, size);
  }
  return least > S(64) * S(n) * std::numeric_limits<S>::epsilon() * most;
}

/// Blocks of a pattern in the order of Cuthill and McKee, reversed; its memory grows with the largest.
template <class S>
class OrderedBand {
 public:
  static constexpr Eigen::Index width = BlockPattern::width;

  /// The order for matrices of this pattern, which must outlast its use.
  void find(const BlockPattern& pattern) {
    pattern_ = &pattern;
    pays_ = false;
    if (!pattern.sparse()) return;
    const auto& graph = pattern.graph();
    place_.resize(graph.order().size());
    for (std::size_t i = 0; i < place_.size(); ++i)
      place_[static_cast<std::size_t>(graph.order()[i])] = static_cast<Eigen::Index>(i);
    Eigen::Index far = 0;
    for (std::size_t a = 0; a < place_.size(); ++a)
      graph.each_neighbour(static_cast<int>(a), [&](int b) {
        far = std::max(far, std::abs(place_[a] - place_[static_cast<std::size_t>(b)]));
      });
    far_ = far;
    pays_ = pays(1);
  }
  /// Whether a solution by the band is cheaper than a dense one.
  [[nodiscard]] bool pays() const noexcept { return pays_; }

  /// Factor J, where that pays; false where it does not, or where that is singular or nearly so.
  template <class Matrix>
  [[nodiscard]] bool factor(const Matrix& J) {
    if (!pays_) return false;
    const std::size_t n = start(1);
    pattern_->each_entry([&](Eigen::Index i, Eigen::Index j) { lu_.at(row(i), row(j)) = J(i, j); });
    return lu_.decompose() && is_regular<S>(n, [&](std::size_t i) { return lu_.at(i, i); });
  }
  /// The same of JJᵀ + shift.
  template <class Matrix>
  [[nodiscard]] bool factor_squares(const Matrix& J, S shift) {
    if (!pays_ || !pays(2)) return false;
    const std::size_t n = start(2);
    pattern_->add_squares(J, [&](Eigen::Index i, Eigen::Index k) -> S& { return lu_.at(row(i), row(k)); });
    for (std::size_t i = 0; i < n; ++i) lu_.at(i, i) += shift;
    return lu_.decompose();
  }
  /// x of what was factored, in place.
  template <class Column>
  void solve(Column& x) {
    room_.resize(static_cast<std::size_t>(x.size()));
    for (Eigen::Index i = 0; i < x.size(); ++i) room_[row(i)] = x[i];
    lu_.solve(room_.data());
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = room_[row(i)];
  }

 private:
  /// How far from the diagonal entries of a product of so many matrices lie.
  [[nodiscard]] Eigen::Index reach(Eigen::Index factors) const noexcept {
    return width * factors * far_ + width - 1;
  }
  [[nodiscard]] bool pays(Eigen::Index factors) const noexcept {
    return 3 * reach(factors) < pattern_->rows();
  }
  std::size_t start(Eigen::Index factors) {
    const auto n = static_cast<std::size_t>(pattern_->rows()), far = static_cast<std::size_t>(reach(factors));
    lu_.start(n, far, far);
    return n;
  }
  [[nodiscard]] std::size_t row(Eigen::Index i) const noexcept {
    return static_cast<std::size_t>(width * place_[static_cast<std::size_t>(i / width)] + i % width);
  }

  const BlockPattern* pattern_ = nullptr;
  BandLU<S> lu_{};
  std::vector<Eigen::Index> place_;  // of each block
  std::vector<S> room_;
  Eigen::Index far_ = 0;  // how many places apart blocks that couple are at most
  bool pays_ = false;
};

}  // namespace dalembert::linalg::detail
