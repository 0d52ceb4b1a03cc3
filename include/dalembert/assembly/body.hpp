#pragma once

#include <concepts>
#include <functional>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/problem/concepts.hpp>

/// What an assembly is made of: a `Body` is a chain of nodes whose inertia is diagonal node by node, the
/// translation along spatial and the rotation about body axes. A rod is a body, and so is a rigid body, whose
/// chain has one node. A string is a line of nodes that have one number each.
namespace dalembert::assembly {

/// The inertia of one node. A degree of freedom that is held has the inverse 0.
template <class S = double>
struct NodeInertia {
  /// 1/m three times (spatial), 1/J₁, 1/J₂, 1/J₃ (body) [1/kg, 1/(kg m²)]
  Vec<S, 6> inverse = dalembert::detail::zeros<S, 6>();
  Vec<S, 3> rotary = dalembert::detail::zeros<S, 3>();  ///< J₁, J₂, J₃, held or not [kg m²]
};

namespace detail {

/// add(k, l, K_kl) takes a block of derivatives by what node l does.
template <class S>
using AddBlock = std::function<void(Index, Index, const Mat<S, 6, 6>&)>;

/// Loads, kicks and drifts of nodes in this state, of as many numbers as loads, and the energies that they
/// change.
template <class B, class State, class Numbers>
concept BodyOfNodes = requires(const B& body, State& moved, const State& at, Numbers& out,
                               const Numbers& given, typename B::Scalar h) {
  typename B::Scalar;
  { body.nodes() } -> std::convertible_to<Eigen::Index>;
  // loads of a configuration, or forces(at, t, out), of one at a time; false where they mean nothing
  { body.forces(at, out) } -> std::same_as<bool>;
  { body.accelerations(at, given, h, out) } -> std::same_as<bool>;  // loads, time; false where not finite
  body.kick(moved, given, h);                                       // v += h M⁻¹ loads
  body.kick_drift(at, given, h, h, h, moved);                       // loads, kick, time, h
  hold(body, moved, h);                                             // held ends put in place at the time
  {
    damping_rate(body)
    } -> std::convertible_to<typename B::Scalar>;         // ν [1/s]: every velocity falls at this rate
  { has_prescribed_motion(body) } -> std::same_as<bool>;  // of some node
  { kinetic_energy(body, at) } -> std::convertible_to<typename B::Scalar>;    // [J]
  { potential_energy(body, at) } -> std::convertible_to<typename B::Scalar>;  // [J]
  {
    load_power(body, at, given, given)
    } -> std::convertible_to<typename B::Scalar>;  // accelerations, loads [W]
};

}  // namespace detail

/// A chain of nodes.
template <class B>
concept ChainBody = detail::BodyOfNodes<B, Chain<typename B::Scalar>, Columns<typename B::Scalar, 6>> &&
    requires(const B& body, Eigen::Index k) {
  { node_inertia(body, k) } -> std::same_as<NodeInertia<typename B::Scalar>>;
};

/// A string, whose nodes have one number each.
template <class B>
concept LineBody =
    detail::BodyOfNodes<B, Line<typename B::Scalar>, Vec<typename B::Scalar, Eigen::Dynamic>> &&
    requires(const B& body, Eigen::Index k) {
  { inverse_mass(body, k) } -> std::convertible_to<typename B::Scalar>;  // 1/m, 0 where held [1/kg]
};

/// Whether a body does several parts of a step in one pass: it says so by the type OnePass, which is its own.
/// A body derived from it, which may have other forces, does not unless it says so again.
template <class B>
concept OnePassBody = requires {
  requires std::same_as<typename B::OnePass, B>;
};

/// A string that takes a step of Verlet's method in one sweep over its nodes, and needs no forces for it but
/// where constraints bear on it: it has the same motion as one that is kicked, drifts and is kicked again.
template <class B>
concept SweptBody = LineBody<B> && OnePassBody<B> &&
    requires(const B& body, Line<typename B::Scalar>& line, const Line<typename B::Scalar>& at,
             Vec<typename B::Scalar, Eigen::Dynamic>& out, const typename B::Scalar* weights,
             typename B::Scalar h, Eigen::Index k) {
  body.step(at, h, line);                       // from `at`, by its own forces
  body.add_impulse(weights, k, k, h, h, line);  // first node, number of nodes, impulse, step
  body.forces(at, k, k, out);                   // own forces on some nodes
};

/// A chain that takes a whole step of Verlet's method in one sweep over its nodes, where no constraint needs
/// the configuration in between: it has the same motion as one that is kicked, drifts, and is kicked again by
/// the loads there.
template <class B>
concept SweptChain = ChainBody<B> && OnePassBody<B> &&
    requires(const B& body, Chain<typename B::Scalar>& chain, const Chain<typename B::Scalar>& at,
             Columns<typename B::Scalar, 6>& loads, typename B::Scalar h) {
  // loads of `at`, then of the end; time, step; false where these mean nothing
  { body.step(at, loads, h, h, chain) } -> std::same_as<bool>;
};

/// What an assembly is made of.
template <class B>
concept Body = ChainBody<B> || LineBody<B>;

/// A body that can be in statics too: add_stiffness(body, chain, add) calls add(k, l, K_kl) with blocks K_kl
/// = −∂f_k/∂(δr_l, Σ_l) of its loads f, which are summed; positions vary in space, rotations as Λ
/// exp(Σ̂), both six rows and columns of a node as its loads are. Where loads depend on the time,
/// add_stiffness(body, chain, t, add) is called in its place; where they depend on velocities,
/// add_damping(body, chain, t, add) gives D_kl = −∂f_k/∂(ṙ_l, ω_l), without the damping ν.
template <class B>
concept StaticBody = ChainBody<B> &&
    requires(const B& body, const Chain<typename B::Scalar>& at,
             void (*add)(Eigen::Index, Eigen::Index, const Mat<typename B::Scalar, 6, 6>&)) {
  add_stiffness(body, at, add);
};

/// A body that bounds the angular frequencies of its small motions [rad/s], whatever holds it;
/// frequency_bound(body, at, t) is asked instead where it has that, too.
template <class B>
concept FrequencyBoundedBody = Body<B> &&(
    requires(const B& body, const Chain<typename B::Scalar>& at) {
      { frequency_bound(body, at) } -> std::convertible_to<typename B::Scalar>;
    } ||
    requires(const B& body, const Line<typename B::Scalar>& at) {
      { frequency_bound(body, at) } -> std::convertible_to<typename B::Scalar>;
    });

}  // namespace dalembert::assembly
