#include <dalembert/compat/chart.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#if __has_include(<boost/numeric/odeint/stepper/runge_kutta4.hpp>)
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#endif

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace chart_test {

using namespace dalembert;
using compat::Chart, compat::ImplicitChart;
using Numbers = std::vector<double>;
using Sleigh = LagrangeDAlembert<systems::ChaplyginSleigh<double>>;
using Maxwell = LagrangeDAlembert<test::MaxwellOnSkate<>>;

const Sleigh sleigh{systems::ChaplyginSleigh<double>{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}};
const Sleigh::State sleigh_start = sleigh.state(SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7}, 0.25);

double distance(const Sleigh::State& a, const Sleigh::State& b) {
  return (a.g.inverse() * b.g).log().norm() + (a.xi - b.xi).norm() + std::abs(a.time - b.time);
}
double largest(const Numbers& x) {
  double most = 0;
  for (const double a : x) most = std::max(most, std::abs(a));
  return most;
}

using Body = assembly::RigidBody<double>;
Body hanging_body() {
  Body::Parameters p;
  p.mass = 0.3;
  p.inertia = {0.02, 0.03, 0.025};
  p.gravity = {0, 0, -9.81};
  return Body(p);
}

/// Two bodies that hang on each other.
struct Swing {
  using Joint = assembly::SphericalJoint<double>;
  Body body = hanging_body();
  assembly::Assembly<assembly::Kinds<Body>, assembly::Kinds<Joint>> problem{
      assembly::bodies(std::vector{body, body}),
      assembly::constraints(
          std::vector{Joint{{0, 0, {0, 0, 0.1}}, assembly::FrameMarker<double>::in_space({0, 0, 0})},
                      Joint{{0, 0, {0, 0, -0.1}}, {1, 0, {0, 0.1, 0.05}}}})};
  assembly::State<double> start = [&] {
    auto x = problem.state({body.at({0, 0.01, -0.1}), body.at({0, -0.1, -0.25})});
    x[0].set_velocity(0, {0.1, 0, 0}, {0, 1, 2});
    x[1].set_velocity(0, {0.3, 0.2, 0}, {1, 0, -1});
    problem.project(x);
    return x;
  }();
};

TEST_CASE("a chart gives back the state that its numbers were made from", "[compat]") {
  Chart chart{sleigh, sleigh_start};
  REQUIRE(chart.size() == 6);
  CHECK(chart.positions() == 3);
  Numbers y = {0.3, -0.5, 1.2, 0.1, 0.7, -2.0}, again(6);
  const auto state = chart.state(y, 0.75);
  CHECK(state.time == 0.75);
  chart.coordinates(state, again);
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(y[i] - again[i]) < 1e-14);
  chart.coordinates(sleigh_start, again);
  CHECK(largest(again) == 0);
  CHECK((state.g.inverse() * (sleigh_start.g * SE2d::exp({0.3, -0.5, 1.2}))).log().norm() < 1e-15);
  CHECK((state.xi - sleigh_start.xi - Vec<double, 3>(0.1, 0.7, -2.0)).norm() < 1e-15);

  chart.rebase(y, 0.75);
  CHECK(distance(chart.base(), state) == 0);
  CHECK(largest(y) == 0);
}

