#pragma once

#include <concepts>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <dalembert/integrate/detail/is_finite.hpp>
#include <dalembert/integrate/detail/notify.hpp>
#include <dalembert/integrate/detail/run_loop.hpp>

namespace dalembert::detail {

/// What the loop of a run asks of its problem.
template <Observable P, bool adapts>
class RunOf : public RunLoop<typename P::State, adapts, !FixedStepFlow<P>> {
 public:
  using S = typename P::Scalar;
  using State = typename P::State;

 protected:
  RunOf(const P& problem, State& state, const DriveOptions<P>& options, const RunNumbers<S>& numbers,
        const RunTraits& traits)
      : RunLoop<State, adapts, !FixedStepFlow<P>>(state, numbers, traits),
        problem_(problem),
        options_(options) {}
  ~RunOf() = default;

  [[gnu::cold, gnu::noinline]] bool is_finite_throughout(const State& at) final {
    return detail::is_finite_throughout(problem_, at);
  }
  Violation<S> violation(const State& at) final { return problem_.constraint(at); }
  void check(const State& at) final {
    for (const auto& one : options_.checks) one(problem_, at);
  }
  EventRule<S> rule(std::size_t event) final {
    const auto& its = options_.events[event];
    return {its.crossing, its.terminal, its.tolerance};
  }
  S value(std::size_t event, const State& at) final { return options_.events[event].value(problem_, at); }
  void act(std::size_t event, const State& at) final {
    if (const auto& action = options_.events[event].action) action(problem_, at);
  }

  const P& problem_;

 private:
  const DriveOptions<P>& options_;
};

/// A run; `drive` is its only user, and nobody frees it by its base.
template <class M, Observable P, class... Observers>
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class Run final : public RunOf<P, EstimatesError<M>> {
 public:
  using Base = RunOf<P, EstimatesError<M>>;
  using typename Base::Progressed;
  using typename Base::S;
  using typename Base::State;
  using Report = StepReportOf<P>;
  using Stepper = std::remove_cvref_t<decltype(std::declval<const M&>().stepper(
      std::declval<const P&>(), std::declval<const State&>()))>;
  static constexpr bool keeps_previous = requires(const Stepper& stepper) {
    { stepper.previous() } -> std::same_as<const State&>;
  };
  static constexpr bool is_dense = HasDenseOutput<M> && DenseStepperFor<Stepper, P>;
  static constexpr bool tells_displacement = TellsDisplacement<Stepper, S>;

  Run(const M& method, const P& problem, State& state, const DriveOptions<P>& options,
      const RunNumbers<S>& numbers, Observers&... observers)
      : Base(problem, state, options, numbers, traits()),
        observers_(observers...),
        stepper_(method.stepper(problem, std::as_const(state))) {
    if constexpr (!FixedStepFlow<P>)
      if (!options.events.empty()) search_.emplace(method.stepper(problem, std::as_const(state)));
  }

 private:
  using Base::problem_;

  static constexpr RunTraits traits() {
    RunTraits t{.is_dense = is_dense, .keeps_previous = keeps_previous, .is_flow = Flow<P>};
    if constexpr (EstimatesError<M>) t.error_order = M::error_order;
    return t;
  }

  StepReport<S> step(State& state, S h, Progressed& done) override {
    report_ = stepper_.step(problem_, state, h);
    done.is_taken = true;
    done.is_good = report_.converged && is_good(problem_, state);
    if constexpr (ImpactProblem<P>) report_.works = works_ += report_.works;
    return report_;
  }
  void forget_last_step() override { dalembert::forget_last_step(stepper_); }
  void put_previous([[maybe_unused]] State& out) override {
    if constexpr (keeps_previous) this->copy(stepper_.previous(), out);
  }
  S displacement() override {
    if constexpr (EstimatesError<M> && tells_displacement)
      return stepper_.displacement();
    else
      return S(0);
  }
  [[gnu::noinline]] StepReport<S> interpolate([[maybe_unused]] S fraction,
                                              [[maybe_unused]] State& out) override {
    if constexpr (is_dense)
      return stepper_.interpolate(problem_, fraction, out);
    else
      return {.converged = false};
  }
  std::optional<S> guess([[maybe_unused]] EventSearch<State>& search, [[maybe_unused]] S asked,
                         [[maybe_unused]] const State& begin, [[maybe_unused]] const State& end,
                         [[maybe_unused]] S before, [[maybe_unused]] S after) override {
    if constexpr (is_dense)
      return find_interpolated(search, asked, begin, end, before, after);
    else
      return {};
  }
  void search_step(State& state, S h) override {
    if (search_) (void)search_->step(problem_, state, h);
  }
  void forget_search() override {
    if (search_) dalembert::forget_last_step(*search_);
  }
  void observe(const State& at) override {
    if constexpr (ImpactProblem<P>) works_ = {};
    std::apply([&](auto&... observer) { (notify(observer, problem_, at, report_), ...); }, observers_);
  }

  std::tuple<Observers&...> observers_;
  Stepper stepper_;
  std::optional<Stepper> search_{};
  Report report_{};
  ContactWorks<S> works_{};  // of contacts since observers were called
};

}  // namespace dalembert::detail
