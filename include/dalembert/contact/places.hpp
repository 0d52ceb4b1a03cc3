#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/detail/least_distance.hpp>
#include <dalembert/contact/detail/segment_pair.hpp>
#include <dalembert/contact/detail/straight_piece.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/number.hpp>

/// All places at which any number of rods and balls are near each other, several of one pair and those of a
/// rod with itself included:
///   1. pairs of blocks of segments whose spheres overlap (contact/broad_phase.hpp);
///   2. pairs of segments that are a local minimum of the distance among their eight neighbours;
///   3. from there Newton's method on the averaged centrelines, κ = R₂ − R₁, to the minimum of
///      D(s₁, s₂) = ½|κ|²:
///      ∇D = (−κ·R₁′, κ·R₂′) = 0,
///      ∇∇D = [R₁′·R₁′ − κ·R₁″, −R₁′·R₂′;
///             −R₁′·R₂′, R₂′·R₂′ + κ·R₂″] > 0      (1)
///   4. of places closer to each other than a kernel width on both rods, the nearest.
/// Where Newton's method leaves for a minimum elsewhere, as near an end, which a kernel must not reach, the
/// place is that of the segments.
/// A rod with itself: |σ₁ − σ₂| ≥ πa, σ the arc length as it is deformed. A rod whose curvature
/// is less than 1/a, as it must be, cannot come back to itself sooner.
namespace dalembert::contact {

/// Which pairs of bodies are searched, and to what distance.
template <class S = double>
struct PlaceOptions {
  S tolerance{};  ///< surfaces that are closer than this are near [m]
  /// Pairs of bodies that are not looked at: those that touch along a line, and those that a joint holds
  /// together.
  std::vector<std::array<std::size_t, 2>> left_out{};
  /// Whether places at which rods lie along each other, or that are at an end, are listed; otherwise they are
  /// errors.
  bool crossings_only = true;
};

/// Finds the places; see the head of this file. It allocates when it is made, and while its list of places
/// grows.
template <class S = double, Kernel K = CubicSpline>
class PlaceSearch {
 public:
  using Index = Eigen::Index;  ///< counts nodes

  /// A copy, of thirty numbers and lists.
  [[gnu::cold, gnu::noinline]] PlaceSearch(const PlaceSearch&) = default;
  /// A copy.
  [[gnu::cold, gnu::noinline]] PlaceSearch& operator=(const PlaceSearch&) = default;
  /// What another one had.
  [[gnu::cold, gnu::noinline]] PlaceSearch(PlaceSearch&&) noexcept = default;
  /// What another one had.
  [[gnu::cold, gnu::noinline]] PlaceSearch& operator=(PlaceSearch&&) noexcept = default;
  [[gnu::cold, gnu::noinline]] ~PlaceSearch() = default;
  /// Throws std::invalid_argument for a tolerance that is not finite or negative, a body that is named twice,
  /// or a kernel over all nodes.
  [[gnu::cold, gnu::noinline]] explicit PlaceSearch(std::vector<Tube<S, K>> tubes,
                                                    PlaceOptions<S> options = {})
      : tubes_(sorted(std::move(tubes))), options_(std::move(options)), grid_(nodes_of(tubes_)) {
    static_assert(K::reach > 0, "a search needs a kernel of finite reach");
    require(options_.tolerance >= 0 && number::isfinite(options_.tolerance), "PlaceSearch", "tolerance",
            options_.tolerance, "a tolerance must be finite and not negative [m]");
    for (std::size_t i = 0; i < tubes_.size(); ++i) {
      require(i == 0 || tubes_[i].body != tubes_[i - 1].body, "PlaceSearch", "body", tubes_[i].body,
              "a body must be named once");
      first_.push_back(lengths_.size());
      lengths_.resize(lengths_.size() + static_cast<std::size_t>(tubes_[i].nodes));
    }
    around_.resize(lengths_.size());
    for (auto& pair : options_.left_out)
      if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
    dalembert::detail::heap_sort(options_.left_out.begin(), options_.left_out.end());
  }

