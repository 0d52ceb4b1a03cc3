#include <dalembert/systems/ply.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace ply_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using V = Vec<double, 3>;

TEST_CASE("the tilt of a ply balances the moments", "[systems][ply]") {
  const auto stretched = systems::ply_equilibrium(systems::PlyParameters<double>{});
  CHECK_THAT(stretched.tilt, WithinAbs(0.3743882570, 1e-10));
  CHECK_THAT(stretched.pressure, WithinRel(1115.97385, 1e-8));
  const auto relaxed = systems::ply_equilibrium(systems::PlyParameters<double>{.stretch = 1});
  CHECK_THAT(relaxed.pressure, WithinRel(159.9456, 1e-6));
  // thin rods tilt with the centreline, q = κ(T − τM + Bτ²) with no twist M
  const systems::PlyParameters<double> thin{.angle = 0.01, .stretch = 1.001};
  const auto slender = systems::ply_equilibrium(thin);
  const double B = thin.section().stiffness_diagonal()[4], T = thin.section().stiffness_diagonal()[2] * 1e-3;
  const double kappa = std::sin(0.01) * std::sin(0.01) / thin.radius,
               tau = std::sin(0.01) * std::cos(0.01) / thin.radius;
  CHECK_THAT(slender.pressure, WithinRel(kappa * (T + B * tau * tau), 5e-3));
}

TEST_CASE("a ply in equilibrium presses as its closed form says", "[systems][ply]") {
  double error[2];
  const auto held = [](const auto& ply, const auto& x, int end) {  // force along the axis, torque about it
    Vec<double, 2> sum(0, 0);
    for (const std::size_t i : {0u, 1u}) {
      auto f = rod::zero_columns<double, 6>(ply.rods[i].nodes());
      REQUIRE(ply.rods[i].forces(x[i], f));
      const V r = x[i].position(end), force(f(end, 0), f(end, 1), f(end, 2));
      const V torque = x[i].rotation(end).act(V(f(end, 3), f(end, 4), f(end, 5)));
      sum += Vec<double, 2>(force[2], r.cross(force)[2] + torque[2]);
    }
    return sum;
  };
  for (const int fine : {0, 1}) {
    const systems::PlyParameters<double> p{.elements = fine ? 240 : 120};  // wh = 0.157, 0.079
    const auto ply = systems::ply(p);
    const auto problem = ply.problem();
    auto x = problem.state(ply.chains, ply.stations.nearest);
    const auto found = assembly::static_equilibrium(problem, x, {.first_step = 1});
    const auto exact = systems::ply_equilibrium(p);
    error[fine] = std::abs(ply.pressure(found.multipliers) / exact.pressure - 1);
    for (const int end : {0, p.elements}) {
      const double sign = end == 0 ? 2 : -2;  // what the ends pull the rest with, two rods together
      CHECK_THAT(held(ply, x, end)[0], WithinRel(sign * exact.tension, 1e-2));
      CHECK_THAT(held(ply, x, end)[1], WithinRel(sign * exact.torque, 1e-2));
    }
    CHECK(problem.constraint(x).position < 1e-15);
    CHECK(found.search.iterations <= 6);
    CHECK(found.multipliers.minCoeff() > 0);
  }
  CAPTURE(error[0], error[1]);
  CHECK(error[0] < 1e-2);
  CHECK(error[1] < 1e-3);
  CHECK(error[1] < error[0]);
}

TEST_CASE("a ply may be as steep as its rods are nearest to each other across the axis", "[systems][ply]") {
  // the least distance of one centreline from a point of the other, in radii
  const auto nearest = [](double angle) {
    double least = 2;
    for (double theta = -3; theta < 3; theta += 1e-3)
      least = std::min(least, std::hypot(std::sqrt(2 + 2 * std::cos(theta)), theta / std::tan(angle)));
    return least;
  };
  const double steepest = static_cast<double>(pi) / 4;
  CHECK(nearest(0.999 * steepest) == Approx(2).epsilon(1e-12));
  CHECK(nearest(1.01 * steepest) < 2 - 1e-5);
  for (const double angle : {steepest, 1.2, 0.0, -0.1})
    CHECK_THROWS_WITH(systems::ply(systems::PlyParameters<double>{.angle = angle}),
                      ContainsSubstring("PlyParameters: angle = "));
  const systems::PlyParameters<double> p{.turns = 1, .angle = 44.5 / 180 * static_cast<double>(pi)};
  const auto ply = systems::ply(p);
  const auto problem = ply.problem();
  auto x = problem.state(ply.chains, ply.stations.nearest);
  const auto found = assembly::static_equilibrium(problem, x, {.first_step = 1});
  CHECK_THAT(ply.pressure(found.multipliers), WithinRel(systems::ply_equilibrium(p).pressure, 1e-2));
  // and nothing of it is inside the rest
  CHECK_NOTHROW(contact::no_overlap(problem)(problem, x));
}

}  // namespace ply_test
