#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/handle.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// What is known of an assembly of bodies at one time, as a point of its phase space, and the linear space of
/// the stages of a step.
namespace dalembert::assembly {

using rod::Chain;
using rod::Columns;

/// The nodes of a string, which move along one direction.
template <class S = double>
struct Line {
  Vec<S, Eigen::Dynamic> displacement;  ///< u, a number per node [m]
  Vec<S, Eigen::Dynamic> velocity;      ///< u_t, a number per node [m/s]

  /// Whether every number is finite.
  [[nodiscard]] bool finite() const noexcept {
    S total{};
    for (const S& x : displacement) total += S(0) * x;
    for (const S& x : velocity) total += S(0) * x;
    return total == S(0);
  }
};

namespace detail {

using Eigen::Index;
/// Numbers, as many as there are rows, unknowns or places.
template <class S>
using Column = Vec<S, Eigen::Dynamic>;

/// The lines of a state, or of numbers for all nodes, or the chains.
template <bool lines, class X>
[[nodiscard]] auto& chains_or_lines(X& x) noexcept {
  if constexpr (lines)
    return x.lines;
  else
    return x.chains;
}

}  // namespace detail

/// Numbers for each node of all bodies: six for a node of a chain, one for a node of a line. A body has a
/// chain or a line; what it has not is empty, and where no body is a line there are none.
template <class S = double>
struct NodeNumbers {
  std::vector<Columns<S, 6>> chains;          ///< of the nodes of chains, a row per node
  std::vector<Vec<S, Eigen::Dynamic>> lines;  ///< of the nodes of lines

  /// Those of the chain of body i.
  [[nodiscard]] Columns<S, 6>& operator[](std::size_t i) noexcept { return chains[i]; }
  /// The same.
  [[nodiscard]] const Columns<S, 6>& operator[](std::size_t i) const noexcept { return chains[i]; }
  /// Those of a body, of the nodes of its chain or of its line. Throws std::invalid_argument for a handle of
  /// a body that is not there; whether it is of the same set of bodies is not known here.
  template <class B>
  [[nodiscard]] auto& operator[](const Handle<B>& body) {
    return of(*this, body);
  }
  /// The same.
  template <class B>
  [[nodiscard]] const auto& operator[](const Handle<B>& body) const {
    return of(*this, body);
  }
  /// Number of bodies.
  [[nodiscard]] std::size_t size() const noexcept { return chains.size(); }
  [[nodiscard]] auto begin() noexcept { return chains.begin(); }        ///< of the chains
  [[nodiscard]] auto begin() const noexcept { return chains.begin(); }  ///< of the chains
  [[nodiscard]] auto end() noexcept { return chains.end(); }            ///< of the chains
  [[nodiscard]] auto end() const noexcept { return chains.end(); }      ///< of the chains

  /// All zero.
  void set_zero() noexcept {
    for (auto& x : chains) x.setZero();
    for (auto& x : lines) x.setZero();
  }
  /// Add factor · other.
  void add_scaled(S factor, const NodeNumbers& other) noexcept {
    for (std::size_t i = 0; i < chains.size(); ++i) chains[i] += factor * other.chains[i];
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i] += factor * other.lines[i];
  }
  /// The largest magnitude.
  [[nodiscard]] S norm() const noexcept {
    S most(0);
    for (const auto& x : chains)
      if (x.size() > 0) most = std::max(most, S(x.abs().maxCoeff()));
    for (const auto& x : lines)
      if (x.size() > 0) most = std::max(most, S(x.template lpNorm<Eigen::Infinity>()));
    return most;
  }

 private:
  template <class Self, class B>
  [[nodiscard]] static auto& of(Self& x, const Handle<B>& body) {
    auto& bodies = detail::chains_or_lines<Handle<B>::on_line>(x);
    require(body.number < bodies.size(), "NodeNumbers", "handle", body.number,
            "it must be of the bodies that the numbers are of");
    return bodies[body.number];
  }
};

/// f(x) for each number of the nodes, without padding.
template <class S, class F>
void visit_nodes(const std::vector<Chain<S>>& chains, NodeNumbers<S>& numbers, const F& f) {
  rod::visit_nodes(chains, numbers.chains, f);
  for (auto& line : numbers.lines)
    for (S& x : line) f(x);
}

