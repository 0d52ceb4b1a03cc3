#pragma once

#include <concepts>

#include <dalembert/rod/chain.hpp>

/// What a rod is, as a concept.
namespace dalembert::rod {

/// A structured assembler of one rod: loads, accelerations, kicks and drifts of its chain of nodes.
template <class R>
concept RodModel = requires(const R& rod, Chain<typename R::Scalar>& chain,
                            const Chain<typename R::Scalar>& at, Columns<typename R::Scalar, 6>& out,
                            const Columns<typename R::Scalar, 6>& loads, typename R::Scalar h) {
  typename R::Scalar;
  { rod.nodes() } -> std::convertible_to<Eigen::Index>;
  { rod.spacing() } -> std::convertible_to<typename R::Scalar>;
  // Loads of a configuration; false where an element turns too far.
  { rod.forces(at, out) } -> std::same_as<bool>;
  // Loads, time → accelerations; false where one is not finite.
  { rod.accelerations(at, loads, h, out) } -> std::same_as<bool>;
  rod.kick(chain, loads, h);
  rod.kick_drift(at, loads, h, h, h, chain);  // loads, kick, time, h
};

/// A body with the load of an `assembly::WithLoad`.
template <class B>
concept UnderLoad = requires(const B& body) {
  body.load();
};

}  // namespace dalembert::rod
