#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/linalg/cuthill_mckee.hpp>
#include <dalembert/linalg/detail/elimination.hpp>
#include <dalembert/linalg/hub_order.hpp>
#include <dalembert/linalg/null_space.hpp>

/// Solves systems of large clusters of constraints, in which most constraints share nodes with a few others
/// only: symmetric, positive semidefinite, and sparse. Blocks of rows are ordered so that what couples lies
/// near the diagonal (E. Cuthill and J. McKee 1969, reversed by A. George 1971), and of each row only what
/// lies between its first coupling and the diagonal is kept, which no elimination leaves (A. Jennings 1966).
/// For n rows with b such entries each the factors take n b²/2 multiplications, a solution 2 n b.
namespace dalembert::linalg {

/// L Lᵀ = G for a symmetric, positive semidefinite G of unit diagonal, made of blocks of rows of which few
/// couple; and the solution of G x = b that has the least norm and what is left of b where there is none. A
/// row whose pivot may be rounding is taken out: it follows from those before it. A pivot is n_dᵀG n_d,
/// which the rounding of entries changes by some ε Σ n_d²ρ², where sums of the size ρ² make a 1 of G.
/// With B the rows that stay and N the null vectors, one for each row d that was taken out,
///   n_d = e_d − G_BB⁻¹ G_Bd,  P = 1 − N (NᵀN)⁻¹ Nᵀ,  x = P G_BB⁻¹ P b,  left b − P b  (1)
/// A part of G of low rank, B Bᵀ, by which many blocks couple, is left out where further blocks stand for
/// it, hubs with the unknowns w = Bᵀx:
///   (D + B Bᵀ) x = b   as   D x + B w = b,  Bᵀx − w = 0                                            (2)
/// The matrix of this is quasi-definite: L S Lᵀ, S = ±1 negative for hubs, in any order of elimination
/// where D is definite (R. Vanderbei 1995), else where rows come after hubs without which they follow from
/// others.
template <class S = double>
class EnvelopeCholesky {
 public:
  using W = Wide<S>;  ///< the number type of G

  /// Blocks of so many rows each, which do not couple; the last are hubs.
  void start(const std::vector<int>& rows, std::size_t hubs = 0) {
    graph_.start(rows.size());
    hubs_ = hubs;
    waits_.clear();
    waits_.resize(rows.size());
    begin_.resize(rows.size() + 1);
    begin_[0] = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) begin_[i + 1] = begin_[i] + rows[i];
  }
  /// Two blocks couple; may be told more than once.
  void couple(int a, int b) { graph_.couple(a, b); }
  /// A block is eliminated after the hubs with which it couples, at the end where there are none.
  void wait(int block) { waits_[index(block)] = 1; }

  /// Find the order of the blocks and where the matrix may have entries, and make it zero.
  void find_pattern() {
    graph_.find();
    const std::vector<int>& order = hubs_ > 0 ? find_hub_order() : graph_.order();
    const int n = size();
    for (auto* list : {&place_, &first_, &dropped_}) resize(*list, n);
    resize(offset_, n);
    int next = 0;
    negative_.clear();
    for (const int block : order)
      for (int row = begin_[index(block)]; row < begin_[index(block) + 1]; ++row) {
        if (is_hub(block)) negative_.push_back(next);
        place_[index(row)] = next++;
      }
    std::ptrdiff_t entries = 0;
    for (const int block : order) {
      const int begin = begin_[index(block)], end = begin_[index(block) + 1];
      if (begin == end) continue;
      int first = place_[index(begin)];
      graph_.each_neighbour(block, [&](int other) {
        if (begin_[index(other)] < begin_[index(other) + 1])
          first = std::min(first, place_[index(begin_[index(other)])]);
      });
      for (int row = begin; row < end; ++row) {
        const int i = place_[index(row)];
        first_[index(i)] = first;
        offset_[index(i)] = entries - first;
        entries += i - first + 1;
      }
    }
    resize(entries_, entries);
    for (auto* list : {&before_, &inverse_, &sizes_, &room_}) resize(*list, n);
    set_zero();
  }

  /// The number of rows.
  [[nodiscard]] int size() const noexcept { return begin_.back(); }
  /// The number of entries that are kept.
  [[nodiscard]] std::size_t entries() const noexcept { return entries_.size(); }
  /// Make the matrix zero.
  void set_zero() { std::fill(entries_.begin(), entries_.end(), W(0)); }
  /// The entry of two rows of one block or of two that couple, each by its number among all rows as they
  /// were told; (i, j) and (j, i) are one.
  [[nodiscard]] W& operator()(int i, int j) noexcept {
    const int a = place_[index(i)], b = place_[index(j)];
    return row(std::max(a, b))[std::min(a, b)];
  }

