// Where the contact of two rolling rods goes, over how hard the one is struck and how far they are hooked into each other.
//
//   ./rods_basin                                           300 runs of a second each
//   ./rods_basin --columns 125 --rows 80                   ten thousand
//   mpirun -n 64 ./rods_basin --columns 125 --rows 80 --over ranks
//
//   hook |  · · · · · ·      each point is a run of its own: the rods find their equilibrium under that hook, rod 1 is struck, and both
//        |  · · · · · ·      roll on each other for a second. Its colour is how far the contact has gone on a rod; where a run came to an
//        |  · · · · · ·      end of its own, because the contact would have to pull, or reached an end of a rod, the colour says which
//        +——————————— strike
//
// The motions are those of rolling_rods with the same options. Writes basin.csv, members.runs, from which a run that was stopped goes on,
// summary.json and the picture.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/stable.hpp"
#include "support/sweep.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;

struct Arguments {
  double strike_min = 0, strike_max = 36, hook_min = 0.01, hook_max = 0.41;
  double roll = 4;
  long columns = 20, rows = 15, elements = 100;
  double t_end = 1, dt = 0;

  std::size_t count() const { return static_cast<std::size_t>(columns * rows); }
  /// The strike [m/s] and the hook [m] of a member, row by row, in the middle of its pixel.
  std::array<double, 2> at(std::size_t index) const {
    const auto i = static_cast<double>(index % static_cast<std::size_t>(columns));
    const auto j = static_cast<double>(index / static_cast<std::size_t>(columns));
    return {strike_min + (strike_max - strike_min) * (i + 0.5) / static_cast<double>(columns),
            hook_min + (hook_max - hook_min) * (j + 0.5) / static_cast<double>(rows)};
  }
};

const std::vector<std::string> names = {"s1 at the start [m]",
                                        "s2 at the start [m]",
                                        "s1 at the end [m]",
                                        "s2 at the end [m]",
                                        "least normal force [N]",
                                        "change of energy [1]",
                                        "steps"};

/// One run.
std::array<double, 7> member(const Arguments& arguments, MemberContext& context) {
  systems::RollingRodsParameters<double> p;
  p.elements = static_cast<int>(arguments.elements);
  p.strike = arguments.at(context.index())[0];
  p.hook = arguments.at(context.index())[1];
  p.roll = arguments.roll;
  const auto start = systems::static_start(p);
  const auto problem = start.problem();
  auto state = start.state;
  context.reached(0);
  systems::set_initial_velocity(problem, state, p);

  const Vec<double, 2> s = state.z;
  const double energy = problem.energy(state), kinetic = problem.kinetic_energy(state);
  double normal_force = std::numeric_limits<double>::infinity();
  auto rates = problem.make_rates();
  const auto watch = [&](const auto& rods, const auto& x) {
    context.check(x.time);
    rods.rates(x, rates);
    normal_force = std::min(normal_force, contact::evaluate(start.crossing, x, rates.lambda).components[0]);
  };
  const auto done = drive(Verlet{}, problem, state,
                          {.step = example::step(arguments.dt, 0.31, Verlet{}, problem, state),
                           .until = arguments.t_end,
                           .output_interval = 1e-2,
                           .checks = {contact::no_overlap(problem)}},
                          watch);
  return {s[0],
          s[1],
          state.z[0],
          state.z[1],
          normal_force,
          (problem.energy(state) - energy) / kinetic,
          static_cast<double>(done.steps)};
}

/// The kinds of ends that runs came to, those that happen most first.
std::vector<std::string> kinds_of(const std::vector<MemberRecord>& members) {
  std::map<std::string, long> counts;
  for (const MemberRecord& each : members)
    if (each.status != MemberStatus::finished)
      ++counts[each.kind.empty() ? status_name(each.status) : each.kind];
  std::vector<std::string> all;
  for (const auto& [kind, count] : counts) all.push_back(kind);
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return counts[a] > counts[b]; });
  return all;
}

