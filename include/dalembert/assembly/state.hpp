#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/rod/chain.hpp>

/// What is known of an assembly of bodies at one time, as a point of its phase space, and the linear space of the stages of a step.
namespace dalembert::assembly {

using rod::Chain;
using rod::Columns;

/// Time, configuration, velocity and internal coordinates of all bodies; nothing that was computed of them.
template <class S>
struct State {
  S time{};                      ///< [s]
  std::vector<Chain<S>> chains;  ///< frames and velocities of the nodes of each body
  Vec<S, Eigen::Dynamic> z;      ///< internal coordinates of the constraints, one after the other

  /// Whether the velocities of all nodes are finite; a force that is not finite shows there at once.
  [[nodiscard]] bool is_finite() const noexcept {
    S total{};
    for (const Chain<S>& chain : chains) total += rod::total(chain.velocity, chain.nodes);
    return std::isfinite(total);
  }
  /// Where its chains lie: what tells two states apart that have changed places.
  [[nodiscard]] const void* identity() const noexcept { return chains.data(); }
  /// Whether every number is finite.
  [[nodiscard]] bool is_finite_throughout() const noexcept {
    bool finite = std::isfinite(time);
    for (const Chain<S>& chain : chains) finite = finite && chain.finite();
    for (const S& x : z) finite = finite && std::isfinite(x);
    return finite;
  }
};

/// The numbers of a state, for checkpoints: the point of phase space is all that a run goes on from.
template <class S, class Visitor>
void visit_numbers(State<S>& state, Visitor&& visit) {
  visit("time", state.time);
  visit_chains(state.chains, visit);
  visit("z", state.z);
}

/// Displacements (spatial δr, body rotation vector), changes of velocities and internal coordinates, time; see `StageSpace`.
template <class S>
struct Increment {
  std::vector<Columns<S, 6>> displacement;  ///< δr (spatial) and rotation vector (body), a row per node
  std::vector<Columns<S, 6>> velocity;      ///< changes of velocities, a row per node
  Vec<S, Eigen::Dynamic> z;                 ///< changes of internal coordinates
  S time{};                                 ///< [s]

  /// All zero.
  void set_zero() noexcept {
    for (std::size_t i = 0; i < displacement.size(); ++i) {
      displacement[i].setZero();
      velocity[i].setZero();
    }
    z.setZero();
    time = S(0);
  }
  /// Add factor · k.
  void add_scaled(S factor, const Increment& k) noexcept {
    for (std::size_t i = 0; i < displacement.size(); ++i) {
      displacement[i] += factor * k.displacement[i];
      velocity[i] += factor * k.velocity[i];
    }
    z += factor * k.z;
    time += factor * k.time;
  }
  /// The largest magnitude of an entry but the time.
  [[nodiscard]] S norm() const noexcept {
    S largest = z.size() > 0 ? z.template lpNorm<Eigen::Infinity>() : S(0);
    for (std::size_t i = 0; i < displacement.size(); ++i)
      largest = std::max({largest, displacement[i].abs().maxCoeff(), velocity[i].abs().maxCoeff()});
    return largest;
  }
};

/// The numbers of an increment, one by one, without the padding of columns; see `NumberedProblem`.
template <class S, class Visitor>
void visit_increment(const State<S>& at, Increment<S>& u, Visitor&& visit) {
  rod::visit_nodes(at.chains, u.displacement, [&](S& x) { visit.position(x); });
  rod::visit_nodes(at.chains, u.velocity, [&](S& x) { visit.velocity(x); });
  for (S& x : u.z) visit.internal(x);
}
/// The numbers of rates, one by one.
template <class S, class Rates, class Visitor>
  requires requires(Rates& r) { r.xidot, r.zdot, r.lambda; }
void visit_rates(const State<S>& at, Rates& r, Visitor&& visit) {
  rod::visit_nodes(at.chains, r.xidot, [&](S& x) { visit.velocity(x); });
  for (S& x : r.zdot) visit.internal(x);
  for (S& x : r.lambda) visit.multiplier(x);
}

}  // namespace dalembert::assembly
