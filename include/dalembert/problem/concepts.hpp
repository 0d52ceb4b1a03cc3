#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/one_by_one.hpp>
#include <dalembert/core/real.hpp>

/// The seam between what is stepped and what steps it. A `Problem` is what every integrator steps and what
/// another solver may take; the refinements say what some integrators ask for besides. Nothing here knows a
/// system.
///
/// A problem is immutable while it is stepped; everything that changes lives in objects that the caller owns:
///   State       time, configuration g, body velocity ξ, internal coordinates z; copyable; `time` public
///   Rates       ξ̇, ż, the multipliers λ, and what the solve found out
///   Increment   (η, δξ, δz, δt) in the linear space in which Runge–Kutta stages are added up
/// A State, Rates or Increment is made once by the problem, and no call below allocates after that.
namespace dalembert {

/// How far a state is from its constraints, as maximum norms over the rows.
template <class S = double>
struct Violation {
  S position{};  ///< holonomic rows [unit of the row, m for a gap]
  S velocity{};  ///< velocity rows [unit of the row, m/s for a slip]
};

/// The powers in a state [W]; energy changes at the rate `constraint + dissipation + load + contacts`.
template <class S = double>
struct Powers {
  S constraint{};   ///< of the constraint forces; zero when C_V = C_K is linear and does not depend on time
  S dissipation{};  ///< of damping and friction, ≤ 0 if they dissipate
  S load{};         ///< of forces without a potential and of prescribed motions
  S contacts{};     ///< of contacts that open and close; steps book their works (`ContactWorks`)
};

/// What a projection onto the constraints did.
template <class S = double>
struct Projection {
  S moved{};  ///< in the kinetic-energy metric: the larger of positions [kg^½ m] and velocities [J^½]
  int iterations = 0;     ///< Newton iterations on positions
  bool converged = true;  ///< every iteration met its tolerance

