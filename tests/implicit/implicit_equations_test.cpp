// The equations of an implicit step: Newton's method finds their solution again, and measures its
// corrections in the kinetic metric.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/implicit/implicit.hpp>
#include <dalembert/rod/implicit.hpp>

#include "support/catch.hpp"
#include "support/implicit.hpp"
#include "support/rods.hpp"

namespace implicit_equations_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Column = Vec<double, Eigen::Dynamic>;
using Numbers = NodeNumbers<double>;
using Step = ImplicitStep<Numbers, double>;
using Eigen::Index;
using V = Vec<double, 3>;

/// A rod that is led aside at its start and clamped at its finish, and one that is held in some degrees.
auto two_rods() {
  Rod::Parameters p;
  p.loads.gravity = {1, -3, 2};
  p.damping.rate = 0.4;
  p.start = rod::Boundary<double>::prescribed([](double t) {
    rod::EndMotion<double> m;
    m.position = {3 * t, -2 * t * t, 0.1};
    m.velocity = {3, -4 * t, 0};
    m.acceleration = {0, -4, 0};
    return m;
  });
  p.finish = rod::Boundary<double>::clamped();
  const Rod led = test::soft_rod<Rod>(0.03, 6, p);
  p.finish = rod::Boundary<double>::free();
  p.start = rod::Boundary<double>::degrees({false, true, false, true, false, false});
  const Rod guided = test::soft_rod<Rod>(0.02, 5, p);
  const Assembly problem{assembly::bodies(std::vector{led, guided})};
  test::Random random{test::seed()};
  std::vector<rod::Chain<double>> chains;
  for (const Rod& rod : {led, guided}) {
    auto chain = rod.straight(chains.empty() ? V(0, 0, 0.1) : V(2, 3, 1), SO3<double>::identity());
    for (Index k = chains.empty() ? 1 : 0; k < chain.nodes;
         ++k)  // what is held stays whatever its velocity says
      chain.set_velocity(k, V(0.4 * random.vector<double>()), V(2 * random.vector<double>()));
    chains.push_back(chain);
  }
  return std::pair(problem, problem.state(chains));
}

template <class P>
struct Solved {
  decltype(implicit_equations(std::declval<const P&>(), std::declval<const State<double>&>())) equations;
  Step step;
  State<double> from;

  Solved(const P& problem, const State<double>& state, LoadsAt loads, double h)
      : equations(implicit_equations(problem, state)), from(state) {
    step = {h, loads, 1 / h, 2 / (h * h), equations.make_columns(), equations.make_columns()};
    if (loads == LoadsAt::end) {  // v and a of the end
      step.velocity = 2 / h;
      step.acceleration = 4 / (h * h);
    }
    Numbers velocity = equations.make_columns();
    equations.get_velocity(from, velocity);
    step.constant_acceleration.add_scaled(loads == LoadsAt::end ? -4 / h : -2 / h, velocity);
    if (loads == LoadsAt::end) step.constant_velocity.add_scaled(-1, velocity);
    equations.displacement().add_scaled(h, velocity);
    equations.start(from, step);
    double size = 1;
    for (int i = 0; i < 12 && size > 1e-13; ++i) size = correct(1e-12);
    CHECK(size < 1e-13);
    CHECK(equations.has_factors());
  }
  double correct(double tolerance) {
    equations.find_residual();
    REQUIRE(equations.factor());
    return equations.correct(tolerance);
  }
};

TEST_CASE("factors of an implicit step are kept until they are forgotten, multipliers until all is",
          "[implicit]") {
  const auto [problem, from] = test::double_pendulum();
  CHECK_FALSE(implicit_equations(problem, from).has_factors());
  Solved solved(problem, from, LoadsAt::middle, 0.01);
  auto& equations = solved.equations;
  equations.forget_factors();
  CHECK_FALSE(equations.has_factors());
  CHECK(equations.multipliers().norm() > 1);
  (void)solved.correct(1);
  CHECK(equations.has_factors());
  equations.forget();
  CHECK_FALSE(equations.has_factors());
  CHECK(equations.multipliers().norm() == 0);
}

/// 1/m of a degree.
template <class P>
double inverse(const P& problem, std::size_t b, Index k, int i) {
  return node_inertia(problem.template bodies<0>()[b], k).inverse[i];
}

