// Rows that follow from others, or contradict them, in implicit steps.

#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace implicit_redundant_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Body = RigidBody<double>;
using Joint = SphericalJoint<double>;
using Marker = FrameMarker<double>;
using V = Vec<double, 3>;

Body heavy(double mass) {
  return Body({.mass = mass, .inertia = {0.2 * mass, 0.3 * mass, 0.4 * mass}, .gravity = {0, 0, -9.81}});
}

/// Multipliers after steps of a body on all these joints.
template <class Method>
std::pair<Vec<double, Eigen::Dynamic>, double> turned(const Method& method,
                                                      const std::vector<Joint>& joints) {
  const Assembly problem{assembly::bodies(std::vector{heavy(2)}), assembly::constraints(joints)};
  auto start = heavy(2).at({0, 0, 0});
  start.set_velocity(0, V(0, 0, 0), V(0.7, -0.2, 0.4));
  auto x = problem.state({start});
  problem.project(x);
  auto stepper = method.stepper(problem, x);
  for (int i = 0; i < 20; ++i) (void)stepper.step(problem, x, 0.01);
  return {stepper.multipliers(), x[0].position(0).norm()};
}

TEST_CASE("joints that are there more than once share what one would bear", "[implicit][singular]") {
  const Joint joint{{0, 0, {0.3, 0.1, 0.5}}, Marker::in_space({0.3, 0.1, 0.5})};
  const auto check = [&](const auto& method) {
    const auto [one, place] = turned(method, {joint});
    for (const int times : {2, 3}) {
      const auto [all, same] = turned(method, std::vector<Joint>(static_cast<std::size_t>(times), joint));
      CHECK(same == Approx(place).epsilon(1e-9));
      REQUIRE(all.size() == 3 * times);
      for (int i = 0; i < times; ++i) CHECK((times * all.segment(3 * i, 3) - one).norm() < 1e-8 * one.norm());
    }
  };
  check(ImplicitMidpoint{});
  check(DiscreteGradient{});
}

TEST_CASE("implicit steps do not allocate where joints are there more than once", "[implicit][singular]") {
  const auto check = [](const auto& method) {
    const Joint joint{{0, 0, {0.3, 0.1, 0.5}}, Marker::in_space({0.3, 0.1, 0.5})};
    const Assembly problem{assembly::bodies(std::vector{heavy(2)}),
                           assembly::constraints(std::vector<Joint>(3, joint))};
    auto x = problem.state({heavy(2).at({0, 0, 0})});
    x[0].set_velocity(0, V(0, 0, 0), V(0.7, -0.2, 0.4));
    problem.project(x);
    auto stepper = method.stepper(problem, x);
    const auto go = [&] {
      for (int i = 0; i < 20; ++i) (void)stepper.step(problem, x, 0.01);
    };
    go();
    CHECK(test::allocations_during(go) == 0);
  };
  check(ImplicitMidpoint{});
  check(DiscreteGradient{});
  check(GeneralizedAlpha{});
}

/// A way that begins at rest at a place.
struct Way {
  V from, half_acceleration;
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    Vec<T, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = from[i] + half_acceleration[i] * t * t;
    return x;
  }
};

TEST_CASE("rows that come to contradict each other in implicit steps are named", "[implicit][singular]") {
  using Lead = PrescribedMotion<double, Way>;
  const V point(0.3, 0.1, 0.5);
  const auto step = [&](const auto& method, const V& acceleration, int steps) {
    const Assembly problem{assembly::bodies(std::vector{heavy(2)}),
                           assembly::constraints(std::vector{Joint{{0, 0, point}, Marker::in_space(point)}},
                                                 std::vector{Lead{{0, 0, point}, {point, acceleration}}})};
    auto x = problem.state({heavy(2).at({0, 0, 0})});
    auto stepper = method.stepper(problem, x);
    for (int i = 0; i < steps; ++i) (void)stepper.step(problem, x, 0.01);
    return (x[0].rotation(0).matrix() * point + x[0].position(0) - point).norm();
  };
  const auto check = [&](const auto& method) {
    CHECK(step(method, V::Zero(), 30) < 1e-12);
    CHECK_THROWS_AS(step(method, V(0, 0, 1e-3), 30), IncompatibleConstraints);
    CHECK_THROWS_WITH(step(method, V(0, 0, 1e-3), 30), ContainsSubstring("row z [m] of"));
  };
  check(ImplicitMidpoint{});
  check(DiscreteGradient{});
  check(GeneralizedAlpha{});
}

/// The middle of a body has this speed along x.
struct Driven {
  using Scalar = double;
  static constexpr std::string_view name = "Driven";
  Marker middle{0};
  double acceleration = 0;

  auto markers() const { return std::tuple{middle}; }
  template <class T>
  Vec<T, 1> velocity_constraint(const FrameState<T>& a, const T& t) const {
    return Vec<T, 1>(a.velocity[0] - acceleration * t);
  }
};

TEST_CASE("velocities that contradict each other in implicit steps are named", "[implicit][singular]") {
  const auto step = [&](const auto& method, double one, double other) {
    const Assembly problem{assembly::bodies(std::vector{heavy(2)}),
                           assembly::constraints(std::vector{Driven{{0}, one}, Driven{{0}, other}})};
    auto x = problem.state({heavy(2).at({0, 0, 0})});
    auto stepper = method.stepper(problem, x);
    for (int i = 0; i < 10; ++i) (void)stepper.step(problem, x, 0.01);
    return x[0].linear_velocity(0)[0];
  };
  const auto check = [&](const auto& method) {
    CHECK(step(method, 2, 2) == Approx(0.2));
    CHECK_THROWS_AS(step(method, 2, 2.1), IncompatibleConstraints);
    CHECK_THROWS_WITH(step(method, 2, 2.1), ContainsSubstring("of Driven"));
  };
  check(ImplicitMidpoint{});
  check(DiscreteGradient{});
}

}  // namespace implicit_redundant_test