  /// The places at which surfaces are closer than the tolerance, in the order of bodies and arc lengths; the
  /// list lasts until the next call. Throws ParallelRods where rods so close are parallel or do not cross and
  /// ContactAtEnd where a kernel would reach an end, unless they are listed, std::invalid_argument for chains
  /// that do not fit, NotFinite for one that is not finite.
  const std::vector<NearPlace<S>>& operator()(const std::vector<Chain<S>>& chains, S time = S(0)) {
    for (std::size_t i = 0; i < tubes_.size(); ++i) measure(i, chains, time);
    places_.clear();
    time_ = number::plain(time);
    grid_.each_pair(
        [&](std::size_t i) -> const Chain<S>& { return chains[tubes_[i].body]; },
        [&](std::size_t i) { return tubes_[i].radius + options_.tolerance / S(2) + bias(tubes_[i]); },
        [&](const SphereBlock<S>& a, const SphereBlock<S>& b) { compare(chains, a, b); });
    merge();
    return places_;
  }

 private:
  /// A pair of segments.
  struct Pair : detail::SegmentPair<S> {
    Index i = 0, j = 0;
    /// A total order: of segments that share a node and are equally near, one is first.
    [[nodiscard]] bool nearer_than(const Pair& other) const noexcept {
      if (this->square != other.square) return this->square < other.square;
      return i != other.i ? i < other.i : j < other.j;
    }
  };
  using Sphere = detail::PieceSphere<S>;  // around a segment

  static std::vector<Tube<S, K>> sorted(std::vector<Tube<S, K>> tubes) {
    dalembert::detail::heap_sort(tubes.begin(), tubes.end(),
                                 [](const auto& a, const auto& b) { return a.body < b.body; });
    return tubes;
  }
  static std::vector<Index> nodes_of(const std::vector<Tube<S, K>>& tubes) {
    std::vector<Index> nodes;
    for (const auto& tube : tubes) nodes.push_back(tube.nodes);
    return nodes;
  }
  /// As far as an averaged centreline may be from its nodes; beyond that the curvature is no longer resolved.
  static S bias(const Tube<S, K>& tube) { return tube.average ? tube.average->kernel_width() / S(2) : S(0); }

  /// Arc lengths of the nodes as they are deformed, and spheres around the segments.
  void measure(std::size_t i, const std::vector<Chain<S>>& chains, S time) {
    const std::size_t body = tubes_[i].body;
    if (body >= chains.size() || chains[body].nodes != tubes_[i].nodes) refuse(i, chains);
    const Chain<S>& chain = chains[body];
    S* const lengths = &lengths_[first_[i]];
    Sphere* const around = &around_[first_[i]];
    S length(0);
    lengths[0] = chain.position(0).squaredNorm() * S(0);  // not finite if the node is not
    around[0] = {Triple<S>(chain.position(0)), S(0)};
    for (Index k = 1; k < chain.nodes; ++k) {
      const Triple<S> from(chain.position(k - 1)), to(chain.position(k));
      const S chord = norm(to - from);
      around[k - 1] = {S(0.5) * (from + to), chord / S(2)};
      lengths[k] = length += chord;
    }
    if (!number::isfinite(length + lengths[0]))
      throw NotFinite(message({"NotFinite: the length of body ", body}), number::plain(time));
  }

  [[gnu::cold, gnu::noinline]] void refuse(std::size_t i, const std::vector<Chain<S>>& chains) const {
    const std::size_t body = tubes_[i].body;
    require(body < chains.size(), "PlaceSearch", "body", body,
            message({"there are ", chains.size(), " bodies"}));
    require(false, "PlaceSearch", message({"nodes of body ", body}), chains[body].nodes,
            message({"the search was made for ", tubes_[i].nodes}));
  }

  /// One piece of code for all that compare pairs: of two that round in different ways, each could find
  /// the other's nearer than its own, and the place would be lost.
  [[nodiscard, gnu::noinline]] static Pair pair(const Chain<S>& a, Index i, const Chain<S>& b, Index j) {
    const auto chord = [](const Chain<S>& c, Index k) {
      return k + 1 < c.nodes ? dalembert::detail::difference<S, 3>(c.position(k + 1), c.position(k))
                             : Vec<S, 3>(S(0), S(0), S(0));
    };
    return {{a.position(i), chord(a, i), b.position(j), chord(b, j)}, i, j};
  }

