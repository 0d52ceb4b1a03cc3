#pragma once

#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/problem/concepts.hpp>

/// Flows whose states can be compared and disturbed, for Lyapunov exponents. A flow has no rates, and need
/// not say how its states differ; it is enough that its states lie in a linear space and tell their numbers.
///   const analysis::ComparableFlow flow{guide};
///   const auto found = analysis::largest_lyapunov_exponent(SelfStepping{}, flow, state,
///                                                          {.step = guide.time_step(), …});
namespace dalembert::analysis {

/// A flow whose states tell all numbers that a motion goes on from, but the time: `for_each_number(state,
/// f)`, a function that is found by its argument, calls f(x) with each, always in the same order. Any numbers
/// make a state, as in a linear space, of states of one time at least.
template <class P>
concept NumberedFlow = Flow<P> && requires(typename P::State& state, const typename P::State& at) {
  for_each_number(state, [](typename P::Scalar& x) { x = typename P::Scalar(0); });
  for_each_number(at, [](const typename P::Scalar&) {});
};

/// A flow with differences of its states; a model of `Flow` itself, for the same states.
template <NumberedFlow F>
class ComparableFlow {
 public:
  using Scalar = typename F::Scalar;  ///< the number type
  using State = typename F::State;    ///< of the flow

  /// A change of all numbers of a state.
  struct Increment {
    Vec<Scalar, Eigen::Dynamic> numbers;  ///< one after the other
    Scalar time{};                        ///< [s]

    /// All zero.
    void set_zero() {
      numbers.setZero();
      time = Scalar(0);
    }
    /// Add factor · k.
    void add_scaled(Scalar factor, const Increment& k) {
      numbers += factor * k.numbers;
      time += factor * k.time;
    }
    /// The largest magnitude of a number.
    [[nodiscard]] Scalar norm() const {
      return numbers.size() > 0 ? numbers.template lpNorm<Eigen::Infinity>() : Scalar(0);
    }
  };

  /// For states of `flow`, which must outlive this.
  explicit ComparableFlow(const F& flow) : flow_(&flow) {}

  /// The flow's.
  [[nodiscard]] Scalar energy(const State& at) const { return flow_->energy(at); }
  /// The flow's.
  [[nodiscard]] Violation<Scalar> constraint(const State& at) const { return flow_->constraint(at); }
  /// The flow's.
  StepReport<Scalar> step(State& state, Scalar h) const { return flow_->step(state, h); }
  /// The flow's.
  [[nodiscard]] Scalar time_step() const requires FixedStepFlow<F> { return flow_->time_step(); }

  /// The numbers of `to` less those of `from`. Throws std::invalid_argument for states of different sizes.
  [[nodiscard]] Increment difference(const State& from, const State& to) const {
    Eigen::Index count = 0, i = 0, k = 0;
    for_each_number(from, [&](const Scalar&) { ++count; });
    Increment u{.numbers = Vec<Scalar, Eigen::Dynamic>(count), .time = to.time - from.time};
    for_each_number(from, [&](const Scalar& x) { u.numbers[i++] = -x; });
    for_each_number(to, [&](const Scalar& x) {
      if (k < count) u.numbers[k] += x;
      ++k;
    });
    require(k == count, "ComparableFlow", "numbers", k, "both states must be of one flow");
    return u;
  }
  /// `state` becomes `at` with its numbers changed by `offset`; the two may be one object.
  void retract(const State& at, const Increment& offset, State& state) const {
    if (&state != &at) state = at;
    Eigen::Index i = 0;
    for_each_number(state, [&](Scalar& x) { x += offset.numbers[i++]; });
    state.time = at.time + offset.time;
  }

  /// The numbers of an increment, one by one.
  template <class Visitor>
  friend void visit_increment(const State&, Increment& u, Visitor&& visit) {
    for (Scalar& x : u.numbers) visit.internal(x);
  }

 private:
  const F* flow_;
};

}  // namespace dalembert::analysis
