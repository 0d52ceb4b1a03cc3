#include <dalembert/contact/line.hpp>

#include <array>
#include <cmath>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/ply.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace line_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;

/// One turn of a ply, moving wildly, with all of its stations closed and without slip.
template <template <class, class> class Station>
struct PointState {
  systems::Ply<Station<double, contact::CubicSpline>> ply =
      systems::ply<Station>(systems::PlyParameters<double>{.elements = 24, .turns = 1});
  assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<Station<double, contact::CubicSpline>>> problem =
      ply.problem();
  assembly::State<double> x = [&] {
    test::Random random(test::seed());
    auto chains = ply.chains;
    for (auto& chain : chains) {
      const test::Wave<double> velocity(random), spin(random);
      for (Eigen::Index k = 1; k < 24; ++k) {
        const double s = static_cast<double>(k) / 24, rest = 16 * s * s * (1 - s) * (1 - s);
        chain.set_velocity(k, V(2 * rest * velocity(s)), V(300 * rest * spin(s)));
      }
    }
    auto state = problem.state(chains, ply.stations.nearest);
    problem.project(state);
    return state;
  }();
};

/// The state a time h further along the rates.
template <class P, class X>
X moved(const P& problem, const X& x, double h) {
  auto r = problem.make_rates();
  problem.rates(x, r);
  auto none = problem.make_increment(), k = none, step = none;
  problem.slope(x, none, r, k);
  step.add_scaled(h, k);
  X y = x;
  problem.retract(x, step, y);
  return y;
}

/// The largest change of energy, relative to the kinetic energy, of two runs one of which has half the steps; all rows hold throughout.
template <template <class, class> class Station>
std::array<double, 2> energy_errors() {
  PointState<Station> m;
  const double kinetic = m.problem.kinetic_energy(m.x);
  REQUIRE(kinetic > 1e-3);
  std::array<double, 2> error{};
  for (const std::size_t fine : {0u, 1u}) {
    auto x = m.x;
    analysis::EnergyMonitor monitor{m.problem};
    drive(Verlet{}, m.problem, x, {.step = fine ? 1e-5 : 2e-5, .until = 4e-3}, monitor);
    error[fine] = monitor.energy_error() / kinetic;
    CHECK(monitor.violation().position < 1e-15);
    CHECK(monitor.violation().velocity < 1e-12);
    for (std::size_t i = 0; i < 2; ++i) CHECK((x[i].position(12) - m.x[i].position(12)).norm() > 1e-4);
  }
  return error;
}

TEST_CASE("two rods roll on each other along a line without slip and without loss", "[contact][line]") {
  const auto [coarse, fine] = energy_errors<contact::RollingStation>();
  CHECK(coarse < 1e-2);
  CHECK_THAT(coarse / fine, WithinAbs(4, 0.6));
}

TEST_CASE("rods slide along a line at their distance and without loss", "[contact][line]") {
  const auto [coarse, fine] = energy_errors<contact::SlidingStation>();
  CHECK(coarse < 1e-2);
  CHECK_THAT(coarse / fine, WithinAbs(4, 0.6));
}

TEST_CASE("the gap of a station changes at its rows, and its place as the tangency says", "[contact][line]") {
  PointState<contact::RollingStation> m;
  test::Random random(test::seed() + 1);
  for (auto& chain : m.x.chains)  // what need not hold
    for (Eigen::Index k = 1; k < 24; ++k) {
      const V turned = 0.05 * random.vector<double>(), displaced = 2e-4 * random.vector<double>();
      rod::move_node(chain, k, displaced, turned);
      const V spin = 30 * random.vector<double>(), velocity = 0.3 * random.vector<double>();
      chain.set_velocity(k, velocity, spin);
    }
  m.problem.solve_algebraic(m.x);
  const double h = 1e-7;
  const auto after = moved(m.problem, m.x, h), before = moved(m.problem, m.x, -h);
  const auto errors = ((m.problem.row_errors(after) - m.problem.row_errors(before)) / (2 * h)).eval();
  const auto rows = m.problem.row_velocities(m.x);
  const auto change = ((m.problem.row_velocities(after) - m.problem.row_velocities(before)) / (2 * h)).eval();
  auto left = m.problem.make_residual();
  m.problem.residual(m.x, m.problem.make_rates(), left);
  CHECK(left.tail(rows.size()).norm() >
        100);  // the drift alone, without accelerations; with them nothing changes
  CHECK(change.norm() < 1e-4 * left.tail(rows.size()).norm());
  CHECK(rows.norm() > 1);
  for (std::size_t i = 0; i < m.ply.stations.constraints.size(); ++i) {
    const auto& station = m.ply.stations.constraints[i];
    assembly::Point<double> p;
    const auto j = static_cast<Eigen::Index>(i);
    assembly::Window window;
    station.second.find(m.x.chains, m.x.z[j], 0, p, window, nullptr);
    const V kappa = p.R - m.x[0].position(station.first.node), u = rows.segment<3>(3 * j);
    CHECK_THAT(errors[j], WithinAbs(-kappa.dot(u) / kappa.norm(), 1e-6));
    station.second.find_velocity(m.x.chains, p);
    const Eigen::Index k = station.first.node;
    const V spin = m.x[0].rotation(k).act(m.x[0].angular_velocity(k)) / 2 + p.W / 2;
    CHECK((u - m.x[0].linear_velocity(k) + p.V - spin.cross(kappa)).norm() < 1e-14);
    CHECK(std::abs(errors[j]) > 1e-4);
    CHECK(std::abs(kappa.dot(p.dR)) < 1e-15);
    assembly::Point<double> q;
    station.second.find(after.chains, after.z[j], 0, q, window, nullptr);
    CHECK(std::abs((q.R - after[0].position(station.first.node)).dot(q.dR)) < 1e-10);
  }
}

