#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/clusters/detail/cluster_graph.hpp>
#include <dalembert/clusters/detail/cluster_hubs.hpp>
#include <dalembert/clusters/rows_view.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/bordered_cholesky.hpp>
#include <dalembert/linalg/envelope_cholesky.hpp>
#include <dalembert/linalg/pivoted_lu.hpp>

/// The system A M⁻¹ A_Vᵀ μ = b of one cluster: constraints of any kinds that share nodes. Its matrix is
/// the Schur complement of the inertia M, the Delassus operator of contact mechanics. Small ones are kept as
/// a band, or dense where rows follow from others, or some react along other rows. Of large ones what is
/// sparse is kept as a band, beside which are nodes that many constraints touch, and the rows that react
/// along others; only where these follow from others it is dense.
namespace dalembert::assembly::detail {

/// See the head of this file. Where no constraint has reactions along other rows, all systems are symmetric.
template <class S, bool may_react_elsewhere = true, bool may_have_friction = false>
class ClusterSystem {
 public:
  using W = linalg::Wide<S>;  ///< what systems are assembled and solved in
  using Members = std::vector<RowsView<S>>;

  ClusterSystem() = default;
  ClusterSystem(const ClusterSystem&) = default;
  ClusterSystem(ClusterSystem&&) noexcept = default;
  ClusterSystem& operator=(const ClusterSystem&) = default;
  ClusterSystem& operator=(ClusterSystem&&) noexcept = default;
  [[gnu::cold, gnu::noinline]] ~ClusterSystem();  // thirty arrays

  /// Assemble and decompose.
  [[gnu::noinline]] void decompose(const Members& members, RowKind kind, const Nodes<S>& nodes) {
    kind_ = kind;
    symmetric_ = true;
    n_ = 0;
    for (const RowsView<S>& c : members) {
      n_ += c.count(kind);
      if constexpr (may_react_elsewhere)
        if (c.reacts_elsewhere && kind.along == Along::reactions) symmetric_ = false;
    }
    const bool large = n_ > most_dense_rows;
    graph_.find(members, large);
    // rows that follow from others want the pivots that a band has not
    banded_ = large || (symmetric_ && !redundant_[kind_.positions]);
    sized_ = redundant_[kind_.positions] || nodes.inertia.uneven();
    decompose(members, nodes);
    // sizes matter to small pivots only
    if (!sized_ && (rank_ < n_ || smallest_ < W(1e-5))) {
      sized_ = true;
      decompose(members, nodes);
    }
    if (large) decompose_again(members, nodes);
    redundant_[kind_.positions] = rank_ < n_;
    if (!banded_ || rank_ == n_ || large) return;
    banded_ = false;
    decompose(members, nodes);
  }

  /// μ of this cluster for its part of b, in place.
  [[gnu::noinline]] void solve(const Members& members, Column<S>& b, Leftover<S>& worst) {
    each_row(members, [&](int at, int r) {
      ordered_[index(r)] = scale_[index(r)] * W(b[at]);
      worst.largest = std::max(worst.largest, S(number::abs(ordered_[index(r)])));
    });
    std::fill_n(ordered_.begin() + hub_row_, graph_.hub_rows(), W(0));
    with_matrix([&](auto& matrix) { matrix.solve(ordered_.data(), left_.data(), work_.data()); });
    each_row(members, [&](int at, int r) {
      // a row on which no node can move has scale 0: all of b is left, in its own unit
      const S left = scale_[index(r)] == W(0) ? number::abs(b[at]) : S(number::abs(left_[index(r)]));
      if (left > worst.size) {
        worst.row = at;
        worst.size = left;
      }
      b[at] = S(reaction_scale_[index(r)] * ordered_[index(r)]);
    });
  }

  /// The largest number of a column of rows, in the units of the kinetic energy.
  [[nodiscard]] S largest(const Members& members, const Column<S>& b) const {
    S most(0);
    each_row(members,
             [&](int at, int r) { most = std::max(most, S(scale_[index(r)] * W(number::abs(b[at])))); });
    return most;
  }
  /// The number of entries of the matrix that are kept.
  [[nodiscard]] std::size_t entries() const noexcept {
    return banded_ ? patterns_[kind_.positions].band.entries() : index(n_ * n_);
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
    for (std::size_t i = 0; i < members.size(); ++i)
      for (int r = 0; r < members[i].rows; ++r) {
        W& speed = speeds_[index(begin_[i] + r)];
        speed = std::max(speed, W(members[i].speed(nodes, r)));
      }
  }
  void forget_speeds() { std::fill(speeds_.begin(), speeds_.end(), W(0)); }
  /// The largest part of those sizes that entries of `u` are.
  [[nodiscard]] S part_of_speeds(const Members& members, const Column<S>& u) const {
    S most(0);
    // beside this nothing is known of bodies that were at rest
    const W least = W(16) * W(std::numeric_limits<S>::epsilon()) *
                    *std::max_element(speeds_.begin(), speeds_.begin() + n_ + graph_.hub_rows());
    each_row(members, [&](int at, int r) {
      const W size = std::max(speeds_[index(r)], least), mine = number::abs(W(u[at]));
      if (scale_[index(r)] > W(0) && mine > W(0)) most = std::max(most, S(size > mine ? mine / size : W(1)));
    });
    return most;
  }

