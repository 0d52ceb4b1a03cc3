#pragma once

#include <algorithm>
#include <concepts>

#include <dalembert/core/detail/cmath.hpp>

/// How long the next step of an adaptive run should be: a controller with a proportional and an integral
/// part.
///   e_n = estimate / tolerance of the step n;  r = e / 0.9^k, where the estimate shrinks like h^k
///   h ← h r_n^(−0.85/k) r_{n−1}^(0.2/k)   after a step that was accepted, e_n ≤ 1
///   h ← h r_n^(−1/k)                      at the start, and after one that was rejected or cut short
/// In the long run steps are 0.9 times as long as the tolerance allows. The memory of r_{n−1} damps the
/// oscillation of step lengths (rejected, accepted, rejected, …) where stability and not accuracy limits
/// them. It forgets how much better than asked a step was beyond a factor 100, so that steps grow fast from a
/// short first one.
/// Source: Gustafsson 1991; constants as Hairer, Wanner 1996, section IV.2, for the method of order 5(4).
namespace dalembert {

/// A workspace that says how far its last step went, as the norm of its increment; a relative tolerance asks
/// for it.
template <class W, class S>
concept TellsDisplacement = requires(W& stepper) {
  { stepper.displacement() } -> std::convertible_to<S>;
};

/// The controller of the head of this file.
template <class S>
class StepControl {
 public:
  /// For an estimate that shrinks like h to the power `order` > 0.
  explicit StepControl(int order) : order_(static_cast<S>(order)), target_(std::pow(safety, order_)) {}

  /// By what factor the step that was accepted with the error e should grow, 0.2…5.
  [[nodiscard]] S accepted(S error) {
    using std::pow;
    const S ratio = relative(error);
    const S factor = previous_ > 0 ? pow(ratio, S(-0.85) / order_) * pow(previous_, S(0.2) / order_)
                                   : pow(ratio, S(-1) / order_);
    previous_ = std::max(ratio, S(0.01));
    return std::clamp(factor, S(0.2), S(5));
  }

  /// By what factor a step that was rejected with the error e should shrink, 0.1…0.9; 0.25 if e is not
  /// finite, for there was no estimate. The next step will not grow beyond it.
  [[nodiscard]] S rejected(S error) {
    using std::isfinite, std::pow;
    previous_ = 0;
    return isfinite(error) ? std::clamp(S(pow(relative(error), S(-1) / order_)), S(0.1), S(0.9)) : S(0.25);
  }

  /// Forget the last step.
  void reset() noexcept { previous_ = 0; }

 private:
  static constexpr S safety = S(0.9);

  /// r, kept away from zero.
  [[nodiscard]] S relative(S error) const { return std::max(error, S(1e-10)) / target_; }

  S order_;
  S target_;
  S previous_ = 0;  // r of the last step that was accepted, 0 if there is none to go by
};

}  // namespace dalembert
