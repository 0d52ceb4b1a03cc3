#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/neighbour_order.hpp>
#include <dalembert/core/detail/band_lu.hpp>
#include <dalembert/core/detail/radix_sort.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>

/// Sparse linear equations, those of statics and of small motions: unsymmetric (held degrees, internal
/// coordinates), of mixed units, with multipliers.
namespace dalembert::assembly::detail {

/// An entry of a sparse matrix.
template <class T>
struct SparseEntry {
  int row, column;
  T value;
};

/// One entry at each place, in the order of rows.
template <class T>
void sum_entries(std::vector<SparseEntry<T>>& entries) {
  std::vector<SparseEntry<T>> room;
  dalembert::detail::radix_sort(entries, room, [](const SparseEntry<T>& e) {
    return dalembert::detail::key_of(static_cast<std::size_t>(e.row), static_cast<std::size_t>(e.column));
  });
  std::size_t count = 0;
  for (const auto& e : entries)
    if (count > 0 && entries[count - 1].row == e.row && entries[count - 1].column == e.column)
      entries[count - 1].value += e.value;
    else
      entries[count++] = e;
  entries.resize(count);
}

/// A sparse system, solved by an LU decomposition of its band, once unknowns that couple were brought near
/// each other, and rows and columns to one size: a step of Ruiz's scaling divides both by the root of their
/// largest entry. A motion of the whole that changes no force, as a ball's on a plane, makes the matrix
/// singular although all is in equilibrium along it, and so do rows of constraints that follow from others:
/// springs E too weak for all else to feel hold the nodes, and give way under the multipliers. They are taken
/// out again by iteration: x ← x + (A + E)⁻¹(b − Ax). Sources: Ruiz 2001, RAL-TR-2001-034; iteration
/// with a regularised matrix: Riley 1955, Math. Tables Aids Comput. 9, 96.
template <class S, class T = S>
class SparseEquations {
 public:
  using Scalar = T;  ///< of the matrix, which may be complex; S is its real number type
  using Column = Vec<T, Eigen::Dynamic>;
  using Index = Eigen::Index;
  using Entry = SparseEntry<T>;

  SparseEquations() = default;
  /// Unknowns of nodes, displacements or turns by threes, then `slides` that follow, then `multipliers`.
  SparseEquations(Index nodes, Index slides, Index multipliers)
      : size_(static_cast<std::size_t>(nodes + slides + multipliers)),
        nodes_(static_cast<std::size_t>(nodes)),
        multipliers_(static_cast<std::size_t>(multipliers)) {}

  /// Let no springs hold nodes: where stiffnesses differ by much, they are felt where the smallest vanishes.
  void release_nodes() noexcept { held_by_springs_ = false; }

  /// Decompose a matrix of these entries, in which no springs hold nodes, and whose last unknowns are
  /// multipliers. Throws SingularSystem.
  void decompose(std::size_t size, std::size_t multipliers, std::vector<Entry> entries) {
    size_ = size;
    nodes_ = 0;
    multipliers_ = multipliers;
    told_.clear();
    entries_ = std::move(entries);
    if (!factor()) throw SingularSystem("the equations of small motions are singular");
  }
  /// b ← A⁻¹b after that.
  void solve(std::vector<T>& b) {
    (void)solve_for([&](std::size_t i) { return b[i]; }, [&](std::size_t i, const T& x) { b[i] = x; });
  }

  void clear() noexcept { entries_.clear(); }
  /// Entries at one place are summed.
  void add(Index row, Index column, T value) {
    entries_.push_back({static_cast<int>(row), static_cast<int>(column), value});
  }

  /// A x.
  [[nodiscard]] Column multiply(const Column& x) const {
    Column y = Column::Zero(static_cast<Index>(size_));
    for (const Entry& e : entries_) y[e.row] += e.value * x[e.column];
    return y;
  }

  /// |A| |x|, of sizes.
  [[nodiscard]] Column multiply_sizes(const Column& x) const {
    Column y = Column::Zero(static_cast<Index>(size_));
    for (const Entry& e : entries_) y[e.row] += number::abs(e.value * x[e.column]);
    return y;
  }

  /// x = A⁻¹b; false where A is singular.
  [[nodiscard]] bool solve(const Column& b, Column& x) { return factor() && solve_again(b, x); }

