#pragma once

#include <concepts>
#include <utility>

#include <dalembert/assembly/body.hpp>
#include <dalembert/rod/columns.hpp>

/// A body under a load of your own: forces and torques on its nodes as a function of its frames, its velocities and the time.
namespace dalembert::assembly {

/// What a load says of body B.
///   add(body, chain, t, f)          adds forces (spatial, columns 0–2) and torques (in the frame of the node, columns 3–5) of each node [N, N m]
///   potential(body, chain)          its potential energy [J], if it has one; else its power is booked as that of a load
template <class L, class B>
concept LoadOn = ChainBody<B> && requires(const L& load, const B& body, const Chain<typename B::Scalar>& at,
                                          typename B::Scalar t, Columns<typename B::Scalar, 6>& f) {
  load.add(body, at, t, f);
};

/// The body `B` and, besides what it has, the load `L`; all else it does as `B` does. Its bound on frequencies is that of the body, which holds where it
/// is stiff beside the load. In statics the load is that of the state's time, and its stiffness is not in the tangent: Newton's method then
/// takes more steps to the same equilibrium. `verlet` takes a load at the velocities half a step back, and is of first order for loads that depend
/// on them; Runge–Kutta methods keep their order.
template <ChainBody B, LoadOn<B> L>
class Loaded : public B {
 public:
  using S = typename B::Scalar;  ///< the number type

  /// This body under that load.
  Loaded(B body, L load) : B(std::move(body)), load_(std::move(load)) {}

  /// The load.
  [[nodiscard]] const L& load() const noexcept { return load_; }

  using B::forces;
  /// Loads of a configuration at the time t [s]; false where they mean nothing.
  bool forces(const Chain<S>& at, S t, Columns<S, 6>& f) const {
    const bool sound = B::forces(at, f);
    load_.add(inner(*this), at, t, f);
    return sound;
  }

  friend S kinetic_energy(const Loaded& body, const Chain<S>& at) { return kinetic_energy(inner(body), at); }
  friend NodeInertia<S> node_inertia(const Loaded& body, Eigen::Index k) {
    return node_inertia(inner(body), k);
  }
  friend void hold(const Loaded& body, Chain<S>& chain, S t) { hold(inner(body), chain, t); }
  friend S damping_rate(const Loaded& body) { return damping_rate(inner(body)); }
  friend bool moves_by_itself(const Loaded& body) { return moves_by_itself(inner(body)); }
  template <class Add>
  friend void add_stiffness(const Loaded& body, const Chain<S>& at, Add&& add) requires(StaticBody<B>) {
    add_stiffness(inner(body), at, std::forward<Add>(add));
  }
  friend S frequency_bound(const Loaded& body, const Chain<S>& at) requires(FrequencyBoundedBody<B>) {
    return frequency_bound(inner(body), at);
  }
  friend S load_power(const Loaded& body, const Chain<S>& at, const Columns<S, 6>& a,
                      const Columns<S, 6>& f) {
    return load_power(inner(body), at, a, f);
  }
  /// Of the body and the load [J].
  friend S potential_energy(const Loaded& body, const Chain<S>& at) {
    S energy = potential_energy(inner(body), at);
    if constexpr (has_potential) energy += body.load_.potential(inner(body), at);
    return energy;
  }
  /// Of the body's loads and, where it has no potential, of the load at the time t [W]. Allocates.
  friend S load_power(const Loaded& body, const Chain<S>& at, const Columns<S, 6>& a, const Columns<S, 6>& f,
                      S t) {
    S power = load_power(inner(body), at, a, f);
    if constexpr (!has_potential) {
      Columns<S, 6> own = rod::zero_columns<S, 6>(at.nodes);
      body.load_.add(inner(body), at, t, own);
      for (Eigen::Index k = 0; k < at.nodes; ++k)
        for (int i = 0; i < 6; ++i) power += own(k, i) * at.velocity(k, i);
    }
    return power;
  }

 private:
  [[nodiscard]] static const B& inner(const Loaded& body) noexcept { return body; }
  static constexpr bool has_potential = requires(const L& load, const B& body, const Chain<S>& at) {
    { load.potential(body, at) } -> std::convertible_to<S>;
  };
  L load_;
};

}  // namespace dalembert::assembly
