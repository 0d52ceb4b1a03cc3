#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/contact/detail/node_contact.hpp>
#include <dalembert/contact/detail/touching_surfaces.hpp>
#include <dalembert/contact/detail/touching_work.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/problem/concepts.hpp>

/// The contacts of nodes of rods that share nothing with others, in packs: the stages (1) to (3) of
/// touching_step.hpp for each of them alone, by the same rules. A normal impulse at such a node does not make
/// it slip, so that the law has a closed form (linalg/detail/central_contact.hpp).
namespace dalembert::contact::detail {

/// Those of a step.
template <class S>
class NodeContacts {
 public:
  using Contact = NodeContact<S>;
  using L = typename Contact::L;
  using T = typename Contact::T;
  using AtContact = typename Contact::AtContact;
  using State = assembly::State<S>;
  using Works = ContactWorks<L>;

  NodeContacts(const TouchingSurfaces<S>& surfaces, TouchingWork<S>& w) noexcept
      : surfaces_(surfaces), w_(w) {}

  /// (1): the impulses for loads f at x, to which they are added as forces over half a step.
  template <class Run>
  void begin(const State& x, assembly::NodeNumbers<S>& f, const Run& run) {
    each(run, [&](Contact& c, Works& works) { begin(c, x.chains[c.body], f.chains[c.body], works); });
  }
  /// (2).
  template <class Run>
  void project_positions(State& x, const Run& run) {
    each(run, [&](Contact& c, Works& works) { project_positions(c, x.chains[c.body], works); });
  }
  /// Whether the last (2) ended everywhere, and in how many steps.
  void report(Projection<S>& to) const {
    for (const Contact& c : w_.node_contacts) {
      to.converged = to.converged && c.converged;
      to.iterations = std::max(to.iterations, c.iterations);
    }
  }
  /// (3).
  template <class Run>
  void finish(State& x, const Run& run) {
    each(run, [&](Contact& c, Works& works) { finish(c, x.chains[c.body], works); });
  }

 private:
  static constexpr std::size_t together = 64;  // that add up what they do

  /// f of each, some at a time, whose works are added up in a fixed order.
  template <class Run, class F>
  void each(const Run& run, const F& f) {
    auto& all = w_.node_contacts;
    const std::size_t pieces = (all.size() + together - 1) / together;
    w_.node_works.resize(pieces);
    const auto start = [&](std::size_t i) {  // contacts of one pack stay together
      i = std::min(i, all.size());
      while (i > 0 && i < all.size() && all[i].body == all[i - 1].body && all[i].first == all[i - 1].first)
        ++i;
      return i;
    };
    run(pieces, [&](std::size_t piece) {
      Works works{L(0), L(0), L(0), L(0)};
      const std::size_t last = start((piece + 1) * together);
      for (std::size_t i = start(piece * together); i < last; ++i) f(all[i], works);
      w_.node_works[piece] = {rod::lane_sum(works.impact), rod::lane_sum(works.friction),
                              rod::lane_sum(works.driven), rod::lane_sum(works.correction)};
    });
    for (const auto& works : w_.node_works) w_.works += works;
  }
  [[nodiscard]] const TouchedSurface<S>& on(const Contact& c) const noexcept {
    return surfaces_.surfaces()[c.surface];
  }
  static void book(const Contact& c, const AtContact& P, const AtContact& u, Works& works) noexcept {
    works.impact += P.normal * u.normal;
    works.friction += P.first * u.first + P.second * u.second;
    works.driven += dot(c.axes.vector(P), c.surface_velocity);
  }
  [[nodiscard]] static AtContact only_at(const L& where, const AtContact& x) noexcept {
    return {only(where > L(0), x.normal), only(where > L(0), x.first), only(where > L(0), x.second)};
  }
  [[nodiscard]] static T chosen(const L& where, const T& a, const T& b) noexcept {
    return {select(where > L(0), a.x, b.x), select(where > L(0), a.y, b.y), select(where > L(0), a.z, b.z)};
  }
  [[nodiscard]] static AtContact half_of(const AtContact& x) noexcept {
    return {L(0.5) * x.normal, L(0.5) * x.first, L(0.5) * x.second};
  }

