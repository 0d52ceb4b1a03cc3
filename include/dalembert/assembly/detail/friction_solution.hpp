#pragma once

#include <cstddef>
#include <type_traits>

#include <dalembert/assembly/detail/body_calls.hpp>
#include <dalembert/assembly/detail/solution.hpp>

/// The solution of an assembly's equations where rows of some constraints are friction, u = −ελ in place
/// of u = 0.
namespace dalembert::assembly::detail {

/// As `Solution`. Where systems are found they are those of the exact rows alone: in a state, friction is a
/// load like any other.
template <class S, bool may_react_elsewhere>
class FrictionSolution : public Solution<S, may_react_elsewhere, true> {
 public:
  using Base = Solution<S, may_react_elsewhere, true>;
  using Base::Base;
  using typename Base::Kind;

  /// λ, the friction of the slip in this state with the reactions of the exact rows, and ż; f gets A_Vᵀλ
  /// added.
  SolveReport solve_multipliers(const State<S>& at, NodeNumbers<S>& f, NodeNumbers<S>& room,
                                Column<S>& lambda, Column<S>& zdot) {
    const Nodes<S> n = this->nodes(at);
    each([&](Kind& kind) { kind.add_friction_loads(n, f); });
    return Base::solve_multipliers(at, f, room, lambda, zdot);
  }

  /// The reactions of the exact rows to more loads; friction is among `f` and λ, which is overwritten, has
  /// none.
  SolveReport react_to_more(const State<S>& at, NodeNumbers<S>& f, NodeNumbers<S>& room, Column<S>& lambda,
                            Column<S>& zdot) {
    each([](Kind& kind) { kind.forget_friction(); });
    return Base::solve_multipliers(at, f, room, lambda, zdot);
  }

  /// The constraint forces of a kick for h/2 at the beginning of a step of h, in a configuration that was
  /// located. With a the rate of u but for the constraint forces, and E = εT,
  ///   (E + hG) λ₁ = −(T u + h a),   (E + hG) λ₂ = E λ₁ − h a,   λ = 2λ₁ − λ₂       (1)
  /// Without friction both are −G⁻¹a, as they are as ε → 0 without slip; where hG ≪ ε, λ is −T
  /// u/ε to second order. Leaves the systems of (1).
  void react_in_step(const State<S>& at, NodeNumbers<S>& f, NodeNumbers<S>& room, Column<S>& lambda,
                     Column<S>& zdot, S h) {
    if (kinds_.empty()) return;
    const Nodes<S> n = this->nodes(at);
    decompose_for(n, h);
    const Reaction<S> r = this->reaction(at, n, f, room, lambda, zdot);
    if (r.accelerations) bodies_.accelerate(at, f, room);
    each([&](Kind& kind) { kind.start_step(r, h); });
    solve_all(lambda, at, f);
    each([&](Kind& kind) { kind.go_on_in_step(lambda, h); });
    solve_all(w_.mu, at, f);
    each([&](Kind& kind) { kind.end_in_step(r); });
  }

  /// The end of a step of h: onto the exact rows, while friction acts for half of it; finds the systems of
  /// the exact rows alone.
  Projection<S> project_in_step(State<S>& x, S h) {
    decompose_for(this->nodes(x), h / S(2));
    const Projection<S> moved = Base::project_velocities(x, Along::reactions);
    decompose_for(this->nodes(x), S(0));
    return moved;
  }
  /// Systems of the exact rows again, after `react_in_step`.
  void find_exact(const State<S>& at) { decompose_for(this->nodes(at), S(0)); }

  /// The end of a step: onto the exact rows, while friction acts for half the step, (E + ½hG) p = −½h u;
  /// then λ of the state. f stays.
  Projection<S> project_and_react(State<S>& x, NodeNumbers<S>& f, NodeNumbers<S>& room, Column<S>& lambda,
                                  Column<S>& zdot, SolveReport& report) {
    if (kinds_.empty()) return {};
    const Projection<S> moved = project_in_step(x, mine_.step);
    bodies_.copy(f, w_.kept);
    report = solve_multipliers(x, w_.kept, room, lambda, zdot);
    return moved;
  }

 private:
  using Base::bodies_, Base::kinds_, Base::mine_, Base::w_;
  using Base::each;

  /// Systems of the rows that were found, with friction that acts for a duration.
  void decompose_for(const Nodes<S>& n, S duration) {
    mine_.groups = mine_.shared_clusters;
    each([&](Kind& kind) { kind.find_systems_for(duration, n, mine_.groups); });
    this->decompose_groups(n, Along::reactions);
  }
  /// b ← the solution of the systems for right sides b.
  void solve_all(Column<S>& b, const State<S>& at, const NodeNumbers<S>& f) {
    each([&](Kind& kind) { kind.solve(b); });
    if (mine_.groups.empty()) return;
    this->solve_groups(b, at.time, [&] { return bodies_.strength(f); });
    each([&](Kind& kind) { kind.finish(b); });
  }
};

/// What solves for constraints of any kinds.
template <class S, bool may_react_elsewhere, bool may_have_friction>
using AnySolution = std::conditional_t<may_have_friction, FrictionSolution<S, may_react_elsewhere>,
                                       Solution<S, may_react_elsewhere, false>>;

/// The constraints of a part, made before what solves for them.
template <class Constraints>
struct KeptKinds {
  KeptKinds(const Constraints& constraints, std::size_t part, typename Constraints::Workspace& w)
      : own_kinds(constraints.kinds_of_part(part, w)) {}

  typename Constraints::Kinds own_kinds;
};

/// What solves for the constraints of a part, with its bodies and constraints, which it knows by their faces
/// alone: `Bodies` is a BodyList, `Constraints` a ConstraintList.
template <class S, class Bodies, class Constraints>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class SolutionOf final : private PartBodies<S>,
                         private KeptKinds<Constraints>,
                         public AnySolution<S, Constraints::react_elsewhere, Constraints::rub> {
 public:
  SolutionOf(const Bodies& bodies, const Constraints& constraints, std::size_t part,
             typename Constraints::Workspace& w)
      : PartBodies<S>(bodies.inertia(), bodies.prescribes()),
        KeptKinds<Constraints>(constraints, part, w),
        AnySolution<S, Constraints::react_elsewhere, Constraints::rub>(*this, this->own_kinds.view(), part,
                                                                       w),
        all_(bodies),
        part_(part) {}

 private:
  [[gnu::noinline]] void accelerate(const State<S>& at, const NodeNumbers<S>& f,
                                    NodeNumbers<S>& a) const override {
    all_.accelerate(part_, at, f, a);
  }
  [[gnu::noinline]] S speed(const State<S>& x) const override { return all_.speed(part_, x); }
  [[gnu::noinline]] S strength(const NodeNumbers<S>& f) const override { return all_.strength(part_, f); }
  [[gnu::noinline]] void copy(const NodeNumbers<S>& from, NodeNumbers<S>& to) const override {
    all_.each(part_, [&]<class B>(const B&, std::size_t i) { entry<B>(to, i) = entry<B>(from, i); });
  }

  const Bodies& all_;
  std::size_t part_;
};

}  // namespace dalembert::assembly::detail
