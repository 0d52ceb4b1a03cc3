#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/band_cholesky.hpp>
#include <dalembert/linalg/band_lu.hpp>
#include <dalembert/linalg/detail/block_pattern.hpp>
#include <dalembert/linalg/detail/growing.hpp>

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

/// Blocks of a pattern in the order of Cuthill and McKee, reversed, or any matrix as it is; its memory grows
/// with the largest.
template <class S>
class OrderedBand {
 public:
  static constexpr Eigen::Index width = BlockPattern::width;

  /// The order for matrices of this pattern, which must outlast its use.
  void find(const BlockPattern& pattern) {
    pattern_ = &pattern;
    far_ = pattern.rows();
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
  }
  /// How far from the diagonal entries of a product of so many matrices lie.
  [[nodiscard]] std::size_t reach(Eigen::Index factors) const noexcept {
    return static_cast<std::size_t>(std::min(width * factors * far_ + width, pattern_->rows()) - 1);
  }

  /// Factor J; false where that is singular or nearly so.
  template <class Matrix>
  [[nodiscard]] bool factor(const Matrix& J) {
    const auto n = static_cast<std::size_t>(pattern_->rows());
    lu_.start(n, reach(1), reach(1));
    pattern_->each_entry([&](Eigen::Index i, Eigen::Index j) { lu_.at(row(i), row(j)) = J(i, j); });
    return lu_.decompose() && is_regular<S>(n, [&](std::size_t i) { return lu_.at(i, i); });
  }
  /// The same of JJᵀ + shift, which is symmetric and positive definite.
  template <class Matrix>
  [[nodiscard, gnu::noinline]] bool factor_squares(const Matrix& J, S shift) {
    const auto n = static_cast<std::size_t>(pattern_->rows());
    squares_.start(n, reach(2) + 1);
    pattern_->each_square(J, columns_, [&](Eigen::Index k, const S* y) {
      const std::size_t at = row(k);
      for (Eigen::Index i = k; i < pattern_->rows(); ++i)
        if (y[i] != S(0)) squares_.at(at, row(i)) = y[i];
      squares_.at(at, at) += shift;
    });
    return squares_.decompose();
  }
  /// x of what was factored so, in place.
  template <class Column>
  void solve_squares(Column& x) {
    in_order(x, squares_);
  }
  /// x of what was factored by `factor`, in place.
  template <class Column>
  void solve(Column& x) {
    in_order(x, lu_);
  }

 private:
  template <class Column, class Factors>
  void in_order(Column& x, const Factors& factors) {
    room_.resize(static_cast<std::size_t>(x.size()));
    for (Eigen::Index i = 0; i < x.size(); ++i) room_[row(i)] = x[i];
    factors.solve(room_.data());
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = room_[row(i)];
  }
  [[nodiscard]] std::size_t row(Eigen::Index i) const noexcept {
    if (!pattern_->sparse()) return static_cast<std::size_t>(i);
    return static_cast<std::size_t>(width * place_[static_cast<std::size_t>(i / width)] + i % width);
  }

  const BlockPattern* pattern_ = nullptr;
  BandLU<S> lu_{};
  BandCholesky<S> squares_{};
  Growing<Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>> columns_{};
  std::vector<Eigen::Index> place_;  // of each block
  std::vector<S> room_;
  Eigen::Index far_ = 0;  // how many places apart blocks that couple are at most
};

}  // namespace dalembert::linalg::detail
