#pragma once

#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/places.hpp>
#include <dalembert/core/number.hpp>

/// A watch over bodies that have no contact with each other: they must not pass through one another.
namespace dalembert::contact {

/// How often it looks, and what it allows.
template <class S>
struct OverlapOptions {
  S tolerance{};     ///< surfaces may be this far inside each other [m]
  long every = 100;  ///< it looks at every so manieth state that it is shown, from the first one on
  /// Pairs of bodies that are not looked at.
  std::vector<std::array<std::size_t, 2>> left_out{};
};

/// An observer of `drive` that throws BodiesOverlap where two bodies are farther inside each other than the tolerance and no constraint of two
/// places, such as a `Crossing` or a joint, is there. `no_overlap` makes one of an assembly, for
/// `DriveOptions::checks`. Observers are shown the states at output times: where these are rare let the run ask it after every step, as the
/// value of an event that never happens:
///   contact::OverlapCheck check{tubes, {.tolerance = 1e-4}};
///   drive(Verlet{}, problem, state, {.step = h, .until = t, .events = {{"overlap", check.at_each_step()}}});
template <class S, Kernel K = CubicSpline>
class OverlapCheck {
 public:
  /// Throws std::invalid_argument for a number of states that is not positive, and as `PlaceSearch` does.
  explicit OverlapCheck(std::vector<Tube<S, K>> tubes, const OverlapOptions<S>& options = {})
      : options_(options),
        tubes_(tubes),
        search_(std::move(tubes), {.left_out = options.left_out, .crossings_only = false}) {
    require(options_.every >= 1, "OverlapCheck", "every", options_.every, "it must be positive");
    require(options_.tolerance >= 0 && number::isfinite(options_.tolerance), "OverlapCheck", "tolerance",
            options_.tolerance, "a tolerance must be finite and not negative [m]");
  }

  /// Look at a state if its turn has come.
  template <class Problem>
  void operator()(const Problem& problem, const assembly::State<S>& x) {
    if (seen_++ % options_.every == 0) look(problem, x);
  }

  /// A function for an event: it looks at the states that it is given, and is never zero. It must not outlive this.
  [[nodiscard]] auto at_each_step() {
    return [this](const auto& problem, const assembly::State<S>& x) {
      (*this)(problem, x);
      return S(1);
    };
  }

  /// Look at a state now.
  template <class Bodies, class... C>
  void look(const assembly::Assembly<Bodies, assembly::Kinds<C...>>& problem, const assembly::State<S>& x) {
    for (const NearPlace<S>& place : search_(x.chains, x.time)) {
      if (!(place.gap() < -options_.tolerance)) continue;
      Eigen::Index z = 0;
      bool kept = false;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((kept = keeps(problem.template constraints<I>(), x, z, place) || kept), ...);
      }
      (std::index_sequence_for<C...>{});
      if (!kept) throw_overlap(place, x.time);
    }
  }

 private:
  /// Whether one of the constraints has its places there; `z` goes on to the internal coordinates of the next kind.
  template <class C>
  [[nodiscard]] bool keeps(const std::vector<C>& constraints, const assembly::State<S>& x, Eigen::Index& z,
                           const NearPlace<S>& near) const {
    bool kept = false;
    for (const C& c : constraints) {
      if constexpr (assembly::ConstraintTraits<C>::places == 2) {
        const auto [first, second] = c.places();
        const auto [one, other] = sides(first, x, z, near);
        const auto [one2, other2] = sides(second, x, z, near);
        kept = kept || (one && other2) || (other && one2);
      } else {
        z += assembly::ConstraintTraits<C>::slides;
      }
    }
    return kept;
  }
  /// Whether a place of a constraint is where the first, and where the second body is near the other: one that moves along a rod within its
  /// reach, one at a node of a rod within an element and what both are thick and it lies beside the node; a ball is near as a whole.
  template <class Place>
  [[nodiscard]] std::array<bool, 2> sides(const Place& place, const assembly::State<S>& x, Eigen::Index& z,
                                          const NearPlace<S>& near) const {
    bool first = place.body == near.body1, second = place.body == near.body2;
    if constexpr (Place::slides) {
      const S s = x.z[z++];
      first = first && number::abs(s - near.s1) <= place.reach();
      second = second && number::abs(s - near.s2) <= place.reach();
    } else if (first || second) {
      const S h = spacing(place.body), s = h * S(place.node);
      const S reach = h + near.touching + place.offset.norm();
      first = first && (h == S(0) || number::abs(s - near.s1) <= reach);
      second = second && (h == S(0) || number::abs(s - near.s2) <= reach);
    }
    return {first, second};
  }
  /// Of the nodes of a body; 0 for a ball.
  [[nodiscard]] S spacing(std::size_t body) const noexcept {
    for (const Tube<S, K>& tube : tubes_)
      if (tube.body == body) return tube.spacing;
    return S(0);
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void throw_overlap(const NearPlace<S>& place, S time) {
    throw BodiesOverlap(place.body1, number::plain(place.s1), place.body2, number::plain(place.s2),
                        number::plain(-place.gap()), number::plain(time));
  }

  OverlapOptions<S> options_;
  std::vector<Tube<S, K>> tubes_;
  PlaceSearch<S, K> search_;
  long seen_ = 0;
};

}  // namespace dalembert::contact
