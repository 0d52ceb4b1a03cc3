#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/detail/cell.hpp>
#include <dalembert/contact/detail/cell_rates.hpp>
#include <dalembert/contact/detail/searched_line.hpp>
#include <dalembert/contact/detail/segment_pair.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// All contacts of cells of rods with rods, with themselves, and with balls:
///   1. pairs of blocks of eight segments whose spheres overlap (contact/broad_phase.hpp);
///   2. for each cell the segments of the other rod that are a strict local minimum of the distance from it,
///      and closer than a₁ + a₂ + reach and what both lines bend (contact/detail/searched_line.hpp),
///        reach = max((a₁ + a₂)/40, 2dt(|V₁| + |V₂|)), the largest speeds of both lines;         (1)
///   3. from there Newton's method (contact/detail/cell.hpp); what is held at an end that the cell shares
///      with a neighbour, or is open by more than the reach, is none;
///   4. one contact of a cell and a stretch of the other rod; of two of neighbouring cells closer than
///      ℓ_c/10 on rod 1 that with the smaller gap, or of the lower cell.
/// Cells lie on the rod with the shorter ℓ_c, or on that of the lower body; of one rod with itself on the
/// lower s. There σ₂ − σ₁ ≥ πa, σ the arc length as it is deformed: by Schur's theorem the chord
/// of an arc of that length with curvature below 1/a is longer than 2a, so that a place at this bound is
/// open: none. A ball is touched by the whole rod as one cell without crown, once for each local minimum. The
/// list is in the order of (body 1, cell, body 2, s₂), and is a function of the state and dt alone: pairs
/// of blocks are kept while no node has moved by a/4, and are a superset.
namespace dalembert::contact::detail {

/// Finds them; see the head of this file. It allocates when it is made, and while its lists grow.
template <class S = double>
class CellSearch {
 public:
  using Index = Eigen::Index;
  using Chains = std::vector<rod::Chain<S>>;
  using Contact = CellContact<S>;

  /// Of rods and balls, and without pairs of bodies. Throws std::invalid_argument for a rod named twice.
  explicit CellSearch(const std::vector<Centreline<S>>& lines,
                      std::vector<std::array<std::size_t, 2>> left_out = {})
      : lines_(searched(lines)), grid_(nodes_of(lines_)), left_out_(std::move(left_out)) {
    for (std::size_t i = 1; i < lines_.size(); ++i)
      require(line(i).body != line(i - 1).body || line(i).is_ball(), "CellSearch", "body", line(i).body,
              "a rod must be named once");
    for (auto& pair : left_out_)
      if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
    dalembert::detail::heap_sort(left_out_.begin(), left_out_.end());
    margins_.assign(lines_.size(), S(-1));
  }

  /// The rods and balls in the order of bodies, those of a body with its rod first: what `first` and `second`
  /// of a contact count.
  [[nodiscard]] const Centreline<S>& line(std::size_t i) const noexcept { return lines_[i].line(); }
  [[nodiscard]] std::size_t lines() const noexcept { return lines_.size(); }

  /// f(contact) for each that may close within a step of dt [s], looked at, with rates. Throws ContactTooFast
  /// where dt|V₂ − V₁| > (a₁ + a₂)/2, RodFolded, NotFinite, std::invalid_argument for chains that
  /// do not fit.
  template <class F>
  void each(const Chains& chains, S time, S dt, const F& f) {
    each(chains, time, dt, f, [](std::size_t, S, std::size_t, S) { return false; });
  }
  /// The same, without what skip(line 1, s₁, line 2, s₂) names, which may overlap.
  template <class F, class Skip>
  void each(const Chains& chains, S time, S dt, const F& f, const Skip& skip) {
    find(chains, time, dt, skip);
    for (const std::size_t i : order_) f(std::as_const(found_[i]));
  }

  /// Where a contact of these lines is in another configuration, from where it was; without rates.
  void look(Contact& c, const Chains& chains) const noexcept {
    find_cell_contact(line(c.first), chains[line(c.first).body], line(c.second), chains[line(c.second).body],
                      c.places[0].s, c.places[1].s, c);
  }
  /// What changes while the nodes keep their velocities, where it was looked at.
  void find_rates(Contact& c, const Chains& chains) const noexcept {
    find_cell_rates(line(c.first), chains[line(c.first).body], line(c.second), chains[line(c.second).body],
                    c);
  }

  /// How many candidates the last search refined, and how many pairs of blocks it looked at.
  [[nodiscard]] std::size_t refined() const noexcept { return candidates_.size(); }
  [[nodiscard]] std::size_t block_pairs() const noexcept { return pairs_.size(); }

