#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/interpolation.hpp>

/// A run at any time, from the states that it has shown, whatever stepped it.
///   assembly::History<double> history;
///   drive(Verlet{}, problem, state, {.step = h, .until = t, .output_interval = 10 * h}, history);
///   rod::section_at(rod, history.at(0.123).chains[0], s).moment
namespace dalembert::assembly {

/// The state at `time` [s] between two of one run: chains as `rod::interpolated` has them, nodes of lines by Hermite's cubic, with errors of fourth order
/// in the time between the states; internal coordinates, whose rates no state knows, along a line, of second order. Allocates. Throws
/// std::invalid_argument for states of different assemblies, in the wrong order or at one time, and for a time that is not between them.
template <class S>
[[nodiscard]] State<S> interpolated(const State<S>& before, const State<S>& after,
                                    const std::type_identity_t<S>& time) {
  require(before.chains.size() == after.chains.size() && before.lines.size() == after.lines.size() &&
              before.z.size() == after.z.size(),
          "interpolated", "chains", after.chains.size(), "both states must be of one assembly");
  const S t0 = before.time, t1 = after.time;
  require(t0 < t1, "interpolated", "later time", t1, "it must be after the earlier one [s]");
  require(t0 <= time && time <= t1, "interpolated", "time", time, "it must lie between both [s]");
  const S h = t1 - t0, x = (time - t0) / h, y = S(1) - x;
  State<S> state = before;
  state.time = time;
  state.z = y * before.z + x * after.z;
  for (std::size_t i = 0; i < state.chains.size(); ++i)
    if (before.chains[i].nodes > 0 || after.chains[i].nodes > 0)
      state.chains[i] = rod::interpolated(before.chains[i], t0, after.chains[i], t1, time);
  for (std::size_t i = 0; i < state.lines.size(); ++i) {
    const Line<S>&a = before.lines[i], &b = after.lines[i];
    require(a.displacement.size() == b.displacement.size(), "interpolated", "nodes of a line",
            b.displacement.size(), "both states must be of one assembly");
    for (Eigen::Index k = 0; k < a.displacement.size(); ++k) {
      const S step = b.displacement[k] - a.displacement[k], v0 = a.velocity[k], v1 = b.velocity[k];
      state.lines[i].displacement[k] =
          a.displacement[k] + x * x * (S(3) - S(2) * x) * step + h * x * y * (y * v0 - x * v1);
      state.lines[i].velocity[k] =
          S(6) * x * y * step / h + y * (y - S(2) * x) * v0 + x * (x - S(2) * y) * v1;
    }
  }
  return state;
}

/// An observer of `drive` that keeps every state it is shown, and has the run at any time between the first and the last of them.
template <class S>
class History {
 public:
  /// Keep a state, later than those before it. Allocates. Throws std::invalid_argument for one that is not later.
  template <class Problem>
  void operator()(const Problem&, const State<S>& x) {
    require(states_.empty() || x.time > states_.back().time, "History", "time of a state", x.time,
            "states must come one after the other [s]");
    states_.push_back(x);
  }

  /// The states that it was shown, in their order.
  [[nodiscard]] const std::vector<State<S>>& states() const noexcept { return states_; }
  /// The run at `time` [s]; see `interpolated`. Throws std::invalid_argument for a time outside the run, and if there are no states.
  [[nodiscard]] State<S> at(const S& time) const {
    require(!states_.empty(), "History", "states", states_.size(), "there is no run yet");
    require(states_.front().time <= time && time <= states_.back().time, "History", "time", time,
            message({"the run was seen from ", number::plain(states_.front().time), " s to ",
                     number::plain(states_.back().time), " s"}));
    const auto after = std::lower_bound(states_.begin(), states_.end(), time,
                                        [](const State<S>& x, const S& t) { return x.time < t; });
    if (!(time < after->time)) return *after;
    return interpolated(*(after - 1), *after, time);
  }

 private:
  std::vector<State<S>> states_;
};

}  // namespace dalembert::assembly
