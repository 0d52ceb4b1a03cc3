#pragma once

#include <functional>
#include <limits>
#include <type_traits>

#include <dalembert/statics/detail/branch_walk.hpp>
#include <dalembert/statics/statics.hpp>

/// Arc-length continuation of static equilibria of any bodies under any constraints along a parameter p: a
/// factor of loads, the way of a prescribed end, or what a path makes of it. A predictor along the tangent
/// and Newton's method follow the branch by its arc length s, and so past limit points, where p turns back:
///   G(u, p) = 0,   (u̇, ṗ)·(u − u₀, p − p₀) = s                                              (1)
/// On the way, and located:
///   limit points    ṗ changes its sign: the load has an extremum
///   bifurcations   K = −∂G/∂u is singular, and ṗ does not vanish: another branch begins along v,
///     K v = 0
/// Both are seen by the number of negative eigenvalues of K on the motions that constraints allow, which two
/// at once change too, or, where internal coordinates follow, by the sign of its determinant. A motion that
/// changes no force counts as stable, and stays where it is: a round column that has buckled may turn about
/// its axis. The cost of a step is O(N), as that of statics (statics/statics.hpp). Source: Riks 1979, Int. J.
/// Solids Struct. 15, 529; Keller 1977, Applications of Bifurcation Theory, 359.
namespace dalembert::assembly {

/// How a branch is followed.
template <class S = double>
struct ContinuationOptions {
  S first_step = S(0.05);     ///< of the parameter; its sign says which way
  S largest_step = S(0.2);    ///< of the arc length (see `BranchPoint::arc`)
  S smallest_step = S(1e-6);  ///< a step below it ends the search
  S parameter_scale = S(1);   ///< a change of the parameter that counts as much as a turn of one radian
  S least = -std::numeric_limits<S>::infinity();  ///< the branch ends at this parameter,
  S most = std::numeric_limits<S>::infinity();    ///< and at this
  int points = 100;                               ///< steps, at most
  S location =
      S(1e-8);  ///< accuracy of limit points and bifurcations, relative to the step in which they lie
  StaticOptions<number::Plain<S>> newton{.iterations = 12};  ///< of each point

  /// Throws std::invalid_argument for a number out of its range.
  void check() const {
    newton.check();
    const char* const name = "ContinuationOptions";
    require(first_step != 0 && number::isfinite(first_step), name, "first_step", first_step,
            "it must be finite and not 0");
    require(smallest_step > 0, name, "smallest_step", smallest_step, "it must be positive");
    require(largest_step >= smallest_step && largest_step < 2, name, "largest_step", largest_step,
            "it must lie between smallest_step and 2");
    require(parameter_scale > 0, name, "parameter_scale", parameter_scale, "it must be positive");
    require(least < most, name, "least", least, "it must be less than most");
    require(points >= 1, name, "points", points, "at least one step is needed");
    require(location > 0 && location < 1, name, "location", location, "it must lie in (0, 1)");
  }
};

/// What ends a branch: a function that is asked about each point.
template <class S = double>
using BranchStop = std::type_identity_t<std::function<bool(const BranchPoint<S>&)>>;

/// Follow the branch of equilibria from the one near `x` at the parameter `from`. `path(p, bodies,
/// constraints, x)` puts loads, frames of held nodes or the time at a parameter p, whatever they were before.
/// Ends at `least` or `most`, after `points` steps, or with the first point of which `stop` says so; then `x`
/// is the last equilibrium, and bodies and constraints are as the path has them there. Throws NoConvergence
/// where there is no equilibrium to start from; BranchLost, with the points so far and `x` at the last of
/// them, where no step goes further; std::invalid_argument for options and a state that do not fit.
template <class... B, class... C, class S, AssemblyPath<Kinds<B...>, Kinds<C...>, S> Path>
Branch<S> continue_equilibria(Kinds<B...>& bodies, Kinds<C...>& constraints, State<S>& x, S from, Path&& path,
                              const ContinuationOptions<S>& options = {}, const BranchStop<S>& stop = {}) {
  options.check();
  detail::StaticSystem<Kinds<B...>, Kinds<C...>> system(bodies, constraints, x);
  const detail::PutLoads<S> put = [&](S parameter) { path(parameter, bodies, constraints, x); };
  return detail::BranchWalk(system, x, put, options, stop).from(from);
}

/// Follow the other branch through a bifurcation, into the direction of its mode or, with side = −1,
/// against it: the first point lies at the arc length `options.first_step` from it. `x` and errors as above;
/// of two modes with one parameter any mixture is followed.
template <class... B, class... C, class S, AssemblyPath<Kinds<B...>, Kinds<C...>, S> Path>
Branch<S> switch_branch(Kinds<B...>& bodies, Kinds<C...>& constraints, State<S>& x,
                        const BranchPoint<S>& bifurcation, int side, Path&& path,
                        const ContinuationOptions<S>& options = {}, const BranchStop<S>& stop = {}) {
  options.check();
  require(bifurcation.kind == BranchEvent::bifurcation, "switch_branch", "point", "no bifurcation",
          "branches meet in bifurcations only");
  x = bifurcation.state;
  detail::StaticSystem<Kinds<B...>, Kinds<C...>> system(bodies, constraints, x);
  const detail::PutLoads<S> put = [&](S parameter) { path(parameter, bodies, constraints, x); };
  return detail::BranchWalk(system, x, put, options, stop).through(bifurcation, side);
}

}  // namespace dalembert::assembly
