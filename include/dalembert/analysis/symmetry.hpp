#pragma once

#include <functional>
#include <type_traits>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/problem/concepts.hpp>

/// Symmetries that the user names. A motion is a relative equilibrium if symmetries carry it along: with
/// actions Φ₁(s), …, Φ_k(s), their generators Y_i = d/ds Φ_i(s) at s = 0, and the equations
/// of motion X,
///   X = c₁Y₁ + … + c_kY_k        in its states
/// Source: Marsden and Ratiu 1999, ch. 9, for actions; Bloch 2003, ch. 8, for relative equilibria under
/// constraints.
namespace dalembert::analysis {

/// A one-parameter group of symmetries, called as symmetry(state, s): the state that it makes of `state`,
/// which is itself for s = 0. The unit of s is its own, such as [rad] of a turn or [m] of a shift; 0.1 is
/// small in it. Time stays.
template <Problem P>
using Symmetry = std::function<typename P::State(const typename P::State&, const typename P::Scalar&)>;

/// A problem on a group whose states have a member `g`, such as LagrangeDAlembert without advected
/// parameters.
template <class P>
concept GroupProblem = CoordinateProblem<P> && LieGroup<typename P::Group> &&
    requires(const P& problem, const typename P::State& at) {
  { at.g } -> std::same_as<const typename P::Group&>;
  { at.xi } -> std::same_as<const typename P::Group::Tangent&>;
  problem.system();
};

/// The translation by exp(sζ): hg where velocities are the body's, gh where they are those in space, so that
/// ξ stays what it is. A symmetry of a system whose functions do not depend on g along it.
template <GroupProblem P>
[[nodiscard]] Symmetry<P> translation(const P& problem, const typename P::Group::Tangent& zeta) {
  using Group = typename P::Group;
  using System = std::remove_cvref_t<decltype(problem.system())>;
  return [zeta](const typename P::State& at, const typename P::Scalar& s) {
    typename P::State moved = at;
    const Group h = Group::exp(typename Group::Tangent(s * zeta));
    if constexpr (std::same_as<TrivialisationOf<System>, trivialisation::Left>)
      moved.g = (h * at.g).normalised();
    else
      moved.g = (at.g * h).normalised();
    return moved;
  };
}

/// The translations along the given coordinates of the algebra, 0 ≤ i < dof.
template <GroupProblem P>
[[nodiscard]] std::vector<Symmetry<P>> translations(const P& problem, const std::vector<int>& coordinates) {
  std::vector<Symmetry<P>> all;
  for (const int i : coordinates) {
    require(0 <= i && i < P::Group::dof, "translations", "coordinate", i, "it must be one of the algebra's");
    all.push_back(translation(problem, P::Group::Tangent::Unit(i)));
  }
  return all;
}

/// All translations of the group: the symmetries of a system whose functions do not take g.
template <GroupProblem P>
[[nodiscard]] std::vector<Symmetry<P>> translations(const P& problem) {
  std::vector<int> all;
  for (int i = 0; i < P::Group::dof; ++i) all.push_back(i);
  return translations(problem, all);
}

/// The translation that carries `at` along with its own velocity ξ ≠ 0, at the speed |ξ|.
template <GroupProblem P>
[[nodiscard]] Symmetry<P> translation_along(const P& problem, const typename P::State& at) {
  using Tangent = typename P::Group::Tangent;
  using System = std::remove_cvref_t<decltype(problem.system())>;
  const Tangent direction = at.xi / at.xi.norm();
  if constexpr (std::same_as<TrivialisationOf<System>, trivialisation::Left>)
    return translation(problem, Tangent(at.g.Ad(direction)));
  else
    return translation(problem, Tangent(at.g.inverse().Ad(direction)));
}

}  // namespace dalembert::analysis
