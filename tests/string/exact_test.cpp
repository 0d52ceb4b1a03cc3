// Contacts that move in closed form.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/string/exact.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace string_exact_test {

using namespace dalembert;
using strings::Ends;
using strings::StandingWave;
using strings::TravellingWave;
using strings::WaveParameters;

/// ṡ = g P_t(s, t) by differences, where P_t is said by the caller.
template <class Solution, class Wave>
void check_motion(const Solution& solution, double g, const Wave& wave) {
  const double h = 1e-4;
  for (double t = 0.05; t < 20; t += 0.83) {
    const auto s = [&](double shift) { return solution.position(t + shift); };
    const double speed = (8 * (s(h) - s(-h)) - (s(2 * h) - s(-2 * h))) / (12 * h);
    CHECK(std::abs(speed - g * wave(s(0), t)) < 1e-10);
    CHECK(std::abs(speed - solution.speed(t)) < 1e-10);
    CHECK(std::abs(solution.velocity(t) * solution.parameters().pair.G1 - solution.speed(t)) < 1e-14);
  }
}

TEST_CASE("a travelling wave drives the contact as the equation of motion says", "[string][exact]") {
  const double F = -0.7, G1 = 0.8, c = 1.3, length = 4, a = 0.6, b = 0.3, s0 = 5.1;
  const TravellingWave<> solution{{.pair = {.c = c,
                                            .F = F,
                                            .G1 = G1,
                                            .G2 = F * G1,
                                            .length = length,
                                            .s1 = s0,
                                            .s2 = s0,
                                            .ends = Ends::periodic},
                                   .first = a,
                                   .second = b,
                                   .waves = 2}};
  CHECK(solution.position(0) == Approx(s0).epsilon(1e-14));
  const double k = 4 * std::acos(-1.0) / length, P = F * a + b;
  check_motion(solution, F * G1 / (1 + F * F),
               [&](double x, double t) { return -c * k * P * std::cos(k * (x - c * t)); });
}

TEST_CASE("a standing wave drives the contact as the equation of motion says", "[string][exact]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    const double F = 1.4, G1 = 0.5, c = 0.9, length = 5, a = 0.7, b = -0.2, s0 = 3.7;
    const StandingWave<> solution{
        {.pair = {.c = c, .F = F, .G1 = G1, .G2 = F * G1, .length = length, .s1 = s0, .s2 = s0, .ends = ends},
         .first = a,
         .second = b,
         .waves = 2}};
    CHECK(solution.position(0) == Approx(s0).epsilon(1e-14));
    const double pi = std::acos(-1.0), k = (ends == Ends::periodic ? 4 : 2) * pi / length, P = F * a + b;
    const double phase = ends == Ends::free ? pi / 2 : 0;
    check_motion(solution, F * G1 / (1 + F * F), [&](double x, double t) {
      return -c * k * P * std::sin(k * x + phase) * std::sin(k * c * t);
    });
  }
}

TEST_CASE("closed forms meet the reference trajectories of contacts", "[string][exact]") {
  const auto data = test::data("strings.json")["systems"];
  {
    const auto set = data["strings_periodic_contact"][0];
    const double G = set["params"]["G"];
    const double s0 = set["y0"][0];
    const TravellingWave<> solution{
        {.pair = {.c = set["params"]["c"], .G1 = G, .G2 = G, .s1 = s0, .s2 = s0, .ends = Ends::periodic}}};
    for (std::size_t i = 0; i < set["times"].size(); ++i)
      CHECK(std::abs(solution.position(set["times"][i]) - set["states"][i][0].get<double>()) < 1e-14);
  }
  for (const char* name : {"strings_fixed_ends_sharp", "strings_periodic_sharp"}) {
    const auto set = data[name][0];
    const auto& p = set["params"];
    const bool fixed = p.contains("s10");
    const double G = fixed ? p["G1"] : p["G"], s0 = fixed ? p["s10"] : p["s0"], length = p["l"];
    const StandingWave<> solution{{.pair = {.c = p["c"],
                                            .G1 = G,
                                            .G2 = G,
                                            .length = length,
                                            .s1 = s0,
                                            .s2 = s0,
                                            .ends = fixed ? Ends::fixed : Ends::periodic},
                                   .first = fixed ? 1.0 : p["A0"].get<double>(),
                                   .waves = fixed ? 2 : 1}};
    for (std::size_t i = 0; i < set["times"].size(); ++i) {
      const double t = set["times"][i];
      CHECK(std::abs(solution.position(t) - set["states"][i][0].get<double>()) < 1e-11);
      CHECK(std::abs(solution.velocity(t) - set["states"][i][2].get<double>()) < 1e-11);
    }
  }
}

TEST_CASE("closed forms refuse strings that they do not hold for", "[string][exact][errors]") {
  const WaveParameters<> good{
      .pair = {.F = 0.8, .G1 = 0.5, .G2 = 0.4, .s1 = 2, .s2 = 2, .ends = Ends::periodic}};
  CHECK_NOTHROW(TravellingWave<>{good});
  CHECK_NOTHROW(StandingWave<>{good});
  const auto refused = [&](auto change) {
    WaveParameters<> bad = good;
    change(bad);
    CHECK_THROWS_AS(TravellingWave<>{bad}, std::invalid_argument);
    CHECK_THROWS_AS(StandingWave<>{bad}, std::invalid_argument);
  };
  refused([](WaveParameters<>& x) { x.pair.G2 = 0.5; });
  refused([](WaveParameters<>& x) { x.pair.s2 = 2.1; });
  refused([](WaveParameters<>& x) { x.first = 8; });
  refused([](WaveParameters<>& x) { x.second = std::numeric_limits<double>::quiet_NaN(); });
  refused([](WaveParameters<>& x) { x.waves = 0; });
  refused([](WaveParameters<>& x) { x.pair.F = 0; });
  refused([](WaveParameters<>& x) { x.pair.c = -1; });
  refused([](WaveParameters<>& x) { x.pair.G1 = x.pair.G2 = std::numeric_limits<double>::infinity(); });
  WaveParameters<> fixed = good;
  fixed.pair.ends = Ends::fixed;
  CHECK_THROWS_AS(TravellingWave<>{fixed}, std::invalid_argument);
}

}  // namespace string_exact_test
