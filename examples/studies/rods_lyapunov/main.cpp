// From regular to chaotic: the ten largest Lyapunov exponents of two rods that roll on each other, of a small
// woven net, and of two strings, against how hard they are struck.
//
//   ./rods_lyapunov                                   five amplitudes of each, most of a minute
//   ./rods_lyapunov --periods 400 --elements 100      longer and finer
//
//    λ_i T |            . : |     T   the time of the slowest wave along a rod and back
//          |        . : :   |     U/c peak velocity of the strike over the speed of transverse waves
//          | . . . .:       |     Linear waves have exponents zero: what the contact makes of them, rolling from place to
//          +————————————— U/c     place and scattering what passes, grows with the amplitude.
//
// The strike twists the two rods, too: above U/c = 0.2 or so they become chaotic, with all ten exponents at
// once, and so does the net, which is struck in its middle alone, where it is struck harder. Strings stay
// near what regular motions show, log t/t. Rods take some fifty periods to come to their chaos; when, and
// with it what is measured near the onset, depends on the number of elements.
// Disturbances are kept on the constraints and made orthonormal again four times a period, in the kinetic
// metric. The direction of the motion itself, whose exponent is zero, is removed, but not from those of the
// strings, which follow characteristics and tell no rates.
// Sources: Gay-Balmaz and Putkaradze, Dynamics of elastic rods in perfect friction contact, for the strings;
// Benettin et al. 1980 for the exponents.

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include <dalembert/integrate/batch_threads.hpp>
#include <dalembert/io/csv.hpp>

#include "rods_lyapunov/systems.hpp"
#include "support/interrupt.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/table.hpp"

namespace {

using namespace rods_lyapunov;
using Measure = void (*)(const Arguments&, Member&);

constexpr std::array<std::pair<const char*, Measure>, 3> systems{
    {{"strings", measure_strings}, {"rods", measure_rods}, {"net", measure_net}}};

/// Amplitudes of each system, evenly spaced in their logarithms; a net is struck in the middle alone, twice as hard.
std::vector<Member> members(const Arguments& p) {
  std::vector<Member> all;
  for (const auto& [name, measure] : systems)
    for (long i = 0; i < p.amplitudes; ++i) {
      const double part =
          p.amplitudes > 1 ? static_cast<double>(i) / static_cast<double>(p.amplitudes - 1) : 1;
      all.push_back({.system = name,
                     .amplitude = (measure == measure_net ? 2 : 1) * p.smallest *
                                  std::pow(p.largest / p.smallest, part)});
    }
  return all;
}

/// Measures all, the longest first; a motion that fails does not end the others.
void measure_all(const Arguments& p, std::vector<Member>& all) {
  std::mutex mutex;
  std::size_t done = 0;
  const unsigned threads =
      p.threads > 0 ? static_cast<unsigned>(p.threads) : std::max(1U, std::thread::hardware_concurrency());
  const bool terminal = example::on_terminal();
  dalembert::Threads{threads}(all.size(), [&](std::size_t i) {
    Member& member = all[all.size() - 1 - i];
    example::end_if_interrupted();
    try {
      for (const auto& [name, measure] : systems)
        if (member.system == name) measure(p, member);
    } catch (const dalembert::InvalidState& error) {
      member.failure = error.what();
    }
    const std::lock_guard lock(mutex);
    if (terminal) std::fprintf(stderr, "\r\033[K%zu of %zu motions", ++done, all.size());
  });
  if (terminal) std::fprintf(stderr, "\r\033[K");
}

void tabulate(const std::vector<Member>& all, const example::Run& run) {
  for (const auto& [name, measure] : systems) {
    dalembert::io::CsvWriter csv(run.out / (std::string(name) + ".csv"),
                                 example::columns("amplitude [1], number [1], exponent [1/s], error [1/s], "
                                                  "exponent_per_period [1], error_per_period [1]"));
    for (const Member& m : all)
      for (Eigen::Index i = 0; m.system == name && i < m.exponents.size(); ++i)
        csv.row({m.amplitude, static_cast<double>(i + 1), m.exponents[i], m.errors[i],
                 m.exponents[i] * m.period, m.errors[i] * m.period});
    csv.close();
  }
}

void report(const std::vector<Member>& all, example::Run& run) {
  for (const auto& [name, measure] : systems) {
    std::vector<double> amplitudes, largest, errors, sums, flows, energies;
    double failed = 0, period = 0;
    for (const Member& m : all) {
      if (m.system != name) continue;
      period = m.period;
      if (!m.failure.empty()) {
        failed += 1;
        std::printf("%s at amplitude %g: %s\n", name, m.amplitude, m.failure.c_str());
        continue;
      }
      amplitudes.push_back(m.amplitude);
      largest.push_back(m.exponents[0]);
      errors.push_back(m.errors[0]);
      sums.push_back(m.positive_sum);
      flows.push_back(m.flow);
      energies.push_back(m.energy_change);
    }
    const std::string of = name;
    auto& summary = run.summary;
    summary.figure(of + "_period", period, "s", "the slowest wave along and back");
    summary.figure(of + "_failed", failed, "1", "motions that could not go on");
    summary.list(of + "_amplitudes", amplitudes, "1", "peak velocities over the speed of waves");
    summary.list(of + "_lyapunov", largest, "1/s", "largest exponents");
    summary.list(of + "_lyapunov_error", errors, "1/s", "standard errors of them");
    summary.list(of + "_positive_sum", sums, "1/s", "sum of the exponents that are three errors above zero");
    summary.list(of + "_energy_change", energies, "1",
                 "change of the energy, of the kinetic energy of the strike");
    if (of != "strings")
      summary.list(of + "_flow", flows, "1/s", "exponent along the motion, which is removed");
    for (const auto* numbers : {&largest, &errors, &sums}) summary.add_end(*numbers, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{
      "rods_lyapunov",
      "Lyapunov exponents of rods and strings that roll on each other: from regular to chaotic."};
  using example::Rule;
  program.option("exponents", arguments.exponents, "how many of the largest exponents", 1);
  program.option("elements", arguments.elements, "elements of each of the two rods", 2);
  program.option("net-rods", arguments.net_rods, "rods of each direction of the net", 1);
  program.option("net-elements", arguments.net_elements, "elements of each rod of the net", 2);
  program.option("points", arguments.points, "points of each string", 16);
  program.option("smallest", arguments.smallest, "1", "smallest peak velocity over the speed of waves",
                 Rule::positive);
  program.option("largest", arguments.largest, "1", "largest one", Rule::positive);
  program.rule("largest", "must not be less than --smallest",
               [&] { return arguments.largest >= arguments.smallest; });
  program.option("amplitudes", arguments.amplitudes, "amplitudes of each system", 1);
  program.option("periods", arguments.periods, "1", "periods of the slowest wave that are measured",
                 Rule::positive);
  program.option("settling", arguments.settling, "1", "periods before", Rule::not_negative);
  program.option("threads", arguments.threads, "threads; 0 for one per processor", 0);
  return program.run(argc, argv, [&](example::Run& run) {
    const auto begin = std::chrono::steady_clock::now();
    auto all = members(arguments);
    measure_all(arguments, all);
    tabulate(all, run);
    report(all, run);
    run.summary.figure("wall_seconds",
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), "s",
                       "all motions");
    run.summary.hash_of_ends();
    run.summary.print();
    example::Variables given;
    given("periods", arguments.periods)("settling", arguments.settling)(
        "exponents", static_cast<double>(arguments.exponents));
    given("smallest", arguments.smallest)("largest", arguments.largest);
    example::draw(run, {"exponents", 2200, 1000}, given);
  });
}
