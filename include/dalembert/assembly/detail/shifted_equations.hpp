#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/neighbour_order.hpp>
#include <dalembert/core/detail/band_lu.hpp>
#include <dalembert/core/detail/radix_sort.hpp>
#include <dalembert/core/errors.hpp>

/// Sparse linear equations that are solved many times: those of small motions, shifted.
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

/// The LU decomposition of the band of a matrix whose unknowns were brought near those that they couple with,
/// and whose rows and columns were brought to one size, as in `StaticEquations`. The last unknowns are
/// multipliers of rows: where rows follow from others, weak springs E keep the matrix from being singular,
/// and iteration takes them out again, x ← x + (A + E)⁻¹(b − Ax). T may be complex; S is its real
/// number type.
template <class S, class T>
class ShiftedEquations {
 public:
  using Scalar = T;
  using Entries = std::vector<SparseEntry<T>>;

  /// Decompose. Throws SingularSystem.
  void decompose(std::size_t size, std::size_t multipliers, Entries entries) {
    size_ = size;
    multipliers_ = multipliers;
    entries_ = std::move(entries);
    for (std::size_t i = 0; i < size_; ++i) entries_.push_back({as_int(i), as_int(i), T(0)});
    sum_entries(entries_);
    scale();
    put_near();
    std::size_t lower = 0, upper = 0;
    for (const auto& e : entries_) {
      const std::size_t i = place(e.row), j = place(e.column);
      lower = std::max(lower, i > j ? i - j : 0);
      upper = std::max(upper, j > i ? j - i : 0);
    }
    factors_.start(size_, lower, upper);
    for (auto& e : entries_) {
      e.value *= rows_[index(e.row)] * columns_[index(e.column)];
      factors_.at(place(e.row), place(e.column)) =
          e.value + (e.row == e.column ? spring(index(e.row)) : S(0));
    }
    if (!factors_.decompose()) throw SingularSystem("the equations of small motions are singular");
    for (auto* column : {&solution_, &left_, &more_}) column->assign(size_, T(0));
  }

  /// b ← the solution.
  void solve(std::vector<T>& b) {
    std::fill(solution_.begin(), solution_.end(), T(0));
    const int passes = multipliers_ > 0 ? 3 : 2;
    for (int pass = 0; pass < passes; ++pass) {
      for (std::size_t i = 0; i < size_; ++i) left_[i] = rows_[i] * b[i];
      if (pass > 0)
        for (const auto& e : entries_) left_[index(e.row)] -= e.value * solution_[index(e.column)];
      for (std::size_t i = 0; i < size_; ++i) more_[places_[i]] = left_[i];
      factors_.solve(more_.data());
      for (std::size_t i = 0; i < size_; ++i) solution_[i] += more_[places_[i]];
    }
    for (std::size_t i = 0; i < size_; ++i) b[i] = columns_[i] * solution_[i];
  }

 private:
  static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  static int as_int(std::size_t i) noexcept { return static_cast<int>(i); }
  [[nodiscard]] std::size_t place(int unknown) const noexcept { return places_[index(unknown)]; }
  /// E.
  [[nodiscard]] S spring(std::size_t i) const noexcept {
    return i >= size_ - multipliers_ ? -std::sqrt(std::numeric_limits<S>::epsilon()) : S(0);
  }
  /// What rows and columns are multiplied by.
  void scale() {
    rows_.assign(size_, S(1));
    columns_.assign(size_, S(1));
    std::vector<S> row(size_), column(size_);
    for (int sweep = 0; sweep < 6; ++sweep) {
      std::fill(row.begin(), row.end(), S(0));
      std::fill(column.begin(), column.end(), S(0));
      for (const auto& e : entries_) {
        const S size = std::abs(e.value) * rows_[index(e.row)] * columns_[index(e.column)];
        row[index(e.row)] = std::max(row[index(e.row)], size);
        column[index(e.column)] = std::max(column[index(e.column)], size);
      }
      const auto shrink = [](S most) { return most > S(0) ? S(1) / std::sqrt(most) : S(1); };
      for (std::size_t i = 0; i < size_; ++i) {
        rows_[i] *= shrink(row[i]);
        columns_[i] *= shrink(column[i]);
      }
    }
  }
  /// Where each unknown stands in the band.
  void put_near() {
    order_.start(size_);
    for (const auto& e : entries_) order_.couple(e.row, e.column);
    order_.find();
    places_.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) places_[index(order_.order()[i])] = i;
  }

  std::size_t size_ = 0, multipliers_ = 0;
  Entries entries_;
  NeighbourOrder order_;
  std::vector<std::size_t> places_;
  std::vector<S> rows_, columns_;
  std::vector<T> solution_, left_, more_;
  dalembert::detail::BandLU<T> factors_;
};

}  // namespace dalembert::assembly::detail