  /// Onto rows of which these are some, and those of `other` the rest.
  void join(const Projection& other) {
    using std::max, std::sqrt;
    moved = moved == S(0) ? other.moved : sqrt(moved * moved + other.moved * other.moved);
    iterations = max(iterations, other.iterations);
    converged = converged && other.converged;
  }
};

/// The linear space of Runge–Kutta stages.
template <class I, class S>
concept StageSpace = std::copyable<I> && requires(I& u, const I& k, S factor) {
  u.set_zero();
  u.add_scaled(factor, k);                 // u += factor · k
  { k.norm() } -> std::convertible_to<S>;  // maximum norm, for step-size control
};

/// A `StageSpace` whose elements are columns of `dimension` numbers, but for the time: what differences,
/// Newton's method and tangent flows ask for.
template <class I, class S>
concept CoordinateSpace = StageSpace<I, S> && requires(I& u, const I& k) {
  { I::dimension } -> std::convertible_to<int>;
  { k.coordinates() } -> std::same_as<Vec<S, I::dimension>>;
  u.set_coordinates(k.coordinates());  // the time stays as it is
  u.time = S(0);
};

/// What a run goes by, whoever steps it: a `Problem`, or a `Flow`.
template <class P>
concept Observable = requires(const P& problem, const typename P::State& at) {
  typename P::Scalar;
  requires std::copyable<typename P::State>;
  { at.time } -> std::convertible_to<typename P::Scalar>;
  { problem.energy(at) } -> std::convertible_to<typename P::Scalar>;  // [J]
  { problem.constraint(at) } -> std::same_as<Violation<typename P::Scalar>>;
};

/// What every integrator steps; see the head of this file.
template <class P>
concept Problem = requires(const P& problem, typename P::State& state, const typename P::State& at,
                           typename P::Rates& rates, const typename P::Rates& given,
                           typename P::Increment& increment, const typename P::Increment& offset) {
  typename P::Scalar;
  requires std::copyable<typename P::State>;
  requires StageSpace<typename P::Increment, typename P::Scalar>;
  { at.time } -> std::convertible_to<typename P::Scalar>;
  { problem.make_rates() } -> std::same_as<typename P::Rates>;
  { problem.make_increment() } -> std::same_as<typename P::Increment>;
  problem.rates(at, rates);  // ξ̇, ż, λ in `at`
  // increment = (dexp⁻¹_η ξ, ξ̇, ż, 1), η from `offset`
  problem.slope(at, offset, given, increment);
  problem.retract(at, offset, state);  // state = at ⊕ offset; the two may be one object
  problem.solve_algebraic(state);      // algebraic internals, from the values in `state`
  // Onto positions and velocities.
  { problem.project(state) } -> std::same_as<Projection<typename P::Scalar>>;
  { problem.energy(at) } -> std::convertible_to<typename P::Scalar>;          // [J]
  { problem.kinetic_energy(at) } -> std::convertible_to<typename P::Scalar>;  // [J]
  { problem.constraint(at) } -> std::same_as<Violation<typename P::Scalar>>;
  { problem.power(at, given) } -> std::same_as<Powers<typename P::Scalar>>;
};

/// A problem that also gives the residual of its equations for any rates: what implicit solvers, and tests,
/// ask for. `residual` is a column vector: equations of motion, internal coordinates, constraint rows
/// differentiated until rates appear.
template <class P>
concept ResidualProblem = Problem<P> &&
    requires(const P& problem, const typename P::State& at, const typename P::Rates& given,
             typename P::Residual& residual) {
  { problem.make_residual() } -> std::same_as<typename P::Residual>;
  problem.residual(at, given, residual);
};

/// A problem that tells its states apart: the increment u with from ⊕ u = to.
template <class P>
concept DifferenceProblem = Problem<P> &&
    requires(const P& problem, const typename P::State& from, const typename P::State& to) {
  { problem.difference(from, to) } -> std::same_as<typename P::Increment>;
};

/// A problem whose states are told apart by columns of numbers: `difference(from, to)` is the increment with
/// from ⊕ it = to.
template <class P>
concept CoordinateProblem =
    DifferenceProblem<P> && CoordinateSpace<typename P::Increment, typename P::Scalar>;

/// What is called with the numbers of increments and rates; see `NumberedProblem`.
template <class S = double>
struct NumberSink {
  void position(S&) {}    ///< of η, or of a displacement
  void velocity(S&) {}    ///< of δξ, or of ξ̇
  void internal(S&) {}    ///< of δz, or of ż
  void multiplier(S&) {}  ///< of λ
};

/// A problem whose increments and rates are told number by number, as other solvers take them, by functions
/// beside its state: `visit_increment` calls position, velocity and internal with the numbers of an
/// increment; `visit_rates` velocity and internal, in the same order, and multiplier. A `residual` then has
/// an equation for each number of the rates. The state tells how many numbers there are.
template <class P>
concept NumberedProblem = Problem<P> &&
    requires(const typename P::State& at, typename P::Increment& increment, typename P::Rates& rates,
             NumberSink<typename P::Scalar>& visit) {
  visit_increment(at, increment, visit);
  visit_rates(at, rates, visit);
  increment.time = typename P::Scalar(0);
};

/// A problem that can be pushed back onto its constraints on the way, not at the end of a step only:
/// `collocation` asks for it. The Delassus operator of its rows is A M⁻¹Aᵀ.
template <class P>
concept ProjectableProblem = Problem<P> &&
    requires(const P& problem, const typename P::State& at, const typename P::VelocityResidual& mu,
             typename P::Rates& rates) {
  requires(P::held_rows > 0);
  // φ̇ and R, zero where the constraints hold.
  { problem.velocity_residual(at) } -> std::same_as<typename P::VelocityResidual>;
  // ξ̇ += M⁻¹Aᵀμ, A = ∂velocity_residual/∂ξ; M made regular where it is not.
  problem.add_impulse_response(at, mu, rates);
  { problem.delassus(at) } -> std::same_as<Mat<typename P::Scalar, P::held_rows>>;  // A M⁻¹Aᵀ
};

/// A problem whose Hamiltonian splits into kinetic energy with an exact flow and a rest that only kicks
/// velocities; `verlet` asks for it.
template <class P>
concept SplitProblem = Problem<P> &&
    requires(const P& problem, typename P::State& state, const typename P::State& at,
             typename P::NodeLoads& loads, const typename P::NodeLoads& given, typename P::Scalar h) {
  typename P::NodeLoads;
  { problem.make_loads() } -> std::same_as<typename P::NodeLoads>;
  problem.locate(at, loads);  // what constraints are in a configuration; those below ask for it
  problem.loads(at, loads);   // forces of potential and loads, without constraint forces
  problem.add_constraint_forces(state, loads);  // add Aᵀλ, λ at acceleration level; λ is kept in `loads`
  problem.kick(state, given, h);                // v += h M⁻¹ (loads)
  // Kick by `given` for the first time, then the flow of the kinetic energy for the second.
  problem.kick_drift(at, given, h, h, state);
  // Onto positions, δq = M⁻¹Aᵀμ, v += δq/h; The forces in `loads` stay, and it is located.
  { problem.project_position(state, h, loads) } -> std::same_as<Projection<typename P::Scalar>>;
  // v −= M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹Av, then as `add_constraint_forces`.
  { problem.finish_step(state, loads) } -> std::same_as<Projection<typename P::Scalar>>;
};

/// A problem that falls into parts, which do not act on each other: part(0) to part(parts() − 1) step each
/// its part of the states and loads of the whole, in any order, or at the same time where
/// `parts_are_apart()`, once the time of the state to come is set; `run` is as `OneByOne`. Where
/// `P::reacts_in_step`, `begin_step` adds the constraint forces itself, and `finish_step` does not. A step
/// that does all of one part before the next finds its numbers in the cache.
template <class P>
concept PartedProblem = SplitProblem<P> &&
    requires(const P& problem, typename P::State& state, const typename P::State& at,
             typename P::NodeLoads& loads, typename P::Scalar h, const OneByOne& run) {
  { problem.parts() } -> std::same_as<std::size_t>;
  { problem.parts_are_apart() } -> std::same_as<bool>;
  { problem.part(std::size_t{}).nodes() } -> std::convertible_to<std::ptrdiff_t>;  // how much work it is
  // a kick by `loads` for h/2, the drift for h
  problem.part(std::size_t{}).begin_step(at, loads, h, state, run);
  {
    problem.part(std::size_t{}).project_position(state, h, loads)
    } -> std::same_as<Projection<typename P::Scalar>>;
  problem.part(std::size_t{}).end_step(state, loads, h, run);  // the forces there, and a kick by them for h/2
  { problem.part(std::size_t{}).finish_step(state, loads) } -> std::same_as<Projection<typename P::Scalar>>;
  problem.join_parts(loads);  // after the last of them
};

/// A problem that bounds its frequencies: no small motion about `at` has a higher angular frequency [rad/s],
/// constraints included.
template <class P>
concept FrequencyBoundedProblem = Problem<P> && requires(const P& problem, const typename P::State& at) {
  { problem.frequency_bound(at) } -> std::convertible_to<typename P::Scalar>;
};

/// A problem that bounds the waves within those of its bodies that are elastic [rad/s]: an explicit step that
/// they do not stand is too long, whatever else moves. It says nothing of a body that swings by its weight or
/// by the forces of constraints.
template <class P>
concept WaveBoundedProblem = Problem<P> && requires(const P& problem, const typename P::State& at) {
  { problem.wave_frequency_bound(at) } -> std::convertible_to<typename P::Scalar>;
};

/// A problem that says where it holds: `require_valid(at)` throws where it does not.
template <class P>
concept ValidatedProblem = Problem<P> && requires(const P& problem, const typename P::State& at) {
  problem.require_valid(at);
};

/// A problem that is driven along prescribed motions, and says whether they can be followed: `check_step(t,
/// h, put_back)` throws an InvalidState where they cannot from t to t + h, h of any sign [s]. `put_back`: the
/// step ends on the constraints, so that velocities may jump. Every step asks before it begins.
template <class P>
concept DrivenProblem = Problem<P> && requires(const P& problem, typename P::Scalar time, bool put_back) {
  problem.check_step(time, time, put_back);
};

/// A problem whose states have a shape: `check_state(at)` throws std::invalid_argument for one of another
/// shape.
template <class P>
concept ShapedProblem = Problem<P> && requires(const P& problem, const typename P::State& at) {
  problem.check_state(at);
};

/// A problem that finds the acceleration of a whole step, from forces in one state and velocity rows in
/// another; `symmetric` asks for it. Velocities are columns of numbers: `xi` of a state, `xidot` of rates,
/// `eta` of an increment.
template <class P>
concept StepAccelerationProblem = Problem<P> &&
    requires(const P& problem, const typename P::State& at, typename P::Rates& rates,
             typename P::Increment& increment, typename P::Scalar h) {
  // Whether no velocity matters but the third argument.
  { P::step_acceleration_is_explicit } -> std::convertible_to<bool>;
  // The dynamics hold in the first state, and the velocity rows of the second, linearised there, for at.xi +
  // h ξ̇.
  problem.step_acceleration(at, at, at.xi, h, rates);
  increment.eta = at.xi + h * rates.xidot;
};

/// What one step did.
template <class S = double>
struct StepReport {
  bool converged = true;  ///< every inner iteration met its tolerance
  int iterations = 0;     ///< of the inner iteration, at most
  S error{};              ///< estimate of the local error, 0 if the method has none
};

/// What contacts that open and close did in a step, or in several [J].
template <class S = double>
struct ContactWorks {
  S impact{};      ///< of their normal impulses
  S friction{};    ///< of the others
  S driven{};      ///< of surfaces that move by themselves
  S correction{};  ///< change of kinetic energy where positions were put right

