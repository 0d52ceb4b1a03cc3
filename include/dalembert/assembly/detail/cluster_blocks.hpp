#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/assembly/detail/cluster_hubs.hpp>
#include <dalembert/assembly/detail/rows_view.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>

/// The blocks of A M⁻¹A_Vᵀ of two constraints.
namespace dalembert::assembly::detail {

/// Room for the block of two constraints.
template <class S>
using ClusterBlock = linalg::Wide<S>[most_rows][most_rows];

/// The block of these rows of two constraints; without those of its terms that hubs make, if there are hubs.
template <class S>
[[gnu::noinline]] void find_block(const RowsView<S>& a, const typename RowsView<S>::Blocks& of_a,
                                  const RowsView<S>& b, const typename RowsView<S>::Blocks& of_b,
                                  const Nodes<S>& nodes, const ClusterHubs<S>* hubs, ClusterBlock<S>& g) {
  using W = linalg::Wide<S>;
  for (int r = 0; r < a.rows; ++r)
    for (int s = 0; s < b.rows; ++s) g[r][s] = W(0);
  for (int i = 0; i < a.places; ++i)
    for (int j = 0; j < b.places; ++j) {
      const Window &p = a.windows[i], &q = b.windows[j];
      if (p.count == 0 || q.count == 0 || p.body != q.body) continue;
      if (!p.line && (p.first + p.count <= q.first || q.first + q.count <= p.first)) continue;
      const auto add = [&](const Compliance<W>& c, const auto& row_of_a, const auto& row_of_b) {
        for (int s = 0; s < b.rows; ++s) {
          const Averages<W> moved = c * widened(row_of_b(s));
          for (int r = 0; r < a.rows; ++r) g[r][s] += dot(widened(row_of_a(r)), moved);
        }
      };
      const Eigen::Index first = std::max(p.first, q.first);
      const Eigen::Index end = std::min(p.first + p.count, q.first + q.count);
      const bool shared = hubs != nullptr && !p.line && hubs->among(p.body, first, end);
      if (!a.nodes && !b.nodes && !shared) {
        const Compliance<S> c = p.line ? Compliance<S>{.linear = {line_compliance(p, q, nodes), S(0), S(0)}}
                                       : compliance(p, q, nodes);
        add(
            widened(c), [&](int r) { return a.on_place(of_a, i, r); },
            [&](int s) { return b.on_place(of_b, j, s); });
        continue;
      }
      for (Eigen::Index k = first; k < end; ++k)
        if (!shared || !hubs->among(p.body, k, k + 1))
          add(
              widened(compliance(one_node(p.body, k), one_node(p.body, k), nodes)),
              [&](int r) { return a.on_node(of_a, nodes.weights, i, k, r); },
              [&](int s) { return b.on_node(of_b, nodes.weights, j, k, s); });
    }
}

/// Entry (r, s) of C_a G C_bᵀ, of position rows.
template <class S, class W = linalg::Wide<S>>
[[nodiscard]] W position_entry(const RowsView<S>& a, const RowsView<S>& b, const ClusterBlock<S>& g, int r,
                               int s) noexcept {
  W x(0);
  for (int p = 0; p < a.rows; ++p)
    for (int q = 0; q < b.rows; ++q)
      x += W(a.along[a.positions * p + r]) * g[p][q] * W(b.along[b.positions * q + s]);
  return x;
}

}  // namespace dalembert::assembly::detail
