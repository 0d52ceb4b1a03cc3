#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/contact/detail/cell.hpp>
#include <dalembert/contact/detail/cell_candidates.hpp>
#include <dalembert/contact/detail/cell_rates.hpp>
#include <dalembert/contact/detail/searched_line.hpp>
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
/// Cells lie on the rod with the shorter ℓ_c, or on that of the lower body, but where one of them is wound
/// about a straighter one when a step begins, on that; of one rod with itself on the lower s. There
/// σ₂ − σ₁ ≥ πa, σ the arc length as it is deformed: by Schur's theorem the chord of an arc of
/// that length with curvature below 1/a is longer than 2a: a place at this bound is open, none. A ball
/// is touched by the whole rod as one cell without crown, once for each local minimum. The list is in the
/// order of (body 1, cell, body 2, s₂), and is a function of the state and dt alone: pairs of blocks are
/// kept while no node has moved by a/4, and are a superset.
namespace dalembert::contact::detail {

/// Which contacts of cells are found in a configuration.
enum class CellsFound {
  first,     ///< those that a step begins with
  all_anew,  ///< all of them again
  lost_anew  ///< again those of rods of which some are lost, where the others were looked at
};

/// Finds them; see the head of this file. It allocates when it is made, and while its lists grow.
template <class S = double>
class CellSearch : public CellCandidates<S> {
  using Base = CellCandidates<S>;

 public:
  using Base::line;
  using typename Base::Index, typename Base::Chains;
  using Contact = CellContact<S>;

  using Base::Base;

  /// f(contact) for each that may close within a step of dt [s], looked at, with rates; it stays where it is
  /// until the next search. In half a step its places come as far as into the next cell. Throws
  /// ContactTooFast where dt|V₂ − V₁| > (a₁ + a₂)/2, RodFolded, NotFinite, and
  /// std::invalid_argument for chains that do not fit.
  template <class F>
  void each(const Chains& chains, S time, S dt, const F& f) {
    each(chains, time, dt, f, [](std::size_t, S, std::size_t, S) { return false; });
  }
  /// The same, without what skip(line 1, s₁, line 2, s₂) names, which may overlap. Of two lines of which
  /// no contact of the last search is lost they may stay as they are.
  template <class F, class Skip>
  void each(const Chains& chains, S time, S dt, const F& f, const Skip& skip,
            CellsFound which = CellsFound::first) {
    find(chains, time, dt, skip, which);
    for (const std::size_t i : order_) f(found_[i]);
  }

  /// Where a contact of these lines is in another configuration, from where it was; without rates.
  void look(Contact& c, const Chains& chains) const noexcept {
    find_cell_contact(line(c.first), chains[line(c.first).body], line(c.second), chains[line(c.second).body],
                      c.places[0].s, c.places[1].s, c);
  }
  /// What changes while the nodes keep their velocities, where it was looked at.
  void find_rates(Contact& c, const Chains& chains, S dt) const noexcept {
    find_cell_rates(line(c.first), chains[line(c.first).body], line(c.second), chains[line(c.second).body], c,
                    S(2) * line(c.first).cell_length() / dt);
  }

 private:
  using Base::lines_, Base::candidates_, Base::reach, Base::sort;
  using typename Base::Candidate, typename Base::Lines;

