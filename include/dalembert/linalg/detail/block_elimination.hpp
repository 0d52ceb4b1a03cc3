#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/detail/block_matrix.hpp>
#include <dalembert/linalg/detail/elimination.hpp>

/// LU decomposition of matrices of blocks of three rows, of the pattern of a symmetric matrix: blocks are
/// eliminated in the order of least degree, with pivots within blocks alone, and a few at a time where they
/// couple with the same ones (supernodes). Sources: minimum degree, Tinney & Walker 1967, Proc. IEEE 55,
/// 1801; supernodes, Ng & Peyton 1993, SIAM J. Sci. Comput. 14, 1034.
namespace dalembert::linalg::detail {

/// In memory that grows with the largest. What couples while it is eliminated is known by bits: n² of n
/// blocks.
template <class S>
class BlockElimination {
 public:
  /// The order of elimination for matrices of the pattern of `like`.
  [[gnu::noinline]] void find(const BlockMatrix<S>& like) {
    if (begin_ == like.begin() && columns_ == like.columns()) return;
    begin_ = like.begin();
    columns_ = like.columns();
    const std::size_t n = like.count(), words = (n + bits - 1) / bits;
    couples_.assign(n * words, 0);
    degree_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = begin_[i] + 1; k < begin_[i + 1]; ++k) {
        couples_[i * words + columns_[k] / bits] |= one << columns_[k] % bits;
        ++degree_[i];
      }
    place_.resize(n);
    first_.assign(1, 0);
    after_.clear();
    order_.clear();
    changes_ = 0;
    for (std::size_t step = 0; step < n; ++step) {
      const auto p =
          static_cast<std::size_t>(std::min_element(degree_.begin(), degree_.end()) - degree_.begin());
      degree_[p] = done;
      place_[p] = step;
      order_.push_back(p);
      const Word* const mine = &couples_[p * words];
      const std::size_t from = after_.size();
      for (std::size_t w = 0; w < words; ++w)
        for (Word left = mine[w]; left != 0; left &= left - 1)
          after_.push_back(bits * w + static_cast<std::size_t>(std::countr_zero(left)));
      for (std::size_t a = from; a < after_.size(); ++a) {
        const std::size_t i = after_[a];
        Word* const other = &couples_[i * words];
        for (std::size_t w = 0; w < words; ++w) other[w] |= mine[w];
        other[i / bits] &= ~(one << i % bits);
        other[p / bits] &= ~(one << p % bits);
        int degree = 0;
        for (std::size_t w = 0; w < words; ++w) degree += std::popcount(other[w]);
        degree_[i] = degree;
      }
      first_.push_back(after_.size());
      changes_ += (after_.size() - from) * (after_.size() - from);
    }
    for (std::size_t& i : after_) i = place_[i];
    for (std::size_t k = 0; k < n; ++k)
      dalembert::detail::heap_sort(after_.begin() + step(first_[k]), after_.begin() + step(first_[k + 1]));
    find_runs();
    inverse_.resize(n * size);
    right_.resize(after_.size() * size);
    below_.resize(after_.size() * size);
  }
  /// How many blocks are changed when a pivot is eliminated, of all pivots: what factors cost.
  [[nodiscard]] std::size_t changes() const noexcept { return changes_; }
  /// Make the matrix zero.
  void clear() noexcept {
    for (std::vector<S>* all : {&inverse_, &right_, &below_}) std::fill(all->begin(), all->end(), S(0));
  }
  /// Block (i, j) of the pattern, to be written.
  [[nodiscard]] S* block(std::size_t i, std::size_t j) noexcept {
    const std::size_t a = place_[i], b = place_[j];
    if (a == b) return &inverse_[size * a];
    const std::size_t p = std::min(a, b), other = std::max(a, b);
    const auto at =
        std::lower_bound(after_.begin() + step(first_[p]), after_.begin() + step(first_[p + 1]), other);
    return &(a < b ? right_ : below_)[size * static_cast<std::size_t>(at - after_.begin())];
  }

