#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <dalembert/contact/detail/touch.hpp>

/// Which contacts of a cluster act on each other.
namespace dalembert::contact::detail {

/// Finds those that share nodes, by lists of the contacts that begin at each node.
template <class S>
class TouchPairs {
 public:
  /// All (i, j) with j ≤ i of the contacts with these numbers that share nodes, and each with itself, in
  /// order of i.
  [[gnu::noinline]] const std::vector<std::array<std::size_t, 2>>& find(const std::vector<Touch<S>>& touches,
                                                                        const std::size_t* numbers,
                                                                        std::size_t count) {
    found_.clear();
    const auto touch = [&](std::size_t i) -> const Touch<S>& { return touches[numbers[i]]; };
    next_.resize(2 * count);
    seen_.assign(count, none);
    std::size_t widest = 1, nodes = 0;
    for (std::size_t i = 0; i < count; ++i)
      for (const TouchSide<S>& side : touch(i).sides)
        if (side.there()) {
          widest = std::max(widest, side.count());
          nodes = std::max(nodes, side.all + side.count());
        }
    if (first_.size() < nodes) first_.resize(nodes, none);
    for (std::size_t i = 0; i < count; ++i) {
      const Touch<S>& mine = touch(i);
      for (const TouchSide<S>& side : mine.sides) {
        if (!side.there()) continue;
        for (std::size_t k = side.all - std::min(side.all, widest - 1); k < side.all + side.count(); ++k)
          for (std::size_t at = first_[k]; at != none; at = next_[at]) {
            const std::size_t j = at / 2;
            if (seen_[j] == i || k + touch(j).sides[at % 2].count() <= side.all) continue;
            seen_[j] = i;
            found_.push_back({i, j});
          }
      }
      found_.push_back({i, i});
      each_side(i, mine, [&](std::size_t at, std::size_t node) {
        next_[at] = first_[node];
        first_[node] = at;
      });
    }
    for (std::size_t i = 0; i < count; ++i)
      each_side(i, touch(i), [&](std::size_t, std::size_t node) { first_[node] = none; });
    return found_;
  }

 private:
  static constexpr std::size_t none = TouchSide<S>::none;

  template <class F>
  static void each_side(std::size_t i, const Touch<S>& t, const F& f) {
    for (std::size_t s = 0; s < 2; ++s)
      if (t.sides[s].there()) f(2 * i + s, t.sides[s].all);
  }

  std::vector<std::array<std::size_t, 2>> found_;
  std::vector<std::size_t> first_;  // of the sides that begin at a node, none between clusters
  std::vector<std::size_t> next_;   // of them
  std::vector<std::size_t> seen_;   // by whom a contact was seen last
};

}  // namespace dalembert::contact::detail
