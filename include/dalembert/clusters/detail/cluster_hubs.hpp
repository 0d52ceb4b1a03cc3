#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/clusters/rows_view.hpp>
#include <dalembert/core/number.hpp>

/// Hubs of a cluster: nodes that so many of its constraints touch that their system A M⁻¹A_Vᵀ is dense
/// by them. With the compliance M_h⁻¹ = L Lᵀ of a hub h and A_h the columns of A there,
///   A M⁻¹A_Vᵀ = D + Σ B_h B_Vhᵀ,   B_h = A_h L                                                   (1)
/// where D, without hubs, is sparse; what is added has rank six by hub. And the blocks of D.
namespace dalembert::assembly::detail {

/// Where a place touches a body.
struct Span {
  std::size_t body;
  Eigen::Index first, end;
  int member;
  bool line;
  int rows;  ///< of the member

  [[nodiscard]] bool operator==(const Span&) const noexcept = default;
};

/// The hubs of a cluster and who touches them.
template <class S>
class ClusterHubs {
 public:
  using W = linalg::Wide<S>;
  static constexpr int unknowns = 6;  ///< of a hub
  /// Rows on the unknowns of a hub.
  using Shared = W[most_rows][unknowns];
  struct Hub {
    std::size_t body;
    Eigen::Index node;
  };

  [[nodiscard]] int count() const noexcept { return static_cast<int>(hubs_.size()); }
  [[nodiscard]] const Hub& operator[](int h) const noexcept { return hubs_[static_cast<std::size_t>(h)]; }

  void clear() noexcept { hubs_.clear(); }
  /// Find them among spans that are sorted by body and first node. Without hubs this ends with a look at
  /// each span.
  void find(const std::vector<Span>& spans) {
    clear();
    constexpr std::size_t few = index(least_rows / most_rows);
    for (std::size_t i = 0; i + few <= spans.size(); ++i) {
      const Span& last = spans[i + few - 1];
      if (last.body == spans[i].body && last.first < spans[i].end && !spans[i].line) {
        count_rows(spans);
        return;
      }
    }
  }
  /// Take their nodes out of the spans; each(member, hub) for those that touch. `room` is for a copy.
  template <class Each>
  [[gnu::cold, gnu::noinline]] void take_out(std::vector<Span>& spans, std::vector<Span>& room,
                                             const Each& each) const {
    room.clear();
    for (Span rest : spans) {
      auto h = rest.line ? hubs_.end() : from(rest.body, rest.first);
      for (;; ++h) {
        const bool cut = h != hubs_.end() && h->body == rest.body && h->node < rest.end;
        const Eigen::Index end = cut ? h->node : rest.end;
        if (end > rest.first) room.push_back({rest.body, rest.first, end, rest.member, rest.line, rest.rows});
        if (!cut) break;
        each(rest.member, static_cast<int>(h - hubs_.begin()));
        rest.first = end + 1;
      }
    }
    std::swap(spans, room);
  }
  /// Whether hubs are among these nodes.
  [[nodiscard]] bool among(std::size_t body, Eigen::Index first, Eigen::Index end) const noexcept {
    const auto h = from(body, first);
    return h != hubs_.end() && h->body == body && h->node < end;
  }

  /// B_h, or that of A_V, of a constraint: f its rows, and what makes of these the rows of a kind.
  [[gnu::cold, gnu::noinline]] void find_rows(const RowsView<S>& a, const typename RowsView<S>::Blocks& of,
                                              RowKind kind, const Hub& hub, const Nodes<S>& nodes,
                                              Shared& out) const {
    Averages<W> mine[most_rows] = {};
    for (int i = 0; i < a.places; ++i) {
      const Window& w = a.windows[i];
      if (w.line || w.body != hub.body || hub.node < w.first || hub.node >= w.first + w.count) continue;
      for (int r = 0; r < a.rows; ++r) {
        const Averages<W> more = widened(a.on_node(of, nodes.weights, i, hub.node, r));
        mine[r].linear += more.linear;
        mine[r].angular += more.angular;
      }
    }
    const Window node = one_node(hub.body, hub.node);
    const Root root(widened(compliance(node, node, nodes)));
    const S* const by = kind.positions ? a.along : a.shape;
    const int count = a.count(kind);
    for (int r = 0; r < count; ++r) {
      Averages<W> row = mine[r];
      if (by) {
        row = {};
        for (int p = 0; p < a.rows; ++p) {
          row.linear += W(by[count * p + r]) * mine[p].linear;
          row.angular += W(by[count * p + r]) * mine[p].angular;
        }
      }
      root.put(row, out[r]);
    }
  }

