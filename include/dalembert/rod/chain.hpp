#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/rod/columns.hpp>

/// The state of one rod: a chain of frames (Λ, r) with their velocities, stored as a structure of arrays.
namespace dalembert::rod {

/// The frame of a node and how it moves.
template <class S = double>
struct NodeState {
  Vec<S, 3> position;          ///< r, spatial [m]
  SO3<S> rotation;             ///< Λ
  Vec<S, 3> velocity;          ///< ṙ, spatial [m/s]
  Vec<S, 3> angular_velocity;  ///< ω, body [rad/s]
};

/// Frames and velocities of the nodes 0…N of a rod.
///   configuration  columns r (spatial, 3) and the unit quaternion of Λ (w, x, y, z)     [m, 1]
///   velocity       columns ṙ (spatial, 3) and ω = vee(ΛᵀΛ̇) (body, 3)                   [m/s, rad/s]
/// The body twist (γ, ω) of a node, γ = Λᵀṙ, is `twist(k)`: the spatial ṙ is what a loop over nodes
/// adds up.
template <class S = double>
struct Chain {
  Columns<S, 7> configuration;  ///< r and the quaternion of Λ, a row per node
  Columns<S, 6> velocity;       ///< velocities, a row per node
  Eigen::Index nodes = 0;       ///< N + 1

  Chain() = default;
  /// A copy: they are made in many places, and are little code out of line.
  [[gnu::noinline]] Chain(const Chain&);
  /// A copy.
  [[gnu::noinline]] Chain& operator=(const Chain&);
  /// What another one had.
  Chain(Chain&&) noexcept = default;
  /// What another one had.
  Chain& operator=(Chain&&) noexcept = default;
  ~Chain() = default;
  /// `count` frames at the origin, at rest.
  explicit Chain(Eigen::Index count)
      : configuration(zero_columns<S, 7>(count)), velocity(zero_columns<S, 6>(count)), nodes(count) {
    std::fill_n(configuration.data() + 3 * configuration.rows(), configuration.rows(), S(1));
  }

  /// r_k, spatial [m].
  [[nodiscard]] Vec<S, 3> position(Eigen::Index k) const noexcept { return at3<0>(configuration, k); }
  /// Λ_k.
  [[nodiscard]] SO3<S> rotation(Eigen::Index k) const noexcept {
    return SO3<S>::from_unit_quaternion(configuration(k, 3), at3<4>(configuration, k));
  }
  /// ṙ_k, spatial [m/s].
  [[nodiscard]] Vec<S, 3> linear_velocity(Eigen::Index k) const noexcept { return at3<0>(velocity, k); }
  /// ω_k, body [rad/s].
  [[nodiscard]] Vec<S, 3> angular_velocity(Eigen::Index k) const noexcept { return at3<3>(velocity, k); }
  /// Node k, from 0 on.
  [[nodiscard]] NodeState<S> node(Eigen::Index k) const noexcept {
    return {position(k), rotation(k), linear_velocity(k), angular_velocity(k)};
  }
  /// The first node.
  [[nodiscard]] NodeState<S> root() const noexcept { return node(0); }
  /// The last node.
  [[nodiscard]] NodeState<S> tip() const noexcept { return node(nodes - 1); }
  /// Body twist (γ_k, ω_k) [m/s, rad/s].
  [[nodiscard]] Vec<S, 6> twist(Eigen::Index k) const noexcept {
    return dalembert::detail::stacked(rotation(k).inverse().act(linear_velocity(k)), angular_velocity(k));
  }

  /// The chain over T whose numbers are f of these.
  template <class T, class F>
  [[nodiscard]] Chain<T> mapped(const F& f) const {
    Chain<T> out(nodes);
    for (Eigen::Index k = 0; k < nodes; ++k) {
      for (int i = 0; i < 7; ++i) out.configuration(k, i) = f(configuration(k, i));
      for (int i = 0; i < 6; ++i) out.velocity(k, i) = f(velocity(k, i));
    }
    return out;
  }

  /// Put the frame of node k.
  void set_frame(Eigen::Index k, const SO3<S>& rotation, const Vec<S, 3>& position) noexcept {
    put3<0>(configuration, k, position);
    configuration(k, 3) = rotation.w();
    put3<4>(configuration, k, Vec<S, 3>(rotation.v()));
  }
  /// Put spatial ṙ and body ω of node k.
  void set_velocity(Eigen::Index k, const Vec<S, 3>& linear, const Vec<S, 3>& angular) noexcept {
    put3<0>(velocity, k, linear);
    put3<3>(velocity, k, angular);
  }
  /// Whether every number of every node is finite.
  [[nodiscard]] bool finite() const noexcept {
    bool finite = true;
    each([&](const S& x) { finite = finite && number::isfinite(x); });
    return finite;
  }
  /// Whether energies can be numbers: the sum of the squares of all positions and velocities is finite.
  [[nodiscard]] bool squares_are_finite() const noexcept {
    S total(0);
    each([&](const S& x) { total += x * x; });
    return number::isfinite(total);
  }
  /// Whether every quaternion has norm 1, to the root of the rounding unit.
  [[nodiscard]] bool unit() const noexcept {
    const S tolerance = number::sqrt(std::numeric_limits<S>::epsilon());
    for (Eigen::Index k = 0; k < nodes; ++k) {
      S square(0);
      for (int i = 3; i < 7; ++i) square += configuration(k, i) * configuration(k, i);
      if (!(number::abs(square - S(1)) <= tolerance)) return false;
    }
    return true;
  }

 private:
  /// f of every number of every node.
  template <class F>
  void each(F&& f) const {
    for (int i = 0; i < 13; ++i)
      for (Eigen::Index k = 0; k < nodes; ++k) f(i < 7 ? configuration(k, i) : velocity(k, i - 7));
  }
};

template <class S>
Chain<S>::Chain(const Chain&) = default;
template <class S>
Chain<S>& Chain<S>::operator=(const Chain&) = default;

namespace detail {

/// The frame halfway between nodes k and k + 1.
template <class S>
[[nodiscard, gnu::noinline]] SO3<S> middle_frame(const Chain<S>& chain, Eigen::Index k) {
  const SO3<S> first = chain.rotation(k), second = chain.rotation(k + 1);
  const Triple<S> v0(first.v()), v1(second.v());
  const S sign(first.w() * second.w() + dot(v0, v1) < S(0) ? -1 : 1);  // q and −q are one rotation
  return SO3<S>::from_quaternion(S(first.w() + sign * second.w()), Vec<S, 3>(v0 + sign * v1));
}

}  // namespace detail

/// f(x) for each number of columns that have a row per node, chain after chain and node after node, without
/// their padding.
template <class S, class F>
void visit_nodes(const std::vector<Chain<S>>& chains, std::vector<Columns<S, 6>>& columns, const F& f) {
  for (std::size_t c = 0; c < chains.size(); ++c)
    for (Eigen::Index k = 0; k < chains[c].nodes; ++k)
      for (int i = 0; i < 6; ++i) f(columns[c](k, i));
}

/// The numbers of chains for checkpoints (`io::save_checkpoint`), without the padding of their columns.
template <class S, class Visitor>
void visit_chains(std::vector<Chain<S>>& chains, Visitor&& visit) {
  visit.same("rods", static_cast<std::int64_t>(chains.size()));
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const std::string name = "rod" + std::to_string(i);
    visit.same(name + ".nodes", chains[i].nodes);
    visit(name + ".configuration", chains[i].configuration.topRows(chains[i].nodes));
    visit(name + ".velocity", chains[i].velocity.topRows(chains[i].nodes));
  }
}

}  // namespace dalembert::rod
