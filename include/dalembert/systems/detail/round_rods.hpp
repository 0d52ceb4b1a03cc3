#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/rod/rod.hpp>

/// Rods of a full circular section that are clamped at both ends, for systems whose parameters `p` have
/// `elements`, `radius`, `young`, `poisson`, `density` and `shear_factor`.
namespace dalembert::systems::detail {

/// Whether x is finite, and whether it is positive besides.
template <class S>
[[nodiscard]] bool finite(S x) {
  return std::isfinite(x);
}
template <class S>
[[nodiscard]] bool positive(S x) {
  return std::isfinite(x) && x > 0;
}

/// need(holds, quantity, value, rule) for the numbers of a material.
template <class P, class Need>
void check_material(const P& p, const Need& need) {
  using S = decltype(P::young);
  need(positive(p.young), "young", p.young, "Young's modulus must be positive and finite [Pa]");
  need(p.poisson > S(-1) && p.poisson <= S(0.5), "poisson", p.poisson,
       "Poisson's ratio must lie in (-1, 0.5]");
  need(positive(p.density), "density", p.density, "a density must be positive and finite [kg/m^3]");
  need(positive(p.shear_factor), "shear_factor", p.shear_factor,
       "the shear factor must be positive and finite");
}

/// Their section. Throws std::invalid_argument.
template <class P>
[[nodiscard]] auto round_section(const P& p) {
  return rod::CircularSection<decltype(p.radius)>({.radius = p.radius,
                                                   .young = p.young,
                                                   .poisson = p.poisson,
                                                   .density = p.density,
                                                   .shear_factor = p.shear_factor});
}

/// One of them, of this length without load [m], with damping at a rate [1/s]. Throws std::invalid_argument.
template <class P, class S = decltype(P::radius)>
[[nodiscard]] rod::ElasticRod<S> clamped_rod(const P& p, S length, S damping) {
  const auto section = round_section(p);
  typename rod::ElasticRod<S>::Parameters r;
  r.elements = p.elements;
  r.length = length;
  r.inertia = section.inertia();
  r.start = r.finish = rod::Boundary<S>::clamped();
  r.damping.rate = damping;
  return rod::ElasticRod<S>(rod::LinearElastic<S>(section.stiffness_diagonal()), r);
}

/// The frame [ẑ, d × ẑ, d] of a rod along d = (cos φ, sin φ, 0): half a turn about x̂ + ẑ, then φ
/// about ẑ.
template <class S>
[[nodiscard]] SO3<S> level_frame(S angle) {
  const S half = angle / S(2);
  return SO3<S>::from_quaternion(-std::sin(half), Vec<S, 3>(std::cos(half), std::sin(half), std::cos(half)));
}

}  // namespace dalembert::systems::detail