  /// Decompose A; false where it is singular.
  [[nodiscard]] bool factor() {
    for (std::size_t i = 0; i < size_; ++i)
      entries_.push_back({static_cast<int>(i), static_cast<int>(i), T(0)});
    const bool known = sum_as_before();
    if (!known) {
      sum_entries();
      put_near();
    }
    scale(known);
    fill();
    return factors_.decompose();
  }
  /// After `factor`: the sign of the determinant of A.
  [[nodiscard]] int sign() const noexcept { return factors_.sign(); }
  /// After `factor`: how many eigenvalues of A are negative, if it is symmetric but for the rows of
  /// unknowns that are held. Nothing can be solved after that.
  [[nodiscard]] std::size_t count_negative() {
    fill();
    return factors_.count_negative();
  }
  /// x = A⁻¹b after `factor`; false where it is not finite.
  [[nodiscard]] bool solve_again(const Column& b, Column& x) {
    x.resize(static_cast<Index>(size_));
    return solve_for([&](std::size_t i) { return b[static_cast<Index>(i)]; },
                     [&](std::size_t i, const T& one) { x[static_cast<Index>(i)] = one; });
  }

 private:
  /// x = A⁻¹b by b(i) and put(i, x); false where it is not finite.
  template <class Right, class Put>
  [[nodiscard]] bool solve_for(const Right& b, const Put& put) {
    solution_.assign(size_, T(0));
    left_.resize(size_);
    more_.resize(size_);
    for (int pass = 0; pass < 3; ++pass) {
      for (std::size_t i = 0; i < size_; ++i) left_[i] = rows_[i] * b(i) + spring(i) * solution_[i];
      if (pass > 0)
        for (std::size_t i = 0; i < entries_.size(); ++i)
          left_[index(entries_[i].row)] -= scaled_[i] * solution_[index(entries_[i].column)];
      for (std::size_t i = 0; i < size_; ++i) more_[places_[i]] = left_[i];
      factors_.solve(more_.data());
      S most(0), change(0);
      for (std::size_t i = 0; i < size_; ++i) {
        const T more = more_[places_[i]];
        solution_[i] += more;
        most = std::max(most, square_of(solution_[i]));
        change = std::max(change, square_of(more));
      }
      if (number::derivative_order<S> == 0 && change <= std::numeric_limits<S>::epsilon() * most)
        break;  // the next is as small again; of derivatives that is not known
    }
    bool finite = true;
    for (std::size_t i = 0; i < size_; ++i) {
      const T x = columns_[i] * solution_[i];
      put(i, x);
      finite = finite && is_finite(x);
    }
    return finite;
  }

  [[nodiscard]] static S size_of(const T& x) noexcept {
    if constexpr (std::is_same_v<S, T>)
      return number::abs(x);
    else
      return std::abs(x);
  }
  /// |x|², without the root that a complex |x| takes.
  [[nodiscard]] static S square_of(const T& x) noexcept {
    if constexpr (std::is_same_v<S, T>)
      return x * x;
    else
      return std::norm(x);
  }
  [[nodiscard]] static bool is_finite(const T& x) noexcept {
    if constexpr (std::is_same_v<S, T>)
      return number::isfinite(x);
    else
      return number::isfinite(x.real()) && number::isfinite(x.imag());
  }
  /// An entry as it was told, and the number of the sum that it is a part of.
  struct Told {
    int row, column;
    std::size_t sum;
  };
  static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] std::size_t place(int unknown) const noexcept { return places_[index(unknown)]; }
  [[nodiscard]] T scaled(const Entry& e) const noexcept {
    return e.value * rows_[index(e.row)] * columns_[index(e.column)];
  }
  /// E.
  [[nodiscard]] S spring(std::size_t i) const noexcept {
    const S root = number::sqrt(std::numeric_limits<S>::epsilon());
    return i < nodes_                  ? (held_by_springs_ ? root * number::sqrt(root) : S(0))
           : i >= size_ - multipliers_ ? -root
                                       : S(0);
  }

