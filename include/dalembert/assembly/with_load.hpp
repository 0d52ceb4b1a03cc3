#pragma once

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/detail/body_calls.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/tangents/linearised_body.hpp>
#include <dalembert/tangents/load_tangent.hpp>

/// A body under a load of your own: forces and torques on its nodes as a function of its frames, its
/// velocities and the time. Loads of rods that the library has are in rod/loads.hpp, internal damping in
/// rod/internal_damping.hpp.
namespace dalembert::assembly {

/// What a load says of body B.
///   add(body, chain, t, f)          adds forces (spatial, columns 0–2) and torques (in the frame of the
///                                   node, columns 3–5) of each node [N, N m]
/// and, if it wants to,
///   check(body)                     throws std::invalid_argument where it does not fit the body
///   potential(body, chain)          the potential energy of what has one of it [J]
///   power(body, chain, t)           the power of what has none [W]; without it, of all of a load that has
///                                   neither potential nor dissipation
///   dissipation(body, chain, t)     the power of what only damps, ≤ 0, which is not in `power` [W]
///   add_stiffness(body, chain, t, add)   add(k, l, −∂f_k/∂(δr_l, Σ_l)), as `StaticBody` says
///   add_damping(body, chain, t, add)     add(k, l, −∂f_k/∂(ṙ_l, ω_l))
///   frequency_bound(body, chain, ω) the bound ω of the body's angular frequencies, raised by what the load
///                                   does to it [rad/s]
///   depends_on_velocities = false   a static constant, which spares `verlet` to look for velocities at the
///                                   end of the step
/// Statics, small motions and bounds on frequencies take derivatives that are not told by differences of
/// `add`, to nine digits or so: telling them is quicker. Implicit methods leave them aside, and take more
/// steps of Newton's method to the same motion.
template <class L, class B>
concept LoadOn = ChainBody<B> && requires(const L& load, const B& body, const Chain<typename B::Scalar>& at,
                                          typename B::Scalar t, Columns<typename B::Scalar, 6>& f) {
  load.add(body, at, t, f);
};

namespace detail {

template <class L, class B, class S = typename B::Scalar>
[[nodiscard]] S potential_of_load(const L& load, const B& body, const Chain<S>& at) {
  if constexpr (requires { load.potential(body, at); }) return load.potential(body, at);
  return S(0);
}
template <class L, class B, class S = typename B::Scalar>
[[nodiscard]] S dissipation_of_load(const L& load, const B& body, const Chain<S>& at, S t) {
  if constexpr (requires { load.dissipation(body, at, t); }) return load.dissipation(body, at, t);
  return S(0);
}
template <class L, class B, class S = typename B::Scalar>
[[nodiscard]] S power_of_load(const L& load, const B& body, const Chain<S>& at, S t) {
  S power(0);
  constexpr bool stores = requires { load.potential(body, at); };
  constexpr bool damps = requires { load.dissipation(body, at, t); };
  if constexpr (requires { load.power(body, at, t); }) {
    power = load.power(body, at, t);
  } else if constexpr (!stores && !damps) {
    Columns<S, 6> own = rod::zero_columns<S, 6>(at.nodes);
    load.add(body, at, t, own);
    for (Eigen::Index k = 0; k < at.nodes; ++k)
      for (int i = 0; i < 6; ++i) power += own(k, i) * at.velocity(k, i);
  }
  return power;
}

}  // namespace detail

/// Several loads as one.
template <class... L>
class LoadSum {
 public:
  /// Whether one of them does.
  static constexpr bool depends_on_velocities = (detail::sees_velocities<L> || ...);

  /// Of these loads.
  explicit LoadSum(L... loads) : loads_(std::move(loads)...) {}

  /// The loads.
  [[nodiscard]] const std::tuple<L...>& loads() const noexcept { return loads_; }

