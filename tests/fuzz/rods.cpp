// Rods: sections, materials, boundaries and loads, their forces and energies, free motion, and statics.

#include "fuzz/rods.hpp"

#include <optional>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/kernel_average.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/statics.hpp>

namespace fuzz {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Problem = assembly::Assembly<assembly::Kinds<Rod>>;

namespace {

[[nodiscard]] Vec<double, 6> stiffness(Input& in) {
  Vec<double, 6> k;
  for (int i = 0; i < 6; ++i) k[i] = in.like("stiffness", i < 3 ? 30.0 : 0.01);
  return k;
}

/// Every answer of a material and a section; nothing is kept.
[[nodiscard]] bool sections(Input& in) {
  bool computed = accepted([&] {
    const rod::CircularSection<double> section({.radius = in.like("radius", 0.01),
                                                .young = in.like("young", 1e6),
                                                .poisson = in.between("poisson", 0, 0.5),
                                                .density = in.like("density", 1000),
                                                .shear_factor = in.like("shear_factor", 0.9)});
    demand(in.finite(), "a section from numbers that are not finite was accepted");
    demand_finite(section.stiffness_diagonal(), "stiffness of a section");
    demand_finite(section.inertia().rotary, "inertia of a section");
  });
  computed |= accepted([&] {
    Mat<double, 6> inertia = Mat<double, 6>::Zero();
    const double mass = in.like("mass", 1);
    for (int i = 0; i < 6; ++i) inertia(i, i) = i < 3 ? mass : in.like("rotary", 1e-3);
    if (in.flag("another entry")) {
      const int row = in.whole("row", 0, 5), column = in.whole("column", 0, 5);
      inertia(row, column) = in.any("entry");
    }
    const auto made = rod::SectionInertia<double>::from_matrix(inertia);
    demand(inertia.allFinite(), "an inertia that is not finite was accepted");
    demand_finite(made.rotary, "inertia of a section");
  });
  computed |= accepted([&] {
    Mat<double, 6> full = Mat<double, 6>(stiffness(in).asDiagonal());
    const int i = in.whole("row", 0, 5), j = in.whole("column", 0, 5);
    full(i, j) = full(j, i) = in.between("entry", 0, 1);
    const rod::CoupledElastic<double> material(full);
    demand(full.allFinite(), "a stiffness that is not finite was accepted");
    const auto stress = material.stress<double>(Vec<double, 3>::UnitX(), Vec<double, 3>::UnitX());
    demand(full.cwiseAbs().maxCoeff() > 1e300 || (stress.force.allFinite() && stress.moment.allFinite()),
           "a stress is not finite");
  });
  return computed;
}

[[nodiscard]] rod::Boundary<double> boundary(Input& in) {
  switch (in.whole("boundary", 0, 4)) {
    case 0:
      return rod::Boundary<double>::free();
    case 1:
      return rod::Boundary<double>::clamped();
    case 2:
      return rod::Boundary<double>::pinned();
    case 3: {
      std::array<bool, 6> held{};
      for (bool& h : held) h = in.flag("held");
      return rod::Boundary<double>::degrees(held);
    }
    default:
      return rod::Boundary<double>::prescribed(in.flag("no motion") ? rod::Boundary<double>::Motion{}
                                                                    : [](double t) {
                                                                        rod::EndMotion<double> m;
                                                                        m.position[0] = 0.01 * t;
                                                                        m.velocity[0] = 0.01;
                                                                        return m;
                                                                      });
  }
}

[[nodiscard]] rod::EndLoad<double> load(Input& in) {
  return {triple(in, "force", 0.01), triple(in, "moment", 0.001), triple(in, "follower_force", 0.01),
          triple(in, "follower_moment", 0.001)};
}

[[nodiscard]] Rod make(Input& in) {
  rod::RestStrain<double> rest;
  rest.stretch += triple(in, "rest stretch", 0.1);
  rest.curvature = triple(in, "rest curvature", 0.5);
  const rod::LinearElastic<double> material(stiffness(in), rest);
  Rod::Parameters p;
  p.elements = in.whole("elements", -2, 12);
  p.length = in.like("length", 1);
  p.inertia.mass = in.like("mass", 0.1);
  for (int i = 0; i < 3; ++i) p.inertia.rotary[i] = in.like("rotary", 1e-5);
  p.start = boundary(in);
  p.finish = boundary(in);
  p.loads.gravity = triple(in, "gravity", 10);
  p.loads.start = load(in);
  p.loads.finish = load(in);
  p.damping.rate = in.between("damping", 0, 1);
  p.end_mass_fraction = in.like("end_mass_fraction", 0.5);
  return Rod(material, p);
}

template <class K>
[[nodiscard]] bool average(Input& in, const Rod& rod, const rod::Chain<double>& chain) {
  return accepted([&] {
    const contact::KernelAverage<double, K> made(K{}, in.like("kernel_width", 0.1), rod.spacing(),
                                                 rod.nodes());
    const auto point = made.at(chain, in.between("s", 0, 1), 0.0, 1);
    demand_finite(point.R, "an averaged point");
    demand_finite(point.dR, "the slope of an averaged point");
    demand_finite(point.square, "the sum of squared weights");
  });
}

/// Answers of one rod in a state, and some steps of it.
[[nodiscard]] bool moves(Input& in, const Problem& problem, Problem::State state) {
  bool computed = accepted([&] { demand_finite(problem.energy(state), "energy"); });
  computed |= accepted([&] {
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    demand_finite(rates.xidot[0].topRows(problem.bodies<0>()[0].nodes()), "acceleration");
    demand_finite(problem.power(state, rates).load, "power of the loads");
  });
  if (in.whole("broken", 0, 15) == 0) {
    Problem::State broken = state;
    broken[0] = rod::Chain<double>(in.whole("nodes", 0, 14));
    const bool same = broken[0].nodes == problem.bodies<0>()[0].nodes();
    auto rates = problem.make_rates();
    demand(!accepted([&] { problem.rates(broken, rates); }) || same, "a state of another shape was accepted");
    demand(!accepted([&] { (void)problem.energy(broken); }) || same, "a state of another shape was accepted");
    demand(!accepted([&] {
      drive(Verlet{}, problem, broken, {.step = 1e-5, .until = broken.time + 1e-5});
    }) || same,
           "a state of another shape was accepted");
  }
  const double step = in.like("step", 1e-4);
  computed |= accepted([&] {
    drive(Verlet{}, problem, state, {.step = step, .until = state.time + 3 * step});
    demand_finite(state.chains, "a chain after some steps is not finite");
    demand(state[0].unit(), "a quaternion after some steps has not norm 1");
  });
  return computed;
}

[[nodiscard]] bool rests(Input& in, Rod made, rod::Chain<double> chain) {
  const rod::StaticOptions<double> options{.tolerance = in.like("tolerance", 1e-9),
                                           .step_tolerance = in.like("step_tolerance", 1e-7),
                                           .iterations = in.whole("iterations", -1, 10),
                                           .first_step = in.like("first_step", 0.25),
                                           .smallest_step = in.whole("smallest_step", 0, 20) * 0.02,
                                           .largest_step = in.like("largest_step", 1),
                                           .largest_turn = in.like("largest_turn", 0.25),
                                           .largest_move = in.like("largest_move", 0.25)};
  return accepted([&] {
    const auto result = static_equilibrium(made, chain, options);
    demand_finite(result.residual, "residual of an equilibrium");
    demand(chain.finite(), "an equilibrium is not finite");
  });
}

}  // namespace

Outcome rods(Input& in) {
  if (in.whole("part", 0, 3) == 0) return sections(in) ? Outcome::computed : Outcome::refused;
  std::optional<Problem> problem;
  std::optional<Problem::State> state;
  const bool stands = accepted([&] {
    problem.emplace(std::vector<Rod>{make(in)});
    demand(in.finite(), "a rod from numbers that are not finite was accepted");
    const auto frame = SO3<double>::exp(triple(in, "frame", 3));
    const auto origin = triple(in, "origin", 1);
    rod::Chain<double> chain = problem->bodies<0>()[0].straight(origin, frame, in.like("stretch", 1));
    disturb(in, chain);
    if (in.whole("another shape", 0, 15) == 0) chain = rod::Chain<double>(in.whole("nodes", 0, 14));
    state = problem->state({chain}, {}, in.between("t", 0, 1));
    demand_finite(state->time, "the time of an accepted state");
    demand_finite(state->chains, "a state that is not finite was accepted");
  });
  if (!stands) return Outcome::refused;
  const Rod& made = problem->bodies<0>()[0];
  const rod::Chain<double>& chain = state->chains[0];
  bool computed = false;
  switch (in.whole("question", 0, 7)) {
    case 0:
      computed = rests(in, made, chain);
      break;
    case 1:
      computed = average<contact::QuinticSpline>(in, made, chain);
      break;
    case 2:
      computed = average<contact::CompactKernelValue>(in, made, chain);
      break;
    case 3:
      computed = average<contact::Gaussian>(in, made, chain);
      break;
    default:
      computed = moves(in, *problem, *state);
  }
  return computed ? Outcome::computed : Outcome::refused;
}

}  // namespace fuzz
