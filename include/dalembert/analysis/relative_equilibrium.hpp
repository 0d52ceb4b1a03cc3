#pragma once

#include <algorithm>
#include <exception>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/analysis/detail/neighbourhood.hpp>
#include <dalembert/core/detail/cmath.hpp>

/// Relative equilibria: states that symmetries carry along (analysis/symmetry.hpp), found from a guess and
/// followed along a parameter.
///   X(s) − Σ c_i Y_i(s) = 0,   f(s, c) = 0      in a state s that obeys the constraints and speeds c  (1)
/// Without symmetries these are equilibria. They come in families, so that (1) leaves some of (s, c) open:
/// each step of Newton's method is the shortest that solves the linear equations best, and conditions f pick
/// one.
/// Source: Deuflhard 2004, sec. 4.4, on Gauss and Newton's method for such equations.
namespace dalembert::analysis {

/// A relative equilibrium.
template <Problem P>
struct RelativeEquilibrium {
  typename P::State state;                         ///< obeys the constraints
  Vec<typename P::Scalar, Eigen::Dynamic> speeds;  ///< c of (1), one per symmetry
  typename P::Scalar residual{};                   ///< largest entry of (1)
  int iterations = 0;                              ///< of Newton's method
};

/// How to find one.
template <PlainReal S = double>
struct EquilibriumOptions {
  S tolerance = S(1e-12L);   ///< largest entry of (1), relative to max(1, |X|), that counts as zero
  int most_iterations = 40;  ///< of Newton's method
  S step = S(0.04L);         ///< of differences, as in `LinearizationOptions`
};

/// No condition: whichever relative equilibrium is near.
struct NoCondition {
  /// A column without entries.
  template <class P, class State, class Speeds>
  [[nodiscard]] Speeds operator()(const P&, const State&, const Speeds&) const {
    return Speeds(0);
  }
};

namespace detail {

/// A number for a message, with its power of ten.
template <PlainReal S>
[[nodiscard]] std::string in_digits(S number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

/// Newton's method for (1).
template <CoordinateProblem P, class Condition>
class EquilibriumSearch {
 public:
  using S = typename P::Scalar;
  using State = typename P::State;
  using Result = RelativeEquilibrium<P>;
  using Space = Neighbourhood<P>;

  EquilibriumSearch(const P& problem, const std::vector<Symmetry<P>>& symmetries, const Condition& condition,
                    const EquilibriumOptions<S>& options)
      : problem_(problem), symmetries_(symmetries), condition_(condition), options_(options) {}

  Result operator()(const State& guess) const {
    Space near(problem_, guess, options_.step);
    near = Space(problem_, near.projected(guess), options_.step);
    const Column<S> flow = near.motion(near.centre());
    Column<S> speeds = least_squares(near.generators(symmetries_, near.centre()), flow, rank_threshold<S>);
    for (int iteration = 0;; ++iteration) {
      const Column<S> now = residual(near, near.centre(), speeds);
      const S worst = now.size() > 0 ? now.cwiseAbs().maxCoeff() : S(0);
      const S size = std::max(S(1), near.motion(near.centre()).cwiseAbs().maxCoeff());
      if (worst <= options_.tolerance * size) return {near.centre(), speeds, worst, iteration};
      if (iteration == options_.most_iterations || !improve(near, speeds, now))
        throw NoConvergence(
            "relative_equilibrium: Newton's method stops at a residual of " + in_digits(worst),
            static_cast<double>(guess.time));
    }
  }

 private:
  /// The left sides of (1).
  Column<S> residual(const Space& near, const State& at, const Column<S>& speeds) const {
    const Column<S> flow = near.motion(at) - near.generators(symmetries_, at) * speeds;
    const Column<S> wish = condition_(problem_, at, speeds);
    Column<S> all(flow.size() + wish.size());
    all << flow, wish;
    return all;
  }

  /// The derivative of (1) along the columns of `basis` and by the speeds.
  Matrix<S> jacobian(const Space& near, const Matrix<S>& basis, const Column<S>& speeds,
                     Eigen::Index rows) const {
    Matrix<S> all(rows, basis.cols() + speeds.size());
    for (Eigen::Index i = 0; i < basis.cols(); ++i) {
      const Column<S> direction = basis.col(i);
      const auto along = [&](S s) { return residual(near, near.consistent(s * direction), speeds); };
      all.col(i) = slope_with(along, near.step_along(direction) / 4).value;
    }
    for (Eigen::Index i = 0; i < speeds.size(); ++i) {
      const auto along = [&](S s) {
        return residual(near, near.centre(), speeds + s * Column<S>::Unit(speeds.size(), i));
      };
      all.col(basis.cols() + i) = slope_with(along, options_.step).value;
    }
    return all;
  }

  /// One step, shortened until the residual shrinks; whether it did.
  bool improve(Space& near, Column<S>& speeds, const Column<S>& now) const {
    const Matrix<S> basis = near.tangent_basis();
    const Column<S> step =
        least_squares<S>(jacobian(near, basis, speeds, now.size()), -now, rank_threshold<S>);
    if (!step.allFinite()) return false;
    for (S part = 1; part > S(1e-3L); part /= 2) {
      try {
        const State trial = near.consistent(part * basis * step.head(basis.cols()));
        const Column<S> faster = speeds + part * step.tail(speeds.size());
        if (residual(near, trial, faster).norm() < now.norm()) {
          near = Space(problem_, trial, options_.step);
          speeds = faster;
          return true;
        }
      } catch (const InvalidState&) {
        continue;  // too far: the model ends there
      }
    }
    return false;
  }

  const P& problem_;
  const std::vector<Symmetry<P>>& symmetries_;
  const Condition& condition_;
  const EquilibriumOptions<S>& options_;
};

}  // namespace detail

/// A relative equilibrium near `guess`, which need not obey the constraints. `condition(problem, state,
/// speeds)` returns a column that is to vanish: what the state or the speeds are to be, in units in which 1
/// is a large fault. Throws NoConvergence, with the residual, if none is found; what the problem throws at
/// the guess passes through.
template <CoordinateProblem P, class Condition = NoCondition>
[[nodiscard]] RelativeEquilibrium<P> relative_equilibrium(
    const P& problem, const typename P::State& guess,
    const std::type_identity_t<std::vector<Symmetry<P>>>& symmetries, const Condition& condition = {},
    const EquilibriumOptions<typename P::Scalar>& options = {}) {
  return detail::EquilibriumSearch<P, Condition>(problem, symmetries, condition, options)(guess);
}

/// A relative equilibrium on a branch.
template <Problem P>
struct BranchPoint {
  typename P::Scalar parameter{};      ///< where
  RelativeEquilibrium<P> equilibrium;  ///< what
};

/// A branch that could not be followed to its end; it keeps what was found.
template <Problem P>
class BranchEnded : public NoConvergence {
 public:
  /// After `points`, because of `what_happened`.
  BranchEnded(const std::string& what_happened, std::vector<BranchPoint<P>> points)
      : NoConvergence(what_happened, static_cast<double>(points.back().equilibrium.state.time)),
        points_(std::move(points)) {}
  /// All points found, at least one; the last is the last good one.
  [[nodiscard]] const std::vector<BranchPoint<P>>& points() const noexcept { return points_; }

