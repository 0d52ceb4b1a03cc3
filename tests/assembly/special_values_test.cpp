// Derivatives at the values where formulas change or work is left out: no damping, no gravity, equal moments of inertia, no offset.
// A number may be zero there, or equal another, and still move with a parameter.

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/rod/varying_rod.hpp>

#include "support/catch.hpp"

namespace special_values_test {

using namespace dalembert;
using namespace dalembert::assembly;
using D = Dual<double, 1>;

/// f of plain numbers has at 0 the derivative that f of dual numbers says, by differences of order 4; one-sided where f takes no negative numbers.
template <class F>
void check(const F& f, double h, bool one_sided = false, double digits = 1e-7) {
  const auto at = [&](int steps) { return double(f(steps * h)); };
  const double slope = one_sided ? (-25 * at(0) + 48 * at(1) - 36 * at(2) + 16 * at(3) - 3 * at(4)) / (12 * h)
                                 : (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
  const D y = f(D::variable(0.0, 0));
  REQUIRE(std::abs(slope) > 1e-6);
  CHECK(std::abs(y.value() - at(0)) <= 1e-12 * std::abs(at(0)));
  CHECK(std::abs(y.derivative(0) - slope) <= digits * std::abs(slope));
}

/// What the special values are: each is added to its own.
template <class S>
struct Change {
  S damping{0}, first{0}, second{0}, gravity{0}, offset{0};
};

template <class S>
Vec<S, 3> vector(S x, S y, S z) {
  return {x, y, z};
}

template <class S>
RigidBody<S> body(const Change<S>& c) {
  typename RigidBody<S>::Parameters p;
  p.mass = S(0.5);
  p.inertia = vector<S>(S(0.02) + c.first, S(0.02) + c.second, S(0.03));
  p.damping = c.damping;
  p.gravity = vector<S>(S(0), S(0), c.gravity);
  return RigidBody<S>(p);
}
template <class S>
typename rod::ElasticRod<S>::Parameters rod_parameters(const Change<S>& c) {
  typename rod::ElasticRod<S>::Parameters p;
  p.elements = 10;
  p.length = S(1);
  p.inertia = {S(0.1), vector<S>(S(1e-3) + c.first, S(1e-3) + c.second, S(2e-3))};
  p.damping.rate = c.damping;
  p.loads.gravity = vector<S>(S(0), S(0), c.gravity);
  return p;
}
template <class S>
rod::ElasticRod<S> uniform_rod(const Change<S>& c) {
  Vec<S, 6> k;
  for (int i = 0; i < 6; ++i) k[i] = i < 3 ? S(50) : S(0.1 + 0.02 * i);
  return rod::ElasticRod<S>(rod::LinearElastic<S>(k), rod_parameters(c));
}

/// A body, or the first node of a rod, as it spins, and its motion after some steps: numbers that every special value moves.
template <class Body>
auto spun(const Body& body, rod::Chain<typename Body::Scalar> chain) {
  using S = typename Body::Scalar;
  const Assembly problem{kinds(std::vector{body})};
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    for (int i = 0; i < 6; ++i) chain.velocity(k, i) = S(0.3 + 0.7 * i - 0.02 * static_cast<double>(k * i));
  auto x = problem.state({chain});
  auto verlet = Verlet{}.stepper(problem, x);
  for (int i = 0; i < 30; ++i) REQUIRE(verlet.step(problem, x, S(2e-3)).converged);
  S sum(0);
  for (int i = 0; i < 3; ++i)
    sum += S(1 + i) * (x.chains[0].configuration(0, 4 + i) + S(0.1) * x.chains[0].velocity(0, i));
  return sum;
}
template <class S>
S spun_body(const Change<S>& c) {
  const auto of = body(c);
  return spun(of, of.at(vector<S>(S(0), S(0), S(0))));
}
template <class S>
S spun_rod(const Change<S>& c) {
  const auto of = uniform_rod(c);
  return spun(of, of.straight(vector<S>(S(0), S(0), S(0)), SO3<S>::identity()));
}

/// f of a change whose `member` is the number.
template <class F>
auto with(const F& f, auto member) {
  return [f, member](auto x) {
    Change<decltype(x)> c;
    member(c) = x;
    return f(c);
  };
}
constexpr auto damping = [](auto& c) -> auto& { return c.damping; };
constexpr auto first = [](auto& c) -> auto& { return c.first; };
constexpr auto second = [](auto& c) -> auto& { return c.second; };
constexpr auto gravity = [](auto& c) -> auto& { return c.gravity; };

constexpr auto of_body = [](const auto& c) { return spun_body(c); };
constexpr auto of_rod = [](const auto& c) { return spun_rod(c); };

TEST_CASE("the motion of bodies and rods without damping knows what damping would do",
          "[assembly][scalars]") {
  check(with(of_body, damping), 1e-2, true);
  check(with(of_rod, damping), 1e-2, true);
}

TEST_CASE("the motion of symmetric tops knows what unequal moments of inertia would do",
          "[assembly][scalars]") {
  check(with(of_body, first), 2e-5);
  check(with(of_body, second), 2e-5);
  check(with(of_rod, first), 1e-6);
  check(with(of_rod, second), 1e-6);
}

TEST_CASE("energies without gravity know what gravity would do", "[assembly][scalars]") {
  const auto energy = [](auto x) {
    using S = decltype(x);
    Change<S> c;
    c.gravity = x;
    const auto rod = uniform_rod(c);
    return rod::potential_energy(rod, rod.straight(vector<S>(S(0), S(0), S(1)), SO3<S>::identity()));
  };
  check(energy, 0.1);
  check(with(of_body, gravity), 1e-2);
  check(with(of_rod, gravity), 1e-2);
}

TEST_CASE("a body held at its centre knows what it would do beside it", "[assembly][joints][scalars]") {
  const auto swung = [](auto x) {
    using S = decltype(x);
    const auto pinned = body(Change<S>{.gravity = S(-9)});
    const Assembly problem{kinds(std::vector{pinned}),
                           kinds(std::vector{SphericalJoint<S>{{}, {0, 0, vector<S>(x, S(0), S(0))}}})};
    auto chain = pinned.at(vector<S>(S(0), S(0), S(0)));
    for (int i = 0; i < 3; ++i) chain.velocity(0, 3 + i) = S(1 + i);
    auto state = problem.state({chain});
    problem.project(state);
    auto verlet = Verlet{}.stepper(problem, state);
    for (int i = 0; i < 10; ++i) REQUIRE(verlet.step(problem, state, S(1e-2)).converged);
    return state.chains[0].velocity(0, 4) + S(2) * state.chains[0].configuration(0, 1);
  };
  check(swung, 1e-3);
}

TEST_CASE("rows that hold already pass on the derivatives of what they hold", "[assembly][joints][scalars]") {
  using E = Dual<D, 1>;
  const auto pulled = [](auto x) {
    using S = decltype(x);
    const auto ball = body(Change<S>{});
    const S half = S(0.5);
    const Assembly problem{kinds(std::vector{ball, ball}),
                           kinds(std::vector{SphericalJoint<S>{{}, {0, 0, vector<S>(half, S(0), S(0))}},
                                             SphericalJoint<S>{{0, 0, vector<S>(-half, S(0), S(0))},
                                                               {1, 0, vector<S>(half + x, S(0), S(0))}}})};
    auto state =
        problem.state({ball.at(vector<S>(-half, S(0), S(0))), ball.at(vector<S>(S(-1.5), S(0), S(0)))});
    problem.project(state);
    return state.chains[1].configuration(0, 0);
  };
  check(pulled, 1e-3);
  const auto alone = [](auto x) {
    using S = decltype(x);
    const auto ball = body(Change<S>{});
    const Assembly problem{
        kinds(std::vector{ball}),
        kinds(std::vector{SphericalJoint<S>{FramePlace<S>::in_space(vector<S>(S(0), x * x + x, S(0))),
                                            {0, 0, vector<S>(S(0), S(0), S(1))}}})};
    auto state = problem.state({ball.at(vector<S>(S(0), S(0), S(-1)))});
    problem.project(state);
    return state.chains[0].configuration(0, 1);
  };
  check(alone, 1e-3);
  const E twice = alone(E::variable(D::variable(0.0, 0), 0));
  const double h = 1e-3, bend = (alone(h) - 2 * alone(0.0) + alone(-h)) / (h * h);
  CHECK(std::abs(twice.derivative(0).derivative(0) - bend) < 1e-4 * std::abs(bend));
}

TEST_CASE("a rod without loads knows what a load would do", "[rod][statics][scalars]") {
  const auto tip = [](auto x) {
    using S = decltype(x);
    auto p = rod_parameters(Change<S>{});
    p.start = rod::Boundary<S>::clamped();
    p.loads.finish.force = vector<S>(x, S(0), S(0));
    Vec<S, 6> k;
    for (int i = 0; i < 6; ++i) k[i] = i < 3 ? S(50) : S(0.1 + 0.02 * i);
    rod::ElasticRod<S> rod(rod::LinearElastic<S>(k), p);
    auto chain = rod.straight(vector<S>(S(0), S(0), S(0)), SO3<S>::identity());
    (void)rod::static_equilibrium(rod, chain);
    return chain.position(10)[0];
  };
  check(tip, 1e-3);
}

}  // namespace special_values_test
