#pragma once

#include <concepts>

#include <dalembert/mechanics/detail/members.hpp>

/// Variational principles: how the variational constraint C_V, which says what reactions are possible, comes
/// from the kinematic one. By the Lagrange–d'Alembert principle they are one, by Chetaev's principle
/// reactions act along ∂R/∂ξ. The rows R_V of C_V act on (η, δz), η = g⁻¹δg; the reaction on the
/// system is +R_Vᵀλ. Source: Cendra, Ibort, de León, Martín de Diego 2004, section 4 and remark 4.1.
namespace dalembert {

namespace principle {

/// The coefficient rows of constraints that are affine in the velocity: of φ̇ = ∂φ/∂g ξ + ∂φ/∂z
/// ż + ∂φ/∂t and of R = Aξ + Bż + b, R_V = (∂φ/∂g, ∂φ/∂z; A, B). The default; a constraint
/// that is not affine, or of order 2, is refused.
struct DAlembert {};

/// R_V = (∂φ/∂g, ∂φ/∂z; ∂R/∂ξ, ∂R/∂ż), also where R is not affine in the velocity.
/// Constraints of order 2 are refused.
struct Chetaev {};

/// Chetaev's rows, and (∂R/∂ξ̇, ∂R/∂ż) of constraints of order 2.
struct ExtendedChetaev {};

/// The rows that the system's own function `variational` returns, and nothing else: C_V and C_K are
/// independent of each other.
struct Given {};

}  // namespace principle

namespace detail {

template <class System>
struct PrincipleOrDefault {
  using type = principle::DAlembert;
};
template <class System>
  requires requires { typename System::Principle; }
struct PrincipleOrDefault<System> {
  using type = typename System::Principle;
};
template <class System>
  requires(has<Variational, System> && !requires { typename System::Principle; })
struct PrincipleOrDefault<System> {
  using type = principle::Given;
};

}  // namespace detail

/// The principle of a system: its `Principle`; without one `Given` if it has a function `variational`, else
/// `DAlembert`.
template <class System>
using PrincipleOf = typename detail::PrincipleOrDefault<System>::type;

namespace detail {

/// Whether C_V is derived from C_K.
template <class System>
inline constexpr bool derives_variational = !std::same_as<PrincipleOf<System>, principle::Given>;

}  // namespace detail

/// True if the principle of System can serve its constraints; otherwise the compiler's message says what is
/// wrong.
template <class System>
consteval bool check_principle() {
  using Principle = PrincipleOf<System>;
  static_assert(detail::derives_variational<System> || detail::has<detail::Variational, System>,
                "the principle Given needs a member `variational`");
  static_assert(!detail::derives_variational<System> || !detail::has<detail::Variational, System>,
                "a system with a member `variational` has the principle Given, and needs no other");
  static_assert(!detail::has<detail::AccelerationConstraint, System> ||
                    std::same_as<Principle, principle::Given> ||
                    std::same_as<Principle, principle::ExtendedChetaev>,
                "acceleration_constraint needs the principle ExtendedChetaev, or a member `variational`");
  static_assert(
      !detail::has_higher_rows<System> || std::same_as<Principle, principle::Given> ||
          std::same_as<Principle, principle::ExtendedChetaev>,
      "rows of order 3 and above need the principle ExtendedChetaev, or a member `variational` whose "
      "last rows are their reactions");
  return true;
}

}  // namespace dalembert
