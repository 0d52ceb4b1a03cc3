#pragma once

#include <cstddef>

#include <dalembert/assembly/state.hpp>
#include <dalembert/contact/detail/touch.hpp>
#include <dalembert/contact/touching.hpp>

/// Where a ball touches a ball, a plane, a cylinder or a sphere, and how that changes. With the centre c of
/// the ball of radius a, its arm y = Λp − aN from the node, and N from what it touches,
///   u = v + W × y − (that of the other side),  u̇ = W × ẏ − …,  ẏ = W × Λp − aṄ (1)
/// while the nodes keep their velocities. Where the surface is borne, Ṅ is seen from its body.
namespace dalembert::contact::detail {

/// A ball of a node.
template <class S>
struct NodeBall {
  std::size_t body = 0, all = 0;  ///< its body, and its node among those of all bodies
  Eigen::Index node = 0;
  Vec<S, 3> offset = Vec<S, 3>::Zero();
  S radius{};
  bool of_rod = false;
};

/// The nodes of a rod, each the centre of a ball; of the numbers those of the first.
template <class S>
struct RodNodes {
  std::size_t body = 0, first_ball = 0, first = 0;
  Eigen::Index nodes = 0;
  S radius{};
};

/// The node of a body that meets others, as a chain of one, and how fast its balls may be.
template <class S>
struct MovingPoint {
  static constexpr Eigen::Index nodes = 1;
  Vec<S, 3> at;
  S speed;

