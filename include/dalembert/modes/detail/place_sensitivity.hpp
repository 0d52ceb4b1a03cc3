#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/linalg/sparse_equations.hpp>

namespace dalembert::assembly::detail {

/// How the internal coordinates of an assembly follow small motions of its nodes: F_q q + F_s s = 0, (2) of
/// small_motions.hpp.
template <class S>
class PlaceSensitivity {
 public:
  /// Throws SingularSystem where places are not determined.
  template <class Motions>
  explicit PlaceSensitivity(const Motions& motions)
      : nodes_(static_cast<int>(motions.nodes)), by_places_(0, motions.slides, 0) {
    for (const auto& e : motions.stiffness)
      if (e.row >= nodes_ && e.column < nodes_)
        by_nodes_.push_back(e);
      else if (e.row >= nodes_)
        by_places_.add(e.row - nodes_, e.column - nodes_, e.value);
    s_.resize(static_cast<std::size_t>(motions.slides));
    if (!s_.empty() && !by_places_.factor())
      throw SingularSystem("the places of contacts are not determined");
  }

  /// (q, s) of q, the numbers of all degrees of nodes.
  [[nodiscard]] std::vector<S> follow(std::vector<S> q) {
    if (s_.empty()) return q;
    std::fill(s_.begin(), s_.end(), S(0));
    for (const auto& e : by_nodes_)
      s_[static_cast<std::size_t>(e.row - nodes_)] -= e.value * q[static_cast<std::size_t>(e.column)];
    by_places_.solve(s_);
    q.insert(q.end(), s_.begin(), s_.end());
    return q;
  }

 private:
  int nodes_;
  std::vector<S> s_;
  std::vector<linalg::SparseEntry<S>> by_nodes_;  // F_q
  linalg::SparseEquations<S> by_places_;          // F_s
};

}  // namespace dalembert::assembly::detail
