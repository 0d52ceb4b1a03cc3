// Two rods in rolling contact, from their parameters to some steps of their motion.

#include <dalembert/systems/rolling_rods.hpp>

#include <optional>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "fuzz/rods.hpp"

namespace fuzz {

using namespace dalembert;
using Parameters = systems::RollingRodsParameters<double>;
using RollingContact = contact::RollingContact<double>;
using Start = systems::RollingRodsStart<double, contact::CubicSpline>;
using Problem = assembly::Assembly<assembly::Kinds<rod::ElasticRod<double>>, assembly::Kinds<RollingContact>>;

namespace {

[[nodiscard]] Parameters parameters(Input& in) {
  Parameters p;
  p.elements = in.whole("elements", -1, 12);
  if (in.flag("at least 9 elements")) p.elements = 9 + (p.elements + 1) % 4;
  p.length = in.like("length", p.length);
  p.radius = in.like("radius", p.radius);
  p.young = in.like("young", p.young);
  p.poisson = in.between("poisson", 0, 0.5);
  p.density = in.like("density", p.density);
  p.shear_factor = in.like("shear_factor", p.shear_factor);
  p.pre_stretch = in.between("pre_stretch", 0, 0.5);
  p.crossing_angle = in.between("crossing_angle", 0.5, 2.5);
  p.hook = in.between("hook", 0, 0.1);
  p.kernel_width = in.like("kernel_width", p.kernel_width);
  p.crossing = {in.between("crossing", 0.4, 0.6), in.between("crossing", 0.4, 0.6)};
  p.strike = in.between("strike", -4, 4);
  p.strike_centre = in.between("strike_centre", 0, 1);
  p.strike_width = in.like("strike_width", p.strike_width);
  p.roll = in.between("roll", -4, 4);
  p.roll_centre = in.between("roll_centre", 0, 1);
  p.roll_width = in.like("roll_width", p.roll_width);
  p.damping = in.between("damping", 0, 1);
  return p;
}

/// Answers in the state of two chains, and some steps of it.
[[nodiscard]] bool answers(Input& in, const Problem& problem, Problem::State& state) {
  bool computed = accepted([&] { demand_finite(problem.energy(state), "energy"); });
  computed |= accepted([&] {
    const auto violation = problem.constraint(state);
    demand_finite(violation.position, "gap");
    demand_finite(violation.velocity, "slip");
  });
  computed |= accepted([&] {
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    for (std::size_t i = 0; i < 2; ++i)
      demand_finite(rates.xidot[i].topRows(problem.bodies<0>()[i].nodes()), "acceleration");
    demand_finite(rates.lambda, "contact force");
    demand_finite(rates.zdot, "velocity of the contact");
    const auto power = problem.power(state, rates);
    demand_finite(power.constraint, "power of the contact");
  });
  const double step = in.like("step", 1e-4);
  computed |= accepted([&] {
    drive(Verlet{}, problem, state, {.step = step, .until = state.time + 3 * step});
    demand_finite(state.chains, "a chain after some steps is not finite");
    demand_finite(state.z, "the place of the contact");
  });
  return computed;
}

/// The rods hooked into each other.
[[nodiscard]] bool hooked(Input& in, const Parameters& p) {
  const assembly::StaticOptions<double> options{
      .iterations = in.whole("iterations", 5, 20), .first_step = 0.5, .smallest_step = 0.1};
  std::optional<Start> start;
  if (!accepted([&] { start.emplace(systems::static_start(p, options)); })) return false;
  demand(in.finite(), "parameters that are not finite were accepted");
  demand_finite(start->state.chains, "the chains at rest are not finite");
  demand_finite(start->normal_force(), "the normal force at rest");
  demand_finite(start->equilibrium.energy, "the energy at rest");
  const Problem problem = start->problem();
  std::optional<Problem::State> state;
  if (!accepted([&] {
        state = start->state;
        systems::set_initial_velocity(problem, *state, p);
        demand_finite(state->chains, "the chains at the start are not finite");
      }))
    return false;
  return answers(in, problem, *state);
}

/// Rods straight and touching, as they are before they are hooked, or nearly so.
[[nodiscard]] bool placed(Input& in, const Parameters& p) {
  std::vector<rod::ElasticRod<double>> rods;
  std::vector<rod::Chain<double>> chains;
  if (!accepted([&] {
        rods = systems::rolling_rods(p);
        chains = systems::rolling_rods_placement(p, rods);
      }))
    return false;
  demand(in.finite(), "parameters that are not finite were accepted");
  demand_finite(chains, "the chains of accepted parameters are not finite");
  std::optional<Problem> problem;
  if (!accepted([&] {
        const double width = in.like("width", p.kernel_width);
        problem.emplace(assembly::bodies(rods),
                        assembly::constraints(std::vector{RollingContact{{0, rods[0], width},
                                                                         {1, rods[1], width},
                                                                         in.like("radius1", p.radius),
                                                                         in.like("radius2", p.radius),
                                                                         in.flag("bilateral")}}));
      }))
    return false;
  demand(in.finite(), "a contact from numbers that are not finite was accepted");
  if (in.flag("disturbed"))
    for (auto& chain : chains) disturb(in, chain);
  Vec<double, Eigen::Dynamic> guess(2);
  for (const std::size_t i : {0u, 1u})
    guess[static_cast<Eigen::Index>(i)] = in.like("guess", p.crossing[i] * p.length);
  std::optional<Problem::State> state;
  if (!accepted([&] {
        state = problem->state(chains, guess);
        demand_finite(state->z, "the place of the contact");
        const auto projection = problem->project(*state);
        demand_finite(projection.moved, "projection.moved");
        demand_finite(state->chains, "projected chains are not finite");
      }))
    return false;
  return answers(in, *problem, *state);
}

}  // namespace

Outcome rolling_rods(Input& in) {
  const Parameters p = parameters(in);
  const bool computed = in.whole("hooked", 0, 1) == 1 ? hooked(in, p) : placed(in, p);
  return computed ? Outcome::computed : Outcome::refused;
}

}  // namespace fuzz
