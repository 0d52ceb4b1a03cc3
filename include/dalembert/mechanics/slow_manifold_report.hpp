#pragma once

#include <algorithm>

#include <dalembert/core/detail/cmath.hpp>

/// What is known about how good a truncated slow motion is (mechanics/slow_manifold.hpp), in a state and over
/// a run.
namespace dalembert {

/// Sizes of parts of a velocity in a state, in the metric of kinetic energy [J^½].
template <class S = double>
struct SlowManifoldReport {
  S velocity{};   ///< of ξ_D
  S slip{};       ///< of B s, to the order of the motion
  S remainder{};  ///< of the first term that is left out
  S reference{};  ///< to compare it with: the slip, or ε B c₁ if larger; ξ_D where the order is 0

  /// An estimate of the relative error of the slip; of the velocity where the order is 0.
  [[nodiscard]] S relative() const { return remainder > S(0) ? remainder / reference : S(0); }
};

/// How far a motion under friction is from the slow one, in the metric of kinetic energy.
template <class S = double>
struct FastTransient {
  S size{};        ///< of the part of the slip that is not slow [J^½]
  S remainder{};   ///< what the order of the slow motion, and rounding, leave open of that [J^½]
  S decay_rate{};  ///< at which the slowest such part decays [1/s]

  /// Whether it is there beyond what the order leaves open.
  [[nodiscard]] bool present() const { return size > 2 * remainder; }
  /// The time until it is not, at the slowest rate [s].
  [[nodiscard]] S settling_time() const { return present() ? std::log(size / remainder) / decay_rate : S(0); }
};

/// An observer of a run of a `SlowManifold`: whether ε is too large for the order.
///   SlowManifoldWatch<double> watch;
///   drive(RungeKutta4{}, slow, state, {.step = 0.01, .until = 10.0}, watch);
///   if (watch.too_large()) …
template <class S = double>
class SlowManifoldWatch {
 public:
  /// Takes the state into account.
  template <class Problem, class State>
  void operator()(const Problem& problem, const State& state) {
    const SlowManifoldReport<S> now = problem.report(state);
    reference_ = std::max(reference_, now.reference);
    remainder_ = std::max(remainder_, now.remainder);
    const S decay = problem.decay_rates(state)[0];
    slowest_ = slowest_ > S(0) ? std::min(slowest_, decay) : decay;
  }
  /// The largest term left out over the largest slip of the run, or over the largest velocity where the order
  /// is 0: an estimate of its relative error.
  [[nodiscard]] S relative() const { return remainder_ > S(0) ? remainder_ / reference_ : S(0); }
  /// Whether that is more than `limit`: then a smaller ε is called for, or the friction itself; another
  /// order may do, or make it worse.
  [[nodiscard]] bool too_large(S limit = S(0.1L)) const { return relative() > limit; }
  /// The slowest rate of the run at which motions fall onto the slow ones [1/s].
  [[nodiscard]] S decay_rate() const { return slowest_; }

 private:
  S reference_{}, remainder_{}, slowest_{};
};

}  // namespace dalembert
