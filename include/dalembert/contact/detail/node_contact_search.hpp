#pragma once

#include <cstddef>

#include <dalembert/contact/detail/largest_of_nodes.hpp>
#include <dalembert/contact/detail/node_contact.hpp>
#include <dalembert/contact/detail/touching_surfaces.hpp>
#include <dalembert/contact/detail/touching_work.hpp>
#include <dalembert/core/number.hpp>

/// Which nodes of rods are near a plane, a cylinder or a sphere in space, in packs.
namespace dalembert::contact::detail {

/// Finds the contacts of nodes that share nothing with others.
template <class S>
class NodeContactSearch {
 public:
  using Contact = NodeContact<S>;
  using L = typename Contact::L;
  using T = typename Contact::T;
  using State = assembly::State<S>;

  NodeContactSearch(const TouchingSurfaces<S>& surfaces, TouchingWork<S>& w) noexcept
      : surfaces_(surfaces), w_(w) {}

  /// What is near in a step of h from x. Nodes that are near two surfaces, that share a touch which was found
  /// before, or whose masses differ by direction, become touches.
  void find(const State& x, S h) {
    if (surfaces_.rods().empty()) return;
    w_.mark_shared(true);
    for (const RodNodes<S>& rod : surfaces_.rods())
      for (Eigen::Index k = 0; k < rod.nodes; k += rod::lane_width<S>) find_of_pack(rod, k, x, h, w_.way);
    w_.mark_shared(false);
  }

 private:
  [[gnu::noinline]] void find_of_pack(const RodNodes<S>& rod, Eigen::Index k, const State& x, S h, S way) {
    const rod::Chain<S>& chain = x.chains[rod.body];
    const T r = rod::load3<0, L>(chain.configuration, k);
    const L there = only(rod::lane_index<L>(k) < L(static_cast<S>(rod.nodes)), L(1)), a(rod.radius);
    auto& all = w_.node_contacts;
    const std::size_t before = all.size();
    L count(0);
    for (std::size_t s = 0; s < surfaces_.surfaces().size(); ++s) {
      const TouchedSurface<S>& on = surfaces_.surfaces()[s];
      if (on.borne) continue;
      const T axis = in_lanes<L>(on.axis), d = r - in_lanes<L>(on.point);
      const L along = dot(axis, d);
      L gap = along - a;
      if (!on.flat) {
        const L length = norm(T(d - along * axis));
        gap = on.inside ? L(on.radius) - length - a : length - L(on.radius) - a;
      }
      const L near = only(gap <= L(S(0.05) * rod.radius + way), there);
      if (!any_lane(near > L(0))) continue;
      if (!surfaces_.begin(law_, rod.first_ball, static_cast<std::ptrdiff_t>(s))) continue;
      Contact& c = all.emplace_back();
      c.body = rod.body;
      c.surface = s;
      c.first = k;
      c.radius = rod.radius;
      c.friction = law_.friction;
      c.restitution = law_.restitution;
      const bool bulk = !on.flat && !on.inside;  // which could be passed through: a touch refuses that
      const L fast =
          bulk && way > rod.radius + on.radius ? too_fast(chain, k, h, rod.radius + on.radius, near) : L(0);
      c.mine = near;
      count += near + fast;
    }
    if (all.size() == before) return;
    const L alone = alone_of(rod, k, count);
    std::size_t kept = before;
    for (std::size_t i = before; i < all.size(); ++i) {
      Contact& c = all[i];
      for (int lane = 0; lane < rod::lane_width<S>; ++lane)
        if (number_in(c.mine, lane) > S(0) && !(number_in(alone, lane) > S(0))) {
          Touch<S> t;
          surfaces_.add_near({rod.first_ball + static_cast<std::size_t>(k + lane),
                              static_cast<std::ptrdiff_t>(c.surface), way},
                             x, h, w_, t);
        }
      c.mine = c.mine * alone;
      if (!any_lane(c.mine > L(0))) continue;
      if (kept != i) all[kept] = c;
      start(all[kept++], r);
    }
    all.resize(kept);
  }
  /// Which of these nodes go by more than half of this in a step.
  [[nodiscard]] static L too_fast(const rod::Chain<S>& chain, Eigen::Index k, S h, S both, const L& near) {
    return only(L(h) * norm(rod::load3<0, L>(chain.velocity, k)) > L(S(0.5) * both), near);
  }
  [[nodiscard]] static S number_in(const L& x, int lane) noexcept {
    if constexpr (PackReal<L>) return x[lane];
    if constexpr (!PackReal<L>) return x;
  }
  /// Where nodes that are near `count` surfaces can be done here.
  [[nodiscard]] L alone_of(const RodNodes<S>& rod, Eigen::Index k, const L& count) const {
    const T m = rod::load3<0, L>(surfaces_.inertia()[rod.body].inverse, k);
    const L least = smaller(m.x, smaller(m.y, m.z)), most = larger(m.x, larger(m.y, m.z));
    L alone = only(count < L(1.5), only(least > L(0), only(most <= least, L(1))));
    if (w_.touches.empty() && w_.constraint_room.group.empty()) return alone;
    for (int lane = 0; lane < rod::lane_width<S> && k + lane < rod.nodes; ++lane)
      if (w_.is_shared(rod.first + static_cast<std::size_t>(k + lane))) {
        if constexpr (PackReal<L>) alone.set(lane, S(0));
        if constexpr (!PackReal<L>) alone = S(0);
      }
    return alone;
  }
  void start(Contact& c, const T& r) const {
    c.look(surfaces_.surfaces()[c.surface], r);
    c.gap_before = c.gap;
    c.was_closed = only(c.gap <= c.tolerance(), c.mine);
    c.impulse = c.slip_before = T{L(0), L(0), L(0)};
    c.iterations = 0;
    c.converged = true;
  }

  const TouchingSurfaces<S>& surfaces_;
  TouchingWork<S>& w_;
  Touch<S> law_{};
};

}  // namespace dalembert::contact::detail
