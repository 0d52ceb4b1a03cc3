#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/analysis/drift.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/io/state_hash.hpp>

#include "support/interrupt.hpp"
#include "support/progress.hpp"

namespace comparison {

/// Of the longest stable step of the rods, unless a step is given.
constexpr double stable_part = 0.05;

/// What the runs have in common.
struct Arguments {
  double dt = 0.1;         ///< step of the small systems [s]
  long steps = 100000;     ///< of the small systems
  double rod_dt = 0;       ///< step of the rods [s], 0 for `stable_part` of Verlet's longest stable one
  double rod_t_end = 0.1;  ///< duration of the rods' motion [s]
  long rod_elements = 30;  ///< of each rod
};

/// The worst that happened in a stretch of time.
struct Window {
  double time = 0, energy = 0, slip = 0;
};

/// A short run: its step, the error of its last state, and the time that it took.
struct Work {
  double step, error, seconds;
};

/// One integrator on one subject.
struct Row {
  std::string integrator;
  int order = 0;
  bool failed = false;    ///< stopped before the end
  double reached = 0;     ///< time at the end [s]
  std::uint64_t end = 0;  ///< hash of the last state
  long steps = 0;         ///< that led there
  double energy_max = 0;
  double energy_trend = 0;  ///< a second
  std::string drift{};
  double slip_max = 0;
  double step_ns = 0;
  std::vector<Window> windows{};
  std::vector<Work> work{};
};

/// All integrators on one subject.
struct Table {
  std::string name;    ///< a word, for files
  std::string title;   ///< for pictures
  std::string energy;  ///< what is kept, in words
  std::vector<Row> rows{};
};

/// A problem, a state to start from, and what to measure.
template <class P>
struct Subject {
  const P& problem;
  typename P::State start;
  double step;
  long steps;
  std::function<double(const typename P::State&)> energy;  ///< what should stay, relative to its scale
  double work_time;                ///< length of the runs that tell error against cost [s]
  std::vector<double> work_steps;  ///< and their steps [s]
  std::function<double(const typename P::State&)> error;  ///< of a state at the end of those [1]
  std::vector<std::function<void(const P&, const typename P::State&)>> checks{};  ///< as those of `drive`
};

/// Gathers the windows of a run.
template <class P>
class Watch {
 public:
  Watch(const Subject<P>& subject, Row& row)
      : subject_(subject), row_(row), first_(subject.energy(subject.start)) {
    span_ = subject.step * static_cast<double>(subject.steps) / 400;
  }

  void operator()(const P& problem, const typename P::State& at) {
    const double energy = std::abs(subject_.energy(at) - first_), slip = problem.constraint(at).velocity;
    drift_.add(at.time, energy);
    if (row_.windows.empty() || at.time > row_.windows.back().time + span_)
      row_.windows.push_back({.time = at.time});
    Window& window = row_.windows.back();
    window.energy = std::max(window.energy, energy);
    window.slip = std::max(window.slip, slip);
    row_.slip_max = std::max(row_.slip_max, slip);
    row_.reached = at.time;
  }

  void finish() {
    row_.energy_max = drift_.maximum();
    row_.energy_trend = drift_.trend();
    row_.drift = to_string(drift_.kind());
  }

 private:
  const Subject<P>& subject_;
  Row& row_;
  double first_;
  double span_;
  dalembert::analysis::DriftRecord<double> drift_{};
};

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The long run, which may fail.
template <class M, class P>
void run_long(const M& method, const Subject<P>& subject, Row& row) {
  auto state = subject.start;
  Watch<P> watch(subject, row);
  try {
    row.steps =
        dalembert::drive(method, subject.problem, state,
                         {.step = subject.step,
                          .until = subject.start.time + subject.step * static_cast<double>(subject.steps),
                          .checks = subject.checks,
                          .progress = example::progress_line()},
                         watch)
            .steps;
  } catch (const dalembert::IntegrationFailure&) {
    row.failed = true;
  }
  row.end = dalembert::io::state_hash(state);
  watch.finish();
}

/// Runs of the same length with other steps: what an error costs, the quickest of three.
template <class M, class P>
void run_work(const M& method, const Subject<P>& subject, Row& row) {
  for (const double step : subject.work_steps) {
    const long count = std::lround(subject.work_time / step);
    double seconds = std::numeric_limits<double>::infinity();
    auto state = subject.start;
    bool converged = true;
    for (int attempt = 0; attempt < 3 && converged; ++attempt) {
      example::end_if_interrupted();
      state = subject.start;
      auto stepper = method.stepper(subject.problem, state);
      const auto clock = std::chrono::steady_clock::now();
      try {
        for (long i = 0; i < count && converged; ++i)
          converged =
              stepper.step(subject.problem, state, subject.work_time / static_cast<double>(count)).converged;
      } catch (const dalembert::InvalidState&) {
        converged = false;
      }
      seconds = std::min(seconds, seconds_since(clock));
    }
    if (!converged) continue;
    row.step_ns = seconds / static_cast<double>(count) * 1e9;  // that of the shortest step stays
    row.work.push_back({step, subject.error(state), seconds});
  }
}

/// Everything about one integrator.
template <class M, class P>
void measure(const std::string& name, const M& method, const Subject<P>& subject, Table& table) {
  Row row{.integrator = name, .order = M::order};
  run_long(method, subject, row);
  run_work(method, subject, row);
  table.rows.push_back(row);
}

Table compare_oscillator(const Arguments& arguments);
Table compare_driver(const Arguments& arguments, double rate);
Table compare_sleigh(const Arguments& arguments);
Table compare_rods(const Arguments& arguments);

}  // namespace comparison
