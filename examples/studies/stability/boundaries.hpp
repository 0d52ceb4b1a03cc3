#pragma once

#include <string>
#include <vector>

#include "stability/motion.hpp"

namespace stability {

using Points = std::vector<dalembert::analysis::EigenvaluePoint<double>>;

/// A value of the parameter where the eigenvalues change their kind, found by bisection.
struct Boundary {
  Kind kind;
  double value;
  const Known* known;  ///< what it is, if that is known; lives as long as its Motion
};

/// Where the parameter has values from `from` to `to`.
struct Interval {
  double from, to;
  bool damped;  ///< whether small motions die away, rather than go on for ever
};

/// The eigenvalues at `count` values of the parameter, followed along it.
[[nodiscard]] Points follow(const Motion& motion, double from, double to, long count);

/// The boundaries between `points`, each to 1e-13 of its value, or 1e-15 of the whole range if that is more.
[[nodiscard]] std::vector<Boundary> boundaries(const Motion& motion, const Points& points);

/// The intervals between these boundaries, and the ends of `points`, where no eigenvalue has a positive real
/// part.
[[nodiscard]] std::vector<Interval> stable_intervals(const Points& points,
                                                     const std::vector<Boundary>& found);

}  // namespace stability
