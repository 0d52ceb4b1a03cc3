#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

/// Clusters: constraints that share nodes, directly or through others, by union and find.
namespace dalembert::assembly::detail {

/// The root of member i, where each member names one that it belongs to, and roots name themselves; the way
/// to it becomes shorter.
template <class Number>
[[nodiscard]] std::size_t root_of(std::vector<Number>& named, std::size_t i) noexcept {
  const auto index = [](Number n) { return static_cast<std::size_t>(n); };
  while (index(named[i]) != i) i = index(named[i] = named[index(named[i])]);
  return i;
}

/// The clusters of so many constraints.
class Clusters {
 public:
  /// The constraint that touched each node of each body first, or −1: room to work, all −1 before and
  /// after.
  using Owners = std::vector<std::vector<int>>;

  /// Room for `constraints` constraints.
  void make_room(std::size_t constraints) {
    root_.resize(constraints);
    members_.resize(constraints);
    begins_.resize(constraints + 1);
  }

  /// Find them; `each_window(f)` calls f(constraint, body, first, count) for the nodes that each constraint
  /// touches.
  template <class Windows>
  void find(Owners& owners, const Windows& each_window) {
    for (std::size_t i = 0; i < root_.size(); ++i) root_[i] = static_cast<int>(i);
    each_window([&](std::size_t constraint, std::size_t body, std::size_t first, std::size_t count) {
      for (std::size_t node = first; node < first + count; ++node) {
        int& owner = owners[body][node];
        if (owner < 0)
          owner = static_cast<int>(constraint);
        else
          root_[root_of(root_, constraint)] =
              static_cast<int>(root_of(root_, static_cast<std::size_t>(owner)));
      }
    });
    each_window([&](std::size_t, std::size_t body, std::size_t first, std::size_t count) {
      std::fill_n(owners[body].begin() + static_cast<std::ptrdiff_t>(first), count, -1);
    });
    // members of one cluster one after the other
    const std::size_t n = root_.size();
    std::fill(begins_.begin(), begins_.end(), std::size_t{0});
    for (std::size_t i = 0; i < n; ++i) {
      root_[i] = static_cast<int>(root_of(root_, i));
      ++begins_[static_cast<std::size_t>(root_[i]) + 1];
    }
    for (std::size_t i = 0; i < n; ++i) begins_[i + 1] += begins_[i];
    for (std::size_t i = 0; i < n; ++i) members_[begins_[static_cast<std::size_t>(root_[i])]++] = i;
    count_ = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (i == 0 || root_[members_[i]] != root_[members_[i - 1]]) begins_[count_++] = i;
    begins_[count_] = n;
  }

  /// Their number.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Where the members of cluster i begin, and end for i − 1.
  [[nodiscard]] std::size_t begin(std::size_t i) const noexcept { return begins_[i]; }
  /// Number of the constraint at this place among the members.
  [[nodiscard]] std::size_t member(std::size_t i) const noexcept { return members_[i]; }

 private:
  std::vector<int> root_;
  std::vector<std::size_t> members_, begins_;
  std::size_t count_ = 0;
};

}  // namespace dalembert::assembly::detail
