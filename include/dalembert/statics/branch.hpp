#pragma once

#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>

/// What is found along a branch of static equilibria (statics/continuation.hpp).
namespace dalembert::assembly {

/// What a point of a branch is.
enum class BranchEvent {
  none,         ///< a step ended there
  limit_point,  ///< the parameter turns back
  bifurcation,  ///< another branch goes through
};

/// An equilibrium on a branch.
template <class S = double>
struct BranchPoint {
  BranchEvent kind = BranchEvent::none;  ///< what it is
  S parameter{};                         ///< p
  /// Steps up to here: root mean square turn of the nodes [rad], with displacements relative to the size of
  /// the system and parameters to their scale.
  S arc{};
  /// Independent directions, of those that constraints allow, in which it is unstable; −1 where that is not
  /// known.
  int unstable{};
  State<S> state;                      ///< the equilibrium
  Vec<S, Eigen::Dynamic> multipliers;  ///< one per position row [N, N m]
  /// Of a bifurcation: six numbers a node, body after body, spatial δr [m], body Σ [rad]; then those of
  /// internal coordinates and multipliers.
  Vec<S, Eigen::Dynamic> mode;
};

/// A branch.
template <class S = double>
struct Branch {
  std::vector<BranchPoint<S>> points;  ///< in their order, the first the one at the start
  int iterations = 0;                  ///< of Newton's method

  /// Those of one kind, in their order.
  [[nodiscard]] std::vector<BranchPoint<S>> of_kind(BranchEvent kind) const {
    std::vector<BranchPoint<S>> found;
    for (const BranchPoint<S>& p : points)
      if (p.kind == kind) found.push_back(p);
    return found;
  }
};

/// A branch that could not be followed further.
template <class S = double>
class BranchLost : public NoConvergence {
 public:
  /// `why`, after these points.
  BranchLost(const std::string& why, Branch<S> branch)
      : NoConvergence(message({"BranchLost: no equilibrium beyond the parameter ",
                               branch.points.empty() ? S(0) : branch.points.back().parameter, ": ", why}),
                      0.0),
        branch_(std::move(branch)) {}
  /// What was found before.
  [[nodiscard]] const Branch<S>& branch() const noexcept { return branch_; }

 private:
  Branch<S> branch_;
};

}  // namespace dalembert::assembly