 private:
  /// With fewer rows a dense system is as quick.
  static constexpr int least_rows = 48;
  static constexpr std::size_t index(Eigen::Index i) noexcept { return static_cast<std::size_t>(i); }

  /// L of the compliance of a node.
  struct Root {
    W x, y, z;                 // linear
    W xx, yx, yy, zx, zy, zz;  // angular, the lower half

    explicit Root(const Compliance<W>& c) : x(root(c.linear.x)), y(root(c.linear.y)), z(root(c.linear.z)) {
      // a node that some axis holds has a compliance of less rank
      const W least =
          W(16) * W(std::numeric_limits<W>::epsilon()) * (c.diagonal.x + c.diagonal.y + c.diagonal.z);
      const auto pivot = [&](const W& d) { return root(d > least ? d : W(0)); };
      const auto over = [](const W& a, const W& d) { return d > W(0) ? W(a / d) : W(0); };
      xx = pivot(c.diagonal.x);
      yx = over(c.beside.z, xx);
      zx = over(c.beside.y, xx);
      yy = pivot(c.diagonal.y - yx * yx);
      zy = over(c.beside.x - zx * yx, yy);
      zz = pivot(c.diagonal.z - zx * zx - zy * zy);
    }
    /// √a; 0 has no derivative.
    [[gnu::cold, gnu::noinline]] static W root(const W& a) { return a > W(0) ? W(number::sqrt(a)) : W(0); }
    /// A row times L.
    void put(const Averages<W>& row, W (&out)[unknowns]) const {
      out[0] = row.linear.x * x;
      out[1] = row.linear.y * y;
      out[2] = row.linear.z * z;
      out[3] = row.angular.x * xx + row.angular.y * yx + row.angular.z * zx;
      out[4] = row.angular.y * yy + row.angular.z * zy;
      out[5] = row.angular.z * zz;
    }
  };

  [[nodiscard]] auto from(std::size_t body, Eigen::Index node) const noexcept {
    return std::lower_bound(hubs_.begin(), hubs_.end(), Hub{body, node}, [](const Hub& a, const Hub& b) {
      return a.body != b.body ? a.body < b.body : a.node < b.node;
    });
  }
  /// Of the spans of one body after the other.
  [[gnu::cold, gnu::noinline]] void count_rows(const std::vector<Span>& spans) {
    for (auto begin = spans.begin(), end = begin; begin != spans.end(); begin = end) {
      Eigen::Index last = 0;
      for (end = begin; end != spans.end() && end->body == begin->body; ++end)
        last = std::max(last, end->end);
      rows_.clear();
      rows_.resize(index(last));
      for (auto s = begin; s != end; ++s)
        for (Eigen::Index k = s->first; !s->line && k < s->end; ++k) rows_[index(k)] += s->rows;
      for (Eigen::Index k = 0; k < last; ++k)
        if (rows_[index(k)] >= least_rows) hubs_.push_back({begin->body, k});
    }
  }

