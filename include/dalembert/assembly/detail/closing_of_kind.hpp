#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include <dalembert/assembly/detail/closing.hpp>
#include <dalembert/assembly/detail/kind_functions.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/core/detail/flatten.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>

/// How the positions of constraints of one kind are closed.
namespace dalembert::assembly::detail {

/// Where one constraint is, near the internal coordinates that its tangency asks for; so many steps were
/// `done` before.
template <class K, class S>
#ifdef NDEBUG
[[gnu::flatten]]
#endif
[[gnu::noinline]] void
settle(const K& c, Evaluation<K>& e, const Slot& slot, State<S>& x, RowNumbers<S>& w, int done) {
  const Evaluator<K> evaluator(c);
  if constexpr (Evaluator<K>::Traits::Has::tangency) {
    if (!follows_rates(c)) {
      e.settled = solve_tangency(evaluator, slot.number, x, slot.z, e, w.weights.data(), S(1e-6), done);
      evaluator.find_error(e, x.time);
      return;
    }
  }
  find_points(evaluator, x, slot.z, e, w.weights.data());
  if constexpr (Evaluation<K>::Z > 0) {
    find_slopes(evaluator, x, e);
    evaluator.check_markers(e.points, x.time);
  }
  e.settled = true;
  evaluator.find_error(e, x.time);
}
/// Which position row of a constraint is open most, with those before. Sizes are found where it comes near
/// to being closed; those of before will do for the iterations after, and for the first one far from it.
template <class K, class S>
void find_open(const K& c, Evaluation<K>& e, const Slot& slot, const S& time, int iteration,
               OpenRows<S>& open) {
  constexpr int P = Evaluation<K>::P;
  open.settled = open.settled && e.settled;
  if constexpr (P > 0) {
    open.some = true;
    if (number::is_zero(e.error)) {
      e.near = false;
      return;
    }
    open.zero = false;
    bool near = true;
    for (int p = 0; p < P; ++p)
      near = near && !(number::abs(e.error[p]) > S(1e4) * std::numeric_limits<S>::epsilon() * e.sizes[p]);
    const bool found = near ? iteration > 1 && e.near : iteration == 1 && e.sizes[0] != S(0);
    if (!found) e.sizes = sizes_of_rows(Evaluator<K>(c), e.points, time);
    e.near = near;
    open.most.include(e, slot.position);
  }
}
/// Move the nodes by the multipliers in `push`.
template <class K, class S>
void displace(const Evaluation<K>& e, const Slot& slot, const Correction<S>& by, const RowNumbers<S>& w,
              bool late, Displacement<S>& d) {
  constexpr int P = Evaluation<K>::P;
  if constexpr (P > 0) {
    const auto m = take<P>(w.push, slot.position);
    d.square += number::abs(dalembert::detail::inner(m, e.error));
    if (late) d.least = std::min(d.least, least_rounding<S>(e, by.n));
    Products<K>::displace_all(e, m, by.repair, by.per_time, by.n, by.x);
  }
}
/// What closes the position rows of a constraint, without those that rounding explains: to close these
/// further moves nodes to and fro, and that opens others where rows nearly depend on each other.
template <class E, class S = typename E::S>
[[nodiscard]] Vec<S, E::P> beyond_rounding(const E& e) {
  constexpr S rounding = std::numeric_limits<S>::epsilon();
  Vec<S, E::P> push;
  for (int p = 0; p < E::P; ++p)
    push[p] = number::abs(e.error[p]) > rounding * e.sizes[p] ? S(-e.error[p]) : S(0);
  return push;
}

/// The rows of a constraint that shares no node with others, which are closed in closed form.
template <class K, class S = ScalarOf<K>>
struct AloneRows {
  using Rows = Products<K>;
  const K& c;
  Evaluation<K>& e;
  const Slot& slot;
  const Correction<S>& by;
  RowNumbers<S>& w;

  void find_open(int iteration, OpenRows<S>& open) const {
    detail::find_open(c, e, slot, by.x.time, iteration, open);
  }
  [[nodiscard]] bool correct(int, bool, Leftover<S>&) const {
    if constexpr (Rows::position_rows > 0) {
      Evaluator<K>(c).find_rows(e, by.x);
      linalg::SmallInverse<S, Rows::position_rows> inverse;
      if (!Rows::invert_positions(e, by.n, inverse)) return false;
      put(inverse.negative_times(e.error), w.push, slot.position);
    }
    return true;
  }
  [[nodiscard]] S together(const OpenRow<S>& open) const { return open.relative; }
  void displace(bool late, Displacement<S>& d) const { detail::displace<K>(e, slot, by, w, late, d); }
  void settle(int done) const { detail::settle(c, e, slot, by.x, w, done); }
  [[nodiscard]] std::string name_of_row(int row) const {
    return row_name(c, slot.number, row - slot.position, true);
  }
};

}  // namespace dalembert::assembly::detail
