#include <dalembert/assembly/kinetic_metric.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/rolling_rods.hpp>
#include <dalembert/systems/woven_net.hpp>

#include "rods_lyapunov/measure.hpp"
#include "support/stable.hpp"

namespace rods_lyapunov {

namespace {

using namespace dalembert;

/// Of the longest stable step.
constexpr double stable_part = 0.35;

/// The speed of transverse waves along a stretched rod, in space [m/s]: the root of tension over mass per
/// stretched length.
template <class Parameters>
double wave_speed(const Parameters& p) {
  return std::sqrt(p.young * p.pre_stretch * (1 + p.pre_stretch) / p.density);
}

}  // namespace

void measure_rods(const Arguments& arguments, Member& member) {
  systems::RollingRodsParameters<double> p;
  p.elements = static_cast<int>(arguments.elements);
  p.strike = p.roll = member.amplitude * wave_speed(p);
  member.period = 2 * p.length * (1 + p.pre_stretch) / wave_speed(p);
  const auto start = systems::static_start(p, {}, true);  // hard strikes pull at the contact, too
  const auto problem = start.problem();
  auto state = start.state;
  systems::set_initial_velocity(problem, state, p);
  measure(arguments, Verlet{}, problem, state, problem.kinetic_energy(state),
          example::step(0, stable_part, Verlet{}, problem, state), 4, member);
}

void measure_net(const Arguments& arguments, Member& member) {
  systems::WovenNetParameters<double> p;
  p.rods = static_cast<int>(arguments.net_rods);
  p.elements = static_cast<int>(arguments.net_elements);
  p.strike = member.amplitude * wave_speed(p);
  member.period = 2 * p.width() / wave_speed(p);
  const auto net = systems::woven_net(p);
  const auto problem = net.problem();
  const double dt = example::step(0, stable_part, Verlet{}, problem, problem.state(net.chains, net.z));
  auto state = systems::come_to_rest(net, p, Verlet{}, dt);
  systems::strike(problem, state, p);
  measure(arguments, Verlet{}, problem, state, problem.kinetic_energy(state), dt, 4, member);
}

}  // namespace rods_lyapunov