  template <class Skip>
  void find(const Chains& chains, S time, S dt, const Skip& skip, CellsFound which) {
    const bool lost_alone = which == CellsFound::lost_anew;
    all_anew_ = which == CellsFound::all_anew;
    lost_.clear(), unclear_.clear();
    const std::size_t kept = count_ = lost_alone ? keep_others() : 0;
    this->find_candidates(chains, time, dt, which == CellsFound::first, lost_alone ? &lost_ : nullptr);
    for (const Candidate& c : candidates_)
      if (!skip(c.one, c.s1, c.two, c.s2)) refine(chains, c, time, dt);
    leave_out_twins(kept);
  }
  /// Contacts of lines of which none is lost come to the front; how many there are.
  std::size_t keep_others() {
    const auto lines = [](const Contact& c) { return Lines(c.first, c.second); };
    for (const std::size_t i : order_) {
      const Contact& c = found_[i];
      if (!c.lost) continue;
      lost_.push_back(lines(c));
      if (!c.is_plain()) unclear_.push_back(lines(c));
    }
    for (auto* all : {&lost_, &unclear_}) sort(*all, std::less<Lines>());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (left_[i] || std::binary_search(lost_.begin(), lost_.end(), lines(found_[i]))) continue;
      if (kept != i) std::swap(found_[kept], found_[i]);
      ++kept;
    }
    return kept;
  }
  void refine(const Chains& chains, const Candidate& at, S time, S dt) {
    if (count_ == found_.size()) found_.emplace_back();
    Contact& c = found_[count_];
    c.first = at.one;
    c.second = at.two;
    c.cell = at.cell;
    c.bends = {lines_[at.one].bend(), lines_[at.two].bend()};
    c.lost = c.converged = false;
    c.beside = all_anew_ || std::binary_search(unclear_.begin(), unclear_.end(), Lines(at.one, at.two));
    c.places[0].s = at.s1;
    c.places[1].s = at.s2;
    look(c, chains);
    if (c.shared) return;
    if (at.one == at.two &&
        lines_[at.one].same_stretch(chains[line(at.one).body], c.places[0].s, c.places[1].s))
      return;
    const S both = line(at.one).radius + line(at.two).radius;
    if (c.gap > reach(both, lines_[at.one].speed() + lines_[at.two].speed(), dt)) return;
    find_rates(c, chains, dt);
    if (dt * c.speed > S(0.5) * both) [[unlikely]]
      throw_too_fast(c, time, dt);
    if (!c.converged && c.gap < S(-0.5) * std::min(line(at.one).radius, line(at.two).radius)) [[unlikely]]
      throw BodiesOverlap(where(c), number::plain(S(-c.gap)), number::plain(time));
    c.curved = c.curvature();
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
    const S between = number::abs(c.places[m].s - before.places[m].s);
    if (between >= length) return false;
    const bool beside = before.beside || between > S(1e-6) * length;  // else the same, from another start
    if (c.gap < before.gap) std::swap(before, found_[count_]);
    before.beside = beside;
    return true;
  }

  /// Step 4, between cells, of contacts from this one on.
  void leave_out_twins(std::size_t first) {
    order_.clear();
    std::size_t cell = first, before = first, end = first;  // where this cell begins, and the one before it
    left_.assign(count_, 0);
    for (std::size_t i = first; i < count_; ++i) {
      Contact& c = found_[i];
      if (i == first || found_[i - 1].first != c.first || found_[i - 1].cell != c.cell) {
        before = cell;
        end = cell = i;
        if (i == first || found_[i - 1].first != c.first || found_[i - 1].cell + 1 != c.cell) before = end;
      }
      const S near = S(0.1) * line(c.first).cell_length(), same = line(c.first).cell_length();
      for (std::size_t k = before; k < end; ++k) {
        Contact& d = found_[k];
        if (d.second != c.second || left_[k] || number::abs(c.places[0].s - d.places[0].s) >= near ||
            number::abs(c.places[1].s - d.places[1].s) >= same)
          continue;
        left_[c.gap < d.gap ? k : i] = 1;
        (c.gap < d.gap ? c : d).beside = true;
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
  [[noreturn, gnu::cold, gnu::noinline]] void throw_too_fast(const Contact& c, S time, S dt) const {
    throw ContactTooFast(message({"ContactTooFast: ", where(c), " go ", number::plain(S(dt * c.speed)),
                                  " m past each other in a step, more than half their radii,"}),
                         number::plain(time));
  }

  std::vector<Contact> found_;  // the first count_ of them
  std::size_t count_ = 0;
  bool all_anew_ = false;
  std::vector<Lines> lost_,
      unclear_;  // of which contacts are found anew; of them where some were no plain ones
  std::vector<char> left_;
  std::vector<std::size_t> order_;
};

}  // namespace dalembert::contact::detail
