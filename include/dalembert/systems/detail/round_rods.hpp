#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// Rods of a full circular section that are clamped at both ends, for systems whose parameters `p` have
/// `elements`, `radius`, `young`, `poisson`, `density` and `shear_factor`.
namespace dalembert::systems::detail {

/// Throws std::invalid_argument in the name of a class unless a material has such numbers.
template <class P>
[[gnu::cold, gnu::noinline]] void require_material(const char* class_name, const P& p) {
  using S = decltype(p.young);
  require_positive(class_name, "young", p.young, "Pa");
  require(p.poisson > S(-1) && p.poisson <= S(0.5), class_name, "poisson", p.poisson,
          "Poisson's ratio must lie in (-1, 0.5]");
  require_positive(class_name, "density", p.density, "kg/m^3");
  require_positive(class_name, "shear_factor", p.shear_factor, "1");
}

/// Their section. Throws std::invalid_argument.
template <class P>
[[nodiscard, gnu::cold, gnu::noinline]] auto round_section(const P& p) {
  return rod::CircularSection<decltype(p.radius)>({.radius = p.radius,
                                                   .young = p.young,
                                                   .poisson = p.poisson,
                                                   .density = p.density,
                                                   .shear_factor = p.shear_factor});
}

/// One of them, of this length without load [m], with damping at a rate [1/s]. Throws std::invalid_argument.
template <class P, class S = decltype(P::radius)>
[[nodiscard, gnu::cold, gnu::noinline]] rod::ElasticRod<S> clamped_rod(const P& p, S length, S damping) {
  const auto section = round_section(p);
  typename rod::ElasticRod<S>::Parameters r;
  r.elements = p.elements;
  r.length = length;
  r.inertia = section.inertia();
  r.start = r.finish = rod::Boundary<S>::clamped();
  r.damping.rate = damping;
  return rod::ElasticRod<S>(rod::LinearElastic<S>(section.stiffness_diagonal()), r);
}

/// The frame [ẑ, d × ẑ, d] of a rod along d = (cos φ, sin φ, 0): half a turn about x̂ + ẑ, then φ about ẑ.
template <class S>
[[nodiscard]] SO3<S> level_frame(S angle) {
  const S half = angle / S(2);
  return SO3<S>::from_quaternion(-std::sin(half), Vec<S, 3>(std::cos(half), std::sin(half), std::cos(half)));
}

}  // namespace dalembert::systems::detail