  [[nodiscard]] const Vec<S, 3>& position(Eigen::Index) const noexcept { return at; }
};

/// A plane, a cylinder or a sphere; in space, or borne by a node.
template <class S>
struct TouchedSurface {
  bool flat = true, inside = false;
  S radius{};
  Vec<S, 3> point = Vec<S, 3>::Zero(), axis = Vec<S, 3>::Zero();  ///< the axis of a plane is its normal
  Vec<S, 3> velocity = Vec<S, 3>::Zero(), angular_velocity = Vec<S, 3>::Zero();
  bool borne = false;
  std::size_t body = 0, all = TouchSide<S>::none;
  Eigen::Index node = 0;
  TouchingSurface name{};
};

/// Put a side on a node.
template <class S>
void put_side(TouchSide<S>& side, std::size_t body, Eigen::Index node, std::size_t all) {
  side.window = assembly::detail::one_node(body, node);
  side.all = all;
}
/// A vector of the frame of the node of a side, spatial.
template <class S>
[[nodiscard]] Vec<S, 3> turned(const TouchSide<S>& side, const Vec<S, 3>& v, const assembly::State<S>& x) {
  return x.chains[side.window.body].rotation(side.window.first).act(v);
}
/// How fast the node goes that bears a surface, and the surface about it.
template <class S>
[[nodiscard]] S speed_of_bearer(const TouchedSurface<S>& on, const assembly::State<S>& x) {
  const rod::Chain<S>& chain = x.chains[on.body];
  const S arm = on.point.norm() + on.radius;
  return chain.linear_velocity(on.node).norm() + arm * chain.angular_velocity(on.node).norm();
}
/// The velocities of the nodes of a side, spatial.
template <class S>
[[nodiscard]] std::pair<Vec<S, 3>, Vec<S, 3>> motion_of(const TouchSide<S>& side,
                                                        const assembly::State<S>& x) {
  if (!side.there()) return {Vec<S, 3>::Zero(), Vec<S, 3>::Zero()};
  const auto& chain = x.chains[side.window.body];
  return {chain.linear_velocity(side.window.first),
          turned(side, Vec<S, 3>(chain.angular_velocity(side.window.first)), x)};
}
/// The normal, and two tangents.
template <class S>
void put_frame(Touch<S>& t, const Vec<S, 3>& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (number::abs(n[i]) < number::abs(n[least])) least = i;
  Vec<S, 3> axis = Vec<S, 3>::Zero();
  axis[least] = S(1);
  const Vec<S, 3> t1 = n.cross(axis).normalized(), t2 = n.cross(t1);
  for (int i = 0; i < 3; ++i) {
    t.frame(0, i) = n[i];
    t.frame(1, i) = t1[i];
    t.frame(2, i) = t2[i];
  }
}
/// The sum of the magnitudes of its components.
template <class S>
[[nodiscard]] S size_of(const Vec<S, 3>& x) {
  return number::abs(x[0]) + number::abs(x[1]) + number::abs(x[2]);
}

/// A ball at a ball.
template <class S>
void look_at_ball(Touch<S>& t, const NodeBall<S>& ball, const NodeBall<S>& against,
                  const assembly::State<S>& x) {
  using V = Vec<S, 3>;
  put_side(t.sides[0], ball.body, ball.node, ball.all);
  put_side(t.sides[1], against.body, against.node, against.all);
  const V r = x.chains[ball.body].position(ball.node), out = turned(t.sides[0], ball.offset, x);
  const V r2 = x.chains[against.body].position(against.node), out2 = turned(t.sides[1], against.offset, x);
  const V centre = r + out, centre2 = r2 + out2, d = centre - centre2;
  const S length = d.norm();
  const V n = d / length;
  t.radius = ball.radius;
  t.gap = length - (ball.radius + against.radius);
  t.sizes = size_of(r) + size_of(ball.offset) + ball.radius + size_of(r2) + size_of(against.offset) +
            against.radius;
  t.surface = V::Zero();
  t.sides[0].arm = out - ball.radius * n;
  t.sides[1].arm = out2 + against.radius * n;
  t.point = r + t.sides[0].arm;
  put_frame(t, n);
}
/// Ṅ and the bias of (1) there.
template <class S>
void find_rates_at_ball(Touch<S>& t, const NodeBall<S>& ball, const NodeBall<S>& against,
                        const assembly::State<S>& x) {
  using V = Vec<S, 3>;
  const V n = t.normal();
  const auto [v, w] = motion_of(t.sides[0], x);
  const auto [v2, w2] = motion_of(t.sides[1], x);
  const V turning = w.cross(V(t.sides[0].arm + ball.radius * n));  // of the centres about their nodes
  const V turning2 = w2.cross(V(t.sides[1].arm - against.radius * n));
  const V velocity = v + turning, velocity2 = v2 + turning2, relative = velocity - velocity2;
  const V across = relative - n.dot(relative) * n;
  t.normal_rate = across / (t.gap + ball.radius + against.radius);
  t.bias = w.cross(V(turning - ball.radius * t.normal_rate)) -
           w2.cross(V(turning2 + against.radius * t.normal_rate));
}

/// A ball at a surface.
template <class S>
void look_at_surface(Touch<S>& t, const NodeBall<S>& ball, const TouchedSurface<S>& on,
                     const assembly::State<S>& x) {
  using V = Vec<S, 3>;
  put_side(t.sides[0], ball.body, ball.node, ball.all);
  const V r = x.chains[ball.body].position(ball.node), out = turned(t.sides[0], ball.offset, x);
  const V centre = r + out;
  t.radius = ball.radius;
  t.sizes = size_of(r) + size_of(ball.offset) + ball.radius + size_of(on.point) + on.radius;
  V point = on.point, axis = on.axis, origin = V::Zero();
  if (on.borne) {
    put_side(t.sides[1], on.body, on.node, on.all);
    origin = x.chains[on.body].position(on.node);
    point = origin + turned(t.sides[1], point, x);
    axis = turned(t.sides[1], axis, x);
    t.sizes += size_of(origin);
  } else {
    t.sides[1].all = TouchSide<S>::none;
  }
  const V d = centre - point;
  V n;
  if (on.flat) {
    n = axis;
    t.gap = axis.dot(d) - ball.radius;
    t.surface = on.velocity;
  } else {
    const V across = d - axis.dot(d) * axis;
    const S length = across.norm();
    n = across / (on.inside ? S(-length) : length);
    t.gap = on.inside ? on.radius - length - ball.radius : length - on.radius - ball.radius;
    t.surface = on.velocity + on.angular_velocity.cross(V(d - ball.radius * n));
  }
  t.point = centre - ball.radius * n;
  t.sides[0].arm = out - ball.radius * n;
  t.sides[1].arm = t.point - origin;
  put_frame(t, n);
}
/// Ṅ and the bias of (1) there.
template <class S>
void find_rates_at_surface(Touch<S>& t, const NodeBall<S>& ball, const TouchedSurface<S>& on,
                           const assembly::State<S>& x) {
  using V = Vec<S, 3>;
  const V n = t.normal();
  const auto [v, w] = motion_of(t.sides[0], x);
  const auto [v2, w2] = motion_of(t.sides[1], x);
  const V turning = w.cross(V(t.sides[0].arm + ball.radius * n)), centre_velocity = v + turning;
  t.normal_rate = w2.cross(n);
  if (!on.flat) {  // seen from what bears the surface
    const V axis = on.borne ? turned(t.sides[1], on.axis, x) : on.axis;
    const V velocity2 = v2 + w2.cross(V(t.sides[1].arm + ball.radius * n));
    const V relative = centre_velocity - velocity2;
    const S distance = on.inside ? on.radius - t.gap - ball.radius : t.gap + on.radius + ball.radius;
    V across = relative - n.dot(relative) * n;
    across -= axis.dot(relative) * axis;
    t.normal_rate += across / (on.inside ? S(-distance) : distance);
  }
  const V point_velocity = centre_velocity - ball.radius * t.normal_rate;
  const V of_surface =
      w2.cross(V(point_velocity - v2)) + on.angular_velocity.cross(V(point_velocity - on.velocity));
  t.bias = w.cross(V(turning - ball.radius * t.normal_rate)) - of_surface;
}

}  // namespace dalembert::contact::detail
