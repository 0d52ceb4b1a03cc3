#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/contact/detail/touch_geometry.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/detail/central_contact.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// Nodes of a rod at a plane, a cylinder or a sphere in space, a node in each lane. A node is the centre of a
/// ball of radius a, so that the arm of its contact is −aN; with tangents t₁, t₂ = N × t₁, which are
/// s₁, s₂ in the frame of the node, and the angular velocity ω there
///   u = (N·v, t₁·v − a s₂·ω, t₂·v + a s₁·ω) − (velocity of the surface)               (1)
namespace dalembert::contact::detail {

/// x where a condition holds, else 0: 1 and 0 stand for true and false in lanes.
template <class L, class Mask>
[[nodiscard]] inline L only(const Mask& condition, const L& x) noexcept {
  return select(condition, x, L(0));
}
/// The smaller and the larger number in each lane.
template <class L>
[[nodiscard]] inline L smaller(const L& a, const L& b) noexcept {
  return select(b < a, b, a);
}
template <class L>
[[nodiscard]] inline L larger(const L& a, const L& b) noexcept {
  return select(a < b, b, a);
}
/// Three numbers in every lane.
template <class L, class S>
[[nodiscard]] inline rod::Triple<L> in_lanes(const Vec<S, 3>& x) noexcept {
  return {L(x[0]), L(x[1]), L(x[2])};
}
/// The sum of the magnitudes of the components.
template <class L>
[[nodiscard]] inline L size_of(const rod::Triple<L>& x) noexcept {
  return number::abs(x.x) + number::abs(x.y) + number::abs(x.z);
}

/// Tangents, and equation (1) without surface.
template <class L>
struct NodeAxes {
  using T = rod::Triple<L>;
  using AtContact = linalg::detail::AtContact<L>;

  T n, t1, t2, s1, s2;  ///< the last two times a
  L inverse_mass;
  T inverse_inertia;
  linalg::detail::CentralResponse<L> G;

  /// (1) of these velocities, or of what changes them.
  [[nodiscard]] AtContact of(const T& linear, const T& angular) const noexcept {
    return {dot(n, linear), dot(t1, linear) - dot(s2, angular), dot(t2, linear) + dot(s1, angular)};
  }
  /// The components of a vector.
  [[nodiscard]] AtContact of(const T& x) const noexcept { return {dot(n, x), dot(t1, x), dot(t2, x)}; }
  /// The vector with these.
  [[nodiscard]] T vector(const AtContact& x) const noexcept {
    return x.normal * n + x.first * t1 + x.second * t2;
  }
  /// The body torque of a force with these.
  [[nodiscard]] T torque(const AtContact& x) const noexcept { return x.second * s1 - x.first * s2; }
};

/// Contacts of the nodes of a pack with one surface.
template <class S>
struct NodeContact {
  using L = rod::NodePack<S>;
  using T = rod::Triple<L>;
  using AtContact = linalg::detail::AtContact<L>;

  std::size_t body = 0, surface = 0;
  Eigen::Index first = 0;  ///< node in the first lane
  S radius{}, friction{}, restitution{};
  L mine;  ///< 1 in the lanes of contacts

  // In the configuration that was looked at last:
  T normal, surface_velocity;
  L gap, sizes;  ///< of the lengths that made the gap
  NodeAxes<L> axes;

  // Of the step, as in `Touch`:
  L was_closed, gap_before, opening_before, acceleration, push_impulse;
  T impulse, slip_before;
  AtContact u_before;
  int iterations = 0;  ///< of the position stage
  bool converged = true;

  /// Its lanes hold nothing yet: they are not cleared, which would take as long as a stage.
  NodeContact() noexcept {}  // NOLINT(modernize-use-equals-default): a defaulted one clears

  /// How large a gap is none, and its rounding.
  [[nodiscard]] L tolerance() const noexcept {
    return L(S(256) * std::numeric_limits<S>::epsilon()) * (sizes + L(radius));
  }
  [[nodiscard]] L rounding() const noexcept { return L(S(4) * std::numeric_limits<S>::epsilon()) * sizes; }
  /// The velocity (1) for v and ω of the nodes.
  [[nodiscard]] AtContact velocity(const T& v, const T& omega) const noexcept {
    return axes.of(v, omega) - axes.of(surface_velocity);
  }

