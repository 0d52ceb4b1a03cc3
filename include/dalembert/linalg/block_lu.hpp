#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/detail/elimination.hpp>

/// LU decomposition of sparse matrices that are made of small blocks, such as those of chains of nodes, of
/// which a few meet in constraints. Blocks are eliminated in the order of least degree, so that a chain of n
/// nodes takes O(n) and a net of chains little more; blocks that have nothing on their diagonal wait until
/// all that they couple with are eliminated, which makes them −A H⁻¹Aᵀ. Source: minimum degree, Tinney
/// & Walker 1967, Proc. IEEE 55, 1801; saddle points, Vanderbei 1995, SIAM J. Optim. 5, 100.
namespace dalembert::linalg {

/// A matrix of at most `most`×`most` blocks whose pattern is symmetric, its values are not. Allocates where
/// the pattern is found, not after that.
template <class S = double>
class BlockLU {
 public:
  static constexpr int most = 6;  ///< a block has at most so many rows

  /// Blocks of these sizes; those from number `waiting` on have zeros on their diagonal. No two of them
  /// couple.
  void start(const std::vector<int>& sizes, std::size_t waiting) {
    size_ = sizes;
    waiting_ = waiting;
    const std::size_t n = size_.size();
    if (near_.size() < n) near_.resize(n);
    for (std::size_t i = 0; i < n; ++i) near_[i].clear();
    begin_.resize(n + 1);
    begin_[0] = 0;
    for (std::size_t i = 0; i < n; ++i) begin_[i + 1] = begin_[i] + static_cast<std::size_t>(size_[i]);
  }
  /// Two blocks couple; may be told more than once.
  void couple(std::size_t a, std::size_t b) {
    if (a == b) return;
    insert(near_[a], b);
    insert(near_[b], a);
  }
  /// Find the order of elimination and where there may be entries.
  void find_pattern() {
    const std::size_t n = size_.size();
    place_.assign(n, n);
    order_.clear();
    waits_for_.assign(n, 0);
    for (std::size_t i = waiting_; i < n; ++i)
      for (const std::size_t j : near_[i])
        if (j < waiting_) ++waits_for_[i];
    queue_.clear();
    for (std::size_t i = 0; i < n; ++i)
      if (waits_for_[i] == 0) push(i);
    while (order_.size() < n) {
      const std::size_t p = pop();
      if (p == n) break;  // cannot be: what waits does so for what does not
      place_[p] = order_.size();
      order_.push_back(p);
      const auto& mine = near_[p];
      for (const std::size_t i : mine) {
        remove(near_[i], p);
        for (const std::size_t j : mine)
          if (i != j) insert(near_[i], j);
        if (p < waiting_ && i >= waiting_ && waits_for_[i] > 0) --waits_for_[i];
      }
      for (const std::size_t i : mine)
        if (waits_for_[i] == 0) push(i);
    }
    find_offsets();
  }

  /// The number of rows.
  [[nodiscard]] std::size_t rows() const noexcept { return begin_.back(); }
  /// The first row of block i.
  [[nodiscard]] std::size_t row(std::size_t i) const noexcept { return begin_[i]; }
  /// Numbers that are kept.
  [[nodiscard]] std::size_t entries() const noexcept { return values_.size(); }
  /// Make the matrix zero.
  void set_zero() noexcept { std::fill(values_.begin(), values_.end(), S(0)); }
  /// Block (i, j), row by row, of two that couple.
  [[nodiscard]] S* block(std::size_t i, std::size_t j) noexcept { return values_.data() + offset(i, j); }

