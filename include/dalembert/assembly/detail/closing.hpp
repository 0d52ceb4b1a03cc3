#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <dalembert/assembly/detail/solution_support.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// When position rows are closed: as far as the rounding of what they are made of lets them come.
namespace dalembert::assembly::detail {

/// The position row of a constraint that is open most, beside its size.
template <class S>
struct OpenRow {
  int row = -1;        ///< counted over all; −1 if all are closed
  S error{};           ///< |φ|
  S size{};            ///< of what it is made of, in its unit
  S relative{};        ///< |φ| / size; infinite where a size is not finite
  bool finite = true;  ///< no φ is NaN or infinite

  /// Take in the position rows of a constraint, of which the first is `first`.
  template <class E>
  void include(const E& e, int first) {
    for (int p = 0; p < E::P; ++p) {
      const S open = number::abs(e.error[p]);
      if (open == S(0)) continue;
      finite = finite && number::isfinite(open);
      const S ratio =
          number::isfinite(e.sizes[p]) ? S(open / e.sizes[p]) : std::numeric_limits<S>::infinity();
      if (ratio <= relative) continue;
      *this = {first + p, open, e.sizes[p], ratio, finite};
    }
  }
};

/// When to stop. Rows are closed where rounding explains what they are open by, or where they come no nearer
/// and either it nearly does or the last correction was below the rounding of the nodes that it moved. Rows
/// that follow from others cannot all be closed further than the rounding of those of them lets them that are
/// made of the largest numbers: to that `together` is relative. Derivatives arrive in steps of their own,
/// after the values. A system whose correction brought rows a thousand times nearer serves for the next one
/// too: the simplified Newton method (Deuflhard 2011, Newton Methods for Nonlinear Problems, section 2.1.2).
template <class S>
struct Closing {
  S before = std::numeric_limits<S>::infinity();
  bool at_rest = false;                           ///< the last correction was below the rounding of nodes
  bool serves = false;                            ///< its system does for another
  int derivatives = number::derivative_order<S>;  ///< orders that still need a step

  [[nodiscard]] bool closed(const S& relative, const S& together) noexcept {
    constexpr S rounding = std::numeric_limits<S>::epsilon();
    const bool stays = relative >= before / S(2);
    serves = number::derivative_order<S> == 0 && number::isfinite(before) && relative <= S(1e-3) * before;
    before = relative;
    const bool closed = relative <= rounding ||
                        (stays && (at_rest || relative <= S(16) * rounding || together <= S(4) * rounding));
    if constexpr (number::derivative_order < S >> 0)
      if (closed && derivatives-- > 0) return false;
    return closed;
  }
};

/// The square of the rounding of the nodes that bear a constraint in the metric of the kinetic energy, of
/// that place whose nodes have least of it.
template <class S, class E>
[[nodiscard, gnu::noinline]] S least_rounding(const E& e, const Nodes<S>& n) {
  S least = std::numeric_limits<S>::infinity();
  for (const Window& w : e.windows) {
    if (w.count == 0) continue;
    S sum(0);
    for (Eigen::Index i = 0; i < w.count; ++i) {
      if (w.line) {
        const auto& line = n.lines[w.body];
        const Eigen::Index k = (w.first + i) % line.displacement.size();
        const S inverse = n.inertia[w.body].line_inverse[k];
        if (inverse > S(0)) sum += line.displacement[k] * line.displacement[k] / inverse;
        continue;
      }
      for (int j = 0; j < 6; ++j) {
        const S inverse = n.inertia[w.body].inverse(w.first + i, j);
        const S x = j < 3 ? n.chains[w.body].configuration(w.first + i, j) : S(1);
        if (inverse > S(0)) sum += x * x / inverse;
      }
    }
    if (sum < least) least = sum;
  }
  return std::numeric_limits<S>::epsilon() * std::numeric_limits<S>::epsilon() * least;
}

/// Throws NoConvergence for positions that stay open; but where the last step left of a row what no step
/// takes, rows contradict each other.
template <class Constraints, class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_stays_open(const Constraints& constraints, S time,
                                                             const OpenRow<S>& open,
                                                             const Leftover<S>& left) {
  if (left.size > S(1e-3) * left.largest && open.error > trusted<S>() * open.size)
    throw_contradicts(constraints, left.row, true, time);
  if (open.row < 0)
    throw NoConvergence(
        "NoConvergence: the nodes that bear the constraints of an assembly change without end",
        number::plain(time));
  throw NoConvergence(
      message({"NoConvergence: ", constraints.name_of_row(open.row, true), " stays open by ",
               number::plain(open.error), ", and is made of numbers of the size ", number::plain(open.size)}),
      number::plain(time));
}

}  // namespace dalembert::assembly::detail
