#pragma once

/// What the solution of an assembly's equations finds out.
namespace dalembert::assembly {

/// What a solve found out.
struct SolveReport {
  int redundant_rows =
      0;  ///< rows that follow from others: their multipliers are not unique, those of least norm are given
  int clusters = 0;  ///< groups of constraints that share nodes

  /// What both found out together.
  SolveReport& operator+=(const SolveReport& other) noexcept {
    redundant_rows += other.redundant_rows;
    clusters += other.clusters;
    return *this;
  }
};

}  // namespace dalembert::assembly
