#pragma once

#include <algorithm>
#include <vector>

#include <dalembert/analysis/detail/differences.hpp>
#include <dalembert/analysis/detail/orthonormal.hpp>
#include <dalembert/analysis/symmetry.hpp>

/// The states about one that obey the constraints, as a manifold, with its tangent space and vector fields on
/// it.
namespace dalembert::analysis::detail {

/// What lies about `centre`, which obeys the constraints. Columns are (η, δξ, δz) from it, or whatever
/// the problem's increments hold.
template <CoordinateProblem P>
class Neighbourhood {
 public:
  using S = typename P::Scalar;
  using State = typename P::State;
  static constexpr int dimension = P::Increment::dimension;

  /// For states of `problem`, which must outlive this; `step` is how far differences reach in units of
  /// `scale`.
  Neighbourhood(const P& problem, const State& centre, S step)
      : problem_(&problem), centre_(centre), scale_(scales(centre)), step_(step) {}

  [[nodiscard]] const P& problem() const noexcept { return *problem_; }
  [[nodiscard]] const State& centre() const noexcept { return centre_; }
  /// By how much each coordinate may change for a small change: 1, or the largest velocity.
  [[nodiscard]] const Column<S>& scale() const noexcept { return scale_; }
  /// The length of a difference's longest reach along x.
  [[nodiscard]] S step_along(const Column<S>& x) const {
    return step_ / x.cwiseAbs().cwiseQuotient(scale_).maxCoeff();
  }

  /// centre ⊕ x, wherever that is.
  [[nodiscard]] State displaced(const Column<S>& x) const {
    auto offset = problem_->make_increment();
    offset.set_zero();
    offset.set_coordinates(x);
    State state = centre_;
    problem_->retract(centre_, offset, state);
    problem_->solve_algebraic(state);
    return state;
  }
  /// centre ⊕ x, brought onto the constraints. Throws NoConvergence if that fails.
  [[nodiscard]] State consistent(const Column<S>& x) const { return projected(displaced(x)); }

  /// `state` brought onto the constraints. Throws NoConvergence if that fails.
  [[nodiscard]] State projected(State state) const {
    if (!problem_->project(state).converged)
      throw NoConvergence("a disturbed state cannot be brought onto the constraints",
                          static_cast<double>(state.time));
    return state;
  }

  /// The equations of motion in `at`: the slope (ξ, ξ̇, ż) as seen from there.
  [[nodiscard]] Column<S> motion(const State& at) const {
    auto rates = problem_->make_rates();
    auto nowhere = problem_->make_increment(), slope = problem_->make_increment();
    nowhere.set_zero();
    slope.set_zero();
    problem_->rates(at, rates);
    problem_->slope(at, nowhere, rates, slope);
    return slope.coordinates();
  }

  /// The generators of symmetries in `at`, one a column.
  [[nodiscard]] Matrix<S> generators(const std::vector<Symmetry<P>>& symmetries, const State& at) const {
    Matrix<S> all(dimension, static_cast<Eigen::Index>(symmetries.size()));
    for (Eigen::Index i = 0; i < all.cols(); ++i) {
      const auto& symmetry = symmetries[static_cast<std::size_t>(i)];
      all.col(i) =
          slope_with([&](S s) { return Column<S>(difference(at, symmetry(at, s))); }, S(0.05L)).value;
    }
    return all;
  }

  /// Orthonormal columns that span the directions in which the constraints allow states.
  [[nodiscard]] Matrix<S> tangent_basis() const {
    Matrix<S> projector(dimension, dimension);
    for (Eigen::Index i = 0; i < dimension; ++i) {
      const Column<S> direction = Column<S>::Unit(dimension, i);
      const auto moved = [&](S s) { return Column<S>(difference(centre_, consistent(s * direction))); };
      projector.col(i) = slope_at_zero(moved, step_along(direction)).value;
    }
    return range(projector, S(1e-6L));
  }

  /// The column from one state to another.
  [[nodiscard]] Column<S> difference(const State& from, const State& to) const {
    return problem_->difference(from, to).coordinates();
  }

 private:
  [[nodiscard]] static Column<S> scales(const State& at) {
    Column<S> scale = Column<S>::Ones(dimension);
    if constexpr (GroupProblem<P>)
      scale.template segment<P::Group::dof>(P::Group::dof)
          .setConstant(std::max(S(1), at.xi.cwiseAbs().maxCoeff()));
    return scale;
  }

  const P* problem_;
  State centre_;
  Column<S> scale_;
  S step_;
};

}  // namespace dalembert::analysis::detail
