#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <dalembert/core/real.hpp>

/// What is known of linear rods at one time, and the linear space of the stages of a step: columns of six numbers a node, node after node and rod
/// after rod.
namespace test::linear {

using namespace dalembert;

/// A point of phase space.
template <class S>
struct LinearState {
  S time{};  ///< [s]
  Vec<S, Eigen::Dynamic>
      phi;  ///< displacements and turns of the sections, in the frames of the straight rods [m, rad]
  Vec<S, Eigen::Dynamic> xi;  ///< their rates φ̇ [m/s, rad/s]

  /// Whether the velocities are finite; a force that is not finite shows there at once.
  [[nodiscard]] bool is_finite() const noexcept { return std::isfinite(xi.sum()); }
  /// Where its numbers lie: what tells two states apart that have changed places.
  [[nodiscard]] const void* identity() const noexcept { return phi.data(); }
  /// Whether every number is finite.
  [[nodiscard]] bool is_finite_throughout() const noexcept {
    bool finite = std::isfinite(time);
    for (const auto* part : {&phi, &xi})
      for (const S& x : *part) finite = finite && std::isfinite(x);
    return finite;
  }
};

/// The numbers of a state, for checkpoints.
template <class S, class Visitor>
void visit_numbers(LinearState<S>& state, Visitor&& visit) {
  visit("time", state.time);
  visit.same("numbers", static_cast<std::int64_t>(state.phi.size()));
  visit("phi", state.phi);
  visit("xi", state.xi);
}

/// Changes of a state; see `StageSpace`.
template <class S>
struct LinearIncrement {
  Vec<S, Eigen::Dynamic> phi;  ///< [m, rad]
  Vec<S, Eigen::Dynamic> xi;   ///< [m/s, rad/s]
  S time{};                    ///< [s]

  /// All zero.
  void set_zero() noexcept {
    phi.setZero();
    xi.setZero();
    time = S(0);
  }
  /// Add factor · k.
  void add_scaled(S factor, const LinearIncrement& k) noexcept {
    phi += factor * k.phi;
    xi += factor * k.xi;
    time += factor * k.time;
  }
  /// The largest magnitude of a number but the time.
  [[nodiscard]] S norm() const noexcept {
    return std::max(phi.template lpNorm<Eigen::Infinity>(), xi.template lpNorm<Eigen::Infinity>());
  }
};

/// φ̈, λ and room to work.
template <class S>
struct LinearRates {
  Vec<S, Eigen::Dynamic> xidot;   ///< φ̈ of all nodes [m/s², rad/s²]
  Vec<S, Eigen::Dynamic> zdot;    ///< of internal coordinates: none
  Vec<S, Eigen::Dynamic> lambda;  ///< three numbers a contact, in the frame of its first rod [N]
  Vec<S, Eigen::Dynamic> loads;   ///< with the contact forces [N, N m]
};

/// Loads on the nodes, the multipliers once they have been added, and room to work.
template <class S>
struct LinearLoads {
  Vec<S, Eigen::Dynamic> forces;  ///< [N, N m]
  Vec<S, Eigen::Dynamic> lambda;  ///< as in `LinearRates` [N]
  Vec<S, Eigen::Dynamic> room;    ///< a number per row
  Vec<S, Eigen::Dynamic> normal;  ///< a number per contact
};

/// The numbers of an increment, one by one; see `NumberedProblem`.
template <class S, class Visitor>
void visit_increment(const LinearState<S>&, LinearIncrement<S>& u, Visitor&& visit) {
  for (S& x : u.phi) visit.position(x);
  for (S& x : u.xi) visit.velocity(x);
}
/// The numbers of rates, one by one.
template <class S, class Visitor>
void visit_rates(const LinearState<S>&, LinearRates<S>& r, Visitor&& visit) {
  for (S& x : r.xidot) visit.velocity(x);
  for (S& x : r.lambda) visit.multiplier(x);
}

}  // namespace test::linear
