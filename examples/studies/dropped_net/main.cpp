// A woven net that nothing ties is dropped onto a ball. What does friction hold?
//
//   ./dropped_net --rods 7                      (the defaults)
//   ./dropped_net --friction 0                  with none
//
//   ──╥──╥──╥──       `rods` cords along x and as many along y, over and under by turns;
//   ──╫──╫──╫──       each crossing presses by what bends the cords, then by what hangs down
//   ──╨──╨──╨──
//        ( ball )
//
// The net falls apart: cords away from the middle unweave and slide to the ground, those across the top stay.
// Cords touch each other, the ball and the ground with Coulomb friction. What contacts do is booked, `balance_error` is
// what is left of the balance of energy.

#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>

#include "support/touching_rods.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = example::TouchingRod;
using Problem = example::TouchingRods;
using State = Problem::State;

constexpr double pi_ = static_cast<double>(pi);

struct Arguments {
  example::Cord cord{.radius = 0.004, .thin = 0.5, .young = 4e5, .density = 1100, .friction = 0.6};
  long rods = 7, elements = 5;
  double spacing = 0.03, ball = 0.06, drop = 0.01, gravity = 9.81, damping = 8, t_end = 0.4;

  double length() const { return spacing * static_cast<double>(rods + 1); }
  int count() const { return static_cast<int>(elements * (rods + 1)); }
  std::size_t bodies() const { return 2 * static_cast<std::size_t>(rods); }
  /// Of the middle of the net at first [m].
  double height() const { return 2 * ball + 2 * cord.radius + drop; }
};

Rod make_rod(const Arguments& p) {
  Rod::Parameters parameters{.elements = p.count(), .length = p.length()};
  parameters.loads.gravity = {0, 0, -p.gravity};
  parameters.damping.rate = p.damping;
  return Rod(p.cord.section(), parameters);
}

Problem make_problem(const Arguments& p) {
  contact::Touching<> what;
  what.friction = p.cord.friction;
  what.radii.assign(p.bodies(), p.cord.radius);
  what.planes.push_back(contact::Plane<>{});
  contact::Drum<> ball;
  ball.surface.radius = p.ball;
  ball.surface.centre = {0, 0, p.ball};
  what.drums.push_back(ball);
  return Problem{std::vector<Rod>(p.bodies(), make_rod(p)), what};
}

/// Waves of the cords, so that those along x and along y pass each other at every crossing by what they are thick.
State start(const Problem& problem, const Arguments& p) {
  std::vector<assembly::Chain<>> chains;
  for (std::size_t i = 0; i < p.bodies(); ++i) {
    const bool along_x = i < static_cast<std::size_t>(p.rods);
    const auto number = static_cast<long>(i) % p.rods;
    const double beside = p.spacing * (static_cast<double>(number) - static_cast<double>(p.rods - 1) / 2);
    const double side = (number % 2 == 0) == along_x ? 1 : -1;
    std::vector<Vec3> points;
    for (int k = 0; k <= p.count(); ++k) {
      const double along = p.length() * (static_cast<double>(k) / p.count() - 0.5);
      const double phase = pi_ * (along / p.spacing + static_cast<double>(p.rods - 1) / 2);
      const double z = p.height() + 1.02 * side * p.cord.radius * std::cos(phase);
      points.push_back(along_x ? Vec3(along, beside, z) : Vec3(beside, along, z));
    }
    chains.push_back(rod::laid_along(points));
  }
  return problem.state(chains);
}

void simulate(const Arguments& p, example::Run& run) {
  const Problem problem = make_problem(p);
  State state = start(problem, p);
  run.view.planned = p.t_end;
  run.view.pitch = 25;
  io::CsvWriter csv(run.out / "net.csv",
                    example::columns("t [s], crossings [1], others [1], sliding [1], kinetic [J], "
                                     "lowest [m], gap [m]"));
  const auto ball = run.scene.body("ball", {io::ball(p.ball)}, {.colour = 4});
  run.scene.plane("ground", {0, 0, 0}, {0, 0, 1});
  std::vector<io::Scene::Tube> tubes;
  for (std::size_t i = 0; i < p.bodies(); ++i)
    tubes.push_back(run.scene.tube("cord " + std::to_string(i + 1), p.cord.radius,
                                   {.colour = i < static_cast<std::size_t>(p.rods) ? 0 : 1}));
  const auto panel =
      run.scene.panel("contacts", "1", {"cords with cords", "with ball and ground", "sliding"});
  analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
  double gap = 0, creep = 0;
  long crossings = 0, others = 0;
  const auto report = drive(
      Verlet{}, problem, state,
      {.cfl = 0.8, .until = p.t_end, .output_interval = p.t_end / 200, .progress = example::progress_line()},
      monitor, [&](const Problem& now, const State& x) {
        const example::TouchCounts counts(now, x);
        gap = std::min(gap, counts.gap);
        creep = std::max(creep, counts.creep);
        crossings = counts.rods;
        others = counts.others;
        double lowest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < p.bodies(); ++i)
          for (Eigen::Index k = 0; k < x[i].nodes; ++k) lowest = std::min(lowest, x[i].position(k)[2]);
        csv.row({x.time, static_cast<double>(counts.rods), static_cast<double>(counts.others),
                 static_cast<double>(counts.sliding), now.kinetic_energy(x), lowest, counts.gap});
        run.scene.row(panel, x.time,
                      {static_cast<double>(counts.rods), static_cast<double>(counts.others),
                       static_cast<double>(counts.sliding)});
        if (!run.scene.frame(x.time)) return;
        run.scene.put(ball, SO3<double>::identity(), Vec3(0, 0, p.ball));
        for (std::size_t i = 0; i < p.bodies(); ++i) run.scene.put(tubes[i], x[i]);
      });
  csv.close();

  example::Summary& out = run.summary;
  out.figure("crossings", static_cast<double>(crossings), "1", "contacts of cords with cords at the end");
  out.figure("others", static_cast<double>(others), "1", "of nodes with the ball and the ground");
  out.figure("gap_min", gap, "m", "least gap of closed contacts");
  out.figure("sticking_slip", creep, "m/s", "largest slip of a contact that sticks");
  out.figure("friction_work", monitor.contacts().friction, "J", "of all contacts in the run");
  out.figure("balance_error", monitor.balance_error(), "J", "what is left of the balance of energy");
  out.figure("kinetic", problem.kinetic_energy(state), "J", "at the end");
  out.final_state(state, report.steps);
  out.print();
  example::draw_times(run, "net", {0, p.t_end / 2, p.t_end}, 900, 900);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"dropped_net", "A woven net that nothing ties, dropped onto a ball."};
  using example::Rule;
  p.cord.declare(program);
  program.option("rods", p.rods, "cords each way", 2);
  program.option("elements", p.elements, "elements between two crossings", 3);
  program.option("spacing", p.spacing, "m", "of the cords", Rule::positive);
  program.option("ball", p.ball, "m", "radius of the ball", Rule::positive);
  program.option("drop", p.drop, "m", "how high above the ball the net is let go", Rule::positive);
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall", Rule::positive);
  program.option("damping", p.damping, "1/s", "of all that moves", Rule::not_negative);
  program.option("t-end", p.t_end, "s", "end of the run", Rule::positive);
  program.rule("rods", "must be less than a hundred", [&] { return p.rods < 100; });
  program.rule("elements", "must be less than a thousand", [&] { return p.elements < 1000; });
  program.rule("spacing", "must be more than three diameters of a cord",
               [&] { return p.spacing > 6 * p.cord.radius; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