  /// One entry at each place, if entries came as they did before: then it is known where they are summed.
  [[nodiscard]] bool sum_as_before() {
    if (entries_.size() != told_.size()) return false;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].row != told_[i].row || entries_[i].column != told_[i].column) return false;
    std::fill(scaled_.begin(), scaled_.end(), T(0));
    for (std::size_t i = 0; i < entries_.size(); ++i) scaled_[told_[i].sum] += entries_[i].value;
    entries_.resize(summed_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i)
      entries_[i] = {summed_[i].first, summed_[i].second, scaled_[i]};
    return true;
  }
  /// One entry at each place, in their order.
  void sum_entries() {
    told_.resize(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) told_[i] = {entries_[i].row, entries_[i].column, i};
    std::vector<Told> sorted = told_, room;
    dalembert::detail::radix_sort(
        sorted, room, [](const Told& t) { return dalembert::detail::key_of(index(t.row), index(t.column)); });
    std::vector<Entry> sums;
    summed_.clear();
    for (const Told& t : sorted) {
      if (summed_.empty() || summed_.back() != std::pair{t.row, t.column}) {
        summed_.emplace_back(t.row, t.column);
        sums.push_back({t.row, t.column, T(0)});
      }
      sums.back().value += entries_[t.sum].value;
      told_[t.sum].sum = sums.size() - 1;
    }
    entries_ = std::move(sums);
    scaled_.resize(entries_.size());
  }
  /// A with its springs, scaled, into the band.
  void fill() {
    factors_.start(size_, lower_, upper_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& e = entries_[i];
      scaled_[i] = scaled(e) + (e.row == e.column ? spring(index(e.row)) : S(0));
      factors_.at(place(e.row), place(e.column)) = scaled_[i];
    }
  }
  /// What rows and columns are multiplied by; little else than the last time where entries lie as before.
  void scale(bool known) {
    if (!known) {
      rows_.assign(size_, S(1));
      columns_.assign(size_, S(1));
    }
    for (int sweep = known ? 5 : 0; sweep < 6; ++sweep) {
      most_in_row_.assign(size_, S(0));
      most_in_column_.assign(size_, S(0));
      for (const Entry& e : entries_) {
        const S size = size_of(scaled(e));
        most_in_row_[index(e.row)] = std::max(most_in_row_[index(e.row)], size);
        most_in_column_[index(e.column)] = std::max(most_in_column_[index(e.column)], size);
      }
      for (std::vector<S>* most : {&most_in_row_, &most_in_column_})
        for (std::size_t j = 0; j < nodes_; j += 3)  // no direction of space is better known than the others
          (*most)[j] = (*most)[j + 1] = (*most)[j + 2] =
              std::max({(*most)[j], (*most)[j + 1], (*most)[j + 2]});
      const auto shrink = [](S most) { return most > S(0) ? S(1) / number::sqrt(most) : S(1); };
      for (std::size_t i = 0; i < size_; ++i) {
        rows_[i] *= shrink(most_in_row_[i]);
        columns_[i] *= shrink(most_in_column_[i]);
      }
    }
  }
  /// Where each unknown stands in the band.
  void put_near() {
    order_.start(size_);
    for (const Entry& e : entries_) order_.couple(e.row, e.column);
    order_.find();
    places_.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) places_[index(order_.order()[i])] = i;
    lower_ = upper_ = 0;
    for (const Entry& e : entries_) {
      const std::size_t i = place(e.row), j = place(e.column);
      lower_ = std::max(lower_, i > j ? i - j : 0);
      upper_ = std::max(upper_, j > i ? j - i : 0);
    }
  }

  std::size_t size_ = 0, nodes_ = 0, multipliers_ = 0;
  bool held_by_springs_ = true;
  std::vector<Entry> entries_;  // as told, and summed once A is decomposed
  std::vector<Told> told_;
  std::vector<std::pair<int, int>> summed_;  // rows and columns of the sums
  std::vector<T> scaled_;                    // the sums as they are decomposed
  std::size_t lower_ = 0, upper_ = 0;        // of the band
  NeighbourOrder order_;
  std::vector<std::size_t> places_;
  std::vector<S> rows_, columns_, most_in_row_, most_in_column_;
  std::vector<T> left_, more_, solution_;
  dalembert::detail::BandLU<T> factors_;
};

}  // namespace dalembert::assembly::detail