  /// Decompose the matrix, which is overwritten; false where a block has no inverse, or one with an entry
  /// above `most`.
  [[nodiscard, gnu::noinline]] bool factor(S most = std::numeric_limits<S>::max()) noexcept {
    for (std::size_t r = 0; r + 1 < runs_.size(); ++r) {
      const std::size_t begin = runs_[r], end = runs_[r + 1];
      for (std::size_t p = begin; p < end; ++p) {
        S* const own = &inverse_[size * p];
        if (!invert(own, static_cast<int>(BlockShape::rows), static_cast<int>(BlockShape::stride)))
          return false;
        for (std::size_t k = 0; k < size; ++k)
          if (number::abs(own[k]) > most) return false;
        for (std::size_t a = first_[p]; a < first_[p + 1]; ++a) {
          S product[size];
          BlockShape::multiply(own, &right_[size * a], product);
          std::copy_n(product, size, &right_[size * a]);
        }
        for (std::size_t i = p + 1; i < end; ++i) subtract_from(i, p, p + 1, i - p - 1);
      }
      const std::size_t last = end - 1;
      for (std::size_t a = 0; a < first_[end] - first_[last]; ++a)
        subtract_from(after_[first_[last] + a], begin, end, end - begin - 1 + a);
    }
    return true;
  }
  /// x ← the solution.
  template <class Column>
  [[gnu::noinline]] void solve(Column& x) {
    const std::size_t n = order_.size();
    padded_.assign(BlockShape::stride * n, S(0));
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t r = 0; r < BlockShape::rows; ++r) at(p)[r] = x[row(p, r)];
    for (std::size_t p = 0; p < n; ++p) {
      S product[BlockShape::rows] = {};
      subtract(&inverse_[size * p], at(p), product);
      for (std::size_t r = 0; r < BlockShape::rows; ++r) at(p)[r] = -product[r];
      for (std::size_t a = first_[p]; a < first_[p + 1]; ++a)
        subtract(&below_[size * a], at(p), at(after_[a]));
    }
    for (std::size_t p = n; p-- > 0;)
      for (std::size_t a = first_[p]; a < first_[p + 1]; ++a)
        subtract(&right_[size * a], at(after_[a]), at(p));
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t r = 0; r < BlockShape::rows; ++r) x[row(p, r)] = at(p)[r];
  }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t bits = 64, size = BlockShape::size, longest_run = 8;
  static constexpr Word one = 1;
  static constexpr int done = 1 << 30;

  /// Runs of pivots that couple with each other and with the same ones behind the run, of a few at most. A
  /// pivot that couples with one fewer than the one before is of those which that couples with: of no other
  /// has the degree changed, and none was less.
  void find_runs() {
    runs_.assign(1, 0);
    for (std::size_t p = 1; p < order_.size(); ++p) {
      const bool goes_on = first_[p] - first_[p - 1] == first_[p + 1] - first_[p] + 1;
      if (!goes_on || p - runs_.back() == longest_run) runs_.push_back(p);
    }
    if (!order_.empty()) runs_.push_back(order_.size());
  }
  /// Take what pivots `begin` to `end` − 1 of a run have to take from what is left of row and column i,
  /// which is number `place` of those that the first of them couples with.
  void subtract_from(std::size_t i, std::size_t begin, std::size_t end, std::size_t place) noexcept {
    const auto take = [&](const std::vector<S>& left, std::size_t a, const std::vector<S>& above,
                          std::size_t b, S* out) {
      using Block = Eigen::Matrix<S, BlockShape::stride, BlockShape::rows>;  // its rows are columns here
      using Given = Eigen::Map<const Block>;
      Block sum = Given(out);
      for (std::size_t p = begin; p < end; ++p) {  // places fall by one from pivot to pivot
        const Given x(&left[size * (first_[p] + a - (p - begin))]);
        const Given y(&above[size * (first_[p] + b - (p - begin))]);
        sum -= y.lazyProduct(x.template topRows<3>());
      }
      Eigen::Map<Block>{out} = sum;
    };
    take(below_, place, right_, place, &inverse_[size * i]);
    std::size_t at = first_[i];
    for (std::size_t b = place + 1; b < first_[begin + 1] - first_[begin]; ++b, ++at) {
      while (after_[at] != after_[first_[begin] + b]) ++at;
      take(below_, place, right_, b, &right_[size * at]);
      take(below_, b, right_, place, &below_[size * at]);
    }
  }
  static std::ptrdiff_t step(std::size_t i) noexcept { return static_cast<std::ptrdiff_t>(i); }
  [[nodiscard]] S* at(std::size_t p) noexcept { return &padded_[BlockShape::stride * p]; }
  [[nodiscard]] std::ptrdiff_t row(std::size_t p, std::size_t r) const noexcept {
    return step(BlockShape::rows * order_[p] + r);
  }
  /// y ← y − a x.
  static void subtract(const S* a, const S* x, S* y) noexcept {
    for (std::size_t r = 0; r < BlockShape::rows; ++r, a += BlockShape::stride)
      y[r] -= a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
  }
  std::vector<std::size_t> begin_{}, columns_{};  // of the pattern
  std::vector<Word> couples_{};
  std::vector<int> degree_{};
  std::vector<std::size_t> place_{}, order_{};  // of elimination
  std::vector<std::size_t> runs_{};             // where they begin
  std::vector<std::size_t> first_{}, after_{};  // what each couples with, by places behind its own
  std::size_t changes_ = 0;
  std::vector<S> inverse_{}, right_{}, below_{};  // blocks of the diagonal, right of it, below it
  std::vector<S> padded_{};                       // room for a column
};

}  // namespace dalembert::linalg::detail
