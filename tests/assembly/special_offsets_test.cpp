// Derivatives of constraints at the values where work is left out: no offset, rows that hold already.

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/detail/position_projection.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"
#include "support/special_values.hpp"

namespace special_offsets_test {

using namespace dalembert;
using namespace dalembert::assembly;
using test::Change, test::check_derivative, test::vector, test::body;

TEST_CASE("a body held at its centre knows what it would do beside it", "[assembly][joints][scalars]") {
  const auto swung = [](auto x) {
    using S = decltype(x);
    const auto pinned = body(Change<S>{.gravity = S(-9)});
    const Assembly problem{bodies(std::vector{pinned}),
                           constraints(std::vector{SphericalJoint<S>{{}, {0, 0, vector<S>(x, S(0), S(0))}}})};
    auto chain = pinned.at(vector<S>(S(0), S(0), S(0)));
    for (int i = 0; i < 3; ++i) chain.velocity(0, 3 + i) = S(1 + i);
    auto state = problem.state({chain});
    problem.project(state);
    auto verlet = Verlet{}.stepper(problem, state);
    for (int i = 0; i < 10; ++i) REQUIRE(verlet.step(problem, state, S(1e-2)).converged);
    return state[0].velocity(0, 4) + S(2) * state[0].configuration(0, 1);
  };
  check_derivative(swung, 1e-3);
}

TEST_CASE("rows that hold already pass on the derivatives of what they hold", "[assembly][joints][scalars]") {
  const auto pulled = [](auto x) {
    using S = decltype(x);
    const auto ball = body(Change<S>{});
    const S half = S(0.5);
    const Assembly problem{
        bodies(std::vector{ball, ball}),
        constraints(std::vector{SphericalJoint<S>{{}, {0, 0, vector<S>(half, S(0), S(0))}},
                                SphericalJoint<S>{{0, 0, vector<S>(-half, S(0), S(0))},
                                                  {1, 0, vector<S>(half + x, S(0), S(0))}}})};
    auto state =
        problem.state({ball.at(vector<S>(-half, S(0), S(0))), ball.at(vector<S>(S(-1.5), S(0), S(0)))});
    problem.project(state);
    return state[1].configuration(0, 0);
  };
  check_derivative(pulled, 1e-3);
  const auto alone = [](auto x) {
    using S = decltype(x);
    const auto ball = body(Change<S>{});
    const Assembly problem{
        bodies(std::vector{ball}),
        constraints(std::vector{SphericalJoint<S>{FrameMarker<S>::in_space(vector<S>(S(0), x * x + x, S(0))),
                                                  {0, 0, vector<S>(S(0), S(0), S(1))}}})};
    auto state = problem.state({ball.at(vector<S>(S(0), S(0), S(-1)))});
    problem.project(state);
    return state[0].configuration(0, 1);
  };
  check_derivative(alone, 1e-3);
}

TEST_CASE("rows are closed when derivatives of all orders have arrived", "[assembly][scalars]") {
  using D = Dual<double, 1>;
  using E = Dual<D, 1>;
  // Newton's method for q² = 4 + x, begun where values hold already
  const E x = E::variable(D::variable(0.0, 0), 0);
  E q(2);
  assembly::detail::PositionConvergence<E> convergence;
  int steps = 0;
  for (; steps < 10; ++steps) {
    const E open = q * q - 4 - x, relative = number::abs(open) / 4;
    if (convergence.reached(relative, relative)) break;
    q -= open / (2 * q);
  }
  CHECK(steps == 2);
  CHECK(q.value().derivative(0) == 0.25);
  CHECK(q.derivative(0).derivative(0) == -1 / 32.0);
}

}  // namespace special_offsets_test
