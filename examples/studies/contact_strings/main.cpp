// Two strings roll on each other at one point: the simplest system in which rolling contact alone makes a linear medium nonlinear.
//
//   ./contact_strings --F 1 --G1 0.9 --G2 0.72 --s1 2 --s2 2.7 --t-end 1000          (the defaults)
//
//   u ├──────╲──────────┤   u_tt = c²u_xx − λ δ(x − s₁),   v_tt = c²v_xx + λF δ(x − s₂)                     (1)
//             ○             u_t(s₁) = F v_t(s₂),   ṡ₁ = G₁u_t(s₁),   ṡ₂ = G₂v_t(s₂)                       (2)
//   v ├────────╲────────┤
//
// At the start the first string has the shape of one sine, which without contact it would keep, swinging with the frequency ω₀ = 2πc/L for
// ever; the second lies still. The contact wanders, scatters the waves that pass it, and makes of the one line of the first harmonic a comb of
// widened lines, which are near the multiples of ω₀ but not at them. Two motions that start close to each other part, slowly: the Lyapunov
// exponent is small and positive. The picture shows the string over place and time with the path of the contact, and both spectra; the two
// sounds are the first harmonic without and with contact.
// Source: Gay-Balmaz and Putkaradze, Dynamics of elastic rods in perfect friction contact, eqs (15), (16) and figure 2.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <iostream>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "contact_strings/initial.hpp"
#include "contact_strings/method.hpp"
#include "contact_strings/options.hpp"
#include "contact_strings/recorder.hpp"
#include "contact_strings/separation.hpp"
#include "contact_strings/view.hpp"
#include "support/progress.hpp"

namespace {

using namespace contact_strings;

/// Step a motion to the end, with a line of progress.
template <Method M>
void follow(M& motion, Recorder& recorder, Separation& separation, View& view, const Arguments& p) {
  const auto progress = example::progress_line();
  const auto clock = std::chrono::steady_clock::now();
  const long steps = std::max(1L, std::lround(p.t_end / motion.time_step()));
  for (long i = 0;; ++i) {
    const Sight sight{motion.time(), motion.s1(), motion.s2(), motion.velocity(), motion.slip()};
    recorder.see(sight);
    separation.see(sight.time, sight.s1);
    if (i % recorder.steps_between_samples() == 0) {
      motion.displacements(0, recorder.displacements());
      const Sample sample{motion.lambda(), motion.energy()};
      recorder.sample(sight, sample);
      view.sample(motion, sight, sample);
    }
    if (i % 4096 == 0 || i == steps) {
      const double fraction = static_cast<double>(i) / static_cast<double>(steps);
      const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
      progress({.fraction = fraction,
                .time = sight.time,
                .wall_seconds_left = fraction > 0 ? wall * (1 / fraction - 1) : 0});
    }
    if (i == steps) return;
    motion.step();
  }
}

template <Method M>
void study(const M& start_of_motion, const Start& start, const Arguments& p, example::Run& run) {
  const auto clock = std::chrono::steady_clock::now();
  M motion = start_of_motion;
  Recorder recorder(p, start, motion.time_step(), run.out);
  Separation separation(p, start);
  View view(run, p);
  // What ends a run early does not take away what it had.
  std::exception_ptr failure;
  try {
    follow(motion, recorder, separation, view, p);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  recorder.close();
  std::vector<double> end = recorder.displacements();
  motion.displacements(0, end);
  end.insert(end.end(), {motion.time(), motion.s1(), motion.s2(), motion.velocity(), motion.slip()});
  run.summary.add_end(end, std::lround(motion.time() / motion.time_step()));
  run.summary.ends();
  recorder.report(run.summary);
  run.summary.figure("energy_removed", start_of_motion.energy_removed(), "J",
                     "from the start: of velocities that do not roll");
  const bool shown = recorder.write_spectrum(run);
  if (const auto time = separation.time())
    run.summary.figure("separation_time", *time, "s",
                       "when the contact was 1 % of the length from a contact at a point");
  else
    run.summary.group("separation_time", example::Json());
  double lyapunov = std::numeric_limits<double>::quiet_NaN();
  if (!failure && p.lyapunov_t_end > 0) lyapunov = start_of_motion.lyapunov(p.lyapunov_t_end);
  if (std::isfinite(lyapunov))
    run.summary.figure("lyapunov", lyapunov, "1/s", "largest Lyapunov exponent");
  else
    run.summary.group("lyapunov", example::Json());
  run.summary.figure("wall_seconds",
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count(), "s",
                     "of the computation");
  run.summary.print();
  if (recorder.speed_ratio() > 0.9)
    std::cout << "The contact is nearly as fast as the waves: where it is faster, there is no solution.\n";
  recorder.write_sounds(run);
  if (shown) recorder.draw(run, lyapunov);
  if (failure) std::rethrow_exception(failure);
}

void simulate(const Arguments& p, example::Run& run) {
  namespace strings = dalembert::strings;
  const Start start = start_of(p.initial, p.length);
  if (p.method == "grid")
    study(GridMotion(p, start), start, p, run);
  else if (p.method == "tape")
    study(CharacteristicMotion(p, start), start, p, run);
  else if (p.kernel_width > 0)
    study(WaveguideMotion(p, start, strings::Gaussian<double>{.width = p.kernel_width}), start, p, run);
  else
    study(WaveguideMotion(p, start, strings::CorrectedGaussian<double>{}), start, p, run);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"contact_strings",
                           "Two strings roll on each other: chaos by contact, as a picture and as a sound."};
  using example::Rule;
  program.option("c", p.c, "m/s", "speed of the waves", Rule::positive);
  program.option("F", p.F, "1", "ratio of the strings' velocities at the contact");
  program.option("G1", p.G1, "1", "speed of the contact on the first string over that of the string");
  program.option("G2", p.G2, "1", "the same on the second string");
  program.option("length", p.length, "m", "length of each string", Rule::positive);
  program.option("points", p.points, "cells of each string", 16);
  program.option("s1", p.s1, "m", "position of the contact on the first string at the start");
  program.option("s2", p.s2, "m", "the same on the second string");
  program.choice("ends", p.ends, {"fixed", "free", "periodic"}, "what both ends of both strings do");
  program.choice("method", p.method, {"grid", "waveguide", "tape"},
                 "strings on a grid, travelling waves on a ring of points, or the history of the contact, "
                 "which is a point then");
  program.option("kernel-width", p.kernel_width, "m",
                 "standard deviation of the bump that the contact is spread over, but on the tape; 0 for a "
                 "point, or one node",
                 Rule::not_negative);
  program.option("t-end", p.t_end, "s", "end of the motion", Rule::positive);
  program.text("initial", p.initial, "sine|pluck|gaussian|file:PATH",
               "the start; a file is a table with the header x,u,ut,v,vt");
  program.option("lyapunov-t-end", p.lyapunov_t_end, "s",
                 "how long two close motions are followed for the Lyapunov exponent; 0 for not at all",
                 Rule::not_negative);
  program.option("picture-t-end", p.picture_t_end, "s", "end of the picture of the string", Rule::positive);
  program.option("pitch", p.pitch, "Hz", "what the first harmonic sounds like", Rule::positive);
  program.rule("F", "must not be 0", [&] { return p.F != 0; });
  program.rule("initial", "must be sine, pluck, gaussian or file:PATH",
               [&] { return names_start(p.initial); });
  program.rule("points", "must be less than a million", [&] { return p.points < 1000000; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