/// Writes the table: kind is 0 for a run that came to its end, and else counts `kinds` from 1.
void tabulate(const Arguments& arguments, const std::vector<MemberRecord>& members,
              const std::vector<std::string>& kinds, const example::Run& run) {
  io::CsvWriter csv(
      run.out / "basin.csv",
      example::columns("strike [m/s], hook [m], s1 [m], s2 [m], shift1 [m], shift2 [m], normal_min [N], "
                       "energy_change [1], steps [1], kind [1], t [s]"));
  for (const MemberRecord& each : members) {
    const auto at = arguments.at(static_cast<std::size_t>(each.index));
    const auto& v = each.values;
    double kind = 0;
    if (each.status != MemberStatus::finished) {
      const std::string name = each.kind.empty() ? status_name(each.status) : each.kind;
      kind = static_cast<double>(std::find(kinds.begin(), kinds.end(), name) - kinds.begin() + 1);
    }
    csv.row({at[0], at[1], v[2], v[3], v[2] - v[0], v[3] - v[1], v[4], v[5], v[6], kind, each.time});
  }
  csv.close();
}

void summarise(const std::vector<MemberRecord>& members, const std::vector<std::string>& kinds,
               example::Summary& summary) {
  double energy = 0, steps = 0, shift[2] = {0, 0};
  for (const MemberRecord& each : members) {
    if (each.status != MemberStatus::finished) continue;
    energy = std::max(energy, std::abs(each.values[5]));
    steps += each.values[6];
    for (const std::size_t i : {0U, 1U})
      shift[i] = std::max(shift[i], std::abs(each.values[2 + i] - each.values[i]));
  }
  for (const std::string& kind : kinds) {
    const auto count = std::count_if(members.begin(), members.end(), [&](const MemberRecord& each) {
      return each.status != MemberStatus::finished &&
             (each.kind.empty() ? status_name(each.status) : each.kind) == kind;
    });
    summary.figure("ended_by_" + kind, static_cast<double>(count), "1", "runs that came to this end");
  }
  summary.figure("shift1_max", shift[0], "m", "farthest that the contact has gone on rod 1");
  summary.figure("shift2_max", shift[1], "m", "farthest that the contact has gone on rod 2");
  summary.figure("energy_change_max", energy, "1",
                 "largest change of energy over the kinetic energy at the start");
  summary.figure("steps", steps, "1", "steps of all runs that came to their end");
}

void draw(const Arguments& arguments, const std::vector<std::string>& kinds, const example::Run& run) {
  example::Variables given;
  given("strike_min", arguments.strike_min)("strike_max", arguments.strike_max);
  given("hook_min", arguments.hook_min)("hook_max", arguments.hook_max)("T", arguments.t_end);
  given("columns", static_cast<double>(arguments.columns))("rows", static_cast<double>(arguments.rows));
  std::string words;
  for (const std::string& kind : kinds) words += (words.empty() ? "" : " ") + kind;
  std::replace(words.begin(), words.end(), '_', ' ');
  given("kinds", words);
  example::draw(run, {"basin", 2000, 1150}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  const example::Ranks ranks(argc, argv);
  example::Program program{
      "rods_basin", "Two rolling rods over all strikes and hooks: where their contact goes, as a picture."};
  using example::Rule;
  program.option("columns", arguments.columns, "runs side by side, over the strike", 1);
  program.option("rows", arguments.rows, "runs one above the other, over the hook", 1);
  program.option("strike-min", arguments.strike_min, "m/s", "least velocity with which rod 1 is struck");
  program.option("strike-max", arguments.strike_max, "m/s", "largest");
  program.option("hook-min", arguments.hook_min, "m",
                 "least that the ends of each rod are drawn through the other");
  program.option("hook-max", arguments.hook_max, "m", "most");
  program.rule("strike-max", "must be more than --strike-min",
               [&] { return arguments.strike_max > arguments.strike_min; });
  program.rule("hook-max", "must be more than --hook-min",
               [&] { return arguments.hook_max > arguments.hook_min; });
  program.option("roll", arguments.roll, "m/s", "velocity with which rod 2 rolls off");
  program.option("elements", arguments.elements, "elements of each rod", 2);
  program.rule("elements", "must be at most 10000", [&] { return arguments.elements <= 10000; });
  program.option("t-end", arguments.t_end, "s", "duration of each run", Rule::positive);
  program.stable_step("dt", arguments.dt, 0.31);
  const example::Sweep sweep(program, ranks);
  return program.run(
      argc, argv,
      [&](example::Run& run) {
        const auto result = sweep.run(
            arguments.count(), [&](MemberContext& context) { return member(arguments, context); },
            {.names = names}, run);
        if (!result) return;
        const auto ends = kinds_of(result->members);
        tabulate(arguments, result->members, ends, run);
        summarise(result->members, ends, run.summary);
        run.summary.print();
        draw(arguments, ends, run);
      },
      ranks.lead());
}
