#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/rod/material.hpp>

/// Cross-sections: 6×6 stiffness and inertia per unit length, in the frame of the section (e₁, e₂
/// across, e₃ along the rod). Shapes other than a circle are in rod/sections.hpp.
///   stiffness acts on (Γ, Ω): diag(k₁GA, k₂GA, EA, EI₁, EI₂, GJ)             [N, N m²]
///   inertia   acts on (γ, ω): diag(ρA, ρA, ρA, ρI₁, ρI₂, ρ(I₁ + I₂))         [kg/m, kg m]
/// shear and stretch, then bending and twist; in a circle I₁ = I₂ = J/2.
namespace dalembert::rod {

/// Inertia per unit length in principal axes at the centroid.
template <class S = double>
struct SectionInertia {
  S mass{};                              ///< ρA [kg/m]
  Vec<S, 3> rotary = Vec<S, 3>::Zero();  ///< ρI₁, ρI₂, ρ(I₁ + I₂) [kg m]

  /// From a 6×6 inertia on (γ, ω). Throws std::invalid_argument unless it is diag(m, m, m, j₁, j₂,
  /// j₃), all positive and finite: nodes carry their mass at the centroid, in principal axes.
  [[nodiscard]] static SectionInertia from_matrix(const Mat<S, 6, 6>& inertia) {
    using dalembert::detail::largest;
    detail::require_finite_entries("SectionInertia", "entry", inertia, "inertia must be finite");
    const Vec<S, 6> d = inertia.diagonal();
    const S scale = largest(inertia), off = largest(Mat<S, 6, 6>(inertia - dalembert::detail::diagonal(d)));
    require(off <= S(4096) * std::numeric_limits<S>::epsilon() * scale, "SectionInertia",
            "largest off-diagonal entry", off, "the frame must lie at the centroid in principal axes");
    require(number::equal(d[0], d[1]) && number::equal(d[1], d[2]), "SectionInertia", "diagonal entry 2",
            d[1], "the mass must be the same in each direction");
    const S least = std::min({d[0], d[3], d[4], d[5]});
    require(least > 0, "SectionInertia", "smallest diagonal entry", least, "inertia must be positive");
    return {d[0], Vec<S, 3>(d[3], d[4], d[5])};
  }

  /// The 6×6 inertia on (γ, ω).
  [[nodiscard]] Mat<S, 6, 6> matrix() const {
    return dalembert::detail::diagonal(dalembert::detail::stacked(Vec<S, 3>(mass, mass, mass), rotary));
  }
};

/// The numbers of a shape.
template <class S = double>
struct SectionShape {
  S area{};                   ///< A [m²]
  Vec<S, 2> second_moments;   ///< I₁, I₂ [m⁴]
  S torsion_constant{};       ///< J [m⁴]
  S torsion_modulus{};        ///< W [m³]
  Vec<S, 2> shear_factors;    ///< k₁, k₂
  Vec<S, 2> farthest_fibres;  ///< largest |x₁|, |x₂| [m]
};

namespace detail {

/// The value. Throws std::invalid_argument unless it is positive and finite.
template <class S>
[[gnu::noinline]] const S& positive(const char* class_name, const char* quantity, const S& value) {
  require(number::isfinite(value) && value > S(0), class_name, quantity, value,
          "it must be positive and finite");
  return value;
}

}  // namespace detail

/// A section of any shape.
template <class S = double>
class IsotropicSection {
 public:
  /// Shape, Young's modulus [Pa], Poisson's ratio, density [kg/m³]. Throws std::invalid_argument, in the
  /// name of `class_name`, for a number that is not finite or not in its range, and for those so large or
  /// small that a stiffness or an inertia is no positive finite number.
  IsotropicSection(const SectionShape<S>& shape, const S& young, const S& poisson, const S& density,
                   const char* class_name = "IsotropicSection")
      : shape_(shape), young_(young), poisson_(poisson), density_(density) {
    require(poisson > S(-1) && poisson <= S(0.5), class_name, "poisson", poisson,
            "Poisson's ratio must lie in (-1, 0.5]");
    detail::positive(class_name, "young", young);
    detail::positive(class_name, "density", density);
    detail::positive(class_name, "area", shape.area);
    detail::positive(class_name, "torsion_constant", shape.torsion_constant);
    detail::positive(class_name, "torsion_modulus", shape.torsion_modulus);
    for (int i = 0; i < 2; ++i) {
      detail::positive(class_name, "second_moments", shape.second_moments[i]);
      detail::positive(class_name, "shear_factors", shape.shear_factors[i]);
      detail::positive(class_name, "farthest_fibres", shape.farthest_fibres[i]);
    }
    const Vec<S, 6> k = stiffness_diagonal();
    const SectionInertia<S> m = inertia();
    for (int i = 0; i < 6; ++i) {
      detail::positive(class_name, "stiffness", k[i]);
      detail::positive(class_name, "inertia", i < 3 ? m.mass : m.rotary[i - 3]);
    }
  }

