#pragma once

#include <utility>

#include <dalembert/integrate/check.hpp>
#include <dalembert/integrate/detail/implicit_step.hpp>
#include <dalembert/integrate/detail/last_state.hpp>
#include <dalembert/integrate/method.hpp>

/// The generalised-α method on the group, for any `ImplicitProblem`. With an auxiliary acceleration a beside
/// v̇ a step of length h is
///   q₁ = q₀ ∘ Δ,   Δ = h v₀ + h² ((½ − β) a₀ + β a₁),
///     v₁ = v₀ + h ((1 − γ) a₀ + γ a₁)  (1)
///   (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀                                    (2)
///   M v̇₁ + … = f + A_Vᵀλ and positions in q₁, the other velocity rows for v₁;
///   then v₁ is put onto all velocity rows                                                        (3)
///   α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ + α_f − α_m,  β = ¼(γ + ½)²      (4)
/// It is of second order, and multiplies what oscillates faster than steps can follow by the spectral radius
/// ρ in each step: ρ = 1 preserves it, ρ = 0 takes it out at once. Sources: Chung & Hulbert 1993, J. Appl.
/// Mech. 60, 371; Brüls, Cardona & Arnold 2012, Mech. Mach. Theory 48, 121.
namespace dalembert {

/// Workspace of `GeneralizedAlpha` for the problem P.
template <ImplicitProblem P>
class GeneralizedAlphaStepper {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// For states of the shape of `state`.
  GeneralizedAlphaStepper(const P& problem, const State& state, Scalar radius, const NewtonOptions& newton)
      : equations_(implicit_equations(problem, state)),
        newton_(newton),
        next_(state),
        rates_(problem.make_rates()),
        mean_((Scalar(2) * radius - Scalar(1)) / (radius + Scalar(1))),
        force_(radius / (radius + Scalar(1))),
        gamma_(Scalar(0.5) + force_ - mean_),
        beta_((gamma_ + Scalar(0.5)) * (gamma_ + Scalar(0.5)) / Scalar(4)) {
    step_.loads = LoadsAt::end;
    step_.constant_velocity = step_.constant_acceleration = velocity_ = auxiliary_ = rate_ = room_ =
        equations_.make_columns();
  }

  /// Move `state` on by h [s], h > 0. Whatever the problem throws passes through, as NoConvergence does, and
  /// `state` is then as before.
  [[nodiscard]] StepReport<Scalar> step(const P& problem, State& state, Scalar h) {
    check_step(problem, state, h, true);
    const Scalar one(1), half(0.5);
    if (!last_.is(state)) {
      equations_.forget();
      problem.rates(state, rates_);
      auxiliary_ = rate_ = rates_.xidot;
    }
    last_.forget();
    if (step_.length != h) equations_.forget_factors();
    step_.length = h;
    step_.velocity = gamma_ / (beta_ * h);
    const Scalar share = (one - mean_) / (one - force_);
    step_.acceleration = share / (beta_ * h * h);
    // room: (Δ − β h² a₁)/h
    equations_.get_velocity(state, velocity_);
    room_ = velocity_;
    room_.add_scaled((half - beta_) * h, auxiliary_);
    step_.constant_velocity = velocity_;
    step_.constant_velocity.add_scaled((one - gamma_) * h, auxiliary_);
    step_.constant_velocity.add_scaled(-gamma_ / beta_, room_);
    step_.constant_acceleration.set_zero();
    step_.constant_acceleration.add_scaled(-share / (beta_ * h), room_);
    step_.constant_acceleration.add_scaled(mean_ / (one - force_), auxiliary_);
    step_.constant_acceleration.add_scaled(-force_ / (one - force_), rate_);
    auto& displacement = equations_.displacement();
    displacement.set_zero();
    displacement.add_scaled(h, velocity_);
    displacement.add_scaled(half * h * h, auxiliary_);
    equations_.start(state, step_);
    StepReport<Scalar> report;
    report.iterations = detail::solve_step(equations_, newton_, h, state.time);
    equations_.check();
    equations_.finish(step_.velocity, step_.constant_velocity, next_);
    equations_.project(problem, next_);
    // v̇₁ and a₁
    rate_ = step_.constant_acceleration;
    rate_.add_scaled(step_.acceleration, displacement);
    auxiliary_.set_zero();
    auxiliary_.add_scaled(one / (beta_ * h * h), displacement);
    auxiliary_.add_scaled(-one / (beta_ * h), room_);
    std::swap(state, next_);
    last_.note(state, h);
    return report;
  }

  /// Forget the accelerations, the multipliers and the matrix kept from the last step.
  void reset() noexcept { last_.forget(); }

  /// The state before the last step that succeeded.
  [[nodiscard]] const State& previous() const noexcept { return next_; }

 private:
  using Equations = decltype(implicit_equations(std::declval<const P&>(), std::declval<const State&>()));
  using Columns = typename Equations::Columns;

  Equations equations_;
  NewtonOptions newton_;
  State next_;
  typename P::Rates rates_;
  ImplicitStep<Columns, Scalar> step_{};
  Columns velocity_{}, auxiliary_{}, rate_{}, room_{};  // v₀, a, v̇
  detail::LastState<State> last_{};
  Scalar mean_, force_, gamma_, beta_;
};

/// The generalised-α method; see the head of this file.
struct GeneralizedAlpha {
  static constexpr int order = 2;           ///< order of convergence
  static constexpr bool symmetric = false;  ///< whether the adjoint method is the method itself
  static constexpr int error_order = 0;     ///< power of h in the error estimate, 0 without one

  /// The accelerations a and v̇: a run that goes on from a state begins with the one of that state for both,
  /// as a new run does, which changes it within the method's error.
  static constexpr bool keeps_memory = true;

  double spectral_radius = 0.8;  ///< ρ, from 0 to 1
  NewtonOptions newton{};        ///< how its equations are solved

  /// The workspace for `problem` and states of the shape of `state`. Throws std::invalid_argument for a
  /// spectral radius that is none.
  template <class P>
  [[nodiscard]] auto stepper(const P& problem, const typename P::State& state) const {
    static_assert(ImplicitProblem<P>,
                  "this is no ImplicitProblem (problem/implicit.hpp): implicit_equations(problem, "
                  "state) is missing; that of assemblies is in implicit/implicit.hpp");
    require(spectral_radius >= 0 && spectral_radius <= 1, "GeneralizedAlpha", "spectral radius",
            spectral_radius, "it must lie in [0, 1]");
    newton.check();
    return GeneralizedAlphaStepper<P>(problem, state, static_cast<typename P::Scalar>(spectral_radius),
                                      newton);
  }
};

}  // namespace dalembert
