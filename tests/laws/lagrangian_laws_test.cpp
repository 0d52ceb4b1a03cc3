// Closed forms of a system are the derivatives of its Lagrangian, and slopes belong to retractions.

#include <random>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace lagrangian_laws_test {

using namespace dalembert;
using namespace test;

/// A system and the group element and velocity of a random state, for any system of the list.
template <class System>
struct Random {
  using Group = typename System::Group;
  using S = typename Group::Scalar;
  static constexpr int n = Group::dof;
  std::mt19937 engine{test::seed()};

  S number() { return std::normal_distribution<S>()(engine); }
  typename Group::Tangent tangent() {
    typename Group::Tangent x;
    for (int i = 0; i < n; ++i) x[i] = number();
    return x;
  }
  State<Group> state() { return {.time = number(), .g = Group::exp(tangent()), .xi = tangent()}; }
};

template <class S>
S tolerance() {
  return S(1e4) * std::numeric_limits<S>::epsilon();
}

/// Momentum and mass of the system as its Lagrangian alone gives them.
template <class System>
struct WithoutClosedForms {
  using Group = typename System::Group;
  System system;
  template <class T>
  T lagrangian(const Vec<T, Group::dof>& xi) const {
    return system.template lagrangian<T>(xi);
  }
};

TEMPLATE_TEST_CASE("closed forms agree with the derivatives of the Lagrangian", "[laws]", double,
                   long double) {
  using S = TestType;
  const auto check = [](const auto& system, const char* name) {
    CAPTURE(name);
    using System = std::decay_t<decltype(system)>;
    const WithoutClosedForms<System> plain{system};
    constexpr int n = System::Group::dof;
    Random<System> random;
    EulerLagrangeTerms<S, n> closed, derived;
    for (int i = 0; i < 100; ++i) {
      const auto at = random.state();
      const Vec<S, n> by_hand = momentum<S>(system, at);
      const Vec<S, n> by_dual = momentum<S>(plain, place(plain, at.g, at.xi, at.time));
      CHECK((by_hand - by_dual).norm() <= tolerance<S>() * (1 + by_hand.norm()));
      euler_lagrange(system, at, closed);
      euler_lagrange(plain, place(plain, at.g, at.xi, at.time), derived);
      CHECK((closed.mass - derived.mass).norm() <= tolerance<S>() * closed.mass.norm());
      CHECK((closed.bias - derived.bias).norm() <= tolerance<S>() * (1 + closed.bias.norm()));
    }
  };
  check(systems::ChaplyginSleigh<S>{{.mass = S(1.5), .inertia = S(0.7), .offset = S(0.4)}},
        "ChaplyginSleigh");
  check(Suslov<S>{}, "Suslov");
}

TEST_CASE("slope inverts the derivative of the retraction", "[laws]") {
  using S = double;
  // d/ds of g exp(η + s η̇) must be the velocity ξ that slope was given.
  const LagrangeDAlembert problem{HeavyTop<S>{}};
  Random<HeavyTop<S>> random;
  const S h = std::cbrt(std::numeric_limits<S>::epsilon());
  for (int i = 0; i < 50; ++i) {
    const auto base = random.state();
    auto offset = problem.make_increment(), slope = problem.make_increment();
    offset.eta = random.tangent();
    auto stage = base;
    problem.retract(base, offset, stage);
    auto rates = problem.make_rates();
    problem.rates(stage, rates);
    problem.slope(stage, offset, rates, slope);
    auto forward = offset, backward = offset;
    forward.add_scaled(h, slope);
    backward.add_scaled(-h, slope);
    auto ahead = base, behind = base;
    problem.retract(base, forward, ahead);
    problem.retract(base, backward, behind);
    const Vec<S, 3> velocity = (behind.g.inverse() * ahead.g).log() / (2 * h);
    const S slack = std::pow(std::numeric_limits<S>::epsilon(), S(0.55));
    CHECK((velocity - stage.xi).norm() <=
          slack * (1 + slope.eta.norm()) * (1 + slope.eta.norm()) * (1 + slope.eta.norm()));
  }
}

}  // namespace lagrangian_laws_test
