#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/detail/closing.hpp>
#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/assembly/detail/solution.hpp>
#include <dalembert/core/number.hpp>

/// The structured solution of an assembly's equations with its projection onto positions.
namespace dalembert::assembly::detail {

/// As `Solution`, with what closes positions.
template <class S, class Bodies, class Constraints>
class PositionSolution : public Solution<S, Bodies, Constraints> {
 public:
  using Base = Solution<S, Bodies, Constraints>;
  using Base::Base;
  using typename Base::System;

  /// q += M⁻¹A_VᵀCᵀm until φ = 0, v += that / h if h > 0; then the rows there and their systems,
  /// where the clusters of a configuration nearby were found. Throws NoConvergence.
  Projection<S> close(State<S>& x, S h, bool repair) {
    Projection<S> result;
    const S per_time = h > S(0) ? S(1) / h : S(0);
    for (int i = 0; constraints_.rows() > 0; ++i) {
      if (i == iteration_limit) throw_stays_open(constraints_, x.time, OpenRow<S>{}, Leftover<S>{});
      bool moved = false;
      this->mine_.groups = this->mine_.together;
      const auto ahead = [&](const auto& e) { prefetch(e, x.chains, bodies_.inertia()); };
      constraints_.each(part_, w_, ahead, [&](const auto& c, auto& e, const Slot& slot) {
        settle(c, e, slot, x);
        if (e.alone && !close_alone(c, e, slot, x, per_time, repair, result))
          this->mine_.groups.push_back(e.cluster);
        moved = moved || has_moved(e);
      });
      this->mine_.make_systems();
      std::size_t kept = 0;
      for (const std::size_t group : this->mine_.groups) {
        close_together(group, x, per_time, repair, result);
        bool direct = false;
        constraints_.each_member(part_, group, w_, [&](const auto& c, auto& e, const Slot&) {
          Base::find_system(c, e, x, this->nodes(x));
          direct = e.direct;
          moved = moved || has_moved(e);
        });
        if (!direct) this->mine_.groups[kept++] = group;
      }
      this->mine_.groups.resize(kept);
      this->decompose_groups(this->nodes(x), repair);
      if (!moved || !constraints_.find_clusters(part_, w_)) break;
    }
    return result;
  }

 protected:
  using Base::bodies_, Base::constraints_, Base::part_, Base::w_;

 private:
  static constexpr int iteration_limit = 50;
  static constexpr int late = 3;  // iterations within which rows close where rounding is as expected

  /// Where one constraint is, near the internal coordinates that its tangency asks for.
  template <class K>
  [[gnu::noinline, gnu::flatten]] void settle(const K& c, Evaluation<K>& e, const Slot& slot, State<S>& x,
                                              int done = 0) {
    const Evaluator<K> evaluator(c);
    if constexpr (Evaluator<K>::Traits::Has::tangency) {
      if (!follows_rates(c)) {
        e.settled = solve_tangency(evaluator, slot.number, x, slot.z, e, w_.weights.data(), S(1e-6), done);
        evaluator.find_error(e, x.time);
        return;
      }
    }
    find_points(evaluator, x, slot.z, e, w_.weights.data());
    if constexpr (Evaluation<K>::Z > 0) {
      find_slopes(evaluator, x, e);
      evaluator.check_markers(e.points, x.time);
    }
    e.settled = true;
    evaluator.find_error(e, x.time);
  }

  /// Which position row of a constraint is open most, with those before. Sizes are found where it comes near
  /// to being closed; those of before will do for the iterations after, and for the first one far from it.
  template <class K>
  static void find_open(const Evaluator<K>& evaluator, Evaluation<K>& e, const Slot& slot, const S& time,
                        int iteration, OpenRow<S>& open) {
    if constexpr (Evaluation<K>::P > 0) {
      if (number::is_zero(e.error)) {
        e.near = false;
        return;
      }
      bool near = true;
      for (int p = 0; p < Evaluation<K>::P; ++p)
        near = near && !(number::abs(e.error[p]) > S(1e4) * std::numeric_limits<S>::epsilon() * e.sizes[p]);
      const bool found = near ? iteration > 1 && e.near : iteration == 1 && e.sizes[0] != S(0);
      if (!found) e.sizes = sizes_of_rows(evaluator, e.points, time);
      e.near = near;
      open.include(e, slot.position);
    }
  }

