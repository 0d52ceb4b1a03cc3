#pragma once

#include <limits>
#include <string>
#include <vector>

#include <dalembert/assembly/detail/cluster_system.hpp>
#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/assembly/rows.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Small parts of the solution of an assembly's equations.
namespace dalembert::assembly::detail {

/// What may be left of a right side, relative to its size or to that of what it was made from: a little below
/// half the digits, for rows far from the origin are known to some of their last digits only.
template <class S>
[[nodiscard]] S trusted() noexcept {
  return number::sqrt(S(std::numeric_limits<S>::epsilon())) / S(16);
}

/// Throws IncompatibleConstraints for a row of this name.
template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_contradicts(const std::string& name, S time) {
  throw IncompatibleConstraints(message({"IncompatibleConstraints: ", name,
                                         " contradicts other rows, or acts on nothing that can move"}),
                                number::plain(time));
}

/// Ask for the numbers of a node in each column.
template <class S, int Count>
void fetch_columns(const Columns<S, Count>& columns, Eigen::Index row) noexcept {
  const S* const begin = columns.data() + row;
  for (int i = 0; i < Count; ++i) __builtin_prefetch(begin + i * columns.rows());
}

/// Ask for what the nodes of a constraint have, which lies here and there in memory, before it is needed.
template <class E, class S>
void prefetch(const E& e, const std::vector<Chain<S>>& chains, const Inertias<S>& inertia) noexcept {
  for (const Window& w : e.windows)
    if (w.count > 0 && !w.line) {
      fetch_columns(chains[w.body].configuration, w.first);
      fetch_columns(chains[w.body].velocity, w.first);
      fetch_columns(inertia[w.body].inverse, w.first);
    }
}

}  // namespace dalembert::assembly::detail
