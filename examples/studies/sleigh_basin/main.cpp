// A hundred thousand sleighs at once: where Chaplygin's sleigh has turned to, over all ways to start it.
//
//   ./sleigh_basin --columns 400 --rows 250 --t-end 12          (the defaults)
//   mpirun -n 4 ./sleigh_basin --over ranks                     over processes, on one machine or many
//   ./sleigh_basin --members 0:50000 --out piece0               a part of them, for job arrays; then --collect
//
//   u̇ = aω²,  ω̇ = −(ma/K) uω,  K = I + ma²          ω₀ |  · · · · · ·     each point (u₀, ω₀) is a sleigh that starts
//                                                      |  · · · · · ·     at the origin along the x axis; its colour is
//                                                      |  · · · · · ·     the heading that it has at the end
//                                                      +——————————— u₀
//
// All of them move towards the line of straight runs with the blade trailing (u > 0 for a > 0). How far they turn on the way depends
// on the direction of (u₀, ω₀) alone, π√(K/(ma²)) at most; how long it takes depends on the speed, and the wheel of colours near the
// origin shows those that are still turning. The sleighs are stepped by the lanes of the processor's registers and over its cores, each
// as it would go alone; every one is compared with the motion in closed form, and some with a run of their own.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include <dalembert/integrate/batch.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/interrupt.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/sweep.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Sleigh = systems::ChaplyginSleigh<double>;
using Model = LagrangeDAlembert<Sleigh>;
using Lanes = NativePack<double>;

struct Arguments {
  double m = 1, inertia = 1, a = 0.5;
  double speed = 3, spin = 3;
  long columns = 400, rows = 250;
  double t_end = 12, dt = 0.01;

  long steps() const { return std::max(1L, std::lround(t_end / dt)); }
};

/// A sleigh per pixel, row by row; none starts at rest.
std::vector<Model::State> starts(const Arguments& arguments) {
  const auto centre = [](long i, long count, double range) {
    return range * (2 * static_cast<double>(i) + 1 - static_cast<double>(count)) / static_cast<double>(count);
  };
  std::vector<Model::State> members;
  members.reserve(static_cast<std::size_t>(arguments.rows * arguments.columns));
  for (long row = 0; row < arguments.rows; ++row)
    for (long column = 0; column < arguments.columns; ++column)
      members.push_back({.xi = {centre(column, arguments.columns, arguments.speed), 0,
                                centre(row, arguments.rows, arguments.spin)}});
  return members;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What single runs of every so many members say: the largest difference, and the time of a step [ns].
struct Singles {
  double difference = 0;
  double step_ns = 0;
};

/// The numbers of a record.
const std::vector<std::string> names = {"heading [rad]", "distance [m]", "u [m/s]", "omega [rad/s]",
                                        "error [m/s, rad/s, rad]"};

/// Those of a state, but for the error.
std::array<double, 4> numbers(const Model::State& state) {
  return {state.g.angle(), state.g.translation().norm(), state.xi[0], state.xi[2]};
}

/// The largest error of u, ω and φ against the closed form.
double error(const Model& model, const Model::State& begin, const Model::State& state) {
  const auto exact = model.system().exact({.u = begin.xi[0], .omega = begin.xi[2], .phi = 0}, state.time);
  return std::max({std::abs(state.xi[0] - exact.u), std::abs(state.xi[2] - exact.omega),
                   std::abs(std::remainder(state.g.angle() - exact.phi, 2 * static_cast<double>(pi)))});
}

Singles run_alone(const Model& model, const Arguments& arguments, double h,
                  const std::vector<Model::State>& begin, const std::vector<MemberRecord>& end) {
  Singles singles;
  const std::size_t stride = std::max<std::size_t>(1, begin.size() / 300);
  double count = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < begin.size(); i += stride) {
    example::end_if_interrupted();
    auto state = begin[i];
    auto stepper = RungeKutta4{}.stepper(model, state);
    for (long k = 0; k < arguments.steps(); ++k) (void)stepper.step(model, state, h);
    const auto alone = numbers(state);
    for (std::size_t k = 0; k < alone.size(); ++k)
      singles.difference = std::max(singles.difference, std::abs(end[i].values[k] - alone[k]));
    count += static_cast<double>(arguments.steps());
  }
  singles.step_ns = seconds_since(start) / count * 1e9;
  return singles;
}

