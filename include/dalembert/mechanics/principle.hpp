#pragma once

/// Principles: how the variational constraint C_V, which says what reactions are possible, comes from the kinematic one.
/// The rows R_V of C_V act on η = g⁻¹δg; the reaction on the system is +R_Vᵀλ.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, section 4.
namespace dalembert::principle {

/// The coefficient rows of constraints that are affine in the velocity: of φ̇ = ∂φ/∂g ξ + ∂φ/∂t and of R = Aξ + b, R_V = (∂φ/∂g, A).
/// The default; a constraint that is not affine is refused.
struct DAlembert {};

/// R_V = (∂φ/∂g, ∂R/∂ξ), also where R is not affine in the velocity.
struct Chetaev {};

/// The rows that the system's own function `variational` returns, and nothing else: C_V and C_K are independent of each other.
struct Given {};

}  // namespace dalembert::principle
