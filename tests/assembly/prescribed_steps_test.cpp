#include <dalembert/assembly/joints.hpp>

#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace led_steps_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

/// A path that starts smoothly from rest, and then jumps by `jump`, or goes on along z at `kink` besides.
struct Path {
  double jump = 0, kink = 0, when = 0.505;
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    const T u = t * t * t, after = t - T(when);
    return {u, T(-2) * u, after > T(0) ? T(jump) + T(kink) * after : T(0)};
  }
};

/// A body that is driven by one of its corners.
struct Driven {
  RigidBody<double> body;
  Vec3 corner{0.3, 0.1, -0.2};
  Assembly<Kinds<RigidBody<double>>, Kinds<PrescribedMotion<double, Path>>> problem;
  assembly::State<double> state;

  explicit Driven(const Path& path)
      : body({.mass = 1.3, .inertia = {0.1, 0.12, 0.15}}),
        problem{bodies(std::vector{body}),
                constraints(std::vector{PrescribedMotion<double, Path>{{0, 0, corner}, path}})},
        state(problem.state({body.at(Vec3(-corner))})) {}
};

/// What drive ends in: the time of the PathJumps inside its error, and what both say.
struct Ending {
  double time = -1;
  std::string outer, inner;
};
template <class Method, class Problem, class Options>
Ending ending(const Method& method, const Problem& problem, typename Problem::State& x,
              const Options& options, std::vector<double>& seen) {
  try {
    drive(method, problem, x, options, [&](const Problem&, const auto& at) { seen.push_back(at.time); });
  } catch (const IntegrationFailureWith<typename Problem::State>& failure) {
    CHECK(failure.last().time == x.time);
    try {
      std::rethrow_if_nested(failure);
    } catch (const PathJumps& inside) {
      return {inside.time(), failure.what(), inside.what()};
    }
  }
  return {};
}

template <class Method>
void check_jump(const Method& method, double tolerance = 0) {
  for (const double jump : {0.01, -2.0}) {
    CAPTURE(jump);
    Driven driven({.jump = jump});
    const DriveOptions<decltype(driven.problem)> options{.step = 0.01, .until = 1.0, .tolerance = tolerance};
    std::vector<double> seen;
    const Ending end = ending(method, driven.problem, driven.state, options, seen);
    CHECK_THAT(end.inner, ContainsSubstring("PathJumps: the path of a prescribed marker moves by"));
    CHECK_THAT(end.outer, ContainsSubstring("PathJumps"));
    // the steps before it are kept
    CHECK(driven.state.time == end.time);
    CHECK(seen.back() == driven.state.time);
    CHECK(driven.state.time <= 0.505);
    CHECK(driven.state.time > (tolerance > 0 ? 0.504999 : 0.4999));
    CHECK(driven.problem.constraint(driven.state).position < 1e-8);
  }
}

TEST_CASE("a path that jumps ends the run of every method, with the steps before it kept",
          "[assembly][joints]") {
  check_jump(Verlet{});
  check_jump(RungeKutta4{});
  check_jump(RungeKutta4{.project = true});
  check_jump(Gauss<2>{});
  check_jump(DormandPrince54{}, 1e-7);
}

TEST_CASE("a jump that a corner of the velocity could make is followed only where states are put back",
          "[assembly][joints]") {
  // a velocity that varies by 0.03 m/s in the step might move the place by 1.5e-4 m, its acceleration by 3e-7 m
  const double jump = 2e-5;
  std::vector<double> seen;
  const auto run = [&](const auto& method) {
    Driven driven({.jump = jump});
    const DriveOptions<decltype(driven.problem)> options{.step = 0.01, .until = 1.0};
    return ending(method, driven.problem, driven.state, options, seen);
  };
  CHECK(run(Verlet{}).time == -1);
  CHECK(run(RungeKutta4{.project = true}).time == -1);
  for (const Ending& end : {run(RungeKutta4{}), run(Gauss<2>{{.constrain = false}})})
    CHECK_THAT(end.inner,
               ContainsSubstring("in a step of") && ContainsSubstring("which its velocity does not"));
}

