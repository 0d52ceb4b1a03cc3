#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/clusters/detail/cluster_hubs.hpp>
#include <dalembert/clusters/rows_view.hpp>
#include <dalembert/core/detail/radix_sort.hpp>

/// Which constraints of a cluster share nodes.
namespace dalembert::assembly::detail {

/// See the head of this file.
template <class S>
class ClusterGraph {
 public:
  using Pairs = std::vector<std::pair<int, int>>;

  /// Find it for members of a cluster, with hubs if there are some, or without; it is kept while they touch
  /// the same nodes.
  void find(const std::vector<RowsView<S>>& members, bool with_hubs) {
    told_.clear();
    for (std::size_t i = 0; i < members.size(); ++i)
      for (int p = 0; p < members[i].places; ++p) {
        const Window& w = members[i].windows[p];
        const auto add = [&](Eigen::Index first) {
          told_.push_back({w.body, first, first + w.count, static_cast<int>(i), w.line, members[i].rows});
        };
        if (w.count > 0) add(w.first);
        if (w.around > 0 && w.first + w.count > w.around) add(w.first - w.around);
      }
    // at the end, what was asked for
    told_.push_back({0, 0, 0, static_cast<int>(members.size()), false, with_hubs ? 1 : 0});
    if (told_ == known_) return;
    std::swap(told_, known_);
    told_.reserve(known_.size());  // the next look allocates nothing
    spans_.assign(known_.begin(), known_.end() - 1);
    sort_spans();
    hubs_.clear();
    pairs_.clear();
    if (with_hubs) {
      hubs_.find(spans_);
      if (hubs_.count() > 0) {
        hubs_.take_out(spans_, more_spans_,
                       [&](int i, int h) { pairs_.emplace_back(static_cast<int>(members.size()) + h, i); });
        sort_spans();
      }
    }
    for (auto a = spans_.begin(); a != spans_.end(); ++a)
      for (auto b = a + 1; b != spans_.end() && b->body == a->body && b->first < a->end; ++b)
        if (a->member != b->member)
          pairs_.emplace_back(std::max(a->member, b->member), std::min(a->member, b->member));
    dalembert::detail::sort_pairs(pairs_, more_pairs_);
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }

  /// Pairs (i, j), i > j, of members that share nodes which are no hubs, then (h, j) of members on hub h.
  /// Hubs are numbered after the members.
  [[nodiscard]] const Pairs& pairs() const noexcept { return pairs_; }
  [[nodiscard]] const ClusterHubs<S>& hubs() const noexcept { return hubs_; }
  /// The unknowns of all hubs.
  [[nodiscard]] int hub_rows() const noexcept { return ClusterHubs<S>::unknowns * hubs_.count(); }

  /// Which members wait for hubs: those that touch no other nodes.
  [[gnu::cold, gnu::noinline]] void find_waiting(std::size_t members, std::vector<int>& waits) const {
    waits.clear();
    waits.resize(members);
    for (const auto& [h, i] : pairs_)
      if (index(h) >= members) waits[index(i)] = 1;
    for (const Span& s : spans_) waits[index(s.member)] = 0;
  }

 private:
  [[nodiscard]] static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  void sort_spans() {
    dalembert::detail::radix_sort(spans_, more_spans_, [](const Span& s) {
      constexpr Eigen::Index least = -(Eigen::Index{1} << 31);
      return dalembert::detail::key_of(s.body, static_cast<std::size_t>(s.first - least));
    });
  }

  std::vector<Span> told_, known_, spans_, more_spans_;
  Pairs pairs_, more_pairs_;
  ClusterHubs<S> hubs_;
};

}  // namespace dalembert::assembly::detail
