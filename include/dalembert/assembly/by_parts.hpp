#pragma once

#include <cstddef>

#include <dalembert/assembly/rates.hpp>
#include <dalembert/problem/concepts.hpp>

/// What `verlet` asks of a whole assembly: the same of all its parts as of each.
namespace dalembert::assembly {

/// The base of a class A with parts() and part(number).
template <class A, class S, class Workspace>
class ByParts {
 public:
  using Loads = NodeLoads<S, Workspace>;  ///< loads on the nodes
  using State = assembly::State<S>;       ///< a point of phase space

  /// What the constraints are in a configuration.
  void locate(const State& at, Loads& l) const {
    each([&](const auto& part) { part.locate(at, l); });
  }
  /// Forces of a configuration, without those of constraints.
  void loads(const State& at, Loads& l) const {
    each([&](const auto& part) { part.loads(at, l); });
  }
  /// Add the constraint forces at acceleration level, in a configuration that was located.
  void add_constraint_forces(const State& at, Loads& l) const {
    each([&](const auto& part) { part.add_constraint_forces(at, l); });
    join_parts(l);
  }
  /// What the solutions of all parts found out, together.
  void join_parts(Loads& l) const noexcept {
    l.report = {};
    for (const auto& part : l.work.parts) l.report += part.report;
  }
  /// v += h M⁻¹ loads.
  void kick(State& x, const Loads& l, S h) const {
    each([&](const auto& part) { part.kick(x, l, h); });
  }
  /// x = free motion for h from (at, kicked by loads for `kick`), internal coordinates to second order.
  void kick_drift(const State& at, const Loads& l, S kick, S h, State& x) const {
    each([&](const auto& part) { part.kick_drift(at, l, kick, h, x); });
  }
  /// δq = M⁻¹A_Vᵀμ, v += δq/h; ends located.
  Projection<S> project_position(State& x, S h, Loads& l) const {
    Projection<S> all;
    each([&](const auto& part) { all.join(part.project_position(x, h, l)); });
    return all;
  }
  /// v −= M⁻¹A_Vᵀ(A M⁻¹A_Vᵀ)⁻¹(A v + b), then the constraint forces, in a configuration that was located.
  Projection<S> finish_step(State& x, Loads& l) const {
    Projection<S> all;
    each([&](const auto& part) { all.join(part.finish_step(x, l)); });
    join_parts(l);
    return all;
  }

 private:
  template <class F>
  void each(const F& f) const {
    const A& all = static_cast<const A&>(*this);
    for (std::size_t p = 0; p < all.parts(); ++p) f(all.part(p));
  }
};

}  // namespace dalembert::assembly
