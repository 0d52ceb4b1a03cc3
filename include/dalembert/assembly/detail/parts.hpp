#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/clusters/clusters.hpp>

/// Parts of an assembly that do not act on each other. A step that does all of one part before the next finds
/// it in the cache.
namespace dalembert::assembly::detail {

/// Which members of `Kinds` lists belong to which part.
template <std::size_t Kinds>
class Parts {
 public:
  /// Members are counted list after list, `part_of` says the part of each.
  [[gnu::cold, gnu::noinline]] void divide(const std::array<std::size_t, Kinds>& sizes,
                                           const std::vector<int>& part_of, std::size_t parts) {
    std::size_t counted = 0;
    for (std::size_t kind = 0; kind < Kinds; ++kind) {
      std::vector<std::size_t>&order = order_[kind], &begin = begin_[kind];
      const int* const mine = part_of.data() + counted;
      begin.assign(parts + 1, 0);
      for (std::size_t i = 0; i < sizes[kind]; ++i) ++begin[static_cast<std::size_t>(mine[i]) + 1];
      for (std::size_t p = 0; p < parts; ++p) begin[p + 1] += begin[p];
      order.resize(sizes[kind]);
      std::vector<std::size_t> next = begin;
      for (std::size_t i = 0; i < sizes[kind]; ++i) order[next[static_cast<std::size_t>(mine[i])]++] = i;
      counted += sizes[kind];
    }
    count_ = parts;
  }

  /// Their number.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The members of a list that belong to a part, in the order of the list.
  [[nodiscard]] std::span<const std::size_t> members(std::size_t kind, std::size_t part) const noexcept {
    const std::size_t begin = begin_[kind][part];
    return {order_[kind].data() + begin, begin_[kind][part + 1] - begin};
  }
  /// How many members of all lists belong to a part.
  [[nodiscard]] std::size_t size(std::size_t part) const noexcept {
    std::size_t n = 0;
    for (const std::vector<std::size_t>& begin : begin_) n += begin[part + 1] - begin[part];
    return n;
  }

 private:
  std::array<std::vector<std::size_t>, Kinds> order_, begin_;
  std::size_t count_ = 0;
};

/// Finds the parts of bodies that constraints join.
class Islands {
 public:
  /// So many nodes are small enough for a cache together: the numbers of one are some 300 bytes in all.
  static constexpr std::ptrdiff_t nodes_of_part = 512;

  /// Bodies of so many nodes each.
  [[gnu::cold, gnu::noinline]] explicit Islands(std::vector<std::ptrdiff_t> nodes)
      : nodes_(std::move(nodes)), root_(nodes_.size()) {
    for (std::size_t i = 0; i < root_.size(); ++i) root_[i] = i;
  }
  /// These two belong together.
  void join(std::size_t a, std::size_t b) {
    const std::size_t x = root_of(root_, a), y = root_of(root_, b);
    root_[std::max(x, y)] = std::min(x, y);
  }
  /// The part of each body, and the number of parts: bodies that are joined are in one part, and parts are
  /// not smaller than they need be.
  [[nodiscard, gnu::cold, gnu::noinline]] std::pair<std::vector<int>, std::size_t> parts() {
    std::vector<std::ptrdiff_t> together(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) together[root_of(root_, i)] += nodes_[i];
    std::vector<int> part(nodes_.size(), 0);
    std::ptrdiff_t filled = 0;
    int last = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t first = root_of(root_, i);  // the first body of its island
      if (first == i) {
        if (filled > 0 && filled + together[i] > nodes_of_part) {
          ++last;
          filled = 0;
        }
        filled += together[i];
        part[i] = last;
      } else {
        part[i] = part[first];
      }
    }
    return {std::move(part), static_cast<std::size_t>(last) + 1};
  }

 private:
  std::vector<std::ptrdiff_t> nodes_;
  std::vector<std::size_t> root_;
};

}  // namespace dalembert::assembly::detail
