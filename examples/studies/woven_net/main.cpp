// A woven net of stretched rubber rods, over and under each other, is struck in the middle. The rods roll on each other without slip wherever
// they cross.
//
//   woven_net                                    six rods each way: 36 contacts, 2 s of motion, half a minute of work
//   woven_net --rods 12 --spacing 0.03 --strike 6
//                                                a finer net: 144 contacts
//
//   |   |   |     at each crossing, R the centreline averaged over a few nodes:
//  ---- | ----      A v = 0                        no slip
//   |   |   |       |R2 - R1| = 2a                 the rods touch
//   | ----- |       (R2 - R1).R1' = 0              where they touch
//   |   |   |       (R2 - R1).R2' = 0
//
// Writes view.html, a page that plays the motion, ledger.csv, contacts.csv, summary.json, pictures, and a ParaView series (paraview/rods.pvd: apply the Tube filter with the radius
// array; paraview/contacts.pvd: the contact points and forces).

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/thread_team.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/progress.hpp"
#include "support/stable.hpp"
#include "woven_net/recorder.hpp"

namespace {

using namespace dalembert;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.38;

struct Options {
  systems::WovenNetParameters<double> net;
  double dt = 0;                  ///< [s], 0 for `stable_part` of the longest stable one
  double t_end = 2;               ///< [s]
  double output_interval = 1e-3;  ///< [s]
  long frames = 200;              ///< for ParaView
  long threads = 1;               ///< that step the net
};

/// The shortest time of a step in batches of twenty, from a copy of a state [s]: other programs disturb the others.
template <class Problem>
double step_time(const Problem& problem, typename Problem::State state, double dt) {
  using Clock = std::chrono::steady_clock;
  auto stepper = Verlet{}.stepper(problem, state);
  double least = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < 40; ++batch) {
    const auto begin = Clock::now();
    for (int i = 0; i < 20; ++i) (void)stepper.step(problem, state, dt);
    least = std::min(least, std::chrono::duration<double>(Clock::now() - begin).count() / 20);
  }
  return least;
}

void simulate(const Options& options, example::Run& run) {
  const auto& p = options.net;
  const auto net = systems::woven_net(p);
  const auto problem = net.problem();
  run.view.pitch = 35;
  const double dt =
      example::step(options.dt, stable_part, Verlet{}, problem, problem.state(net.chains, net.z));
  auto state = systems::come_to_rest(net, p, Verlet{}, dt);
  Recorder recorder(p, net, run, options.t_end, options.frames);
  recorder.rest(problem, state);
  systems::strike(problem, state, p);
  recorder.start(problem, state);

  const assembly::Assembly apart{assembly::bodies(net.rods)};
  const double nodes = static_cast<double>(net.rods.size()) * static_cast<double>(net.rods[0].nodes());
  const double with = step_time(problem, state, dt);
  const double without = step_time(apart, apart.state(state.chains), dt);

  const auto finish = [&] {
    recorder.report(run.summary);
    run.summary.figure("node_step_ns", without * 1e9 / nodes, "ns",
                       "time per node and step of the rods alone");
    run.summary.figure("contact_ns", (with - without) * 1e9 / static_cast<double>(net.crossings.size()), "ns",
                       "time per contact and step, rods apart");
    run.summary.print();
    recorder.draw(run);
  };
  const auto march = [&](const auto& method) {
    return drive(method, problem, state,
                 {.step = dt,
                  .until = options.t_end,
                  .output_interval = options.output_interval,
                  .checks = {contact::no_overlap(problem)},  // where rods have no contact they must not meet
                  .progress = example::progress_line()},
                 recorder);
  };
  try {
    const auto done = options.threads > 1
                          ? march(ThreadedVerlet{.threads = static_cast<unsigned>(options.threads)})
                          : march(Verlet{});
    run.summary.violation(done);
    run.summary.final_state(state, done.steps);
    finish();
  } catch (const InvalidState&) {
    finish();
    throw;
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  auto& net = options.net;
  long rods = net.rods, elements = net.elements;
  using example::Rule;
  example::Program program{"woven_net",
                           "A woven net of elastic rods that roll on each other, struck in the middle."};
  program.option("rods", rods, "rods of each direction", 1);
  program.option("elements", elements, "elements of each rod", 2);
  program.option("spacing", net.spacing, "m", "distance of neighbouring parallel rods", Rule::positive);
  program.option("margin", net.margin, "m", "distance of the outer rods from the frame", Rule::positive);
  program.option("radius", net.radius, "m", "radius of the rods", Rule::positive);
  program.option("young", net.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", net.poisson, "1", "Poisson's ratio");
  program.option("density", net.density, "kg/m^3", "density", Rule::positive);
  program.option("pre-stretch", net.pre_stretch, "1", "stretch of the rods on their frame", Rule::positive);
  program.option("kernel-width", net.kernel_width, "m",
                 "width of the bump that averages a contact, rounded to whole elements", Rule::positive);
  program.option("strike", net.strike, "m/s", "velocity with which the middle is struck");
  program.option("strike-width", net.strike_width, "m", "radius of what is struck", Rule::positive);
  program.option("t-end", options.t_end, "s", "end of the motion", Rule::positive);
  program.stable_step("dt", options.dt, stable_part);
  program.option("output-interval", options.output_interval, "s", "time between rows of the CSV files",
                 Rule::positive);
  program.option("frames", options.frames, "frames of the ParaView series, 0 for none", 0);
  program.option("threads", options.threads,
                 "threads that step the net; the motion is the same for any number", 1);
  return program.run(argc, argv, [&](example::Run& run) {
    const auto whole = [](long n) {
      return static_cast<int>(std::min<long>(n, std::numeric_limits<int>::max()));
    };
    net.rods = whole(rods);
    net.elements = whole(elements);
    simulate(options, run);
  });
}
