#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/detail/cell.hpp>
#include <dalembert/contact/detail/searched_line.hpp>
#include <dalembert/contact/detail/segment_pair.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Where cells of rods may touch: steps 1 and 2 of cell_search.hpp.
namespace dalembert::contact::detail {

/// Finds candidates. It allocates when it is made, and while its lists grow.
template <class S = double>
class CellCandidates {
 public:
  using Index = Eigen::Index;
  using Chains = std::vector<rod::Chain<S>>;

  /// Of rods and balls, and without pairs of bodies. Throws std::invalid_argument for a rod named twice.
  [[gnu::cold, gnu::noinline]] explicit CellCandidates(const std::vector<Centreline<S>>& lines,
                                                       std::vector<std::array<std::size_t, 2>> left_out = {})
      : lines_(searched(lines)), grid_(nodes_of(lines_)), left_out_(std::move(left_out)) {
    for (std::size_t i = 1; i < lines_.size(); ++i)
      require(line(i).body != line(i - 1).body || line(i).is_ball(), "CellSearch", "body", line(i).body,
              "a rod must be named once");
    for (auto& pair : left_out_)
      if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
    dalembert::detail::heap_sort(left_out_.begin(), left_out_.end());
    margins_.assign(lines_.size(), S(-1));
    bends_.assign(lines_.size(), S(0));
    for (const auto& one : lines_) least_radius_ = std::min(least_radius_, one.line().radius);
  }

  /// The rods and balls in the order of bodies, those of a body with its rod first: what `first` and `second`
  /// of a contact count.
  [[nodiscard]] const Centreline<S>& line(std::size_t i) const noexcept { return lines_[i].line(); }
  [[nodiscard]] std::size_t lines() const noexcept { return lines_.size(); }
  /// The least radius of them [m].
  [[nodiscard]] S least_radius() const noexcept { return least_radius_; }

  /// Whether no line goes so fast that what was out of reach of the last search may close in dt [s].
  /// Points of a centreline go at most 1.24 times as fast as the fastest node, and
  ///   1.24(x/6 + 5y/4) ≤ max(x, 2y)  for the reach, x = (a₁ + a₂)/40, y = dt(|V₁| + |V₂|).
  [[nodiscard]] bool are_in_reach(const Chains& chains, S dt) const {
    return std::all_of(lines_.begin(), lines_.end(), [&](const SearchedLine<S>& one) {
      const S most = std::max(S(one.line().radius / S(240)), S(S(1.25) * dt * one.speed()));
      return dt * one.speed(chains) <= most;
    });
  }

 protected:
  /// Where a cell is nearest to a segment.
  struct Candidate {
    std::size_t one, two;
    Index cell, segment;
    S s1, s2;
    [[nodiscard]] auto order() const noexcept { return std::tie(one, cell, two, segment); }
  };

  /// The reach at which two lines may touch, by bounds of their speeds.
  [[nodiscard]] S reach(S both, S speed, S dt) const noexcept {
    return std::max(both * S(0.025), S(2) * dt * speed);
  }
  /// Two lines, in the order of a contact's.
  using Lines = std::pair<std::size_t, std::size_t>;

