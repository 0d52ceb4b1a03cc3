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
using State = Problem::State;

namespace {

/// The plane may be shifted and turned under the disc, and the disc turned about its axle.
std::vector<analysis::Symmetry<Problem>> symmetries() {
  const auto shift = [](const Vec<double, 3>& along) {
    return [along](const State& at, double s) {
      State moved = at;
      moved.g = {at.g.first(), Rn<double, 3>(Vec<double, 3>(at.g.second().coordinates() + s * along))};
      return moved;
    };
  };
  const auto yaw = [](const State& at, double s) {
    const SO3d turn = SO3d::exp({0, 0, s});
    State moved = at;
    moved.g = {turn * at.g.first(), Rn<double, 3>(turn.act(at.g.second().coordinates()))};
    moved.xi.tail<3>() = turn.act(Vec<double, 3>(at.xi.tail<3>()));
    return moved;
  };
  const auto spin = [](const State& at, double s) {
    const SO3d turn = SO3d::exp({0, 0, s});
    State moved = at;
    moved.g = {at.g.first() * turn, at.g.second()};
    moved.xi.head<3>() = turn.inverse().act(Vec<double, 3>(at.xi.head<3>()));
    return moved;
  };
  return {yaw, spin, shift({1, 0, 0}), shift({0, 1, 0})};
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
    return without_zeros(analysis::linearization(problem, state, symmetries()).matrix, 2);
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
