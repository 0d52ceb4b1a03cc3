#pragma once

#include <dalembert/contact/pair.hpp>

/// Two rods that cross and roll on each other, as a constraint of an assembly. R₁, R₂ are the averaged
/// centrelines, κ = R₂ − R₁, n = κ/|κ|:
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ = 0      no slip at R₁ + f₁κ, f = a/(a₁ + a₂)                     (1)
///   |κ| = a₁ + a₂                              the gap, d|κ|/dt = −n·A v                               (2)
///   κ·R₁′ = κ·R₂′ = 0                          where it is                                             (3)
/// The second may be a rigid rod or cylinder, fixed or moving (`AxisMarker`), with R₂ on its axis. Both may
/// be one rod, which touches itself: its places are then at least half a circle of its own radius apart, |s₁
/// − s₂| |R′| ≥ πa, nearer than which no rod of radius a can touch itself.
/// Source: Gay-Balmaz & Putkaradze, eqs (4), (6), (9)–(12), with the corrected weights.
namespace dalembert::contact {

/// See the head of this file. λ is the force on rod 1, spatial [N].
template <class S = double, Kernel K = CubicSpline, class Second = CurveMarker<S, K>>
using RollingContact = Rolling<S, CurveMarker<S, K>, Second>;

}  // namespace dalembert::contact
