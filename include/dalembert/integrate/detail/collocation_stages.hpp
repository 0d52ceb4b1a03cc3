#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/integrate/detail/collocation_parts.hpp>
#include <dalembert/integrate/method.hpp>

/// The stages of a collocation method; integrate/collocation.hpp has the equations.
namespace dalembert::detail {

/// Slopes k_i of one step, and the iteration that finds them.
template <collocation::Family F, Problem P>
class CollocationStages {
 public:
  using S = typename P::Scalar;             ///< the number type
  using State = typename P::State;          ///< a state of the problem
  using Increment = typename P::Increment;  ///< an element of the space of stages

  /// For states of the shape of `state`.
  CollocationStages(const P& problem, const State& state)
      : stage_(state),
        rates_(problem.make_rates()),
        centre_(state),
        first_(problem.make_increment()),
        half_(first_),
        offset_(first_),
        change_(first_),
        slopes_(filled(first_)),
        fresh_(filled(first_)),
        newton_(problem, state) {}

  /// Start a step of length h [s] from `state`: all slopes are that at the start.
  void begin(const P& problem, const State& state, S h) {
    h_ = h;
    problem.rates(state, rates_);
    offset_.set_zero();
    problem.slope(state, offset_, rates_, first_);
    slopes_.fill(first_);
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t j = 0; j < stages; ++j) {
        scaled_[i][j] = inner[i][j].scaled(h);
        scaled_points_[i][j] = at_points[i][j].scaled(h);
        scaled_total_[j] = all[j].scaled(h);
      }
    use_newton_ = each_stage_ = false;
  }

  /// Find the slopes of the step, with constraints held if `constrain`.
  StepReport<S> solve(const P& problem, const State& state, bool constrain) {
    if constexpr (ProjectableProblem<P>) {
      if (constrain) {
        put_centre(problem, state);
        problem.solve_algebraic(centre_);
        held_.begin(problem, centre_);
      }
    }
    StepReport<S> report{.converged = false};
    constexpr S infinity = std::numeric_limits<S>::infinity();
    S last = infinity, best = infinity;
    int stalled = 0, since_best = 0;
    for (int sweeps = 1; sweeps <= most_sweeps && !report.converged; ++sweeps) {
      const S change = try_sweep(problem, state, constrain);
      report.iterations = sweeps;
      // Of this size a change that no longer shrinks is noise.
      if (change <= noise() && !(change < last)) ++stalled;
      since_best = change < best ? 0 : since_best + 1;
      best = std::min(best, change);
      const bool stuck = since_best >= patience;
      report.converged = change == S(0) || stalled == 2 || (stuck && best <= noise_of(problem, state));
      // Newton's method that neither halves its changes nor makes small ones may end in a solution that the
      // motion does not lead to.
      const bool strays = each_stage_ && !(change <= std::max(last, slopes_size() / 5) / 2);
      const bool grows = strays || !(change < std::max(1000 * best, most_noise()));
      const bool hopeless = stuck || grows || (!use_newton_ && sweeps == most_fixed_point_sweeps);
      last = change;
      if (report.converged || (best < infinity && !hopeless) || change <= noise()) continue;
      if constexpr (!NewtonStages<F, P>::available) break;
      if constexpr (NewtonStages<F, P>::available) {
        // One matrix for all stages first; where what is stiff turns on the way, each stage has its own, anew
        // in each sweep.
        if (each_stage_) break;
        each_stage_ = use_newton_ || !newton_.prepare(problem, state, h_);
        use_newton_ = true;
        // From rest, not from the slope at the start: where a strong friction is still braking, that would
        // lead stages far away.
        for (Increment& slope : slopes_) {
          slope.set_zero();
          slope.time = first_.time;
        }
        if constexpr (ProjectableProblem<P>)
          held_.mu.setZero();  // a diverging iteration has left numbers there that would mislead the next
        last = best = infinity;
        since_best = 0;
      }
    }
    report.error = defect();
    return report;
  }

  /// h Σ b_j k_j of the step that was solved; the caller may add to it.
  [[nodiscard]] Increment& total() {
    put_total();
    return offset_;
  }

