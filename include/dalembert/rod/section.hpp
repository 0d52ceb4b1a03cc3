#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Cross-sections: 6×6 stiffness and inertia per unit length, in the frame of the section (e₁, e₂ across, e₃ along the rod). Shapes other than a circle
/// are in rod/sections.hpp.
///   stiffness acts on (Γ, Ω), shear and stretch then bending and twist: circular diag(k GA, k GA, EA, EI, EI, GJ)  [N, N m²]
///   inertia   acts on (γ, ω): circular diag(ρA, ρA, ρA, ρI, ρI, 2ρI)                                          [kg/m, kg m]
namespace dalembert::rod {

/// Inertia per unit length in principal axes at the centroid.
template <class S>
struct SectionInertia {
  S mass{};                              ///< ρA [kg/m]
  Vec<S, 3> rotary = Vec<S, 3>::Zero();  ///< ρI₁, ρI₂, ρ(I₁ + I₂) [kg m]

  /// From a 6×6 inertia on (γ, ω). Throws std::invalid_argument unless it is diag(m, m, m, j₁, j₂, j₃), all positive and
  /// finite: nodes carry their mass at the centroid, in principal axes.
  [[nodiscard]] static SectionInertia from_matrix(const Mat<S, 6, 6>& inertia) {
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        require(number::isfinite(inertia(i, j)), "SectionInertia", message({"entry (", i, ", ", j, ")"}),
                inertia(i, j), "inertia must be finite");
    Vec<S, 6> d;
    S scale(0), off(0);
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) {
        const S size = number::abs(inertia(i, j));
        scale = std::max(scale, size);
        if (i == j)
          d[i] = inertia(i, i);
        else
          off = std::max(off, size);
      }
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

/// A circular section of an isotropic material.
template <class S>
class CircularSection {
 public:
  /// Radius [m], Young's modulus [Pa], Poisson's ratio, density [kg/m³], shear correction factor.
  struct Parameters {
    S radius{};               ///< [m]
    S young{};                ///< Young's modulus [Pa]
    S poisson = S(0.5);       ///< Poisson's ratio
    S density{};              ///< [kg/m³]
    S shear_factor = S(0.9);  ///< shear correction factor
  };

  /// Throws std::invalid_argument for a parameter that is not finite, or not in its range, and for parameters so large or
  /// small that a stiffness or an inertia is no positive finite number.
  explicit CircularSection(const Parameters& p) : p_(p) {
    const auto positive = [](S x) { return number::isfinite(x) && x > 0; };
    require(positive(p.radius), "CircularSection", "radius", p.radius,
            "a radius must be positive and finite [m]");
    require(positive(p.young), "CircularSection", "young", p.young,
            "Young's modulus must be positive and finite [Pa]");
    require(p.poisson > S(-1) && p.poisson <= S(0.5), "CircularSection", "poisson", p.poisson,
            "Poisson's ratio must lie in (-1, 0.5]");
    require(positive(p.density), "CircularSection", "density", p.density,
            "a density must be positive and finite [kg/m^3]");
    require(positive(p.shear_factor), "CircularSection", "shear_factor", p.shear_factor,
            "the shear factor must be positive and finite");
    const Vec<S, 6> k = stiffness_diagonal();
    const SectionInertia<S> m = inertia();
    for (int i = 0; i < 6; ++i) {
      const auto entry = static_cast<std::size_t>(i);
      require_entry(positive(k[i]), "CircularSection", "stiffness", entry, k[i],
                    "radius, young and poisson must make it positive and finite [N, N m^2]");
      const S inertia_i = i < 3 ? m.mass : m.rotary[i - 3];
      require_entry(positive(inertia_i), "CircularSection", "inertia", entry, inertia_i,
                    "radius and density must make it positive and finite [kg/m, kg m]");
    }
  }

  /// Radius [m].
  [[nodiscard]] S radius() const noexcept { return p_.radius; }
  /// Area [m²].
  [[nodiscard]] S area() const noexcept { return S(pi) * p_.radius * p_.radius; }
  /// Second moment of area about a diameter [m⁴].
  [[nodiscard]] S second_moment() const noexcept { return area() * p_.radius * p_.radius / S(4); }
  /// The same about e₁ and e₂ [m⁴].
  [[nodiscard]] Vec<S, 2> second_moments() const { return {second_moment(), second_moment()}; }
  /// Torsion constant [m⁴].
  [[nodiscard]] S torsion_constant() const noexcept { return S(2) * second_moment(); }
  /// A torque over the largest shear stress that it makes [m³].
  [[nodiscard]] S torsion_modulus() const noexcept { return torsion_constant() / p_.radius; }
  /// How far the section reaches along e₁ and e₂ [m].
  [[nodiscard]] Vec<S, 2> farthest_fibres() const { return {p_.radius, p_.radius}; }
  /// Shear modulus [Pa].
  [[nodiscard]] S shear_modulus() const noexcept { return p_.young / (S(2) * (S(1) + p_.poisson)); }
  /// Diagonal of the stiffness on (Γ, Ω) [N, N m²].
  [[nodiscard]] Vec<S, 6> stiffness_diagonal() const {
    const S shear = p_.shear_factor * shear_modulus() * area();
    const S bending = p_.young * second_moment();
    const S twist = S(2) * shear_modulus() * second_moment();
    return dalembert::detail::stacked(Vec<S, 3>(shear, shear, p_.young * area()),
                                      Vec<S, 3>(bending, bending, twist));
  }
  /// The 6×6 stiffness on (Γ, Ω) [N, N m²].
  [[nodiscard]] Mat<S, 6, 6> stiffness() const { return dalembert::detail::diagonal(stiffness_diagonal()); }
  /// Inertia per unit length.
  [[nodiscard]] SectionInertia<S> inertia() const {
    const S j = p_.density * second_moment();
    return {p_.density * area(), Vec<S, 3>(j, j, S(2) * j)};
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::rod
