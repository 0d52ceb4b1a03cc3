#include <dalembert/analysis/comparable_flow.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/string/numbers.hpp>
#include <dalembert/string/waveguide.hpp>

#include "rods_lyapunov/measure.hpp"

namespace rods_lyapunov {

void measure_strings(const Arguments& arguments, Member& member) {
  using namespace dalembert;
  const double length = 2 * static_cast<double>(pi), amplitude = member.amplitude;
  member.period = length;
  const strings::Waveguide<strings::Gaussian<>> guide(
      {.c = 1,
       .F = 1,
       .G1 = 0.9,
       .G2 = 0.72,
       .length = length,
       .s1 = 2,
       .s2 = 2.7,
       .ends = strings::Ends::fixed},
      static_cast<int>(arguments.points),
      {.width = 0.05 * 128 / static_cast<double>(std::min(arguments.points, 128L))});
  strings::Profile<double> sine;  // its peak velocity is the amplitude
  sine.displacement = [=](double x) {
    return amplitude * (x < length / 2 ? std::sin(x) : -std::sin(length - x));
  };
  sine.slope = [=](double x) { return amplitude * std::cos(x); };
  const analysis::ComparableFlow flow(guide);
  const auto state = guide.state(sine, {});  // its energy is kinetic a quarter of a period later
  measure(arguments, SelfStepping{}, flow, state, flow.energy(state), guide.time_step(), 1, member);
}

}  // namespace rods_lyapunov
