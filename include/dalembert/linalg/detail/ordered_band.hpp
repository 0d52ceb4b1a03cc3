#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/band_lu.hpp>
#include <dalembert/linalg/cuthill_mckee.hpp>
#include <dalembert/linalg/detail/least_solve.hpp>

/// Solutions by a band, where a matrix has one once its rows and columns are put in another order: contacts
/// in a heap couple with few others each.
namespace dalembert::linalg::detail {

/// Blocks of `width` rows, in the order of Cuthill and McKee, reversed; its memory grows with the largest.
template <class S>
class OrderedBand {
 public:
  static constexpr Eigen::Index width = 3;
  static constexpr Eigen::Index least = 48;  ///< rows, below which a dense matrix does as well

  /// The order for matrices that have entries where blocks of `pattern` are not zero, if they are blocks.
  template <class Matrix>
  void find(const Matrix& pattern, bool are_blocks = true) {
    const Eigen::Index n = pattern.rows(), blocks = n / width;
    pays_ = false;
    if (n < least || !are_blocks) return;
    graph_.start(static_cast<std::size_t>(blocks));
    for (Eigen::Index a = 0; a < blocks; ++a)
      for (Eigen::Index b = 0; b < a; ++b)
        if (couples(pattern, a, b)) graph_.couple(static_cast<int>(a), static_cast<int>(b));
    graph_.find();
    place_.resize(static_cast<std::size_t>(blocks));
    for (std::size_t i = 0; i < place_.size(); ++i)
      place_[static_cast<std::size_t>(graph_.order()[i])] = static_cast<Eigen::Index>(i);
    Eigen::Index far = 0;
    for (std::size_t a = 0; a < place_.size(); ++a)
      graph_.each_neighbour(static_cast<int>(a), [&](int b) {
        far = std::max(far, std::abs(place_[a] - place_[static_cast<std::size_t>(b)]));
      });
    reach_ = width * far + width - 1;
    pays_ = 3 * reach_ < n;
  }
  /// Whether a solution by the band is cheaper than a dense one.
  [[nodiscard]] bool pays() const noexcept { return pays_; }

  /// x of J x = F; false where that does not pay, or J is singular or nearly so.
  template <class Matrix, class Column>
  [[nodiscard]] bool solve(const Matrix& J, const Column& F, Column& x) {
    if (!pays_) return false;
    const auto n = static_cast<std::size_t>(J.rows()), reach = static_cast<std::size_t>(reach_);
    lu_.start(n, reach, reach);
    const auto put = [&](Eigen::Index a, Eigen::Index b) {  // what two blocks have
      for (Eigen::Index j = width * b; j < width * (b + 1); ++j)
        for (Eigen::Index i = width * a; i < width * (a + 1); ++i) lu_.at(row(i), row(j)) = J(i, j);
    };
    for (Eigen::Index a = 0; a < J.rows() / width; ++a) {
      put(a, a);
      graph_.each_neighbour(static_cast<int>(a), [&](int b) { put(a, b); });
    }
    if (!lu_.decompose() || !is_regular<S>(n, [&](std::size_t i) { return lu_.at(i, i); })) return false;
    room_.resize(n);
    for (Eigen::Index i = 0; i < J.rows(); ++i) room_[row(i)] = F[i];
    lu_.solve(room_.data());
    x.resize(J.rows());
    for (Eigen::Index i = 0; i < J.rows(); ++i) x[i] = room_[row(i)];
    return true;
  }

 private:
  template <class Matrix>
  [[nodiscard]] static bool couples(const Matrix& pattern, Eigen::Index a, Eigen::Index b) {
    for (Eigen::Index j = width * b; j < width * (b + 1); ++j)
      for (Eigen::Index i = width * a; i < width * (a + 1); ++i)
        if (pattern(i, j) != S(0)) return true;
    return false;
  }
  [[nodiscard]] std::size_t row(Eigen::Index i) const noexcept {
    return static_cast<std::size_t>(width * place_[static_cast<std::size_t>(i / width)] + i % width);
  }

  CuthillMcKee graph_{};
  BandLU<S> lu_{};
  std::vector<Eigen::Index> place_;  // of each block
  std::vector<S> room_;
  Eigen::Index reach_ = 0;
  bool pays_ = false;
};

}  // namespace dalembert::linalg::detail
