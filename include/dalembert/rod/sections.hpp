#pragma once

#include <optional>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/rod/section.hpp>

/// Sections of an isotropic material that are no full circles: rectangle, tube, ellipse, any shape whose
/// numbers are known; and sections whose frame does not lie at the centroid. With x₁, x₂ along e₁, e₂
/// from the centroid, in principal axes,
///   I₁ = ∫x₂², I₂ = ∫x₁²                                 bending about e₁, e₂ [m⁴]   (1)
/// J is Saint-Venant's torsion constant, k₁ and k₂ the shear factors along e₁ and e₂, Cowper's unless
/// they are given. The stresses of n and m are
///   σ = n₃/A + m₁x₂/I₁ − m₂x₁/I₂,  the largest shear stress of a torque is m₃/W  (2)
/// Sources: shear factors: Cowper 1966, J. Appl. Mech. 33, 335; torsion: Timoshenko & Goodier 1970, sections
/// 104, 107, 109.
namespace dalembert::rod {

/// The shear factor of a rectangle, of any sides.
template <class S>
[[nodiscard]] S rectangle_shear_factor(const S& poisson) {
  return S(10) * (S(1) + poisson) / (S(12) + S(11) * poisson);
}

/// The shear factor of a tube whose inner radius is `ratio` times the outer one, in [0, 1]; 0 for a full
/// circle.
template <class S>
[[nodiscard]] S annulus_shear_factor(const S& poisson, const S& ratio) {
  const S square = ratio * ratio, both = (S(1) + square) * (S(1) + square);
  return S(6) * (S(1) + poisson) * both /
         ((S(7) + S(6) * poisson) * both + (S(20) + S(12) * poisson) * square);
}

/// The shear factor of an ellipse along its semi-axis `along`; the other one is `across`, in the same unit.
template <class S>
[[nodiscard]] S ellipse_shear_factor(const S& poisson, const S& along, const S& across) {
  const S r = (across / along) * (across / along);
  return S(12) * (S(1) + poisson) * (S(3) + r) /
         ((S(40) + S(37) * poisson) + (S(16) + S(10) * poisson) * r + poisson * r * r);
}

namespace detail {

/// J and W of a rectangle with the longer side a and the shorter side b, the sums over odd n:
///   J = ab³ (1/3 − (64/π⁵)(b/a) Σ tanh(nπa/2b)/n⁵),
///   W = J/(b (1 − (8/π²) Σ 1/(n² cosh(nπa/2b))))
/// The sum of 1/n⁵ is taken by itself, so that what is left falls faster than exp(−nπ).
template <class S>
struct RectangleTorsion {
  S constant{};
  S modulus{};

  RectangleTorsion(const S& a, const S& b) {
    const S p = dalembert::constant<S>(pi);
    const S sum_of_fifths = dalembert::constant<S>(1.00452376279513961613351031501L);
    S left(0), slopes(0);
    for (int n = 1; n <= 31; n += 2) {
      const S e = number::exp(-S(n) * p * a / (S(2) * b)), square = S(n) * S(n);
      left += S(2) * e * e / ((S(1) + e * e) * square * square * S(n));
      slopes += S(2) * e / ((S(1) + e * e) * square);
    }
    constant = a * b * b * b * (S(1) / S(3) - S(64) / (p * p * p * p * p) * (b / a) * (sum_of_fifths - left));
    modulus = constant / (b * (S(1) - S(8) / (p * p) * slopes));
  }
};

}  // namespace detail

/// A rectangle.
template <class S = double>
class RectangularSection : public IsotropicSection<S> {
 public:
  /// Sides, Young's modulus, Poisson's ratio, density; shear factor and torsion constant where they shall be
  /// other ones.
  struct Parameters {
    S width{};                            ///< along e₁ [m]
    S height{};                           ///< along e₂ [m]
    S young{};                            ///< Young's modulus [Pa]
    S poisson = S(0.5);                   ///< Poisson's ratio
    S density{};                          ///< [kg/m³]
    std::optional<S> shear_factor{};      ///< of both directions; Cowper's if it is not given
    std::optional<S> torsion_constant{};  ///< J [m⁴]; Saint-Venant's if it is not given
  };

  /// Throws std::invalid_argument for a parameter that is not finite, or not in its range.
  explicit RectangularSection(Parameters p)
      : IsotropicSection<S>(shape_of(p), p.young, p.poisson, p.density, name) {}

