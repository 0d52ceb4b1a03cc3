#pragma once

#include <type_traits>

#include <dalembert/assembly/detail/position_solution.hpp>

/// The solution of an assembly's equations where rows of some constraints are friction, u = −ελ in place
/// of u = 0.
namespace dalembert::assembly::detail {

/// As `Solution`. Where systems are found they are those of the exact rows alone: in a state, friction is a
/// load like any other.
template <class S, class Bodies, class Constraints>
class FrictionSolution : public PositionSolution<S, Bodies, Constraints> {
 public:
  using Base = PositionSolution<S, Bodies, Constraints>;
  using Base::Base;
  using typename Base::Column;
  using typename Base::NodeColumns;

  /// λ, the friction of the slip in this state with the reactions of the exact rows, and ż; f gets A_Vᵀλ
  /// added.
  SolveReport solve_multipliers(const State<S>& at, NodeColumns& f, NodeColumns& room, Column& lambda,
                                Column& zdot) {
    if (constraints_.rows() == 0) return {};
    const Nodes<S> n = this->nodes(at);
    constraints_.each(part_, w_, [&]<class K>(const K&, auto& e, const Slot&) {
      if constexpr (has_friction<K>) {
        e.friction.load = e.friction.force(Products<K>::velocities(e, n));
        Products<K>::add_loads(e, e.friction.load, n, f);
      }
    });
    return Base::solve_multipliers(at, f, room, lambda, zdot);
  }

  /// The reactions of the exact rows to more loads; friction is among `f` and λ, which is overwritten, has
  /// none.
  SolveReport react_to_more(const State<S>& at, NodeColumns& f, NodeColumns& room, Column& lambda,
                            Column& zdot) {
    constraints_.each(part_, w_, []<class K>(const K&, auto& e, const Slot&) {
      if constexpr (has_friction<K>) e.friction.load.setZero();
    });
    return Base::solve_multipliers(at, f, room, lambda, zdot);
  }

  /// The constraint forces of a kick for h/2 at the beginning of a step of h, in a configuration that was
  /// located. With a the rate of u but for the constraint forces, and E = εT,
  ///   (E + hG) λ₁ = −(T u + h a),   (E + hG) λ₂ = E λ₁ − h a,   λ = 2λ₁ − λ₂       (1)
  /// Without friction both are −G⁻¹a, as they are as ε → 0 without slip; where hG ≪ ε, λ is −T
  /// u/ε to second order. Leaves the systems of (1).
  void react_in_step(const State<S>& at, NodeColumns& f, NodeColumns& room, Column& lambda, Column& zdot,
                     S h) {
    if (constraints_.rows() == 0) return;
    decompose_for(at, h);
    const Nodes<S> n = this->nodes(at);
    const bool prescribed = bodies_.prescribes();
    if (prescribed) bodies_.accelerate(part_, at, f, room);
    constraints_.each(part_, w_, [&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
      const auto a = this->find_rates(c, e, slot, at, prescribed ? &room : nullptr, f, zdot);
      put(-a, w_.known, slot.row);
      put(-a, lambda, slot.row);
      if constexpr (has_friction<K>)
        if (e.friction.mobility > S(0)) {
          const Vec<S, Evaluation<K>::R> slip = e.friction.rubbing(Products<K>::velocities(e, n));
          for (int r = 0; r < Evaluation<K>::R; ++r) lambda[slot.row + r] -= slip[r] / h;
        }
    });
    solve_all(lambda, at, f);
    constraints_.each(part_, w_, [&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
      constexpr int R = Evaluation<K>::R;
      Vec<S, R> b = take<R>(w_.known, slot.row);
      if constexpr (has_friction<K>)
        b += (e.friction.mobility / h) * e.friction.rubbing(take<R>(lambda, slot.row));
      put(b, w_.mu, slot.row);
    });
    solve_all(w_.mu, at, f);
    constraints_.each(part_, w_, [&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
      constexpr int R = Evaluation<K>::R;
      const Vec<S, R> mu = S(2) * take<R>(lambda, slot.row) - take<R>(w_.mu, slot.row);
      put(mu, lambda, slot.row);
      Products<K>::add_loads(e, mu, n, f);
    });
  }

  /// The end of a step of h: onto the exact rows, while friction acts for half of it; finds the systems of
  /// the exact rows alone.
  Projection<S> stop_in_step(State<S>& x, S h) {
    decompose_for(x, h / S(2));
    const Projection<S> moved = Base::stop(x, false);
    decompose_for(x, S(0));
    return moved;
  }
  /// Systems of the exact rows again, after `react_in_step`.
  void find_exact(const State<S>& at) { decompose_for(at, S(0)); }

  /// The end of a step: onto the exact rows, while friction acts for half the step, (E + ½hG) p = −½h u;
  /// then λ of the state. f stays.
  Projection<S> stop_and_react(State<S>& x, NodeColumns& f, NodeColumns& room, Column& lambda, Column& zdot,
                               SolveReport& report) {
    if (constraints_.rows() == 0) return {};
    const Projection<S> moved = stop_in_step(x, mine_.step);
    bodies_.each(part_, [&]<class B>(const B&, std::size_t i) { entry<B>(w_.kept, i) = entry<B>(f, i); });
    report = solve_multipliers(x, w_.kept, room, lambda, zdot);
    return moved;
  }

 private:
  using Base::bodies_;
  using Base::constraints_;
  using Base::mine_;
  using Base::part_;
  using Base::w_;

  /// Systems of the rows that were found, with friction that acts for a duration.
  void decompose_for(const State<S>& at, S duration) {
    const Nodes<S> n = this->nodes(at);
    Base::decompose(n, false, [&]<class K>(const K&, Evaluation<K>& e) {
      if constexpr (has_friction<K>) {
        Products<K>::find_friction(e, n, duration);
        e.friction.load.setZero();
        e.direct = e.alone && Products<K>::invert(e, n);
      }
    });
  }
  /// b ← the solution of the systems for right sides b.
  void solve_all(Column& b, const State<S>& at, const NodeColumns& f) {
    constraints_.each(part_, w_, [&]<class K>(const K&, const Evaluation<K>& e, const Slot& slot) {
      const auto mine = take<Evaluation<K>::R>(b, slot.row);
      if (e.direct)
        put(solve_alone(e, -mine), b, slot.row);
      else
        put(shaped(e, mine), b, slot.row);
    });
    if (mine_.groups.empty()) return;
    this->solve_groups(b, at.time, [&] { return bodies_.strength(part_, f); });
    Base::each_together([&]<class K>(const K&, const Evaluation<K>& e, const Slot& slot) {
      put(shaped(e, take<Evaluation<K>::R>(b, slot.row)), b, slot.row);
    });
  }
};

/// What solves for these constraints.
template <class S, class Bodies, class Constraints>
using SolutionOf = std::conditional_t<Constraints::rub, FrictionSolution<S, Bodies, Constraints>,
                                      PositionSolution<S, Bodies, Constraints>>;

}  // namespace dalembert::assembly::detail
