#pragma once

#include <algorithm>
#include <cstddef>

#include <dalembert/rod/rod.hpp>

/// What the longer members of `Rod` do, apart from their class: what is defined in a class is compiled
/// wherever it is called, and a program may leave rods to a library (compiled/instantiate.hpp).
namespace dalembert::rod {

// Doxygen cannot tell which of the two constructors this is.
/// @cond
template <RodMaterial M, StrainRule<ElementMaterial<M>> R>
Rod<M, R>::Rod(const M& material, const Parameters& p)
    : material_(material), p_(p), h_(p.length / S(p.elements)), inertia_(lumped(material, p)) {
  detail::positive("Rod", "inverse square of the length of an element", S(1) / (h_ * h_));
  for (Index k = 0; k < (varies ? nodes() : Index(2)); ++k)
    for (int i = 0; i < 6; ++i) detail::positive("Rod", "inverse inertia of a node", inverse_mass(k, i));
  require(p.loads.finite(), "Rod", "loads", "not finite", "gravity and end loads must be finite");
}
/// @endcond

template <RodMaterial M, StrainRule<ElementMaterial<M>> R>
bool Rod<M, R>::accelerations(const Chain<S>& chain, const Columns<S, 6>& f, S time, Columns<S, 6>& a) const {
  constexpr Index width = lane_width<S>;
  Triple<L> linear, angular;
  L total(S(0));  // not finite if one of them is not
  for (Index k = 0; k < nodes(); k += width) {
    inertia_.accelerate(p_.damping.rate, chain.velocity, f, k, linear, angular);
    store3<0>(linear, a, k);
    store3<3>(angular, a, k);
    const auto inside = lane_index<L>(k) < L(S(nodes()));
    const Triple<L> sum = linear + angular;
    total = total + select(inside, sum.x, L(S(0))) + select(inside, sum.y, L(S(0))) +
            select(inside, sum.z, L(S(0)));
  }
  end_accelerations(f, End::start, time, a);
  end_accelerations(f, End::finish, time, a);
  S sum = lane_sum(total);
  for (int i = 0; i < 6; ++i) sum += a(0, i) + a(nodes() - 1, i);
  return number::isfinite(sum);
}

template <RodMaterial M, StrainRule<ElementMaterial<M>> R>
void Rod<M, R>::kick(Chain<S>& chain, const Columns<S, 6>& f, S h) const noexcept {
  const detail::EndVelocities<S> ends = detail::EndVelocities<S>::of(chain);
  const auto kick = inertia_.template kick<L>(h);
  for (Index k = 0; k < nodes(); k += lane_width<S>)
    detail::kick_nodes<decltype(kick), L>(kick, {load3<0>(f, k), load3<3>(f, k)}, chain.velocity, k);
  kick_ends(ends, f, h, chain.velocity);
}

template <RodMaterial M, StrainRule<ElementMaterial<M>> R>
void Rod<M, R>::kick_drift(const Chain<S>& from, const Columns<S, 6>& loads, S kick, S time, S h,
                           Chain<S>& to) const {
  const S damp = detail::damping_factor(p_.damping.rate, h);
  inertia_.with_turn(h, [&](const auto& turn) {
    detail::sweep_motion(from, loads, inertia_.template kick<L>(kick), turn, h, damp, to, 0, nodes());
  });
  for (const End end : {End::start, End::finish}) kick_drift_end(end, from, loads, kick, time, h, damp, to);
}

template <RodMaterial M, StrainRule<ElementMaterial<M>> R>
bool Rod<M, R>::step(const Chain<S>& from, Columns<S, 6>& f, S time, S h, Chain<S>& to) const {
  constexpr Index width = lane_width<S>;
  // A tile stays in the nearest cache. Short ones, of a rod that no cache nearby holds, leave it less time
  // to wait for memory; too short ones read the many columns of a varying rod in pieces that are too small.
  constexpr std::size_t node = 38 * sizeof(S), nearby = std::size_t{1} << 20;
  const bool is_long = static_cast<std::size_t>(nodes()) * node > nearby;
  const Index tile = ((is_long ? (varies ? 40 : 24) : 64) + width - 1) / width * width;
  const S damp = detail::damping_factor(p_.damping.rate, h);
  const auto kick = inertia_.template kick<L>(h / 2);
  const auto weight = inertia_.template weight<L>(p_.loads.gravity);
  detail::EndVelocities<S> ends;
  detail::LoadSweep<S> sweep;
  for (Index begin = 0; begin < nodes(); begin += tile) {
    const Index end = std::min(begin + tile, nodes());
    inertia_.with_turn(
        h, [&](const auto& turn) { detail::sweep_motion(from, f, kick, turn, h, damp, to, begin, end); });
    if (begin == 0) {
      kick_drift_end(End::start, from, f, h / 2, time, h, damp, to);
      ends.start = detail::velocity_of(to, 0);
    }
    if (end == nodes()) {
      kick_drift_end(End::finish, from, f, h / 2, time, h, damp, to);
      ends.finish = detail::velocity_of(to, p_.elements);
    }
    // the last pack of a tile waits for the node beyond it
    detail::sweep_loads(*this, to, weight, kick, f, &to.velocity, std::max(begin - width, Index(0)),
                        end == nodes() ? end : end - width, sweep);
  }
  return finish_loads(to, f, &to.velocity, ends, h / 2, sweep);
}

template <RodMaterial M, StrainRule<ElementMaterial<M>> R>
bool Rod<M, R>::put_forces(const Chain<S>& chain, Columns<S, 6>& f, Columns<S, 6>* velocity,
                           S h) const noexcept {
  detail::EndVelocities<S> ends;
  if (velocity) ends = detail::EndVelocities<S>::of(chain);
  detail::LoadSweep<S> sweep;
  detail::sweep_loads(*this, chain, inertia_.template weight<L>(p_.loads.gravity),
                      inertia_.template kick<L>(h), f, velocity, 0, nodes(), sweep);
  return finish_loads(chain, f, velocity, ends, h, sweep);
}

template <RodMaterial M, StrainRule<ElementMaterial<M>> R>
auto Rod<M, R>::lumped(const M& material, const Parameters& p) -> Inertia {
  require_elements<S>("Rod", p.elements);
  detail::positive("Rod", "length", p.length);
  const S h = p.length / S(p.elements);
  detail::positive("Rod", "end_mass_fraction", p.end_mass_fraction);
  require(p.damping.rate >= 0 && p.damping.rate < std::numeric_limits<S>::infinity(), "Rod", "damping.rate",
          p.damping.rate, "a damping rate must be finite and not negative [1/s]");
  if constexpr (varies)
    return {detail::varying_inertias(material.elements(), p.inertias, p.inertia, p.elements, h), h};
  detail::check_inertia(p.inertia, [] { return ""; });
  return {{p.inertia}, h};
}

}  // namespace dalembert::rod
