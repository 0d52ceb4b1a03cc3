#pragma once

/// What the solution of an assembly's equations finds out.
namespace dalembert::assembly {

/// What a solve found out.
struct Report {
  int redundant_rows =
      0;  ///< rows that follow from others: their multipliers are not unique, those of least norm are given
  int clusters = 0;  ///< groups of constraints that share nodes
};

}  // namespace dalembert::assembly