  [[gnu::noinline]] void begin(Contact& c, const rod::Chain<S>& x, assembly::Columns<S, 6>& f,
                               Works& works) const {
    const auto& inertia = surfaces_.inertia()[c.body];
    c.find_axes(x, inertia);
    const NodeAxes<L>& axes = c.axes;
    const L half(w_.step / S(2)), damping(inertia.damping);
    const T v = rod::load3<0, L>(x.velocity, c.first), w = rod::load3<3, L>(x.velocity, c.first),
            force = rod::load3<0, L>(f, c.first), torque = rod::load3<3, L>(f, c.first),
            gyro = rod::load3<0, L>(inertia.gyro, c.first);
    const auto q = rod::detail::load_quaternion<L>(x.configuration, c.first);
    const NodeContactRates<S> rates(c, on(c), v, rod::detail::rotate(q.w, q.v, L(2), w));
    const T& j = axes.inverse_inertia;
    const auto damped = [&](const L& inverse, const L& spin) {
      return only(inverse > L(0), L(damping * spin));
    };
    const T turned{gyro.x * w.y * w.z + damped(j.x, w.x), gyro.y * w.z * w.x + damped(j.y, w.y),
                   gyro.z * w.x * w.y + damped(j.z, w.z)};
    const AtContact u = c.velocity(v, w), kick = axes.of(axes.inverse_mass * force, scaled(j, torque)),
                    all = kick - axes.of(damping * v, turned) + axes.of(rates.bias);
    const L turning = dot(rates.normal, axes.vector(u));
    c.opening_before = u.normal;
    c.acceleration = all.normal + turning;
    const AtContact b{u.normal + half * c.acceleration, u.first + half * all.first,
                      u.second + half * all.second};
    if (!any_lane(c.was_closed > L(0))) return;
    const AtContact P =
        only_at(c.was_closed, linalg::detail::central_impulse<L>(axes.G, b, L(c.friction), L(0), L(0)));
    const AtContact kicked{half * kick.normal, half * kick.first, half * kick.second};
    book(c, P, u + half_of(kicked + axes.G * P), works);
    const AtContact change = b - u;
    const L slip = u.first * u.first + u.second * u.second,
            by = change.normal * change.normal + change.first * change.first + change.second * change.second;
    const L scale =  // slower ones may stick
        only(P.normal > L(0), only(slip > by, L(L(1) / number::sqrt(slip))));
    c.slip_before = chosen(scale, axes.vector({L(0), scale * u.first, scale * u.second}), c.slip_before);
    c.impulse = chosen(c.was_closed, axes.vector(P), c.impulse);
    const L share(S(1) / (w_.step / S(2)));
    rod::store3<0>(chosen(c.was_closed, force + share * axes.vector(P), force), f, c.first);
    rod::store3<3>(chosen(c.was_closed, torque + share * axes.torque(P), torque), f, c.first);
  }