/// Time, configuration, velocity and internal coordinates of all bodies; nothing that was computed of them.
template <class S = double>
struct State {
  S time{};                      ///< [s]
  std::vector<Chain<S>> chains;  ///< frames and velocities of the nodes of each body
  Vec<S, Eigen::Dynamic> z;      ///< internal coordinates of the constraints, one after the other
  std::vector<Line<S>> lines{};  ///< of each body, empty for those that are chains; none where all are
  BodySetId set = 0;             ///< the bodies that it is of, if they are told by handles

  State() = default;
  /// Of chains, at a time, and what else there is.
  State(S t, std::vector<Chain<S>> all, Vec<S, Eigen::Dynamic> internal = {},
        std::vector<Line<S>> strings = {})
      : time(t), chains(std::move(all)), z(std::move(internal)), lines(std::move(strings)) {}
  [[gnu::noinline]] State(const State&);             ///< a copy, as those of chains out of line
  [[gnu::noinline]] State& operator=(const State&);  ///< a copy
  State(State&&) noexcept = default;                 ///< what another one had
  State& operator=(State&&) noexcept = default;      ///< what another one had
  [[gnu::noinline]] ~State();

  /// The chain of body i.
  [[nodiscard]] Chain<S>& operator[](std::size_t i) noexcept { return chains[i]; }
  /// The same.
  [[nodiscard]] const Chain<S>& operator[](std::size_t i) const noexcept { return chains[i]; }
  /// The chain of a body, or the line of a string. Throws std::invalid_argument for a handle of other bodies.
  template <class B>
  [[nodiscard]] auto& operator[](const Handle<B>& body) {
    return of(*this, body);
  }
  /// The same.
  template <class B>
  [[nodiscard]] const auto& operator[](const Handle<B>& body) const {
    return of(*this, body);
  }

  /// Whether the velocities of all nodes are finite; a force that is not finite shows there at once.
  [[nodiscard]] bool is_finite() const noexcept;
  /// The state over T whose numbers are f of these.
  template <class T, class F>
  [[nodiscard]] State<T> mapped(const F& f) const {
    const auto column = [&f](const Vec<S, Eigen::Dynamic>& x) {
      return Vec<T, Eigen::Dynamic>(x.unaryExpr([&f](const S& one) { return T(f(one)); }));
    };
    State<T> out;
    out.time = f(time);
    for (const Chain<S>& chain : chains)  // a string has a chain without numbers
      out.chains.push_back(chain.nodes > 0 ? chain.template mapped<T>(f) : Chain<T>{});
    out.z = column(z);
    for (const Line<S>& line : lines) out.lines.push_back({column(line.displacement), column(line.velocity)});
    out.set = set;
    return out;
  }
  /// Where its chains lie: what tells two states apart that have changed places.
  [[nodiscard]] const void* identity() const noexcept { return chains.data(); }
  /// Whether every number is finite.
  [[nodiscard]] bool is_finite_throughout() const noexcept;

 private:
  template <class Self, class B>
  [[nodiscard]] static auto& of(Self& x, const Handle<B>& body) {
    require(body.number < x.chains.size() && may_be_same(body.set, x.set), "State", "handle", body.number,
            "it must be of the bodies that the state is of");
    return detail::chains_or_lines<Handle<B>::on_line>(x)[body.number];
  }
};

/// A body, and the frames and velocities of its nodes at the start: the chain of a rod or rigid body, or the
/// line of a string.
template <class S = double>
struct Start {
  std::size_t number = 0;  ///< of the body
  BodySetId set = 0;       ///< that its handle is of
  Chain<S> chain{};        ///< of a rod or rigid body
  Line<S> line{};          ///< of a string

  /// From a handle.
  template <class B>
  Start(const Handle<B>& body, Chain<S> at) : number(body.number), set(body.set), chain(std::move(at)) {}
  /// The same of a string.
  template <class B>
  Start(const Handle<B>& body, Line<S> at) : number(body.number), set(body.set), line(std::move(at)) {}
};

/// The numbers of a state, for checkpoints: the point of phase space is all that a run goes on from.
template <class S, class Visitor>
void visit_numbers(State<S>& state, Visitor&& visit) {
  visit("time", state.time);
  visit_chains(state.chains, visit);
  visit("z", state.z);
  for (std::size_t i = 0; i < state.lines.size(); ++i) {
    const std::string name = "line" + std::to_string(i);
    visit(name + ".displacement", state.lines[i].displacement);
    visit(name + ".velocity", state.lines[i].velocity);
  }
}

