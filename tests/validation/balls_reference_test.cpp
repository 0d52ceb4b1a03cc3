// The balls against reference trajectories computed in quadruple precision.

#include <cmath>
#include <string>
#include <vector>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/ball_on_moving_plane.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rubber_ball.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace balls_reference_test {

using namespace dalembert;
using Numbers = std::vector<double>;

test::Json balls(const std::string& name) { return test::data("balls.json")[name]["sets"]; }

Mat<double, 3> attitude(const Numbers& row, std::size_t first) {
  Mat<double, 3> m;
  for (std::size_t i = 0; i < 9; ++i)
    m(static_cast<Eigen::Index>(i / 3), static_cast<Eigen::Index>(i % 3)) = row[first + i];
  return m;
}

/// How the numbers of a row stand: contact point, angular velocity, attitude.
struct Columns {
  std::size_t a, w, attitude;
};
constexpr Columns in_space{.a = 0, .w = 2, .attitude = 5}, in_body{.a = 12, .w = 0, .attitude = 3};

/// Runs through the times of a set from the velocity `xi`, and compares contact point, angular velocity, attitude and energy.
template <class System>
void follow(const System& system, const test::Json& set, const Columns& columns, const Vec<double, 5>& xi) {
  const auto times = set["times"].get<Numbers>();
  const auto states = set["states"].get<std::vector<Numbers>>();
  const auto energies = set["diagnostics"]["energy"].get<Numbers>();
  REQUIRE(times.size() > 3);
  using Group = typename System::Group;
  const LagrangeDAlembert problem{system};
  const Numbers& start = states[0];
  auto state = problem.state(Group(SO3d::from_matrix(attitude(start, columns.attitude)),
                                   Rn<double, 2>(Vec<double, 2>(start[columns.a], start[columns.a + 1]))),
                             xi);
  CHECK(problem.constraint(state).velocity < 1e-15);
  for (std::size_t i = 0; i < times.size(); ++i) {
    drive(DormandPrince54{}, problem, state, {.step = 0.005, .until = times[i]});
    CAPTURE(set["label"].get<std::string>(), times[i]);
    const Vec<double, 2>& a = state.g.second().coordinates();
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(std::abs(a[static_cast<Eigen::Index>(k)] - states[i][columns.a + k]) < 1e-10);
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(std::abs(state.xi[static_cast<Eigen::Index>(k)] - states[i][columns.w + k]) < 1e-10);
    CHECK((state.g.first().matrix() - attitude(states[i], columns.attitude)).cwiseAbs().maxCoeff() < 1e-10);
    CHECK(std::abs(problem.energy(state) - energies[i]) < 1e-11);
    CHECK(problem.constraint(state).velocity < 1e-10);
  }
}

template <class System>
System homogeneous(const test::Json& set) {
  const auto& p = set["params"];
  return System{{.mass = p["M"], .radius = p["R"], .inertia = p["I"]}};
}

Vec<double, 3> angular_velocity(const test::Json& set, std::size_t first) {
  return test::vector3(set["y0"], first);
}

/// The same numbers with the angular velocity in the body.
test::Json with_body_velocity(test::Json set) {
  for (auto& row : set["states"]) {
    const auto numbers = row.get<Numbers>();
    const Vec<double, 3> w = attitude(numbers, 5).transpose() * test::vector3(row, 2);
    for (std::size_t k = 0; k < 3; ++k) row[2 + k] = w[static_cast<Eigen::Index>(k)];
  }
  set["y0"] = set["states"][0];
  return set;
}

template <class System>
System uneven(const test::Json& set) {
  const auto& p = set["params"];
  const double i11 = p["I11"], i12 = p["I12"], i13 = p["I13"], i22 = p["I22"], i23 = p["I23"], i33 = p["I33"];
  Mat<double, 3> inertia;
  inertia << i11, i12, i13, i12, i22, i23, i13, i23, i33;
  return System{{.mass = p["M"], .radius = p["R"], .inertia = inertia}};
}

TEST_CASE("the rigid ball follows its reference trajectory to 1e-10", "[validation][ball]") {
  for (const auto& given : balls("ball_rigid")) {
    const auto set = with_body_velocity(given);
    const auto& p = set["params"];
    const double inertia = p["I"];
    const systems::RollingBall ball{
        {.mass = p["M"], .radius = p["R"], .inertia = inertia * Mat<double, 3>::Identity()}};
    const auto g = Product(SO3d::from_matrix(attitude(set["y0"].get<Numbers>(), 5)), Rn<double, 2>());
    follow(ball, set, in_space, ball.rolling(g, angular_velocity(set, 2)));
  }
}

