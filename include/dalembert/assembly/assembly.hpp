#pragma once

#include <initializer_list>
#include <tuple>
#include <vector>

#include <dalembert/assembly/bodies.hpp>
#include <dalembert/assembly/by_parts.hpp>
#include <dalembert/assembly/detail/check.hpp>
#include <dalembert/assembly/detail/check_along.hpp>
#include <dalembert/assembly/detail/stages.hpp>
#include <dalembert/assembly/part.hpp>
#include <dalembert/assembly/rates.hpp>
#include <dalembert/core/number.hpp>

/// Any number of bodies under any number of constraints, as a `Problem`: what integrators step. The
/// structured solver of the equations
///   M a − A_Vᵀ λ = f,    A_K a + β = 0                                                         (1)
/// for bodies whose inertia is diagonal by node and rows that are sparse by node. λ, the Lagrange
/// multipliers of the constraint forces A_Vᵀλ, come from the Schur complement G, also called the Delassus
/// operator: λ = −G⁻¹(A_K M⁻¹f + β), G = A_K M⁻¹ A_Vᵀ, β = Ȧ_K v + ḃ. The dense solver of
/// the same system, for small systems of any inertia, is `LagrangeDAlembert`. Kinds of bodies and constraints
/// are a list of types, their numbers are those of the vectors; bodies are numbered from 0, kind after kind.
namespace dalembert::assembly {

template <class Bodies, class Constraints = Kinds<>>
class Assembly;

/// See the head of this file.
template <Body First, Body... Rest, class... C>
class Assembly<Kinds<First, Rest...>, Kinds<C...>>
    : public ByParts<Assembly<Kinds<First, Rest...>, Kinds<C...>>, typename First::Scalar,
                     typename detail::ConstraintList<typename First::Scalar, C...>::Workspace> {
  static_assert((detail::check_constraint<C>() && ...));

 public:
  using S = typename First::Scalar;          ///< the number type
  using Scalar = S;                          ///< the same
  using Index = Eigen::Index;                ///< counts nodes
  using State = assembly::State<S>;          ///< a point of phase space
  using Increment = assembly::Increment<S>;  ///< the space of stages
  using Column = Vec<S, Eigen::Dynamic>;     ///< a number per row
  using Residual = Column;                   ///< equations of motion, internal coordinates, rows
  using NodeColumns = NodeNumbers<S>;        ///< numbers for each node
  using Workspace = typename detail::ConstraintList<S, C...>::Workspace;  ///< what was computed of a state

  /// Whether a step finds its constraint forces at its beginning, for its length: rows are friction.
  static constexpr bool reacts_in_step = (detail::has_friction<C> || ...);

  /// ξ̇, ż, λ and what the solve found out, and room to work.
  using Rates = assembly::Rates<S, Workspace>;
  /// Loads on the nodes, and room to work.
  using NodeLoads = assembly::NodeLoads<S, Workspace>;

  /// Throws std::invalid_argument without bodies, or for a constraint at a place that is not there, or of
  /// another rod.
  [[gnu::cold, gnu::noinline]] explicit Assembly(Kinds<First, Rest...> bodies, Kinds<C...> constraints = {},
                                                 BodySetId set = 0);
  /// Of bodies that are told by handles. Throws the same, and for a marker made of a handle of other bodies.
  template <class... A>
  explicit Assembly(const BodySet<Kinds<First, Rest...>, A...>& bodies, Kinds<C...> constraints = {})
      : Assembly(static_cast<const Kinds<First, Rest...>&>(bodies), std::move(constraints), bodies.id()) {}
  /// Of one body.
  explicit Assembly(First body, Kinds<C...> constraints = {}) requires(sizeof...(Rest) == 0)
      : Assembly(Kinds<First>{{std::move(body)}}, std::move(constraints)) {}

  /// The bodies, in vectors of each type.
  [[nodiscard]] const Kinds<First, Rest...>& bodies() const noexcept { return bodies_.lists(); }
  /// The constraints, likewise.
  [[nodiscard]] const Kinds<C...>& constraints() const noexcept { return constraints_.lists(); }
  /// The bodies of kind I.
  template <std::size_t I>
  [[nodiscard]] const auto& bodies() const noexcept {
    return std::get<I>(bodies());
  }
  /// The constraints of kind I.
  template <std::size_t I>
  [[nodiscard]] const auto& constraints() const noexcept {
    return std::get<I>(constraints());
  }
  /// Number of rows of all constraints.
  [[nodiscard]] int row_count() const noexcept { return constraints_.rows(); }
  /// Number of internal coordinates.
  [[nodiscard]] int internal_size() const noexcept { return constraints_.slides(); }
  /// The first row of constraint `i` of kind I.
  template <std::size_t I>
  [[nodiscard]] int first_row(std::size_t i) const {
    return constraints_.template first_row<I>(i);
  }

  /// A state with these chains, held ends put in place, and guesses of the internal coordinates, which are
  /// solved for but where they follow their rates. Throws std::invalid_argument if the chains do not fit the
  /// bodies or are not finite, or velocity rows of a constraint are not the rates of its position rows, and
  /// what `solve_algebraic` throws.
  [[nodiscard]] State state(std::vector<Chain<S>> chains, Column z = {}, S time = S(0)) const {
    return state({time, std::move(chains), std::move(z)});
  }
  /// The same of bodies that are told by handles, in any order:
  ///   problem.state({{r, rod.straight(…)}, {b, ball.at(…)}})
  /// Throws std::invalid_argument for a handle of other bodies and for a body without a start as well.
  [[nodiscard, gnu::cold, gnu::noinline]] State state(std::initializer_list<Start<S>> bodies, Column z = {},
                                                      S time = S(0)) const;
  /// The same of strings, whose lines, one per body, are empty for bodies that are chains.
  [[nodiscard]] State state(std::vector<Line<S>> lines, Column z = {}, S time = S(0)) const {
    return state({time, bodies_.blank().chains, std::move(z), std::move(lines)});
  }
  /// The same of a state of this shape.
  [[nodiscard, gnu::cold, gnu::noinline]] State state(State x) const;
  /// Throws std::invalid_argument, naming both sizes, for a state of other bodies.
  void check_state(const State& x) const;

  /// Room for rates.
  [[nodiscard, gnu::cold, gnu::noinline]] Rates make_rates() const;
  /// A zero increment.
  [[nodiscard]] Increment make_increment() const {
    return {bodies_.columns(), bodies_.columns(), zero(internal_size()), S(0)};
  }
  /// Room for loads.
  [[nodiscard, gnu::cold, gnu::noinline]] NodeLoads make_loads() const;
  /// Room to work.
  [[nodiscard, gnu::noinline]] Workspace make_workspace() const;
  /// Room for a residual.
  [[nodiscard]] Residual make_residual() const {
    Index n = internal_size() + row_count();
    bodies_.each([&]<class B>(const B& body, std::size_t) { n += (LineBody<B> ? 1 : 6) * body.nodes(); });
    return Residual::Zero(n);
  }

  /// r̈, ω̇, ż and λ. Throws std::invalid_argument for rates of another assembly, ElementTurnedTooFar,
  /// NotFinite, IncompatibleConstraints, and what constraints throw that no longer hold.
  void rates(const State& at, Rates& r) const;

  /// Equations of motion for given accelerations and multipliers (in loads; where a degree is held, in
  /// accelerations), internal coordinates for given ż, then the differentiated rows. Allocates.
  void residual(const State& at, const Rates& given, Residual& out) const {
    residual(at, given, out, [](NodeColumns&) {});
  }

  /// (ṙ, J_r⁻¹(θ) ω, r̈, ω̇, ż, 1) for a stage that lies at `offset` from the base of the step.
  void slope(const State& at, const Increment& offset, const Rates& r, Increment& k) const noexcept {
    detail::slope(at, offset, r.xidot, k);
    k.z = r.zdot;
    k.time = S(1);
  }
  /// state = at ⊕ offset: positions and velocities added, rotations Λ exp(θ), held ends put in place.
  void retract(const State& at, const Increment& offset, State& state) const;

  /// Bring the internal coordinates up to date. Throws ContactAtEnd, ParallelRods, NoConvergence.
  void solve_algebraic(State& x) const { constraints_.solve_tangencies(x, false); }
  /// Put every internal coordinate, from a guess, where the tangencies are zero: those too that follow their
  /// rates from there on. Throws the same.
  void solve_tangencies(State& x) const { constraints_.solve_tangencies(x, true); }

  /// Onto positions, then velocities, in the kinetic-energy metric.
  Projection<S> project(State& x, Workspace& w, Along along = Along::rows) const;
  /// The same with a workspace of its own. Allocates.
  Projection<S> project(State& x) const {
    auto w = make_workspace();
    return project(x, w);
  }

  /// Kinetic energy [J]. Throws NotFinite if it is no number, as do those below.
  [[nodiscard]] S kinetic_energy(const State& x) const;
  /// Kinetic and potential energy [J].
  [[nodiscard]] S energy(const State& x) const;
  /// A bound on the angular frequencies of small motions about a state [rad/s], without the constraints,
  /// which only lower those of bodies that are stiff beside their loads.
  [[nodiscard]] S frequency_bound(const State& x) const
      requires(FrequencyBoundedBody<First> && (FrequencyBoundedBody<Rest> && ...)) {
    check_state(x);
    return bodies_.wave_frequency_bound(x);
  }
  /// The same of those bodies alone that bound theirs, as rods and strings do; rigid bodies beside them say
  /// nothing [rad/s].
  [[nodiscard]] S wave_frequency_bound(const State& x) const
      requires(FrequencyBoundedBody<First> || (FrequencyBoundedBody<Rest> || ...)) {
    check_state(x);
    return bodies_.wave_frequency_bound(x);
  }
  /// How far the state is from its constraints [m, m/s; rad, rad/s where a row is an angle]; slip under
  /// friction is none. Allocates.
  [[nodiscard, gnu::cold, gnu::noinline]] Violation<S> constraint(const State& x) const;
  /// A v + b of every row, in the order of the constraints [m/s; rad/s where a row is an angle]. Allocates.
  [[nodiscard]] Column row_velocities(const State& x) const { return velocities(x, false); }
  /// φ of every position row [m; rad where it is an angle]. Allocates.
  [[nodiscard]] Column row_errors(const State& x) const {
    check_state(x);
    Workspace w = make_workspace();
    constraints_.find_places(x, w);
    Column phi = zero(constraints_.positions());
    constraints_.each(w, [&](const auto&, const auto& e, const detail::Slot& slot) {
      detail::put(e.error, phi, slot.position);
    });
    return phi;
  }
  /// Powers of the constraint forces, of the damping, and of loads; what drives a constraint is a load [W].
  /// Allocates.
  [[nodiscard, gnu::noinline]] Powers<S> power(const State& x, const Rates& r) const;

  /// Throws PathJumps, or what else a constraint of one's own throws, where what drives it, or the end of a
  /// rod, cannot be followed from `time` on for h, of any sign [s]; `put_back` as `DrivenProblem` says.
  void check_step(const S& time, const S& h, bool put_back) const {
    detail::check_step(bodies_, constraints_, time, h, put_back);
  }

  /// How many parts there are, which do not act on each other.
  [[nodiscard]] std::size_t parts() const noexcept { return bodies_.parts().count(); }
  /// Whether they may step at the same time: no internal coordinate follows its rate, which takes the state
  /// at half a step.
  [[nodiscard]] bool parts_are_apart() const noexcept { return !constraints_.follow_rates(); }
  /// One of them.
  [[nodiscard]] auto part(std::size_t number) const noexcept {
    return Part<S, Bodies, Constraints>(bodies_, constraints_, number);
  }

 protected:
  using Bodies = detail::BodyList<S, First, Rest...>;           ///< all of them
  using Constraints = detail::ConstraintList<S, C...>;          ///< likewise
  using Solution = detail::SolutionOf<S, Bodies, Constraints>;  ///< what solves for multipliers

  /// The bodies.
  [[nodiscard]] const Bodies& body_list() const noexcept { return bodies_; }
  /// The constraints.
  [[nodiscard]] const Constraints& constraint_list() const noexcept { return constraints_; }
  /// As `residual`, with loads that `add(loads)` adds.
  template <class Add>
  void residual(const State& at, const Rates& given, Residual& out, const Add& add) const {
    check_state(at);
    detail::check_rates(bodies_.blank(), row_count(), internal_size(), given);
    if (out.size() != make_residual().size()) out = make_residual();
    Rates r = make_rates();
    for (std::size_t p = 0; p < parts(); ++p) bodies_.forces(p, at, r.loads);
    add(r.loads);
    evaluate(at, r.work, true);
    const auto nodes = nodes_of(at, r.work);
    constraints_.each(r.work, [&]<class K>(const K&, const detail::Evaluation<K>& e, const auto& slot) {
      const auto lambda = detail::take<ConstraintTraits<K>::rows>(given.lambda, slot.row);
      detail::Products<K>::add_loads(e, lambda, nodes, r.loads);
    });
    for (std::size_t p = 0; p < parts(); ++p) bodies_.accelerate(p, at, r.loads, r.xidot);
    const int internal = static_cast<int>(bodies_.missing(given.xidot, r.xidot, out));
    const int row = internal + internal_size();
    constraints_.each(r.work, [&]<class K>(const K&, const detail::Evaluation<K>& e, const auto& slot) {
      for (int j = 0; j < e.Z; ++j) out[internal + slot.z + j] = given.zdot[slot.z + j] - e.zdot[j];
      const auto lambda = detail::take<ConstraintTraits<K>::rows>(given.lambda, slot.row);
      detail::put(detail::missing(e, nodes, given.xidot, lambda), out, row + slot.row);
    });
  }

 private:
  static Column zero(int n) { return Column::Zero(n); }
  [[nodiscard]] detail::Nodes<S> nodes_of(const State& at, const Workspace& w) const noexcept {
    return {at.chains, at.lines, bodies_.inertia(), w.weights.data()};
  }
  /// A v + b of every row, or but for slip under friction.
  [[nodiscard, gnu::cold, gnu::noinline]] Column velocities(const State& x, bool exact) const;
  /// Throws std::invalid_argument where velocity rows are not the rates of position rows.
  [[gnu::cold, gnu::noinline]] void check_along(const State& x) const {
    if constexpr (((ConstraintTraits<C>::positions > 0 && ConstraintTraits<C>::Has::velocity) || ...)) {
      Workspace w = make_workspace();
      constraints_.find_places(x, w);
      constraints_.each(w, [&]<class K>(const K& c, detail::Evaluation<K>& e, const detail::Slot& slot) {
        detail::check_along(c, e, slot.number, x);
      });
    }
  }
  /// Places and rows, and rates if they are asked for.
  [[gnu::noinline]] void evaluate(const State& x, Workspace& w, bool rates) const {
    constraints_.find_places(x, w);
    constraints_.each(w, [&]<class K>(const K& c, detail::Evaluation<K>& e, const detail::Slot&) {
      detail::Evaluator<K>(c).find_rows(e, x);
      if (rates) detail::find_rates(c, x, w.weights.data(), e);
    });
  }

  Bodies bodies_;
  Constraints constraints_;
  BodySetId set_ = 0;
};

/// Of bodies and constraints.
template <class... B, class... C>
Assembly(std::tuple<std::vector<B>...>, std::tuple<std::vector<C>...>) -> Assembly<Kinds<B...>, Kinds<C...>>;
/// Of bodies of one type.
template <Body B>
Assembly(std::vector<B>) -> Assembly<Kinds<B>>;
/// Of one body.
template <Body B, class... C>
Assembly(B, std::tuple<std::vector<C>...>) -> Assembly<Kinds<B>, Kinds<C...>>;
/// Of one body alone.
template <Body B>
Assembly(B) -> Assembly<Kinds<B>>;
/// Of bodies alone.
template <class... B>
Assembly(std::tuple<std::vector<B>...>) -> Assembly<Kinds<B...>>;

}  // namespace dalembert::assembly

#include <dalembert/assembly/detail/assembly_members.hpp>
