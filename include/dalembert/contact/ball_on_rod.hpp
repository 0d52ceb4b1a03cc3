#pragma once

#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/pair.hpp>

/// A ball of radius R on a rod of radius a. From the point x₁ of the rod's centreline to the centre x₂ of
/// the ball leads κ = x₂ − x₁, n = κ/|κ|:
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ = 0      no slip at x₁ + f₁κ, f₁ = a/(a + R), f₂ = R/(a + R)   (1)
///   |κ| = a + R                                the gap, d|κ|/dt = −n·A v                           (2)
///   κ·x₁′ = 0                                  where it is                                         (3)
/// The rod is an elastic one (`CurveMarker`, its averaged centreline) or a rigid one, moving or fixed in
/// space (`AxisMarker`).
///
/// Oracle. On a fixed vertical pole, with M, I of the ball, φ the angle of its centre about the axis and σ
/// = ω·n its spin about the outward normal,
///   φ̇ is constant,   σ̇ = −φ̇ż/R,   (I + MR²) z̈ = IRσφ̇ − MR²g,                       (4)
/// whence z̈ + k²(z − z₀) = z̈₀, k = φ̇√(I/(I + MR²)): the ball does not fall, it swings up and
/// down about the height z₀ + z̈₀/k², whatever the radius of the pole. The pole pulls it inwards at M(a
/// + R)φ̇²: such a contact is bilateral. Source of (4): derived from (1) by Newton and Euler; inside a
/// cylinder, Gualtieri et al. 2006.
namespace dalembert::contact {

/// Equations (1) to (3): the marker on the rod, the centre of the ball, a and R. λ is the force on the rod,
/// spatial [N].
template <class S = double, class RodMarker = CurveMarker<S>>
using RollingOnRod = Rolling<S, RodMarker, assembly::FrameMarker<S>>;

/// Equations (2) and (3) alone: contact without friction. λ ≥ 0 is the force between the two [N].
template <class S = double, class RodMarker = CurveMarker<S>>
using SlidingOnRod = Sliding<S, RodMarker, assembly::FrameMarker<S>>;

}  // namespace dalembert::contact
