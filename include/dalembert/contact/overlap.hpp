#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/places.hpp>
#include <dalembert/core/number.hpp>

/// A watch over bodies that have no contact with each other: they must not pass through one another.
namespace dalembert::contact {

/// How often it looks, and what it allows.
template <class S = double>
struct OverlapOptions {
  S tolerance{};     ///< surfaces may be this far inside each other [m]
  long every = 100;  ///< it looks at every so manieth state that it is shown, from the first one on
  /// Pairs of bodies that are not looked at.
  std::vector<std::array<std::size_t, 2>> left_out{};
};

/// An observer of `drive` that throws BodiesOverlap where two bodies are farther inside each other than the
/// tolerance and no constraint of two places, such as a `RollingContact` or a joint, is there. `no_overlap`
/// makes one of an assembly, for `DriveOptions::checks`. Observers are shown the states at output times:
/// where these are rare let the run ask it after every step, as the value of an event that never happens:
///   contact::OverlapCheck check{tubes, {.tolerance = 1e-4}};
///   drive(Verlet{}, problem, state, {.step = h, .until = t, .events = {{"overlap", check.at_each_step()}}});
template <class S = double, Kernel K = CubicSpline>
class OverlapCheck {
 public:
  /// Throws std::invalid_argument for a number of states that is not positive, and as `PlaceSearch` does.
  [[gnu::cold, gnu::noinline]] explicit OverlapCheck(std::vector<Tube<S, K>> tubes,
                                                     const OverlapOptions<S>& options = {});

  /// Look at a state if its turn has come.
  template <class Problem>
  void operator()(const Problem& problem, const assembly::State<S>& x) {
    if (seen_++ % options_.every == 0) look(problem, x);
  }

  /// A function for an event: it looks at the states that it is given, and is never zero. It must not outlive
  /// this.
  [[nodiscard]] auto at_each_step() {
    return [this](const auto& problem, const assembly::State<S>& x) {
      (*this)(problem, x);
      return S(1);
    };
  }

  /// Look at a state now.
  template <class Bodies, class... C>
  void look(const assembly::Assembly<Bodies, assembly::Kinds<C...>>& problem, const assembly::State<S>& x) {
    find_deep(x);
    if (deep_.empty()) return;
    Eigen::Index z = 0;
    std::apply([&](const auto&... list) { (keep(list, x, z), ...); }, problem.constraints());
    for (std::size_t i = 0; i < deep_.size(); ++i)
      if (!kept_[i]) deep_[i].throw_overlap(x.time);
  }

 private:
  /// Arc lengths at which a place of a constraint keeps its body.
  struct Stretch {
    std::size_t body;
    S from, to;
  };

  /// The places that are deeper than the tolerance, in the order of bodies and arc lengths.
  [[gnu::noinline]] void find_deep(const assembly::State<S>& x);
  /// Keep the places of the constraints of one kind; `z` goes on to the internal coordinates of the next.
  template <class C>
  void keep(const std::vector<C>& constraints, const assembly::State<S>& x, Eigen::Index& z) {
    if constexpr (assembly::ConstraintTraits<C>::markers != 2) {
      z += assembly::ConstraintTraits<C>::internal_count * static_cast<Eigen::Index>(constraints.size());
    } else {
      for (const C& c : constraints) {
        const auto [first, second] = c.markers();
        const S touching = radius(first) + radius(second);
        const Stretch one = stretch(first, touching, x, z), other = stretch(second, touching, x, z);
        keep(one, other);
        if (one.body == other.body) keep(other, one);
      }
    }
  }
  /// Keep what is on both.
  [[gnu::noinline]] void keep(const Stretch& a, const Stretch& b) {
    if (a.body > b.body) return keep(b, a);
    const auto from = std::tie(a.body, b.body, a.from, b.from);
    for (auto it =
             std::lower_bound(deep_.begin(), deep_.end(), from,
                              [](const NearPlace<S>&place, const auto&key) { return place.order() < key; });
         it != deep_.end() && it->body1 == a.body && it->body2 == b.body && it->s1 <= a.to; ++it)
      if (it->s2 >= b.from && it->s2 <= b.to) kept_[static_cast<std::size_t>(it - deep_.begin())] = 1;
  }
  /// Where a place of a constraint keeps its body: one that moves along a rod within its reach, one at a node
  /// of a rod within an element and what both are thick and it lies beside the node; a ball as a whole.
  template <class Place>
  [[nodiscard]] Stretch stretch(const Place& place, S touching, const assembly::State<S>& x,
                                Eigen::Index& z) const {
    const S far(std::numeric_limits<double>::infinity());
    if constexpr (assembly::detail::is_on_line<Place>) {
      z += Place::slides ? 1 : 0;
      return {surfaces_.size(), -far, far};
    } else if constexpr (Place::slides) {
      const S s = x.z[z++];
      return {place.body, s - place.reach(), s + place.reach()};
    } else {
      const S h = place.body < surfaces_.size() ? surfaces_[place.body].spacing : S(0);
      if (h == S(0)) return {place.body, -far, far};
      const S s = h * S(place.node), reach = h + touching + place.offset.norm();
      return {place.body, s - reach, s + reach};
    }
  }
  template <class Place>
  [[nodiscard]] S radius(const Place& place) const noexcept {
    return place.body < surfaces_.size() ? surfaces_[place.body].radius : S(0);
  }

  /// The surfaces by the numbers of their bodies; that of a body that is not looked at is a ball without
  /// radius.
  [[nodiscard]] static std::vector<Tube<S, K>> by_body(const std::vector<Tube<S, K>>& tubes) {
    std::vector<Tube<S, K>> all;
    for (const Tube<S, K>& tube : tubes) {
      if (tube.body >= all.size()) all.resize(tube.body + 1);
      all[tube.body] = tube;
    }
    return all;
  }

  OverlapOptions<S> options_;
  std::vector<Tube<S, K>> surfaces_;  // of each body
  PlaceSearch<S, K> search_;
  std::vector<NearPlace<S>> deep_;
  std::vector<char> kept_;  // of these, whether a constraint keeps them
  long seen_ = 0;
};

// Out of the class: programs with the compiled library would compile them in it.
template <class S, Kernel K>
OverlapCheck<S, K>::OverlapCheck(std::vector<Tube<S, K>> tubes, const OverlapOptions<S>& options)
    : options_(options),
      surfaces_(by_body(tubes)),
      search_(std::move(tubes), {.left_out = options.left_out, .crossings_only = false}) {
  require(options_.every >= 1, "OverlapCheck", "every", options_.every, "it must be positive");
  require(options_.tolerance >= 0 && number::isfinite(options_.tolerance), "OverlapCheck", "tolerance",
          options_.tolerance, "a tolerance must be finite and not negative [m]");
}

template <class S, Kernel K>
void OverlapCheck<S, K>::find_deep(const assembly::State<S>& x) {
  deep_.clear();
  for (const NearPlace<S>& place : search_(x.chains, x.time))
    if (place.gap() < -options_.tolerance) deep_.push_back(place);
  kept_.assign(deep_.size(), 0);
}

}  // namespace dalembert::contact