 private:
  std::vector<BranchPoint<P>> points_;
};

/// How to follow a branch.
template <PlainReal S = double>
struct BranchOptions {
  S from{};                             ///< where it begins
  S until{};                            ///< where it ends, above or below
  S step{};                             ///< first and longest step > 0
  S shortest{};                         ///< shortest step worth trying, 0: step/1000
  EquilibriumOptions<S> equilibrium{};  ///< for each point
};

/// Follow a relative equilibrium along a parameter p, from a guess at `options.from`. `family(p)` gives the
/// problem, whose type is the same for all p, and `condition(problem, state, speeds, p)` a column that is to
/// vanish; either may leave p alone. Each point is guessed from the line through the two before; steps
/// shorten where that fails and lengthen where it is easy. A branch that turns back cannot be followed beyond
/// there: let another quantity be the parameter. Throws NoConvergence if there is no first point, and
/// BranchEnded, with all points so far and the cause nested, if steps become too short.
template <class Family, class State, class Symmetries, class Condition, PlainReal S>
[[nodiscard]] auto equilibrium_branch(const Family& family, const State& guess, const Symmetries& symmetries,
                                      const Condition& condition, const BranchOptions<S>& options) {
  using P = std::remove_cvref_t<decltype(family(options.from))>;
  require(options.step > 0, "BranchOptions", "step", options.step, "a step must be positive");
  const S shortest = options.shortest > 0 ? options.shortest : options.step / 1000;
  const S sign = options.until < options.from ? S(-1) : S(1);
  std::vector<BranchPoint<P>> branch;
  const auto find = [&](S p, const State& start) {
    const P problem = family(p);
    return relative_equilibrium(
        problem, start, symmetries,
        [&](const P& of, const State& at, const auto& speeds) { return condition(of, at, speeds, p); },
        options.equilibrium);
  };
  const auto predicted = [&](S p) {
    const auto& last = branch.back();
    State start = last.equilibrium.state;
    if (branch.size() > 1) {
      const auto& earlier = branch[branch.size() - 2];
      const P problem = family(p);
      auto offset = problem.difference(earlier.equilibrium.state, start);
      const S ratio = (p - last.parameter) / (last.parameter - earlier.parameter);
      offset.set_coordinates(ratio * offset.coordinates());
      offset.time = 0;
      problem.retract(last.equilibrium.state, offset, start);
    }
    return start;
  };
  branch.push_back({options.from, find(options.from, guess)});
  for (S step = options.step; branch.back().parameter != options.until;) {
    const S last = branch.back().parameter, left = std::abs(options.until - last);
    const S p = left <= S(1.001L) * step ? options.until : last + sign * step;
    try {
      branch.push_back({p, find(p, predicted(p))});
      const bool easy = branch.back().equilibrium.iterations <= 3;
      step = std::min(options.step, easy ? S(1.5L) * step : step);
    } catch (const std::exception& cause) {
      step /= 2;
      if (step >= shortest) continue;
      std::throw_with_nested(BranchEnded<P>(
          "equilibrium_branch: no further than " + detail::in_digits(last) + " (" + cause.what() + ")",
          branch));
    }
  }
  return branch;
}

}  // namespace dalembert::analysis