  /// out = state ⊕ the polynomial at the fraction `theta` of the step.
  void at(const P& problem, const State& state, S theta, State& out) {
    const auto weights = collocation::integrals(F::nodes, static_cast<long double>(theta));
    put_centre(problem, state);
    offset_ = half_;
    for (std::size_t j = 0; j < stages; ++j) offset_.add_scaled(h_ * static_cast<S>(weights[j]), slopes_[j]);
    problem.retract(centre_, offset_, out);
    problem.solve_algebraic(out);
  }

  /// Rounding of numbers of the size of the slopes.
  [[nodiscard]] S rounding() const { return std::numeric_limits<S>::epsilon() * (S(1e-3) + size_); }

 private:
  /// Changes of slopes that may be rounding; stiff forces have much of it.
  [[nodiscard]] S noise() const { return (use_newton_ ? S(1e8) : S(1e4)) * rounding(); }
  /// The same where numbers of the state are large, as an angle after many turns, so that its rounding keeps
  /// an iteration in a cycle: a hundred times what is lost, over the step, by going along parts of it and
  /// looking back.
  [[nodiscard]] S noise_of(const P& problem, const State& state) {
    S lost = 0;
    if constexpr (CoordinateProblem<P>) {
      put_total();
      for (int part = 1; part <= 8; ++part) {
        change_.set_zero();
        change_.add_scaled(S(part) / 8, offset_);
        problem.retract(state, change_, stage_);
        change_.add_scaled(S(-1), problem.difference(state, stage_));
        lost = std::max(lost, S(change_.norm()));
      }
    }
    return std::min(100 * lost / std::abs(h_), most_noise());
  }
  /// No more than this is ever noise.
  [[nodiscard]] S most_noise() const {
    static const S part = std::pow(std::numeric_limits<S>::epsilon(), S(0.4));
    return part * (S(1e-3) + size_);
  }
  /// Of the slopes found so far, without the one at the start, which may be far larger.
  [[nodiscard]] S slopes_size() const {
    S size = 0;
    for (const Increment& slope : slopes_) size = std::max(size, S(slope.norm()));
    return size;
  }

  static constexpr auto stages = static_cast<std::size_t>(F::stages);
  static constexpr int most_sweeps = 100;
  static constexpr int most_fixed_point_sweeps = 40;
  static constexpr int patience = 4;  ///< sweeps without progress after which an iteration is given up
  using Slopes = std::array<Increment, stages>;

