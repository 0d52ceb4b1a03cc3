#pragma once

#include <algorithm>
#include <array>

#include <dalembert/assembly/state.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/core/number.hpp>

/// What a crossing looks like in a state: where the rods touch, how well, and with what force.
namespace dalembert::contact {

/// See `view`; vectors are spatial.
template <class S = double>
struct ContactEvaluation {
  Vec<S, 2> s;       ///< positions on the rods [m]
  Vec<S, 3> place;   ///< R₁ + f₁κ, where they touch [m]
  Vec<S, 3> normal;  ///< n = κ/|κ|, from rod 1 to rod 2
  S gap{};           ///< |κ| − (a₁ + a₂) [m]
  S tangency{};      ///< the largest of |κ·R₁′| and |κ·R₂′| [m]
  Vec<S, 3> force;   ///< on rod 1 [N]
  /// (λ_n, λ_t1, λ_t2): λ_n = −n·force, compressive, t₁ along rod 1, t₂ = n × t₁ [N]
  Vec<S, 3> components;
};

/// (λ_n, λ_t1, λ_t2) of a spatial force on rod 1 [N], for κ [m] and the tangent R₁′.
template <class S>
[[nodiscard]] Vec<S, 3> components(const Vec<S, 3>& force, const Vec<S, 3>& kappa, const Vec<S, 3>& tangent) {
  const Triple<S> f(force), k(kappa), slope(tangent);
  const Triple<S> along = dot(k, k) * slope - dot(k, slope) * k;
  const S length = norm(k), l = norm(along);
  return {-dot(k, f) / length, dot(along, f) / l, dot(cross(k, along), f) / (length * l)};
}

/// A contact of two rods in a state with the multipliers `lambda` of all rows; `row` is the first of its
/// rows, `z` the first of its internal coordinates. One whose rows are given node by node has the tangency of
/// its own. Throws ContactAtEnd, NotFinite.
template <class C, class S = assembly::detail::ScalarOf<C>>
  requires(assembly::ConstraintTraits<C>::rows == 3 && assembly::ConstraintTraits<C>::internal_count == 2)
[[nodiscard]] ContactEvaluation<S> evaluate(const C& c, const assembly::State<S>& x,
                                            const Vec<S, Eigen::Dynamic>& lambda, int row = 0, int z = 0) {
  std::array<Point<S>, 2> points;
  std::array<assembly::Window, 2> windows;
  c.first.find(x.chains, x.z[z], x.time, points[0], windows[0], nullptr);
  c.second.find(x.chains, x.z[z + 1], x.time, points[1], windows[1], nullptr);
  const auto& [a, b] = points;
  const Vec<S, 3> kappa = difference(b.R, a.R);
  const S distance = length(kappa), target = c.radius1 + c.radius2;
  ContactEvaluation<S> v;
  v.s = {a.s, b.s};
  v.place = Triple<S>(a.R) + S(c.radius1 / target) * Triple<S>(kappa);
  v.normal = Triple<S>(kappa) / distance;
  v.gap = distance - target;
  v.force = {lambda[row], lambda[row + 1], lambda[row + 2]};
  if constexpr (assembly::detail::by_nodes<C>) {
    const assembly::NodeSight<S, 2> sight{x.chains, points, windows, x.time};
    v.force = c.force(v.force, sight);
    v.tangency = largest(c.tangency(sight).first);
  } else {
    v.tangency = std::max(number::abs(inner(kappa, a.dR)), number::abs(inner(kappa, b.dR)));
  }
  v.components = components(v.force, kappa, a.dR);
  return v;
}

}  // namespace dalembert::contact
