#pragma once

#include <vector>

#include "own_solver/run.hpp"

namespace own_solver {

/// What a run is asked to do.
struct Options {
  double t_end = 6;          ///< of the sleigh [s]
  double rods_t_end = 5e-3;  ///< of the rods [s]
  long elements = 12;        ///< of each rod
  double tightest = 1e-10;   ///< tolerance
};

/// The tolerances 1e-4, 1e-5, … down to the tightest.
[[nodiscard]] std::vector<double> tolerances(const Options& options);

/// Chaplygin's sleigh, by every solver.
[[nodiscard]] std::vector<Line> solve_sleigh(const Options& options);
/// Two rods that roll on each other, by every solver.
[[nodiscard]] std::vector<Line> solve_rods(const Options& options);

}  // namespace own_solver