/// Writes the table of all members, and returns the largest error against the closed form.
double tabulate(const std::vector<Model::State>& begin, const std::vector<MemberRecord>& end,
                const example::Run& run) {
  io::CsvWriter csv(
      run.out / "basin.csv",
      example::columns("u0 [m/s], omega0 [rad/s], heading [rad], distance [m], u [m/s], omega [rad/s]"));
  double largest = 0;
  for (std::size_t i = 0; i < end.size(); ++i) {
    const auto& values = end[i].values;
    largest = std::max(largest, values[4]);
    csv.row({begin[i].xi[0], begin[i].xi[2], values[0], values[1], values[2], values[3]});
  }
  csv.close();
  return largest;
}

/// Returns whether there is something to be drawn.
bool simulate(const Arguments& arguments, const example::Sweep& sweep, example::Run& run) {
  const LagrangeDAlembert model{
      Sleigh{{.mass = arguments.m, .inertia = arguments.inertia, .offset = arguments.a}}};
  const LagrangeDAlembert lanes{systems::ChaplyginSleigh<Lanes>{
      {.mass = arguments.m, .inertia = arguments.inertia, .offset = arguments.a}}};
  const auto begin = starts(arguments);
  const double h = arguments.t_end / static_cast<double>(arguments.steps());
  const auto member = [&](MemberBlock& block) {
    const auto from = begin.begin() + static_cast<std::ptrdiff_t>(block[0].index());
    std::vector<Model::State> states(from, from + static_cast<std::ptrdiff_t>(block.size()));
    run_batch(RungeKutta4{}, lanes, states, {.step = h, .steps = arguments.steps()});
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto seen = numbers(states[i]);
      std::copy(seen.begin(), seen.end(), block.values(i).begin());
      block.values(i)[4] = error(model, begin[block[i].index()], states[i]);
    }
  };

  const auto clock = std::chrono::steady_clock::now();
  const auto result = sweep.run(begin.size(), member, {.names = names}, run);
  if (!result) return false;
  const double wall = seconds_since(clock);
  const auto& end = result->members;
  const auto singles = run_alone(model, arguments, h, begin, end);
  const auto trailing = std::count_if(
      end.begin(), end.end(), [&](const MemberRecord& each) { return each.values[2] * arguments.a > 0; });

  auto& summary = run.summary;
  const double count = static_cast<double>(end.size());
  summary.figure("trailing_fraction", static_cast<double>(trailing) / count, "1",
                 "those whose blade trails at the end");
  summary.figure("total_turn_limit", model.system().total_turn(), "rad",
                 "the most that this sleigh can turn");
  summary.figure("closed_form_error_max", tabulate(begin, end, run), "1",
                 "largest error of u, omega, phi [m/s, rad/s, rad]");
  summary.figure("single_run_difference_max", singles.difference, "1",
                 "largest difference to a run alone, of 300 members");
  summary.figure("wall_seconds", wall, "s", "all members");
  summary.figure("steps", static_cast<double>(arguments.steps()), "1", "steps of each member");
  if (result->kept < end.size()) {
    const double member_steps =
        static_cast<double>(end.size() - result->kept) * static_cast<double>(arguments.steps());
    summary.figure("member_step_ns", wall / member_steps * 1e9, "ns",
                   "wall time of one step of one member, on all threads and ranks");
  }
  summary.figure("single_step_ns", singles.step_ns, "ns", "the same for a run alone on one core");
  return true;
}

void draw(const Arguments& arguments, const example::Run& run) {
  example::Variables given;
  given("speed", arguments.speed)("spin", arguments.spin)("T", arguments.t_end);
  example::draw(run, {"basin", 2000, 1150}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  const example::Ranks ranks(argc, argv);
  example::Program program{
      "sleigh_basin",
      "A batch of Chaplygin's sleighs over all starts: where each has turned to, as a picture."};
  using example::Rule;
  program.option("m", arguments.m, "kg", "mass", Rule::positive);
  program.option("I", arguments.inertia, "kg m^2", "moment of inertia about the centre of mass",
                 Rule::positive);
  program.option("a", arguments.a, "m", "distance of the centre of mass ahead of the blade");
  program.rule("a", "must not be 0", [&] { return arguments.a != 0; });
  program.option("speed", arguments.speed, "m/s", "largest speed along the blade at the start",
                 Rule::positive);
  program.option("spin", arguments.spin, "rad/s", "largest turning rate at the start", Rule::positive);
  program.option("columns", arguments.columns, "sleighs side by side, over the speed", 1);
  program.option("rows", arguments.rows, "sleighs one above the other, over the turning rate", 1);
  program.option("t-end", arguments.t_end, "s", "duration of the run", Rule::positive);
  program.option("dt", arguments.dt, "s", "time step", Rule::positive);
  const example::Sweep sweep(program, ranks);
  return program.run(
      argc, argv,
      [&](example::Run& run) {
        if (!simulate(arguments, sweep, run)) return;
        run.summary.print();
        draw(arguments, run);
      },
      ranks.lead());
}
