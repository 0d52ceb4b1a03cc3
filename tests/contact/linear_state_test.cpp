#include "support/linear/state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/compat/chart.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/checkpoint.hpp>
#include "support/linear/rods.hpp"

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"

namespace linear_state_test {

using namespace dalembert;
using Rods = test::linear::LinearRods<double>;

test::linear::LinearRod<double> soft_rod() {
  const auto section = test::soft_section<double>(0.03);
  test::linear::LinearRod<double>::Parameters p;
  p.elements = 20;
  p.length = 1;
  p.inertia = section.inertia().matrix();
  p.stiffness = section.stiffness();
  return test::linear::LinearRod<double>(p);
}

Rods crossed_rods() {
  test::linear::LinearCrossing<double> c;
  c.s1 = 0.4;
  c.s2 = 0.6;
  c.turn = SO3<double>::exp({1.2, 0, 0});
  c.between = {0.06, 0, 0};
  c.kernel_width = 0.05;
  return Rods({soft_rod(), soft_rod()}, {c});
}

/// Two soft rods that cross, and some motion of theirs.
struct Pair {
  Rods problem = crossed_rods();
  Rods::State state = problem.state(0.3);

  Pair() {
    test::Random random(test::seed());
    for (double& y : state.phi) y = 1e-3 * random();
    for (double& y : state.xi) y = random();
    problem.project(state);
  }
};

TEST_CASE("a run of linear rods goes on from a checkpoint bit for bit", "[contact][linear][checkpoint]") {
  const Pair pair;
  const test::Folder folder;
  auto whole = pair.state, half = pair.state;
  drive(RungeKutta4{}, pair.problem, whole, {.step = 1e-4, .until = 0.304});
  drive(RungeKutta4{}, pair.problem, half, {.step = 1e-4, .until = 0.302});
  io::save_checkpoint(folder.path / "half.checkpoint", half);
  auto restored = pair.problem.state();
  io::load_checkpoint(folder.path / "half.checkpoint", restored);
  CHECK(restored.time == half.time);
  CHECK(restored.phi == half.phi);
  CHECK(restored.xi == half.xi);
  drive(RungeKutta4{}, pair.problem, restored, {.step = 1e-4, .until = 0.304, .origin = 0.3});
  CHECK(restored.phi == whole.phi);
  CHECK(restored.xi == whole.xi);
  // another shape is refused
  auto other = Rods({soft_rod()}).state();
  CHECK_THROWS(io::load_checkpoint(folder.path / "half.checkpoint", other));
}

TEST_CASE("a state of linear rods tells whether it is made of numbers", "[contact][linear]") {
  Pair pair;
  CHECK(pair.state.is_finite());
  CHECK(pair.state.is_finite_throughout());
  pair.state.phi[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK(pair.state.is_finite());
  CHECK_FALSE(pair.state.is_finite_throughout());
  pair.state.xi[3] = std::numeric_limits<double>::infinity();
  CHECK_FALSE(pair.state.is_finite());
}

TEST_CASE("linear rods are columns of numbers to other solvers", "[contact][linear][compat]") {
  const Pair pair;
  compat::Chart chart{pair.problem, pair.state};
  CHECK(chart.size() == 2 * 2 * 21 * 6);
  CHECK(chart.positions() == 2 * 21 * 6);
  std::vector<double> y(chart.size(), 0.0), dydt(chart.size());
  chart.slope(y, 0.3, dydt);
  auto r = pair.problem.make_rates();
  pair.problem.rates(pair.state, r);
  double error = 0;
  for (std::size_t i = 0; i < chart.positions(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    error = std::max(
        {error, std::abs(dydt[i] - pair.state.xi[k]), std::abs(dydt[chart.positions() + i] - r.xidot[k])});
  }
  CHECK(error == 0);
  auto offset = pair.problem.make_increment(), slope = offset;
  pair.problem.slope(pair.state, offset, r, slope);
  offset.add_scaled(0.5, slope);
  auto later = pair.state;
  pair.problem.retract(pair.state, offset, later);
  CHECK(later.time == pair.state.time + 0.5);
  offset.set_zero();
  pair.problem.retract(pair.state, offset, later);
  CHECK(later.time == pair.state.time);
  auto moved = pair.state;
  moved.phi[7] += 0.25;
  moved.xi[9] -= 0.5;
  chart.coordinates(moved, y);
  CHECK(y[7] == Approx(0.25).epsilon(1e-12));
  CHECK(y[chart.positions() + 9] == Approx(-0.5).epsilon(1e-12));
  CHECK((chart.state(y, 0.3).phi - moved.phi).norm() < 1e-15);
}

}  // namespace linear_state_test
