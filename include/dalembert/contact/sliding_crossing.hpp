#pragma once

#include <dalembert/contact/crossing.hpp>

/// Two rods that cross and slide on each other without friction, as a constraint of an assembly: the gap
/// alone of a `Crossing`. With κ = R₂ − R₁:
///   A v = n·(V₂ − V₁) = d|κ|/dt,  n = κ/|κ|                                                            (1)
///   |κ| = a₁ + a₂,  κ·R₁′ = κ·R₂′ = 0                                                                   (2)
namespace dalembert::contact {

/// See the head of this file. λ ≥ 0 is the force by which the rods press on each other [N].
template <class S, Kernel K = CubicSpline>
using SlidingCrossing = Sliding<S, CurvePlace<S, K>, CurvePlace<S, K>>;

}  // namespace dalembert::contact
