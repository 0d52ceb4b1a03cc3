#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/assembly/detail/general.hpp>
#include <dalembert/assembly/detail/node_products.hpp>
#include <dalembert/assembly/detail/semidefinite.hpp>

/// The system A M⁻¹ A_Vᵀ μ = b of one cluster: constraints of any kinds that share nodes.
namespace dalembert::assembly::detail {

/// The rows of a constraint of any kind in one state. Blocks have a row each, column by column, place after place.
template <class S>
struct RowsView {
  int rows = 0, row = 0;            ///< how many, and the first among those of all constraints
  int positions = 0, position = 0;  ///< likewise of the position rows
  int places = 0;
  bool reacts_elsewhere = false;  ///< A_V is not A
  const Window* windows = nullptr;
  const S *along = nullptr, *linear = nullptr, *angular = nullptr, *reaction_linear = nullptr,
          *reaction_angular = nullptr;
  const std::vector<S>* nodes = nullptr;  ///< rows node by node, of each place, instead of these blocks

  /// The view of a constraint whose rows begin there.
  template <Constraint C>
  [[nodiscard]] static RowsView of(const Evaluation<C>& e, int row, int position) noexcept {
    using E = Evaluation<C>;
    RowsView v;
    v.rows = E::R;
    v.row = row;
    v.positions = E::P;
    v.position = position;
    v.places = E::N;
    v.windows = e.windows.data();
    v.along = e.along.data();
    if constexpr (by_nodes<C>) {
      v.nodes = e.nodes.windows();
    } else {
      v.linear = v.reaction_linear = e.linear[0].data();
      v.angular = v.reaction_angular = e.angular[0].data();
    }
    if constexpr (E::others > 0) {
      v.reacts_elsewhere = true;
      v.reaction_linear = e.reaction_linear[0].data();
      v.reaction_angular = e.reaction_angular[0].data();
    }
    return v;
  }
  /// Row r of a block at a place.
  [[nodiscard]] Triple<S> of(const S* block, int place, int r) const noexcept {
    const S* const p = block + 3 * rows * place + r;
    return {p[0], p[rows], p[2 * rows]};
  }
  /// Row r on node k of a place, where its rows on the averages are these.
  [[nodiscard]] Averages<S> on_node(const S* on_v, const S* on_w, const S* weights, int place, Eigen::Index k,
                                    int r) const noexcept {
    const Window& w = windows[place];
    if (nodes) return node_row(nodes[place].data() + 6 * rows * (k - w.first), r);
    const S alpha = weights[w.weights + (k - w.first)];
    return {alpha * of(on_v, place, r), alpha * of(on_w, place, r)};
  }
  /// Number of rows of a kind, and the first of them.
  [[nodiscard]] int count(RowKind kind) const noexcept { return kind.positions ? positions : rows; }
  [[nodiscard]] int first(RowKind kind) const noexcept { return kind.positions ? position : row; }
};

/// What is left of b where systems have no solution, in the units of the kinetic energy [√J, or √J/s].
template <class S>
struct Leftover {
  int row = -1;  ///< where most is left, −1 if nothing is
  S size{};      ///< how much
  S largest{};   ///< the largest entry of b
};

/// See the head of this file.
template <class S>
class ClusterSystem {
 public:
  using Column = Vec<S, Eigen::Dynamic>;
  using Members = std::vector<RowsView<S>>;

  /// Assemble and decompose.
  void decompose(const Members& members, RowKind kind, const Nodes<S>& nodes) {
    kind_ = kind;
    symmetric_ = true;
    n_ = 0;
    for (const RowsView<S>& c : members) {
      n_ += c.count(kind);
      if (c.reacts_elsewhere && !kind.repair) symmetric_ = false;
    }
    const auto entries = static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_);
    if (matrix_.size() < entries) {
      matrix_.resize(entries);
      small_.resize(entries);
      order_.resize(static_cast<std::size_t>(n_));
      for (std::vector<S>* c : {&scale_, &left_, &work_, &ordered_}) c->resize(static_cast<std::size_t>(n_));
    }
    assemble(members, nodes);
    S* const g = matrix_.data();
    // unit diagonal
    for (int r = 0; r < n_; ++r) {
      const S diagonal = std::abs(g[r * n_ + r]);
      scale_[index(r)] = diagonal > std::numeric_limits<S>::min() ? S(1) / std::sqrt(diagonal) : S(0);
    }
    for (int s = 0; s < n_; ++s)
      for (int r = 0; r < n_; ++r) g[s * n_ + r] *= scale_[index(r)] * scale_[index(s)];
    if (symmetric_) {
      semidefinite_.decompose(g, n_, small_.data(), order_.data());
      rank_ = semidefinite_.rank();
    } else {
      general_.decompose(g, n_, order_.data());
      rank_ = general_.rank();
    }
  }

