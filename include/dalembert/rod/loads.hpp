#pragma once

#include <algorithm>
#include <concepts>
#include <utility>

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/node_loads.hpp>
#include <dalembert/rod/load.hpp>

/// Loads on a rod, anywhere along it, for `assembly::WithLoad`:
///   assembly::WithLoad{rod, rod::PointLoad{0.3, rod::EndLoad<double>{.force = {0, 0, -2}}}}
///   assembly::WithLoad{rod, rod::DistributedLoad{[](double s, double t) { return rod::EndLoad<>{…}; }}}
///   assembly::WithLoad{rod, assembly::LoadSum{one, another}}
/// are a force at s = 0.3 m, one of place and time, per metre, and several.
/// A load is an `EndLoad`, whose forces and moments are dead (spatial) or follow the section (body), or a
/// function that gives one. With the weight w_k of node k, the force on it is w_k (F + Λ_k F_b) and the
/// torque w_k (M_b + Λ_kᵀM). A load at s acts on the two nodes beside it, w = 1 − x and x where s
/// divides their distance as x to 1 − x; a distributed one on all nodes, w = h, at both ends h/2. Dead
/// forces that do not depend on the time have the potential −Σ w_k F·r_k; the power of all else is booked
/// as that of a load.
namespace dalembert::rod {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_load_not_finite(const char* what, double s,
                                                                         double time) {
  throw NotFinite(message({"NotFinite: the ", what, " at s = ", s, " m is not finite"}), time);
}

/// A load, or what a function gives.
template <class S, class F, class... X>
[[nodiscard]] EndLoad<S> load_of(const F& f, const X&... x) {
  if constexpr (std::same_as<F, EndLoad<S>>)
    return f;
  else
    return f(x...);
}

/// What loads on nodes have in common. `Own` gives them by each(body, t, visit), which calls visit(node,
/// weight, EndLoad).
template <class Own, class S, bool constant>
class LoadOnNodes {
 public:
  static constexpr bool depends_on_velocities = false;  ///< it does not

  /// Adds forces and torques [N, N m]. Throws NotFinite.
  template <class B>
  void add(const B& body, const Chain<S>& at, S t, Columns<S, 6>& f) const {
    own().each(body, t, [&](Eigen::Index k, const S& weight, const EndLoad<S>& load) {
      const NodeForces<S> n = in_frames(load, at.rotation(k));
      add_forces(weight * n.force, weight * n.torque, f, k);
    });
  }
  /// That of the dead forces, zero at the origin [J].
  template <class B>
  [[nodiscard]] S potential(const B& body, const Chain<S>& at) const requires(constant) {
    S sum(0);
    own().each(body, S(0), [&](Eigen::Index k, const S& weight, const EndLoad<S>& load) {
      sum -= weight * dalembert::detail::inner(load.force, at.position(k));
    });
    return sum;
  }
  /// That of all that has no potential [W].
  template <class B>
  [[nodiscard]] S power(const B& body, const Chain<S>& at, S t) const {
    S sum(0);
    own().each(body, t, [&](Eigen::Index k, const S& weight, const EndLoad<S>& load) {
      const Vec<S, 3> v = at.linear_velocity(k);
      S power = power_of(load, at.rotation(k), v, at.angular_velocity(k));
      if constexpr (!constant) power += dalembert::detail::inner(v, load.force);
      sum += weight * power;
    });
    return sum;
  }
  /// −∂f/∂Σ.
  template <class B, class Add>
  void add_stiffness(const B& body, const Chain<S>& at, S t, Add&& add) const {
    own().each(body, t, [&](Eigen::Index k, const S& weight, const EndLoad<S>& load) {
      add(k, k, stiffness_of(load, at.rotation(k), weight));
    });
  }

 private:
  [[nodiscard]] const Own& own() const noexcept { return static_cast<const Own&>(*this); }
};

}  // namespace detail

/// A load at one place of a rod: an `EndLoad` [N, N m], or a function of the time t [s] that gives one.
template <class S, class F>
class PointLoad : public detail::LoadOnNodes<PointLoad<S, F>, S, std::same_as<F, EndLoad<S>>> {
 public:
  /// At the arc length s from the start of the rod [m].
  PointLoad(S s, F load) : s_(s), load_(std::move(load)) {}

  /// Throws std::invalid_argument unless s lies on the rod.
  template <class B>
  void check(const B& body) const {
    const S end = body.spacing() * S(body.elements());
    const S slack = S(1e-6) * end;  // an end is an end in spite of round-off
    require(s_ >= -slack && s_ <= end + slack, "PointLoad", "s", s_,
            message({"it must lie on the rod, which is ", end, " m long [m]"}));
  }

  /// visit(node, weight, load) for the nodes beside s. Throws NotFinite for a load that is not finite at t.
  template <class B, class Visit>
  void each(const B& body, S t, const Visit& visit) const {
    const EndLoad<S> load = detail::load_of<S>(load_, t);
    if (!load.finite()) [[unlikely]]
      detail::throw_load_not_finite("PointLoad", number::plain(s_), number::plain(t));
    const S along = s_ / body.spacing();
    const auto k =
        std::clamp<Eigen::Index>(static_cast<Eigen::Index>(number::plain(along)), 0, body.elements() - 1);
    const S x = along - S(k);
    visit(k, S(S(1) - x), load);
    visit(k + 1, x, load);
  }

 private:
  S s_;
  F load_;
};

/// A load along a rod, per unit of its rest length: an `EndLoad` [N/m, N], or a function of the arc length s
/// [m] and the time t [s] that gives one.
template <class S, class F>
class DistributedLoad : public detail::LoadOnNodes<DistributedLoad<S, F>, S, std::same_as<F, EndLoad<S>>> {
 public:
  /// Of this density.
  explicit DistributedLoad(F load) : load_(std::move(load)) {}

  /// visit(node, weight, load) for all nodes. Throws NotFinite for a load that is not finite at some s and t.
  template <class B, class Visit>
  void each(const B& body, S t, const Visit& visit) const {
    const S h = body.spacing();
    const Eigen::Index last = body.elements();
    for (Eigen::Index k = 0; k <= last; ++k) {
      const S s = h * S(k);
      const EndLoad<S> load = detail::load_of<S>(load_, s, t);
      if (!load.finite()) [[unlikely]]
        detail::throw_load_not_finite("DistributedLoad", number::plain(s), number::plain(t));
      visit(k, k == 0 || k == last ? S(h / S(2)) : h, load);
    }
  }

 private:
  F load_;
};

/// A load that does not change.
template <class S>
DistributedLoad(EndLoad<S>) -> DistributedLoad<S, EndLoad<S>>;
/// A function of the arc length and the time, in double precision.
template <class F>
DistributedLoad(F) -> DistributedLoad<double, F>;

}  // namespace dalembert::rod
