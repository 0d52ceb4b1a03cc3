#pragma once

/// @file
/// A rolling disc of any inertia against Newton's and Euler's laws, over any plain scalar.

#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/rolling_disc.hpp>

#include "laws/system_laws.hpp"

namespace laws {

using systems::RollingDisc;

/// A disc with every parameter at random, the inertia a full tensor.
template <class S>
RollingDisc<S> some_disc(Random<S>& random) {
  Mat<S, 3> root;
  for (int i = 0; i < 3; ++i) root.col(i) = random.template vector<3>();
  Mat<S, 3> inertia = Mat<S, 3>(S(0.3) * Mat<S, 3>::Identity()) + root * root.transpose();
  inertia = Mat<S, 3>((inertia + inertia.transpose()) / 2);
  return RollingDisc<S>{{.mass = random.positive(),
                         .radius = random.positive(),
                         .inertia = inertia,
                         .gravity = random.positive()}};
}

/// Upright to within 1 rad, and any heading and spin.
template <class S>
auto some_state(const LagrangeDAlembert<RollingDisc<S>>& problem, Random<S>& random) {
  const RollingDisc<S>& disc = problem.system();
  const SO3<S> R = disc.attitude(3 * random(), random(), 3 * random());
  return problem.state(disc.standing(R, random.template vector<2>()),
                       disc.rolling(R, random.template vector<3>()));
}

/// The engine's rates and contact forces are those of (4) at random states.
template <class S>
void check_disc() {
  using System = RollingDisc<S>;
  check_rates<System>(some_disc<S>, some_state<S>, [](const System& disc, const auto& at) {
    const auto& p = disc.parameters();
    const Mat<S, 3> R = at.g.first().matrix();
    const Vec<S, 3> w = at.xi.template head<3>(), up = R.row(2).transpose(), flow = up.cross(w);
    const S n = std::hypot(up[0], up[1]), nflow = (up[0] * flow[0] + up[1] * flow[1]) / n;
    const Vec<S, 3> rho = -p.radius / n * Vec<S, 3>(up[0], up[1], 0);
    const Vec<S, 3> rhodot = -p.radius / n * Vec<S, 3>(flow[0], flow[1], 0) - nflow / n * rho;
    // (4): (𝕀 + m(|ρ|² − ρρᵀ)) ω̇ = 𝕀ω × ω + mρ × (ρ̇ × ω + ω × (ρ × ω) + Gγ).
    const Vec<S, 3> rest = rhodot.cross(w) + w.cross(rho.cross(w));
    const Mat<S, 3> about_contact =
        p.inertia + p.mass * (rho.squaredNorm() * Mat<S, 3>::Identity() - rho * rho.transpose());
    const Vec<S, 3> inertia_moment = (p.inertia * w).cross(w);
    const Vec<S, 3> moment = inertia_moment + p.mass * rho.cross(Vec<S, 3>(rest + p.gravity * up));
    const Vec<S, 3> wdot = about_contact.inverse() * moment;
    const Vec<S, 3> acceleration = R * Vec<S, 3>(rest + rho.cross(wdot));
    Vec<S, 6> rate;
    rate << wdot, acceleration;
    const Vec<S, 3> force = p.mass * (acceleration + p.gravity * Vec<S, 3>::UnitZ());
    return Expected<System>{.xidot = rate, .lambda = Vec<S, 3>(force[2], force[0], force[1])};
  });
}

}  // namespace laws
