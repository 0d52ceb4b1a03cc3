// Systems whose parameters carry derivatives: where their motions and closed forms go, against differences of plain runs.

#include <cmath>

#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/higher_order.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/clothoid.hpp>
#include <dalembert/systems/greidanus_tire.hpp>
#include <dalembert/systems/knife_edge.hpp>
#include <dalembert/systems/pendulum.hpp>
#include <dalembert/systems/viscoelastic_ball.hpp>

#include "support/catch.hpp"

namespace derivatives_test {

using namespace dalembert;
using namespace dalembert::systems;
using D = Dual<double, 1>;

/// f has at 0 the derivative that differences of order 4 say, one-sided where f takes no negative numbers.
template <class F>
void check(const F& f, bool one_sided = false) {
  const double h = 1e-3;
  const auto at = [&](int steps) { return double(f(steps * h)); };
  const double slope = one_sided ? (-25 * at(0) + 48 * at(1) - 36 * at(2) + 16 * at(3) - 3 * at(4)) / (12 * h)
                                 : (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
  const D y = f(D::variable(0.0, 0));
  REQUIRE(std::abs(slope) > 1e-4);
  CHECK(std::abs(y.value() - at(0)) <= 1e-12 * std::abs(at(0)));
  CHECK(std::abs(y.derivative(0) - slope) <= 1e-7 * std::abs(slope));
}

/// Numbers of the motion of a system from a state that is nothing special.
template <class System>
auto moved(const System& system) {
  using S = ScalarOf<System>;
  const LagrangeDAlembert problem{system};
  typename std::decay_t<decltype(problem)>::State x;
  typename System::Group::Tangent at;
  for (int i = 0; i < at.size(); ++i) at[i] = S(0.11 * (i + 1) * (i % 2 == 1 ? 1 : -1));
  for (int i = 0; i < x.xi.size(); ++i) x.xi[i] = S(0.4 - 0.1 * i);
  for (int i = 0; i < x.z.size(); ++i) x.z[i] = S(0.1 + 0.05 * i);
  x.g = System::Group::exp(at);
  problem.solve_algebraic(x);
  REQUIRE(problem.project(x).converged);
  auto stepper = RungeKutta4{}.stepper(problem, x);
  for (int i = 0; i < 20; ++i) REQUIRE(stepper.step(problem, x, S(0.01)).converged);
  S sum = problem.energy(x);
  for (int i = 0; i < x.xi.size(); ++i) sum += S(i + 1) * x.xi[i];
  for (int i = 0; i < x.z.size(); ++i) sum += S(i + 1) * x.z[i];
  return sum;
}

TEST_CASE("motions under rows of every order know how they depend on a parameter", "[systems][scalars]") {
  check([]<class S>(S x) { return moved(Pendulum<S>{{.length = S(1) + x}}); });
  check([]<class S>(S x) { return moved(KnifeEdge<S>{{.slope = S(0.3), .offset = x}}); });  // no offset
  check([]<class S>(S x) { return moved(GreidanusTire<S>{{.yaw = S(1) + x}}); });
  check([]<class S>(S x) { return moved(Clothoid<S>{{.mass = S(1) + x}}); });
}

TEST_CASE("the way of a ball without friction knows what friction would do", "[systems][scalars]") {
  check(
      []<class S>(S x) {
        using Ball = ViscoelasticBall<S>;
        const Ball ball{{.friction = x}};
        typename Ball::Motion start{};
        start.velocity = Vec<S, 2>(S(2), S(1));
        const auto end = ball.exact(start, S(3));
        return end.position[0] + S(2) * end.velocity[1];
      },
      true);
}

}  // namespace derivatives_test
