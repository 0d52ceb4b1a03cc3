#include <dalembert/string/numbers.hpp>

#include <cmath>

#include <dalembert/analysis/comparable_flow.hpp>
#include <dalembert/analysis/lyapunov.hpp>
#include <dalembert/integrate/self_stepping.hpp>

#include "support/catch.hpp"

namespace string_numbers_test {

using namespace dalembert;
using strings::Ends;
using Guide = strings::Waveguide<strings::Gaussian<double>>;

strings::Profile<double> sine(double amplitude) {
  return {.displacement = [=](double x) {
    return x < 4 ? amplitude * std::sin(x) : -amplitude * std::sin(2 * static_cast<double>(pi) - x);
  }};
}

TEST_CASE("a waveguide goes on from its numbers alone", "[string][lyapunov]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    const Guide guide({.G1 = 0.9, .G2 = 0.72, .s1 = 2, .s2 = 2.7, .ends = ends}, 96,
                      strings::Gaussian<double>{.width = 0.1});
    const analysis::ComparableFlow flow(guide);
    auto one = guide.state(sine(1), sine(0)), two = guide.state(sine(0.8), sine(-0.1));
    for (int i = 0; i < 133; ++i) {
      guide.step(one);
      guide.step(two);
    }
    auto made = one;
    flow.retract(one, flow.difference(one, two), made);
    CHECK(made.s1() == Approx(two.s1()).epsilon(1e-14));
    CHECK(guide.energy(made) == Approx(guide.energy(two)).epsilon(1e-13));
    for (int i = 0; i < 301; ++i) {
      guide.step(made);
      guide.step(two);
    }
    CHECK(made.s1() == Approx(two.s1()).epsilon(1e-12));
    CHECK(made.lambda() == Approx(two.lambda()).margin(1e-12));
    CHECK(guide.displacement(made, 0, 1.3) == Approx(guide.displacement(two, 0, 1.3)).margin(1e-12));
    CHECK(std::abs(one.s1() - two.s1()) > 0.01);  // another motion
  }
}

TEST_CASE("rolling contact alone makes strings chaotic, unless it can be integrated", "[string][lyapunov]") {
  const auto exponent = [](double G2, double s2) {
    const Guide guide({.G1 = 0.9, .G2 = G2, .s1 = 2, .s2 = s2}, 160,
                      strings::Gaussian<double>{.width = 0.05});
    const analysis::ComparableFlow flow(guide);
    return analysis::largest_lyapunov_exponent(
               SelfStepping{}, flow, guide.state(sine(1), {}),
               {.step = guide.time_step(), .duration = 2500.0, .interval = 6.0, .transient = 500.0})
        .exponents[0];
  };
  // 0.011 over long runs with finer strings, and 0 for the other, whose estimates shrink like log t/t.
  const double chaotic = exponent(0.72, 2.7), integrable = exponent(0.9, 2.0);
  CHECK(chaotic > 0.007);
  CHECK(chaotic < 0.018);
  CHECK(std::abs(integrable) < 0.003);
}

}  // namespace string_numbers_test