  std::vector<Hub> hubs_;  // in the order of bodies and nodes
  std::vector<int> rows_;  // on each node of a body
};

/// Room for the block of two constraints.
template <class S>
using ClusterBlock = linalg::Wide<S>[most_rows][most_rows];

/// g ← g + a c bᵀ, of so many rows of two constraints.
template <class W>
[[gnu::noinline]] void add_products(int of_a, const Averages<W>* a, const Compliance<W>& c, int of_b,
                                    const Averages<W>* b, W (&g)[most_rows][most_rows]) noexcept {
  for (int s = 0; s < of_b; ++s) {
    const Averages<W> moved = c * b[s];
    for (int r = 0; r < of_a; ++r) g[r][s] += dot(a[r], moved);
  }
}

/// The block of these rows of two constraints; without those of its terms that hubs make, if there are hubs.
template <class S>
[[gnu::noinline]] void find_block(const RowsView<S>& a, const typename RowsView<S>::Blocks& of_a,
                                  const RowsView<S>& b, const typename RowsView<S>::Blocks& of_b,
                                  const Nodes<S>& nodes, const ClusterHubs<S>* hubs, ClusterBlock<S>& g) {
  using W = linalg::Wide<S>;
  for (int r = 0; r < a.rows; ++r)
    for (int s = 0; s < b.rows; ++s) g[r][s] = W(0);
  Averages<W> left[most_rows], right[most_rows];
  const auto add = [&](const Compliance<S>& c) { add_products(a.rows, left, widened(c), b.rows, right, g); };
  for (int i = 0; i < a.places; ++i)
    for (int j = 0; j < b.places; ++j) {
      const Window &p = a.windows[i], &q = b.windows[j];
      if (p.count == 0 || q.count == 0 || p.body != q.body) continue;
      if (!p.line && (p.first + p.count <= q.first || q.first + q.count <= p.first)) continue;
      const Eigen::Index first = std::max(p.first, q.first);
      const Eigen::Index end = std::min(p.first + p.count, q.first + q.count);
      const bool shared = hubs != nullptr && !p.line && hubs->among(p.body, first, end);
      if (!a.nodes && !b.nodes && !shared) {
        for (int r = 0; r < a.rows; ++r) left[r] = widened(a.on_place(of_a, i, r));
        for (int s = 0; s < b.rows; ++s) right[s] = widened(b.on_place(of_b, j, s));
        add(p.line ? Compliance<S>{.linear = {line_compliance(p, q, nodes), S(0), S(0)}}
                   : compliance(p, q, nodes));
        continue;
      }
      for (Eigen::Index k = first; k < end; ++k) {
        if (shared && hubs->among(p.body, k, k + 1)) continue;
        for (int r = 0; r < a.rows; ++r) left[r] = widened(a.on_node(of_a, nodes.weights, i, k, r));
        for (int s = 0; s < b.rows; ++s) right[s] = widened(b.on_node(of_b, nodes.weights, j, k, s));
        add(compliance(one_node(p.body, k), one_node(p.body, k), nodes));
      }
    }
}

/// The sizes of the terms that the diagonal of the block of these rows with themselves is a sum of, however
/// nodes are turned.
template <class S, class W = linalg::Wide<S>>
[[gnu::cold, gnu::noinline]] void find_sizes(const RowsView<S>& a, const typename RowsView<S>::Blocks& of,
                                             const Nodes<S>& nodes, W* sizes) {
  std::fill_n(sizes, a.rows, W(0));
  for (int i = 0; i < a.places; ++i) {
    const Window& w = a.windows[i];
    const Eigen::Index end = w.line ? w.first + (w.count > 0 ? 1 : 0) : w.first + w.count;
    for (Eigen::Index k = w.first; k < end; ++k) {
      W linear, angular(0);
      if (w.line) {
        linear = W(line_compliance(w, w, nodes));
      } else {
        const auto& inverse = nodes.inertia[w.body].inverse;
        linear = W(std::max({inverse(k, 0), inverse(k, 1), inverse(k, 2)}));
        for (int j = 3; j < 6; ++j) angular += W(inverse(k, j));
      }
      for (int r = 0; r < a.rows; ++r) {
        const Averages<W> x = widened(w.line ? a.on_place(of, i, r) : a.on_node(of, nodes.weights, i, k, r));
        sizes[r] += dot(x.linear, x.linear) * linear + dot(x.angular, x.angular) * angular;
      }
    }
  }
}

/// G ← C_a G C_bᵀ, of position rows.
template <class S, class W = linalg::Wide<S>>
[[gnu::noinline]] void take_positions(const RowsView<S>& a, const RowsView<S>& b,
                                      ClusterBlock<S>& g) noexcept {
  ClusterBlock<S> all;
  for (int p = 0; p < a.rows; ++p) std::copy_n(g[p], b.rows, all[p]);
  for (int r = 0; r < a.positions; ++r)
    for (int s = 0; s < b.positions; ++s) {
      g[r][s] = W(0);
      for (int p = 0; p < a.rows; ++p)
        for (int q = 0; q < b.rows; ++q)
          g[r][s] += W(a.along[a.positions * p + r]) * all[p][q] * W(b.along[b.positions * q + s]);
    }
}

}  // namespace dalembert::assembly::detail