  /// μ of this cluster for its part of b, in place.
  void solve(const Members& members, Column& b, Leftover<S>& worst) {
    int r = 0;
    each_row(members, [&](int at) {
      ordered_[index(r)] = scale_[index(r)] * b[at];
      worst.largest = std::max(worst.largest, std::abs(ordered_[index(r++)]));
    });
    if (symmetric_)
      semidefinite_.solve(ordered_.data(), left_.data(), work_.data());
    else
      general_.solve(ordered_.data(), left_.data(), work_.data());
    r = 0;
    each_row(members, [&](int at) {
      // a row on which no node can move has scale 0: all of b is left, in its own unit
      const S left = scale_[index(r)] == S(0) ? std::abs(b[at]) : std::abs(left_[index(r)]);
      if (left > worst.size) {
        worst.row = at;
        worst.size = left;
      }
      b[at] = scale_[index(r)] * ordered_[index(r)];
      ++r;
    });
  }

  /// Rows that follow from others.
  [[nodiscard]] int redundant() const noexcept { return n_ - rank_; }

 private:
  [[nodiscard]] static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

  /// f(row) for each row of the system, counted over all constraints.
  template <class F>
  void each_row(const Members& members, F&& f) const {
    for (const RowsView<S>& c : members)
      for (int r = 0; r < c.count(kind_); ++r) f(c.first(kind_) + r);
  }

  using Block = S[most_rows][most_rows];

  /// The block of two constraints in A M⁻¹ A_Vᵀ.
  void block(const RowsView<S>& a, const RowsView<S>& b, const Nodes<S>& nodes, Block& g) const {
    for (int r = 0; r < a.rows; ++r)
      for (int s = 0; s < b.rows; ++s) g[r][s] = S(0);
    const S* const linear = kind_.repair ? b.linear : b.reaction_linear;
    const S* const angular = kind_.repair ? b.angular : b.reaction_angular;
    for (int i = 0; i < a.places; ++i)
      for (int j = 0; j < b.places; ++j) {
        const Window &p = a.windows[i], &q = b.windows[j];
        if (p.count == 0 || q.count == 0 || p.body != q.body || p.first + p.count <= q.first ||
            q.first + q.count <= p.first)
          continue;
        if (a.nodes || b.nodes) {
          const Eigen::Index end = std::min(p.first + p.count, q.first + q.count);
          for (Eigen::Index k = std::max(p.first, q.first); k < end; ++k) {
            const Compliance<S> c = node_compliance(nodes, p.body, k);
            for (int s = 0; s < b.rows; ++s) {
              const Averages<S> moved = times(c, b.on_node(linear, angular, nodes.weights, j, k, s));
              for (int r = 0; r < a.rows; ++r)
                g[r][s] += dot(a.on_node(a.linear, a.angular, nodes.weights, i, k, r), moved);
            }
          }
          continue;
        }
        const Compliance<S> c = compliance(p, q, nodes);
        for (int s = 0; s < b.rows; ++s) {
          const Triple<S> moved = scaled(c.linear, b.of(linear, j, s)),
                          turned = c.turned(b.of(angular, j, s));
          for (int r = 0; r < a.rows; ++r)
            g[r][s] += dot(a.of(a.linear, i, r), moved) + dot(a.of(a.angular, i, r), turned);
        }
      }
  }

  void assemble(const Members& members, const Nodes<S>& nodes) {
    Block whole;
    int column = 0;
    for (std::size_t j = 0; j < members.size(); ++j) {
      const RowsView<S>& b = members[j];
      int row = 0;
      for (std::size_t i = 0; i < members.size(); ++i) {
        const RowsView<S>& a = members[i];
        if (i >= j || !symmetric_) {
          block(a, b, nodes, whole);
          for (int s = 0; s < b.count(kind_); ++s)
            for (int r = 0; r < a.count(kind_); ++r)
              matrix_[index((column + s) * n_ + row + r)] =
                  kind_.positions ? along(a, b, whole, r, s) : whole[r][s];
        }
        row += a.count(kind_);
      }
      column += b.count(kind_);
    }
  }
  /// Entry (r, s) of C_a G C_bᵀ.
  [[nodiscard]] static S along(const RowsView<S>& a, const RowsView<S>& b, const Block& g, int r,
                               int s) noexcept {
    S x(0);
    for (int p = 0; p < a.rows; ++p)
      for (int q = 0; q < b.rows; ++q)
        x += a.along[a.positions * p + r] * g[p][q] * b.along[b.positions * q + s];
    return x;
  }

  RowKind kind_{};
  int n_ = 0, rank_ = 0;
  bool symmetric_ = true;
  std::vector<S> matrix_, small_, scale_, left_, work_, ordered_;
  std::vector<int> order_;
  Semidefinite<S> semidefinite_;
  General<S> general_;
};

}  // namespace dalembert::assembly::detail
