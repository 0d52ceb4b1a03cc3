// A thin uniform disc of radius 1 m, rolling straight and upright at the speed v.

#include <cmath>

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/rolling_disc.hpp>

#include "stability/motion.hpp"

namespace stability {

using namespace dalembert;
using Disc = systems::RollingDisc<>;
using Problem = LagrangeDAlembert<Disc>;

namespace {

/// The plane may be turned and shifted under the disc, and the disc turned about its axle.
std::vector<analysis::Symmetry<Problem>> symmetries(const Problem& problem) {
  const auto shifts = analysis::translations(problem, {3, 4});
  return {Disc::on_turned_plane<Problem::State>, Disc::turned_about_axle<Problem::State>, shifts[0],
          shifts[1]};
}

}  // namespace

Motion disc() {
  const Problem problem{Disc{{}}};
  const double radius = problem.system().parameters().radius, gravity = problem.system().parameters().gravity;
  const auto characteristic = [problem, radius](double v) {
    const SO3d upright = Disc::attitude(0, 0, 0);
    const auto xi = problem.system().rolling(upright, Disc::angular_velocity(0, 0, 0, 0, v / radius));
    const auto state = problem.state(problem.system().standing(upright, {0, 0}), xi);
    // What is left: lean, its rate, and those of yaw and spin, whose eigenvalues are 0: the disc may roll at
    // any speed, and on any circle.
    return without_zeros(analysis::linearization(problem, state, symmetries(problem)).matrix, 2);
  };
  return {
      .title = "A thin disc rolls upright if it is fast enough",
      .parameter = "speed v",
      .column = "v",
      .unit = "m/s",
      .from = 0,
      .to = 5,
      .points = 601,
      .low = -4,
      .high = 8,
      .characteristic = characteristic,
      .known = {{"critical_speed", "√(gr/3)", Kind::real, std::sqrt(gravity * radius / 3), "sqrt(g r/3)"}},
      .labels = {{"falls", 0.7, 0, false, 2, 1}, {"leans to and fro", 3, 0, true, 1.5, -0.7}}};
}

}  // namespace stability
