#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/banded.hpp>
#include <dalembert/assembly/detail/general.hpp>
#include <dalembert/assembly/detail/node_products.hpp>
#include <dalembert/assembly/detail/semidefinite.hpp>
#include <dalembert/core/number.hpp>

/// The system A M⁻¹ A_Vᵀ μ = b of one cluster: constraints of any kinds that share nodes. It is dense, or kept as a band where there are many rows,
/// of which each couples with few.
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
  const std::vector<S>* nodes = nullptr;       ///< rows node by node, of each place, instead of these blocks
  const S *shape = nullptr, *exact = nullptr;  ///< of `FrictionRows`, if some rows are friction
  S resistance{};                              ///< likewise

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
    if constexpr (has_friction<C>)
      if (e.friction.mobility > S(0)) {
        v.shape = e.friction.shape.data();
        v.exact = e.friction.exact.data();
        v.resistance = e.friction.resistance;
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

/// See the head of this file. Where no constraint has reactions along other rows, all systems are symmetric.
template <class S, bool may_react_elsewhere = true, bool may_have_friction = false>
class ClusterSystem {
 public:
  using Column = Vec<S, Eigen::Dynamic>;
  using Members = std::vector<RowsView<S>>;

  /// Assemble and decompose.
  [[gnu::noinline]] void decompose(const Members& members, RowKind kind, const Nodes<S>& nodes) {
    kind_ = kind;
    symmetric_ = true;
    begin_.resize(members.size() + 1);
    begin_[0] = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      begin_[i + 1] = begin_[i] + members[i].count(kind);
      if constexpr (may_react_elsewhere)
        if (members[i].reacts_elsewhere && !kind.repair) symmetric_ = false;
    }
    n_ = begin_.back();
    find_pairs(members);
    for (std::vector<S>* c : {&scale_, &left_, &work_, &ordered_})
      if (c->size() < index(n_)) c->resize(index(n_));
    banded_ = symmetric_ && n_ > most_dense_rows;
    if (banded_) {
      find_pattern(members);
      assemble(members, nodes, [&](int r, int s) -> S& { return band()(r, s); });
      band().decompose();
      rank_ = band().rank();
      return;
    }
    const auto entries = index(n_) * index(n_);
    if (matrix_.size() < entries) {
      matrix_.resize(entries);
      small_.resize(entries);
      order_.resize(index(n_));
    }
    std::fill_n(matrix_.begin(), entries, S(0));
    assemble(members, nodes, [&](int r, int s) -> S& { return matrix_[index(s * n_ + r)]; });
    if (symmetric_) {
      semidefinite_.decompose(matrix_.data(), n_, small_.data(), order_.data());
      rank_ = semidefinite_.rank();
    } else if constexpr (may_react_elsewhere) {
      general_.decompose(matrix_.data(), n_, order_.data());
      rank_ = general_.rank();
    }
  }

  /// μ of this cluster for its part of b, in place.
  [[gnu::noinline]] void solve(const Members& members, Column& b, Leftover<S>& worst) {
    int r = 0;
    each_row(members, [&](int at) {
      ordered_[index(r)] = scale_[index(r)] * b[at];
      worst.largest = std::max(worst.largest, number::abs(ordered_[index(r++)]));
    });
    if (banded_)
      band().solve(ordered_.data(), left_.data(), work_.data());
    else if (symmetric_)
      semidefinite_.solve(ordered_.data(), left_.data(), work_.data());
    else if constexpr (may_react_elsewhere)
      general_.solve(ordered_.data(), left_.data(), work_.data());
    r = 0;
    each_row(members, [&](int at) {
      // a row on which no node can move has scale 0: all of b is left, in its own unit
      const S left = scale_[index(r)] == S(0) ? number::abs(b[at]) : number::abs(left_[index(r)]);
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
  [[gnu::noinline]] void block(const RowsView<S>& a, const RowsView<S>& b, const Nodes<S>& nodes,
                               Block& g) const {
    for (int r = 0; r < a.rows; ++r)
      for (int s = 0; s < b.rows; ++s) g[r][s] = S(0);
    const S* const linear = kind_.repair ? b.linear : b.reaction_linear;
    const S* const angular = kind_.repair ? b.angular : b.reaction_angular;
    for (int i = 0; i < a.places; ++i)
      for (int j = 0; j < b.places; ++j) {
        const Window &p = a.windows[i], &q = b.windows[j];
        if (p.count == 0 || q.count == 0 || p.body != q.body) continue;
        if (!p.line && (p.first + p.count <= q.first || q.first + q.count <= p.first)) continue;
        if (p.line) {
          const S c = line_compliance(p, q, nodes);
          for (int s = 0; s < b.rows; ++s)
            for (int r = 0; r < a.rows; ++r) g[r][s] += a.of(a.linear, i, r).x * c * b.of(linear, j, s).x;
          continue;
        }
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

  /// Where a place touches a body.
  struct Span {
    std::size_t body;
    Eigen::Index first, end;
    int member;
  };

  /// Which members share nodes: pairs (i, j), i > j.
  void find_pairs(const Members& members) {
    spans_.clear();
    for (std::size_t i = 0; i < members.size(); ++i)
      for (int p = 0; p < members[i].places; ++p) {
        const Window& w = members[i].windows[p];
        if (w.count > 0) spans_.push_back({w.body, w.first, w.first + w.count, static_cast<int>(i)});
        if (w.around > 0 && w.first + w.count > w.around)
          spans_.push_back({w.body, w.first - w.around, w.first + w.count - w.around, static_cast<int>(i)});
      }
    std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
      return a.body != b.body     ? a.body < b.body
             : a.first != b.first ? a.first < b.first
                                  : a.member < b.member;
    });
    pairs_.clear();
    for (auto a = spans_.begin(); a != spans_.end(); ++a)
      for (auto b = a + 1; b != spans_.end() && b->body == a->body && b->first < a->end; ++b)
        if (a->member != b->member)
          pairs_.emplace_back(std::max(a->member, b->member), std::min(a->member, b->member));
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }
  /// Where the band has entries, unless it is as it was.
  void find_pattern(const Members& members) {
    Pattern& p = patterns_[kind_.positions ? 1 : 0];
    if (p.begin == begin_ && p.pairs == pairs_) {
      p.band.set_zero();
      return;
    }
    p.begin = begin_;
    p.pairs = pairs_;
    counts_.clear();
    for (const RowsView<S>& c : members) counts_.push_back(c.count(kind_));
    p.band.start(counts_);
    for (const auto& [i, j] : pairs_) p.band.couple(i, j);
    p.band.find_pattern();
  }
  [[nodiscard]] Banded<S>& band() noexcept { return patterns_[kind_.positions ? 1 : 0].band; }

  /// The matrix of unit diagonal, and what it was scaled by, into entries(row, column); the lower half where it is symmetric.
  template <class Entries>
  void assemble(const Members& members, const Nodes<S>& nodes, const Entries& entries) {
    Block whole;
    const auto put = [&](std::size_t i, std::size_t j) {
      const RowsView<S>&a = members[i], &b = members[j];
      for (int s = 0; s < b.count(kind_); ++s)
        for (int r = 0; r < a.count(kind_); ++r) {
          const S x = kind_.positions ? along(a, b, whole, r, s) : whole[r][s];
          entries(begin_[i] + r, begin_[j] + s) =
              scale_[index(begin_[i] + r)] * scale_[index(begin_[j] + s)] * x;
        }
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
      const RowsView<S>& a = members[i];
      block(a, a, nodes, whole);
      if constexpr (may_have_friction) add_friction(a, a, kind_.positions, whole);
      for (int r = 0; r < a.count(kind_); ++r) {
        const S diagonal = number::abs(kind_.positions ? along(a, a, whole, r, r) : whole[r][r]);
        scale_[index(begin_[i] + r)] =
            diagonal > std::numeric_limits<S>::min() ? S(1) / number::sqrt(diagonal) : S(0);
      }
      put(i, i);
    }
    for (const auto& [i, j] : pairs_) {
      block(members[index(i)], members[index(j)], nodes, whole);
      if constexpr (may_have_friction)
        add_friction(members[index(i)], members[index(j)], kind_.positions, whole);
      put(index(i), index(j));
      if (symmetric_) continue;
      block(members[index(j)], members[index(i)], nodes, whole);
      put(index(j), index(i));
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

  /// A band for the rows, or the position rows, of members that couple in this way.
  struct Pattern {
    std::vector<int> begin;
    std::vector<std::pair<int, int>> pairs;
    Banded<S> band;
  };
  static constexpr int most_dense_rows = 60;

  RowKind kind_{};
  int n_ = 0, rank_ = 0;
  bool symmetric_ = true, banded_ = false;
  std::vector<int> begin_, counts_;  // the first row of each member, and how many it has
  std::vector<Span> spans_;
  std::vector<std::pair<int, int>> pairs_;
  std::array<Pattern, 2> patterns_;
  std::vector<S> matrix_, small_, scale_, left_, work_, ordered_;
  std::vector<int> order_;
  Semidefinite<S> semidefinite_;
  General<S> general_;
};

}  // namespace dalembert::assembly::detail
