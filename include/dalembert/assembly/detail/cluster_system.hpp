#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/rows_view.hpp>
#include <dalembert/core/detail/radix_sort.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/envelope_cholesky.hpp>
#include <dalembert/linalg/pivoted_lu.hpp>

/// The system A M⁻¹ A_Vᵀ μ = b of one cluster: constraints of any kinds that share nodes. It is kept
/// as a band, or dense where rows of a small one follow from others, or some react along other rows.
namespace dalembert::assembly::detail {

/// See the head of this file. Where no constraint has reactions along other rows, all systems are symmetric.
template <class S, bool may_react_elsewhere = true, bool may_have_friction = false>
class ClusterSystem {
 public:
  using W = linalg::Wide<S>;  ///< what systems are assembled and solved in
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
    for (std::vector<W>* c : {&scale_, &reaction_scale_, &left_, &work_, &ordered_, &speeds_})
      if (c->size() < index(n_)) c->resize(index(n_));
    // rows that follow from others want the pivots that a band has not
    const bool pivots = n_ <= most_dense_rows && redundant_[kind_.positions];
    banded_ = symmetric_ && !pivots;
    decompose(members, nodes);
    redundant_[kind_.positions] = rank_ < n_;
    if (!banded_ || rank_ == n_ || n_ > most_dense_rows) return;
    banded_ = false;
    decompose(members, nodes);
  }

  /// μ of this cluster for its part of b, in place.
  [[gnu::noinline]] void solve(const Members& members, Column& b, Leftover<S>& worst) {
    int r = 0;
    each_row(members, [&](int at) {
      ordered_[index(r)] = scale_[index(r)] * W(b[at]);
      worst.largest = std::max(worst.largest, S(number::abs(ordered_[index(r++)])));
    });
    with_matrix([&](auto& matrix) { matrix.solve(ordered_.data(), left_.data(), work_.data()); });
    r = 0;
    each_row(members, [&](int at) {
      // a row on which no node can move has scale 0: all of b is left, in its own unit
      const S left = scale_[index(r)] == W(0) ? number::abs(b[at]) : S(number::abs(left_[index(r)]));
      if (left > worst.size) {
        worst.row = at;
        worst.size = left;
      }
      b[at] = S(reaction_scale_[index(r)] * ordered_[index(r)]);
      ++r;
    });
  }

  /// The largest number of a column of rows, in the units of the kinetic energy.
  [[nodiscard]] S largest(const Members& members, const Column& b) const {
    S most(0);
    int r = 0;
    each_row(members, [&](int at) { most = std::max(most, S(scale_[index(r++)] * W(number::abs(b[at])))); });
    return most;
  }
  /// Rows that follow from others.
  [[nodiscard]] int redundant() const noexcept { return n_ - rank_; }
  /// Whether rounding leaves more of a right side than others do, so that a solution has to be improved.
  [[nodiscard]] bool is_ill_conditioned() const noexcept {
    const W small = W(64) * number::sqrt(W(std::numeric_limits<S>::epsilon()));
    return smallest_ < std::max(W(1e-3), small);
  }
  /// Note the sizes of the terms of A v, the largest since the last decomposition or `forget_speeds`.
  void note_speeds(const Members& members, const Nodes<S>& nodes) {
    int i = 0;
    for (const RowsView<S>& c : members)
      for (int r = 0; r < c.rows; ++r, ++i)
        speeds_[index(i)] = std::max(speeds_[index(i)], W(c.speed(nodes, r)));
  }
  void forget_speeds() { std::fill(speeds_.begin(), speeds_.end(), W(0)); }
  /// The largest part of those sizes that entries of `u` are.
  [[nodiscard]] S part_of_speeds(const Members& members, const Column& u) const {
    S most(0);
    int i = 0;
    // beside this nothing is known of bodies that were at rest
    const W least = W(16) * W(std::numeric_limits<S>::epsilon()) *
                    *std::max_element(speeds_.begin(), speeds_.begin() + n_);
    each_row(members, [&](int at) {
      const W size = std::max(speeds_[index(i)], least), mine = number::abs(W(u[at]));
      if (scale_[index(i++)] > W(0) && mine > W(0))
        most = std::max(most, S(size > mine ? mine / size : W(1)));
    });
    return most;
  }