  /// Newton's iterations that close the positions of some constraints. `correct(i, serves, left)` puts into
  /// `push` what multiplies their position rows, with the system of before if that serves, and is false if
  /// it cannot; `together(open)` is how far they are open together, once it could.
  template <class Each, class Correct, class Together>
  bool close_rows(const Each& each_member, const Correct& correct, const Together& together, State<S>& x,
                  S per_time, bool repair, Projection<S>& result) {
    const Nodes<S> n = this->nodes(x);
    Closing<S> closing;
    Leftover<S> left;
    bool corrected = false;
    for (int i = 1;; ++i) {
      OpenRow<S> open;
      bool settled = true, zero = true;
      each_member([&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
        find_open(Evaluator<K>(c), e, slot, x.time, i, open);
        settled = settled && e.settled;
        zero = zero && number::is_zero(e.error);
        if constexpr (Evaluation<K>::P > 0) result.iterations = std::max(result.iterations, i);
      });
      if (i == 1 && settled && zero) return true;
      if (i > iteration_limit || !open.finite) throw_stays_open(constraints_, x.time, open, left);
      const bool closed = closing.closed(open.relative, corrected ? together(open) : open.relative);
      if (settled && closed) return true;
      if (!closed) {
        left = {};
        if (!correct(i, closing.serves, left)) return false;
        corrected = true;
        S square(0), least = std::numeric_limits<S>::infinity();
        each_member([&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
          if constexpr (Evaluation<K>::P == 0) return;
          const auto m = take<Evaluation<K>::P>(w_.push, slot.position);
          square += number::abs(m.dot(e.error));
          if (i > late) least = std::min(least, least_rounding<S>(e, n));
          Products<K>::displace_all(e, m, repair, per_time, n, x);
        });
        result.moved += S(number::sqrt(value_of(square)));
        // a step that leaves much of a row is at rest where rows contradict each other
        if (i > late) closing.at_rest = square <= least && !(left.size > S(1e-3) * left.largest);
      }
      each_member([&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) { settle(c, e, slot, x, i); });
    }
  }
  /// Close the positions of a constraint that shares no node with others, and find its rows. False if that
  /// has no closed form.
  template <class K>
  [[gnu::flatten]] bool close_alone(const K& c, Evaluation<K>& e, const Slot& slot, State<S>& x, S per_time,
                                    bool repair, Projection<S>& result) {
    using P = Products<K>;
    if constexpr (P::position_rows < Evaluation<K>::P) return false;
    const Nodes<S> n = this->nodes(x);
    const auto correct = [&](int, bool, Leftover<S>&) {
      if constexpr (P::position_rows > 0) {
        Evaluator<K>(c).find_rows(e, x);
        linalg::SmallInverse<S, P::position_rows> inverse;
        if (!P::invert_positions(e, n, inverse)) return false;
        put(inverse.negative_times(e.error), w_.push, slot.position);
      }
      return true;
    };
    if (!close_rows([&](const auto& f) { f(c, e, slot); }, correct,
                    [](const OpenRow<S>& open) { return open.relative; }, x, per_time, repair, result))
      return false;
    Base::find_system(c, e, x, n);
    return e.direct;
  }

  /// How far a cluster of which rows follow from others is open, beside its sizes, both in the units of the
  /// kinetic energy; infinite for others.
  [[nodiscard, gnu::noinline]] S open_together(std::size_t cluster) {
    System& system = this->mine_.system(cluster);
    if (system.redundant() == 0) return std::numeric_limits<S>::infinity();
    constraints_.each_member(part_, cluster, w_, [&](const auto&, auto& e, const Slot& slot) {
      put(e.error, w_.push, slot.position);
      put(e.sizes, w_.known, slot.position);
    });
    this->gather(cluster);
    return system.largest(this->mine_.members, w_.push) / system.largest(this->mine_.members, w_.known);
  }
  /// What closes the position rows of a constraint, without those that rounding explains: to close these
  /// further moves nodes to and fro, and that opens others where rows nearly depend on each other.
  template <class E>
  [[nodiscard]] static Vec<S, E::P> beyond_rounding(const E& e) {
    constexpr S rounding = std::numeric_limits<S>::epsilon();
    Vec<S, E::P> push;
    for (int p = 0; p < E::P; ++p)
      push[p] = number::abs(e.error[p]) > rounding * e.sizes[p] ? S(-e.error[p]) : S(0);
    return push;
  }
  /// Close the positions of all members of a cluster.
  void close_together(std::size_t cluster, State<S>& x, S per_time, bool repair, Projection<S>& result) {
    const auto each_member = [&](const auto& f) { constraints_.each_member(part_, cluster, w_, f); };
    const auto correct = [&](int i, bool serves, Leftover<S>& left) {
      each_member([&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
        Evaluator<K>(c).find_rows(e, x);
        put(i > late ? beyond_rounding(e) : Vec<S, Evaluation<K>::P>(-e.error), w_.push, slot.position);
      });
      this->gather(cluster);
      System& system = this->mine_.system(cluster);
      if (!serves)
        system.decompose(this->mine_.members, {.positions = true, .repair = repair}, this->nodes(x));
      system.solve(this->mine_.members, w_.push, left);
      return true;
    };
    close_rows(
        each_member, correct, [&](const OpenRow<S>&) { return open_together(cluster); }, x, per_time, repair,
        result);
  }
};

}  // namespace dalembert::assembly::detail
