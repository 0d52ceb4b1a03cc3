// Our equations in solvers that are not ours: Boost.odeint and SUNDIALS' IDA, against our own integrators.
//
//   own_solver                                 Chaplygin's sleigh for 6 s, and two rolling rods for 5 ms
//   own_solver --system rods --elements 20
//
//     problem.rates(state, rates)                      ẏ = f(y, t)          odeint (compat::Chart)
//     problem.residual(state, rates, residual)         F(t, Y, Ẏ) = 0       IDA    (compat::ImplicitChart)
//     problem.retract, slope, solve_algebraic               state ↔ y ∈ Rⁿ
//
// dalembert/compat/chart.hpp makes a vector of numbers of a state on a group, and back. run.hpp has one function per solver.
// Writes table.csv, a picture of difference against work, and summary.json. What is not installed is left out.

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include <dalembert/io/csv.hpp>

#include "own_solver/cases.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/table.hpp"

namespace own_solver {

std::vector<double> tolerances(const Options& options) {
  std::vector<double> list;
  for (double tolerance = 1e-4; tolerance > 0.99 * options.tightest; tolerance /= 10)
    list.push_back(tolerance);
  return list;
}

namespace {

/// The table of one case: to stdout, as a file per solver, and the smallest differences into the summary. Returns whether the other
/// solvers come to the reference as closely as their tolerance lets expect.
bool report(const std::string& name, const std::string& meaning, const std::string& unit, double tightest,
            const std::vector<Line>& lines, example::Run& run) {
  std::printf("\n%s: %s\n%-18s %12s %14s %10s %10s\n", name.c_str(), meaning.c_str(), "solver",
              "step or tol.", "difference", "calls", "seconds");
  std::map<std::string, std::vector<Line>> by_solver;
  for (const auto& line : lines) {
    std::printf("%-18s %12.3g %14.3e %10.0f %10.4f\n", line.solver.c_str(), line.setting, line.difference,
                line.calls, line.seconds);
    by_solver[line.solver].push_back(line);
    run.summary.add_end(line.end, line.steps);
  }
  std::printf("\n");
  std::string names;
  bool agree = true;
  for (const auto& [solver, list] : by_solver) {
    std::string key = solver;
    std::replace(key.begin(), key.end(), ' ', '_');
    dalembert::io::CsvWriter csv(
        run.out / (name + "_" + key + ".csv"),
        example::columns(
            "setting [1 or s], difference [1 or m], calls [1], seconds [s], multiplier_difference [N]"));
    double best = list.front().difference, multiplier = 0;
    for (const auto& line : list) {
      csv.row({line.setting, line.difference, line.calls, line.seconds, line.multiplier});
      best = std::min(best, line.difference);
      multiplier = line.multiplier;
    }
    csv.close();
    run.summary.figure(name + "_" + key, best, unit, "smallest difference from the reference");
    if (solver == "IDA" || solver == "odeint dopri5") agree = agree && best < 1e3 * tightest;
    if (solver == "IDA")
      run.summary.figure(name + "_IDA_multiplier", multiplier, "N",
                         "difference of IDA's multipliers and ours, at the tightest tolerance");
    names += "'" + solver + "' ";
  }
  run.summary.figure(name + "_agree", agree ? 1 : 0, "1",
                     "whether other solvers are within 1000 tolerances of ours");
  example::draw(run, {name, 1600, 1100, "solvers"},
                example::Variables{}("name", name)("meaning", meaning)("names", names));
  return agree;
}

}  // namespace

}  // namespace own_solver

int main(int argc, char** argv) {
  own_solver::Options options;
  std::string system = "both";
  using example::Rule;
  example::Program program{"own_solver",
                           "Our equations in Boost.odeint and SUNDIALS' IDA, against our own integrators."};
  program.choice("system", system, {"both", "sleigh", "rods"}, "what to solve");
  program.option("t-end", options.t_end, "s", "duration of the sleigh's motion", Rule::positive);
  program.option("rods-t-end", options.rods_t_end, "s", "duration of the rods' motion", Rule::positive);
  program.option("elements", options.elements, "elements of each rod", 12);
  program.option("tolerance", options.tightest, "1", "the tightest tolerance", Rule::positive);
  program.rule("elements", "must not be more than 40: IDA solves with a full matrix",
               [&] { return options.elements <= 40; });
  program.rule("tolerance", "must lie between 1e-12 and 1e-4",
               [&] { return options.tightest >= 1e-12 && options.tightest <= 1e-4; });
  return program.run(argc, argv, [&](example::Run& run) {
    if (!own_solver::with_odeint) std::printf("Built without Boost.odeint.\n");
    if (!own_solver::with_ida) std::printf("Built without SUNDIALS' IDA.\n");
    const double tightest = options.tightest;
    bool agree = true;
    if (system != "rods")
      agree = own_solver::report("sleigh", "largest difference at the end [m, rad, m/s, rad/s]", "1",
                                 tightest, own_solver::solve_sleigh(options), run);
    if (system != "sleigh")
      agree = own_solver::report("rods", "largest distance of nodes at the end [m]", "m", tightest,
                                 own_solver::solve_rods(options), run) &&
              agree;
    run.summary.ends();
    run.summary.print();
    std::printf(agree ? "The solvers agree.\n"
                      : "The solvers do not agree: the motion is too wild for the tolerances.\n");
  });
}
