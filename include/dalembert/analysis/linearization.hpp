#pragma once

#include <algorithm>
#include <complex>
#include <type_traits>
#include <vector>

#include <dalembert/analysis/detail/neighbourhood.hpp>
#include <dalembert/analysis/eigenvalues.hpp>
#include <dalembert/core/detail/cmath.hpp>

/// Small motions about an equilibrium or a relative equilibrium, on the manifold that the constraints leave.
///   X                  the equations of motion, a vector field on states, as (ξ, ξ̇, ż) in each of them
///   Y = Σ c_i Y_i   generator of the symmetries that carry the relative equilibrium along, X = Y there  (1)
///   δ = (η, δξ, δz)    the disturbance, in the frame that is carried along
///   δ̇ = D(X − Y) δ                                                                                 (2)
/// X − Y vanishes in the state, so (2) does not depend on coordinates, and it does not depend on time
/// because Y is a symmetry. Where that is the translation along ξ itself, (2) is η̇ = δξ − ad_ξ η,
/// or + where ξ is the velocity in space, beside δξ̇ and δż. Disturbances are those that obey all
/// constraints. Symmetries that a user names are divided out: they span directions that (2) leaves invariant,
/// whose eigenvalues, 0 or ±i times a rate of turning, say nothing about stability. There may be more zeros:
/// relative equilibria come in families even then, a wheel for each speed. Nonholonomic systems may have
/// exponentially stable equilibria without friction, so energy proves nothing here.
/// Source: Zenkov, Bloch, Marsden 1998; Bloch 2003, ch. 8.
namespace dalembert::analysis {

/// How derivatives are taken, and what counts as an equilibrium.
template <PlainReal S = double>
struct LinearizationOptions {
  /// First step of central differences, in units of 1 for coordinates and of max(1, |ξ|) for velocities;
  /// shorter ones are tried. Formulas reach four times as far: choose less where the constraints have shorter
  /// lengths.
  S step = S(0.04L);
  /// Largest |X − Y| relative to max(1, |X|), and violation of constraints, that counts as none.
  S equilibrium_tolerance = S(1e-8L);
};

/// The linear equations ẏ = A y of small motions.
template <PlainReal S = double>
struct Linearization {
  Mat<S, Eigen::Dynamic> matrix;             ///< A
  Mat<S, Eigen::Dynamic> basis;              ///< δ = basis · y: orthonormal columns in (η, δξ, δz)
  std::vector<std::complex<S>> eigenvalues;  ///< of A, the largest real part first [1/s]
  Vec<S, Eigen::Dynamic> speeds;             ///< c of (1), one per symmetry
  S imbalance{};                             ///< |X − Y|, largest entry
  S doubt{};                                 ///< estimate of the error in the entries of A