  /// Decompose the matrix, which is overwritten. A row of a waiting block that follows from others is taken
  /// out. False where a pivot of another block is zero, or no number.
  [[nodiscard]] bool factor() {
    std::fill(sizes_of_updates_.begin(), sizes_of_updates_.end(), S(0));
    taken_out_.clear();
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const std::size_t p = order_[at];
      const int n = size_[p];
      S* const inverse = values_.data() + diagonal_[p];
      if (!(p < waiting_ ? detail::invert(inverse, n, n) : invert_what_is_regular(inverse, n, begin_[p])))
        return false;
      const std::vector<std::size_t>& mine = near_[p];
      S* at_upper = inverse + n * n;
      for (const std::size_t j : mine) {
        multiply(n, size_[j], inverse, at_upper);
        at_upper += 2 * n * size_[j];
      }
      const std::size_t* target = targets_.data() + first_target_[at];
      const S* lower = inverse + n * n;
      for (const std::size_t i : mine) {
        lower += n * size_[i];  // beyond what lies above the diagonal
        const S* upper = inverse + n * n;
        for (const std::size_t j : mine) {
          S* const out = values_.data() + *target++;
          subtract_product(size_[i], n, size_[j], lower, upper, out);
          if (i == j && i >= waiting_) note_update(size_[i], n, lower, upper, &sizes_of_updates_[begin_[i]]);
          upper += 2 * n * size_[j];
        }
        lower += n * size_[i];
      }
    }
    return true;
  }
  /// After `factor`: unknowns, numbered as rows, that belong to rows that were taken out.
  [[nodiscard]] const std::vector<std::size_t>& taken_out() const noexcept { return taken_out_; }
  /// b ← the solution; unknowns that were taken out get 0.
  void solve(S* b) const noexcept {
    for (const std::size_t p : order_) {
      const int n = size_[p];
      const S* const inverse = values_.data() + diagonal_[p];
      S* const mine = b + begin_[p];
      multiply(n, 1, inverse, mine);
      const S* at = inverse + n * n;
      for (const std::size_t i : near_[p]) {
        at += n * size_[i];
        subtract_product(size_[i], n, 1, at, mine, b + begin_[i]);
        at += n * size_[i];
      }
    }
    for (std::size_t at = order_.size(); at-- > 0;) {
      const std::size_t p = order_[at];
      const int n = size_[p];
      const S* upper = values_.data() + diagonal_[p] + n * n;
      for (const std::size_t j : near_[p]) {
        subtract_product(n, size_[j], 1, upper, b + begin_[j], b + begin_[p]);
        upper += 2 * n * size_[j];
      }
    }
  }

 private:
  using List = std::vector<std::size_t>;
  static void insert(List& list, std::size_t x) {
    const auto at = std::lower_bound(list.begin(), list.end(), x);
    if (at == list.end() || *at != x) list.insert(at, x);
  }
  static void remove(List& list, std::size_t x) {
    const auto at = std::lower_bound(list.begin(), list.end(), x);
    if (at != list.end() && *at == x) list.erase(at);
  }
  /// Rows of the blocks that block i couples with.
  [[nodiscard]] std::size_t degree(std::size_t i) const noexcept {
    std::size_t sum = 0;
    for (const std::size_t j : near_[i]) sum += static_cast<std::size_t>(size_[j]);
    return sum;
  }
  void push(std::size_t i) {
    queue_.emplace_back(degree(i), i);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }
  /// The block of least degree, of which the queue may know out of date ones too.
  [[nodiscard]] std::size_t pop() {
    while (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
      const auto [known, i] = queue_.back();
      queue_.pop_back();
      if (place_[i] == size_.size() && known == degree(i)) return i;
    }
    return size_.size();
  }
  /// Where the blocks lie among the values: of each pivot its own, then for each that it couples with the one
  /// right of it and the one below it.
  void find_offsets() {
    const std::size_t n = size_.size();
    diagonal_.resize(n);
    std::size_t next = 0;
    for (const std::size_t p : order_) {
      dalembert::detail::heap_sort(near_[p].begin(), near_[p].end(),
                                   [this](std::size_t a, std::size_t b) { return place_[a] < place_[b]; });
      diagonal_[p] = next;
      const auto mine = static_cast<std::size_t>(size_[p]);
      next += mine * mine + 2 * mine * degree(p);
    }
    values_.resize(next);
    sizes_of_updates_.resize(rows());
    taken_out_.reserve(rows());
    targets_.clear();
    first_target_.clear();
    for (const std::size_t p : order_) {
      first_target_.push_back(targets_.size());
      for (const std::size_t i : near_[p])
        for (const std::size_t j : near_[p]) targets_.push_back(offset(i, j));
    }
  }
  [[nodiscard]] std::size_t offset(std::size_t i, std::size_t j) const noexcept {
    if (i == j) return diagonal_[i];
    const bool right = place_[i] < place_[j];
    const std::size_t p = right ? i : j, other = right ? j : i;
    const auto n = static_cast<std::size_t>(size_[p]);
    std::size_t at = diagonal_[p] + n * n;
    for (const std::size_t k : near_[p]) {
      const std::size_t entries = n * static_cast<std::size_t>(size_[k]);
      if (k == other) return right ? at : at + entries;
      at += 2 * entries;
    }
    return at;  // cannot be for two that couple
  }

