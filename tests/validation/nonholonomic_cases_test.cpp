// Knife edge, vertical disk and nonholonomic particle against their closed forms, Suslov's problem against a
// reference trajectory.

#include <cmath>
#include <vector>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/knife_edge.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>
#include <dalembert/systems/suslov.hpp>
#include <dalembert/systems/vertical_disk.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace nonholonomic_cases_test {

using namespace dalembert;
using std::cos, std::sin;

TEST_CASE("from rest but for its spin, a knife edge runs on a cycloid across the slope",
          "[validation][knife_edge]") {
  const systems::KnifeEdge blade{{.mass = 1.3, .inertia = 0.4, .slope = 0.3, .gravity = 9.81}};
  const LagrangeDAlembert problem{blade};
  const double omega = 1.7, c = 9.81 * sin(0.3);
  auto state = problem.state(SE2d::identity(), {0, 0, omega});
  double worst = 0, across = 0;
  drive(DormandPrince54{}, problem, state, {.step = 0.01, .until = 20.0}, [&](const auto&, const auto& at) {
    const double phi = omega * at.time;
    const Vec<double, 2> place(c / (2 * omega * omega) * sin(phi) * sin(phi),
                               c / (2 * omega * omega) * (phi - sin(2 * phi) / 2));
    worst = std::max(worst, (at.g.translation() - place).norm());
    const auto exact = blade.exact({.x = 0, .y = 0, .phi = 0, .u = 0, .omega = omega}, at.time);
    worst = std::max(worst, (place - Vec<double, 2>(exact.x, exact.y)).norm());
    worst = std::max(worst, std::abs(at.xi[0] - exact.u) + std::abs(at.xi[1]) + std::abs(at.xi[2] - omega));
    across = place[1];
  });
  CHECK(worst < 1e-9);
  CHECK(across > 10);
}

TEST_CASE("a knife edge started anyhow follows its closed form", "[validation][knife_edge]") {
  const systems::KnifeEdge blade{{.mass = 0.8, .inertia = 0.2, .slope = -0.5, .gravity = 9.81}};
  const LagrangeDAlembert problem{blade};
  const systems::KnifeEdge<>::Motion start{.x = 0.3, .y = -0.2, .phi = 0.9, .u = -1.1, .omega = -0.8};
  auto state = problem.state(SE2d(start.x, start.y, start.phi), {start.u, 0, start.omega});
  drive(RungeKutta4{}, problem, state, {.step = 1e-3, .until = 5.0});
  const auto exact = blade.exact(start, 5.0);
  CHECK((state.g.translation() - Vec<double, 2>(exact.x, exact.y)).norm() < 1e-9);
  CHECK(std::abs(state.xi[0] - exact.u) < 1e-9);
}

TEST_CASE("a vertical disk rolls on a circle, held by the published forces", "[validation][vertical_disk]") {
  const systems::VerticalDisk disk{{.mass = 1.2, .radius = 0.4}};
  const LagrangeDAlembert problem{disk};
  const double omega = 1.3, roll = 5.0, phi0 = 0.4, rho = 0.4 * roll / omega;
  auto state =
      problem.state({SE2d(0.3, -0.2, phi0), Rn<double, 1>(Vec<double, 1>(0.1))}, disk.rolling(omega, roll));
  auto rates = problem.make_rates();
  double worst = 0, worst_force = 0;
  drive(DormandPrince54{}, problem, state, {.step = 0.01, .until = 20.0}, [&](const auto&, const auto& at) {
    const double phi = phi0 + omega * at.time;
    const Vec<double, 2> place(0.3 + rho * (sin(phi) - sin(phi0)), -0.2 - rho * (cos(phi) - cos(phi0)));
    worst = std::max(worst, (at.g.first().translation() - place).norm());
    worst = std::max(worst, std::abs(at.g.second().coordinates()[0] - 0.1 - roll * at.time));
    problem.rates(at, rates);
    const Vec<double, 2> force = 1.2 * 0.4 * omega * roll * Vec<double, 2>(-sin(phi), cos(phi));
    worst_force = std::max(worst_force, (at.g.first().rotation().act(rates.lambda) - force).norm());
  });
  CHECK(worst < 1e-9);
  CHECK(worst_force < 1e-9);
}

TEST_CASE("the nonholonomic particle follows its closed form", "[validation][particle]") {
  const systems::NonholonomicParticle<> particle;
  const LagrangeDAlembert problem{particle};
  const double y0 = -3, w = 0.6, xdot0 = 0.7;
  const systems::NonholonomicParticle<>::Motion start{{0.1, y0, 0.2}, {xdot0, w, y0 * xdot0}};
  auto state = problem.state(Rn<double, 3>(start.place), start.velocity);
  double worst = 0;
  drive(DormandPrince54{}, problem, state, {.step = 0.01, .until = 10.0}, [&](const auto&, const auto& at) {
    const double y = at.g.coordinates()[1], c = xdot0 * std::sqrt(1 + y0 * y0);
    worst = std::max(worst, std::abs(at.xi[0] * std::sqrt(1 + y * y) - c));
    worst = std::max(worst, std::abs(y - y0 - w * at.time));
    const Vec<double, 3> place(0.1 + c / w * (std::asinh(y) - std::asinh(y0)), y,
                               0.2 + c / w * (std::sqrt(1 + y * y) - std::sqrt(1 + y0 * y0)));
    worst = std::max(worst, (at.g.coordinates() - place).norm());
    const auto exact = particle.exact(start, at.time);
    worst = std::max({worst, (exact.place - place).norm(), (exact.velocity - at.xi).norm()});
  });
  CHECK(worst < 1e-9);
}

TEST_CASE("Suslov's body follows its reference trajectory to 1e-10", "[validation][suslov]") {
  const auto reference = test::data("suslov.json")["suslov"]["sets"][0];
  const auto& p = reference["params"];
  const auto start = reference["y0"].get<std::vector<double>>();
  const auto slope = reference["rhs_at_t0"].get<std::vector<double>>();
  const auto times = reference["times"].get<std::vector<double>>();
  const auto states = reference["states"].get<std::vector<std::vector<double>>>();
  const auto energies = reference["diagnostics"]["energy"].get<std::vector<double>>();
  REQUIRE(times.size() > 3);
  const auto rotation = [](const std::vector<double>& y) {
    Mat<double, 3> A;
    A << y[2], y[3], y[4], y[5], y[6], y[7], y[8], y[9], y[10];
    return A;
  };

  Mat<double, 3> inertia;
  inertia << p["I11"], p["I12"], p["I13"], p["I12"], p["I22"], p["I23"], p["I13"], p["I23"], p["I33"];
  const systems::Suslov body{{.inertia = inertia}};
  const LagrangeDAlembert problem{body};
  const Vec<double, 3> w0(start[0], start[1], 0);
  auto state = problem.state(SO3d::from_matrix(rotation(start)), w0);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK((rates.xidot - Vec<double, 3>(slope[0], slope[1], 0)).norm() < 1e-15);
  for (std::size_t i = 0; i < times.size(); ++i) {
    drive(DormandPrince54{}, problem, state, {.step = 0.005, .until = times[i]});
    CAPTURE(times[i]);
    const Vec<double, 3> expected(states[i][0], states[i][1], 0);
    CHECK((state.xi - expected).norm() < 1e-10);
    CHECK((state.g.matrix() - rotation(states[i])).norm() < 1e-10);
    CHECK(std::abs(problem.energy(state) - energies[i]) < 1e-12);
    CHECK((body.exact(w0, times[i]) - expected).norm() < 1e-14);
  }
}

}  // namespace nonholonomic_cases_test
