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
#include <string>
#include <utility>
#include <vector>

#include <dalembert/io/csv.hpp>

#include "rods_lyapunov/systems.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/sweep.hpp"
#include "support/table.hpp"

namespace {

using namespace rods_lyapunov;
using Measure = void (*)(const Arguments&, Member&);

constexpr std::array<std::pair<const char*, Measure>, 3> systems{
    {{"strings", measure_strings}, {"rods", measure_rods}, {"net", measure_net}}};

/// Amplitudes of each system, evenly spaced in their logarithms; a net is struck in the middle alone, twice as hard, and is measured
/// first, for it takes longest.
std::vector<Member> members(const Arguments& p) {
  std::vector<Member> all;
  for (auto system = systems.rbegin(); system != systems.rend(); ++system)
    for (long i = 0; i < p.amplitudes; ++i) {
      const double part =
          p.amplitudes > 1 ? static_cast<double>(i) / static_cast<double>(p.amplitudes - 1) : 1;
      all.push_back({.system = system->first,
                     .amplitude = (system->second == measure_net ? 2 : 1) * p.smallest *
                                  std::pow(p.largest / p.smallest, part)});
    }
  return all;
}

/// What is kept of a member: these, then its exponents and their errors.
std::vector<std::string> names(const Arguments& p) {
  std::vector<std::string> all{"period [s]", "flow [1/s]", "positive_sum [1/s]", "energy_change [1]"};
  for (const char* what : {"exponent ", "error of exponent "})
    for (long i = 1; i <= p.exponents; ++i) all.push_back(what + std::to_string(i) + " [1/s]");
  return all;
}

/// Measures one. Fewer directions than were asked for have no exponents beyond theirs.
std::vector<double> measured(const Arguments& p, Member member) {
  for (const auto& [name, measure] : systems)
    if (member.system == name) measure(p, member);
  std::vector<double> all{member.period, member.flow, member.positive_sum, member.energy_change};
  for (const auto* numbers : {&member.exponents, &member.errors})
    for (long i = 0; i < p.exponents; ++i) all.push_back(i < numbers->size() ? (*numbers)[i] : 0);
  return all;
}

/// The member that a record is of.
Member from(const Arguments& p, const Member& asked, const dalembert::MemberRecord& record) {
  Member member = asked;
  const auto& v = record.values;
  member.period = v[0], member.flow = v[1], member.positive_sum = v[2], member.energy_change = v[3];
  if (record.status != dalembert::MemberStatus::finished) {
    member.failure = record.error.empty() ? dalembert::status_name(record.status) : record.error;
    return member;
  }
  member.exponents = Eigen::Map<const Eigen::VectorXd>(v.data() + 4, p.exponents);
  member.errors = Eigen::Map<const Eigen::VectorXd>(v.data() + 4 + p.exponents, p.exponents);
  return member;
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
    double period = 0;
    for (const Member& m : all) {
      if (m.system != name) continue;
      period = m.period;
      if (!m.failure.empty()) {
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
    summary.figure(of + "_failed", static_cast<double>(all.size() / systems.size() - amplitudes.size()), "1",
                   "motions that could not go on");
    summary.list(of + "_amplitudes", amplitudes, "1", "peak velocities over the speed of waves");
    summary.list(of + "_lyapunov", largest, "1/s", "largest exponents");
    summary.list(of + "_lyapunov_error", errors, "1/s", "standard errors of them");
    summary.list(of + "_positive_sum", sums, "1/s", "sum of the exponents that are three errors above zero");
    summary.list(of + "_energy_change", energies, "1",
                 "change of the energy, of the kinetic energy of the strike");
    if (of != "strings")
      summary.list(of + "_flow", flows, "1/s", "exponent along the motion, which is removed");
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  const example::Ranks ranks(argc, argv);
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
  const example::Sweep sweep(program, ranks);
  return program.run(
      argc, argv,
      [&](example::Run& run) {
        const auto begin = std::chrono::steady_clock::now();
        const auto asked = members(arguments);
        const auto result = sweep.run(
            asked.size(),
            [&](dalembert::MemberContext& context) { return measured(arguments, asked[context.index()]); },
            {.names = names(arguments)}, run);
        if (!result) return;
        std::vector<Member> all;
        for (const auto& record : result->members)
          all.push_back(from(arguments, asked[static_cast<std::size_t>(record.index)], record));
        tabulate(all, run);
        report(all, run);
        run.summary.figure("wall_seconds",
                           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                           "s", "all motions");
        run.summary.print();
        example::Variables given;
        given("periods", arguments.periods)("settling", arguments.settling)(
            "exponents", static_cast<double>(arguments.exponents));
        given("smallest", arguments.smallest)("largest", arguments.largest);
        example::draw(run, {"exponents", 2200, 1000}, given);
      },
      ranks.lead());
}
