#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/interpolation.hpp>

/// A run at any time, from the states that it has shown, whatever stepped it.
///   assembly::History<double> history;
///   drive(Verlet{}, problem, state, {.step = h, .until = t, .output_interval = 10 * h}, history);
///   rod::section_at(rod, history.at(0.123)[0], s).moment
namespace dalembert::assembly {

/// The state at `time` [s] between two of one run: chains as `rod::interpolated` has them, nodes of lines by
/// Hermite's cubic, with errors of fourth order in the time between the states; internal coordinates, whose
/// rates no state knows, along a line, of second order. Allocates. Throws std::invalid_argument for states of
/// different assemblies, in the wrong order or at one time, and for a time that is not between them.
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
    if (before[i].nodes > 0 || after[i].nodes > 0)
      state[i] = rod::interpolated(before[i], t0, after[i], t1, time);
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

/// An observer of `drive` that keeps every state it is shown, and has the run at any time between the first
/// and the last of them. It may be that of several runs, each of which goes on where the last one ended, with
/// the same motion or, as after an impact, with another one.
template <class S = double>
class History {
 public:
  /// Keep a state, not earlier than those before it. One at the time of the last one, with which a run goes
  /// on, is kept beside it: the motion may jump there. Of more than two the first and the last are kept.
  /// Times that differ by rounding are one. Allocates. Throws std::invalid_argument for an earlier one.
  template <class Problem>
  void operator()(const Problem&, const State<S>& x) {
    const std::size_t n = states_.size();
    if (n == 0) return states_.push_back(x);
    const S last = states_.back().time,
            rounding = S(8) * std::numeric_limits<S>::epsilon() * number::abs(last);
    const bool same = number::abs(x.time - last) <= rounding;
    require(same || x.time > last, "History", "time of a state", x.time,
            "states must come one after the other [s]");
    if (same && n > 1 && states_[n - 2].time == last)
      states_.back() = x;
    else
      states_.push_back(x);
    if (same) states_.back().time = last;
  }

  /// The states that it was shown, in their order; two of one time where a run went on.
  [[nodiscard]] const std::vector<State<S>>& states() const noexcept { return states_; }
  /// The run at `time` [s]; see `interpolated`. Where it went on, the state that it went on with. Throws
  /// std::invalid_argument for a time outside the run, and if there are no states.
  [[nodiscard]] State<S> at(const S& time) const {
    require(!states_.empty(), "History", "states", states_.size(), "there is no run yet");
    require(states_.front().time <= time && time <= states_.back().time, "History", "time", time,
            message({"the run was seen from ", number::plain(states_.front().time), " s to ",
                     number::plain(states_.back().time), " s"}));
    const auto after = std::upper_bound(states_.begin(), states_.end(), time,
                                        [](const S& t, const State<S>& x) { return t < x.time; });
    const auto before = after - 1;
    if (!(before->time < time)) return *before;
    return interpolated(*before, *after, time);
  }

 private:
  std::vector<State<S>> states_;
};

}  // namespace dalembert::assembly
