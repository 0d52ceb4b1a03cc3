// A sleigh whose blade is friction, and its slow motions: coefficients and trajectories computed in quadruple precision, orders of
// convergence in ε, and what is wrong in the formulas as printed.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/friction.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/mechanics/slow_manifold.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace frictional_sleigh_test {

using namespace dalembert;
using Sleigh = systems::ChaplyginSleigh<double>;
using Slow = SlowManifold<Sleigh, 3>;
using Frictional = decltype(with_friction(std::declval<Sleigh>(), 1.0, 0.1));

Sleigh sleigh_of(const test::Json& p) {
  return Sleigh{{.mass = p["m"], .inertia = p["I"], .offset = p["a"]}};
}
const Sleigh nice{{.mass = 1, .inertia = 1, .offset = 0.2}};

/// ψ = ω + (ma/K)v, which with u is ξ_D.
double psi_of(const Sleigh& sleigh, const Vec<double, 3>& xi) {
  const auto& p = sleigh.parameters();
  return xi[2] + p.mass * p.offset / sleigh.inertia_about_blade() * xi[1];
}

TEST_CASE("a sleigh with friction follows its references to 1e-10", "[validation][friction]") {
  const auto data = test::data("sleigh_friction.json");
  for (const char* name : {"sleigh_friction", "sleigh_friction_on_slow_manifold"})
    for (const auto& set : data[name]["sets"]) {
      const LagrangeDAlembert problem{with_friction(sleigh_of(set["params"]), 1.0, set["params"]["eps"])};
      const auto times = set["times"].get<std::vector<double>>();
      const auto states = set["states"].get<std::vector<std::vector<double>>>();
      const auto& y = states.front();
      auto state = problem.state(SE2d(y[0], y[1], y[2]), {y[3], y[4], y[5]});
      for (std::size_t i = 1; i < times.size(); ++i) {
        drive(DormandPrince853{}, problem, state, {.step = 5e-3, .until = times[i]});
        CAPTURE(name, times[i]);
        const SE2d expected(states[i][0], states[i][1], states[i][2]);
        CHECK((expected.inverse() * state.g).log().norm() < 1e-10);
        for (int j = 0; j < 3; ++j)
          CHECK(std::abs(state.xi[j] - states[i][static_cast<std::size_t>(3 + j)]) < 1e-10);
      }
    }
}

TEST_CASE("slow motions of first and second order follow their references to 1e-10",
          "[validation][slow_manifold]") {
  const auto data = test::data("sleigh_friction.json");
  for (int order = 1; order <= 2; ++order)
    for (const auto& set :
         data[order == 1 ? "sleigh_slow_first_order" : "sleigh_slow_second_order"]["sets"]) {
      const Slow slow(with_friction(sleigh_of(set["params"]), 1.0, set["params"]["eps"]), order);
      const auto times = set["times"].get<std::vector<double>>();
      const auto states = set["states"].get<std::vector<std::vector<double>>>();
      const auto& y = states.front();
      auto state = slow.state(SE2d(y[0], y[1], y[2]), {y[3], 0, y[4]});
      for (std::size_t i = 1; i < times.size(); ++i) {
        drive(DormandPrince853{}, slow, state, {.step = 0.05, .until = times[i]});
        CAPTURE(order, times[i]);
        const SE2d expected(states[i][0], states[i][1], states[i][2]);
        CHECK((expected.inverse() * state.g).log().norm() < 1e-10);
        CHECK(std::abs(state.xi[0] - states[i][3]) < 1e-10);
        CHECK(std::abs(state.xi[1]) < 1e-13);
        CHECK(std::abs(state.xi[2] - states[i][4]) < 1e-10);
      }
    }
}

TEST_CASE("the coefficients of the sleigh are those of the reference", "[validation][slow_manifold]") {
  const auto data = test::data("sleigh_friction.json")["sleigh_slow_manifold_coefficients"];
  const auto &in = data["inputs"], &out = data["outputs"];
  const Slow slow(with_friction(sleigh_of(in), 1.0, 0.1));
  const auto c = slow.coefficients(slow.state(SE2d::identity(), {in["u"], 0, in["psi"]}));
  CHECK(std::abs(c[0][0] - out["c1"].get<double>()) < 1e-14);
  CHECK(std::abs(c[1][0] - out["c2"].get<double>()) < 1e-14);
  CHECK(std::abs(c[2][0] - out["c3"].get<double>()) < 1e-13);
}

