#pragma once

#include <string>
#include <vector>

#include <dalembert/contact/averaging.hpp>
#include <dalembert/core/number.hpp>

/// A marker on a rod that moves along it: the point of the centreline at the arc length s, averaged over the
/// nodes by a kernel, as in contact/kernel_average.hpp. Its s is an internal coordinate, which a tangency
/// says.
namespace dalembert::contact {

/// A point of rod `body`; see the head of this file.
template <class S = double, Kernel K = CubicSpline>
struct CurveMarker {
  static constexpr bool slides = true;  ///< one internal coordinate
  using L = Lane<S>;                    ///< lanes of nodes

  std::size_t body = 0;         ///< number of the body
  KernelAverage<S, K> average;  ///< the average over its nodes
  assembly::BodySetId set = 0;  ///< the bodies that it is of, if it was made of a handle

  /// On body number `body`, which is this rod, with a kernel of width ℓ [m]. Throws std::invalid_argument
  /// as `KernelAverage` does.
  template <class R>
  CurveMarker(std::size_t number, const R& rod, S kernel_width, K kernel = {})
      : body(number), average(kernel, kernel_width, rod.spacing(), rod.nodes()) {}
  /// On the body of a handle, which is this rod. Throws the same.
  template <class R>
  CurveMarker(const assembly::Handle<R>& handle, const R& rod, S kernel_width, K kernel = {})
      : body(handle.number), average(kernel, kernel_width, rod.spacing(), rod.nodes()), set(handle.set) {}

  /// Number of nodes that bear it.
  [[nodiscard]] Eigen::Index count() const noexcept { return average.window(); }
  /// Of the nodes of its rod [m].
  [[nodiscard]] S spacing() const noexcept { return average.spacing(); }
  /// As far as a position may move in one step of Newton's method [m].
  [[nodiscard]] S reach() const noexcept { return average.kernel_width(); }

  /// Throws std::invalid_argument for a body that is not there, or another rod.
  void check(const std::vector<Chain<S>>& chains, const std::string& what) const {
    require(body < chains.size(), what, "body of a marker", body,
            message({"there are ", chains.size(), " bodies"}));
    require(chains[body].nodes == average.nodes(), what, "nodes of a marker", average.nodes(),
            message({"body ", body, " has ", chains[body].nodes, " nodes"}));
  }

  /// Where it is for the arc length s [m], its nodes, and their weights α if there is room for them. Throws
  /// ContactAtEnd, NotFinite.
  void find(const std::vector<Chain<S>>& chains, S s, S time, Point<S>& p, assembly::Window& window,
            S* weights) const {
    AveragedPoint<S> point;
    average.put_place(chains[body], s, number::plain(time), static_cast<int>(body) + 1, point, weights);
    window.body = body;
    window.first = point.first;
    p.s = s;
    p.R = point.R;
    p.dR = point.dR;
    p.ddR = point.ddR;
  }
  /// How the nodes move.
  void find_velocity(const std::vector<Chain<S>>& chains, Point<S>& p) const {
    const AveragedVelocity<S> u = averaged_velocity(average, averaged(p), chains[body]);
    p.V = u.V;
    p.dV = u.dV;
    p.W = u.W;
    p.dW = u.dW;
  }
  /// The derivatives of these weights by s, α′ [1/m].
  void bear_slopes(const Point<S>& p, S* slopes) const {
    const AveragedPoint<S> point = averaged(p);
    average.each_pack(
        point, [&](Eigen::Index k, const Weights<L>& a) { rod::store(a.first, slopes + (k - point.first)); });
  }

  /// Its window, with R and its slopes, for passes over the nodes.
  [[nodiscard]] AveragedPoint<S> averaged(const Point<S>& p) const {
    AveragedPoint<S> point;
    average.place(p.s, 0, static_cast<int>(body) + 1, point);
    average.normalise(point);
    point.R = p.R;
    point.dR = p.dR;
    point.ddR = p.ddR;
    return point;
  }

  /// Its velocity is that of the centreline.
  [[nodiscard]] bool beside_node() const noexcept { return false; }
  /// The largest length that its position is a sum of, beside those of its middle: how far its nodes are from
  /// there [m].
  [[nodiscard]] S extent(const Point<S>&) const noexcept { return reach(); }
  /// It is on the centreline [m].
  [[nodiscard]] Vec<S, 3> arm(const Point<S>&) const noexcept { return {S(0), S(0), S(0)}; }
  /// The rate of what is seen of it at this time while it stays on its material point.
  [[nodiscard]] FrameChange<S> moved(const Point<S>& p) const { return {p.V, p.dV}; }
  /// How what is seen of it changes with its arc length.
  [[nodiscard]] FrameChange<S> slid(const Point<S>& p) const { return {p.dR, p.ddR}; }
  /// How what is seen of it changes while the nodes keep their velocities and it moves at `rate` = ṡ [m/s].
  [[nodiscard]] FrameRates<S> passing(const Point<S>& p, S rate) const {
    return {Triple<S>(p.V) + rate * Triple<S>(p.dR), rate * Triple<S>(p.dV), rate * Triple<S>(p.dW)};
  }
  /// What is seen of it.
  template <class T>
  [[nodiscard]] FrameState<T> seen(const assembly::PointState<T>& x) const {
    return {x.R, x.dR, x.rotation, x.V, x.W};
  }
};

}  // namespace dalembert::contact
