#include <dalembert/analysis/spectrum.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <stdexcept>

#include "support/catch.hpp"

namespace spectrum_test {

using namespace dalembert;
using analysis::Harmonic;
using analysis::HarmonicProjection;
using analysis::level;
using analysis::Spectrum;
using analysis::Window;
using Catch::Matchers::ContainsSubstring;
using Signal = Vec<double, Eigen::Dynamic>;

constexpr double turn = 2 * static_cast<double>(pi);

/// amplitude · sin(ωt + phase) at t = jΔt.
Signal sine(int count, double interval, double omega, double amplitude, double phase) {
  Signal x(count);
  for (int j = 0; j < count; ++j) x[j] = amplitude * std::sin(omega * j * interval + phase);
  return x;
}

Signal noise(int count) {
  std::mt19937 random(test::seed());
  std::normal_distribution<double> normal(0.3, 1.0);
  Signal x(count);
  for (double& value : x) value = normal(random);
  return x;
}

double weight(Window window, int j, int count) {
  return window == Window::none ? 1 : std::pow(std::sin(static_cast<double>(pi) * j / count), 2);
}

TEST_CASE("amplitudes are those of the sum that defines them", "[spectrum]") {
  // 81 = 3⁴ samples stay 81, 100 stay 100, 77 = 7·11 become 80, twice 50 are 100.
  struct Case {
    int count, padding, length;
  };
  for (const Case& c : {Case{81, 1, 81}, Case{100, 1, 100}, Case{77, 1, 80}, Case{50, 2, 100}}) {
    for (const Window window : {Window::none, Window::hann}) {
      CAPTURE(c.count, c.padding, window == Window::hann);
      const Signal x = noise(c.count);
      const double interval = 0.25;
      const Spectrum<> spectrum(x, interval, {.window = window, .padding = c.padding});
      REQUIRE(spectrum.size() == c.length / 2 + 1);
      CHECK(spectrum.resolution() == Approx(turn / (c.length * interval)).epsilon(1e-14));
      double sum_of_weights = 0;
      for (int j = 0; j < c.count; ++j) sum_of_weights += weight(window, j, c.count);
      for (int k = 0; k < spectrum.size(); ++k) {
        std::complex<double> sum = 0;
        for (int j = 0; j < c.count; ++j)
          sum += weight(window, j, c.count) * x[j] * std::polar(1.0, -turn * k * j / c.length);
        const bool alone = k == 0 || 2 * k == c.length;
        CHECK(spectrum.amplitudes()[k] ==
              Approx((alone ? 1 : 2) * std::abs(sum) / sum_of_weights).margin(1e-13));
      }
    }
  }
}

TEST_CASE("a sine in a bin has its amplitude there, and a constant its value in the first", "[spectrum]") {
  const int count = 240;
  const double interval = 0.1, resolution = turn / (count * interval);
  const Signal x = sine(count, interval, 17 * resolution, 0.7, 0.4) + Signal::Constant(count, -2);
  const Spectrum<> plain(x, interval, {.window = Window::none});
  CHECK(plain.amplitudes()[17] == Approx(0.7).epsilon(1e-13));
  CHECK(plain.amplitudes()[0] == Approx(2).epsilon(1e-13));
  CHECK(plain.amplitudes()[16] < 1e-13);
  CHECK(plain.omega(17) == Approx(17 * resolution).epsilon(1e-14));
  // Hann's window gives half of it to each neighbour and nothing to others.
  const Spectrum<> hann(x, interval);
  CHECK(hann.amplitudes()[17] == Approx(0.7).epsilon(1e-13));
  CHECK(hann.amplitudes()[16] == Approx(0.35).epsilon(1e-13));
  CHECK(hann.amplitudes()[18] == Approx(0.35).epsilon(1e-13));
  CHECK(hann.amplitudes()[19] < 1e-13);
  // The highest frequency that samples tell apart.
  Signal alternating(count);
  for (int j = 0; j < count; ++j) alternating[j] = j % 2 == 0 ? 3 : -3;
  const Spectrum<> highest(alternating, interval, {.window = Window::none});
  CHECK(highest.amplitudes()[count / 2] == Approx(3).epsilon(1e-13));
}

TEST_CASE("between bins a sine leaks as the window says, and is found where it is", "[spectrum]") {
  const int count = 2000;
  const double interval = 0.05, resolution = turn / (count * interval), amplitude = 0.37;
  for (const double offset : {0.0, 0.13, 0.31, 0.5, 0.77}) {
    CAPTURE(offset);
    const double omega = (211 + offset) * resolution;
    const Signal x = sine(count, interval, omega, amplitude, 1.1);
    const Spectrum<> hann(x, interval), plain(x, interval, {.window = Window::none});
    // sin(πδ)/(πδ), and over (1 − δ²) for Hann's window; mirrored frequencies add 1/400 of it, and less.
    for (const int k : {210, 211, 212}) {
      const double delta = 211 + offset - k;
      const double dirichlet =
          delta == 0
              ? 1
              : std::abs(std::sin(static_cast<double>(pi) * delta) / (static_cast<double>(pi) * delta));
      CHECK(plain.amplitudes()[k] == Approx(amplitude * dirichlet).margin(amplitude / 400));
      const double full = std::abs(1 - delta * delta);
      const double expected = full < 1e-12 ? 0.5 : dirichlet / full;
      CHECK(hann.amplitudes()[k] == Approx(amplitude * expected).margin(1e-6));
    }
    const auto line = hann.strongest_line(omega, resolution);
    REQUIRE(line);
    CHECK(std::abs(line->omega - omega) < 0.02 * resolution);
    CHECK(std::abs(level(line->amplitude, amplitude)) < 0.35);
    const auto finer = Spectrum<>(x, interval, {.padding = 2}).strongest_line(omega, resolution);
    REQUIRE(finer);
    CHECK(std::abs(finer->omega - omega) < 0.002 * resolution);
    CHECK(std::abs(level(finer->amplitude, amplitude)) < 0.015);
  }
}

TEST_CASE("two tones are two lines, with the level of one against the other", "[spectrum]") {
  const int count = 3000;
  const double interval = 0.02, first = 12.34, second = 17.1;
  const Signal x = sine(count, interval, first, 2.0, 0.3) + sine(count, interval, second, 2e-3, 1.0);
  const Spectrum<> spectrum(x, interval, {.padding = 4});
  // 60 dB down: Hann's window lets it be seen, no window does not.
  const auto strong = spectrum.strongest_line(first, 0.5), weak = spectrum.strongest_line(second, 0.5);
  REQUIRE((strong && weak));
  CHECK(level(weak->amplitude, strong->amplitude) == Approx(-60).margin(0.1));
  CHECK(strong->omega == Approx(first).margin(1e-4));
  CHECK(weak->omega == Approx(second).margin(1e-2));
  const Spectrum<> leaking(x, interval, {.window = Window::none, .padding = 4});
  CHECK(level(leaking.strongest_line(second, 0.5)->amplitude, 2.0) > -45);
  // Side lobes of Hann's window are 31 dB and more below a line.
  const auto above = spectrum.lines(30);
  REQUIRE(above.size() == 1);
  CHECK(above[0].omega == Approx(first).margin(1e-4));
  const auto equal = Spectrum<>(x + sine(count, interval, second, 1.0, 1.0), interval).lines(20);
  REQUIRE(equal.size() == 2);
  CHECK(equal[0].omega < equal[1].omega);
  CHECK(level(equal[1].amplitude, equal[0].amplitude) == Approx(level(0.5, 1.0)).margin(0.5));
}

TEST_CASE("a line is looked for within the reach and not beyond", "[spectrum]") {
  const Signal x = sine(1024, 0.1, 5.0, 1.0, 0.2) + sine(1024, 0.1, 6.0, 4.0, 0.2);
  const Spectrum<> spectrum(x, 0.1);
  CHECK(spectrum.strongest_line(5.2, 0.5)->omega == Approx(5).margin(2e-3));
  CHECK(spectrum.strongest_line(5.5, 0.6)->omega == Approx(6).margin(2e-3));
  CHECK(spectrum.strongest_line(5.5, 0.4)->amplitude < 0.1);  // nothing but side lobes
  CHECK_FALSE(spectrum.strongest_line(40.0, 1.0));            // above the highest frequency
  CHECK_FALSE(spectrum.strongest_line(5.0, 1e-9));
}

TEST_CASE("the mean square over all frequencies is that of the samples (Parseval)", "[spectrum]") {
  const double all = std::numeric_limits<double>::infinity();
  for (const int count : {81, 100, 77}) {
    const Signal x = noise(count);
    CAPTURE(count);
    for (const int padding : {1, 3}) {
      const Spectrum<> plain(x, 0.5, {.window = Window::none, .padding = padding});
      CHECK(plain.mean_square(0, all) == Approx(x.squaredNorm() / count).epsilon(1e-13));
      double weighted = 0, weights = 0;
      for (int j = 0; j < count; ++j) {
        const double w = weight(Window::hann, j, count);
        weighted += w * w * x[j] * x[j];
        weights += w * w;
      }
      CHECK(Spectrum<>(x, 0.5, {.padding = padding}).mean_square(0, all) ==
            Approx(weighted / weights).epsilon(1e-13));
    }
  }
  // A sine anywhere between bins has a²/2 about it, and next to nothing elsewhere.
  const Spectrum<> spectrum(sine(4096, 0.1, 7.77, 0.6, 0.1), 0.1);
  CHECK(spectrum.mean_square(7.5, 8) == Approx(0.18).epsilon(1e-4));
  CHECK(spectrum.mean_square(8, 20) < 1e-6);
  CHECK(spectrum.mean_square(8, 7) == 0);
}

TEST_CASE("a spectrum is the same in any precision", "[spectrum]") {
  const Signal x = sine(300, 0.1, 4.0, 1.5, 0.2);
  const Spectrum<> spectrum(x, 0.1);
  const Spectrum<long double> more(x.cast<long double>(), 0.1L);
  const Spectrum<float> less(x.cast<float>(), 0.1F);
  CHECK((more.amplitudes().cast<double>() - spectrum.amplitudes()).norm() < 1e-14);
  CHECK((less.amplitudes().cast<double>() - spectrum.amplitudes()).norm() < 1e-5);
}

TEST_CASE("a projection onto a harmonic gives its coefficient and leaves others out", "[spectrum]") {
  const int last = 60;
  Signal field(last + 1);
  for (int j = 0; j <= last; ++j) {
    const double x = static_cast<double>(pi) * j / last;  // m half-waves are sin mx
    field[j] = 0.8 * std::sin(2 * x) - 0.3 * std::sin(5 * x) + 0.05 * std::sin(59 * x);
  }
  CHECK(HarmonicProjection<>(last + 1, 2)(field) == Approx(0.8).epsilon(1e-13));
  CHECK(HarmonicProjection<>(last + 1, 5)(field) == Approx(-0.3).epsilon(1e-13));
  CHECK(HarmonicProjection<>(last + 1, 59)(field) == Approx(0.05).epsilon(1e-12));
  CHECK(std::abs(HarmonicProjection<>(last + 1, 3)(field)) < 1e-15);

  for (int j = 0; j <= last; ++j) {
    const double x = static_cast<double>(pi) * j / last;
    field[j] = 1.5 + 0.8 * std::cos(3 * x) - 0.25 * std::cos(60 * x);
  }
  const auto cosine = [&](int half_waves) {
    return HarmonicProjection<>(last + 1, half_waves, Harmonic::cosine)(field);
  };
  CHECK(cosine(0) == Approx(1.5).epsilon(1e-13));
  CHECK(cosine(3) == Approx(0.8).epsilon(1e-13));
  CHECK(cosine(60) == Approx(-0.25).epsilon(1e-12));
  CHECK(std::abs(cosine(2)) < 1e-14);
}

TEST_CASE("a projection is the integral, to the order of the rule of trapezoids", "[spectrum]") {
  // (2/π) ∫₀^π x sin 3x dx = 2/3.
  const auto error = [](int last) {
    const Signal field = Signal::LinSpaced(last + 1, 0, static_cast<double>(pi));
    return std::abs(HarmonicProjection<>(last + 1, 3)(field) - 2.0 / 3);
  };
  CHECK(error(400) < 1e-4);
  CHECK(std::log2(error(200) / error(400)) == Approx(2).margin(0.01));
}

TEST_CASE("signals and fields that say nothing are refused", "[spectrum]") {
  const Signal good = noise(64);
  CHECK_THROWS_WITH(Spectrum<>(good.head(7), 0.1), ContainsSubstring("Spectrum: samples = 7, but"));
  CHECK_THROWS_WITH(Spectrum<>(good, 0.0), ContainsSubstring("Spectrum: interval = 0, but"));
  CHECK_THROWS_AS(Spectrum<>(good, std::nan("")), std::invalid_argument);
  CHECK_THROWS_WITH(Spectrum<>(good, 0.1, {.padding = 0}), ContainsSubstring("Spectrum: padding = 0, but"));
  Signal bad = good;
  bad[13] = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(Spectrum<>(bad, 0.1), ContainsSubstring("Spectrum: sample 13 = inf, but"));
  CHECK_THROWS_AS(Spectrum<>(good, 0.1).lines(0), std::invalid_argument);
  CHECK_THROWS_WITH(HarmonicProjection<>(2, 1), ContainsSubstring("HarmonicProjection: samples = 2, but"));
  CHECK_THROWS_WITH(HarmonicProjection<>(65, 0), ContainsSubstring("half_waves = 0, but"));
  CHECK_THROWS_AS(HarmonicProjection<>(65, 64), std::invalid_argument);
  CHECK_THROWS_AS(HarmonicProjection<>(65, 65, Harmonic::cosine), std::invalid_argument);
  CHECK_THROWS_WITH(HarmonicProjection<>(65, 2)(good),
                    ContainsSubstring("HarmonicProjection: samples = 64, but"));
}

}  // namespace spectrum_test
