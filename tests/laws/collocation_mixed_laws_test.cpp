// Collocation where not every coordinate has inertia, where rows depend on time, and where stiff forces and constraints meet.

#include <algorithm>
#include <cmath>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/greidanus_tire.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace collocation_mixed_laws_test {

using namespace dalembert;

template <class M, class P>
typename P::State after(const M& method, const P& problem, typename P::State state, int steps) {
  auto stepper = method.stepper(problem, state);
  for (int i = 0; i < steps; ++i) {
    REQUIRE(stepper.step(problem, state, 1.0 / steps).converged);
    REQUIRE(problem.constraint(state).velocity < 1e-14);
  }
  return state;
}

/// The order of Gauss<2> between 10 and 20 steps.
template <class P>
void check_order(const P& problem, const typename P::State& start) {
  const auto exact = after(Gauss<4>{}, problem, start, 20);
  const auto error = [&](int steps) {
    return problem.difference(after(Gauss<2>{}, problem, start, steps), exact).norm();
  };
  CHECK(std::log2(error(10) / error(20)) == Approx(4).margin(0.15));
}

TEST_CASE("rows that give rates of internal coordinates are not held, and others beside them are",
          "[laws][order][collocation]") {
  const LagrangeDAlembert problem{test::MaxwellOnSkate<>{}};
  check_order(problem, problem.state(SE2d(0, 0, 0.3), {1, 0, 0.7}, Vec<double, 1>(0.4)));
}

TEST_CASE("rows hold where a velocity has no inertia", "[laws][order][collocation]") {
  const LagrangeDAlembert problem{systems::GreidanusTire<>{{}}};
  check_order(problem, problem.state({SE2d(0.3, -0.7, 1.9), Rn<double, 2>(Vec<double, 2>(0, 0.1))},
                                     problem.system().rolling(2, 0.3, 0.1, 0.1, 0.2), Vec<double, 1>(0.2)));
}

TEST_CASE("rows that depend on time hold at their own times", "[laws][order][collocation]") {
  const LagrangeDAlembert problem{test::BeadOnTurningLine<>{}};
  check_order(problem, problem.state(Rn<double, 2>(Vec<double, 2>(1, 0)), {0.5, 1.1}));
}

/// A particle under ż = yẋ whose y is held near sin t by a stiff spring with a damper, so that y = sin t and ẋ√(1 + y²) is constant.
struct StiffParticle {
  using Group = Rn<double, 3>;
  double stiffness = 1e8, damping = 1e3;
  template <class T>
  T lagrangian(const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
  }
  template <class T>
  T velocity_constraint(const Rn<T, 3>& q, const Vec<T, 3>& v) const {
    return v[2] - q.coordinates()[1] * v[0];
  }
  template <class T>
  Vec<T, 3> force(const Rn<T, 3>& q, const Vec<T, 3>& v, const T& t) const {
    using std::cos, std::sin;
    const T swing = sin(t), speed = cos(t);
    const T pull = stiffness * (q.coordinates()[1] - swing) + damping * (v[1] - speed);
    return {0, -pull - swing, 0};
  }
};

TEST_CASE("constraints hold in steps by Newton's method", "[laws][collocation]") {
  const LagrangeDAlembert problem{StiffParticle{}};
  auto state = problem.state(Rn<double, 3>(Vec<double, 3>(0, 0, 0)), {0.8, 1, 0});
  auto stepper = Radau<3>{}.stepper(problem, state);
  for (int i = 0; i < 40; ++i) {
    const auto report = stepper.step(problem, state, 0.1);
    REQUIRE(report.converged);
    REQUIRE(report.iterations < 25);
    REQUIRE(problem.constraint(state).velocity < 5e-15);
  }
  const double y = std::sin(state.time);
  CHECK(std::abs(state.g.coordinates()[1] - y) < 1e-8);
  CHECK(std::abs(state.xi[0] * std::sqrt(1 + y * y) - 0.8) < 1e-7);
}

