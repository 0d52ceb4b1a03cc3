#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <dalembert/rod/rod.hpp>

/// What the longer members of `Rod` do, apart from their class: what is defined in a class is compiled
/// wherever it is called, and a program may leave rods to a library (compiled/instantiate.hpp).
namespace dalembert::rod {

template <class MaterialPolicy, class StrainPolicy>
  requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  Rod<MaterialPolicy, StrainPolicy>::Rod(const MaterialPolicy& material, const Parameters& p)
      : material_(material), p_(p), h_(p.length / S(p.elements)), inertia_(lumped(material, p)) {
    positive("inverse square of the length of an element", S(1) / (h_ * h_));
    for (Index k = 0; k < (varies ? nodes() : Index(2)); ++k)
      for (int i = 0; i < 6; ++i) positive("inverse inertia of a node", inverse_mass(k, i));
    require(p.loads.finite(), "Rod", "loads", "not finite", "gravity and end loads must be finite");
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  auto Rod<MaterialPolicy, StrainPolicy>::straight(const Vec<S, 3>& origin, const SO3<S>& frame,
                                                   S stretch) const -> Chain<S> {
    Chain<S> chain(nodes());
    const Triple<S> e3(frame.act(Vec<S, 3>(S(0), S(0), S(1))));
    for (Index k = 0; k < nodes(); ++k)
      chain.set_frame(k, frame, Triple<S>(origin) + (stretch * h_ * S(k)) * e3);
    return chain;
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  bool Rod<MaterialPolicy, StrainPolicy>::accelerations(const Chain<S>& chain, const Columns<S, 6>& f, S time,
                                                        Columns<S, 6>& a) const {
    constexpr Index width = lane_width<S>;
    Triple<L> linear, angular;
    L total(S(0));  // not finite if one of them is not
    for (Index k = 0; k < nodes(); k += width) {
      detail::accelerate_nodes(inertia_, p_.damping.rate, chain.velocity, f, k, linear, angular);
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

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  void Rod<MaterialPolicy, StrainPolicy>::kick(Chain<S>& chain, const Columns<S, 6>& f, S h) const noexcept {
    const detail::EndVelocities<S> ends = detail::EndVelocities<S>::of(chain);
    const auto kick = inertia_.template kick<L>(h);
    for (Index k = 0; k < nodes(); k += lane_width<S>)
      detail::kick_nodes<decltype(kick), L>(kick, {load3<0>(f, k), load3<3>(f, k)}, chain.velocity, k);
    kick_ends(ends, f, h, chain.velocity);
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  void Rod<MaterialPolicy, StrainPolicy>::kick_drift(const Chain<S>& from, const Columns<S, 6>& loads, S kick,
                                                     S time, S h, Chain<S>& to) const {
    const S damp = detail::damping_factor(p_.damping.rate, h);
    inertia_.with_turn(h, [&](const auto& turn) {
      detail::sweep_motion(from, loads, inertia_.template kick<L>(kick), turn, h, damp, to, 0, nodes());
    });
    for (const End end : {End::start, End::finish}) kick_drift_end(end, from, loads, kick, time, h, damp, to);
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  bool Rod<MaterialPolicy, StrainPolicy>::step(const Chain<S>& from, Columns<S, 6>& f, S time, S h,
                                               Chain<S>& to) const {
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

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  void Rod<MaterialPolicy, StrainPolicy>::hold_end(Chain<S>& chain, End end, S time) const {
    const Boundary<S>& b = boundary(end);
    if (!b.any_held()) return;
    const Index k = end == End::start ? 0 : p_.elements;
    if (b.moves()) {
      const EndMotion<S> m = b.motion(time);
      chain.set_frame(k, SO3<S>::from_quaternion(m.quaternion[0], Vec<S, 3>(m.quaternion.template tail<3>())),
                      m.position);
      chain.set_velocity(k, m.velocity, m.angular_velocity);
      return;
    }
    for (int i = 0; i < 6; ++i)
      if (b.held(i)) chain.velocity(k, i) = S(0);
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  auto Rod<MaterialPolicy, StrainPolicy>::lumped(const MaterialPolicy& material, const Parameters& p)
      -> Inertia {
    require_elements<S>("Rod", p.elements);
    positive("length", p.length);
    const S h = p.length / S(p.elements);
    positive("end_mass_fraction", p.end_mass_fraction);
    require(p.damping.rate >= 0 && p.damping.rate < std::numeric_limits<S>::infinity(), "Rod", "damping.rate",
            p.damping.rate, "a damping rate must be finite and not negative [1/s]");
    if constexpr (varies)
      return {detail::varying_inertias(material.elements(), p.inertias, p.inertia, p.elements, h), h};
    detail::check_inertia(p.inertia, [] { return ""; });
    return {{p.inertia}, h};
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  void Rod<MaterialPolicy, StrainPolicy>::kick_drift_end(End end, const Chain<S>& from,
                                                         const Columns<S, 6>& loads, S kick, S time, S h,
                                                         S damp, Chain<S>& to) const {
    const Index k = end == End::start ? 0 : p_.elements;
    const Boundary<S>& b = boundary(end);
    detail::FreeNode<S> n = detail::load_node<S>(from, k);
    if (!b.all_held()) {  // else it stays, or goes where its motion has it
      const auto by = [&](int i) { return b.held(i) ? S(0) : S(kick * inverse_mass(k, i) * loads(k, i)); };
      n.velocity += Triple<S>(by(0), by(1), by(2));
      n.omega += Triple<S>(by(3), by(4), by(5));
      // a held axis takes up the gyroscopic torque: ω stays as it is, as in a sphere
      const bool turns = !(b.held(3) || b.held(4) || b.held(5));
      const Vec<S, 3> sphere(S(1), S(1), S(1));
      detail::move_freely(n, turns ? section_inertia(k == 0 ? 0 : k - 1).rotary : sphere, h, damp);
    }
    detail::store_node(n, to, k);
    hold_end(to, end, time + h);
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  bool Rod<MaterialPolicy, StrainPolicy>::put_forces(const Chain<S>& chain, Columns<S, 6>& f,
                                                     Columns<S, 6>* velocity, S h) const noexcept {
    detail::EndVelocities<S> ends;
    if (velocity) ends = detail::EndVelocities<S>::of(chain);
    detail::LoadSweep<S> sweep;
    detail::sweep_loads(*this, chain, inertia_.template weight<L>(p_.loads.gravity),
                        inertia_.template kick<L>(h), f, velocity, 0, nodes(), sweep);
    return finish_loads(chain, f, velocity, ends, h, sweep);
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  bool Rod<MaterialPolicy, StrainPolicy>::finish_loads(const Chain<S>& chain, Columns<S, 6>& f,
                                                       Columns<S, 6>* velocity,
                                                       const detail::EndVelocities<S>& ends, S h,
                                                       const detail::LoadSweep<S>& sweep) const noexcept {
    add_end_loads(chain, End::start, f);
    add_end_loads(chain, End::finish, f);
    if (velocity) kick_ends(ends, f, h, *velocity);
    return !any_lane(sweep.least < L(S(least_half_turn)));
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  void Rod<MaterialPolicy, StrainPolicy>::kick_ends(const detail::EndVelocities<S>& ends,
                                                    const Columns<S, 6>& f, S h,
                                                    Columns<S, 6>& velocity) const noexcept {
    const Index n = p_.elements;
    for (int i = 0; i < 6; ++i) {
      velocity(0, i) = ends.start[i] + (p_.start.held(i) ? S(0) : h * inverse_mass(0, i) * f(0, i));
      velocity(n, i) = ends.finish[i] + (p_.finish.held(i) ? S(0) : h * inverse_mass(n, i) * f(n, i));
    }
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  void Rod<MaterialPolicy, StrainPolicy>::add_end_loads(const Chain<S>& chain, End end,
                                                        Columns<S, 6>& f) const noexcept {
    const Index k = end == End::start ? 0 : p_.elements;
    const Triple<S> weight = inertia_.mass(k) * Triple<S>(p_.loads.gravity);
    const detail::NodeForces<S> load =
        detail::in_frames(end == End::start ? p_.loads.start : p_.loads.finish, chain.rotation(k));
    detail::add_forces(load.force - S(S(1) - p_.end_mass_fraction) * weight, load.torque, f, k);
  }

  template <class MaterialPolicy, class StrainPolicy>
    requires RodMaterial<MaterialPolicy> && StrainRule<StrainPolicy, ElementMaterial<MaterialPolicy>>
  void Rod<MaterialPolicy, StrainPolicy>::end_accelerations(const Columns<S, 6>& f, End end, S time,
                                                            Columns<S, 6>& a) const {
    const Index k = end == End::start ? 0 : p_.elements;
    const Boundary<S>& b = boundary(end);
    const S extra = S(1) / p_.end_mass_fraction - S(1);
    for (int i = 0; i < 6; ++i)
      a(k, i) += extra * f(k, i) / (i < 3 ? inertia_.mass(k) : inertia_.rotary(k)[i - 3]);
    if (!b.any_held()) return;
    EndMotion<S> motion;
    if (b.moves()) motion = b.motion(time);
    for (int i = 0; i < 3; ++i) {
      if (b.held(i)) a(k, i) = motion.acceleration[i];
      if (b.held(3 + i)) a(k, 3 + i) = motion.angular_acceleration[i];
    }
  }

}  // namespace dalembert::rod