  /// All of it.
  [[nodiscard]] S sum() const { return impact + friction + driven + correction; }
  /// And those of other steps.
  ContactWorks& operator+=(const ContactWorks& other) {
    impact += other.impact;
    friction += other.friction;
    driven += other.driven;
    correction += other.correction;
    return *this;
  }
};

/// What a step did of a problem whose contacts open and close.
template <class S = double>
struct ContactStepReport : StepReport<S> {
  ContactWorks<S> works{};  ///< in the step; observers get the sum since they were called last
};

/// A problem whose velocities jump where contacts close: `works(loads)` tells what they did in the last step.
/// Methods whose steps end on the constraints of such a problem say so by `takes_impacts`.
template <class P>
concept ImpactProblem = Problem<P> && requires {
  requires P::has_impacts;
};

/// What steps of a problem report: with works, if its contacts open and close.
template <class P>
using StepReportOf = std::conditional_t < requires {
  requires P::has_impacts;
}
, ContactStepReport<typename P::Scalar>, StepReport < typename P::Scalar >> ;

/// A model that brings its own step, such as waves that travel along characteristics; `SelfStepping` runs it.
/// It has no rates, because it is no differential equation in its state.
///   step(state, h)     moves `state` on by h [s]; it ends in a state that is good, or throws and leaves
///                      `state` as it was. It does not copy its state, which may be large, nor does a run
///   time_step()        optional: the only h that it can step by [s]
///   power(state)       optional: the powers in a state, zero if nothing is said
///   kinetic_energy(at) optional [J]
template <class P>
concept Flow =
    Observable<P> && !Problem<P> && requires(const P& flow, typename P::State& state, typename P::Scalar h) {
  { flow.step(state, h) } -> std::same_as<StepReport<typename P::Scalar>>;
};

/// A flow whose steps all have the same length.
template <class P>
concept FixedStepFlow = Flow<P> && requires(const P& flow) {
  { flow.time_step() } -> std::convertible_to<typename P::Scalar>;
};

}  // namespace dalembert
