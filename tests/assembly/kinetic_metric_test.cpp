#include <dalembert/assembly/kinetic_metric.hpp>

#include <cmath>
#include <stdexcept>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/string/grid.hpp>
#include <dalembert/string/grid_contact.hpp>

#include "support/catch.hpp"

namespace kinetic_metric_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Vec3 = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;

Rod rod_of(const rod::Boundary<double>& start) {
  const rod::CircularSection<double> section(
      {.radius = 0.01, .young = 1e6, .poisson = 0.3, .density = 1100.0});
  Rod::Parameters p;
  p.elements = 5;
  p.length = 0.6;
  p.start = start;
  return Rod(section, p);
}
auto problem_with(const rod::Boundary<double>& start) {
  const RigidBody<double> body{{.mass = 0.2, .inertia = {1e-3, 2e-3, 3e-3}}};
  return Assembly{bodies(std::vector{rod_of(start)}, std::vector{body})};
}
template <class P>
State<double> moving(const P& problem) {
  auto at = problem.state({problem.template bodies<0>()[0].straight(Vec3(0.1, 0.2, 0.3)),
                           problem.template bodies<1>()[0].at({1, -1, 0.5})});
  for (std::size_t i = 0; i < 2; ++i)
    for (Eigen::Index k = 0; k < at[i].nodes; ++k)
      for (int j = 0; j < 6; ++j) at[i].velocity(k, j) = std::sin(1.0 + 3.0 * static_cast<double>(k) + j);
  problem.template bodies<0>()[0].hold_end(at[0], rod::End::start, 0);
  return at;
}

TEST_CASE("the kinetic metric of velocities is twice the kinetic energy", "[assembly][lyapunov]") {
  for (const auto& start : {rod::Boundary<double>::free(), rod::Boundary<double>::clamped()}) {
    const auto problem = problem_with(start);
    const auto at = moving(problem);
    const auto metric = kinetic_metric(problem, at, 0.3);
    REQUIRE(metric.weights.size() == 12 * 7);
    double square = 0;
    Eigen::Index next = 12 * 7 / 2;
    for (std::size_t i = 0; i < 2; ++i)
      for (Eigen::Index k = 0; k < at[i].nodes; ++k)
        for (int j = 0; j < 6; ++j) square += metric.weights[next++] * std::pow(at[i].velocity(k, j), 2);
    CHECK(square == Approx(2 * problem.kinetic_energy(at)).epsilon(1e-13));
    // displacements weigh as much in the time scale, and what is held nothing
    CHECK((metric.weights.head(42) - metric.weights.tail(42) / 0.09).norm() < 1e-12 * metric.weights.norm());
    CHECK((metric.weights.array() == 0).count() == (start.any_held() ? 12 : 0));
  }
}

TEST_CASE("the size of the metric is that of a turn by a radian", "[assembly][lyapunov]") {
  const RigidBody<double> body{{.mass = 0.2, .inertia = {1e-3, 2e-3, 3e-3}}};
  const Assembly one{bodies(std::vector{body})};
  CHECK(kinetic_metric(one, one.state({body.at({5, 6, 7})}), 2.0).size ==
        Approx(std::sqrt(2e-3) / 2).epsilon(1e-9));
  // two bodies at a distance: 2 m r² about two axes, J about all
  const Assembly two{bodies(std::vector{body, body})};
  const double third = (4 * 0.2 * 9 + 2 * 6e-3) / 3;
  CHECK(kinetic_metric(two, two.state({body.at({2, 0, 0}), body.at({8, 0, 0})}), 1.0).size ==
        Approx(std::sqrt(third)).epsilon(1e-9));
}

TEST_CASE("a node that is held along axes has its whole mass in the size", "[assembly][lyapunov]") {
  const auto free = problem_with(rod::Boundary<double>::free());
  const auto held = problem_with(rod::Boundary<double>::degrees({true, false, false, false, false, false}));
  const auto at = moving(free);
  CHECK(kinetic_metric(held, at, 0.7).size == Approx(kinetic_metric(free, at, 0.7).size).epsilon(1e-13));
}

TEST_CASE("strings alone weigh displacements as long as the largest one", "[assembly][lyapunov]") {
  const strings::GridString<double> string(
      {.length = 2.0, .points = 128, .ends = strings::Ends::periodic, .density = 0.5});
  const Assembly problem{bodies(std::vector{string})};
  auto at = problem.state(std::vector{string.line({})});
  CHECK(kinetic_metric(problem, at, 0.5).size == Approx(1 / 0.5).epsilon(1e-13));  // a mass of 1 kg by 1 m
  at.lines[0].displacement[3] = -0.3;
  CHECK(kinetic_metric(problem, at, 0.5).size == Approx(0.3 / 0.5).epsilon(1e-13));
  CHECK(kinetic_metric(problem, at, 0.5).weights.minCoeff() > 0);
  // internal coordinates weigh as much as all bodies
  const strings::GridContact<double> contact{{0, string, 0.2}, {1, string, 0.2}, 1, 0.5, 0.5};
  const Assembly pair{bodies(std::vector{string, string}), constraints(std::vector{contact})};
  const auto both = pair.state(std::vector{string.line({}), string.line({})}, Vec<double, 2>(1, 1));
  const auto weights = kinetic_metric(pair, both, 0.5).weights;
  CHECK((weights.tail(2) - Vec<double, 2>(8, 8)).norm() < 1e-13);
}

TEST_CASE("a time scale that is none is refused", "[assembly][lyapunov]") {
  const auto problem = problem_with(rod::Boundary<double>::free());
  const auto at = moving(problem);
  CHECK_THROWS_WITH(kinetic_metric(problem, at, 0.0), ContainsSubstring("kinetic_metric: tau = 0, but"));
  auto other = at;
  other.chains.pop_back();
  CHECK_THROWS_AS(kinetic_metric(problem, other, 1.0), std::invalid_argument);
}

}  // namespace kinetic_metric_test