 private:
  [[nodiscard]] static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

  /// The same in the kind of matrix that was chosen.
  [[gnu::noinline]] void decompose(const Members& members, const Nodes<S>& nodes) {
    if (banded_)
      find_pattern(members);
    else
      dense_.start(n_, symmetric_);
    with_matrix([&](auto& matrix) {
      assemble(members, nodes, matrix);
      matrix.decompose();
      rank_ = matrix.rank();
      smallest_ = matrix.smallest();
    });
  }

  /// f(row) for each row of the system, counted over all constraints.
  template <class F>
  void each_row(const Members& members, F&& f) const {
    for (const RowsView<S>& c : members)
      for (int r = 0; r < c.count(kind_); ++r) f(c.first(kind_) + r);
  }

  using Block = W[most_rows][most_rows];
  using Rows = typename RowsView<S>::Blocks;

  /// The block of two constraints in A M⁻¹ A_Vᵀ.
  [[gnu::noinline]] void block(const RowsView<S>& a, const RowsView<S>& b, const Nodes<S>& nodes,
                               Block& g) const {
    block(a, a.own, b, kind_.repair ? b.own : b.reaction, nodes, g);
  }
  /// The block of these rows of two constraints.
  [[gnu::noinline]] void block(const RowsView<S>& a, const Rows& of_a, const RowsView<S>& b, const Rows& of_b,
                               const Nodes<S>& nodes, Block& g) const {
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
        if (!a.nodes && !b.nodes) {
          const Compliance<S> c = p.line ? Compliance<S>{.linear = {line_compliance(p, q, nodes), S(0), S(0)}}
                                         : compliance(p, q, nodes);
          add(
              widened(c), [&](int r) { return a.on_place(of_a, i, r); },
              [&](int s) { return b.on_place(of_b, j, s); });
          continue;
        }
        const Eigen::Index end = std::min(p.first + p.count, q.first + q.count);
        for (Eigen::Index k = std::max(p.first, q.first); k < end; ++k)
          add(
              widened(compliance<S>(one_node(p.body, k), nodes)),
              [&](int r) { return a.on_node(of_a, nodes.weights, i, k, r); },
              [&](int s) { return b.on_node(of_b, nodes.weights, j, k, s); });
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
    dalembert::detail::radix_sort(spans_, more_spans_, [](const Span& s) {
      constexpr Eigen::Index least = -(Eigen::Index{1} << 31);
      return dalembert::detail::key_of(s.body, static_cast<std::size_t>(s.first - least));
    });
    pairs_.clear();
    for (auto a = spans_.begin(); a != spans_.end(); ++a)
      for (auto b = a + 1; b != spans_.end() && b->body == a->body && b->first < a->end; ++b)
        if (a->member != b->member)
          pairs_.emplace_back(std::max(a->member, b->member), std::min(a->member, b->member));
    dalembert::detail::radix_sort(pairs_, more_pairs_, [](const std::pair<int, int>& p) {
      return dalembert::detail::key_of(index(p.first), index(p.second));
    });
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }
  /// Where the band has entries, unless it is as it was. The first time room is taken for the other kind of
  /// rows too, which a later step may be the first to need.
  void find_pattern(const Members& members) {
    RowKind kind = kind_;
    for (int i = 0; i < 2; ++i, kind.positions = !kind.positions) {
      Pattern& p = patterns_[kind.positions ? 1 : 0];
      if (i == 1 && !p.counts.empty()) break;
      counts_.clear();
      for (const RowsView<S>& c : members) counts_.push_back(c.count(kind));
      if (p.counts == counts_ && p.pairs == pairs_) {
        p.band.set_zero();
        continue;
      }
      p.counts = counts_;
      p.pairs = pairs_;
      p.band.start(counts_);
      for (const auto& [a, b] : pairs_) p.band.couple(a, b);
      p.band.find_pattern();
    }
  }
  /// f(matrix).
  template <class F>
  void with_matrix(const F& f) {
    if (banded_)
      f(patterns_[kind_.positions ? 1 : 0].band);
    else
      f(dense_);
  }