  /// out −= a b for matrices row by row.
  template <int N>
  static void subtract_square(const S* a, const S* b, S* out) noexcept {
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < N; ++k) detail::subtract_multiple(a[N * i + k], b + N * k, out + N * i, N);
  }
  static void subtract_product(int rows, int inner, int columns, const S* a, const S* b, S* out) noexcept {
    if (rows == 6 && inner == 6 && columns == 6) return subtract_square<6>(a, b, out);
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < inner; ++k)
        detail::subtract_multiple(a[inner * i + k], b + columns * k, out + columns * i, columns);
  }
  /// b ← a b for a square matrix a.
  static void multiply(int n, int columns, const S* a, S* b) noexcept {
    S product[most * most];
    std::fill_n(product, n * columns, S(0));
    subtract_product(n, n, columns, a, b, product);
    for (int i = 0; i < n * columns; ++i) b[i] = -product[i];
  }
  /// The sizes of what is taken from the diagonal of a waiting block.
  static void note_update(int rows, int inner, const S* a, const S* b, S* sizes) noexcept {
    for (int i = 0; i < rows; ++i) {
      S sum(0);
      for (int k = 0; k < inner; ++k) sum += number::abs(a[inner * i + k] * b[rows * k + i]);
      sizes[i] += sum;
    }
  }

  /// The inverse of what does not follow from other rows and columns, with pivots of both; zero in the rest.
  /// What is left of a row of a size is round-off below a part of that. The block begins at a row.
  [[nodiscard]] bool invert_what_is_regular(S* a, int n, std::size_t begin) {
    constexpr S threshold = S(1e4) * std::numeric_limits<S>::epsilon();
    const S* const sizes = &sizes_of_updates_[begin];
    S scale[most], m[most * most];
    for (int i = 0; i < n; ++i) scale[i] = sizes[i] > S(0) ? S(1) / number::sqrt(sizes[i]) : S(0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) m[n * i + j] = scale[i] * a[n * i + j] * scale[j];
    bool row_done[most] = {}, column_done[most] = {};
    int row_of[most], column_of[most], rank = 0;
    for (; rank < n; ++rank) {
      int row = -1, column = -1;
      S largest = threshold;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (!row_done[i] && !column_done[j] && number::abs(m[n * i + j]) > largest) {
            largest = number::abs(m[n * i + j]);
            row = i;
            column = j;
          }
      if (row < 0) break;
      row_done[row] = column_done[column] = true;
      row_of[rank] = row;
      column_of[rank] = column;
      (void)detail::eliminate(m, n, n, row, column);
    }
    for (int i = 0; i < n; ++i)
      if (!column_done[i]) taken_out_.push_back(begin + static_cast<std::size_t>(i));
    // row_of[r] of m belongs to unknown column_of[r], its column column_of[s] to equation row_of[s]
    std::fill_n(a, n * n, S(0));
    for (int r = 0; r < rank; ++r)
      for (int s = 0; s < rank; ++s)
        a[n * column_of[r] + row_of[s]] =
            scale[column_of[r]] * m[n * row_of[r] + column_of[s]] * scale[row_of[s]];
    for (int i = 0; i < n * n; ++i)
      if (!number::isfinite(a[i])) return false;
    return true;
  }

  std::vector<int> size_;
  std::size_t waiting_ = 0;
  std::vector<std::size_t> begin_{0};  // the first row of each block
  std::vector<List> near_;  // blocks that each couples with; of a pivot, those that are eliminated after it
  std::vector<std::size_t> place_, order_;                  // of elimination
  std::vector<int> waits_for_;                              // blocks before which one may not be eliminated
  std::vector<std::pair<std::size_t, std::size_t>> queue_;  // degree, block
  std::vector<std::size_t> diagonal_;                       // where each block and those beside it begin
  std::vector<std::size_t> targets_, first_target_;         // what each pivot changes
  std::vector<std::size_t> taken_out_;
  std::vector<S> values_, sizes_of_updates_;
};

}  // namespace dalembert::linalg
