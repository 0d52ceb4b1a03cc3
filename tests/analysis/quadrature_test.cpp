#include <dalembert/analysis/quadrature.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"

namespace quadrature_test {

using dalembert::Vec;
using dalembert::analysis::RunningIntegral;
using Integral = RunningIntegral<double>;

/// n + 1 times from a to b, whose intervals differ by factors up to `ratio`.
template <class S>
std::vector<S> times(S a, S b, int n, S ratio) {
  std::mt19937 engine(test::seed());
  std::uniform_real_distribution<S> exponent(S(-0.5), S(0.5));
  std::vector<S> t{S(0)};
  for (int i = 0; i < n; ++i) t.push_back(t.back() + std::pow(ratio, exponent(engine)));
  const S length = t.back();
  for (S& each : t) each = a + (b - a) * each / length;
  return t;
}

/// The integrals of f up to each of the times, each as it is when all are known.
template <class S>
std::vector<S> integrals(const std::function<S(S)>& f, const std::vector<S>& at) {
  RunningIntegral<S> integral;
  std::vector<S> values;
  for (const S t : at) {
    integral.add(t, Vec<S, 1>(f(t)));
    values.push_back(0);
    for (int back = 0; back < integral.revised(); ++back)
      values[values.size() - 1 - static_cast<std::size_t>(back)] = integral.value(back)[0];
  }
  return values;
}

/// Largest difference of `integrals` from the antiderivative `g`.
template <class S>
S error(const std::function<S(S)>& f, const std::function<S(S)>& g, const std::vector<S>& at) {
  const auto values = integrals(f, at);
  S worst = 0;
  for (std::size_t i = 0; i < at.size(); ++i)
    worst = std::max(worst, std::abs(values[i] - (g(at[i]) - g(at[0]))));
  return worst;
}

TEST_CASE("polynomials below the order are integrated exactly, at any times", "[quadrature]") {
  for (int degree = 0; degree <= 7; ++degree)
    for (const double ratio : {1.0, 3.0, 30.0}) {
      const double n = degree + 1;
      const double worst =
          error<double>([&](double t) { return std::pow(t - 0.4, degree); },
                        [&](double t) { return std::pow(t - 0.4, n) / n; }, times(-1.0, 2.0, 25, ratio));
      CAPTURE(degree, ratio);
      if (degree < Integral::order)
        CHECK(worst < 2e-14);
      else
        CHECK(worst > 1e-10);
    }
}

TEST_CASE("few samples give the rules of Newton and Cotes", "[quadrature]") {
  Integral integral;
  CHECK(integral.value()[0] == 0);
  integral.add(1.0, Vec<double, 1>(4.0));
  CHECK(integral.value()[0] == 0);
  CHECK(integral.revised() == 1);
  integral.add(1.5, Vec<double, 1>(6.0));
  CHECK(integral.value()[0] == Approx(2.5).epsilon(1e-15));
  integral.add(2.0, Vec<double, 1>(-1.0));
  CHECK(integral.value()[0] == Approx((4.0 + 24.0 - 1.0) / 6).epsilon(1e-15));
  CHECK(integral.revised() == 3);
  CHECK(integral.value(1)[0] == Approx(0.5 * (5 * 4.0 + 8 * 6.0 + 1.0) / 12).epsilon(1e-15));
  CHECK(integral.value(2)[0] == 0);
}

TEST_CASE("the error shrinks like the seventh power of the interval, at every sample", "[quadrature]") {
  using S = long double;
  const auto f = [](S t) -> S { return std::cos(t) * std::exp(std::sin(t)); };
  const auto g = [](S t) -> S { return std::exp(std::sin(t)); };
  for (const S ratio : {S(1), S(3)}) {
    // Unequal intervals: one pattern, stretched, so that only Δt changes.
    const auto pattern = times<S>(0, 1, 20, ratio);
    S last = 0;
    for (const int repeats : {6, 12, 24}) {
      std::vector<S> at{0};
      for (int i = 0; i < repeats; ++i)
        for (std::size_t j = 1; j < pattern.size(); ++j)
          at.push_back((static_cast<S>(i) + pattern[j]) * 6 / static_cast<S>(repeats));
      const S now = error<S>(f, g, at);
      CAPTURE(ratio, repeats, now);
      if (last > 0) CHECK(static_cast<double>(std::log2(last / now)) == Approx(7).margin(0.15));
      last = now;
    }
  }
}

TEST_CASE("the opening is of the same order as the rest", "[quadrature]") {
  // Over a fixed number of intervals the error is one power smaller than over a fixed time.
  using S = long double;
  S last = 0;
  for (const S h : {S(0.04), S(0.02), S(0.01)}) {
    const S now = error<S>([](S t) -> S { return std::exp(t); }, [](S t) -> S { return std::exp(t); },
                           times<S>(0, 6 * h, 6, 2));
    if (last > 0) CHECK(static_cast<double>(std::log2(last / now)) == Approx(8).margin(0.15));
    last = now;
  }
}

TEST_CASE("repeated samples change nothing", "[quadrature]") {
  const std::function<double(double)> f = [](double t) { return std::sin(t); };
  const auto plain = times(0.0, 3.0, 30, 2.0);
  std::vector<double> repeated;
  for (const double t : plain) repeated.insert(repeated.end(), {t, t, t});
  const auto a = integrals(f, plain), b = integrals(f, repeated);
  // With three of each, room for open values ends the opening after its fifth time.
  for (std::size_t i = 0; i < plain.size(); ++i)
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(b[3 * i + j] - a[i]) < 1e-6);
  std::vector<double> pairs;
  for (const double t : plain) pairs.insert(pairs.end(), {t, t});
  const auto c = integrals(f, pairs);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(c[2 * i] == a[i]);
    CHECK(c[2 * i + 1] == a[i]);
  }
}