  /// The matrix, scaled so that the rows, and the reactions, have the size 1 in the metric of M⁻¹, and
  /// what it was scaled by, into matrix(row, column); the lower half where it is symmetric.
  template <class Matrix>
  [[gnu::noinline]] void assemble(const Members& members, const Nodes<S>& nodes, Matrix& matrix) {
    Block whole;
    const auto put = [&](std::size_t i, std::size_t j) {
      const RowsView<S>&a = members[i], &b = members[j];
      for (int s = 0; s < b.count(kind_); ++s)
        for (int r = 0; r < a.count(kind_); ++r) {
          const W x = kind_.positions ? along(a, b, whole, r, s) : whole[r][s];
          matrix(begin_[i] + r, begin_[j] + s) =
              scale_[index(begin_[i] + r)] * reaction_scale_[index(begin_[j] + s)] * x;
        }
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
      const RowsView<S>& a = members[i];
      block(a, a, nodes, whole);
      if constexpr (may_have_friction) add_friction(a, a, kind_.positions, whole);
      const auto find_scale = [&](const Block& of, std::vector<W>& scale) {
        for (int r = 0; r < a.count(kind_); ++r) {
          const W diagonal = number::abs(kind_.positions ? along(a, a, of, r, r) : of[r][r]);
          scale[index(begin_[i] + r)] =
              diagonal > W(std::numeric_limits<S>::min()) ? W(1) / number::sqrt(diagonal) : W(0);
        }
      };
      find_scale(whole, scale_);
      for (int r = begin_[i]; r < begin_[i + 1]; ++r) reaction_scale_[index(r)] = scale_[index(r)];
      if constexpr (may_react_elsewhere)
        // A M⁻¹Aᵀ and A_V M⁻¹A_Vᵀ: A M⁻¹A_Vᵀ tells no sizes
        if (a.reacts_elsewhere && !kind_.repair) {
          Block own;
          block(a, a.own, a, a.own, nodes, own);
          find_scale(own, scale_);
          block(a, a.reaction, a, a.reaction, nodes, own);
          find_scale(own, reaction_scale_);
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
  [[nodiscard]] static W along(const RowsView<S>& a, const RowsView<S>& b, const Block& g, int r,
                               int s) noexcept {
    W x(0);
    for (int p = 0; p < a.rows; ++p)
      for (int q = 0; q < b.rows; ++q)
        x += W(a.along[a.positions * p + r]) * g[p][q] * W(b.along[b.positions * q + s]);
    return x;
  }

  /// A band for the rows, or the position rows, of members that couple in this way.
  struct Pattern {
    std::vector<int> counts;
    std::vector<std::pair<int, int>> pairs;
    linalg::EnvelopeCholesky<S> band;
  };
  static constexpr int most_dense_rows = 60;

  RowKind kind_{};
  int n_ = 0, rank_ = 0;
  W smallest_{};
  bool symmetric_ = true, banded_ = false;
  std::array<bool, 2> redundant_{};  // whether rows, and position rows, followed from others
  std::vector<int> begin_, counts_;  // the first row of each member, and how many it has
  std::vector<Span> spans_, more_spans_;
  std::vector<std::pair<int, int>> pairs_, more_pairs_;
  std::array<Pattern, 2> patterns_;
  std::vector<W> scale_, reaction_scale_, left_, work_, ordered_;
  std::vector<W> speeds_;  // of rows
  linalg::PivotedLU<S, !may_react_elsewhere> dense_;
};

}  // namespace dalembert::assembly::detail
