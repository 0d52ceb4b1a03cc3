// The contact of two strings at a point: waves in, waves out.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <dalembert/string/scattering.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace string_scattering_test {

using namespace dalembert;
using strings::Pair;
using strings::PointContact;
using strings::Scattered;
using strings::Waves;

/// Energy that the waves carry away from the contact more than to it, of one string.
double energy_rate(const Waves<>& in, const Waves<>& out, double sigma, double c) {
  return ((c - sigma) * (out.right * out.right - in.right * in.right) +
          (c + sigma) * (out.left * out.left - in.left * in.left)) /
         4;
}

/// Pairs of strings and waves with a contact slower than the waves.
struct Sample {
  Pair<> pair;
  Waves<> first, second;
};

Sample sample(std::mt19937& random, bool linear) {
  std::uniform_real_distribution<double> number(-1, 1);
  Sample s;
  s.pair = {.c = 1.5 + number(random),
            .F = number(random) < 0 ? -1.2 + 0.5 * number(random) : 1.3 + number(random),
            .G1 = 0.4 * number(random),
            .G2 = 0.4 * number(random),
            .s1 = 1,
            .s2 = 1};
  if (linear) s.pair.G2 = (number(random) < 0 ? -1 : 1) * s.pair.F * s.pair.G1;
  const double size = 0.3 * s.pair.c;
  s.first = {size * number(random), size * number(random)};
  s.second = {size * number(random), size * number(random)};
  return s;
}

TEST_CASE("a contact at a point scatters waves as the reference says", "[string]") {
  const auto reference = test::data("strings.json")["string_contact_solve"];
  const auto& in = reference["inputs"];
  const auto& out = reference["outputs"];
  const PointContact<> contact{
      {.c = in["c"], .F = in["F"], .G1 = in["G1"], .G2 = in["G2"], .s1 = 1, .s2 = 1}};
  const auto found = contact({in["p1_in"], in["q1_in"]}, {in["p2_in"], in["q2_in"]}, 0);
  const auto agrees = [&](double value, const char* name) {
    CAPTURE(name);
    CHECK(std::abs(value - out[name].get<double>()) < 1e-15);
  };
  agrees(found.velocity1, "a_mean_u_t");
  agrees(found.velocity2, "b_mean_v_t");
  agrees(found.speed1, "sdot1");
  agrees(found.speed2, "sdot2");
  agrees(found.lambda, "lam");
  agrees(found.outgoing1.right, "p1_out");
  agrees(found.outgoing1.left, "q1_out");
  agrees(found.outgoing2.right, "p2_out");
  agrees(found.outgoing2.left, "q2_out");
  // u_t on the two sides: what arrives on one side, and what leaves on the other.
  const double behind = (in["p1_in"].get<double>() + found.outgoing1.left) / 2;
  const double ahead = (found.outgoing1.right + in["q1_in"].get<double>()) / 2;
  agrees(behind, "u_t_minus");
  agrees(ahead, "u_t_plus");
}

TEST_CASE("a contact at a point neither slips nor does work, and its force makes the jumps", "[string]") {
  std::mt19937 random(test::seed());
  for (int i = 0; i < 400; ++i) {
    const Sample s = sample(random, i % 2 == 0);
    const double c = s.pair.c;
    const auto out = PointContact<>{s.pair}(s.first, s.second, 0);
    // ⟨u_t⟩ and ⟨v_t⟩, as means over both sides of the contact
    const double u = (s.first.right + s.first.left + out.outgoing1.right + out.outgoing1.left) / 4;
    const double v = (s.second.right + s.second.left + out.outgoing2.right + out.outgoing2.left) / 4;
    CHECK(std::abs(u - s.pair.F * v) < 1e-14);
    CHECK(std::abs(u - out.velocity1) < 1e-14);
    CHECK(std::abs(out.speed1 - s.pair.G1 * u) < 1e-14);
    CHECK(std::abs(out.speed2 - s.pair.G2 * v) < 1e-14);
    const double first = energy_rate(s.first, out.outgoing1, out.speed1, c);
    const double second = energy_rate(s.second, out.outgoing2, out.speed2, c);
    CHECK(std::abs(first + out.lambda * u) < 1e-14);
    CHECK(std::abs(second - s.pair.F * out.lambda * v) < 1e-14);
    CHECK(std::abs(first + second) < 1e-14);
    // [u_x] = λ/(c² − σ²), [u_t] = −σ[u_x]
    const double right_jump = out.outgoing1.right - s.first.right,
                 left_jump = s.first.left - out.outgoing1.left;
    const double D = c * c - out.speed1 * out.speed1;
    CHECK(std::abs((left_jump - right_jump) / (2 * c) - out.lambda / D) < 1e-14);
    CHECK(std::abs((left_jump + right_jump) / 2 + out.speed1 * out.lambda / D) < 1e-14);
  }
}

TEST_CASE("the root of the cubic is the only one slower than the waves", "[string]") {
  std::mt19937 random(test::seed() + 1);
  for (int i = 0; i < 100; ++i) {
    const Sample s = sample(random, false);
    const double c = s.pair.c, F = s.pair.F, g1 = s.pair.G1, g2 = s.pair.G2 / F;
    const double p = (s.first.right + s.first.left) / 2, w = (s.second.right + s.second.left) / 2;
    const auto cubic = [&](double U) {
      return (c * c - g2 * g2 * U * U) * (U - F * w) + F * F * (c * c - g1 * g1 * U * U) * (U - p);
    };
    const double found = PointContact<>{s.pair}.velocity(p, w, 0);
    CHECK(std::abs(cubic(found)) < 1e-13 * c * c * (1 + F * F));
    const double fastest = c / std::max(std::abs(g1), std::abs(g2));
    int changes = 0;
    for (int k = 0; k < 2000; ++k) {
      const auto at = [&](int n) { return fastest * (-1 + (n + 0.5) / 1000.25); };
      if (cubic(at(k)) * cubic(at(k + 1)) < 0 && std::abs(at(k + 1)) < fastest) ++changes;
    }
    CHECK(changes == 1);
  }
}

TEST_CASE("a contact that is as fast as the waves is refused with its speed and the time", "[string]") {
  for (const double G2 : {0.9, 0.8}) {  // linear, cubic
    const PointContact<> contact{{.G1 = 0.9, .G2 = G2, .s1 = 1, .s2 = 1}};
    CHECK_NOTHROW(contact.velocity(1.1, 1.1, 3));
    try {
      (void)contact.velocity(1.2, 1.2, 3);
      FAIL("nothing was thrown");
    } catch (const SupersonicContact& error) {
      CHECK(error.ratio() == Approx(1.08));
      CHECK(error.time() == 3);
    }
  }
  const PointContact<> contact{{.s1 = 1, .s2 = 1}};
  CHECK_THROWS_AS(contact.velocity(std::numeric_limits<double>::quiet_NaN(), 0, 0), NotFinite);
}

}  // namespace string_scattering_test