/// The end at t = 5 of the motion under friction that starts on the slow manifold.
LagrangeDAlembert<Frictional>::State frictional_end(double epsilon, double until = 5) {
  const Frictional system = with_friction(nice, 1.0, epsilon);
  const LagrangeDAlembert problem{system};
  const Slow slow(system);
  auto state = slow.on_manifold(slow.state(SE2d::identity(), {-1, 0, 1}), 4);
  drive(DormandPrince853{}, problem, state, {.step = std::min(0.01, epsilon / 4), .until = until});
  return state;
}
/// Its distance from the slow motion of an order.
double slow_error(double epsilon, int order) {
  const Slow slow(with_friction(nice, 1.0, epsilon), order);
  auto state = slow.state(SE2d::identity(), {-1, 0, 1});
  drive(DormandPrince853{}, slow, state, {.step = 0.05, .until = 5.0});
  const auto full = frictional_end(epsilon);
  return std::max((state.g.inverse() * full.g).log().norm(), (slow.below(full).xi - state.xi).norm());
}

TEST_CASE("slow motions of orders 0 to 3 are off by the powers 1 to 4 of ε", "[validation][slow_manifold]") {
  for (int order = 0; order <= 3; ++order) {
    const double coarse = order < 3 ? 0.01 : 0.02;
    CAPTURE(order);
    CHECK(std::log2(slow_error(coarse, order) / slow_error(coarse / 2, order)) ==
          Approx(order + 1).margin(0.1));
  }
  CHECK(slow_error(1e-3, 3) < 1e-11);  // down to round-off
}

TEST_CASE("errors of slow motions at t = 5 are as large as they should be", "[validation][slow_manifold]") {
  CHECK(slow_error(0.1, 1) < 5e-2);
  CHECK(slow_error(0.1, 2) < slow_error(0.1, 1) / 3);
  CHECK(slow_error(0.1, 3) < slow_error(0.1, 2));
}

TEST_CASE("slow motions run by implicit methods too", "[validation][slow_manifold]") {
  const Slow slow(with_friction(nice, 1.0, 0.05), 2);
  auto one = slow.state(SE2d::identity(), {-1, 0, 1}), other = one;
  drive(Gauss<3>{}, slow, one, {.step = 0.02, .until = 2.0});
  drive(DormandPrince853{}, slow, other, {.step = 0.02, .until = 2.0});
  CHECK(slow.difference(one, other).norm() < 1e-10);
}

