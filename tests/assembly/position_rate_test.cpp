// Velocity rows that come after the rates of position rows, beside the same constraint with all rows in one function.

#include <dalembert/assembly/detail/seeds.hpp>

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/across.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/modes/modes.hpp>

#include "support/catch.hpp"

namespace position_rate_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Vec3 = Vec<double, 3>;
using Body = RigidBody<double>;

/// A ball that rolls in a bowl whose centre moves.
struct Bowl {
  using Scalar = double;
  FrameMarker<double> centre;
  double ball = 0.1, bowl = 0.5;
  Vec3 speed{0.1, -0.2, 0.05};

  auto markers() const { return std::tuple{centre}; }
  template <class T>
  Vec<T, 3> from_centre(const FrameState<T>& x, const T& t) const {
    return x.position - t * speed.cast<T>();
  }
  template <class T>
  Vec<T, 3> slip(const FrameState<T>& x, const T& t) const {
    const Vec<T, 3> r = from_centre(x, t), arm = T(ball) * r / r.norm();
    return x.velocity - speed.cast<T>() + x.angular_velocity.cross(arm);
  }
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T& t) const {
    return Vec<T, 1>(from_centre(x, t).norm() - (bowl - ball));
  }
};
struct Stacked : Bowl {
  static constexpr std::string_view name = "Stacked";
  template <class T>
  Vec<T, 2> velocity_constraint(const FrameState<T>& x, const T& t) const {
    return contact::across(from_centre(x, t), slip(x, t));
  }
};
struct Whole : Bowl {
  static constexpr std::string_view name = "Whole";
  template <class T>
  Vec<T, 3> velocity_constraint(const FrameState<T>& x, const T& t) const {
    const Vec<T, 3> r = from_centre(x, t), n = r / r.norm(), u = slip(x, t);
    const Vec<T, 2> across = contact::across(r, u);
    return {across[0], n.dot(u), across[1]};
  }
  Eigen::Matrix<double, 1, 3> along(const FrameState<double>&) const { return {0, 1, 0}; }
};
/// Its velocity rows hold the rate of its position once more.
struct Repeated : Bowl {
  static constexpr std::string_view name = "Repeated";
  template <class T>
  Vec<T, 3> velocity_constraint(const FrameState<T>& x, const T& t) const {
    return slip(x, t);
  }
};
static_assert(ConstraintTraits<Stacked>::rows == 3 && ConstraintTraits<Stacked>::positions == 1);
static_assert(ConstraintTraits<Stacked>::Has::stacks && !ConstraintTraits<Whole>::Has::stacks);

template <class C>
struct Scene {
  Body ball{{.mass = 1, .inertia = {4e-3, 5e-3, 6e-3}, .gravity = {0, 0, -9.81}}};
  Assembly<Kinds<Body>, Kinds<C>> problem;
  assembly::State<double> state;

  explicit Scene(const Vec3& speed = {0.1, -0.2, 0.05}, double moving = 1)
      : problem(bodies(ball), constraints(C{{FrameMarker<double>{0}, 0.1, 0.5, speed}})) {
    auto chain = ball.at({0.24, 0, -0.32}, SO3<double>::exp({0.2, -0.3, 0.4}));
    if (moving == 0) chain = ball.at({0, 0, -0.4});
    chain.set_velocity(0, moving * Vec3(0, 1, 0), moving * Vec3(0, 0, 5));
    state = problem.state({chain});
    problem.project(state);
  }
};

/// An axis of a body that leans towards a direction as the time says, and a body that moves across another.
struct Leaning {
  static constexpr std::string_view name = "Leaning";
  using Scalar = double;
  FrameMarker<double> frame;
  Vec3 axis{0.3, -0.8, 0.5}, direction{-0.2, 0.6, 0.7};

