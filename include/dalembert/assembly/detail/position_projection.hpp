#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include <dalembert/clusters/cluster_system.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Projection of positions onto their rows, as far as the rounding of what these are made of lets them come.
namespace dalembert::assembly::detail {

/// What may be left of a right side, relative to its size or to that of what it was made from: a little below
/// half the digits, for rows far from the origin are known to some of their last digits only.
template <class S>
[[nodiscard]] S trusted() noexcept {
  return number::sqrt(S(std::numeric_limits<S>::epsilon())) / S(16);
}

/// Throws IncompatibleConstraints for a row of this name.
template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_contradicts(const std::string& name, S time) {
  throw IncompatibleConstraints(message({"IncompatibleConstraints: ", name,
                                         " contradicts other rows, or acts on nothing that can move"}),
                                number::plain(time));
}

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
struct PositionConvergence {
  S before = std::numeric_limits<S>::infinity();
  bool at_rest = false;                           ///< the last correction was below the rounding of nodes
  bool serves = false;                            ///< its system does for another
  int derivatives = number::derivative_order<S>;  ///< orders that still need a step

  [[nodiscard]] bool reached(const S& relative, const S& together) noexcept {
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

template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_changes_without_end(S time) {
  throw NoConvergence("NoConvergence: the nodes that bear the constraints of an assembly change without end",
                      number::plain(time));
}
/// Throws NoConvergence for positions that stay open, those of the row of this name most; but where the last
/// step left of a row what no step takes, rows contradict each other.
template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_stays_open(const std::string& name, S time,
                                                             const OpenRow<S>& open,
                                                             const std::string& name_of_left,
                                                             const Leftover<S>& left) {
  if (left.size > S(1e-3) * left.largest && open.error > trusted<S>() * open.size)
    throw_contradicts(name_of_left, time);
  if (open.row < 0) throw_changes_without_end(time);
  throw NoConvergence(message({"NoConvergence: ", name, " stays open by ", number::plain(open.error),
                               ", and is made of numbers of the size ", number::plain(open.size)}),
                      number::plain(time));
}

/// What corrects positions.
template <class S>
struct Correction {
  State<S>& x;
  const Nodes<S>& n;  ///< of x
  S per_time;         ///< displacements times this are added to velocities [1/s]
  Along along;
  Projection<S>& result;
};
/// How far constraints are from being closed.
template <class S>
struct OpenRows {
  OpenRow<S> most;
  bool tangent = true;  ///< internal coordinates are those of the tangencies
  bool zero = true;     ///< all φ are 0
  bool some = false;    ///< there are position rows
};
/// A displacement of the nodes that bear constraints, and the least rounding of their places, both as squares
/// in the metric of the kinetic energy.
template <class S>
struct Displacement {
  S square{};
  S least = std::numeric_limits<S>::infinity();
};

inline constexpr int most_corrections = 50;  ///< no more iterations
inline constexpr int late_correction = 3;    ///< iterations in which rows close where rounding is as expected

/// Newton's iterations that project the positions of some constraints onto their rows. Of `rows` find_open
/// says how far they are open; correct(i, serves, left) finds the multipliers of their position rows, with
/// the system of before if that serves, and is false if it cannot; displace moves the nodes by them;
/// solve_internal finds the internal coordinates then; together(open) is how far rows are open together.
template <class S, class Rows>
bool solve_position_rows(const Rows& rows, const Correction<S>& by) {
  PositionConvergence<S> convergence;
  Leftover<S> left;
  bool corrected = false;
  for (int i = 1;; ++i) {
    OpenRows<S> open;
    rows.find_open(i, open);
    if (open.some) by.result.iterations = std::max(by.result.iterations, i);
    if (i == 1 && open.tangent && open.zero) return true;
    if (i > most_corrections || !open.most.finite) [[unlikely]] {
      const auto name = [&](int row) { return row < 0 ? std::string() : rows.name_of_row(row); };
      throw_stays_open(name(open.most.row), by.x.time, open.most, name(left.row), left);
    }
    const bool closed =
        convergence.reached(open.most.relative, corrected ? rows.together(open.most) : open.most.relative);
    if (open.tangent && closed) return true;
    if (!closed) {
      left = {};
      if (!rows.correct(i, convergence.serves, left)) return false;
      corrected = true;
      Displacement<S> d;
      rows.displace(i > late_correction, d);
      by.result.moved += S(number::sqrt(value_of(d.square)));
      // a step that leaves much of a row is at rest where rows contradict each other
      if (i > late_correction)
        convergence.at_rest = d.square <= d.least && !(left.size > S(1e-3) * left.largest);
    }
    rows.solve_internal(i);
  }
}

}  // namespace dalembert::assembly::detail