 private:
  /// A band for the rows, or the position rows, of members that couple in this way.
  struct Pattern {
    std::vector<int> counts;
    std::vector<std::pair<int, int>> pairs;
    std::vector<int> waits;  // members that come after hubs
    int beside = 0;
    std::conditional_t<may_react_elsewhere, linalg::BorderedCholesky<S>, linalg::EnvelopeCholesky<S>> band;
  };
  using Dense = linalg::PivotedLU<S, !may_react_elsewhere>;

  [[nodiscard]] static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  /// Whether the rows of a constraint are beside the band, where others react to them.
  [[nodiscard]] bool is_beside(const RowsView<S>& c) const noexcept {
    return may_react_elsewhere && c.reacts_elsewhere && banded_ && !symmetric_;
  }

  /// The same in the kind of matrix that was chosen.
  [[gnu::noinline]] void decompose(const Members& members, const Nodes<S>& nodes) {
    number_rows(members);
    if (banded_)
      find_pattern(members);
    else
      dense_.start(n_, symmetric_);
    assemble(members, nodes);
    with_matrix([&](auto& matrix) {
      matrix.decompose(sizes_.data(), reaction_sizes_.data());
      rank_ = matrix.rank() - graph_.hub_rows();
      smallest_ = matrix.smallest();
    });
  }
  /// The same of a large cluster, where some rows follow from others only while hubs are at rest: they wait
  /// for these, or else there are no hubs; and without a band where rows beside it follow from others, or
  /// small pivots, which a band does not seek, leave it to rounding which do.
  [[gnu::cold, gnu::noinline]] void decompose_again(const Members& members, const Nodes<S>& nodes) {
    Pattern& p = patterns_[kind_.positions ? 1 : 0];
    const auto is_singular = [&] {
      if constexpr (may_react_elsewhere) return !p.band.is_regular();
      return false;
    };
    if (graph_.hubs().count() > 0 && p.band.misplaced()) {
      for (std::size_t i = 0; i < members.size(); ++i)
        if (p.band.took_out(static_cast<int>(i))) p.waits[i] = 1;
      start_pattern(p);
      decompose(members, nodes);
    }
    const bool lost = graph_.hubs().count() > 0 && p.band.misplaced();
    const bool unclear = n_ <= most_unclear_rows && p.band.is_unclear();
    if (!lost && !unclear && !is_singular()) return;
    graph_.find(members, false);
    banded_ = symmetric_ && !unclear;
    decompose(members, nodes);
  }

  /// f(row among those of all constraints, row here) for each row of the system.
  template <class F>
  void each_row(const Members& members, F&& f) const {
    for (std::size_t i = 0; i < members.size(); ++i)
      for (int r = 0; r < members[i].count(kind_); ++r) f(members[i].first(kind_) + r, begin_[i] + r);
  }
  /// Rows of the band, unknowns of hubs, rows beside the band.
  void number_rows(const Members& members) {
    begin_.resize(members.size());
    int next = 0;
    const auto number = [&](bool beside) {
      for (std::size_t i = 0; i < members.size(); ++i)
        if (is_beside(members[i]) == beside) begin_[i] = std::exchange(next, next + members[i].count(kind_));
    };
    number(false);
    hub_row_ = std::exchange(next, next + graph_.hub_rows());
    if constexpr (may_react_elsewhere) number(true);
    for (std::vector<W>* c :
         {&scale_, &reaction_scale_, &left_, &work_, &ordered_, &speeds_, &sizes_, &reaction_sizes_})
      if (c->size() < index(next)) c->resize(index(next));
  }

  using Block = ClusterBlock<S>;

