#pragma once

#include <utility>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/linalg/small_solve.hpp>
#include <dalembert/rod/material.hpp>

/// A material from its stored energy alone: stress and tangent are derivatives that the library takes.
///   n = ∂W/∂Γ, m = ∂W/∂Ω, tangent = ∂²W/∂(Γ, Ω)²  (1)
/// by automatic differentiation, exact to round-off, in lanes of nodes too. A class with `stress` and
/// `tangent` of its own, as in rod/material.hpp or rod/rubber.hpp, is quicker to run.
namespace dalembert::rod {

/// The material of an energy W(Γ, Ω) [J/m], a function template or a generic lambda that computes in the
/// numbers that it is given:
///   const rod::StoredEnergy material{[](const auto& stretch, const auto& curvature) { … },
///                                    rod::RestStrain<double>{}};
/// Where the energy is not defined it shall give not-a-number: rates then throw NotFinite, and a run ends in
/// IntegrationFailure with the last good state.
template <class F, class S = double>
class StoredEnergy {
 public:
  using Scalar = S;  ///< the number type

  /// Throws std::invalid_argument unless the rest strains are finite and the energy has a strict minimum
  /// there: no stress, and a positive definite tangent.
  explicit StoredEnergy(F energy, const RestStrain<S>& rest = {}) : energy_(std::move(energy)), rest_(rest) {
    detail::require_finite_rest("StoredEnergy", rest_);
    const Mat<S, 6, 6> k = tangent(rest_.stretch, rest_.curvature);
    detail::require_finite_entries("StoredEnergy", "tangent", k,
                                   "the energy must have second derivatives at rest [N, N m^2]");
    require(dalembert::linalg::is_positive_definite<S, 6>(k), "StoredEnergy", "tangent at rest", k,
            "it must be positive definite");
    const Stress<S> s = stress(rest_.stretch, rest_.curvature);
    // a strain of a millionth of the scale on which each strain is large
    const S slack = number::sqrt(std::numeric_limits<S>::epsilon());
    for (int i = 0; i < 3; ++i) {
      const auto entry = static_cast<std::size_t>(i);
      require_entry(number::abs(s.force[i]) <= slack * k(i, i), "StoredEnergy", "force at rest", entry,
                    s.force[i], "a material must be free of stress at rest [N]");
      require_entry(number::abs(s.moment[i]) <= slack * number::sqrt(k(3 + i, 3 + i) * k(2, 2)),
                    "StoredEnergy", "moment at rest", entry, s.moment[i],
                    "a material must be free of stress at rest [N m]");
    }
  }

  /// Equation (1) [N, N m].
  template <class L>
  [[nodiscard]] Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    const Vec<L, 6> s = gradient(of_all(), dalembert::detail::stacked(stretch, curvature));
    return {dalembert::detail::part<3>(s), dalembert::detail::part<3>(s, 3)};
  }
  /// W [J/m].
  template <class L>
  [[nodiscard]] L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    return energy_(stretch, curvature);
  }
  /// Equation (1) [N, N m²].
  [[nodiscard]] Mat<S, 6, 6> tangent(const Vec<S, 3>& stretch, const Vec<S, 3>& curvature) const {
    return hessian(of_all(), dalembert::detail::stacked(stretch, curvature));
  }
  /// Γ₀ and Ω₀.
  [[nodiscard]] const RestStrain<S>& rest() const noexcept { return rest_; }

 private:
  /// W of all six strains.
  [[nodiscard]] auto of_all() const {
    return [this](const auto& e) {
      return energy_(dalembert::detail::part<3>(e), dalembert::detail::part<3>(e, 3));
    };
  }

  F energy_;
  RestStrain<S> rest_;
};

}  // namespace dalembert::rod