/// A plain motion of (x, y, φ, u, ψ or ω) by Runge and Kutta's method, for formulas as they are printed.
using Numbers = Vec<double, 5>;
template <class Field>
Numbers followed(const Field& field, Numbers y) {
  const int steps = 1000;
  const double h = 5.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const Numbers k1 = field(y), k2 = field(Numbers(y + h / 2 * k1)), k3 = field(Numbers(y + h / 2 * k2)),
                  k4 = field(Numbers(y + h * k3));
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

TEST_CASE("the first correction as printed has a heading that is off by ε", "[validation][slow_manifold]") {
  // X⁽¹⁾ of section 7.1 with φ̇ = ψ ± ε(I m²a/K²)uψ: plus is right, minus is printed.
  const auto error = [](double epsilon, double sign) {
    const double m = 1, I = 1, a = 0.2, K = 1.04, N = I * m / K;
    const Numbers end = followed(
        [&](const Numbers& y) {
          const double u = y[3], psi = y[4], v = -epsilon * N * u * psi;
          return Numbers{
              u * std::cos(y[2]) - v * std::sin(y[2]), u * std::sin(y[2]) + v * std::cos(y[2]),
              psi + sign * epsilon * (I * m * m * a / (K * K)) * u * psi,
              a * psi * psi + epsilon * I * m * (m * a * a - I) / (K * K) * u * psi * psi,
              -(m * a / K) * u * psi - epsilon * I * m * m * m * a * a / (K * K * K) * u * u * psi};
        },
        Numbers{0, 0, 0, -1, 1});
    const auto full = frictional_end(epsilon);
    return std::abs(std::remainder(end[2] - full.g.angle(), 2 * static_cast<double>(pi)));
  };
  CHECK(std::log2(error(0.01, 1) / error(0.005, 1)) == Approx(2).margin(0.15));
  CHECK(std::log2(error(0.01, -1) / error(0.005, -1)) == Approx(1).margin(0.15));
}

TEST_CASE("the corrected equations as printed have a wrong sign and lack a factor",
          "[validation][slow_manifold]") {
  // (19): u̇ = aω² ∓ ε(Im/K)uω², ω̇ = −(ma/K)uω + ε f d/dt[uω], with f = I m²a/K²; printed with + in (19a), and f = I m²a in (19b).
  enum class Printed { neither, sign, factor };
  const auto error = [](double epsilon, Printed printed) {
    const double m = 1, I = 1.5, a = 0.4, K = I + m * a * a;
    const Sleigh sleigh{{.mass = m, .inertia = I, .offset = a}};
    const Numbers end = followed(
        [&](const Numbers& y) {
          const double u = y[3], omega = y[4], sign = printed == Printed::sign ? 1 : -1;
          const double factor = I * m * m * a / (printed == Printed::factor ? 1 : K * K);
          const double change = a * omega * omega * omega - (m * a / K) * u * u * omega;
          return Numbers{0, 0, 0, a * omega * omega + sign * epsilon * (I * m / K) * u * omega * omega,
                         -(m * a / K) * u * omega + epsilon * factor * change};
        },
        Numbers{0, 0, 0, -1, 1});
    const Frictional system = with_friction(sleigh, 1.0, epsilon);
    const LagrangeDAlembert problem{system};
    const Slow slow(system);
    // The start with ω = 1 on the manifold: ξ_D has ψ = ω + (ma/K)v.
    auto state = slow.state(SE2d::identity(), {-1, 0, 1});
    for (int i = 0; i < 30; ++i) {
      const double v = slow.on_manifold(state, 4).xi[1];
      state.xi[2] = 1 + m * a / K * v;
    }
    state = slow.on_manifold(state, 4);
    REQUIRE(state.xi[2] == Approx(1).epsilon(1e-12));
    drive(DormandPrince853{}, problem, state, {.step = epsilon / 4, .until = 5.0});
    return std::hypot(state.xi[0] - end[3], state.xi[2] - end[4]);
  };
  const auto slope = [&](Printed printed) {
    return std::log2(error(0.008, printed) / error(0.004, printed));
  };
  CHECK(slope(Printed::neither) == Approx(2).margin(0.15));
  CHECK(slope(Printed::sign) == Approx(1).margin(0.15));
  CHECK(slope(Printed::factor) == Approx(1).margin(0.15));
}

TEST_CASE("a slow motion of the sleigh differs from the nonholonomic one by the first power of ε",
          "[validation][slow_manifold]") {
  // max |X_slow − X₀| over |u|, |ψ| ≤ 2
  const auto largest = [](double epsilon) {
    const Slow slow(with_friction(nice, 1.0, epsilon));
    const Slow plain(with_friction(nice, 1.0, epsilon), 0);
    auto one = slow.make_rates(), other = one;
    double difference = 0;
    for (int i = -4; i <= 4; ++i)
      for (int j = -4; j <= 4; ++j) {
        const auto state = slow.state(SE2d::identity(), {0.5 * i, 0, 0.5 * j});
        slow.rates(state, one);
        plain.rates(state, other);
        difference = std::max(difference,
                              std::hypot((one.xidot - other.xidot).norm(), (one.drift - other.drift).norm()));
      }
    return difference;
  };
  CHECK(std::log2(largest(0.01) / largest(0.005)) == Approx(1).margin(0.05));
}

TEST_CASE("a sleigh falls onto its slow manifold at the rate of the eigenvalue",
          "[validation][slow_manifold]") {
  const double epsilon = 0.01;
  const Frictional system = with_friction(nice, 1.0, epsilon);
  const LagrangeDAlembert problem{system};
  const Slow slow(system);
  auto state = problem.state(SE2d::identity(), {-1, 0.05, 1});
  const double rate = slow.decay_rates(slow.below(state))[0];
  CHECK(rate == Approx(1.04 / epsilon));  // K/(I m ε)
  drive(DormandPrince853{}, problem, state, {.step = 1e-3, .until = 0.02});
  const double before = slow.transient(state).size;
  drive(DormandPrince853{}, problem, state, {.step = 1e-3, .until = 0.07});
  const double after = slow.transient(state).size;
  CHECK(std::log(before / after) / 0.05 == Approx(rate).epsilon(5 * epsilon));
}

}  // namespace frictional_sleigh_test
