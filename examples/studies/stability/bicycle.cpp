// Whipple's bicycle with the measures of the benchmark, rolling straight and upright at the speed v.

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

#include "stability/motion.hpp"

namespace stability {

using namespace dalembert;

Motion bicycle() {
  const LagrangeDAlembert problem{systems::WhippleBicycle<>{}};
  const auto characteristic = [problem](double v) {
    const auto& system = problem.system();
    const auto g = system.on_ground(0, 0);
    const auto state = problem.state(g, system.rolling(g, {.speed = v}));
    // The ground may be shifted and turned, either wheel turned. What is left: lean, steer, their rates, and
    // the speed, whose eigenvalue is 0 because the bicycle may roll at any.
    const auto linear =
        analysis::linearization(problem, state, analysis::translations(problem, {0, 1, 5, 7, 8}));
    return without_zeros(linear.matrix, 1);
  };
  const std::string source = "Meijaard, Papadopoulos, Ruina, Schwab 2007";
  return {.title = "A bicycle keeps itself upright between two speeds",
          .parameter = "speed v",
          .column = "v",
          .unit = "m/s",
          .from = 0,
          .to = 10,
          .points = 201,
          .low = -10,
          .high = 10,
          .characteristic = characteristic,
          .known = {{"weave_begins", "", Kind::birth, 0.684283078892460, source},
                    {"weave_speed", "weave", Kind::pair, 4.29238253634111, source},
                    {"capsize_speed", "capsize", Kind::real, 6.02426201538837, source}},
          .labels = {{"weave", 2.6, 0, false, 0, 1},
                     {"weave, imaginary part", 7.2, 1, true, 1, -0.8},
                     {"capsize", 8.4, 0, false, 0, 1},
                     {"castering", 1.1, 3, false, 1.5, 0.4}}};
}

}  // namespace stability