  /// Where the contacts are for nodes at r.
  [[gnu::noinline]] void look(const TouchedSurface<S>& on, const T& r) noexcept {
    const T axis = in_lanes<L>(on.axis), d = r - in_lanes<L>(on.point);
    sizes = size_of(r) + L(radius + size_of(on.point) + on.radius);
    if (on.flat) {
      normal = axis;
      gap = dot(axis, d) - L(radius);
      surface_velocity = in_lanes<L>(on.velocity);
      return;
    }
    const T across = d - dot(axis, d) * axis;
    const L length = norm(across);
    gap = on.inside ? L(on.radius) - length - L(radius) : length - L(on.radius) - L(radius);
    normal = L(on.inside ? L(-1) / length : L(1) / length) * across;
    surface_velocity =
        in_lanes<L>(on.velocity) + cross(in_lanes<L>(on.angular_velocity), d - L(radius) * normal);
  }
  /// The same, and the impulse is turned with the normals.
  void look_again(const TouchedSurface<S>& on, const T& r) noexcept {
    const T before = normal;
    look(on, r);
    if (on.flat) return;
    const T axis = cross(before, normal);
    const L cosine = dot(before, normal);
    impulse = cosine * impulse + cross(axis, impulse) + L(dot(axis, impulse) / (L(1) + cosine)) * axis;
  }
  /// After `look`: the tangents, of which any will do, and G.
  [[gnu::noinline]] void find_axes(const rod::Chain<S>& x,
                                   const assembly::InertiaColumns<S>& inertia) noexcept {
    const L sign = select(normal.z < L(0), L(-1), L(1)), part = L(-1) / (sign + normal.z),
            both = normal.x * normal.y * part;
    axes.n = normal;
    axes.t1 = {L(1) + sign * normal.x * normal.x * part, sign * both, -sign * normal.x};
    axes.t2 = {both, sign + normal.y * normal.y * part, -normal.y};
    const auto q = rod::detail::load_quaternion<L>(x.configuration, first);
    axes.s1 = L(radius) * rod::detail::rotate_back(q.w, q.v, L(2), axes.t1);
    axes.s2 = L(radius) * rod::detail::rotate_back(q.w, q.v, L(2), axes.t2);
    axes.inverse_mass = rod::load<S, L>(inertia.inverse.data() + first);
    axes.inverse_inertia = rod::load3<3, L>(inertia.inverse, first);
    const T by_s1 = scaled(axes.inverse_inertia, axes.s1), by_s2 = scaled(axes.inverse_inertia, axes.s2);
    axes.G = {axes.inverse_mass, axes.inverse_mass + dot(axes.s2, by_s2),
              axes.inverse_mass + dot(axes.s1, by_s1), -dot(axes.s1, by_s2)};
  }
};

/// What a node near a surface does while its velocities stay: the rate of the normal, and of (1).
template <class S>
struct NodeContactRates {
  using L = rod::NodePack<S>;
  using T = rod::Triple<L>;

  T normal{L(0), L(0), L(0)}, bias{L(0), L(0), L(0)};

  /// After `NodeContact::look`, for velocities v and spatial angular velocities W; as find_rates_at_surface.
  [[gnu::noinline]] NodeContactRates(const NodeContact<S>& c, const TouchedSurface<S>& on, const T& v,
                                     const T& W) noexcept {
    if (on.flat) return;
    const L a(c.radius), distance = on.inside ? L(on.radius) - c.gap - a : c.gap + L(on.radius) + a;
    const T& n = c.normal;
    const T axis = in_lanes<L>(on.axis), across = v - dot(n, v) * n - dot(axis, v) * axis;
    normal = L((on.inside ? L(-1) : L(1)) / distance) * across;
    const T point_velocity = v - a * normal;
    bias = -cross(W, a * normal) -
           cross(in_lanes<L>(on.angular_velocity), point_velocity - in_lanes<L>(on.velocity));
  }
};

}  // namespace dalembert::contact::detail
