#pragma once

#include <dalembert/contact/rolling_contact.hpp>

/// Two rods that cross and slide on each other without friction, as a constraint of an assembly: the gap
/// alone of a `RollingContact`. With κ = R₂ − R₁:
///   A v = n·(V₂ − V₁) = d|κ|/dt,  n = κ/|κ|                                                            (1)
///   |κ| = a₁ + a₂,  κ·R₁′ = κ·R₂′ = 0                                                                   (2)
namespace dalembert::contact {

/// See the head of this file. λ ≥ 0 is the force by which the rods press on each other [N].
template <class S = double, Kernel K = CubicSpline>
using FrictionlessContact = Sliding<S, CurveMarker<S, K>, CurveMarker<S, K>>;

}  // namespace dalembert::contact