template <class Stepper>
void check_refused(Stepper stepper) {
  Driven driven({.jump = 0.1});
  driven.state.time = 0.5;
  const auto before = driven.state;
  CHECK_THROWS_AS(stepper.step(driven.problem, driven.state, 0.01), PathJumps);
  CHECK(driven.state.time == before.time);
  CHECK((driven.state[0].configuration == before[0].configuration).all());
  CHECK((driven.state[0].velocity == before[0].velocity).all());
}

TEST_CASE("a single step over a jump throws and leaves its state alone", "[assembly][joints]") {
  const Driven driven({.jump = 0.1});
  check_refused(Verlet{}.stepper(driven.problem, driven.state));
  check_refused(RungeKutta4{}.stepper(driven.problem, driven.state));
  check_refused(Gauss<2>{}.stepper(driven.problem, driven.state));
}

/// Angular momentum of the body about the place that is driven.
Vec3 momentum_about_place(const Driven& driven, const assembly::State<double>& x) {
  const auto& chain = x[0];
  const SO3<double> turn = chain.rotation(0);
  const Vec3 w = chain.angular_velocity(0), v = chain.linear_velocity(0);
  const auto& j = driven.body.parameters().inertia;
  const Vec3 spin(j[0] * w[0], j[1] * w[1], j[2] * w[2]);
  return turn.act(spin) - turn.act(driven.corner).cross(driven.body.parameters().mass * v);
}

template <class Method>
void check_corner(const Method& method, double when) {
  Driven driven({.kink = 0.7, .when = when});
  drive(method, driven.problem, driven.state, {.step = 0.01, .until = 0.5});
  const auto before = driven.state;
  drive(method, driven.problem, driven.state, {.step = 0.01, .until = 0.51});
  // the place is where the path is, and as fast: the body was struck there, so that its momentum about it is what it was but for
  // what the forces of a smooth step change
  CHECK(driven.problem.constraint(driven.state).position < 1e-13);
  CHECK(driven.problem.constraint(driven.state).velocity < 1e-12);
  const auto& chain = driven.state[0];
  const Vec3 velocity =
      chain.linear_velocity(0) + chain.rotation(0).act(Vec3(chain.angular_velocity(0)).cross(driven.corner));
  CHECK(velocity[2] == Approx(0.7));
  CHECK((momentum_about_place(driven, driven.state) - momentum_about_place(driven, before)).norm() < 0.02);
  CHECK((Vec3(chain.linear_velocity(0)) - Vec3(before[0].linear_velocity(0))).norm() > 0.2);
  drive(method, driven.problem, driven.state, {.step = 0.01, .until = 1.0});
  CHECK(driven.problem.constraint(driven.state).position < 1e-13);
}

TEST_CASE("a path with a corner strikes the body where states are put back onto the constraints",
          "[assembly][joints]") {
  for (const double when : {0.5, 0.5005, 0.505, 0.5095}) {
    CAPTURE(when);
    check_corner(Verlet{}, when);
    check_corner(RungeKutta4{.project = true}, when);
    check_corner(Gauss<2>{}, when);
  }
}

TEST_CASE("a path with a corner ends a run that would leave it there", "[assembly][joints]") {
  Driven driven({.kink = 0.7});
  std::vector<double> seen;
  const DriveOptions<decltype(driven.problem)> options{.step = 0.01, .until = 1.0};
  const Ending end = ending(RungeKutta4{}, driven.problem, driven.state, options, seen);
  CHECK_THAT(end.inner, ContainsSubstring("moves by 0.7 m/s in its velocity"));
  CHECK(end.time == Approx(0.5));
  CHECK(driven.problem.constraint(driven.state).velocity < 1e-6);
}

/// A path that hardly moves, far away.
struct Still {
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    return {T(1000) + T(1e-6F) * t, T(1) / T(3) + T(1e-9F) * t * t, T(0)};
  }
};