  /// Whether the two are too close along one rod to touch each other.
  [[nodiscard]] bool same_stretch(std::size_t tube, S x, S y) const {
    const S* const l = &lengths_[first_[tube]];
    const auto at = [&](S s) {
      const Index k = std::min(static_cast<Index>(std::max(s, S(0))), tubes_[tube].nodes - 2);
      return l[k] + (s - S(k)) * (l[k + 1] - l[k]);
    };
    return number::abs(at(y) - at(x)) < S(pi) * tubes_[tube].radius;
  }

  void compare(const std::vector<Chain<S>>& chains, const SphereBlock<S>& one, const SphereBlock<S>& other) {
    const std::size_t p = one.chain, q = other.chain;
    const Tube<S, K>&tube1 = tubes_[p], &tube2 = tubes_[q];
    const bool self = p == q;
    if (self && !tube1.average) return;
    if (!options_.left_out.empty() && std::binary_search(options_.left_out.begin(), options_.left_out.end(),
                                                         std::array{tube1.body, tube2.body}))
      return;
    const Chain<S>&a = chains[tube1.body], &b = chains[tube2.body];
    const S reach = tube1.radius + tube2.radius + options_.tolerance + bias(tube1) + bias(tube2);
    const Sphere *const around1 = &around_[first_[p]], *const around2 = &around_[first_[q]];
    for (Index i = one.first; i < one.last; ++i)
      for (Index j = self ? std::max(other.first, i + 2) : other.first; j < other.last; ++j) {
        if (detail::are_apart(around1[i], around2[j], reach)) continue;
        if (self && same_stretch(p, S(i), S(j + 1))) continue;
        const Pair here = pair(a, i, b, j);
        if (!(here.square < reach * reach)) continue;
        if (self && same_stretch(p, S(i) + here.u, S(j) + here.v)) continue;
        if (is_least(a, b, here, self)) refine(a, b, p, q, here);
      }
  }

  /// Whether no neighbouring pair of segments is nearer.
  [[nodiscard]] static bool is_least(const Chain<S>& a, const Chain<S>& b, const Pair& here, bool self) {
    const Index most1 = std::max<Index>(a.nodes - 2, 0), most2 = std::max<Index>(b.nodes - 2, 0);
    // where the nearest points are nodes, the pairs beyond them are the likely ones to be nearer
    const auto beyond = [](Index k, S x, Index most) {
      return std::clamp<Index>(x <= S(0) ? k - 1 : x >= S(1) ? k + 1 : k, 0, most);
    };
    const Index likely1 = beyond(here.i, here.u, most1), likely2 = beyond(here.j, here.v, most2);
    if (!(self && likely1 >= likely2) && pair(a, likely1, b, likely2).nearer_than(here)) return false;
    for (Index i = std::max<Index>(here.i - 1, 0); i <= std::min(here.i + 1, most1); ++i)
      for (Index j = std::max<Index>(here.j - 1, 0); j <= std::min(here.j + 1, most2); ++j) {
        if ((i == here.i && j == here.j) || (self && i >= j)) continue;
        if (pair(a, i, b, j).nearer_than(here)) return false;
      }
    return true;
  }

  void refine(const Chain<S>& a, const Chain<S>& b, std::size_t p, std::size_t q, const Pair& from) {
    const Tube<S, K>&tube1 = tubes_[p], &tube2 = tubes_[q];
    const S touching = tube1.radius + tube2.radius, far = touching + options_.tolerance;
    NearPlace<S> place{tube1.body,
                       (S(from.i) + from.u) * tube1.spacing,
                       tube2.body,
                       (S(from.j) + from.v) * tube2.spacing,
                       number::sqrt(from.square),
                       S(pi / 2),
                       touching};
    if (tube1.average && tube2.average) {
      const NearPlace<S> of_chords = place;
      place.approach = detail::find_least_distance(a, b, tube1, tube2, place, time_);
      if (place.approach == Approach::crossing && of_chords.distance < far)
        place.approach = approach_of_chords(tube1, tube2, of_chords, place, far);
      if (place.approach != Approach::crossing) {
        if (!(of_chords.distance < far)) return;
        if (options_.crossings_only) throw_no_crossing(place);
        const Approach how = std::exchange(place, of_chords).approach;
        place.approach = how;
      }
      if (p == q && same_stretch(p, place.s1 / tube1.spacing, place.s2 / tube2.spacing)) return;
    }
    if (place.distance < far) places_.push_back(place);
  }

