#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/sparse_equations.hpp>
#include <dalembert/core/detail/band_lu.hpp>
#include <dalembert/core/errors.hpp>

namespace dalembert::assembly::detail {

/// How the internal coordinates of an assembly follow small motions of its nodes: F_q q + F_s s = 0, (2) of
/// small_motions.hpp.
template <class S>
class PlaceSensitivity {
 public:
  /// Throws SingularSystem where places are not determined.
  template <class Motions>
  explicit PlaceSensitivity(const Motions& motions)
      : nodes_(static_cast<int>(motions.nodes)), slides_(static_cast<std::size_t>(motions.slides)) {
    std::size_t apart = 0;
    for (const auto& e : motions.stiffness) {
      if (e.row < nodes_) continue;
      by_nodes_.push_back(e);
      if (e.column >= nodes_) apart = std::max(apart, static_cast<std::size_t>(std::abs(e.row - e.column)));
    }
    by_places_.start(slides_, apart, apart);
    std::erase_if(by_nodes_, [&](const SparseEntry<S>& e) {
      if (e.column < nodes_) return false;
      by_places_.at(static_cast<std::size_t>(e.row - nodes_), static_cast<std::size_t>(e.column - nodes_)) =
          e.value;
      return true;
    });
    if (!by_places_.decompose()) throw SingularSystem("the places of contacts are not determined");
  }

  /// (q, s) of q, the numbers of all degrees of nodes.
  [[nodiscard]] std::vector<S> follow(std::vector<S> q) {
    std::vector<S> s(slides_, S(0));
    for (const auto& e : by_nodes_)
      s[static_cast<std::size_t>(e.row - nodes_)] -= e.value * q[static_cast<std::size_t>(e.column)];
    by_places_.solve(s.data());
    q.insert(q.end(), s.begin(), s.end());
    return q;
  }

 private:
  int nodes_;
  std::size_t slides_;
  std::vector<SparseEntry<S>> by_nodes_;    // F_q
  dalembert::detail::BandLU<S> by_places_;  // F_s
};

}  // namespace dalembert::assembly::detail