TEST_CASE("the elastic ball follows its reference trajectory to 1e-10, by both constraints",
          "[validation][ball]") {
  for (const auto& set : balls("ball_elastic")) {
    const auto by_spin = homogeneous<systems::ElasticBall<>>(set);
    follow(by_spin, set, in_space, by_spin.rolling(angular_velocity(set, 2)));
    const auto by_curvature = homogeneous<systems::CurvatureElasticBall<>>(set);
    follow(by_curvature, set, in_space, by_curvature.rolling(angular_velocity(set, 2)));
  }
}

TEST_CASE("the ball on a turntable follows its reference trajectory to 1e-10", "[validation][ball]") {
  for (const auto& set : balls("ball_moving_plane")) {
    const auto& p = set["params"];
    const systems::BallOnMovingPlane ball{{.mass = p["M"], .radius = p["R"], .inertia = p["I"]},
                                          systems::Turntable<>{.rate = p["W0"]}};
    const auto start = set["y0"].get<Numbers>();
    const Vec<double, 2> a(start[0], start[1]), velocity = test::vector3(set["rhs_at_t0"]).head<2>();
    const Vec<double, 5> xi = ball.rolling(a, velocity, start[4]);
    CHECK((xi.head<3>() - angular_velocity(set, 2)).norm() < 1e-15);
    follow(ball, set, in_space, xi);
    const auto times = set["times"].get<Numbers>();
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto exact = ball.exact({.position = a, .velocity = velocity}, times[i]);
      CHECK(std::abs(exact.position[0] - set["states"][i][0].get<double>()) < 1e-15);
      CHECK(std::abs(exact.position[1] - set["states"][i][1].get<double>()) < 1e-15);
      const auto integral = ball.first_integral(exact.position, exact.velocity);
      CHECK(std::abs(integral[0] - set["diagnostics"]["first_integral_1"][i].get<double>() /
                                       (p["I"].get<double>() + p["M"].get<double>() * p["R"].get<double>() *
                                                                   p["R"].get<double>())) < 1e-14);
    }
  }
}

TEST_CASE("Chaplygin's ball follows its reference trajectory to 1e-10", "[validation][ball]") {
  for (const auto& set : balls("chaplygin_ball")) {
    const auto ball = uneven<systems::RollingBall<>>(set);
    const auto start = set["y0"].get<Numbers>();
    const auto g = Product(SO3d::from_matrix(attitude(start, 3)), Rn<double, 2>());
    const Vec<double, 5> xi = ball.rolling(g, angular_velocity(set, 0));
    follow(ball, set, in_body, xi);
    const Vec<double, 3> momentum = g.first().act(ball.contact_momentum(g, xi));
    const auto& known = set["diagnostics"];
    CHECK(std::abs(momentum[0] - known["K_space_1"][0].get<double>()) < 1e-14);
    CHECK(std::abs(momentum[1] - known["K_space_2"][0].get<double>()) < 1e-14);
    CHECK(std::abs(momentum[2] - known["K_space_3"][0].get<double>()) < 1e-14);
  }
}

TEST_CASE("the rubber ball follows its reference trajectory to 1e-10", "[validation][ball]") {
  for (const auto& set : balls("chaplygin_ball_rubber")) {
    const auto ball = uneven<systems::RubberBall<>>(set);
    const auto start = set["y0"].get<Numbers>();
    const auto g = Product(SO3d::from_matrix(attitude(start, 3)), Rn<double, 2>());
    const Vec<double, 5> xi = ball.rolling(g, angular_velocity(set, 0));
    CHECK((xi.head<3>() - angular_velocity(set, 0)).norm() < 1e-15);
    follow(ball, set, in_body, xi);
    const Vec<double, 3> momentum = g.first().act(ball.contact_momentum(xi));
    CHECK(std::abs(momentum[0] - set["diagnostics"]["K_space_1"][0].get<double>()) < 1e-14);
    CHECK(std::abs(momentum[1] - set["diagnostics"]["K_space_2"][0].get<double>()) < 1e-14);
  }
}

}  // namespace balls_reference_test
