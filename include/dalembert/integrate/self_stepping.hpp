#pragma once

#include <dalembert/integrate/method.hpp>

/// The integrator of a model that brings its own step, so that it runs, is watched and is observed as any
/// other:
///   drive(SelfStepping{}, guide, state, {.step = guide.time_step(), .until = 1}, monitor);
namespace dalembert {

/// Workspace of `SelfStepping` for the flow P: there is none.
template <Flow P>
class SelfStepper {
 public:
  using Scalar = typename P::Scalar;  ///< the number type

  /// Move `state` on by h [s], h > 0. Whatever the flow throws passes through, and `state` is then as before.
  [[nodiscard]] StepReport<Scalar> step(const P& flow, typename P::State& state, Scalar h) {
    return flow.step(state, h);
  }

  /// There is nothing to forget.
  void reset() noexcept {}
};

/// A flow's own step; see the head of this file.
struct SelfStepping {
  static constexpr int order = 0;  ///< the flow's own
  static constexpr bool symmetric =
      false;  ///< whether the adjoint method is the method itself, as far as is known
  static constexpr int error_order = 0;  ///< power of h in the error estimate, 0 without one

  /// The workspace for `flow`.
  template <class P>
  [[nodiscard]] auto stepper(const P&, const typename P::State&) const {
    static_assert(Flow<P>, "this is no Flow (problem/concepts.hpp): it needs a step(state, h) of its own");
    return SelfStepper<P>{};
  }
};

}  // namespace dalembert
