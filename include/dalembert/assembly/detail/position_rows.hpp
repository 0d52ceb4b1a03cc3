#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include <dalembert/assembly/detail/kind_functions.hpp>
#include <dalembert/assembly/detail/position_projection.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>

/// The position rows of constraints of one kind.
namespace dalembert::assembly::detail {

/// Where one constraint is, near the internal coordinates that its tangency asks for; so many steps were
/// `done` before.
template <class K, class S>
#ifdef NDEBUG
[[gnu::flatten]]
#endif
[[gnu::noinline]] void
solve_internal(const K& c, Evaluation<K>& e, const Slot& slot, State<S>& x, RowNumbers<S>& w, int done) {
  const Evaluator<K> evaluator(c);
  if constexpr (Evaluator<K>::Has::tangency) {
    if (!follows_rates(c)) {
      e.tangent = solve_tangency(evaluator, slot.number, x, slot.z, e, w.weights.data(), S(1e-6), done);
      evaluator.find_error(e, x.time);
      return;
    }
  }
  find_points(evaluator, x, slot.z, e, w.weights.data());
  if constexpr (Evaluation<K>::Z > 0) {
    find_slopes(evaluator, x, e);
    evaluator.check_markers(e.points, x.time);
  }
  e.tangent = true;
  evaluator.find_error(e, x.time);
}
/// The position rows of one constraint. Where it shares no node with others they are closed in closed form.
template <class K, class S = ScalarOf<K>>
struct PositionRows {
  using Rows = Products<K>;
  static constexpr int P = Evaluation<K>::P;
  const K& c;
  Evaluation<K>& e;
  const Slot slot;
  const Correction<S>& by;
  RowNumbers<S>& w;

  void solve_internal(int done) const { detail::solve_internal(c, e, slot, by.x, w, done); }
  /// Which row is open most, with those before. Sizes are found where it comes near to being closed; those of
  /// before will do for the iterations after, and for the first one far from it.
  void find_open(int iteration, OpenRows<S>& open) const {
    open.tangent = open.tangent && e.tangent;
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
      if (!found) e.sizes = sizes_of_rows(Evaluator<K>(c), e.points, by.x.time);
      e.near = near;
      open.most.include(e, slot.position);
    }
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
  /// Rows, and what closes them, to `push`; or that without those that rounding explains: to close these
  /// further moves nodes to and fro, and that opens others where rows nearly depend on each other.
  void find_rows_and_push(bool beyond_rounding) const {
    Evaluator<K>(c).find_rows(e, by.x);
    put(dalembert::detail::opposite(e.error), w.push, slot.position);
    for (int p = 0; beyond_rounding && p < P; ++p)
      if (!(number::abs(e.error[p]) > std::numeric_limits<S>::epsilon() * e.sizes[p]))
        w.push[slot.position + p] = S(0);
  }
  [[nodiscard]] S together(const OpenRow<S>& open) const { return open.relative; }
  /// Move the nodes by the multipliers in `push`.
  void displace(bool late, Displacement<S>& d) const {
    if constexpr (P > 0) {
      const auto m = take<P>(w.push, slot.position);
      d.square += number::abs(dalembert::detail::inner(m, e.error));
      if (late) d.least = std::min(d.least, least_rounding<S>(e, by.n));
      Rows::displace_all(e, m, by.along, by.per_time, by.n, by.x);
    }
  }
  [[nodiscard]] std::string name_of_row(int row) const {
    return row_name(c, slot.number, row - slot.position, true);
  }
};

}  // namespace dalembert::assembly::detail
