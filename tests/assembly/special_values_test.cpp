// Derivatives at the values where formulas change or work is left out: no damping, no gravity, equal moments of inertia.
// A number may be zero there, or equal another, and still move with a parameter.

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/rod/varying_rod.hpp>

#include "support/catch.hpp"
#include "support/special_values.hpp"

namespace special_values_test {

using namespace dalembert;
using namespace dalembert::assembly;
using test::Change, test::check_derivative, test::vector, test::body;

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
  const Assembly problem{bodies(std::vector{body})};
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    for (int i = 0; i < 6; ++i) chain.velocity(k, i) = S(0.3 + 0.7 * i - 0.02 * static_cast<double>(k * i));
  auto x = problem.state({chain});
  auto verlet = Verlet{}.stepper(problem, x);
  for (int i = 0; i < 30; ++i) REQUIRE(verlet.step(problem, x, S(2e-3)).converged);
  S sum(0);
  for (int i = 0; i < 3; ++i) sum += S(1 + i) * (x[0].configuration(0, 4 + i) + S(0.1) * x[0].velocity(0, i));
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
  check_derivative(with(of_body, damping), 1e-2, true);
  check_derivative(with(of_rod, damping), 1e-2, true);
}

TEST_CASE("the motion of symmetric tops knows what unequal moments of inertia would do",
          "[assembly][scalars]") {
  check_derivative(with(of_body, first), 2e-5);
  check_derivative(with(of_body, second), 2e-5);
  check_derivative(with(of_rod, first), 1e-6);
  check_derivative(with(of_rod, second), 1e-6);
}

TEST_CASE("energies without gravity know what gravity would do", "[assembly][scalars]") {
  const auto energy = [](auto x) {
    using S = decltype(x);
    Change<S> c;
    c.gravity = x;
    const auto rod = uniform_rod(c);
    return rod::potential_energy(rod, rod.straight(vector<S>(S(0), S(0), S(1)), SO3<S>::identity()));
  };
  check_derivative(energy, 0.1);
  check_derivative(with(of_body, gravity), 1e-2);
  check_derivative(with(of_rod, gravity), 1e-2);
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
  check_derivative(tip, 1e-3);
}

}  // namespace special_values_test
