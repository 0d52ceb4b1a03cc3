// Rocard's tyre, rolling straight at the rate V.

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/rocard_tire.hpp>

#include "stability/motion.hpp"

namespace stability {

using namespace dalembert;

Motion rocard() {
  using Tire = systems::RocardTire<>;
  const LagrangeDAlembert problem{
      Tire{{.axle = 0.5, .yaw = 0.25, .mass = 1, .stiffness = 1, .cornering = 2}}};
  const auto characteristic = [problem](double v) {
    const auto state = problem.state({SE2d(0, 0, 0), Rn<double, 1>(Vec<double, 1>(0.0))},
                                     problem.system().rolling(v, 0, 0), Vec<double, 1>(0.0));
    // The ground may be shifted and turned, the wheel turned. What is left: the drift, the turning rate, and
    // the speed, whose eigenvalue is 0.
    return without_zeros(analysis::linearization(problem, state, analysis::translations(problem)).matrix, 1);
  };
  return {.title = "A wheel on Rocard's tyre rolls straight at any speed",
          .parameter = "rolling rate V",
          .column = "V",
          .unit = "rad/s",
          .from = 0.1,
          .to = 4,
          .points = 601,
          .low = -8,
          .high = 4,
          .characteristic = characteristic,
          .known = {{"oscillation_begins", "begins to swing", Kind::birth, 0.5, "a/(2 M) sqrt(J/K)"}},
          .labels = {{"swings and dies away", 1.5, 0, false, 0, -1.2}}};
}

}  // namespace stability