  [[gnu::noinline]] void project_positions(Contact& c, rod::Chain<S>& x, Works& works) const {
    const T r0 = rod::load3<0, L>(x.configuration, c.first), v0 = rod::load3<0, L>(x.velocity, c.first);
    const L inverse = rod::load<S, L>(surfaces_.inertia()[c.body].inverse.data() + c.first), h(w_.step);
    T r = r0, v = v0;
    c.look_again(on(c), r);
    c.push_impulse = L(0);
    bool moved = false;
    for (const bool let_out : {false, true}) {
      if (let_out && !any_lane(only(c.gap_before < -c.tolerance(), c.mine) > L(0))) break;
      const L target = smaller(L(0), c.gap_before) * L(let_out ? 0.95 : 1);
      L pushed(0), pressure = dot(c.normal, c.impulse),
                   active = select(c.gap < target - c.rounding(), c.mine,
                                   let_out ? L(0) : only(pressure > L(0), c.was_closed));
      int i = 0;
      for (; i < 60; ++i) {
        const L held = let_out ? pushed : L(h * pressure), off = c.gap - target;
        active = only(select(held > L(0), number::abs(off), L(-off)) > c.rounding(), active);
        if (!any_lane(active > L(0))) break;
        const L by = only(active > L(0), larger(L(-held), L(-off / inverse)));
        const T way = only(active > L(0), L(by * inverse)) * c.normal;
        r += way;
        moved = true;
        if (let_out) {
          pushed += by;
        } else {
          const L share = by / h, mean = dot(c.normal, v - c.surface_velocity) + L(0.5) * share * inverse;
          v += (L(1) / h) * way;
          c.impulse += share * c.normal;
          c.push_impulse += share;
          works.correction += only(active > L(0), L(share * mean));
        }
        active = only(number::abs(by) * inverse > c.rounding(), active);  // no nearer than this
        c.look_again(on(c), r);
        pressure = dot(c.normal, c.impulse);
      }
      c.converged = c.converged && i < 60;
      c.iterations = std::max(c.iterations, i);
    }
    if (moved) {
      rod::store3<0>(chosen(c.mine, r, r0), x.configuration, c.first);
      rod::store3<0>(chosen(c.mine, v, v0), x.velocity, c.first);
    }
    if (!any_lane(only(c.gap <= c.tolerance(), c.mine) > L(0))) return;
    c.find_axes(x, surfaces_.inertia()[c.body]);
    c.u_before = c.velocity(v, rod::load3<3, L>(x.velocity, c.first));
  }

  [[gnu::noinline]] void finish(Contact& c, rod::Chain<S>& x, Works& works) const {
    const L closed = only(c.gap <= c.tolerance(), c.mine);
    if (!any_lane(closed > L(0))) return;
    const NodeAxes<L>& axes = c.axes;
    const T v = rod::load3<0, L>(x.velocity, c.first), w = rod::load3<3, L>(x.velocity, c.first);
    const AtContact u = c.velocity(v, w), before = axes.of(c.impulse), slip = axes.of(c.slip_before),
                    b = u - axes.G * before;  // by loads alone, and without any impulse
    const L lands = only(c.opening_before < L(S(-4) * w_.step) * number::abs(c.acceleration),
                         L(closed - only(closed > L(0), c.was_closed)));
    const L opening = only(lands > L(0), L(L(c.restitution) * c.opening_before));
    const auto solved = [&](const L& part) {
      return linalg::detail::central_impulse<L>(axes.G, {b.normal + part * opening, b.first, b.second},
                                                L(c.friction), slip.first, slip.second);
    };
    AtContact P = solved(L(1));
    if (any_lane(opening < L(0))) {  // as TouchingStep::limit_restitution
      const auto gain = [&](const AtContact& impulse) {
        const AtContact change = impulse - before, pushed{c.push_impulse, L(0), L(0)}, sum = change + pushed,
                        mean = u + half_of(axes.G * (change - pushed));
        return L(sum.normal * mean.normal + sum.first * mean.first + sum.second * mean.second);
      };
      const L much = only(opening < L(0), only(gain(P) > L(0), L(1)));
      if (any_lane(much > L(0))) {
        L low = L(1) - much, high(1);
        for (int k = 0; k < 24; ++k) {
          const L part = k == 23 ? low : L(L(0.5) * (low + high));
          P = solved(part);
          const auto too_much = gain(P) > L(0);
          high = select(too_much, part, high);
          low = select(too_much, low, part);
        }
      }
    }
    const AtContact change = only_at(closed, P - before);
    book(c, change, half_of(c.u_before + u + axes.G * change), works);
    const T kick = axes.inverse_mass * axes.vector(change),
            turn = scaled(axes.inverse_inertia, axes.torque(change));
    rod::store3<0>(chosen(closed, v + kick, v), x.velocity, c.first);
    rod::store3<3>(chosen(closed, w + turn, w), x.velocity, c.first);
  }

  const TouchingSurfaces<S>& surfaces_;
  TouchingWork<S>& w_;
};

}  // namespace dalembert::contact::detail