  auto markers() const { return std::tuple{frame}; }
  template <class T>
  T position_constraint(const FrameState<T>& x, const T& t) const {
    return direction.cast<T>().dot(x.rotation.act(axis.cast<T>())) - 0.4 * t;
  }
  template <class T>
  T velocity_constraint(const FrameState<T>& x, const T&) const {
    return direction.cast<T>().dot(x.velocity);
  }
};

TEST_CASE("the rate of a row that says how a body is turned is that of the turning axis", "[assembly]") {
  const Leaning leaning{FrameMarker<double>{0}};
  const assembly::detail::Evaluator<Leaning> evaluator(leaning);
  const auto at = SO3<double>::exp({0.7, -1.1, 0.4});
  const Vec3 omega{1.3, 0.2, -0.9};
  const std::array<FrameState<double>, 1> x{{{{1, 2, 3}, {0, 0, 0}, at, {4, 5, 6}, omega}}};
  const double rate = leaning.direction.dot(omega.cross(at.act(leaning.axis))) - 0.4;
  CHECK(std::abs(assembly::detail::position_rate(evaluator, x, 0.3)[0] - rate) < 1e-15);
}

TEST_CASE("rows after the rates of positions have the forces of all rows in one", "[assembly]") {
  const Scene<Stacked> stacked;
  const Scene<Whole> whole;
  CHECK((stacked.state[0].velocity - whole.state[0].velocity).abs().maxCoeff() < 1e-14);
  auto one = stacked.problem.make_rates();
  auto other = whole.problem.make_rates();
  stacked.problem.rates(stacked.state, one);
  whole.problem.rates(stacked.state, other);
  CHECK(one.lambda.norm() > 1);
  CHECK(std::abs(one.lambda[0] - other.lambda[1]) < 1e-12);
  CHECK(std::abs(one.lambda[1] - other.lambda[0]) < 1e-12);
  CHECK(std::abs(one.lambda[2] - other.lambda[2]) < 1e-12);
  CHECK((one.xidot[0] - other.xidot[0]).abs().maxCoeff() < 1e-11);
}

template <class C, class Method>
void check_motion(const Method& method, double allowed) {
  Scene<C> stacked;
  Scene<Whole> whole;
  const DriveOptions<decltype(stacked.problem)> options{.step = 2e-3, .until = 0.5};
  drive(method, stacked.problem, stacked.state, options);
  drive(method, whole.problem, whole.state, {.step = 2e-3, .until = 0.5});
  const auto &x = stacked.state[0], &y = whole.state[0];
  CHECK((x.configuration - y.configuration).abs().maxCoeff() < allowed);
  CHECK((x.velocity - y.velocity).abs().maxCoeff() < 10 * allowed);
  CHECK(stacked.problem.constraint(stacked.state).velocity < 1e-8);
}

TEST_CASE("rows after the rates of positions move as all rows in one by every kind of step", "[assembly]") {
  check_motion<Stacked>(Verlet{}, 1e-11);
  check_motion<Stacked>(RungeKutta4{.project = true}, 1e-11);
  check_motion<Stacked>(ImplicitMidpoint{}, 1e-8);
  check_motion<Stacked>(GeneralizedAlpha{}, 1e-8);
}

TEST_CASE("a velocity row that repeats the rate of a position changes nothing", "[assembly]") {
  check_motion<Repeated>(Verlet{}, 1e-9);
  check_motion<Repeated>(RungeKutta4{.project = true}, 1e-9);
}

TEST_CASE("rows after the rates of positions have the small motions of all rows in one",
          "[assembly][modes]") {
  const Scene<Stacked> stacked(Vec3(0, 0, 0), 0);
  const Scene<Whole> whole(Vec3(0, 0, 0), 0);
  const auto one = modes(stacked.problem, stacked.state), other = modes(whole.problem, whole.state);
  REQUIRE(one.size() == other.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    CHECK(one[i].square == Approx(other[i].square).epsilon(1e-8).margin(1e-5));
}

}  // namespace position_rate_test