  /// The candidates of a configuration, for a step of dt [s] that may begin there, of all lines or of these
  /// pairs alone.
  void find_candidates(const Chains& chains, S time, S dt, bool begins, const std::vector<Lines>* alone) {
    bool kept = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      lines_[i].measure(chains, time);
      if (begins) bends_[i] = lines_[i].bend();
      kept = kept && margins_[i] >= S(0) && lines_[i].moved(chains) + margin(i, dt) <= margins_[i];
    }
    if (!kept) find_pairs(chains, dt);
    candidates_.clear();
    for (const BlockPair& found : pairs_) {
      const BlockPair pair = winds_about(found.two, found.one) ? found.turned() : found;
      if (alone == nullptr || std::binary_search(alone->begin(), alone->end(), Lines(pair.one, pair.two)))
        line(pair.two).is_ball() ? compare_ball(chains, pair, dt) : compare(chains, pair, dt);
    }
    sort(candidates_, [](const Candidate& a, const Candidate& b) { return a.order() < b.order(); });
    const auto same = [](const Candidate& a, const Candidate& b) { return a.order() == b.order(); };
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), same), candidates_.end());
  }
  template <class List, class Before>
  static void sort(List& list, const Before& before) {
    if (!std::is_sorted(list.begin(), list.end(), before))
      dalembert::detail::heap_sort(list.begin(), list.end(), before);
  }

  std::vector<SearchedLine<S>> lines_;
  std::vector<Candidate> candidates_;

 private:
  using Pair = SegmentPair<S>;
  /// Blocks of segments, those with cells first.
  struct BlockPair {
    std::size_t one, two;
    Index first1, last1, first2, last2;
    [[nodiscard]] BlockPair turned() const noexcept { return {two, one, first2, last2, first1, last1}; }
  };

  static std::vector<SearchedLine<S>> searched(std::vector<Centreline<S>> lines) {
    std::vector<std::size_t> order(lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    dalembert::detail::heap_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const auto key = [&](std::size_t i) { return std::tuple(lines[i].body, lines[i].is_ball(), i); };
      return key(a) < key(b);
    });
    std::vector<SearchedLine<S>> searched;
    for (const std::size_t i : order) searched.emplace_back(lines[i]);
    return searched;
  }
  static std::vector<Index> nodes_of(const std::vector<SearchedLine<S>>& lines) {
    std::vector<Index> nodes;
    for (const auto& line : lines) nodes.push_back(line.line().nodes());
    return nodes;
  }

  /// About the nodes of a line so that all that is compared lies in it.
  [[nodiscard]] S margin(std::size_t i, S dt) const noexcept {
    return line(i).radius + reach(line(i).radius, lines_[i].speed(), dt) + S(2) * lines_[i].bias();
  }

  [[gnu::noinline]] void find_pairs(const Chains& chains, S dt) {
    pairs_.clear();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      lines_[i].keep_reference(chains);
      margins_[i] = margin(i, dt) + S(0.25) * line(i).radius;
    }
    grid_.each_pair([&](std::size_t i) -> const rod::Chain<S>& { return lines_[i].nodes(chains); },
                    [&](std::size_t i) { return margins_[i]; },
                    [&](const SphereBlock<S>& a, const SphereBlock<S>& b) { note(a, b); });
  }
  [[gnu::noinline]] void note(const SphereBlock<S>& a, const SphereBlock<S>& b) {
    const Centreline<S>&one = line(a.chain), &two = line(b.chain);
    if (one.is_ball() && two.is_ball()) return;
    if (one.body == two.body && (one.is_ball() || two.is_ball())) return;
    if (!left_out_.empty()) {
      const std::array bodies{std::min(one.body, two.body), std::max(one.body, two.body)};
      if (std::binary_search(left_out_.begin(), left_out_.end(), bodies)) return;
    }
    // the first is that of the lower body already
    const bool turned = one.is_ball() || (!two.is_ball() && two.cell_length() < one.cell_length());
    const BlockPair pair{a.chain, b.chain, a.first, a.last, b.first, b.last};
    pairs_.push_back(turned ? pair.turned() : pair);
  }

  /// Whether a rod bends so tightly about another, straighter one that places of that have no nearest one on
  /// it: then cells lie on it.
  [[nodiscard]] bool winds_about(std::size_t rod, std::size_t other) const noexcept {
    const S bend = bends_[rod], both = line(rod).radius + line(other).radius;
    return bend > S(2) * bends_[other] && bend * both > S(1.1) && number::isfinite(bend);
  }
  /// The distance beyond which centrelines cannot touch.
  [[nodiscard]] S farthest(std::size_t one, std::size_t two, S dt) const noexcept {
    const S both = line(one).radius + line(two).radius;
    return both + reach(both, lines_[one].speed() + lines_[two].speed(), dt);
  }

  void compare(const Chains& chains, const BlockPair& p, S dt) {
    SearchedLine<S>&one = lines_[p.one], &two = lines_[p.two];
    const rod::Chain<S>&chain1 = one.nodes(chains), &chain2 = two.nodes(chains);
    const S curves = farthest(p.one, p.two, dt);
    const bool self = p.one == p.two;
    const S bound = S(pi) * one.line().radius;
    if (self && curves + S(2) * one.bias() < S(0.7) * bound &&
        (one.is_straight(chain1) || (p.first2 <= p.last1 && is_straight(chain1, p.first1, p.last2))))
      return;
    one.prepare(chain1, p.first1, p.last1, {.segments = self, .cells = true}, points_);
    two.prepare(chain2, p.first2, p.last2, {.segments = true, .cells = self}, points_);
    const S most = curves + one.beside_cells(p.first1) + two.beside_segments(p.first2);
    const auto [begin, end] = one.cells(p.first1, p.last1);
    const S per = S(1) / two.line().spacing(), along = self ? bound / one.stretch() : S(0);
    for (Index k = begin; k < end; ++k) {
      const StraightPiece<S>& cell = one.cell(k);
      if (are_apart<S>(cell, two.chord(p.first2), most + two.aside(p.first2))) continue;
      Index from = p.first2;
      if (self)
        from =
            std::max(from, static_cast<Index>(number::plain((one.line().cell_begin(k) + along) * per)) - 1);
      for (Pair& pair : known_) pair.square = S(-1);
      for (Index j = from; j < p.last2; ++j)
        if (!are_apart<S>(cell, two.segment(j), most)) compare(chains, p, cell, k, j, most);
    }
  }
  /// A cell with a segment.
  void compare(const Chains& chains, const BlockPair& p, const StraightPiece<S>& cell, Index k, Index j,
               S most) {
    const SearchedLine<S>&one = lines_[p.one], &two = lines_[p.two];
    const auto nearest = [&](Index i) -> const Pair& {
      Pair& known = known_[static_cast<std::size_t>(i - p.first2 + 1)];
      const StraightPiece<S>& piece = two.segment(i);
      if (known.square < S(0)) known = Pair(cell.from, cell.step, piece.from, piece.step);
      return known;
    };
    const Pair& here = nearest(j);
    if (!(here.square < most * most)) return;
    // a total order: of segments that are equally near, the lower is first
    if (j > 0 && nearest(j - 1).square <= here.square) return;
    if (j + 2 < two.line().nodes() && nearest(j + 1).square < here.square) return;
    const S begin = one.line().cell_begin(k), length = one.line().cell_begin(k + 1) - begin;
    const S s1 = begin + here.u * length, s2 = (S(j) + here.v) * two.line().spacing();
    if (p.one == p.two && (s2 < s1 || one.same_stretch(one.nodes(chains), s1, s2))) return;
    candidates_.push_back({p.one, p.two, k, j, s1, s2});
  }
  /// A ball with the segments of a rod.
  void compare_ball(const Chains& chains, const BlockPair& p, S dt) {
    SearchedLine<S>& rod = lines_[p.one];
    rod.prepare(rod.nodes(chains), p.first1, p.last1, {.segments = true}, points_);
    const S most = farthest(p.one, p.two, dt) + rod.beside_segments(p.first1);
    StraightPiece<S> ball;
    ball.from = lines_[p.two].nodes(chains).position(0);
    ball.step = {S(0), S(0), S(0)};
    ball.middle = Triple<S>(ball.from);
    const auto to = [&](Index j) {
      const StraightPiece<S>& piece = rod.segment(j);
      return Pair(ball.from, ball.step, piece.from, piece.step);
    };
    for (Index j = p.first1; j < p.last1; ++j) {
      if (are_apart<S>(ball, rod.segment(j), most)) continue;
      const Pair here = to(j);
      if (!(here.square < most * most)) continue;
      if (j > 0 && to(j - 1).square <= here.square) continue;
      if (j + 2 < rod.line().nodes() && to(j + 1).square < here.square) continue;
      candidates_.push_back({p.one, p.two, whole_rod, j, (S(j) + here.v) * rod.line().spacing(), S(0)});
    }
  }

  BlockGrid<S> grid_;
  std::vector<std::array<std::size_t, 2>> left_out_;
  S least_radius_ = std::numeric_limits<S>::infinity();
  std::vector<S> margins_;  // about lines, for which pairs_ were found
  std::vector<S> bends_;    // bounds of |R″| of lines where the step began
  std::vector<BlockPair> pairs_;
  typename SearchedLine<S>::Points points_{};             // of a block
  std::array<Pair, SearchedLine<S>::block + 2> known_{};  // of a cell
};

}  // namespace dalembert::contact::detail