  /// What it was made of.
  [[nodiscard]] const SectionShape<S>& shape() const noexcept { return shape_; }
  /// A [m²].
  [[nodiscard]] const S& area() const noexcept { return shape_.area; }
  /// I₁, I₂ [m⁴].
  [[nodiscard]] const Vec<S, 2>& second_moments() const noexcept { return shape_.second_moments; }
  /// J [m⁴].
  [[nodiscard]] const S& torsion_constant() const noexcept { return shape_.torsion_constant; }
  /// A torque over the largest shear stress that it makes [m³].
  [[nodiscard]] const S& torsion_modulus() const noexcept { return shape_.torsion_modulus; }
  /// k₁, k₂.
  [[nodiscard]] const Vec<S, 2>& shear_factors() const noexcept { return shape_.shear_factors; }
  /// Largest |x₁| and |x₂| of the section [m].
  [[nodiscard]] const Vec<S, 2>& farthest_fibres() const noexcept { return shape_.farthest_fibres; }
  /// Young's modulus [Pa].
  [[nodiscard]] const S& young() const noexcept { return young_; }
  /// Shear modulus [Pa].
  [[nodiscard]] S shear_modulus() const { return young_ / (S(2) * (S(1) + poisson_)); }
  /// Diagonal of the stiffness on (Γ, Ω) [N, N m²].
  [[nodiscard]] Vec<S, 6> stiffness_diagonal() const {
    const S shear = shear_modulus() * shape_.area;
    return dalembert::detail::stacked(
        Vec<S, 3>(shape_.shear_factors[0] * shear, shape_.shear_factors[1] * shear, young_ * shape_.area),
        Vec<S, 3>(young_ * shape_.second_moments[0], young_ * shape_.second_moments[1],
                  shear_modulus() * shape_.torsion_constant));
  }
  /// The 6×6 stiffness on (Γ, Ω) [N, N m²].
  [[nodiscard]] Mat<S, 6, 6> stiffness() const { return dalembert::detail::diagonal(stiffness_diagonal()); }
  /// Inertia per unit length.
  [[nodiscard]] SectionInertia<S> inertia() const {
    const S j1 = density_ * shape_.second_moments[0], j2 = density_ * shape_.second_moments[1];
    return {density_ * shape_.area, Vec<S, 3>(j1, j2, j1 + j2)};
  }

 private:
  SectionShape<S> shape_;
  S young_, poisson_, density_;
};

namespace detail {

/// A ring of outer radius a and thickness t, with the shear factor k; a full circle where t = a.
template <class S>
[[nodiscard]] SectionShape<S> ring_shape(const S& a, const S& t, const S& k) {
  const S b = a - t;
  const S area =
      dalembert::constant<S>(pi) * t * (a + b);  // without the difference of two squares: walls may be thin
  const S moment = area * (a * a + b * b) / S(4);
  return {area,           Vec<S, 2>(moment, moment), S(2) * moment, S(2) * moment / a, Vec<S, 2>(k, k),
          Vec<S, 2>(a, a)};
}

}  // namespace detail

/// A circular section of an isotropic material.
template <class S = double>
class CircularSection : public IsotropicSection<S> {
 public:
  /// Radius [m], Young's modulus [Pa], Poisson's ratio, density [kg/m³], shear correction factor.
  struct Parameters {
    S radius{};               ///< [m]
    S young{};                ///< Young's modulus [Pa]
    S poisson = S(0.5);       ///< Poisson's ratio
    S density{};              ///< [kg/m³]
    S shear_factor = S(0.9);  ///< shear correction factor
  };

  /// Throws std::invalid_argument for a parameter that is not finite, or not in its range, and for parameters
  /// so large or small that a stiffness or an inertia is no positive finite number.
  explicit CircularSection(Parameters p)
      : IsotropicSection<S>(detail::ring_shape(detail::positive("CircularSection", "radius", p.radius),
                                               p.radius, p.shear_factor),
                            p.young, p.poisson, p.density, "CircularSection") {}

  /// Radius [m].
  [[nodiscard]] S radius() const noexcept { return this->farthest_fibres()[0]; }
  /// Second moment of area about a diameter [m⁴].
  [[nodiscard]] S second_moment() const noexcept { return this->second_moments()[0]; }
};

}  // namespace dalembert::rod