  /// How rods are near each other whose chords are, where Newton's method went from there to a crossing.
  [[nodiscard]] Approach approach_of_chords(const Tube<S, K>& tube1, const Tube<S, K>& tube2,
                                            const NearPlace<S>& chords, const NearPlace<S>& crossing,
                                            S far) const {
    const auto beyond = [](const Tube<S, K>& tube, S s) { return s < tube.range[0] || s > tube.range[1]; };
    const auto left = [](const Tube<S, K>& tube, S s, S to) {
      return number::abs(to - s) > std::max(tube.average->kernel_width(), tube.spacing);
    };
    const bool elsewhere = left(tube1, chords.s1, crossing.s1) || left(tube2, chords.s2, crossing.s2);
    if (elsewhere && (beyond(tube1, chords.s1) || beyond(tube2, chords.s2))) return Approach::at_end;
    // of rods that bend within a kernel the averages may be apart where the rods are not
    const bool lost = !options_.crossings_only && (elsewhere || !(crossing.distance < far));
    return lost ? Approach::parallel : Approach::crossing;
  }

  [[noreturn, gnu::cold, gnu::noinline]] void throw_no_crossing(const NearPlace<S>& place) const {
    const std::string where = message({" near s1 = ", place.s1, " m of body ", place.body1,
                                       " and s2 = ", place.s2, " m of body ", place.body2});
    if (place.approach == Approach::parallel)
      throw ParallelRods("ParallelRods: the rods touch but do not cross" + where, time_);
    throw ContactAtEnd("ContactAtEnd: the contact kernel reaches an end" + where, time_);
  }

  /// Of places closer to each other than a kernel width on both rods, the nearest stays.
  void merge() {
    sort();
    std::size_t kept = 0;
    for (const NearPlace<S>& place : places_) {
      std::size_t same = kept;
      for (std::size_t k = kept; k-- > 0 && same == kept;) {
        const NearPlace<S>& other = places_[k];
        if (other.body1 != place.body1 || other.body2 != place.body2) break;
        if (number::abs(place.s1 - other.s1) <= width(place.body1) &&
            number::abs(place.s2 - other.s2) <= width(place.body2))
          same = k;
      }
      if (same == kept) {
        places_[kept++] = place;
      } else if (place.distance < places_[same].distance) {
        places_[same] = place;
      }
    }
    places_.resize(kept);
    sort();  // a nearer one may be farther along than the next
  }
  void sort() {
    const auto before = [](const auto& x, const auto& y) { return x.order() < y.order(); };
    if (!std::is_sorted(places_.begin(), places_.end(), before))
      dalembert::detail::heap_sort(places_.begin(), places_.end(), before);
  }
  [[nodiscard]] S width(std::size_t body) const {
    const auto at = std::lower_bound(tubes_.begin(), tubes_.end(), body,
                                     [](const auto& tube, std::size_t number) { return tube.body < number; });
    return at->average ? at->average->kernel_width() : S(0);
  }

  std::vector<Tube<S, K>> tubes_;
  PlaceOptions<S> options_;
  BlockGrid<S> grid_;
  std::vector<std::size_t> first_;  // where the nodes of each tube begin in what follows
  std::vector<S> lengths_;          // at nodes
  std::vector<Sphere> around_;      // around the segments after nodes, or the node of a ball
  std::vector<NearPlace<S>> places_{};
  double time_ = 0;
};

}  // namespace dalembert::contact