  static Slopes filled(const Increment& one) {
    const auto copies = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Slopes{((void)I, one)...};
    };
    return copies(std::make_index_sequence<stages>{});
  }

  template <class Points>
  static constexpr std::array<Weights<S, F::stages>, stages> all_integrals(const Points& points) {
    std::array<Weights<S, F::stages>, stages> rows{};
    for (std::size_t i = 0; i < stages; ++i) rows[i] = split_integrals<F, S>(points[i]);
    return rows;
  }
  static constexpr auto inner = all_integrals(F::nodes);
  static constexpr auto at_points = all_integrals(F::held);
  static constexpr auto all = split_integrals<F, S>(1);

  /// Add Σ weight_j k_j to offset_, small parts first: after the large ones they would be rounded away.
  void add(const Weights<S, F::stages>& weights) {
    for (std::size_t j = 0; j < stages; ++j) offset_.add_scaled(weights[j].low, slopes_[j]);
    for (std::size_t j = 0; j < stages; ++j) offset_.add_scaled(weights[j].high, slopes_[j]);
  }

  /// offset_ = h Σ b_j k_j.
  void put_total() {
    offset_.set_zero();
    add(scaled_total_);
  }

  /// The middle of the step, and the increment from there to its start.
  void put_centre(const P& problem, const State& state) {
    put_total();
    half_.set_zero();
    half_.add_scaled(S(0.5), offset_);
    problem.retract(state, half_, centre_);
    half_.set_zero();
    half_.add_scaled(S(-0.5), offset_);
  }

  /// stage_ = the polynomial where these weights lead to, `fraction` of the step after its start.
  void put_stage(const P& problem, const State& state, const Weights<S, F::stages>& weights,
                 long double fraction) {
    offset_.set_zero();
    add(weights);
    offset_.add_scaled(S(1), half_);
    problem.retract(centre_, offset_, stage_);
    problem.solve_algebraic(stage_);
    stage_.time = state.time + h_ * static_cast<S>(fraction);
  }

  /// A sweep; what an iteration that diverges leads to is no fault of the state, as long as there is another
  /// way.
  S try_sweep(const P& problem, const State& state, bool constrain) {
    if constexpr (!NewtonStages<F, P>::available) return sweep(problem, state, constrain);
    try {
      return sweep(problem, state, constrain);
    } catch (const InvalidState&) {
      if (each_stage_) throw;
      return std::numeric_limits<S>::quiet_NaN();
    }
  }

  /// New slopes from the old ones, each used as soon as it is there unless Newton's method wants all; returns
  /// by how much they changed.
  S sweep(const P& problem, const State& state, [[maybe_unused]] bool constrain) {
    put_centre(problem, state);
    size_ = first_.norm();
    S change = 0;
    for (std::size_t i = 0; i < stages; ++i) {
      put_stage(problem, state, scaled_[i], F::nodes[i]);
      problem.rates(stage_, rates_);
      if constexpr (ProjectableProblem<P>) {
        if (constrain && !held_.mu.col(static_cast<int>(i)).isZero(0))
          problem.add_impulse_response(stage_, held_.mu.col(static_cast<int>(i)), rates_);
      }
      problem.slope(stage_, offset_, rates_, fresh_[i]);
      size_ = std::max(size_, S(fresh_[i].norm()));
      if (use_newton_) {
        if constexpr (NewtonStages<F, P>::available) {
          if (each_stage_) newton_.prepare_stage(problem, centre_, offset_, static_cast<int>(i), h_);
        }
        continue;
      }
      change_ = fresh_[i];
      change_.add_scaled(S(-1), slopes_[i]);
      const S size = change_.norm();
      change = size <= change ? change : size;  // not-a-number stays
      slopes_[i] = fresh_[i];
    }
    if (use_newton_) change = take_newton();
    if constexpr (ProjectableProblem<P>) {
      if (constrain) impose(problem, state);
    }
    return change;
  }

  [[gnu::noinline]] S take_newton() {
    if constexpr (NewtonStages<F, P>::available) {
      constexpr int dimension = P::Increment::dimension;
      if (each_stage_ && !newton_.factors.compute()) return std::numeric_limits<S>::quiet_NaN();
      for (std::size_t i = 0; i < stages; ++i)
        newton_.residual.template segment<dimension>(static_cast<int>(i) * dimension) =
            fresh_[i].coordinates() - slopes_[i].coordinates();
      newton_.factors.solve(newton_.residual);
      for (std::size_t i = 0; i < stages; ++i)
        slopes_[i].set_coordinates(slopes_[i].coordinates() + newton_.residual.template segment<dimension>(
                                                                  static_cast<int>(i) * dimension));
      return largest(newton_.residual);
    } else {
      return S(0);
    }
  }

  /// Measure the slips at the points, and correct μ unless they are rounding.
  void impose(const P& problem, const State& state) requires ProjectableProblem<P> {
    put_centre(problem, state);
    for (std::size_t q = 0; q < stages; ++q) {
      put_stage(problem, state, scaled_points_[q], F::held[q]);
      held_.residual.col(static_cast<int>(q)) = problem.velocity_residual(stage_);
    }
    if (held_.residual.cwiseAbs().maxCoeff() > std::numeric_limits<S>::epsilon() * size_) held_.correct(h_);
  }

  /// |h| times the difference between the slope at the start and that of the polynomial there.
  S defect() {
    change_ = first_;
    for (std::size_t j = 0; j < stages; ++j)
      change_.add_scaled(static_cast<S>(-collocation::lagrange(F::nodes, j, 0)), slopes_[j]);
    return std::abs(h_) * change_.norm();
  }

  State stage_;
  typename P::Rates rates_;
  State centre_;
  Increment first_, half_, offset_, change_;
  Slopes slopes_, fresh_;
  std::array<Weights<S, F::stages>, stages> scaled_{}, scaled_points_{};
  Weights<S, F::stages> scaled_total_{};
  [[no_unique_address]] HeldStages<F, P> held_;
  NewtonStages<F, P> newton_;
  S h_{};
  S size_{};
  bool use_newton_ = false;
  bool each_stage_ = false;  ///< Newton's method with a matrix for each stage and sweep
};

}  // namespace dalembert::detail
