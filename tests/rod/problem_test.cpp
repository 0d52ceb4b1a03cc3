#include <dalembert/rod/problem.hpp>

#include <cmath>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace problem_test {

using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;

/// An end that swings and turns about e₃.
rod::EndMotion<double> swing(double t) {
  const double rate = 20, angle = 0.3 * std::sin(rate * t), speed = 0.3 * rate * std::cos(rate * t);
  const double jerk = -rate * rate * angle;
  return {.position = V(angle, 0, 0.5 * angle),
          .quaternion = Vec<double, 4>(std::cos(angle / 2), 0, 0, std::sin(angle / 2)),
          .velocity = V(speed, 0, 0.5 * speed),
          .angular_velocity = V(0, 0, speed),
          .acceleration = V(jerk, 0, 0.5 * jerk),
          .angular_acceleration = V(0, 0, jerk)};
}

TEST_CASE("RK4 leaves a prescribed end exactly where its motion has it", "[rod]") {
  for (const rod::End end : {rod::End::start, rod::End::finish}) {
    const bool first = end == rod::End::start;
    CAPTURE(first);
    Rod::Parameters p;
    (first ? p.start : p.finish) = rod::Boundary<double>::prescribed(swing);
    const auto model = test::soft_rod<Rod>(0.02, 8, p);
    const rod::RodProblem<Rod> problem({model});
    auto x = problem.state({model.straight(V(0, 0, first ? 0 : -1), SO3<double>::identity())});
    auto stepper = RungeKutta4{}.stepper(problem, x);
    for (int i = 0; i < 40; ++i) (void)stepper.step(problem, x, 5e-4);
    const auto at = swing(x.time);
    const Eigen::Index k = first ? 0 : 8;
    CHECK(x.time == Approx(0.02));
    CHECK(x.chains[0].position(k) == at.position);
    CHECK((rod::at3<4>(x.chains[0].configuration, k) - at.quaternion.tail<3>()).norm() < 1e-15);
    CHECK(x.chains[0].linear_velocity(k) == at.velocity);
    CHECK(x.chains[0].angular_velocity(k) == at.angular_velocity);
    CHECK((x.chains[0].position(4) - V(0, 0, first ? 0.5 : -0.5)).norm() > 1e-4);
  }
}

/// Holds the middle of the rod on the plane z = 0.
struct Plane : rod::Uncoupled<double> {
  static Projection<double> moved(double by) {
    Projection<double> p;
    p.moved = by;
    return p;
  }
  Projection<double> project_position(const std::vector<Rod>& rods, std::vector<rod::Chain<double>>& chains,
                                      Internal&, double, double) const {
    double& z = chains[0].configuration(4, 2);
    const double by = std::sqrt(rods[0].node_mass()) * std::abs(z);
    z = 0;
    return moved(by);
  }
  Projection<double> project_velocity(const std::vector<Rod>& rods, std::vector<rod::Chain<double>>& chains,
                                      Internal&) const {
    double& speed = chains[0].velocity(4, 2);
    const double by = std::sqrt(rods[0].node_mass()) * std::abs(speed);
    speed = 0;
    return moved(by);
  }
};

TEST_CASE("a projection tells the larger of what it moved positions and velocities", "[rod]") {
  const auto model = test::soft_rod<Rod>(0.02, 8);
  const rod::RodProblem<Rod, Plane> problem({model});
  const double root = std::sqrt(model.node_mass());
  for (const auto& [z, speed] : {std::pair{0.01, 0.0}, {0.0, 0.02}, {-0.01, 0.02}, {0.02, -0.01}}) {
    CAPTURE(z, speed);
    auto chain = model.straight(V(0, 0, -0.5), SO3<double>::identity());
    rod::put3<0>(chain.configuration, 4, V(0, 0, z));
    chain.set_velocity(4, V(0, 0, speed), V::Zero());
    auto x = problem.state({chain});
    CHECK(problem.project(x).moved == Approx(root * std::max(std::abs(z), std::abs(speed))).epsilon(1e-14));
    CHECK(x.chains[0].position(4) == V::Zero());
    CHECK(x.chains[0].linear_velocity(4) == V::Zero());
  }
}

}  // namespace problem_test
