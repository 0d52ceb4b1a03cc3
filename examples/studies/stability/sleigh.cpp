// Chaplygin's sleigh, sliding straight at the speed u; its centre of mass is ahead of the blade.

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "stability/motion.hpp"

namespace stability {

using namespace dalembert;

Motion sleigh() {
  const LagrangeDAlembert problem{systems::ChaplyginSleigh<>{{.mass = 1, .inertia = 1, .offset = 0.2}}};
  return {.title = "Chaplygin's sleigh slides straight only with its blade behind",
          .parameter = "speed along the blade u",
          .column = "u",
          .unit = "m/s",
          .from = -2,
          .to = 2,
          .points = 41,
          .low = -0.5,
          .high = 0.5,
          .characteristic =
              [problem](double u) {
                // The sleigh may be anywhere. What is left: the turning rate, and the speed, whose
                // eigenvalue is 0.
                return without_zeros(analysis::linearization(problem, problem.state(SE2d(0, 0, 0), {u, 0, 0}),
                                                             analysis::translations(problem))
                                         .matrix,
                                     1);
              },
          .known = {{"critical_speed", "", Kind::real, 0, "the eigenvalue is -m a u/(I + m a^2)"}},
          .labels = {{"blade ahead: it swings round", -1.6, 0, false, 1, 0.8},
                     {"blade behind", 0.8, 0, false, 1, 0.8}}};
}

}  // namespace stability
