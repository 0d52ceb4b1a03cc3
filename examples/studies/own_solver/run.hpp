#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/compat/chart.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/io/state_hash.hpp>

#include "own_solver/ida.hpp"
#include "support/interrupt.hpp"

#ifdef OWN_SOLVER_WITH_ODEINT
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#endif

/// One problem, solved by each solver that there is.
namespace own_solver {

#ifdef OWN_SOLVER_WITH_ODEINT
inline constexpr bool with_odeint = true;
#else
inline constexpr bool with_odeint = false;
#endif
#ifdef OWN_SOLVER_WITH_IDA
inline constexpr bool with_ida = true;
#else
inline constexpr bool with_ida = false;
#endif

/// A problem that counts how often its forces are asked for.
template <class P>
struct Counted : P {
  mutable long calls = 0;
  explicit Counted(P problem) : P(std::move(problem)) {}
  void rates(const typename P::State& at, typename P::Rates& out) const {
    ++calls;
    P::rates(at, out);
  }
  void residual(const typename P::State& at, const typename P::Rates& given,
                typename P::Residual& out) const {
    ++calls;
    P::residual(at, given, out);
  }
  template <class Loads>
  void loads(const typename P::State& at, Loads& out) const {
    ++calls;
    P::loads(at, out);
  }
};

/// One line of the table.
struct Line {
  std::string solver;
  double setting;         ///< tolerance, or step [s]
  double difference;      ///< from the reference, at the end
  double calls;           ///< evaluations of the forces
  double seconds;         ///< [s]
  double multiplier;      ///< difference of the multipliers; 0 if they are not unknowns
  std::uint64_t end = 0;  ///< hash of the last state
  long steps = 0;         ///< that led there, where the solver is ours
};

/// A case: how far apart two states and two sets of rates are, and where the base of a chart moves.
template <class P>
struct Case {
  const P& problem;
  typename P::State start;
  double until;  ///< [s]
  int charts;    ///< how many charts the way is cut into
  typename P::State reference;
  std::function<double(const typename P::State&, const typename P::State&)> distance;
};

/// Run `solve`, which returns the state at the end, and measure it.
template <class P, class Solve>
Line measured(const Case<P>& c, const std::string& solver, double setting, Solve&& solve) {
  example::end_if_interrupted();
  c.problem.calls = 0;
  const auto begin = std::chrono::steady_clock::now();
  Line line{.solver = solver, .setting = setting, .difference = 0, .calls = 0, .seconds = 0, .multiplier = 0};
  const typename P::State end = solve(line);
  line.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  line.calls = static_cast<double>(c.problem.calls);
  line.difference = c.distance(end, c.reference);
  line.end = dalembert::io::state_hash(end);
  return line;
}

/// One of our integrators: with a step, or with a tolerance.
template <class P, class Method>
Line by_ours(const Case<P>& c, const std::string& solver, const Method& method, double step,
             double tolerance) {
  return measured(c, solver, tolerance > 0 ? tolerance : step, [&](Line& line) {
    auto state = c.start;
    line.steps =
        dalembert::drive(method, c.problem, state,
                         {.step = step, .until = c.until, .output_interval = c.until, .tolerance = tolerance})
            .steps;
    return state;
  });
}

/// Boost.odeint's Dormand–Prince method with step control: it integrates y of a chart, a plain vector of numbers.
template <class P>
Line by_odeint([[maybe_unused]] const Case<P>& c, [[maybe_unused]] double step,
               [[maybe_unused]] double tolerance) {
#ifdef OWN_SOLVER_WITH_ODEINT
  return measured(c, "odeint dopri5", tolerance, [&](Line&) {
    using Vector = std::vector<double>;
    namespace odeint = boost::numeric::odeint;
    dalembert::compat::Chart chart(c.problem, c.start);
    Vector y(chart.size(), 0.0);
    const auto f = [&](const Vector& at, Vector& dydt, double t) { chart.slope(at, t, dydt); };
    const auto stepper = odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_dopri5<Vector>());
    double t = c.start.time;
    for (int i = 1; i <= c.charts; ++i) {
      const double next = c.start.time + (c.until - c.start.time) * i / c.charts;
      odeint::integrate_adaptive(stepper, f, y, t, next, step);
      chart.rebase(y, next);
      t = next;
    }
    return chart.base();
  });
#else
  return {};
#endif
}

/// SUNDIALS' IDA: it solves F(t, Y, Ẏ) = 0 for positions, velocities and multipliers together, and never asks for rates.
template <class P>
Line by_ida(const Case<P>& c, double tolerance) {
  return measured(c, "IDA", tolerance, [&](Line& line) {
    dalembert::compat::ImplicitChart chart(c.problem, c.start);
    const std::size_t n = chart.unknowns();
    std::vector<double> Y(n), Ydot(n);
    std::vector<bool> differential(n);
    for (std::size_t i = 0; i < n; ++i) differential[i] = chart.differential(i);
    const ResidualFunction F = [&](double t, const double* y, const double* ydot, double* out) {
      chart.residual(t, {y, n}, {ydot, n}, {out, n});
    };
    double t = c.start.time;
    for (int i = 1; i <= c.charts; ++i) {
      const double next = c.start.time + (c.until - c.start.time) * i / c.charts;
      chart.start(Y, Ydot);
      solve_by_ida(F, differential, t, next, tolerance, Y, Ydot);
      chart.rebase(std::span(Y).first(chart.size()), next);
      t = next;
    }
    // The multipliers that IDA found are the reactions that the problem gives in the state that IDA found.
    std::vector<double> ours(n);
    chart.start(ours, Ydot);
    for (std::size_t i = chart.size(); i < n; ++i)
      line.multiplier = std::max(line.multiplier, std::abs(Y[i] - ours[i]));
    return chart.base();
  });
}

/// Every solver at every tolerance of a list.
template <class P>
void by_others(const Case<P>& c, double step, const std::vector<double>& tolerances,
               std::vector<Line>& lines) {
  if constexpr (with_odeint)
    for (const double tolerance : tolerances) lines.push_back(by_odeint(c, step, tolerance));
  if constexpr (with_ida)
    for (const double tolerance : tolerances) lines.push_back(by_ida(c, tolerance));
}

}  // namespace own_solver
