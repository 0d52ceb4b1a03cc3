#include <cmath>
#include <vector>

#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"

/// The reference case of two rolling rods: figures, orders, and the drift of the gap in the contact's first published forms.
namespace rolling_rods_reference_test {

using namespace dalembert;
using contact::BodyAveraging;
using contact::CentrelineTangency;
using contact::CubicSpline;
using contact::ElementTangency;
using contact::MaterialTangency;
using contact::RollingOfRods;
using contact::SpatialAveraging;
using Parameters = systems::RollingRodsParameters<double>;

struct Outcome {
  double energy_error = 0;  // over the initial kinetic energy
  double slip = 0;
  double gap = 0;
  double tangency = 0;
  double lowest_force = 1e300;
  Vec<double, 2> s;
};

/// How well a contact holds, and how hard it presses.
struct Look {
  double gap, slip, tangency, normal_force;
};

template <class Problem, class Method, class See>
Outcome follow(const Problem& problem, typename Problem::State& x, const Method& method, double h,
               double until, const See& see) {
  const double energy = problem.energy(x);
  const double kinetic = problem.kinetic_energy(x);
  auto stepper = method.stepper(problem, x);
  auto rates = problem.make_rates();
  Outcome o;
  const long steps = std::lround(until / h);
  for (long i = 1; i <= steps; ++i) {
    REQUIRE(stepper.step(problem, x, h).converged);
    if (i % 10 != 0 && i != steps) continue;
    problem.rates(x, rates);
    const Look look = see(rates);
    o.energy_error = std::max(o.energy_error, std::abs(problem.energy(x) - energy) / kinetic);
    o.slip = std::max(o.slip, look.slip);
    o.gap = std::max(o.gap, std::abs(look.gap));
    o.tangency = std::max(o.tangency, look.tangency);
    o.lowest_force = std::min(o.lowest_force, look.normal_force);
  }
  return o;
}

/// The motion with this contact from rest, struck.
template <class Contact, class Method>
Outcome run(const Method& method, const Contact& contact,
            const systems::RollingRodsStart<double, CubicSpline>& start, const Parameters& p, double h,
            double until) {
  const assembly::Assembly problem{assembly::bodies(start.rods), assembly::constraints(std::vector{contact})};
  auto x = start.state;
  problem.solve_tangencies(x);
  systems::set_initial_velocity(problem, x, p);
  Outcome o = follow(problem, x, method, h, until, [&](const auto& rates) {
    const auto view = contact::evaluate(contact, x, rates.lambda);
    return Look{view.gap, problem.constraint(x).velocity, view.tangency, view.components[0]};
  });
  o.s = x.z;
  return o;
}
template <class Method>
Outcome run(const Method& method, const Parameters& p, double h, double until) {
  const auto start = systems::static_start(p);
  return run(method, start.crossing, start, p, h, until);
}

/// How far the gap drifts in two seconds with a contact of another form, which may pull.
template <class Averaging, class TangencyRule>
double drift(const Parameters& p, double h) {
  const auto start = systems::static_start(p);
  const auto& c = start.crossing;
  if constexpr (!Averaging::pairwise && TangencyRule::gap_stationary)
    return run(RungeKutta4{}, c, start, p, h, 2.0).gap;
  else
    return run(RungeKutta4{},
               RollingOfRods<double, CubicSpline, Averaging, TangencyRule>{c.first, c.second, c.radius1,
                                                                           c.radius2, true},
               start, p, h, 2.0)
        .gap;
}

/// log₂ of the ratio of two errors.
double order(double coarse, double fine) { return std::log2(coarse / fine); }

bool within_factor_two(double value, double reference) {
  return value <= 2 * reference && value >= reference / 2;
}

TEST_CASE("Rolling rods start from the reference state") {
  const Parameters p;
  const auto start = systems::static_start(p);
  const auto problem = start.problem();
  auto x = start.state;
  CHECK(x.z[0] == Approx(0.4510941).epsilon(0).margin(5e-8));
  CHECK(x.z[1] == Approx(0.5489059).epsilon(0).margin(5e-8));
  CHECK(start.equilibrium.energy == Approx(5.32975335).epsilon(0).margin(5e-9));
  auto rates = problem.make_rates();
  const auto components = [&] { return contact::evaluate(start.crossing, x, rates.lambda).components; };

  // At rest the dynamics must answer the force of the statics, and nothing accelerates.
  problem.rates(x, rates);
  CHECK(components()[0] == Approx(start.normal_force()).epsilon(1e-9));
  CHECK(components().tail<2>().norm() < 1e-9);
  CHECK(rates.xidot[0].abs().maxCoeff() < 1e-4);

  // With the velocities, the reference's kinetic energy and normal force.
  systems::set_initial_velocity(problem, x, p);
  CHECK(problem.kinetic_energy(x) == Approx(0.291307415).epsilon(0).margin(5e-10));
  problem.rates(x, rates);
  CHECK(components()[0] == Approx(5.5454).epsilon(0).margin(5e-5));
}

TEST_CASE("The static contact force is the slope of the energy in the gap") {
  const auto energy = [](double radius_change) {
    const Parameters p;
    auto rods = assembly::bodies(systems::rolling_rods(p));
    const auto& two = std::get<0>(rods);
    const double a = p.radius + radius_change;
    auto contacts = assembly::constraints(std::vector{
        contact::RollingContact<double>{{0, two[0], p.kernel_width}, {1, two[1], p.kernel_width}, a, a}});
    auto x = assembly::Assembly{rods, contacts}.state(systems::rolling_rods_placement(p, two),
                                                      Vec<double, 2>(0.45, 0.55));
    return assembly::static_equilibrium(
               rods, contacts, x,
               [&](double factor, auto&, auto&, auto& moved) {
                 for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(p.elements)}) {
                   moved[0].configuration(k, 2) = -p.radius + factor * p.hook;
                   moved[1].configuration(k, 2) = p.radius - factor * p.hook;
                 }
               })
        .energy;
  };
  const double d = 1e-5;
  const double force = systems::static_start(Parameters{}).normal_force();
  // The rods hook: a larger gap bends them more, and the energy grows by the force times the gap.
  CHECK((energy(d) - energy(-d)) / (4 * d) == Approx(force).epsilon(1e-6));
}