  /// Decompose the matrix, which is overwritten. Of `sizes` there is one for each row, ρ; 1 if none are
  /// told. Those of columns are the same.
  void decompose(const W* sizes = nullptr, const W* = nullptr) {
    const int n = size();
    for (int row = 0; row < n; ++row) sizes_[index(place_[index(row)])] = sizes ? sizes[row] : W(1);
    null_.clear(n);
    smallest_ = W(1);
    misplaced_ = false;
    most_rounded_ = W(0);
    W largest(hubs_ > 0 ? 1 : 0), most(1);
    for (int i = 0; i < n; ++i) largest = std::max(largest, row(i)[i]);
    for (int i = 0; i < n; ++i) most = std::max(most, sizes_[index(i)]);
    const W doubtful = W(1e-5) * most * most * largest;
    for (int i = 0; i < n; ++i) {
      W* const a = row(i);
      const int first = first_[index(i)];
      std::copy(a + first, a + i, before_.begin() + first);
      for (int j = first; j < i; ++j) {
        if (dropped_[index(j)] >= 0) {
          null_[dropped_[index(j)]][index(i)] = a[j];
          a[j] = W(0);
        } else {
          const int from = std::max(first, first_[index(j)]);
          a[j] = (a[j] - product(a + from, row(j) + from, j - from)) * inverse_[index(j)];
        }
      }
      W pivot = a[i] - product(a + first, a + first, i - first);
      if (hubs_ > 0) sign(i, pivot);
      dropped_[index(i)] = -1;
      const W rounded = pivot > doubtful ? W(0) : rounding(i);
      if (pivot > rounded * largest) {
        a[i] = number::sqrt(pivot);
        smallest_ = std::min(smallest_, W(pivot / largest));
      } else {
        most_rounded_ = std::max(most_rounded_, rounded);
        drop(i);
      }
      inverse_[index(i)] = W(1) / a[i];
    }
    for (int d = 0; d < null_.count(); ++d) find_null_vector(d);
  }

  /// The rows that do not follow from others.
  [[nodiscard]] int rank() const noexcept { return size() - null_.count(); }

  /// The smallest pivot over the largest entry.
  [[nodiscard]] W smallest() const noexcept { return smallest_; }
  /// Whether rows were taken out that follow from others only while hubs are at rest: they have to wait.
  [[nodiscard]] bool misplaced() const noexcept { return misplaced_; }
  /// Whether rows were taken out after pivots so small that others, which are not sought, may tell better
  /// which rows follow.
  [[nodiscard]] bool is_unclear() const noexcept {
    return null_.count() > 0 && (smallest_ < W(1e-6) || most_rounded_ > W(1e-10));
  }
  /// Whether rows of a block were taken out.
  [[nodiscard]] bool took_out(int block) const noexcept {
    bool some = false;
    for (int row = begin_[index(block)]; row < begin_[index(block) + 1]; ++row)
      some = some || dropped_[index(place_[index(row)])] >= 0;
    return some;
  }

  /// x = G⁺ b, in place; `left` gets b − G x. `work` holds as many numbers.
  void solve(W* b, W* left, W* work) const {
    const int n = size();
    for (int i = 0; i < n; ++i) work[place_[index(i)]] = b[i];
    std::fill_n(left, n, W(0));
    if (null_.count() > 0) {
      std::copy_n(work, n, b);  // b is needed no longer
      null_.project(work);
      for (int i = 0; i < n; ++i) left[i] = b[place_[index(i)]] - work[place_[index(i)]];
    }
    solve_rows(work);
    null_.project(work);
    for (int i = 0; i < n; ++i) b[i] = work[place_[index(i)]];
  }

 private:
  [[nodiscard]] static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  template <class T>
  [[gnu::noinline]] static void resize(std::vector<T>& list, std::ptrdiff_t size) {
    list.resize(static_cast<std::size_t>(size));
  }
  /// Row i of L; its entries begin at first_[i].
  [[nodiscard]] W* row(int i) noexcept { return entries_.data() + offset_[index(i)]; }
  [[nodiscard]] const W* row(int i) const noexcept { return entries_.data() + offset_[index(i)]; }