TEST_CASE("a cubic kernel pulls a curved rod inwards by its curvature times a sixth of its width squared",
          "[contact][line]") {
  for (const int elements : {60, 120}) {
    const systems::PlyParameters<double> p{.elements = elements};
    const auto ply = systems::ply(p);
    const auto problem = ply.problem();
    const auto x = problem.state(ply.chains, ply.stations.nearest);
    const double wh = p.rate() * ply.rods[0].spacing(), pulled = p.radius * wh * wh / 6;
    for (const double error : problem.row_errors(x)) CHECK_THAT(error, WithinRel(-pulled, 0.1 * wh * wh * 5));
  }
}

/// The normal force per length of two rods that lie on each other where the upper one falls at `gravity`, may they pull or not.
template <template <class, class> class Station>
double pressure_under(double gravity, bool bilateral) {
  Rod::Parameters p;
  p.start = p.finish = rod::Boundary<double>::clamped();
  const auto lower = test::soft_rod<Rod>(0.005, 20, p);
  p.loads.gravity = {0, 0, gravity};
  const auto upper = test::soft_rod<Rod>(0.005, 20, p);
  const auto along = SO3<double>::exp(V(0, M_PI / 2, 0));
  const std::vector chains{lower.straight({0, 0, 0}, along), upper.straight({0, 0, 0.01}, along)};
  const auto made = contact::stations<Station>(
      contact::ContactLine<double>{
          .radius1 = 0.005, .radius2 = 0.005, .from = 3, .to = 17, .bilateral = bilateral},
      upper, chains);
  const assembly::Assembly problem{assembly::bodies(std::vector{lower, upper}),
                                   assembly::constraints(made.constraints)};
  auto r = problem.make_rates();
  problem.rates(problem.state(chains, made.nearest), r);
  const bool sliding = r.lambda.size() == 15;
  return (sliding ? r.lambda[7] : -r.lambda[23]) / upper.spacing();
}

TEST_CASE("stations that pull are an error unless they may", "[contact][line]") {
  const double weight = 9.81 * test::soft_section<double>(0.005).inertia().mass;
  // one half falls with the other
  CHECK_THAT(pressure_under<contact::SlidingStation>(-9.81, false), WithinRel(weight / 2, 0.05));
  CHECK_THAT(pressure_under<contact::SlidingStation>(9.81, true), WithinRel(-weight / 2, 0.05));
  CHECK_THROWS_AS(pressure_under<contact::SlidingStation>(9.81, false), ContactOpened);
  CHECK_THAT(pressure_under<contact::RollingStation>(-9.81, false), WithinRel(weight / 2, 0.05));
  CHECK_THAT(pressure_under<contact::RollingStation>(9.81, true), WithinRel(-weight / 2, 0.05));
  CHECK_THROWS_AS(pressure_under<contact::RollingStation>(9.81, false), ContactOpened);
}

TEST_CASE("a line of contact says what it lacks", "[contact][line]") {
  const auto ply = systems::ply(systems::PlyParameters<double>{.elements = 24, .turns = 1});
  const auto make = [&](contact::ContactLine<double> line) {
    return contact::stations<contact::SlidingStation>(line, ply.rods[1], ply.chains);
  };
  CHECK_THROWS_WITH(make({.second = 2, .from = 3, .to = 5}), ContainsSubstring("there are 2 bodies"));
  CHECK_THROWS_WITH(make({.from = 5, .to = 3}), ContainsSubstring("nodes = 5 to 3"));
  CHECK_THROWS_WITH(make({.from = 3, .to = 25}), ContainsSubstring("rod 1 has 25 nodes"));
  const auto bad = make({.radius1 = 0.005, .from = 3, .to = 21});
  CHECK_THROWS_WITH((assembly::Assembly{assembly::bodies(ply.rods), assembly::constraints(bad.constraints)}),
                    ContainsSubstring("SlidingStation: radius = 0, but"));
}

}  // namespace line_test
