#pragma once

#include <cstddef>

#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/constraint_list.hpp>
#include <dalembert/assembly/detail/friction_solution.hpp>
#include <dalembert/assembly/detail/products.hpp>
#include <dalembert/assembly/rates.hpp>
#include <dalembert/core/one_by_one.hpp>

/// A part of an assembly: some of its bodies, and the constraints on them, which no constraint couples with
/// the others.
namespace dalembert::assembly {

/// Steps one part of the states and loads of the whole, as a `SplitProblem` steps all of it; `Bodies` is a
/// BodyList, `Constraints` a ConstraintList. Parts are taken in their order.
template <class S, class Bodies, class Constraints>
class Part {
 public:
  using State = assembly::State<S>;                             ///< of the whole
  using Loads = NodeLoads<S, typename Constraints::Workspace>;  ///< of the whole
  static_assert(!Constraints::rub || !Bodies::has_swept,
                "friction in place of rolling is not for assemblies with strings that step in one sweep");

  /// Part `number` of these.
  Part(const Bodies& bodies, const Constraints& constraints, std::size_t number) noexcept
      : bodies_(bodies), constraints_(constraints), number_(number) {}

  /// How many nodes its bodies have.
  [[nodiscard]] Eigen::Index nodes() const {
    Eigen::Index n = 0;
    bodies_.each(number_, [&](const auto& body, std::size_t) { n += body.nodes(); });
    return n;
  }
  /// What its constraints are in a configuration.
  void locate(const State& at, Loads& l) const {
    if constexpr (Constraints::some) solution(l).evaluate(at);
  }
  /// Forces of a configuration, without those of constraints.
  void loads(const State& at, Loads& l) const { bodies_.forces(number_, at, l.forces); }
  /// Add the constraint forces at acceleration level, in a configuration that was located.
  void add_constraint_forces(const State& at, Loads& l) const {
    if constexpr (Constraints::some)
      l.work.parts[number_].report =
          solution(l).solve_multipliers(at, l.forces, l.accelerations, l.lambda, l.zdot);
  }
  /// The constraint forces of a kick for h/2 at the beginning of a step of h, in a configuration that was
  /// located: friction acts as it goes on in the step.
  void add_constraint_forces_of_step(const State& at, Loads& l, S h) const {
    if constexpr (Constraints::rub) {
      auto all = solution(l);
      all.react_in_step(at, l.forces, l.accelerations, l.lambda, l.zdot, h);
      all.find_exact(at);
    } else {
      add_constraint_forces(at, l);
    }
  }
  /// v += h M⁻¹ loads.
  void kick(State& x, const Loads& l, S h) const { bodies_.kick(number_, x, l.forces, h); }
  /// x = free motion for h from (at, kicked by loads for `kick`); internal coordinates go on at their rates,
  /// those that are not solved for at their rates in the middle, to second order.
  template <class Run = OneByOne>
  void kick_drift(const State& at, const Loads& l, S kick, S h, State& x, const Run& run = {}) const {
    bodies_.template kick_drift<true>(number_, at, l.forces, kick, h, x, run);
    drift_chains(at, l, kick, h, x, run);
  }
  /// The same for kick = h/2, the beginning of a step; strings that step in one sweep are at its end then,
  /// and so are chains where the part has no constraints. x has the time of the end already. run(n, f) calls
  /// f(0) to f(n − 1), in any order or at the same time: what bodies do by themselves.
  template <class Run>
  void begin_step(const State& at, Loads& l, S h, State& x, const Run& run) const {
    if (is_free()) {
      bodies_.template sweep<true>(number_, at, l.forces, h, x, run);
    } else if constexpr (sweeps) {
      bodies_.template sweep<false>(number_, at, l.forces, h, x, run);
      add_line_impulses(l, h, x);
      drift_chains(at, l, h / 2, h, x, run);
    } else {
      if constexpr (Constraints::rub)
        solution(l).react_in_step(at, l.forces, l.accelerations, l.lambda, l.zdot, h);
      kick_drift(at, l, h / 2, h, x, run);
    }
  }
  /// The forces of a configuration, and a kick by them for h: v += h M⁻¹ loads.
  template <class Run>
  void forces_and_kick(State& x, Loads& l, S h, const Run& run) const {
    bodies_.template forces_and_kick<true, true>(number_, x, l.forces, h, run);
  }
  /// What ends a step of h: the forces there, of such strings on the nodes alone that bear places, and a
  /// kick by them for h/2.
  template <class Run>
  void end_step(State& x, Loads& l, S h, const Run& run) const {
    if constexpr (Constraints::rub) l.work.parts[number_].step = h;
    if (is_free()) return bodies_.template forces_and_kick<false, false>(number_, x, l.forces, h / 2, run);
    bodies_.template forces_and_kick<!sweeps, true>(number_, x, l.forces, h / 2, run);
    if constexpr (sweeps) find_line_forces(x, l);
  }
  /// δq = M⁻¹A_Vᵀμ, v += δq/h; ends located.
  Projection<S> project_position(State& x, S h, Loads& l) const {
    if constexpr (Constraints::some) return solution(l).project_positions(x, h, Along::reactions);
    return {};
  }
  /// v −= M⁻¹A_Vᵀ(A M⁻¹A_Vᵀ)⁻¹(A v + b), then the constraint forces, in a configuration that
  /// was located. Where rows are friction it acts for half of the step that `end_step` ended, and the
  /// constraint forces are found but not added: `begin_step` has those of the next step.
  Projection<S> finish_step(State& x, Loads& l) const {
    if constexpr (Constraints::some)
      return solution(l).project_and_react(x, l.forces, l.accelerations, l.lambda, l.zdot,
                                           l.work.parts[number_].report);
    else
      return {};
  }

