#pragma once

#include <limits>

#include <dalembert/statics/detail/branch.hpp>
#include <dalembert/statics/statics.hpp>

/// Linear buckling: where the stiffness K of an equilibrium at a parameter p₀ would vanish if it went on
/// changing as it does there,
///   (K + (p − p₀) K′) v = 0,  K′ = dK/dp along the branch                              (1)
/// for the least p > p₀. K has the rows of the constraints in it. As the shape changes before it buckles,
/// (1) is an estimate, the better the nearer p₀ is to where it does; `continue_equilibria` finds that.
/// Where the path turns parts that are stiff in one direction and soft in others, K + (p − p₀) K′ is
/// singular long before anything buckles. To tell that apart, K″ is found along v too:
///   vᵀ(K + (p − p₀) K′ + ½ (p − p₀)² K″) v = 0                                         (2)
/// has no root p where K″ is that of a turn, and the estimate is refused then.
/// By iteration with T = −K⁻¹K′, whose largest eigenvalue is 1/(p − p₀), shifted so that it is
/// also the one of largest magnitude; O(N) an iteration.
/// Source: Bathe 1996, Finite Element Procedures, section 6.8.2.
namespace dalembert::assembly {

/// How a buckling load is looked for.
template <class S = double>
struct BucklingOptions {
  /// Change of the parameter to either side by which K′ is found: so much that round-off of K is small.
  S step = S(0.05);
  S tolerance =
      S(1e-10);  ///< relative change of p − p₀ in ten iterations, or as little as round-off lets it have
  int iterations = 10000;                                    ///< at most
  StaticOptions<number::Plain<S>> newton{.iterations = 20};  ///< of the equilibria

  /// Throws std::invalid_argument for a number out of its range.
  void check() const {
    const char* const name = "BucklingOptions";
    newton.check();
    require(step > 0, name, "step", step, "it must be positive");
    require(tolerance > 0 && tolerance < 1, name, "tolerance", tolerance, "it must lie in (0, 1)");
    require(iterations >= 1, name, "iterations", iterations, "at least one iteration is needed");
  }
};

/// What was found.
template <class S = double>
struct Buckling {
  S parameter{};  ///< p
  /// v, of length 1: six numbers a node, body after body, spatial δr [m], body Σ [rad]; then those of
  /// internal coordinates and multipliers.
  Vec<S, Eigen::Dynamic> mode;
  int iterations = 0;  ///< with T
};

namespace detail {

/// Equation (1) for a system of statics, at a parameter.
template <class S>
[[nodiscard]] Buckling<S> buckling_of(StaticEquations<S>& system, State<S>& x, const PutLoads<S>& put,
                                      const BucklingOptions<S>& o, S parameter) {
  BranchEquations<S> equations(system, x, put, o.newton, o.step);
  equations.begin(parameter);
  equations.settle();
  const BranchSpot<S> start = equations.spot();
  const auto stiffness = [&](S at) {
    equations.put(at);
    equations.settle();
    system.assemble();
    linalg::SparseEquations<S> there = system.table().equations;
    equations.go_to(start);
    return there;
  };
  const linalg::SparseEquations<S> more = stiffness(parameter + o.step), less = stiffness(parameter - o.step);
  (void)equations.tangent();  // decomposes K

  const auto change = [&](const Column<S>& v) {
    return Column<S>((more.multiply(v) - less.multiply(v)) / (S(2) * o.step));
  };
  // whether (2) has no root, beyond what round-off makes of it, where (1) has one so many steps away
  const auto is_bent = [&](const Column<S>& v, S steps) {
    const linalg::SparseEquations<S>& K = system.table().equations;
    const Column<S> k = K.multiply(v);
    const S rounding = S(64) * std::numeric_limits<S>::epsilon() * v.cwiseAbs().dot(K.multiply_sizes(v));
    const S bent = v.dot(more.multiply(v) + less.multiply(v) - S(2) * k);
    return (bent - rounding) * steps * steps > number::abs(v.dot(k)) / S(2);
  };
  Buckling<S> found;
  Column<S> v = equations.solution(equations.any()), w;
  S shift(0);  // not less than the magnitude of the least eigenvalue of T
  for (int i = 0; i < 30; ++i) {
    w = equations.solution(-change(v));
    const S growth = number::sqrt(equations.product(w, w) / equations.product(v, v));
    if (!(growth > S(0))) break;
    shift = S(1.05) * growth;
    v = w / (growth * number::sqrt(equations.product(v, v)));
  }
  S before(0), last(0);  // value, and its change in ten iterations, which round-off keeps from shrinking
  v = equations.solution(equations.any());
  for (found.iterations = 1; found.iterations <= o.iterations; ++found.iterations) {
    const Column<S> k = change(v);
    w = equations.solution(-k);
    if (found.iterations % 10 == 0) {
      const S inverse = -v.dot(k) / v.dot(system.table().equations.multiply(v));
      const S moved = number::abs(inverse - before);
      const bool rounded = moved <= S(1e-6) * number::abs(inverse) && moved > last / S(2);
      if (rounded || moved <= o.tolerance * number::abs(inverse)) {
        if (!(inverse > S(1e-9) * shift)) break;
        found.parameter = parameter + S(1) / inverse;
        if (is_bent(v, S(1) / (inverse * o.step)))
          throw NoConvergence(
              message({"NoConvergence: the estimate of a buckling load, ",
                       shortest_text(value_of(found.parameter)),
                       ", was not confirmed: on the way to it the stiffness does not change as it does at ",
                       shortest_text(value_of(parameter)),
                       ", as where a path turns frames; continue_equilibria finds bifurcations there too"}),
              system.time());
        equations.set_length(v);
        found.mode = v;
        return found;
      }
      before = inverse;
      last = moved;
    }
    w += shift * v;
    v = w / number::sqrt(equations.product(w, w));
  }
  throw NoConvergence(message({"NoConvergence: nothing buckles beyond the parameter ",
                               shortest_text(value_of(parameter)), " as far as its stiffness tells"}),
                      system.time());
}

}  // namespace detail

/// The least parameter above `from` at which the equilibrium near `x` buckles, as far as its stiffness at
/// `from` tells, and how it moves then; of one that is unstable already, the next parameter at which its
/// stiffness is singular. `path(p, bodies, constraints, x)` puts loads, frames of held nodes or
/// the time at a parameter p. Leaves `x` at the equilibrium at `from`. Throws NoConvergence where there is no
/// equilibrium, or nothing buckles, or (2) does not confirm it, as for most paths that turn frames, whose
/// bifurcations `continue_equilibria` finds; SingularSystem where the stiffness is singular at `from`;
/// std::invalid_argument for options and a state that do not fit.
template <class... B, class... C, class S, AssemblyPath<Kinds<B...>, Kinds<C...>, S> Path>
Buckling<S> linear_buckling(Kinds<B...>& bodies, Kinds<C...>& constraints, State<S>& x, S from, Path&& path,
                            const BucklingOptions<S>& options = {}) {
  options.check();
  detail::StaticSystem<Kinds<B...>, Kinds<C...>> system(bodies, constraints, x);
  const detail::PutLoads<S> put = [&](S parameter) { path(parameter, bodies, constraints, x); };
  return detail::buckling_of<S>(system, x, put, options, from);
}

}  // namespace dalembert::assembly