 private:
  using Pair = SegmentPair<S>;
  /// Blocks of segments, those with cells first.
  struct BlockPair {
    std::size_t one, two;
    Index first1, last1, first2, last2;
  };
  /// Where a cell is nearest to a segment.
  struct Candidate {
    std::size_t one, two;
    Index cell, segment;
    S s1, s2;
    [[nodiscard]] auto order() const noexcept { return std::tie(one, cell, two, segment); }
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

  /// The reach at which two lines may touch, by bounds of their speeds.
  [[nodiscard]] S reach(S both, S speed, S dt) const noexcept {
    return std::max(both * S(0.025), S(2) * dt * speed);
  }
  /// About the nodes of a line so that all that is compared lies in it.
  [[nodiscard]] S margin(std::size_t i, S dt) const noexcept {
    return line(i).radius + reach(line(i).radius, lines_[i].speed(), dt) + S(2) * lines_[i].bias();
  }

  template <class Skip>
  void find(const Chains& chains, S time, S dt, const Skip& skip) {
    bool kept = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      lines_[i].measure(chains, time);
      kept = kept && margins_[i] >= S(0) && lines_[i].moved(chains) + margin(i, dt) <= margins_[i];
    }
    if (!kept) find_pairs(chains, dt);
    candidates_.clear();
    for (const BlockPair& pair : pairs_)
      line(pair.two).is_ball() ? compare_ball(chains, pair, dt) : compare(chains, pair, dt);
    sort(candidates_, [](const Candidate& a, const Candidate& b) { return a.order() < b.order(); });
    const auto same = [](const Candidate& a, const Candidate& b) { return a.order() == b.order(); };
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), same), candidates_.end());
    count_ = 0;
    for (const Candidate& c : candidates_)
      if (!skip(c.one, c.s1, c.two, c.s2)) refine(chains, c, time, dt);
    leave_out_twins();
  }
  template <class List, class Before>
  static void sort(List& list, const Before& before) {
    if (!std::is_sorted(list.begin(), list.end(), before))
      dalembert::detail::heap_sort(list.begin(), list.end(), before);
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
  void note(const SphereBlock<S>& a, const SphereBlock<S>& b) {
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
    pairs_.push_back(turned ? BlockPair{b.chain, a.chain, b.first, b.last, a.first, a.last} : pair);
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
        (one.is_straight(chain1) ||
         (p.first2 <= p.last1 && SearchedLine<S>::is_straight(chain1, p.first1, p.last2))))
      return;
    one.prepare(chain1, p.first1, p.last1);
    two.prepare(chain2, p.first2, p.last2);
    const S most = curves + one.beside_cells(p.first1) + two.beside_segments(p.first2);
    const auto [begin, end] = one.cells(p.first1, p.last1);
    const S per = S(1) / two.line().spacing(), along = self ? bound / one.stretch() : S(0);
    for (Index k = begin; k < end; ++k) {
      const StraightPiece<S>& cell = one.cell(k);
      if (are_apart<S>(cell, two.around(p.first2), most)) continue;
      Index from = p.first2;
      if (self)
        from =
            std::max(from, static_cast<Index>(number::plain((one.line().cell_begin(k) + along) * per)) - 1);
      known_.fill(S(-1));
      for (Index j = from; j < p.last2; ++j)
        if (!are_apart<S>(cell, two.segment(j), most)) compare(chains, p, cell, k, j, most);
    }
  }
  /// A cell with a segment.
  void compare(const Chains& chains, const BlockPair& p, const StraightPiece<S>& cell, Index k, Index j,
               S most) {
    const SearchedLine<S>&one = lines_[p.one], &two = lines_[p.two];
    const auto square = [&](Index i) {
      S& known = known_[static_cast<std::size_t>(i - p.first2 + 1)];
      if (known < S(0)) {
        const StraightPiece<S>& piece = two.segment(i);
        known = Pair(cell.from, cell.step, piece.from, piece.step).square;
      }
      return known;
    };
    const S here = square(j);
    if (!(here < most * most)) return;
    // a total order: of segments that are equally near, the lower is first
    if (j > 0 && square(j - 1) <= here) return;
    if (j + 2 < two.line().nodes() && square(j + 1) < here) return;
    const StraightPiece<S>& piece = two.segment(j);
    const Pair nearest(cell.from, cell.step, piece.from, piece.step);
    const S begin = one.line().cell_begin(k), length = one.line().cell_begin(k + 1) - begin;
    const S s1 = begin + nearest.u * length, s2 = (S(j) + nearest.v) * two.line().spacing();
    if (p.one == p.two && (s2 < s1 || one.same_stretch(one.nodes(chains), s1, s2))) return;
    candidates_.push_back({p.one, p.two, k, j, s1, s2});
  }
  /// A ball with the segments of a rod.
  void compare_ball(const Chains& chains, const BlockPair& p, S dt) {
    SearchedLine<S>& rod = lines_[p.one];
    rod.prepare(rod.nodes(chains), p.first1, p.last1);
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

  void refine(const Chains& chains, const Candidate& at, S time, S dt) {
    if (count_ == found_.size()) found_.emplace_back();
    Contact& c = found_[count_];
    c.first = at.one;
    c.second = at.two;
    c.cell = at.cell;
    c.places[0].s = at.s1;
    c.places[1].s = at.s2;
    look(c, chains);
    if (c.shared) return;
    if (at.one == at.two &&
        lines_[at.one].same_stretch(chains[line(at.one).body], c.places[0].s, c.places[1].s))
      return;
    const S both = line(at.one).radius + line(at.two).radius;
    if (c.gap > reach(both, lines_[at.one].speed() + lines_[at.two].speed(), dt)) return;
    find_rates(c, chains);
    if (dt * c.speed > S(0.5) * both) [[unlikely]]
      throw_too_fast(c, time, dt);
    if (!c.converged && c.gap < S(-0.5) * std::min(line(at.one).radius, line(at.two).radius)) [[unlikely]]
      throw BodiesOverlap(where(c), number::plain(S(-c.gap)), number::plain(time));
    if (!is_second(c)) ++count_;
  }
  /// Whether the one before is of the same cell and the same stretch; then the nearer one stays there.
  [[nodiscard]] bool is_second(const Contact& c) {
    if (count_ == 0) return false;
    Contact& before = found_[count_ - 1];
    if (before.first != c.first || before.second != c.second || before.cell != c.cell) return false;
    const int moving = c.cell == whole_rod ? 0 : 1;
    const S length = c.cell == whole_rod ? line(c.first).kernel_width() : line(c.first).cell_length();
    const auto m = static_cast<std::size_t>(moving);
    if (number::abs(c.places[m].s - before.places[m].s) >= length) return false;
    if (c.gap < before.gap) std::swap(before, found_[count_]);
    return true;
  }

  /// Step 4, between cells.
  void leave_out_twins() {
    order_.clear();
    std::size_t cell = 0, before = 0, end = 0;  // where this cell begins in `found_`, and the one before it
    left_.assign(count_, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      const Contact& c = found_[i];
      if (i == 0 || found_[i - 1].first != c.first || found_[i - 1].cell != c.cell) {
        before = cell;
        end = cell = i;
        if (i == 0 || found_[i - 1].first != c.first || found_[i - 1].cell + 1 != c.cell) before = end;
      }
      const S near = S(0.1) * line(c.first).cell_length(), same = line(c.first).cell_length();
      for (std::size_t k = before; k < end; ++k) {
        const Contact& d = found_[k];
        if (d.second != c.second || left_[k] || number::abs(c.places[0].s - d.places[0].s) >= near ||
            number::abs(c.places[1].s - d.places[1].s) >= same)
          continue;
        left_[c.gap < d.gap ? k : i] = 1;
      }
    }
    for (std::size_t i = 0; i < count_; ++i)
      if (!left_[i]) order_.push_back(i);
    sort(order_, [&](std::size_t a, std::size_t b) { return key(found_[a]) < key(found_[b]); });
  }
  [[nodiscard]] static auto key(const Contact& c) noexcept {
    return std::tuple(c.first, c.cell, c.second, c.places[1].s, c.places[0].s);
  }

  [[nodiscard, gnu::noinline]] std::string where(const Contact& c) const {
    return message({"body ", line(c.first).body, " at s = ", number::plain(c.places[0].s), " m and body ",
                    line(c.second).body, " at s = ", number::plain(c.places[1].s), " m"});
  }
  [[noreturn, gnu::noinline]] void throw_too_fast(const Contact& c, S time, S dt) const {
    throw ContactTooFast(message({"ContactTooFast: ", where(c), " go ", number::plain(S(dt * c.speed)),
                                  " m past each other in a step, more than half their radii,"}),
                         number::plain(time));
  }

  std::vector<SearchedLine<S>> lines_;
  BlockGrid<S> grid_;
  std::vector<std::array<std::size_t, 2>> left_out_;
  std::vector<S> margins_;  // about lines, for which pairs_ were found
  std::vector<BlockPair> pairs_;
  std::array<S, SearchedLine<S>::block + 2> known_{};  // squares of distances of a cell
  std::vector<Candidate> candidates_;
  std::vector<Contact> found_;  // the first count_ of them
  std::size_t count_ = 0;
  std::vector<char> left_;
  std::vector<std::size_t> order_;
};

}  // namespace dalembert::contact::detail
