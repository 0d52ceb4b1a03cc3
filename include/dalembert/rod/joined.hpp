#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/number.hpp>
#include <dalembert/rod/concepts.hpp>
#include <dalembert/rod/rod.hpp>

/// Two rods that are one: where the end of one rod and the start of another coincide and both are made of the
/// same, or of materials that vary, the two end nodes, with half the mass of an inner node each, are merged
/// into one inner node. A weld of the two rods by constraint rows moves alike, but solves for the six forces
/// and torques at the seam in each step; use it where they are wanted, or where the rods differ.
namespace dalembert::rod {

namespace detail {

/// Whether two materials answer alike to each of the six strains, both ways, from the first one's rest.
template <Material M>
[[nodiscard]] bool alike(const M& a, const M& b) {
  using S = typename M::Scalar;
  const RestStrain<S> rest = a.rest();
  for (int i = -6; i <= 6; ++i) {
    Vec<S, 3> stretch = rest.stretch, curvature = rest.curvature;
    const int at = number::abs(i) - 1;
    const S by = i < 0 ? S(-0.125) : S(0.125);
    if (at >= 3)
      curvature[at - 3] += by;
    else if (at >= 0)
      stretch[at] += by;
    const Stress<S> of_a = a.stress(stretch, curvature), of_b = b.stress(stretch, curvature);
    for (int j = 0; j < 3; ++j)
      if (!number::equal(of_a.force[j], of_b.force[j]) || !number::equal(of_a.moment[j], of_b.moment[j]))
        return false;
  }
  return true;
}

/// Whether an end bears no load.
template <class S>
[[nodiscard]] bool unloaded(const EndLoad<S>& load) {
  return number::is_zero(load.force) && number::is_zero(load.moment) &&
         number::is_zero(load.follower_force) && number::is_zero(load.follower_moment);
}

}  // namespace detail

/// A rod under a load of `assembly::WithLoad` is none that can be joined: its load would be lost.
template <class A, class B>
  requires(UnderLoad<A> || UnderLoad<B>)
void joined(const A&, const B&) {
  static_assert(
      sizeof(A) == 0,
      "joined does not know the load of an assembly::WithLoad: join the rods, and load what comes of it");
}

/// The rod that runs through `first` and then through `second`, with the outer ends and end loads of both.
/// Throws std::invalid_argument unless they have the same material and inertia, if these do not vary, and the
/// same spacing, gravity and damping, and nothing holds or loads the ends that meet.
template <class M, class R>
[[nodiscard]] Rod<M, R> joined(const Rod<M, R>& first, const Rod<M, R>& second) {
  using S = typename M::Scalar;
  const auto& a = first.parameters();
  const auto& b = second.parameters();
  const char* const name = "joined";
  const S apart = number::abs(first.spacing() - second.spacing());
  require(apart <= S(8) * std::numeric_limits<S>::epsilon() * first.spacing(), name, "second spacing",
          second.spacing(), message({"the first is ", first.spacing(), " m, and both must be the same"}));
  if constexpr (!Rod<M, R>::varies) {
    require(detail::alike(first.material(), second.material()), name, "materials", "different",
            "both rods must be made of the same");
    require(number::equal(a.inertia.mass, b.inertia.mass), name, "second inertia.mass", b.inertia.mass,
            "both must be the same [kg/m]");
  }
  for (int i = 0; i < 3; ++i) {
    const auto entry = static_cast<std::size_t>(i);
    if constexpr (!Rod<M, R>::varies)
      require_entry(number::equal(a.inertia.rotary[i], b.inertia.rotary[i]), name, "second inertia.rotary",
                    entry, b.inertia.rotary[i], "both must be the same [kg m]");
    require_entry(number::equal(a.loads.gravity[i], b.loads.gravity[i]), name, "second gravity", entry,
                  b.loads.gravity[i], "both must be the same [m/s^2]");
  }
  require(number::equal(a.damping.rate, b.damping.rate), name, "second damping.rate", b.damping.rate,
          "both must be the same [1/s]");
  for (const S fraction : {a.end_mass_fraction, b.end_mass_fraction})
    require(number::equal(fraction, S(0.5)), name, "end_mass_fraction", fraction,
            "two ends make an inner node only if each has half its mass");
  require(!a.finish.any_held() && !b.start.any_held(), name, "ends that meet", "held", "both must be free");
  require(detail::unloaded(a.loads.finish) && detail::unloaded(b.loads.start), name, "ends that meet",
          "loaded", "both must be free of loads");
  require(a.elements <= most_elements - b.elements, name, "elements of the second rod", b.elements,
          "too many for one rod");
  typename Rod<M, R>::Parameters p = a;
  p.elements = a.elements + b.elements;
  p.length = a.length + b.length;
  p.finish = b.finish;
  p.loads.finish = b.loads.finish;
  if constexpr (Rod<M, R>::varies) {
    p.inertias.clear();
    for (const Rod<M, R>* rod : {&first, &second})
      for (int k = 0; k < rod->elements(); ++k) p.inertias.push_back(rod->section_inertia(k));
    return Rod<M, R>(first.material().followed_by(second.material()), p);
  } else {
    return Rod<M, R>(first.material(), p);
  }
}

/// The chain of a joined rod. The node in the middle has the frame and the velocity of the end of the first
/// chain. Throws std::invalid_argument unless the start of the second has them too, to the root of the
/// rounding unit times the largest number there, at least 1.
template <class S>
[[nodiscard]] Chain<S> joined(const Chain<S>& first, const Chain<S>& second) {
  require(first.nodes >= 1 && second.nodes >= 1, "joined", "nodes", std::min(first.nodes, second.nodes),
          "a chain must have nodes");
  const Eigen::Index seam = first.nodes - 1;
  S largest(1), apart(0);
  const SO3<S> turn = first.rotation(seam).inverse() * second.rotation(0);
  for (int i = 0; i < 3; ++i) {
    const auto compare = [&](S x, S y) {
      largest = std::max({largest, number::abs(x), number::abs(y)});
      apart = std::max(apart, number::abs(x - y));
    };
    compare(first.configuration(seam, i), second.configuration(0, i));
    compare(first.velocity(seam, i), second.velocity(0, i));
    compare(first.velocity(seam, 3 + i), second.velocity(0, 3 + i));
    apart = std::max(apart, S(2) * number::abs(turn.v()[i]));
  }
  require(apart <= number::sqrt(std::numeric_limits<S>::epsilon()) * largest, "joined",
          "difference of the nodes that meet", apart, "their frames and velocities must coincide");
  Chain<S> all(first.nodes + second.nodes - 1);
  for (Eigen::Index k = 0; k < all.nodes; ++k) {
    const Chain<S>& from = k <= seam ? first : second;
    const Eigen::Index at = k <= seam ? k : k - seam;
    all.configuration.row(k) = from.configuration.row(at);
    all.velocity.row(k) = from.velocity.row(at);
  }
  return all;
}

}  // namespace dalembert::rod