 private:
  static constexpr const char* name = "RectangularSection";
  static SectionShape<S> shape_of(const Parameters& p) {
    const S w = detail::positive(name, "width", p.width);
    const S h = detail::positive(name, "height", p.height);
    const detail::RectangleTorsion<S> torsion(w < h ? h : w, w < h ? w : h);
    const S k = p.shear_factor ? *p.shear_factor : rectangle_shear_factor(p.poisson);
    return {w * h,
            Vec<S, 2>(w * h * h * h / S(12), h * w * w * w / S(12)),
            p.torsion_constant ? *p.torsion_constant : torsion.constant,
            torsion.modulus,
            Vec<S, 2>(k, k),
            Vec<S, 2>(w / S(2), h / S(2))};
  }
};

/// A tube with a circular hole in its middle.
template <class S = double>
class AnnularSection : public IsotropicSection<S> {
 public:
  /// Radius, wall, Young's modulus, Poisson's ratio, density, and the shear factor where it shall be another
  /// one.
  struct Parameters {
    S radius{};                       ///< outer radius [m]
    S wall{};                         ///< thickness of the wall, at most the radius [m]
    S young{};                        ///< Young's modulus [Pa]
    S poisson = S(0.5);               ///< Poisson's ratio
    S density{};                      ///< [kg/m³]
    std::optional<S> shear_factor{};  ///< Cowper's if it is not given
  };

  /// Throws std::invalid_argument for a parameter that is not finite, or not in its range, and a wall thicker
  /// than the radius.
  explicit AnnularSection(Parameters p)
      : IsotropicSection<S>(shape_of(p), p.young, p.poisson, p.density, name) {}

 private:
  static constexpr const char* name = "AnnularSection";
  static SectionShape<S> shape_of(const Parameters& p) {
    const S a = detail::positive(name, "radius", p.radius);
    const S t = detail::positive(name, "wall", p.wall);
    require(t <= a, name, "wall", t, message({"it must not be thicker than the radius, ", a, " m"}));
    return detail::ring_shape(
        a, t, p.shear_factor ? *p.shear_factor : annulus_shear_factor(p.poisson, S((a - t) / a)));
  }
};

/// An ellipse.
template <class S = double>
class EllipticSection : public IsotropicSection<S> {
 public:
  /// Semi-axes, Young's modulus, Poisson's ratio, density, and the shear factor where it shall be another
  /// one.
  struct Parameters {
    S semi_axis_1{};                  ///< along e₁ [m]
    S semi_axis_2{};                  ///< along e₂ [m]
    S young{};                        ///< Young's modulus [Pa]
    S poisson = S(0.5);               ///< Poisson's ratio
    S density{};                      ///< [kg/m³]
    std::optional<S> shear_factor{};  ///< of both directions; Cowper's if it is not given
  };

  /// Throws std::invalid_argument for a parameter that is not finite, or not in its range.
  explicit EllipticSection(Parameters p)
      : IsotropicSection<S>(shape_of(p), p.young, p.poisson, p.density, name) {}

 private:
  static constexpr const char* name = "EllipticSection";
  static SectionShape<S> shape_of(const Parameters& p) {
    const S a = detail::positive(name, "semi_axis_1", p.semi_axis_1);
    const S b = detail::positive(name, "semi_axis_2", p.semi_axis_2);
    const S area = dalembert::constant<S>(pi) * a * b;
    const Vec<S, 2> k = p.shear_factor ? Vec<S, 2>(*p.shear_factor, *p.shear_factor)
                                       : Vec<S, 2>(ellipse_shear_factor(p.poisson, a, b),
                                                   ellipse_shear_factor(p.poisson, b, a));
    return {area,
            Vec<S, 2>(area * b * b / S(4), area * a * a / S(4)),
            area * a * a * b * b / (a * a + b * b),
            area * (a < b ? a : b) / S(2),
            k,
            Vec<S, 2>(a, b)};
  }
};

/// The stiffness on (Γ, Ω) of a section whose frame lies off its centroid c and its shear centre a (along
/// e₁, e₂ in the frame [m]), of the stiffness `diagonal` that it has there: the fibre at x is stretched
/// by Γ + Ω × x, so that axial force and bending act at c, shear at a,
///   W = ½ EA (Γ + Ω × c − e₃)₃² + ½ k₁GA (Γ + Ω × a)₁² + ½ k₂GA (Γ + Ω × a)₂²
///       + ½ Ω·diag(EI₁, EI₂, GJ) Ω                                                               (3)
/// for `CoupledElastic`. Nodes carry their mass at the frame: in motion the frame must lie at the centre of
/// mass, and c is 0 for a section of one density; in statics it may lie anywhere.
template <class S>
[[nodiscard]] Mat<S, 6, 6> offset_stiffness(const Vec<S, 6>& diagonal, const Vec<S, 2>& centroid,
                                            const Vec<S, 2>& shear_centre) {
  // the strains at c and a, of (Γ, Ω): (Ω × x) = (−Ω₃x₂, Ω₃x₁, Ω₁x₂ − Ω₂x₁)
  Mat<S, 6, 6> strains = dalembert::detail::diagonal(Vec<S, 6>(Vec<S, 6>::Constant(S(1))));
  strains(0, 5) = -shear_centre[1];
  strains(1, 5) = shear_centre[0];
  strains(2, 3) = centroid[1];
  strains(2, 4) = -centroid[0];
  Mat<S, 6, 6> k;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      S sum(0);
      for (int l = 0; l < 6; ++l) sum += strains(l, i) * diagonal[l] * strains(l, j);
      k(i, j) = k(j, i) = sum;
    }
  return k;
}

}  // namespace dalembert::rod