/// dy/dt of a chart is the derivative of y along the motion, which an integrator of ours finds.
template <class P>
void check_slope(const P& problem, const typename P::State& start) {
  Chart chart{problem, start};
  Numbers y(chart.size()), dydt(chart.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 0.2 * std::sin(1.0 + static_cast<double>(i));
  const auto at = chart.state(y, start.time + 0.1);
  chart.slope(y, start.time + 0.1, dydt);
  const double h = 1e-3;
  const auto beside = [&](double step) {
    auto x = at;
    auto stepper = RungeKutta4{}.stepper(problem, x);
    (void)stepper.step(problem, x, step);
    Numbers z(chart.size());
    chart.coordinates(x, z);
    return z;
  };
  const Numbers after = beside(h), before = beside(-h);
  for (std::size_t i = 0; i < y.size(); ++i)
    CHECK(std::abs((after[i] - before[i]) / (2 * h) - dydt[i]) < 1e-5 * (1 + largest(dydt)));
}

TEST_CASE("slopes in a chart are the derivatives of its numbers along the motion", "[compat]") {
  check_slope(sleigh, sleigh_start);
  const Maxwell maxwell{test::MaxwellOnSkate<>{}};
  check_slope(maxwell, maxwell.state(SE2d(0.3, -0.2, 0.5), {0.4, 0, 0.8}, Vec<double, 1>(0.2)));
}

/// F is zero at the start, and moves with each unknown and each rate; without the rows of positions it is the residual of the problem.
template <class P>
void check_implicit(const P& problem, const typename P::State& start) {
  ImplicitChart chart{problem, start};
  const std::size_t n = chart.unknowns();
  Numbers Y(n), Ydot(n), F(n);
  chart.start(Y, Ydot);
  chart.residual(start.time, Y, Ydot, F);
  const double size = 1 + largest(Y) + largest(Ydot);
  CHECK(largest(F) < 1e-12 * size);
  for (std::size_t i = 0; i < n; ++i) {
    double& unknown = chart.differential(i) ? Ydot[i] : Y[i];
    unknown += 0.01;
    chart.residual(start.time, Y, Ydot, F);
    CHECK(largest(F) > 1e-6);
    unknown -= 0.01;
  }
  // away from the base the equations are those of the rates there
  for (std::size_t i = 0; i < chart.size(); ++i) Y[i] = 0.05 * std::sin(2.0 + static_cast<double>(i));
  chart.slope(std::span<const double>(Y).first(chart.size()), start.time,
              std::span<double>(Ydot).first(chart.size()));
  auto rates = problem.make_rates();
  problem.rates(chart.state(std::span<const double>(Y).first(chart.size()), start.time), rates);
  for (std::size_t i = chart.size(); i < n; ++i)
    Y[i] = rates.lambda[static_cast<Eigen::Index>(i - chart.size())];
  chart.residual(start.time, Y, Ydot, F);
  CHECK(largest(F) < 1e-11 * size);
}

TEST_CASE("the implicit equations of a chart are solved by the problem's rates, and by no others",
          "[compat]") {
  check_implicit(sleigh, sleigh_start);
  const Maxwell maxwell{test::MaxwellOnSkate<>{}};
  check_implicit(maxwell, maxwell.state(SE2d(0.3, -0.2, 0.5), {0.4, 0, 0.8}, Vec<double, 1>(0.2)));
  const Swing swing;
  check_implicit(swing.problem, swing.start);
}

TEST_CASE("a chart refuses columns of another size", "[compat]") {
  using Catch::Matchers::ContainsSubstring;
  Chart chart{sleigh, sleigh_start};
  Numbers five(5), six(6);
  CHECK_THROWS_WITH(chart.state(five, 0.0),
                    ContainsSubstring("numbers of y = 5") && ContainsSubstring("6 of them"));
  CHECK_THROWS_WITH(chart.slope(six, 0.0, five), ContainsSubstring("numbers of dydt = 5"));
  ImplicitChart implicit{sleigh, sleigh_start};
  REQUIRE(implicit.unknowns() == 7);
  CHECK_THROWS_WITH(implicit.start(six, six), ContainsSubstring("numbers of Y = 6"));
}

#if __has_include(<boost/numeric/odeint/stepper/runge_kutta4.hpp>)

namespace odeint = boost::numeric::odeint;

/// The classical Runge–Kutta method of odeint, with the base moved along after every step.
template <class P>
typename P::State by_odeint(const P& problem, const typename P::State& start, double h, int steps) {
  Chart chart{problem, start};
  Numbers y(chart.size());
  odeint::runge_kutta4<Numbers> stepper;
  const auto f = [&](const Numbers& at, Numbers& dydt, double t) { chart.slope(at, t, dydt); };
  for (int i = 0; i < steps; ++i) {
    stepper.do_step(f, y, chart.base().time, h);
    chart.rebase(y, start.time + (i + 1) * h);
  }
  return chart.base();
}

TEST_CASE("odeint's Runge-Kutta method moves a sleigh as ours does", "[compat]") {
  auto ours = sleigh_start;
  auto stepper = RungeKutta4{}.stepper(sleigh, ours);
  for (int i = 0; i < 400; ++i) (void)stepper.step(sleigh, ours, 0.01);
  const auto theirs = by_odeint(sleigh, sleigh_start, 0.01, 400);
  CHECK(distance(ours, theirs) < 1e-12);
  CHECK(distance(ours, sleigh_start) > 1);
}

TEST_CASE("odeint's Runge-Kutta method moves an assembly as ours does", "[compat]") {
  const Swing swing;
  auto ours = swing.start;
  auto stepper = RungeKutta4{}.stepper(swing.problem, ours);
  for (int i = 0; i < 50; ++i) (void)stepper.step(swing.problem, ours, 0.002);
  const auto theirs = by_odeint(swing.problem, swing.start, 0.002, 50);
  for (std::size_t b = 0; b < 2; ++b) {
    CHECK((ours[b].position(0) - theirs[b].position(0)).norm() < 1e-12);
    CHECK((ours[b].twist(0) - theirs[b].twist(0)).norm() < 1e-11);
    CHECK((ours[b].position(0) - swing.start[b].position(0)).norm() > 1e-3);
  }
}

TEST_CASE("odeint's adaptive method in one chart comes to the same state", "[compat]") {
  auto ours = sleigh_start;
  drive(DormandPrince853{}, sleigh, ours, {.step = 0.01, .until = 1.25, .tolerance = 1e-14});
  Chart chart{sleigh, sleigh_start};
  Numbers y(chart.size());
  const auto f = [&](const Numbers& at, Numbers& dydt, double t) { chart.slope(at, t, dydt); };
  odeint::integrate_adaptive(odeint::make_controlled(1e-13, 1e-13, odeint::runge_kutta_dopri5<Numbers>()), f,
                             y, 0.25, 1.25, 0.01);
  chart.rebase(y, 1.25);
  CHECK(distance(ours, chart.base()) < 1e-11);
}

#endif

}  // namespace chart_test