  /// The block of two constraints in A M⁻¹ A_Vᵀ, or that without hubs.
  void block(const RowsView<S>& a, const RowsView<S>& b, const Nodes<S>& nodes, const ClusterHubs<S>* hubs,
             Block& g) const {
    block(a, a.own, b, kind_.along == Along::rows ? b.own : b.reaction, nodes, hubs, g);
    if constexpr (may_have_friction) add_friction(a, b, kind_.positions, g);
  }
  /// The same of these rows of theirs, without friction.
  void block(const RowsView<S>& a, const typename RowsView<S>::Blocks& of_a, const RowsView<S>& b,
             const typename RowsView<S>::Blocks& of_b, const Nodes<S>& nodes, const ClusterHubs<S>* hubs,
             Block& g) const {
    find_block(a, of_a, b, of_b, nodes, hubs, g);
    if (kind_.positions) take_positions(a, b, g);
  }

  /// Where the band has entries, unless it is as it was. The first time room is taken for the other kind of
  /// rows too, which a later step may be the first to need.
  void find_pattern(const Members& members) {
    RowKind kind = kind_;
    const std::size_t hubs = index(graph_.hubs().count());
    for (int i = 0; i < 2; ++i, kind.positions = !kind.positions) {
      Pattern& p = patterns_[kind.positions ? 1 : 0];
      if (i == 1 && !p.counts.empty()) break;
      counts_.clear();
      int beside = 0;
      for (std::size_t at = 0; at < members.size() + hubs; ++at) {
        int rows = at < members.size() ? members[at].count(kind) : ClusterHubs<S>::unknowns;
        if (at < members.size() && is_beside(members[at])) beside += std::exchange(rows, 0);
        counts_.push_back(rows);
      }
      if (p.counts == counts_ && p.pairs == graph_.pairs() && p.beside == beside) {
        p.band.set_zero();
        continue;
      }
      p.counts = counts_;
      p.pairs = graph_.pairs();
      p.beside = beside;
      p.waits.clear();
      if (hubs > 0) graph_.find_waiting(members.size(), p.waits);
      start_pattern(p);
    }
  }
  [[gnu::cold, gnu::noinline]] void start_pattern(Pattern& p) {
    if constexpr (may_react_elsewhere)
      p.band.start(p.counts, index(graph_.hubs().count()), p.beside);
    else
      p.band.start(p.counts, index(graph_.hubs().count()));
    for (const auto& [a, b] : p.pairs) p.band.couple(a, b);
    for (std::size_t i = 0; i < p.waits.size(); ++i)
      if (p.waits[i]) p.band.wait(static_cast<int>(i));
    p.band.find_pattern();
  }
  /// Of the kind of matrix that was chosen.
  [[nodiscard, gnu::always_inline]] W& entry(int r, int c) noexcept {
    return banded_ ? patterns_[kind_.positions ? 1 : 0].band(r, c) : dense_(r, c);
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
  /// what it was scaled by; the lower half where it is symmetric.
  [[gnu::noinline]] void assemble(const Members& members, const Nodes<S>& nodes);
  /// The block of members i and j, scaled.
  [[gnu::noinline]] void put_block(const Members& members, std::size_t i, std::size_t j, const Block& block);
  /// What rows of member i are scaled by, after their block with themselves, and the sizes of their terms.
  [[gnu::noinline]] void find_scale(const RowsView<S>& a, const typename RowsView<S>::Blocks& of,
                                    std::size_t i, const Nodes<S>& nodes, const Block& own,
                                    std::vector<W>& scale, std::vector<W>& sizes) const;
  /// B of member j on hub h.
  [[gnu::cold, gnu::noinline]] void put_hub(const Members& members, int h, int j, const Nodes<S>& nodes);

  static constexpr int most_dense_rows = 60, most_unclear_rows = 250;

  RowKind kind_{};
  int n_ = 0, rank_ = 0, hub_row_ = 0;
  W smallest_{};
  bool symmetric_ = true, banded_ = false, sized_ = false;
  std::array<bool, 2> redundant_{};  // whether rows, and position rows, followed from others
  std::vector<int> begin_, counts_;  // the first row of each member, and how many it has
  ClusterGraph<S> graph_;
  std::array<Pattern, 2> patterns_;
  std::vector<W> scale_, reaction_scale_, left_, work_, ordered_;
  std::vector<W> sizes_, reaction_sizes_;  // of the terms of rows so scaled
  std::vector<W> speeds_;                  // of rows
  Dense dense_;
  const ClusterHubs<S>* no_hubs_ = nullptr;  // not constant, that there is one `find_block`
};

}  // namespace dalembert::assembly::detail

#include <dalembert/clusters/detail/cluster_system_members.hpp>
