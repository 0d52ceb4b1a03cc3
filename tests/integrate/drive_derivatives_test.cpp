// Runs over numbers with derivatives: where a motion ends knows how that depends on a parameter.

#include <cmath>
#include <cstddef>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/rolling_ball.hpp>

#include "support/catch.hpp"

namespace drive_derivatives_test {

using namespace dalembert;
using D = Dual<double, 1>;

/// f has at p the derivative that differences of order 4 say.
template <class F>
void check(const F& f, double p, double digits = 1e-7) {
  const double h = 1e-3;
  const double slope = (8 * (f(p + h) - f(p - h)) - (f(p + 2 * h) - f(p - 2 * h))) / (12 * h);
  const D y = f(D::variable(p, 0));
  REQUIRE(std::abs(slope) > 1e-4);
  CHECK(std::abs(y.value() - f(p)) <= 0.1 * digits * std::abs(f(p)));
  CHECK(std::abs(y.derivative(0) - slope) <= digits * std::abs(slope));
}

/// Where a sleigh with its centre of mass at this distance from the blade goes in a second.
template <class S, class M>
S sleigh(const M& method, S offset, double tolerance) {
  const systems::ChaplyginSleigh<S> system{{.mass = S(1.5), .inertia = S(0.7), .offset = offset}};
  const LagrangeDAlembert problem{system};
  auto state = problem.state(SE2<S>::identity(), {S(0.3), S(0), S(1.2)});
  drive(method, problem, state, {.step = S(0.01), .until = S(1), .tolerance = S(tolerance)});
  return state.xi[0] + state.g.translation()[0];
}

// an exception is thrown from memory that is aligned as every number is, and no more
static_assert(alignof(IntegrationFailureWith<LagrangeDAlembert<systems::RollingBall<D>>::State>) <=
              alignof(std::max_align_t));

TEST_CASE("a driven run of a small system knows how it depends on a parameter", "[drive][scalars]") {
  for (const double offset : {0.4, 0.0, -0.2}) {
    CAPTURE(offset);
    check([](auto x) { return sleigh(RungeKutta4{}, x, 0); }, offset);
    check([](auto x) { return sleigh(DormandPrince54{}, x, 1e-9); }, offset, 1e-6);
  }
  const auto ball = [](auto x) {
    using S = decltype(x);
    const systems::RollingBall<S> system{{.radius = x}};
    const LagrangeDAlembert problem{system};
    using Group = typename systems::RollingBall<S>::Group;
    typename Group::Tangent xi;
    for (int i = 0; i < Group::dof; ++i) xi[i] = S(0.3 + 0.2 * i);
    auto state = problem.state(Group::identity(), xi);
    problem.project(state);
    drive(RungeKutta4{}, problem, state, {.step = S(0.02), .until = S(0.5)});
    return state.xi[0] + S(2) * state.xi[4];
  };
  check(ball, 1.1);
}

TEST_CASE("a driven run knows how it depends on when it ends", "[drive][scalars]") {
  const auto end = [](auto x) {
    using S = decltype(x);
    const LagrangeDAlembert problem{systems::ChaplyginSleigh<S>{{.offset = S(0.4)}}};
    auto state = problem.state(SE2<S>::identity(), {S(0.3), S(0), S(1.2)});
    drive(RungeKutta4{}, problem, state, {.step = S(0.03), .until = x});
    return state.xi[0];
  };
  check(end, 1.001, 1e-6);
}

TEST_CASE("events are refused where numbers carry derivatives", "[drive][scalars]") {
  const LagrangeDAlembert problem{systems::ChaplyginSleigh<D>{{.offset = D(0.4)}}};
  using P = std::decay_t<decltype(problem)>;
  const auto checked = [](bool watched) {
    DriveOptions<P> options{.step = D(0.03), .until = D(1)};
    if (watched)
      options.events.push_back({.name = "slow", .value = [](const auto&, const auto& x) { return x.xi[0]; }});
    options.check(D(0));
  };
  CHECK_NOTHROW(checked(false));
  CHECK_THROWS_WITH(checked(true), Catch::Contains("events") && Catch::Contains("derivatives"));
}

/// A clamped rod under gravity, from rest.
template <class S, class M>
S falling_rod(const M& method, S length, double step) {
  typename rod::ElasticRod<S>::Parameters p;
  p.elements = 6;
  p.length = length;
  p.inertia = {S(0.1), Vec<S, 3>(S(1e-3), S(1e-3), S(2e-3))};
  p.loads.gravity = Vec<S, 3>(S(0), S(1), S(-9));
  p.start = rod::Boundary<S>::clamped();
  Vec<S, 6> k;
  for (int i = 0; i < 6; ++i) k[i] = i < 3 ? S(500) : S(0.5);
  const rod::ElasticRod<S> rod(rod::LinearElastic<S>(k), p);
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  auto x = problem.state({rod.straight(Vec<S, 3>(S(0), S(0), S(0)), SO3<S>::identity())});
  drive(method, problem, x, {.step = S(step), .until = S(0.05)});
  return x[0].configuration(6, 1) + S(0.1) * x[0].velocity(4, 2);
}

TEST_CASE("a driven run of a rod knows how it depends on a length", "[drive][rod][scalars]") {
  check([](auto x) { return falling_rod(Verlet{}, x, 5e-4); }, 1.0);
  check([](auto x) { return falling_rod(ImplicitMidpoint{}, x, 5e-3); }, 1.0);
}

}  // namespace drive_derivatives_test
