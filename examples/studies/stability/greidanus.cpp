// Greidanus's tyre, rolling straight: along its speed, or along its stiffness in twist.

#include <cmath>

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/greidanus_tire.hpp>

#include "stability/motion.hpp"

namespace stability {

using namespace dalembert;

Motion greidanus(const TireOptions& options) {
  using Tire = systems::GreidanusTire<>;
  const Tire::Parameters given{.axle = 0.5,
                               .yaw = 0.25,
                               .mass = 1,
                               .lateral_curvature = options.lateral_curvature,
                               .drift_curvature = options.drift_curvature,
                               .lateral_stiffness = options.lateral_stiffness,
                               .torsional_stiffness = options.torsional_stiffness};
  const auto straight = [](const Tire& tire, double speed) {
    const LagrangeDAlembert problem{tire};
    const auto state = problem.state({SE2d(0, 0, 0), Rn<double, 2>(Vec<double, 2>(0, 0))},
                                     tire.rolling(speed, 0, 0, 0, 0), Vec<double, 1>(0.0));
    // The ground may be shifted and turned, the wheel turned. What is left: the give and its rate, the drift,
    // the turning rate, and the speed, whose eigenvalue is 0.
    return without_zeros(
        analysis::linearization(problem, state, analysis::translations(problem, {0, 1, 2, 3})).matrix, 1);
  };
  // Routh: stable for k_ξ > M a_k V² and M k_ε > J k_ξ; these imply the third condition, k_ε > J a_k V².
  const double lateral = given.lateral_stiffness, per_mass = given.yaw / given.mass;
  if (options.along_stiffness) {
    const auto characteristic = [given, straight, speed = options.speed](double stiffness) {
      auto tire = given;
      tire.torsional_stiffness = stiffness;
      return straight(Tire{tire}, speed);
    };
    return {.title = "A wheel shimmies if Greidanus's tyre is too soft in twist",
            .parameter = "stiffness in twist k_ε",
            .column = "k_eps",
            .unit = "N m/rad",
            .from = 0.2,
            .to = 20,
            .points = 401,
            .low = -6,
            .high = 11,
            .characteristic = characteristic,
            .known = {{"shimmy_stiffness", "J k_ξ/M", Kind::pair, per_mass * lateral, "J k_xi/M"}},
            .labels = {{"shimmies", 3, 0, false, 0, 1},
                       {"sways sideways", 2.6, 0, true, 0, 0.9},
                       {"twists", 16, 2, true, 0, -1.2}}};
  }
  const double critical = std::sqrt(lateral / (given.mass * given.lateral_curvature));
  return {.title = "A wheel on Greidanus's tyre rolls straight if it is slow enough",
          .parameter = "rolling rate V",
          .column = "V",
          .unit = "rad/s",
          .from = 0.1,
          .to = 12,
          .points = 401,
          .low = -12,
          .high = 12,
          .characteristic = [given, straight](double v) { return straight(Tire{given}, v); },
          .known = {{"divergence_speed", "√(k_ξ/(M a_k))", Kind::real, critical, "sqrt(k_xi/(M a_k))"}},
          .labels = {{"diverges", 10.4, 0, false, -1, 0.8},
                     {"sways sideways", 1.5, 0, true, 0, -1},
                     {"twists", 1.5, 2, true, 0, 1}}};
}

}  // namespace stability