/// Displacements (spatial δr, body rotation vector), changes of velocities and internal coordinates, time;
/// see `StageSpace`.
template <class S = double>
struct Increment {
  NodeNumbers<S> displacement;  ///< δr (spatial) and rotation vector (body), or δu
  NodeNumbers<S> velocity;      ///< changes of velocities
  Vec<S, Eigen::Dynamic> z;     ///< changes of internal coordinates
  S time{};                     ///< [s]

  /// All zero.
  void set_zero() noexcept {
    displacement.set_zero();
    velocity.set_zero();
    z.setZero();
    time = S(0);
  }
  /// Add factor · k.
  void add_scaled(S factor, const Increment& k) noexcept {
    displacement.add_scaled(factor, k.displacement);
    velocity.add_scaled(factor, k.velocity);
    z += factor * k.z;
    time += factor * k.time;
  }
  /// The largest magnitude of an entry but the time.
  [[nodiscard]] S norm() const noexcept {
    const S largest = z.size() > 0 ? z.template lpNorm<Eigen::Infinity>() : S(0);
    return std::max({largest, displacement.norm(), velocity.norm()});
  }
};

/// The increment u with from ⊕ u = to: δr, log(Λ_fromᵀ Λ_to) and changes of velocities node by node,
/// the change of z, and that of time. Allocates. Both states must be of one assembly; std::invalid_argument
/// if their sizes differ.
template <class S>
[[nodiscard]] Increment<S> difference(const State<S>& from, const State<S>& to) {
  require(from.chains.size() == to.chains.size() && from.z.size() == to.z.size() &&
              from.lines.size() == to.lines.size(),
          "difference", "chains", to.chains.size(), "both states must be of one assembly");
  Increment<S> u;
  for (std::size_t i = 0; i < from.chains.size(); ++i) {
    const Chain<S>&a = from.chains[i], &b = to.chains[i];
    require(a.nodes == b.nodes, "difference", "nodes", b.nodes, "both states must be of one assembly");
    auto& moved = u.displacement.chains.emplace_back(a.nodes > 0 ? rod::zero_columns<S, 6>(a.nodes)
                                                                 : Columns<S, 6>(0, 6));
    for (Eigen::Index k = 0; k < a.nodes; ++k) {
      rod::put3<0>(moved, k, Vec<S, 3>(b.position(k) - a.position(k)));
      rod::put3<3>(moved, k, Vec<S, 3>((a.rotation(k).inverse() * b.rotation(k)).log()));
    }
    u.velocity.chains.push_back(b.velocity - a.velocity);
  }
  for (std::size_t i = 0; i < from.lines.size(); ++i) {
    const Line<S>&a = from.lines[i], &b = to.lines[i];
    require(a.displacement.size() == b.displacement.size(), "difference", "nodes of a line",
            b.displacement.size(), "both states must be of one assembly");
    u.displacement.lines.push_back(b.displacement - a.displacement);
    u.velocity.lines.push_back(b.velocity - a.velocity);
  }
  u.z = to.z - from.z;
  u.time = to.time - from.time;
  return u;
}

/// The numbers of an increment, one by one, without the padding of columns; see `NumberedProblem`.
template <class S, class Visitor>
void visit_increment(const State<S>& at, Increment<S>& u, Visitor&& visit) {
  visit_nodes(at.chains, u.displacement, [&](S& x) { visit.position(x); });
  visit_nodes(at.chains, u.velocity, [&](S& x) { visit.velocity(x); });
  for (S& x : u.z) visit.internal(x);
}
/// The numbers of rates, one by one.
template <class S, class Rates, class Visitor>
  requires requires(Rates& r) { r.xidot, r.zdot, r.lambda; }
void visit_rates(const State<S>& at, Rates& r, Visitor&& visit) {
  visit_nodes(at.chains, r.xidot, [&](S& x) { visit.velocity(x); });
  for (S& x : r.zdot) visit.internal(x);
  for (S& x : r.lambda) visit.multiplier(x);
}

}  // namespace dalembert::assembly

#include <dalembert/assembly/detail/state_members.hpp>
