#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/detail/radix_sort.hpp>

/// An order of what couples, so that it lies near the diagonal of a matrix.
/// Source: Cuthill & McKee 1969, reversed by George 1971.
namespace dalembert::linalg {

/// An order of the vertices of a graph in which neighbours lie near each other: that of Cuthill and McKee,
/// reversed.
class CuthillMcKee {
 public:
  /// No edges between so many vertices.
  [[gnu::cold, gnu::noinline]] void start(std::size_t vertices) {
    edges_.clear();
    ends_.clear();
    ends_.resize(vertices + 1);
    level_.resize(vertices);
    order_.resize(vertices);
  }
  /// An edge, which may be told more than once.
  [[gnu::cold, gnu::noinline]] void couple(int a, int b) {
    if (a == b || (!edges_.empty() && edges_.back() == std::pair{b, a})) return;
    edges_.emplace_back(a, b);
    edges_.emplace_back(b, a);
  }

  /// Find the order, which begins anew in each part that hangs together.
  [[gnu::noinline]] void find() {
    dalembert::detail::sort_pairs(edges_, more_edges_);
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const auto& edge : edges_) ++ends_[at(edge.first) + 1];
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
    std::fill(level_.begin(), level_.end(), none);
    std::size_t done = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (level_[i] != none) continue;
      // from as far out as walks to and fro lead
      int start = static_cast<int>(i), depth = -1;
      for (;;) {
        const std::size_t reached = walk(start, done);
        const int deepest = level_[at(order_[reached - 1])];
        if (deepest <= depth) {
          done = reached;
          break;
        }
        depth = deepest;
        start = order_[reached - 1];
        for (std::size_t k = done; k < reached; ++k) {
          const int vertex = order_[k];
          if (level_[at(vertex)] == deepest && degree(vertex) < degree(start)) start = vertex;
        }
        for (std::size_t k = done; k < reached; ++k) level_[at(order_[k])] = none;
      }
    }
    std::reverse(order_.begin(), order_.end());
  }

  /// The vertex at each place.
  [[nodiscard]] const std::vector<int>& order() const noexcept { return order_; }
  /// f(neighbour) for the neighbours of a vertex.
  template <class F>
  void each_neighbour(int vertex, const F& f) const {
    for (std::size_t e = ends_[at(vertex)]; e < ends_[at(vertex) + 1]; ++e) f(edges_[e].second);
  }

 private:
  static constexpr int none = -1;
  static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] std::size_t degree(int vertex) const noexcept {
    return ends_[at(vertex) + 1] - ends_[at(vertex)];
  }

  /// Breadth first, neighbours of few neighbours first, into the order from `begin` on; where that ends.
  std::size_t walk(int start, std::size_t begin) {
    std::size_t end = begin;
    order_[end++] = start;
    level_[at(start)] = 0;
    for (std::size_t k = begin; k < end; ++k) {
      near_.clear();
      each_neighbour(order_[k], [&](int next) {
        if (level_[at(next)] != none) return;
        level_[at(next)] = level_[at(order_[k])] + 1;
        near_.emplace_back(static_cast<int>(degree(next)), next);
      });
      dalembert::detail::sort_pairs(near_, more_edges_);
      for (const auto& [_, next] : near_) order_[end++] = next;
    }
    return end;
  }

  std::vector<std::pair<int, int>> edges_, more_edges_, near_;
  std::vector<std::size_t> ends_;  // of the edges of each vertex
  std::vector<int> level_, order_;
};

}  // namespace dalembert::linalg