/// Remembers how much φ(g, z) = 0 was violated where rates were asked for.
struct Watched : LagrangeDAlembert<test::Cubic<>> {
  double* worst;
  explicit Watched(double& seen) : LagrangeDAlembert<test::Cubic<>>(test::Cubic<>{}), worst(&seen) {}
  void rates(const State& at, Rates& out) const {
    *worst = std::max(*worst, constraint(at).position);
    LagrangeDAlembert<test::Cubic<>>::rates(at, out);
  }
};

TEST_CASE("internal coordinates that a row gives obey it at every stage", "[laws][collocation]") {
  double worst = 0;
  const Watched problem{worst};
  auto state = problem.state(Rn<double, 1>(Vec<double, 1>(1.5)), Vec<double, 1>(0.7), Vec<double, 1>(0.8));
  auto stepper = Gauss<2>{}.stepper(problem, state);
  for (int i = 0; i < 20; ++i) REQUIRE(stepper.step(problem, state, 0.2).converged);
  CHECK(worst < 1e-13);
}

/// A mass on a spring of stretch z, which its place and the time give: z³ + z = x + sin t.
struct MovedCubic {
  using Group = Rn<double, 1>;
  static constexpr int internal = 1;
  double stiffness = 1;
  template <class T>
  T lagrangian(const Vec<T, 1>& v, const Vec<T, 1>& z) const {
    return (v[0] * v[0] - stiffness * z[0] * z[0]) / 2;
  }
  template <class T>
  T position_constraint(const Rn<T, 1>& q, const Vec<T, 1>& z, const T& t) const {
    using std::sin;
    return z[0] * z[0] * z[0] + z[0] - q.coordinates()[0] - sin(t);
  }
};

TEST_CASE("internal coordinates obey their row at the end of a step whose rounding is carried over",
          "[laws][collocation]") {
  const LagrangeDAlembert problem{MovedCubic{}};
  auto state = problem.state(Rn<double, 1>(Vec<double, 1>(1.5)), Vec<double, 1>(0.7), Vec<double, 1>(0.8));
  auto stepper = Gauss<2>{{.constrain = false, .compensated = true}}.stepper(problem, state);
  for (int i = 0; i < 20; ++i) {
    REQUIRE(stepper.step(problem, state, 0.2).converged);
    REQUIRE(problem.constraint(state).position < 1e-14);
  }
}

TEST_CASE("steps by Newton's method converge where a stiff force follows from a row", "[laws][collocation]") {
  const LagrangeDAlembert problem{MovedCubic{.stiffness = 1e4}};
  auto state = problem.state(Rn<double, 1>(Vec<double, 1>(0.3)), Vec<double, 1>(-1), Vec<double, 1>(0.3));
  auto stepper = Radau<3>{}.stepper(problem, state);
  for (int i = 0; i < 10; ++i) CHECK(stepper.step(problem, state, 0.05).converged);
  CHECK(std::abs(state.g.coordinates()[0] + std::sin(state.time)) < 0.02);
}

/// Says of every projection that it failed.
struct Unprojectable : LagrangeDAlembert<test::SphericalPendulum<>> {
  using LagrangeDAlembert<test::SphericalPendulum<>>::LagrangeDAlembert;
  Projection<double> project(State& state) const {
    auto done = LagrangeDAlembert<test::SphericalPendulum<>>::project(state);
    done.converged = false;
    return done;
  }
};

TEST_CASE("a step whose projection fails has not converged", "[laws][collocation]") {
  const Unprojectable problem{test::SphericalPendulum<>{}};
  auto state = problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {0, 1, 0.5});
  auto stepper = Gauss<2>{}.stepper(problem, state);
  CHECK_FALSE(stepper.step(problem, state, 0.1).converged);
}

}  // namespace collocation_mixed_laws_test
