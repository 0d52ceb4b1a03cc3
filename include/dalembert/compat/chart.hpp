#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/problem/concepts.hpp>

/// Problems inside solvers that know only vectors in Rⁿ, such as Boost.odeint and SUNDIALS' IDA: charts of their states.
/// States live on a group, and an increment is a displacement from one of them: state = base ⊕ increment. Increments are a linear space,
/// so that their numbers are the y that a solver may add and scale. A chart is good near its base (rotations below a full turn), so move
/// the base along now and then.
///   compat::Chart chart{problem, state};                                                       // ẏ = f(y, t)
///   std::vector<double> y(chart.size(), 0.0);
///   odeint::integrate_adaptive(stepper, [&](const auto& y, auto& dydt, double t) { chart.slope(y, t, dydt); }, y, t0, t1, h);
///   chart.rebase(y, t1);                                                                       // chart.base() is the state at t1
/// `ImplicitChart` is the same for F(t, Y, Ẏ) = 0.
namespace dalembert::compat {

/// The states of a problem near a base as columns y ∈ Rⁿ of η, δξ and δz; y = 0 is the base. What a solver gives and takes are spans of
/// `size()` numbers; std::invalid_argument is thrown where they are not as many. Errors of the problem pass through. The problem must outlive it.
template <NumberedProblem P>
class Chart {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using S = Scalar;                   ///< the number type
  using State = typename P::State;    ///< of the problem

  /// The chart about `base`.
  Chart(const P& problem, const State& base)
      : problem_(problem),
        base_(base),
        state_(base),
        rates_(problem.make_rates()),
        offset_(problem.make_increment()),
        slope_(problem.make_increment()),
        y_(numbers_of_increment(offset_)),
        dydt_(numbers_of_increment(slope_)) {}
  Chart(const Chart&) = delete;
  Chart& operator=(const Chart&) = delete;

  /// n.
  [[nodiscard]] std::size_t size() const noexcept { return y_.all.size(); }
  /// How many numbers of y are η: those before the velocities.
  [[nodiscard]] std::size_t positions() const noexcept { return y_.positions; }

  /// The state at y and t [s]: base ⊕ y, completed with what follows from it. It is good until the next call.
  const State& state(std::span<const S> y, S t) {
    check("y", y.size(), size());
    offset_.set_zero();
    for (std::size_t i = 0; i < size(); ++i) *y_.all[i] = y[i];
    offset_.time = t - base_.time;
    problem_.retract(base_, offset_, state_);
    problem_.solve_algebraic(state_);
    return state_;
  }

  /// y of a state, where the problem tells states apart.
  void coordinates(const State& at, std::span<S> y) requires DifferenceProblem<P> {
    check("y", y.size(), size());
    const typename P::Increment there = problem_.difference(base_, at);
    offset_ = there;  // copied, not moved: the numbers stay where they were found
    for (std::size_t i = 0; i < size(); ++i) y[i] = *y_.all[i];
  }

  /// dy/dt at y and t, for a solver of ẏ = f(y, t): the rates, seen in the chart.
  void slope(std::span<const S> y, S t, std::span<S> dydt) {
    check("dydt", dydt.size(), size());
    problem_.rates(state(y, t), rates_);
    problem_.slope(state_, offset_, rates_, slope_);
    for (std::size_t i = 0; i < size(); ++i) dydt[i] = *dydt_.all[i];
  }

  /// Make the state at y and t the base, and y zero.
  void rebase(std::span<S> y, S t) {
    base_ = state(y.first(size()), t);
    for (S& number : y) number = S(0);
  }

  /// The state at y = 0.
  [[nodiscard]] const State& base() const noexcept { return base_; }

 protected:
  /// Where the numbers of an increment, or of rates, lie.
  struct Numbers {
    std::vector<S*> all{};          ///< positions, velocities and internal coordinates
    std::size_t positions = 0;      ///< how many of them are positions
    std::vector<S*> multipliers{};  ///< of the constraints; rates only
    /// A number of a configuration.
    void position(S& x) {
      all.push_back(&x);
      ++positions;
    }
    /// A number of a velocity.
    void velocity(S& x) { all.push_back(&x); }
    /// An internal coordinate.
    void internal(S& x) { all.push_back(&x); }
    /// A multiplier of a constraint.
    void multiplier(S& x) { multipliers.push_back(&x); }
  };
  /// Where the numbers of the increment `u` lie.
  [[nodiscard]] Numbers numbers_of_increment(typename P::Increment& u) const {
    Numbers numbers;
    visit_increment(base_, u, numbers);
    return numbers;
  }
  /// Where the numbers of the rates `r` lie.
  [[nodiscard]] Numbers numbers_of_rates(typename P::Rates& r) const {
    Numbers numbers;
    visit_rates(base_, r, numbers);
    return numbers;
  }
  /// Refuse a list of `size` numbers where `wanted` belong.
  static void check(const char* name, std::size_t size, std::size_t wanted) {
    require(size == wanted, "Chart", std::string("numbers of ") + name, size,
            "a chart has " + std::to_string(wanted) + " of them");
  }