  [[gnu::cold, gnu::noinline]] const std::vector<int>& find_hub_order() {
    order_ = HubOrder(graph_, hubs_, waits_).order();
    return order_;
  }
  [[nodiscard]] bool is_hub(int block) const noexcept { return index(block) + 1 + hubs_ >= begin_.size(); }
  /// Entries of row i are S Lᵀ where those of L are wanted; `pivot` is that less S Lᵀ².
  [[gnu::noinline]] void sign(int i, W& pivot) {
    W* const a = row(i);
    auto p = std::lower_bound(negative_.begin(), negative_.end(), first_[index(i)]);
    for (; p != negative_.end() && *p < i; ++p) {
      pivot += W(2) * a[*p] * a[*p];
      a[*p] = -a[*p];
    }
    if (p != negative_.end() && *p == i) pivot = -pivot;
  }
  /// x ← L⁻ᵀx of the rows before `end`.
  void solve_back(W* x, int end) const {
    for (int i = end - 1; i >= 0; --i) {
      const W* const a = row(i);
      x[i] *= inverse_[index(i)];
      const int first = first_[index(i)];
      detail::subtract_multiple(x[i], a + first, x + first, i - first);
    }
  }
  /// What rounding may leave of the pivot of row i, as a part of the largest entry.
  [[gnu::cold, gnu::noinline]] W rounding(int i) {
    std::vector<W>& x = room_;
    std::fill_n(x.begin(), i, W(0));
    std::copy(row(i) + first_[index(i)], row(i) + i, x.begin() + first_[index(i)]);
    solve_back(x.data(), i);
    x[index(i)] = W(1);
    for (int j = 0; j <= i; ++j) x[index(j)] *= sizes_[index(j)];
    return pivot_rounding<S>(0) * product(x.data(), x.data(), i + 1);
  }
  /// Take row i out: it becomes a row of the identity, and what it was begins a null vector.
  [[gnu::cold, gnu::noinline]] void drop(int i) {
    dropped_[index(i)] = null_.count();
    std::vector<W>& column = null_.add();
    W* const a = row(i);
    for (int j = first_[index(i)]; j < i; ++j) {
      if (dropped_[index(j)] < 0) column[index(j)] = before_[index(j)];
      a[j] = W(0);
    }
    a[i] = W(1);
  }
  /// Turn the column of G of a row that was taken out into its null vector.
  [[gnu::cold, gnu::noinline]] void find_null_vector(int d) {
    std::vector<W>& v = null_[d];
    solve_rows(v.data());
    for (int i = 0; i < size(); ++i)
      v[index(i)] = dropped_[index(i)] == d ? W(1) : dropped_[index(i)] >= 0 ? W(0) : W(-v[index(i)]);
    W square(0);  // n_d moves no hub if its row follows from others
    for (const int i : negative_) {
      square += v[index(i)] * v[index(i)];
      v[index(i)] = W(0);
    }
    if (square > W(1e-3) * pivot_rounding<S>(0) * product(v.data(), v.data(), size())) misplaced_ = true;
    null_.finish(d);
  }

  /// x ← G_BB⁻¹ x_B, zero in the rows that were taken out, in the order of the rows here.
  void solve_rows(W* x) const {
    const int n = size();
    for (int i = 0; i < n; ++i) {
      const int first = first_[index(i)];
      x[i] = dropped_[index(i)] >= 0
                 ? W(0)
                 : (x[i] - product(row(i) + first, x + first, i - first)) * inverse_[index(i)];
    }
    for (const int i : negative_) x[i] = -x[i];
    solve_back(x, n);
  }

  CuthillMcKee graph_;
  std::size_t hubs_ = 0;
  bool misplaced_ = false;
  W smallest_{}, most_rounded_{};
  std::vector<int> begin_{0};                  // the first row of each block, as told
  std::vector<int> place_;                     // where each row is here
  std::vector<int> order_;                     // of the blocks, where there are hubs
  std::vector<int> negative_;                  // places of rows of hubs
  std::vector<int> waits_;                     // blocks that come after hubs
  std::vector<int> first_;                     // the first entry of each row here
  std::vector<std::ptrdiff_t> offset_;         // of each row among the entries, from column 0
  std::vector<int> dropped_;                   // the null vector of a row that was taken out, or −1
  std::vector<W> entries_, inverse_, before_;  // of L; 1/L_ii; a row of G that is being decomposed
  std::vector<W> sizes_, room_;                // ρ of each row here
  NullSpace<W> null_;
};

}  // namespace dalembert::linalg
