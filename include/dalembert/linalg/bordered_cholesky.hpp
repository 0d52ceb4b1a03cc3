#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/linalg/detail/elimination.hpp>
#include <dalembert/linalg/envelope_cholesky.hpp>
#include <dalembert/linalg/pivoted_lu.hpp>

/// Sparse systems that are symmetric but for few rows and columns.
namespace dalembert::linalg {

/// Solves
///   [G  U] (x)   (b)
///   [Vᵀ E] (y) = (c)     by (E − Vᵀ G⁻¹U) y = c − Vᵀ G⁻¹b,  x = G⁻¹b − G⁻¹U y    (1)
/// for a G that `EnvelopeCholesky` decomposes and k rows beside it, the border, whose Schur complement is
/// dense and takes pivots. With n rows of G and its band b it takes O(n b² + n b k + n k² + k³).
template <class S = double>
class BorderedCholesky {
 public:
  using W = Wide<S>;  ///< the number type of the matrix

  /// As `EnvelopeCholesky::start`, with so many rows beside those of the blocks; they come last.
  void start(const std::vector<int>& rows, std::size_t hubs = 0, int border = 0) {
    band_.start(rows, hubs);
    k_ = border;
  }
  /// Two blocks couple; may be told more than once.
  void couple(int a, int b) { band_.couple(a, b); }
  /// As `EnvelopeCholesky::wait`: a block that comes after the hubs that it couples with.
  void wait(int block) { band_.wait(block); }
  /// Find the order of the blocks and where the matrix may have entries, and make it zero.
  void find_pattern() {
    band_.find_pattern();
    make_border();
  }
  /// Make all entries zero.
  void set_zero() {
    band_.set_zero();
    make_border();
  }
  /// The number of rows, those of the border with them.
  [[nodiscard]] int size() const noexcept { return band_.size() + k_; }
  /// The number of entries that are kept.
  [[nodiscard]] std::size_t entries() const noexcept {
    return band_.entries() + border_.size() + static_cast<std::size_t>(k_ * k_);
  }
  /// An entry of two rows of one block or of two that couple, where (i, j) and (j, i) are one; or one of
  /// the border.
  [[nodiscard]] W& operator()(int i, int j) noexcept {
    const int n = band_.size();
    if (i < n && j < n) return band_(i, j);
    if (i >= n && j >= n) return corner_(i - n, j - n);
    return i >= n ? below(i - n)[j] : beside(j - n)[i];
  }

  /// Decompose the matrix, which is overwritten. Sizes are as in `PivotedLU::decompose`.
  void decompose(const W* row_sizes = nullptr, const W* column_sizes = nullptr) {
    band_.decompose(row_sizes);
    smallest_ = band_.smallest();
    regular_ = true;
    if (k_ > 0) eliminate(row_sizes, column_sizes);
  }
  /// After `decompose`: whether the border has a solution. It has none where rows of G follow from others, or
  /// those of the Schur complement may.
  [[nodiscard]] bool is_regular() const noexcept { return regular_; }
  /// The rows that do not follow from others, of G if the border has no solution.
  [[nodiscard]] int rank() const noexcept { return band_.rank() + (regular_ ? k_ : 0); }
  /// After `decompose`: as `EnvelopeCholesky::smallest`, of G and of the Schur complement.
  [[nodiscard]] W smallest() const noexcept { return smallest_; }
  /// As `EnvelopeCholesky::misplaced`.
  [[nodiscard]] bool misplaced() const noexcept { return band_.misplaced(); }
  /// As `EnvelopeCholesky::is_unclear`.
  [[nodiscard]] bool is_unclear() const noexcept { return band_.is_unclear(); }
  /// As `EnvelopeCholesky::took_out`.
  [[nodiscard]] bool took_out(int block) const noexcept { return band_.took_out(block); }

  /// The solution for b, in place; `left` gets what is left of b. `work` holds as many numbers.
  void solve(W* b, W* left, W* work) const {
    band_.solve(b, left, work);
    if (k_ == 0) return;
    const int n = band_.size();
    W* const y = b + n;
    for (int i = 0; i < k_; ++i) y[i] -= product(below(i), static_cast<const W*>(b), n);
    corner_.solve(y, left + n, work);
    for (int j = 0; j < k_; ++j) detail::subtract_multiple(y[j], beside(j), b, n);
  }

 private:
  /// Column j of U, and row i of Vᵀ.
  [[nodiscard]] W* beside(int j) noexcept { return border_.data() + at(j); }
  [[nodiscard]] const W* beside(int j) const noexcept { return border_.data() + at(j); }
  [[nodiscard]] W* below(int i) noexcept { return border_.data() + at(k_ + i); }
  [[nodiscard]] const W* below(int i) const noexcept { return border_.data() + at(k_ + i); }
  [[nodiscard]] std::ptrdiff_t at(int i) const noexcept { return std::ptrdiff_t{i} * band_.size(); }

  [[gnu::noinline]] void make_border() {
    border_.assign(static_cast<std::size_t>(at(2 * k_)), W(0));
    room_.resize(2 * static_cast<std::size_t>(band_.size()));
    corner_.start(k_, false);
  }
  /// U ← G⁻¹U, and the Schur complement with its decomposition.
  [[gnu::noinline]] void eliminate(const W* row_sizes, const W* column_sizes) {
    const int n = band_.size();
    regular_ = band_.rank() == n;
    if (!regular_) return;
    W largest(0), terms(1);
    for (int j = 0; j < k_; ++j) {
      band_.solve(beside(j), room_.data(), room_.data() + n);
      for (int i = 0; i < k_; ++i) {
        const W taken = product(static_cast<const W*>(below(i)), beside(j), n);
        W& x = corner_(i, j);
        terms = std::max(terms, W(number::abs(x) + number::abs(taken)));
        x -= taken;
        largest = std::max(largest, W(number::abs(x)));
      }
    }
    corner_.decompose(row_sizes ? row_sizes + n : nullptr, column_sizes ? column_sizes + n : nullptr);
    const W pivot = corner_.smallest() * largest;
    regular_ = corner_.rank() == k_ && pivot > pivot_rounding<S>(k_) * terms;
    smallest_ = std::min(smallest_, pivot);
  }

  EnvelopeCholesky<S> band_;
  PivotedLU<S> corner_;
  std::vector<W> border_, room_;  // U, then V
  int k_ = 0;
  bool regular_ = true;
  W smallest_{};
};

}  // namespace dalembert::linalg