  /// Throws what one of them throws that does not fit the body.
  template <class B>
  void check(const B& body) const {
    each([&](const auto& load) {
      if constexpr (requires { load.check(body); }) load.check(body);
    });
  }
  /// Adds the forces and torques of all of them.
  template <class B, class S = typename B::Scalar>
  void add(const B& body, const Chain<S>& at, S t, Columns<S, 6>& f) const {
    each([&](const auto& load) { load.add(body, at, t, f); });
  }
  /// The sum of what has a potential [J].
  template <class B, class S = typename B::Scalar>
  [[nodiscard]] S potential(const B& body, const Chain<S>& at) const {
    return sum<S>([&](const auto& load) { return detail::potential_of_load(load, body, at); });
  }
  /// The sum of what has none [W].
  template <class B, class S = typename B::Scalar>
  [[nodiscard]] S power(const B& body, const Chain<S>& at, S t) const {
    return sum<S>([&](const auto& load) { return detail::power_of_load(load, body, at, t); });
  }
  /// The sum of what only damps [W].
  template <class B, class S = typename B::Scalar>
  [[nodiscard]] S dissipation(const B& body, const Chain<S>& at, S t) const {
    return sum<S>([&](const auto& load) { return detail::dissipation_of_load(load, body, at, t); });
  }
  /// The stiffness of all of them.
  template <class B, class Add, class S = typename B::Scalar>
  void add_stiffness(const B& body, const Chain<S>& at, S t, Add&& add) const {
    detail::add_whole<detail::DerivativeBy::place>(*this, body, at, t, add);
  }
  /// The damping of all of them.
  template <class B, class Add, class S = typename B::Scalar>
  void add_damping(const B& body, const Chain<S>& at, S t, Add&& add) const {
    detail::add_whole<detail::DerivativeBy::velocity>(*this, body, at, t, add);
  }
  /// The bound ω of the body raised by all of them at the time 0 [rad/s].
  template <class B, class S = typename B::Scalar>
  [[nodiscard]] S frequency_bound(const B& body, const Chain<S>& at, S omega) const {
    return detail::FrequencyBounds<S>{omega, detail::damping_like_all(*this, body, at, S(0), omega)}.bound();
  }
  /// f(load) for each of them, also of sums among them.
  template <class F>
  void each_load(const F& f) const {
    each([&](const auto& load) { detail::each_load(load, f); });
  }

 private:
  template <class F>
  void each(F&& f) const {
    std::apply([&](const auto&... load) { (f(load), ...); }, loads_);
  }
  template <class S, class F>
  [[nodiscard]] S sum(const F& f) const {
    return std::apply([&](const auto&... load) { return (S(0) + ... + f(load)); }, loads_);
  }
  std::tuple<L...> loads_;
};

/// The body `B` and, besides what it has, the load `L`; all else it does as `B` does. Its bound on
/// frequencies is that of the body, raised by the stiffness and the damping of the load. In statics and small
/// motions the load is that of the state's time. `verlet` takes a load that depends on velocities at those
/// that the end of the step has to second order: it foresees them by the forces of its beginning. It keeps
/// its order, and the damping γ [1/s] of an oscillation of angular frequency ω, v̇ = −ω²q − γv, is
/// stable for steps h with h²ω² + 4hγ < 4.
template <ChainBody B, LoadOn<B> L>
class WithLoad : public B {
 public:
  using S = typename B::Scalar;  ///< the number type
  using OnePass = void;          ///< what B does in one pass would leave out the load
  /// Whether forces are those of velocities that `forces_and_kick` foresees.
  using ForeseesVelocities = std::conditional_t<detail::sees_velocities<L>, WithLoad, void>;

  /// This body under that load. Throws what the load's check throws, if it has one.
  WithLoad(B body, L load) : B(std::move(body)), load_(std::move(load)) {
    if constexpr (requires { load_.check(inner(*this)); }) load_.check(inner(*this));
  }

  /// The load.
  [[nodiscard]] const L& load() const noexcept { return load_; }

  /// Loads of a configuration at the time 0.
  bool forces(const Chain<S>& at, Columns<S, 6>& f) const { return forces(at, S(0), f); }
  /// Loads of a configuration at the time t [s]; false where they mean nothing.
  bool forces(const Chain<S>& at, S t, Columns<S, 6>& f) const {
    const bool sound = detail::forces_of(inner(*this), at, t, f);
    load_.add(inner(*this), at, t, f);
    return sound;
  }
  /// The same at the velocities that a kick by `f` as it is, the loads of the step's beginning, would give,
  /// and a kick by them for h [s].
  bool forces_and_kick(Chain<S>& at, S t, Columns<S, 6>& f, S h) const {
    thread_local std::vector<S> before;  // its room stays
    before.assign(at.velocity.data(), at.velocity.data() + at.velocity.size());
    B::kick(at, f, h);
    const bool sound = forces(at, t, f);
    std::copy(before.begin(), before.end(), at.velocity.data());
    B::kick(at, f, h);
    return sound;
  }