 private:
  static constexpr bool sweeps = Bodies::has_swept && !Constraints::displace_lines;

  /// Whether it has no constraints.
  [[nodiscard]] bool is_free() const noexcept { return constraints_.parts().size(number_) == 0; }
  template <class Run>
  void drift_chains(const State& at, const Loads& l, S kick, S h, State& x, const Run& run) const {
    if (constraints_.follow_rates()) [[unlikely]] {
      bodies_.template kick_drift<false>(number_, at, l.forces, kick, h / 2, x, run);
      constraints_.slide(number_, at, l.zdot, h / 2, x, false);
      x.time = at.time + h / 2;
      constraints_.slide(number_, at, l.zdot, h, x, true);
    } else {
      constraints_.slide(number_, at, l.zdot, h, x, false);
    }
    bodies_.template kick_drift<false>(number_, at, l.forces, kick, h, x, run);
    const S time = at.time + h;
    if (x.time != time) x.time = time;  // parts that are at work at the same time only read it
  }
  // What constraints add to strings that step in one sweep: it is added afterwards, at the nodes that bear
  // their places. Position rows would displace nodes before the sweep may go on past them; where a string
  // bears such rows it steps in parts.

  /// f(evaluation, slot) for the constraints that have places on strings.
  template <class F>
  void each_on_lines(Loads& l, const F& f) const {
    constraints_.each(number_, l.work,
                      [&]<class K>(const K&, const detail::Evaluation<K>& e, const auto& slot) {
                        if constexpr (detail::has_line_markers<K>) f(e, slot);
                      });
  }
  /// f(string) for a string that steps in one sweep.
  template <class F>
  void with_swept(const Window& w, const F& f) const {
    bodies_.with(w.body, [&]<class B>(const B& body) {
      if constexpr (SweptBody<B>) f(body);
    });
  }
  /// To strings that made a step of h in one sweep, what the constraint forces of its beginning do in it.
  void add_line_impulses(Loads& l, S h, State& x) const {
    each_on_lines(l, [&]<class K>(const detail::Evaluation<K>& e, const detail::Slot& slot) {
      const auto mu = detail::take<detail::Evaluation<K>::R>(l.lambda, slot.row);
      detail::Products<K>::each_line_force(e, mu, [&](const Window& v, S force) {
        with_swept(v, [&](const auto& body) {
          body.add_impulse(l.work.weights.data() + v.weights, v.first, v.count, force * h / 2, h,
                           x.lines[v.body]);
        });
      });
    });
  }
  /// The forces of these strings on the nodes that bear places.
  void find_line_forces(const State& x, Loads& l) const {
    each_on_lines(l, [&](const auto& e, const detail::Slot&) {
      for (const Window& v : e.windows)
        if (v.line)
          with_swept(v, [&](const auto& body) {
            body.forces(x.lines[v.body], v.first, v.count, l.forces.lines[v.body]);
          });
    });
  }
  [[nodiscard]] auto solution(Loads& l) const noexcept {
    return detail::SolutionOf<S, Bodies, Constraints>(bodies_, constraints_, number_, l.work);
  }

  const Bodies& bodies_;
  const Constraints& constraints_;
  std::size_t number_;
};

}  // namespace dalembert::assembly
