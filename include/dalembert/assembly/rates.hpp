#pragma once

#include <dalembert/assembly/report.hpp>
#include <dalembert/assembly/state.hpp>

/// What is computed of a state of an assembly. `Workspace` is room to work.
namespace dalembert::assembly {

/// ξ̇, ż, λ and what the solve found out, and room to work.
template <class S, class Workspace>
struct Rates {
  NodeNumbers<S> xidot;           ///< r̈ (spatial) and ω̇ (body) of each node [m/s², rad/s²]
  NodeNumbers<S> loads;           ///< with the constraint forces [N, N m]
  Vec<S, Eigen::Dynamic> lambda;  ///< multipliers of all rows
  Vec<S, Eigen::Dynamic> zdot;    ///< rates of internal coordinates
  SolveReport report;             ///< what the solve found out
  Workspace work;                 ///< room to work
};

/// Loads on the nodes, the multipliers once `add_constraint_forces` has been called, and room to work.
template <class S, class Workspace>
struct NodeLoads {
  NodeNumbers<S> forces;          ///< forces and body torques per node [N, N m]
  NodeNumbers<S> accelerations;   ///< room for them, where a motion is prescribed
  Vec<S, Eigen::Dynamic> lambda;  ///< multipliers of all rows
  Vec<S, Eigen::Dynamic> zdot;    ///< rates of internal coordinates
  SolveReport report;             ///< what the solve found out
  Workspace work;                 ///< what is known of the configuration
};

}  // namespace dalembert::assembly