  /// At the time 0.
  template <class Add>
  friend void add_stiffness(const WithLoad& body, const Chain<S>& at, Add&& add) requires(StaticBody<B>) {
    add_stiffness(body, at, S(0), add);
  }
  /// Of the body and the load at the time t [s].
  template <class Add>
  friend void add_stiffness(const WithLoad& body, const Chain<S>& at, S t,
                            Add&& add) requires(StaticBody<B>) {
    detail::LinearisedBody<B>(inner(body), at, t).each_stiffness(add);
    detail::add_whole<detail::DerivativeBy::place>(body.load_, inner(body), at, t, add);
  }
  /// add(k, l, −∂f_k/∂(ṙ_l, ω_l)) of all loads at the time t [s].
  template <class Add>
  friend void add_damping(const WithLoad& body, const Chain<S>& at, S t, Add&& add) {
    detail::LinearisedBody<B>(inner(body), at, t).each_damping(add);
    detail::add_whole<detail::DerivativeBy::velocity>(body.load_, inner(body), at, t, add);
  }
  /// −∂f_k/∂(δr_l, Σ_l) of the load alone at the time t [s], as far as it tells them, for implicit
  /// steps.
  template <class Add>
  friend void add_load_stiffness(const WithLoad& body, const Chain<S>& at, S t, Add&& add) {
    detail::LinearisedBody<B>(inner(body), at, t).each_load_stiffness(add);
    detail::add_told<detail::DerivativeBy::place>(body.load_, inner(body), at, t, add);
  }
  /// −∂f_k/∂(ṙ_l, ω_l) of the load at the time t [s], as far as it tells them, for implicit steps.
  template <class Add>
  friend void add_load_damping(const WithLoad& body, const Chain<S>& at, S t, Add&& add) {
    detail::LinearisedBody<B>(inner(body), at, t).each_load_damping(add);
    detail::add_told<detail::DerivativeBy::velocity>(body.load_, inner(body), at, t, add);
  }
  /// What bounds frequencies, at the time t [s].
  friend detail::FrequencyBounds<S> frequency_parts(const WithLoad& body, const Chain<S>& at,
                                                    S t) requires(FrequencyBoundedBody<B>) {
    detail::FrequencyBounds<S> parts;
    if constexpr (requires { frequency_parts(inner(body), at, t); })
      parts = frequency_parts(inner(body), at, t);
    else
      parts.own = frequency_bound(inner(body), at);
    parts.damping += detail::damping_like_all(body.load_, inner(body), at, t, parts.own);
    return parts;
  }
  friend S frequency_bound(const WithLoad& body, const Chain<S>& at) requires(FrequencyBoundedBody<B>) {
    return frequency_bound(body, at, S(0));
  }
  /// Of the body and its loads at the time t [s].
  friend S frequency_bound(const WithLoad& body, const Chain<S>& at, S t) requires(FrequencyBoundedBody<B>) {
    return frequency_parts(body, at, t).bound();
  }
  /// Of the body and the load [J].
  friend S potential_energy(const WithLoad& body, const Chain<S>& at) {
    return potential_energy(inner(body), at) + detail::potential_of_load(body.load_, inner(body), at);
  }
  /// Of the body's loads and of what has no potential of the load at the time t [W]. It may allocate.
  friend S load_power(const WithLoad& body, const Chain<S>& at, const Columns<S, 6>& a,
                      const Columns<S, 6>& f, S t) {
    return detail::power_of_loads(inner(body), at, a, f, t) +
           detail::power_of_load(body.load_, inner(body), at, t);
  }
  /// The power of what only damps, besides ν, at the time t [W].
  friend S dissipated_power(const WithLoad& body, const Chain<S>& at, S t) {
    S power = detail::dissipation_of_load(body.load_, inner(body), at, t);
    if constexpr (requires { dissipated_power(inner(body), at, t); })
      power += dissipated_power(inner(body), at, t);
    return power;
  }

 private:
  [[nodiscard]] static const B& inner(const WithLoad& body) noexcept { return body; }
  L load_;
};

}  // namespace dalembert::assembly