TEST_CASE("short intervals are harmless, and so is what follows them", "[quadrature]") {
  for (const double tiny : {1e-15, 1e-12, 1e-8, 1e-5, 1e-3}) {
    std::vector<double> at;
    for (int i = 0; i <= 60; ++i) {
      at.push_back(0.05 * i);
      if (i % 4 == 3 || i == 1) at.push_back(0.05 * i + tiny);
      if (i % 12 == 7) at.push_back(0.05 * i + 2 * tiny);
    }
    at.push_back(3 + tiny);
    CAPTURE(tiny);
    CHECK(error<double>([](double t) { return 1 + std::cos(t); }, [](double t) { return t + std::sin(t); },
                        at) < 2e-9);
    CHECK(error<double>([](double) { return 0.7; }, [](double t) { return 0.7 * t; }, at) < 1e-13);
  }
}

TEST_CASE("late samples are as good as early ones", "[quadrature]") {
  const double begin = 1048576;  // where the times of a step of 2⁻¹⁰ s are still exact
  std::vector<double> at;
  for (int i = 0; i <= 2048; ++i) at.push_back(begin + std::ldexp(i, -10));
  CHECK(error<double>([&](double t) { return std::exp(begin - t); },
                      [&](double t) { return -std::exp(begin - t); }, at) < 1e-14);
}

TEST_CASE("no polynomial goes through a jump that is sampled on both sides", "[quadrature]") {
  Integral integral;
  for (int i = 0; i <= 20; ++i) integral.add(0.1 * i, Vec<double, 1>(std::pow(0.1 * i, 3)));
  const double before = integral.value()[0];
  CHECK(before == Approx(4).epsilon(1e-14));
  for (int i = 20; i <= 40; ++i) integral.add(0.1 * i, Vec<double, 1>(-100 * std::pow(0.1 * i, 2)));
  CHECK(integral.value()[0] == Approx(4 - 100 * 56.0 / 3).epsilon(1e-14));
}

TEST_CASE("the way back takes away what the way gave", "[quadrature]") {
  Integral integral;
  for (int i = 0; i <= 10; ++i) integral.add(0.1 * i, Vec<double, 1>(std::exp(0.1 * i)));
  CHECK(integral.value()[0] == Approx(std::exp(1) - 1).epsilon(1e-8));
  for (int i = 10; i-- > 0;) integral.add(0.1 * i, Vec<double, 1>(std::exp(0.1 * i)));
  CHECK(std::abs(integral.value()[0]) < 1e-8);
}

TEST_CASE("components are integrated each by itself", "[quadrature]") {
  RunningIntegral<double, 2> integral;
  for (const double t : times(0.0, 2.0, 40, 3.0)) integral.add(t, {std::cos(t), 3 * t * t});
  CHECK(integral.value()[0] == Approx(std::sin(2)).epsilon(1e-9));
  CHECK(integral.value()[1] == Approx(8).epsilon(1e-14));
}

TEST_CASE("what is not finite is not forgotten by the integral", "[quadrature]") {
  for (const int at : {0, 3, 20}) {
    Integral integral;
    for (int i = 0; i < 40; ++i)
      integral.add(0.1 * i, Vec<double, 1>(i == at ? std::numeric_limits<double>::quiet_NaN() : 1.0));
    CHECK(std::isnan(integral.value()[0]));
  }
}

}  // namespace quadrature_test
