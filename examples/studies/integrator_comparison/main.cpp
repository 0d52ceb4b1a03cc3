// The library's integrators side by side: what each keeps, what it lets go, and what it costs.
//
//   ./integrator_comparison --case all --dt 0.1 --steps 100000          (the defaults)
//
//   oscillator        chaotic, reversible:  ẋ + Σ yᵢżᵢ = 0,  V = ½(|q|² + Σ yᵢ²zᵢ² + z₁²z₂²)
//   driver            not reversible:       ẋ + f(θ)ż = 0, θ a pendulum that goes round (forward, backward)
//   sleigh            with a closed form:   u̇ = aω², ω̇ = −(ma/K)uω
//   rods              two elastic rods that roll on each other
//
// An energy that is kept certifies nothing by itself: the slip, and the error of a state, stand beside it. The maximum over a chaotic
// trajectory is that of the trajectory that round-off picked: with starts that differ by 1e-13 it moves by a factor of two.

#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "integrator_comparison/comparison.hpp"
#include "integrator_comparison/pictures.hpp"
#include "support/output_file.hpp"
#include "support/program.hpp"

namespace {

using comparison::Arguments;
using comparison::Table;

void print(const Table& table) {
  std::printf("\n%s\n%-30s %5s  %-12s %-9s %-12s %-12s %10s\n", table.title.c_str(), "integrator", "order",
              ("max d" + table.energy.substr(0, 6)).c_str(), "drift", "trend [1/s]", "max slip", "ns/step");
  for (const auto& row : table.rows)
    std::printf("%-30s %5d  %-12.3g %-9s %-12.2g %-12.2g %10.0f%s\n", row.integrator.c_str(), row.order,
                row.energy_max, row.drift.c_str(), row.energy_trend, row.slip_max, row.step_ns,
                row.failed ? "  stopped early" : "");
}

example::Json json(const Table& table) {
  example::Json rows = example::Json::array();
  for (const auto& row : table.rows) {
    example::Json work = example::Json::array();
    for (const auto& run : row.work)
      work.push_back({{"dt", run.step}, {"error", run.error}, {"seconds", run.seconds}});
    rows.push_back({{"integrator", row.integrator},
                    {"order", row.order},
                    {"finished", !row.failed},
                    {"t_reached", row.reached},
                    {"energy_error_max", row.energy_max},
                    {"energy_trend", row.energy_trend},
                    {"drift", row.drift},
                    {"slip_max", row.slip_max},
                    {"step_ns", row.step_ns},
                    {"work", work}});
  }
  return rows;
}

/// One file per table: a line per integrator and window.
void write(const Table& table, const std::filesystem::path& folder) {
  example::OutputFile file(folder / (table.name + ".csv"));
  file.precision(10);
  file << "integrator,t,energy_error,slip\n# t in s; energy_error relative; slip in the unit of the row\n";
  for (const auto& row : table.rows)
    for (const auto& window : row.windows)
      file << '"' << row.integrator << "\"," << window.time << ',' << window.energy << ',' << window.slip
           << '\n';
  file.close();
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  std::string which = "all";
  example::Program program{"integrator_comparison",
                           "The library's integrators side by side on four subjects."};
  program.choice("case", which, {"all", "oscillator", "driver", "sleigh", "rods"}, "what to integrate");
  program.option("dt", arguments.dt, "s", "step of the small systems", example::Rule::positive);
  program.option("steps", arguments.steps, "steps of the small systems", 1);
  program.stable_step("rod-dt", arguments.rod_dt, comparison::stable_part);
  program.option("rod-t-end", arguments.rod_t_end, "s", "duration of the rods' motion",
                 example::Rule::positive);
  program.option("rod-elements", arguments.rod_elements, "elements of each rod", 10);
  program.rule("rod-t-end", "must be at least 20 times --rod-dt",
               [&] { return arguments.rod_t_end >= 20 * arguments.rod_dt; });
  return program.run(argc, argv, [&](example::Run& run) {
    const auto add = [&](const Table& table) {
      print(table);
      write(table, run.out);
      run.summary.group(table.name, json(table));
      for (const auto& row : table.rows) run.summary.add_end(row.end, row.steps);
      comparison::draw(table, run);
    };
    const auto wanted = [&](const char* name) { return which == "all" || which == name; };
    if (wanted("oscillator")) add(comparison::compare_oscillator(arguments));
    if (wanted("driver")) {
      add(comparison::compare_driver(arguments, 1.5));
      add(comparison::compare_driver(arguments, -1.5));
    }
    if (wanted("sleigh")) add(comparison::compare_sleigh(arguments));
    if (wanted("rods")) add(comparison::compare_rods(arguments));
    run.summary.ends();
    run.summary.print();
  });
}
