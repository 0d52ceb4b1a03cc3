#pragma once

#include <dalembert/problem/concepts.hpp>

/// Refusals that can be read. A method calls `check_problem<P>()` (or the one for what else it needs) before
/// anything else, so that a problem that it cannot step is refused by a sentence that names the concept and
/// the missing piece.
namespace dalembert {

namespace detail {

template <class P>
concept HasProblemTypes = requires {
  typename P::Scalar;
  typename P::State;
  typename P::Rates;
  typename P::Increment;
};

/// Objects to write `requires` with, once the types of a problem are known to exist.
template <class P>
struct Given {
  const P& problem;
  typename P::State& state;
  typename P::Rates& rates;
  typename P::Increment& increment;
};

}  // namespace detail

/// Compiles if P is a `Problem`; otherwise the compiler's message names what P lacks.
template <class P>
constexpr void check_problem() {
  static_assert(
      detail::HasProblemTypes<P>,
      "this is no Problem (problem/concepts.hpp): it needs the types Scalar, State, Rates and Increment");
  if constexpr (detail::HasProblemTypes<P>) {
    using G = detail::Given<P>;
    static_assert(std::copyable<typename P::State>, "this is no Problem: its State cannot be copied");
    static_assert(
        requires(G g) { g.state.time; }, "this is no Problem: its State has no member `time`");
    static_assert(StageSpace<typename P::Increment, typename P::Scalar>,
                  "this is no Problem: its Increment is no StageSpace; it needs set_zero(), "
                  "add_scaled(factor, k) and norm()");
    static_assert(
        requires(G g) {
          g.problem.make_rates();
          g.problem.make_increment();
        },
        "this is no Problem: make_rates() or make_increment() is missing");
    static_assert(
        requires(G g) { g.problem.rates(g.state, g.rates); },
        "this is no Problem: rates(state, rates) is missing");
    static_assert(
        requires(G g) { g.problem.slope(g.state, g.increment, g.rates, g.increment); },
        "this is no Problem: slope(state, offset, rates, increment) is missing");
    static_assert(
        requires(G g) { g.problem.retract(g.state, g.increment, g.state); },
        "this is no Problem: retract(at, offset, state) is missing");
    static_assert(
        requires(G g) { g.problem.solve_algebraic(g.state); },
        "this is no Problem: solve_algebraic(state) is missing");
    static_assert(
        requires(G g) { g.problem.project(g.state); }, "this is no Problem: project(state) is missing");
    static_assert(
        requires(G g) {
          g.problem.energy(g.state);
          g.problem.kinetic_energy(g.state);
        },
        "this is no Problem: energy(state) or kinetic_energy(state) is missing");
    static_assert(
        requires(G g) {
          g.problem.constraint(g.state);
          g.problem.power(g.state, g.rates);
        },
        "this is no Problem: constraint(state) or power(state, rates) is missing");
    static_assert(Problem<P>,
                  "this is no Problem: everything is there, but with other types or const-ness than "
                  "problem/concepts.hpp asks for");
  }
}

/// Throws std::invalid_argument for a state of another shape than those of `problem`, where it tells by
/// `check_state(state)`; the states of other problems have one shape. Who makes a workspace or begins a run
/// asks; a step does not.
template <class P>
void check_state(const P& problem, const typename P::State& state) {
  if constexpr (ShapedProblem<P>) problem.check_state(state);
}

/// Throws what a `DrivenProblem` throws whose prescribed motions cannot be followed from `state` on for h
/// [s]; of others nothing can jump. `put_back` as there.
template <class P>
void check_step([[maybe_unused]] const P& problem, [[maybe_unused]] const typename P::State& state,
                [[maybe_unused]] const typename P::Scalar& h, [[maybe_unused]] bool put_back) {
  if constexpr (DrivenProblem<P>) problem.check_step(state.time, h, put_back);
}

/// Compiles if P is an `StepAccelerationProblem`; otherwise the compiler's message names what P lacks.
template <class P>
constexpr void check_impulse_problem() {
  check_problem<P>();
  if constexpr (Problem<P>) {
    using G = detail::Given<P>;
    constexpr bool columns = requires(G g, typename P::Scalar h) {
      g.increment.eta = g.state.xi + h * g.rates.xidot;
    };
    static_assert(
        columns,
        "this is no StepAccelerationProblem (problem/concepts.hpp): a state's xi, the rates' xidot and an "
        "increment's eta must be columns of numbers");
    if constexpr (columns) {
      static_assert(
          requires(G g, typename P::Scalar h) {
            g.problem.step_acceleration(g.state, g.state, g.state.xi, h, g.rates);
          },
          "this is no StepAccelerationProblem (problem/concepts.hpp): step_acceleration(middle, end, from, "
          "span, rates) is "
          "missing; systems with internal coordinates, position rows or rows of order 2 or above have none");
      static_assert(
          requires { P::step_acceleration_is_explicit; },
          "this is no StepAccelerationProblem: the constant step_acceleration_is_explicit is missing");
    }
  }
}

/// Compiles if P is a `SplitProblem`; otherwise the compiler's message names what P lacks.
template <class P>
constexpr void check_split_problem() {
  check_problem<P>();
  if constexpr (Problem<P>) {
    using G = detail::Given<P>;
    static_assert(
        requires { typename P::NodeLoads; },
        "this is no SplitProblem (problem/concepts.hpp): the type NodeLoads is missing");
    if constexpr (requires { typename P::NodeLoads; }) {
      using NodeLoads = typename P::NodeLoads;
      using Loads = NodeLoads&;
      using S = typename P::Scalar;
      static_assert(
          requires(G g) { g.problem.make_loads(); }, "this is no SplitProblem: make_loads() is missing");
      static_assert(
          requires(G g, Loads l) {
            g.problem.locate(g.state, l);
            g.problem.loads(g.state, l);
            g.problem.add_constraint_forces(g.state, l);
          },
          "this is no SplitProblem: locate(state, loads), loads(state, loads) or "
          "add_constraint_forces(state, loads) is missing");
      static_assert(
          requires(G g, const NodeLoads& l, S h) {
            g.problem.kick(g.state, l, h);
            g.problem.kick_drift(g.state, l, h, h, g.state);
          },
          "this is no SplitProblem: kick(state, loads, h) or kick_drift(at, loads, kick, h, state) is "
          "missing");
      static_assert(
          requires(G g, NodeLoads & l, S h) {
            g.problem.project_position(g.state, h, l);
            g.problem.finish_step(g.state, l);
          },
          "this is no SplitProblem: project_position(state, h, loads) or finish_step(state, loads) is "
          "missing");
      static_assert(SplitProblem<P>,
                    "this is no SplitProblem: everything is there, but with other types than "
                    "problem/concepts.hpp asks for");
    }
  }
}

}  // namespace dalembert
