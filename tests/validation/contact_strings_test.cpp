// The motion of two strings in rolling contact that a picture of Gay-Balmaz and Putkaradze shows, by what other computations found of it: leapfrog and
// Runge–Kutta methods on grids, with the same width of the contact.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <dalembert/analysis/comparable_flow.hpp>
#include <dalembert/analysis/lyapunov.hpp>
#include <dalembert/analysis/spectrum.hpp>
#include <dalembert/analysis/tangent_spectrum.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/string/numbers.hpp>
#include <dalembert/string/waveguide.hpp>

#include "support/catch.hpp"

namespace contact_strings_test {

using namespace dalembert;
using Guide = strings::Waveguide<strings::Gaussian<double>>;

TEST_CASE("one tone of a string in rolling contact becomes the overtones that others found",
          "[string][spectrum][validation]") {
  constexpr int points = 256, every = 4;
  const Guide guide({.G1 = 0.9, .G2 = 0.72, .s1 = 2, .s2 = 2.7}, points,
                    strings::Gaussian<double>{.width = 0.05});
  strings::Profile<double> sine;
  sine.displacement = [](double x) {
    return x < 3 ? std::sin(x) : -std::sin(2 * static_cast<double>(pi) - x);
  };
  auto state = guide.state(sine, {});
  const auto start = state;
  const double energy = guide.energy(state);

  const analysis::HarmonicProjection<double> first_harmonic(points + 1, 2);
  Vec<double, Eigen::Dynamic> u(points + 1);
  std::vector<double> signal;
  double least = 2, largest = 2, fastest = 0;
  for (long i = 0; state.time < 1000; ++i) {
    if (i % every == 0) {
      guide.displacements(state, 0, {u.data(), points + 1});
      signal.push_back(first_harmonic(u));
    }
    guide.step(state);
    least = std::min(least, state.s1());
    largest = std::max(largest, state.s1());
    fastest = std::max(fastest, 0.9 * std::abs(state.contact().velocity));
  }
  CHECK(std::abs(guide.energy(state) / energy - 1) < 1e-12);
  CHECK(signal[0] == Approx(1).epsilon(1e-13));
  CHECK(least == Approx(0.977).margin(0.003));
  CHECK(largest == Approx(2.34).margin(0.12));  // chaotic
  CHECK(fastest < 0.9);

  const analysis::Spectrum<double> spectrum(
      Eigen::Map<const Vec<double, Eigen::Dynamic>>(signal.data(), static_cast<Eigen::Index>(signal.size())),
      every * guide.time_step());
  const auto line = [&](int n) { return spectrum.strongest_line(n, 0.5).value(); };
  constexpr std::array<double, 8> levels = {0, -24, -37, -50, -56, -57, -61, -65};
  double mean = 0, apart = 0;
  for (int n = 1; n <= 8; ++n) {
    const double found = analysis::level(line(n).amplitude, line(1).amplitude);
    const double expected = levels[static_cast<std::size_t>(n - 1)];
    CAPTURE(n, found);
    CHECK(found == Approx(expected).margin(5));
    mean += (found - expected) / 7;
    apart = std::max(apart, std::abs(line(n).omega - n));
  }
  CHECK(std::abs(mean) < 4);
  CHECK(apart > 0.1);  // overtones are not at the multiples of the first

  // The exponent that others found, 0.0112 to 0.0124 with three numbers of points, by two motions and by
  // tangent vectors.
  const analysis::ComparableFlow flow(guide);
  const analysis::LyapunovOptions<double> options{.step = guide.time_step(),
                                                  .duration = 3500.0,
                                                  .interval = 2 * static_cast<double>(pi),
                                                  .transient = 500.0};
  const auto two = analysis::largest_lyapunov_exponent(SelfStepping{}, flow, start, options);
  CHECK(two.exponents[0] == Approx(0.012).epsilon(0.25));
  const auto found =
      analysis::tangent_spectrum(SelfStepping{}, flow, start, options,
                                 analysis::Directions<analysis::ComparableFlow<Guide>>{.count = 1});
  CAPTURE(two.exponents[0], two.standard_error[0], found.exponents[0], found.error[0]);
  CHECK(std::abs(found.exponents[0] - 0.012) < 3 * found.error[0]);
  CHECK(std::abs(found.exponents[0] - two.exponents[0]) < 3 * (found.error[0] + two.standard_error[0]));
  CHECK(found.error[0] < 0.002);
}

}  // namespace contact_strings_test
