#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <dalembert/core/detail/radix_sort.hpp>
#include <dalembert/core/number.hpp>

/// Entries of sparse matrices, and the sizes of numbers, which may be complex, that they are solved for.
namespace dalembert::linalg {

/// An entry of a sparse matrix.
template <class T>
struct SparseEntry {
  int row;     ///< from 0
  int column;  ///< from 0
  T value;     ///< of the entry
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

namespace detail {

/// |x|², without the root that a complex |x| takes.
template <class R>
[[nodiscard]] R square_of(const R& x) noexcept {
  return x * x;
}
template <class R>
[[nodiscard]] R square_of(const std::complex<R>& x) noexcept {
  return std::norm(x);
}
/// Whether all of a number is finite.
template <class R>
[[nodiscard]] bool is_finite(const R& x) noexcept {
  return number::isfinite(x);
}
template <class R>
[[nodiscard]] bool is_finite(const std::complex<R>& x) noexcept {
  return number::isfinite(x.real()) && number::isfinite(x.imag());
}

}  // namespace detail

}  // namespace dalembert::linalg
