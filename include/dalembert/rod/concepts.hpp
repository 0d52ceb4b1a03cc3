#pragma once

#include <concepts>
#include <vector>

#include <dalembert/problem/concepts.hpp>
#include <dalembert/rod/chain.hpp>

/// What rods are made of, as concepts: the assembler of a single rod, and what couples several rods into one problem.
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

/// What couples rods: internal coordinates, constraint loads, projections. `Uncoupled` is the trivial one.
template <class C, class R>
concept Coupling = requires(const C& coupling, const std::vector<R>& rods,
                            std::vector<Chain<typename R::Scalar>>& chains, typename C::Internal& internal,
                            const typename C::Internal& at, typename R::Scalar t,
                            std::vector<Columns<typename R::Scalar, 6>>& loads) {
  typename C::Multiplier;
  typename C::InternalRate;  // a vector of internal_size numbers
  { C::internal_size } -> std::convertible_to<int>;
  { C::row_count } -> std::convertible_to<int>;
  coupling.check_rods(rods);          // throws std::invalid_argument for rods that it was not made for
  coupling.check_internal(rods, at);  // throws std::invalid_argument for internals that do not fit the rods
  coupling.solve_algebraic(rods, chains, internal, t);
  { coupling.add_forces(rods, chains, at, t, loads) } -> std::same_as<typename C::Multiplier>;
  { coupling.project_position(rods, chains, internal, t, t) } -> std::same_as<Projection<typename R::Scalar>>;
  { coupling.project_velocity(rods, chains, internal) } -> std::same_as<Projection<typename R::Scalar>>;
  { coupling.violation(chains, at, t) } -> std::same_as<Violation<typename R::Scalar>>;
};

/// How much the equations of a coupling's internal coordinates and its rows are violated.
template <class C, class R>
using CouplingResidual = Vec<typename R::Scalar, C::internal_size + C::row_count>;

/// A coupling that also takes multipliers and rates as given, for residuals.
template <class C, class R>
concept ResidualCoupling = Coupling<C, R> &&
    requires(const C& coupling, const std::vector<Chain<typename R::Scalar>>& chains,
             const typename C::Internal& at, const typename C::Multiplier& multiplier,
             const typename C::InternalRate& rate,
             const std::vector<Columns<typename R::Scalar, 6>>& acceleration,
             std::vector<Columns<typename R::Scalar, 6>>& loads) {
  coupling.add_loads(chains, at, multiplier, loads);
  { coupling.residual(chains, at, acceleration, rate) } -> std::convertible_to<CouplingResidual<C, R>>;
};

/// No coupling: rods that do not know of each other.
template <class S>
struct Uncoupled {
  /// Nothing to remember.
  struct Internal {};
  /// Nothing to answer.
  struct Multiplier {};
  using InternalRate = Vec<S, 0>;          ///< rates of the internal coordinates
  static constexpr int internal_size = 0;  ///< internal coordinates
  static constexpr int row_count = 0;      ///< constraint rows

  /// Any rods will do.
  template <class R>
  void check_rods(const std::vector<R>&) const noexcept {}
  /// Nothing that could fail to fit.
  template <class R>
  void check_internal(const std::vector<R>&, const Internal&) const noexcept {}
  /// Nothing to solve for.
  template <class R>
  void solve_algebraic(const std::vector<R>&, const std::vector<Chain<S>>&, Internal&, S) const noexcept {}
  /// No forces.
  template <class R>
  Multiplier add_forces(const std::vector<R>&, const std::vector<Chain<S>>&, const Internal&, S,
                        std::vector<Columns<S, 6>>&) const noexcept {
    return {};
  }
  /// No loads.
  void add_loads(const std::vector<Chain<S>>&, const Internal&, const Multiplier&,
                 std::vector<Columns<S, 6>>&) const noexcept {}
  /// No rows.
  [[nodiscard]] Vec<S, 0> residual(const std::vector<Chain<S>>&, const Internal&,
                                   const std::vector<Columns<S, 6>>&, const InternalRate&) const noexcept {
    return {};
  }
  /// Nothing to project.
  template <class R>
  Projection<S> project_position(const std::vector<R>&, std::vector<Chain<S>>&, Internal&, S,
                                 S) const noexcept {
    return {};
  }
  /// Nothing to project.
  template <class R>
  Projection<S> project_velocity(const std::vector<R>&, std::vector<Chain<S>>&, Internal&) const noexcept {
    return {};
  }
  /// No violation.
  [[nodiscard]] Violation<S> violation(const std::vector<Chain<S>>&, const Internal&, S) const noexcept {
    return {};
  }
  /// No rates.
  [[nodiscard]] static InternalRate internal_rate(const Multiplier&) noexcept { return {}; }
  /// Nothing to advance.
  static void advance_internal(Internal&, const InternalRate&) noexcept {}
  /// Nothing to note.
  static void record_rate(Internal&, const Multiplier&) noexcept {}
  /// No power [W].
  [[nodiscard]] static S constraint_power(const std::vector<Chain<S>>&, const Internal&,
                                          const Multiplier&) noexcept {
    return S(0);
  }
};

}  // namespace dalembert::rod
