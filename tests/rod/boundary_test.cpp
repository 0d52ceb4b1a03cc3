#include <dalembert/rod/boundary.hpp>

#include <cmath>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace boundary_test {
using V = Vec<double, 3>;
using Boundary = rod::Boundary<double>;
using Rod = rod::ElasticRod<double>;

int count(const Boundary& b) {
  int held = 0;
  for (int i = 0; i < 6; ++i) held += b.held(i) ? 1 : 0;
  return held;
}
TEST_CASE("boundary conditions hold what they say") {
  CHECK(count(Boundary::free()) == 0);
  CHECK_FALSE(Boundary::free().any_held());
  CHECK(count(Boundary::clamped()) == 6);
  CHECK(count(Boundary::pinned()) == 3);
  CHECK(Boundary::pinned().held(2));
  CHECK_FALSE(Boundary::pinned().held(3));
  const auto some = Boundary::degrees({false, true, false, false, false, true});
  CHECK(count(some) == 2);
  CHECK(some.held(5));
  CHECK_FALSE(some.moves());
  const auto moving =
      Boundary::prescribed([](double t) { return rod::EndMotion<double>{.position = V(t, 0, 0)}; });
  CHECK(moving.moves());
  CHECK(count(moving) == 6);
  CHECK(moving.motion(2.0).position[0] == 2);
  CHECK_THROWS_WITH(Boundary::prescribed({}), Catch::Matchers::ContainsSubstring("motion"));
}

TEST_CASE("a state has its held ends at rest and its prescribed ends in place") {
  Rod::Parameters p;
  p.start = Boundary::pinned();
  p.finish = Boundary::prescribed([](double t) {
    return rod::EndMotion<double>{
        .position = V(t, 1, 2), .velocity = V(1, 0, 0), .angular_velocity = V(0, 0, 3)};
  });
  const auto model = test::soft_rod<Rod>(0.01, 10, p);
  const assembly::Assembly problem{assembly::bodies(std::vector{model})};
  auto chain = model.straight(V::Zero(), SO3<double>::identity());
  for (Eigen::Index k = 0; k < 11; ++k) chain.set_velocity(k, V(1, 2, 3), V(4, 5, 6));
  const auto x = problem.state({chain}, {}, 0.5);
  CHECK(x[0].linear_velocity(0) == V::Zero());
  CHECK(x[0].angular_velocity(0) == V(4, 5, 6));
  CHECK(x[0].linear_velocity(5) == V(1, 2, 3));
  CHECK(x[0].position(10) == V(0.5, 1, 2));
  CHECK(x[0].linear_velocity(10) == V(1, 0, 0));
  CHECK(x[0].angular_velocity(10) == V(0, 0, 3));
}

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
    const assembly::Assembly problem{assembly::bodies(std::vector{model})};
    auto x = problem.state({model.straight(V(0, 0, first ? 0 : -1), SO3<double>::identity())});
    auto stepper = RungeKutta4{}.stepper(problem, x);
    for (int i = 0; i < 40; ++i) (void)stepper.step(problem, x, 5e-4);
    const auto at = swing(x.time);
    const Eigen::Index k = first ? 0 : 8;
    CHECK(x.time == Approx(0.02));
    CHECK(x[0].position(k) == at.position);
    CHECK((rod::at3<4>(x[0].configuration, k) - at.quaternion.tail<3>()).norm() < 1e-15);
    CHECK(x[0].linear_velocity(k) == at.velocity);
    CHECK(x[0].angular_velocity(k) == at.angular_velocity);
    CHECK((x[0].position(4) - V(0, 0, first ? 0.5 : -0.5)).norm() > 1e-4);
  }
}

}  // namespace boundary_test