  /// The coefficients of det(λ − A), the highest first.
  [[nodiscard]] Vec<S, Eigen::Dynamic> characteristic() const { return characteristic_polynomial<S>(matrix); }
  /// The largest real part [1/s]: motions nearby grow if it is positive.
  [[nodiscard]] S growth() const { return eigenvalues.empty() ? S(0) : eigenvalues.front().real(); }
};

namespace detail {

/// Throws std::invalid_argument unless `symmetry` takes motions near the centre to motions.
template <CoordinateProblem P, class Action>
[[gnu::cold, gnu::noinline]] void require_symmetry(const Neighbourhood<P>& near, const Action& symmetry,
                                                   const char* name) {
  using S = typename P::Scalar;
  constexpr int n = P::Increment::dimension;
  Column<S> x(n);
  for (int i = 0; i < n; ++i) x[i] = S(0.03L) * near.scale()[i] * std::cos(S(2 * i + 1));
  const auto state = near.consistent(x);
  const auto moved = symmetry(state, S(0.3L));
  const Column<S> flow = near.motion(state), there = near.motion(moved);
  const S size = std::max(S(1), flow.cwiseAbs().maxCoeff());
  const Neighbourhood<P> around(near.problem(), state, S(1));
  // The image of the motion's direction: a disturbance of `state`, seen after the symmetry has acted.
  const Column<S> image =
      slope_with(
          [&](S s) { return near.difference(moved, symmetry(around.displaced(s * flow / size), S(0.3L))); },
          S(0.01L))
          .value;
  const S mismatch = (size * image - there).cwiseAbs().maxCoeff() / size;
  require(mismatch <= std::pow(std::numeric_limits<S>::epsilon(), S(0.5L)), "linearization", name, mismatch,
          "the equations of motion must not change under it, or small motions have no constant coefficients");
}

/// The state of `near`, its symmetries, and whether they are to be divided out.
template <CoordinateProblem P>
[[nodiscard, gnu::cold, gnu::noinline]] Linearization<typename P::Scalar> linearize(
    const Neighbourhood<P>& near, const std::vector<Symmetry<P>>& symmetries, bool reduce,
    typename P::Scalar tolerance) {
  using S = typename P::Scalar;
  using State = typename P::State;
  Linearization<S> out;
  const Column<S> flow = near.motion(near.centre());
  const Matrix<S> generators = near.generators(symmetries, near.centre());
  out.speeds = least_squares(generators, flow, rank_threshold<S>);
  out.imbalance = (flow - generators * out.speeds).cwiseAbs().maxCoeff();
  require(out.imbalance <= tolerance * std::max(S(1), flow.cwiseAbs().maxCoeff()), "linearization", "rates",
          out.imbalance,
          "this is no relative equilibrium: besides the motion along symmetries, none may be left");
  for (const auto& symmetry : symmetries) require_symmetry(near, symmetry, "symmetry");
  require_symmetry(
      near,
      [](const State& at, S s) {
        State later = at;
        later.time += s;
        return later;
      },
      "shift of time");

  const Matrix<S> allowed = near.tangent_basis();
  out.basis =
      reduce ? Matrix<S>(allowed * complement<S>(allowed.transpose() * generators, S(1e-6L))) : allowed;
  const auto size = out.basis.cols();
  out.matrix.resize(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Column<S> direction = out.basis.col(i);
    const auto field = [&](S s) {
      const State state = near.consistent(s * direction);
      const Column<S> left = near.motion(state) - near.generators(symmetries, state) * out.speeds;
      return Column<S>(out.basis.transpose() * left);
    };
    const Slope<S> slope = slope_at_zero(field, near.step_along(direction));
    out.matrix.col(i) = slope.value;
    out.doubt = std::max(out.doubt, slope.doubt);
  }
  out.eigenvalues = eigenvalues<S>(out.matrix);
  return out;
}

/// What `state` must be before anything else. Throws std::invalid_argument if it is not.
template <CoordinateProblem P>
[[nodiscard, gnu::cold, gnu::noinline]] Neighbourhood<P> neighbourhood_of(
    const P& problem, const typename P::State& state,
    const LinearizationOptions<typename P::Scalar>& options) {
  using S = typename P::Scalar;
  require(std::isfinite(options.step) && options.step > 0, "LinearizationOptions", "step", options.step,
          "a step must be positive and finite");
  require(options.equilibrium_tolerance >= 0, "LinearizationOptions", "equilibrium_tolerance",
          options.equilibrium_tolerance, "a tolerance must not be negative");
  const Violation<S> violation = problem.constraint(state);
  const S worst = std::max(std::abs(violation.position), std::abs(violation.velocity));
  require(worst <= options.equilibrium_tolerance, "linearization", "violation of constraints", worst,
          "the state must obey them; see project");
  Neighbourhood<P> near(problem, state, options.step);
  return Neighbourhood<P>(problem, near.projected(state), options.step);
}

}  // namespace detail

/// Small motions about `state`, which symmetries out of `symmetries` carry along, on the quotient by all of
/// these: as many dimensions less. With none of them, `state` is an equilibrium.
/// Throws std::invalid_argument, naming the size, if X is not Y there, constraints are violated, or equations
/// change under a symmetry or with time; NoConvergence if a state close by cannot be brought onto the
/// constraints.
template <CoordinateProblem P>
[[nodiscard]] Linearization<typename P::Scalar> linearization(
    const P& problem, const typename P::State& state,
    const std::type_identity_t<std::vector<Symmetry<P>>>& symmetries,
    const LinearizationOptions<typename P::Scalar>& options = {}) {
  return detail::linearize(detail::neighbourhood_of(problem, state, options), symmetries, true,
                           options.equilibrium_tolerance);
}

/// Small motions about `state`, whose rates ξ̇ and ż are zero and which is carried along by the
/// translation with its own velocity ξ, on all states that obey the constraints: the eigenvalues of
/// symmetries are among the others, 0 or ±i times a rate of turning. Throws as above.
template <GroupProblem P>
[[nodiscard]] Linearization<typename P::Scalar> linearization(
    const P& problem, const typename P::State& state,
    const LinearizationOptions<typename P::Scalar>& options = {}) {
  std::vector<Symmetry<P>> motion;
  if (state.xi.squaredNorm() > 0) motion.push_back(translation_along(problem, state));
  return detail::linearize(detail::neighbourhood_of(problem, state, options), motion, false,
                           options.equilibrium_tolerance);
}

}  // namespace dalembert::analysis