TEST_CASE("Verlet keeps energy, slip, gap and tangency over five seconds") {
  const Outcome o = run(Verlet{}, {}, 1e-4, 5.0);
  CHECK(o.energy_error <= 2e-4);
  CHECK(o.slip <= 1e-12);
  CHECK(o.gap <= 1e-12);
  CHECK(o.tangency <= 1e-12);
  CHECK(o.lowest_force > 0);
}

TEST_CASE("Verlet keeps energy over twenty seconds") {
  CHECK(run(Verlet{}, {}, 1e-4, 20.0).energy_error <= 2e-3);
}

TEST_CASE("Runge-Kutta with projection keeps energy and constraints over a second") {
  const Outcome o = run(RungeKutta4{.project = true}, {}, 5e-5, 1.0);
  CHECK(o.energy_error <= 2e-6);
  CHECK(o.slip <= 1e-12);
  CHECK(o.gap <= 1e-12);
}

TEST_CASE("Contact positions converge in time with the order of the integrator") {
  const Parameters p{.elements = 50, .kernel_width = 0.02};
  // Positions at every millisecond of 40, so that an error that passes through zero does not pass for an order.
  const auto path = [&](const auto& method, double h) {
    std::vector<Vec<double, 2>> s;
    for (double until = 0.004; until < 0.0405; until += 0.004) s.push_back(run(method, p, h, until).s);
    return s;
  };
  const RungeKutta4 rk4{.project = true};
  const auto exact = path(rk4, 6.25e-6);
  const auto error = [&](const auto& method, double h) {
    const auto s = path(method, h);
    Vec<double, 2> sum = Vec<double, 2>::Zero();
    for (std::size_t i = 0; i < s.size(); ++i) sum += (s[i] - exact[i]).cwiseAbs2();
    return Vec<double, 2>(sum.cwiseSqrt());
  };
  const auto coarse = error(Verlet{}, 1e-4);
  const auto middle = error(Verlet{}, 5e-5);
  const auto fine = error(Verlet{}, 2.5e-5);
  const auto rk_coarse = error(rk4, 1e-4);
  const auto rk_fine = error(rk4, 5e-5);
  for (int i : {0, 1}) {
    CAPTURE(i, 1e9 * coarse[i], 1e9 * middle[i], 1e9 * fine[i], 1e9 * rk_coarse[i], 1e9 * rk_fine[i]);
    CHECK(order(coarse[i], middle[i]) >= 1.8);
    CHECK(order(middle[i], fine[i]) >= 1.8);
    CHECK(order(rk_coarse[i], rk_fine[i]) >= 3.5);
  }
}

TEST_CASE("Contact positions converge with second order in N at a fixed kernel width") {
  const auto s = [](int elements) {
    return run(RungeKutta4{.project = true}, {.elements = elements, .kernel_width = 0.04}, 2e-5, 0.03).s;
  };
  const Vec<double, 2> a = s(50);
  const Vec<double, 2> b = s(100);
  const Vec<double, 2> c = s(200);
  for (int i : {0, 1}) {
    CAPTURE(i, a[i], b[i], c[i]);
    CHECK(order(std::abs(a[i] - b[i]), std::abs(b[i] - c[i])) >= 1.8);
  }
}

TEST_CASE("The contact's first published forms let the gap drift as reported") {
  // Body averaging with the strain of the element, kernel of two elements.
  CHECK(within_factor_two(
      drift<BodyAveraging, ElementTangency>({.elements = 64, .kernel_width = 2.0 / 64}, 1e-4), 7.2e-3));
  CHECK(within_factor_two(
      drift<BodyAveraging, ElementTangency>({.elements = 128, .kernel_width = 2.0 / 128}, 1e-4), 4.8e-3));
  // Body averaging with the material axis, kernel of one element.
  CHECK(within_factor_two(
      drift<BodyAveraging, MaterialTangency>({.elements = 64, .kernel_width = 1.0 / 64}, 1e-4), 2.7e-3));
  CHECK(within_factor_two(
      drift<BodyAveraging, MaterialTangency>({.elements = 128, .kernel_width = 1.0 / 128}, 1e-4), 0.7e-3));
  // Spatial averaging with the material axis: the same at every step and every N.
  CHECK(within_factor_two(
      drift<SpatialAveraging, MaterialTangency>({.elements = 64, .kernel_width = 0.01}, 1e-4), 9e-4));
  CHECK(within_factor_two(
      drift<SpatialAveraging, MaterialTangency>({.elements = 100, .kernel_width = 0.01}, 5e-5), 9e-4));
  // Spatial averaging with the centreline drifts by the error of the integrator alone.
  const double coarse =
      drift<SpatialAveraging, CentrelineTangency>({.elements = 64, .kernel_width = 0.01}, 1e-4);
  CHECK(within_factor_two(coarse, 2e-5));
  CHECK(drift<SpatialAveraging, CentrelineTangency>({.elements = 64, .kernel_width = 0.01}, 5e-5) <
        0.75 * coarse);
}

}  // namespace rolling_rods_reference_test
