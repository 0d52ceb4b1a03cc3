#pragma once

#include <string>
#include <vector>

#include <dalembert/contact/lanes.hpp>
#include <dalembert/core/number.hpp>

/// A marker on a straight axis that moves along it: the point o + s e, 0 ≤ s ≤ L, of a line that is fixed
/// to a node of a body, or in space. It is to a rigid rod or cylinder what `CurveMarker` is to an elastic
/// one: where it is, s, is an internal coordinate, which a tangency says. Its material moves as that of the
/// node's body does there, V = ṙ + W × (Λ(o + s e)).
namespace dalembert::contact {

/// See the head of this file. While its node keeps its velocities V̇ = W × (W × Λ(o + s e)) + ṡ W ×
/// Λe.
template <class S = double>
struct AxisMarker {
  static constexpr bool slides = true;  ///< one internal coordinate
  using Frame = FrameMarker<S>;         ///< where it lies in the frame of its node

  static constexpr bool one_node = true;  ///< of weight 1

  std::size_t body = Frame::space;       ///< number of the body
  Eigen::Index node = 0;                 ///< number of the node
  Vec<S, 3> origin = Vec<S, 3>::Zero();  ///< o, in the frame of the node, or in space [m]
  Vec<S, 3> axis = Vec<S, 3>::UnitZ();   ///< e, a unit vector there
  S length{};                            ///< L [m]
  assembly::BodySetId set = 0;           ///< the bodies that it is of, if it was made of a handle

  /// An axis that is fixed in space.
  [[nodiscard]] static AxisMarker in_space(const Vec<S, 3>& origin, const Vec<S, 3>& axis, S length) {
    return {Frame::space, 0, origin, axis, length};
  }

  /// Number of nodes that bear it.
  [[nodiscard]] Eigen::Index count() const noexcept { return frame().count(); }
  /// As far as a position may move in one step of Newton's method [m].
  [[nodiscard]] S reach() const noexcept { return length; }
  /// Throws std::invalid_argument for a body or node that is not there, an axis that is no unit vector, and a
  /// length that is not positive.
  void check(const std::vector<Chain<S>>& chains, const std::string& what) const {
    frame().check(chains, what);
    const S norm = axis.norm();
    require(number::abs(norm - S(1)) < S(1e-6), what, "length of the vector along the axis of a marker", norm,
            "it must be a unit vector");
    require(length > S(0) && number::isfinite(length), what, "length of the axis of a marker", length,
            "a length must be positive and finite [m]");
  }

  /// Where it is for the distance s along the axis [m]. Throws ContactAtEnd beyond the ends, NotFinite.
  void find(const std::vector<Chain<S>>& chains, S s, S time, Point<S>& p, assembly::Window& window,
            S* weights) const {
    if (!(s >= S(0) && s <= length)) throw_at_end(s, time);
    p.s = s;
    frame().find(chains, s, time, p, window, weights);
    if (!frame().on_body()) p.R = Vec<S, 3>::Zero();
    p.dR = p.rotation.act(axis);
    p.R += arm(p);
  }
  /// How its material moves.
  void find_velocity(const std::vector<Chain<S>>& chains, Point<S>& p) const {
    frame().find_velocity(chains, p);
    p.V += p.W.cross(arm(p));
    p.dV = p.W.cross(p.dR);
  }

  /// Its velocity takes a part of the node's spin.
  [[nodiscard]] bool beside_node() const noexcept { return frame().on_body(); }
  /// The largest length that its position is a sum of, beside those of nodes [m].
  [[nodiscard]] S extent(const Point<S>& p) const { return frame().extent(p) + number::abs(p.s); }
  /// From the node to it, spatial [m].
  [[nodiscard]] Vec<S, 3> arm(const Point<S>& p) const {
    return p.rotation.act(Vec<S, 3>(origin + p.s * axis));
  }
  /// How what is seen of it changes while its node keeps its velocities and it moves at `rate` = ṡ [m/s].
  [[nodiscard]] FrameRates<S> passing(const Point<S>& p, S rate) const {
    const Vec<S, 3> turning = p.W.cross(p.W.cross(arm(p)));
    return {p.V + rate * p.dR, turning + rate * p.dV, Vec<S, 3>(S(0), S(0), S(0))};
  }
  /// How it moves while it stands still on its axis.
  [[nodiscard]] FrameChange<S> moved(const Point<S>& p) const { return {p.V, p.dV}; }
  /// How it moves along its axis, by s.
  [[nodiscard]] FrameChange<S> slid(const Point<S>& p) const { return {p.dR, Vec<S, 3>(S(0), S(0), S(0))}; }
  /// What is seen of it.
  template <class T>
  [[nodiscard]] FrameState<T> seen(const assembly::PointState<T>& x) const {
    return {x.R, x.dR, x.rotation, x.V, x.W};
  }

 private:
  [[nodiscard]] Frame frame() const noexcept { return {body, node, origin}; }
  [[noreturn, gnu::cold, gnu::noinline]] void throw_at_end(S s, S time) const {
    if (!number::isfinite(s))
      throw NotFinite(message({"NotFinite: the position of a contact along an axis is ", s, " m"}),
                      number::plain(time));
    throw ContactAtEnd(
        message({"ContactAtEnd: a contact leaves an axis of length ", length, " m, s = ", s, " m"}),
        number::plain(time));
  }
};

}  // namespace dalembert::contact