TEST_CASE("a smooth path is followed forwards and backwards by every method", "[assembly][joints]") {
  const Driven driven({});
  const auto there_and_back = [&](auto stepper, double close) {
    auto x = driven.state;
    for (int i = 0; i < 100; ++i) CHECK_NOTHROW(stepper.step(driven.problem, x, 0.01));
    CHECK(driven.problem.constraint(x).position < 1e-5);
    for (int i = 0; i < 100; ++i) CHECK_NOTHROW(stepper.step(driven.problem, x, -0.01));
    CHECK((x[0].position(0) - driven.state[0].position(0)).norm() < close);
  };
  there_and_back(RungeKutta4{}.stepper(driven.problem, driven.state), 1e-6);
  there_and_back(Gauss<2>{}.stepper(driven.problem, driven.state), 1e-6);
  // rounding is no jump
  const PrescribedMotion<float, Still> place{{0}, {}};
  for (int i = 0; i < 100; ++i) {
    CHECK_NOTHROW(place.check_step(0.01F * static_cast<float>(i), 0.01F));
    CHECK_NOTHROW(place.check_smooth_step(0.01F * static_cast<float>(i), 0.01F));
  }
}

/// An end that turns about z as it goes along it, and leaps or turns suddenly at 0.0105 s.
rod::EndMotion<double> motion(double t, double jump, double turn) {
  const bool after = t > 0.0105;
  const double angle = 10 * t + (after ? turn : 0);
  return {.position = Vec3(0, 0, 5 * t * t + (after ? jump : 0)),
          .quaternion = Vec<double, 4>(std::cos(angle / 2), 0, 0, std::sin(angle / 2)),
          .velocity = Vec3(0, 0, 10 * t),
          .angular_velocity = Vec3(0, 0, 10),
          .acceleration = Vec3(0, 0, 10)};
}

template <class Method>
void check_driven_end(const Method& method, rod::End driven) {
  using Rod = rod::ElasticRod<double>;
  const auto run = [&](double jump, double turn) {
    Rod::Parameters p;
    (driven == rod::End::start ? p.start : p.finish) =
        rod::Boundary<double>::prescribed([=](double t) { return motion(t, jump, turn); });
    const auto model = test::soft_rod<Rod>(0.02, 4, p);
    const Assembly problem{bodies(std::vector{model})};
    const double z = driven == rod::End::start ? 0 : -1;
    auto x = problem.state({model.straight(Vec3(0, 0, z), SO3<double>::identity())});
    std::vector<double> seen;
    const DriveOptions<std::remove_const_t<decltype(problem)>> options{.step = 1e-3, .until = 0.02};
    const Ending end = ending(method, problem, x, options, seen);
    CHECK(seen.back() == x.time);
    return end;
  };
  CHECK(run(0, 0).time == -1);
  CHECK(run(4e-6, 0).time == -1);  // within what its velocity may do in such a step
  for (const Ending& end : {run(0.02, 0), run(0, 0.2)}) CHECK(end.time == Approx(0.01));
  CHECK_THAT(run(0.02, 0).inner,
             ContainsSubstring("of rod 0 is prescribed so that its position changes by 0.02"));
  CHECK_THAT(run(0, 0.2).inner, ContainsSubstring("so that its frame changes by"));
}

TEST_CASE("the end of a rod that is driven over a jump ends a run too", "[assembly][rod]") {
  check_driven_end(Verlet{}, rod::End::start);
  check_driven_end(RungeKutta4{}, rod::End::start);
  check_driven_end(Gauss<1>{}, rod::End::finish);
}

TEST_CASE("an end whose velocity is not that of its motion ends a run, whatever its steps",
          "[assembly][rod]") {
  using Rod = rod::ElasticRod<double>;
  Rod::Parameters p;
  p.start = rod::Boundary<double>::prescribed(
      [](double t) { return rod::EndMotion<double>{.position = Vec3(0, 0, 3 * t)}; });
  const auto model = test::soft_rod<Rod>(0.02, 4, p);
  const Assembly problem{bodies(std::vector{model})};
  const auto start = problem.state({model.straight(Vec3(0, 0, 0), SO3<double>::identity())});
  std::vector<double> seen;
  for (const double tolerance : {0.0, 1e-6}) {
    auto x = start;
    const DriveOptions<std::remove_const_t<decltype(problem)>> options{
        .step = 5e-4, .until = 0.02, .tolerance = tolerance};
    CHECK_THAT(ending(DormandPrince54{}, problem, x, options, seen).inner, ContainsSubstring("PathJumps"));
    CHECK(x.time < 1e-6);
  }
}

}  // namespace led_steps_test