  const P& problem_;              ///< whose states the chart numbers
  State base_;                    ///< the state at y = 0
  State state_;                   ///< the last state asked for
  typename P::Rates rates_;       ///< the rates there
  typename P::Increment offset_;  ///< from the base to that state
  typename P::Increment slope_;   ///< the rates, seen in the chart
  Numbers y_;                     ///< the numbers of `offset_`
  Numbers dydt_;                  ///< the numbers of `slope_`
};

/// The same for a solver of F(t, Y, Ẏ) = 0, Y = (y, λ): multipliers are unknowns like others, without a rate. The equations are
///   η̇ − dexp⁻¹_η ξ                 how positions follow velocities
///   residual(y, (ξ̇, ż, λ))         of the problem: of motion, of internal coordinates, of its rows
/// Where rows follow from others, λ is not determined, and such a solver finds a singular matrix.
template <NumberedProblem P>
  requires ResidualProblem<P>
class ImplicitChart : public Chart<P> {
  using Base = Chart<P>;
  using Numbers = typename Base::Numbers;

 public:
  using S = typename Base::S;          ///< the number type
  using State = typename Base::State;  ///< of the problem

  /// The chart about `base`. Throws std::invalid_argument if the problem has not as many equations as unknowns.
  ImplicitChart(const P& problem, const State& base)
      : Base(problem, base),
        given_(problem.make_rates()),
        numbers_(this->numbers_of_rates(given_)),
        solved_(this->numbers_of_rates(this->rates_)),
        residual_(problem.make_residual()) {
    Base::check("rates", numbers_.all.size(), this->size() - this->positions());
    Base::check("the residual", static_cast<std::size_t>(residual_.size()), unknowns() - this->positions());
  }

  /// How many unknowns: the size of Y, Ẏ and F.
  [[nodiscard]] std::size_t unknowns() const noexcept { return this->size() + numbers_.multipliers.size(); }
  /// Whether unknown i has a rate.
  [[nodiscard]] bool differential(std::size_t i) const noexcept { return i < this->size(); }

  /// Y and Ẏ at the base, which satisfy F = 0 where the base satisfies the constraints.
  void start(std::span<S> Y, std::span<S> Ydot) {
    Base::check("Y", Y.size(), unknowns());
    Base::check("dY/dt", Ydot.size(), unknowns());
    for (std::size_t i = 0; i < unknowns(); ++i) Y[i] = Ydot[i] = S(0);
    this->slope(Y.first(this->size()), this->base_.time, Ydot.first(this->size()));
    for (std::size_t i = 0; i < solved_.multipliers.size(); ++i)
      Y[this->size() + i] = *solved_.multipliers[i];
  }

  /// F.
  void residual(S t, std::span<const S> Y, std::span<const S> Ydot, std::span<S> F) {
    Base::check("Y", Y.size(), unknowns());
    Base::check("dY/dt", Ydot.size(), unknowns());
    Base::check("F", F.size(), unknowns());
    const State& at = this->state(Y.first(this->size()), t);
    const std::size_t positions = this->positions();
    for (std::size_t i = 0; i < numbers_.all.size(); ++i) *numbers_.all[i] = Ydot[positions + i];
    for (std::size_t i = 0; i < numbers_.multipliers.size(); ++i)
      *numbers_.multipliers[i] = Y[this->size() + i];

    this->problem_.slope(at, this->offset_, given_, this->slope_);
    for (std::size_t i = 0; i < positions; ++i) F[i] = Ydot[i] - *this->dydt_.all[i];
    this->problem_.residual(at, given_, residual_);
    for (std::size_t i = positions; i < unknowns(); ++i)
      F[i] = residual_[static_cast<Eigen::Index>(i - positions)];
  }

 private:
  typename P::Rates given_;
  Numbers numbers_, solved_;
  typename P::Residual residual_;
};

}  // namespace dalembert::compat