template <class P>
void check_newton(const P& problem, const State<double>& state, LoadsAt loads, double h) {
  CAPTURE(static_cast<int>(loads), h);
  Solved<P> solved(problem, state, loads, h);
  auto& equations = solved.equations;
  const Numbers solution = equations.displacement();
  const Column lambda = equations.multipliers();
  test::Random random{test::seed()};
  const double far = 1e-4;
  Numbers& moved = equations.displacement();
  for (std::size_t b = 0; b < moved.size(); ++b)
    for (Index k = 0; k < state[b].nodes; ++k)
      for (int i = 0; i < 6; ++i)
        if (inverse(problem, b, k, i) > 0) moved[b](k, i) += far * random();
  const Numbers before = moved;
  // what is corrected beside what moves
  const double size = solved.correct(1);
  double corrected = 0, displaced = 0, left = 0;
  for (std::size_t b = 0; b < moved.size(); ++b)
    for (Index k = 0; k < state[b].nodes; ++k)
      for (int i = 0; i < 6; ++i) {
        left = std::max(left, std::abs(moved[b](k, i) - solution[b](k, i)));
        const double one = inverse(problem, b, k, i), x = moved[b](k, i) - before[b](k, i);
        if (!(one > 0)) {
          CHECK(std::abs(x) < 1e-14);
          if (k > 0 || b > 0 || i >= 3) continue;  // the end that is led counts for nothing
        } else {
          corrected += x * x / one;
          displaced += before[b](k, i) * before[b](k, i) / one;
        }
      }
  CHECK(left < 0.1 * far);
  CHECK(size == Approx(std::sqrt(corrected / displaced)).epsilon(1e-9));
  if (lambda.size() > 0) CHECK((equations.multipliers() - lambda).norm() < 0.05 * lambda.norm());
  for (int i = 0; i < 3; ++i) (void)solved.correct(1);
  equations.find_residual();

  State<double> to = state;
  Numbers constant = equations.make_columns();
  for (auto& columns : constant.chains) columns.setConstant(0.25);
  equations.finish(3, constant, to);
  CHECK(to.time == state.time + h);
  for (std::size_t b = 0; b < moved.size(); ++b)
    for (Index k = 0; k < state[b].nodes; ++k) {
      const V gone = to[b].position(k) - state[b].position(k);
      for (int i = 0; i < 3; ++i) CHECK(std::abs(gone[i] - moved[b](k, i)) < 1e-13);
      for (int i = 0; i < 6; ++i)
        if (inverse(problem, b, k, i) > 0)
          CHECK(std::abs(to[b].velocity(k, i) - 3 * moved[b](k, i) - 0.25) < 1e-13);
    }
}

TEST_CASE("a correction of an implicit step leads to its solution, and is measured in the kinetic metric",
          "[implicit]") {
  const auto [rods, rods_at] = two_rods();
  const auto [pendulum, pendulum_at] = test::double_pendulum();
  for (const LoadsAt loads : {LoadsAt::middle, LoadsAt::end, LoadsAt::between}) {
    check_newton(rods, rods_at, loads, 0.01);
    check_newton(rods, rods_at, loads, 1e-4);
    check_newton(pendulum, pendulum_at, loads, 0.01);
  }
}

TEST_CASE("what is held goes in an implicit step where it is led, and stays where it is not", "[implicit]") {
  const auto [problem, from] = two_rods();
  const double h = 0.02;
  Solved solved(problem, from, LoadsAt::middle, h);
  const Numbers& moved = solved.equations.displacement();
  const std::array<double, 6> led{3 * h, -2 * h * h, 0, 0, 0, 0};
  for (int i = 0; i < 6; ++i) {
    CHECK(std::abs(moved[0](0, i) - led[static_cast<std::size_t>(i)]) < 1e-15);
    CHECK(std::abs(moved[0](6, i)) < 1e-14);
    if (i == 1 || i == 3) CHECK(std::abs(moved[1](0, i)) < 1e-14);
  }
  auto to = from;
  solved.equations.finish(2 / h, solved.equations.make_columns(), to);
  CHECK((to[0].position(0) - V(3 * h, -2 * h * h, 0.1)).norm() < 1e-15);
  CHECK((to[0].linear_velocity(0) - V(3, -4 * h, 0)).norm() < 1e-15);
}

TEST_CASE("rounding of positions counts in how far an implicit step is from its solution", "[implicit]") {
  const auto [problem, from] = two_rods();
  Solved solved(problem, from, LoadsAt::middle, 0.01);
  auto& equations = solved.equations;
  Numbers& moved = equations.displacement();
  moved[1](3, 2) += 1e-3;
  const Numbers before = moved;
  const double tolerance = 1e-20;  // so that nothing else counts
  const double size = solved.correct(tolerance);
  auto to = from;
  moved = before;
  equations.find_residual();
  equations.finish(1, equations.make_columns(), to);
  moved = before;
  (void)solved.correct(1);
  double corrected = 0, placed = 0;
  for (std::size_t b = 0; b < 2; ++b)
    for (Index k = 0; k < from[b].nodes; ++k) {
      const auto inertia = node_inertia(problem.bodies<0>()[b], k);
      double mass = 0;
      for (int i = 0; i < 3; ++i)
        if (inertia.inverse[i] > 0) mass = 1 / inertia.inverse[i];
      placed += mass * to[b].position(k).squaredNorm();
      for (int i = 0; i < 6; ++i) {
        const double x = moved[b](k, i) - before[b](k, i);
        corrected += (i < 3 ? mass : inertia.rotary[i - 3]) * x * x;
        if (i >= 3) placed += inertia.rotary[i - 3];
      }
    }
  const double rounding = 0.5 * std::numeric_limits<double>::epsilon() * std::sqrt(placed) / tolerance;
  CHECK(size == Approx(std::sqrt(corrected) / rounding).epsilon(1e-6));
}

TEST_CASE("no node turns by more than half a radian in a correction of an implicit step", "[implicit]") {
  const auto made = test::double_pendulum();
  const auto& problem = made.first;
  const auto& from = made.second;
  const auto turned = [&](double by) {
    Solved solved(problem, from, LoadsAt::middle, 0.01);
    Numbers& moved = solved.equations.displacement();
    moved[1](0, 4) += by;
    const Numbers before = moved;
    (void)solved.correct(1e-12);
    double most = 0;
    for (std::size_t b = 0; b < 2; ++b)
      most = std::max(most, (moved[b] - before[b]).rightCols<3>().abs().maxCoeff());
    return most;
  };
  CHECK(turned(0.3) < 0.49);
  for (const double by : {0.8, 1.5, -3.0}) CHECK(turned(by) == Approx(0.5).epsilon(1e-12));
}

}  // namespace implicit_equations_test
