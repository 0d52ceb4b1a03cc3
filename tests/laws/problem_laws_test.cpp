// What every problem of mechanics obeys, over double and long double.

#include <random>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace problem_laws_test {

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

template <class S>
auto all_systems(auto&& f) {
  f(systems::ChaplyginSleigh<S>{{.mass = S(1.5), .inertia = S(0.7), .offset = S(0.4)}}, "ChaplyginSleigh");
  f(SkateOnSlope<S>{}, "SkateOnSlope");
  f(NonholonomicParticle<S>{}, "NonholonomicParticle");
  f(BeadOnTurningLine<S>{}, "BeadOnTurningLine");
  f(SphericalPendulum<S>{}, "SphericalPendulum");
  f(Suslov<S>{}, "Suslov");
  f(HeavyTop<S>{}, "HeavyTop");
  f(GrowingMass<S>{}, "GrowingMass");
  f(ConstantSpeed<S>{}, "ConstantSpeed");
  f(SlantedBlade<S>{}, "SlantedBlade");
  f(TwoRows<S>{}, "TwoRows");
}

TEMPLATE_TEST_CASE("the residual of the rates is zero, and of other rates it is not", "[laws]", double,
                   long double) {
  using S = TestType;
  all_systems<S>([](const auto& system, const char* name) {
    CAPTURE(name);
    const LagrangeDAlembert problem{system};
    using P = std::decay_t<decltype(problem)>;
    STATIC_REQUIRE(ResidualProblem<P>);
    Random<std::decay_t<decltype(system)>> random;
    auto rates = problem.make_rates();
    auto residual = problem.make_residual();
    for (int i = 0; i < 100; ++i) {
      const auto state = random.state();
      problem.rates(state, rates);
      problem.residual(state, rates, residual);
      const S scale = 1 + rates.xidot.norm() + rates.lambda.norm();
      CHECK(residual.norm() <= tolerance<S>() * scale * scale);
      rates.xidot[0] += scale;
      problem.residual(state, rates, residual);
      CHECK(residual.norm() > tolerance<S>() * scale);
    }
  });
}

/// dE/dt along the rates, by a central difference of the energy in states displaced along them.
template <class P>
typename P::Scalar energy_rate(const P& problem, const typename P::State& state,
                               const typename P::Rates& rates) {
  using S = typename P::Scalar;
  const S h = std::cbrt(std::numeric_limits<S>::epsilon());
  auto slope = problem.make_increment(), step = problem.make_increment();
  problem.slope(state, step, rates, slope);
  auto displaced = state;
  const auto energy_at = [&](S s) {
    step.set_zero();
    step.add_scaled(s, slope);
    problem.retract(state, step, displaced);
    return problem.energy(displaced);
  };
  return (energy_at(h) - energy_at(-h)) / (2 * h);
}

TEMPLATE_TEST_CASE("energy changes by the powers, in any state", "[laws]", double, long double) {
  using S = TestType;
  const S slack = std::pow(std::numeric_limits<S>::epsilon(), S(0.6));
  all_systems<S>([slack](const auto& system, const char* name) {
    CAPTURE(name);
    const LagrangeDAlembert problem{system};
    Random<std::decay_t<decltype(system)>> random;
    auto rates = problem.make_rates();
    for (int i = 0; i < 100; ++i) {
      auto state = random.state();
      problem.rates(state, rates);
      const auto power = problem.power(state, rates);
      const S total = power.constraint + power.dissipation + power.load;
      const S rate = energy_rate(problem, state, rates);
      const S scale =
          1 + std::abs(total) + std::pow(1 + state.xi.norm() + std::abs(problem.energy(state)), S(3));
      CHECK(std::abs(rate - total) <= slack * scale);
    }
  });
}

TEST_CASE("reactions of scleronomous constraints do no work where they hold", "[laws]") {
  using S = double;
  const auto check = [](const auto& system, const char* name) {
    CAPTURE(name);
    const LagrangeDAlembert problem{system};
    Random<std::decay_t<decltype(system)>> random;
    auto rates = problem.make_rates();
    for (int i = 0; i < 100; ++i) {
      auto state = random.state();
      REQUIRE(problem.project(state).converged);
      problem.rates(state, rates);
      const S scale = (1 + rates.lambda.norm()) * (1 + state.xi.norm());
      CHECK(std::abs(problem.power(state, rates).constraint) <= tolerance<S>() * scale * scale);
      CHECK(problem.power(state, rates).load == 0);
    }
  };
  check(systems::ChaplyginSleigh<S>{{.mass = S(1.5), .inertia = S(0.7), .offset = S(0.4)}},
        "ChaplyginSleigh");
  check(SkateOnSlope<S>{}, "SkateOnSlope");
  check(NonholonomicParticle<S>{}, "NonholonomicParticle");
  check(SphericalPendulum<S>{}, "SphericalPendulum");
  check(Suslov<S>{}, "Suslov");
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

TEMPLATE_TEST_CASE("rates are invariant under a change of the spatial frame", "[laws]", double, long double) {
  using S = TestType;
  const auto check = [](const auto& system, const char* name) {
    CAPTURE(name);
    const LagrangeDAlembert problem{system};
    Random<std::decay_t<decltype(system)>> random;
    auto here = problem.make_rates(), there = problem.make_rates();
    for (int i = 0; i < 100; ++i) {
      const auto state = random.state();
      auto moved = state;
      moved.g = random.state().g * state.g;
      problem.rates(state, here);
      problem.rates(moved, there);
      const S scale = 1 + here.xidot.norm() + here.lambda.norm();
      CHECK((here.xidot - there.xidot).norm() <= tolerance<S>() * scale);
      CHECK((here.lambda - there.lambda).norm() <= tolerance<S>() * scale);
      CHECK(problem.energy(moved) == Approx(static_cast<double>(problem.energy(state))));
    }
  };
  check(systems::ChaplyginSleigh<S>{{.mass = S(1.5), .inertia = S(0.7), .offset = S(0.4)}},
        "ChaplyginSleigh");
  check(Suslov<S>{}, "Suslov");
  check(SlantedBlade<S>{}, "SlantedBlade");
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

TEST_CASE("projection moves onto the constraints, and what is there stays", "[laws]") {
  using S = double;
  all_systems<S>([](const auto& system, const char* name) {
    CAPTURE(name);
    const LagrangeDAlembert problem{system};
    Random<std::decay_t<decltype(system)>> random;
    for (int i = 0; i < 50; ++i) {
      auto state = random.state();
      state.time = 0;
      const auto first = problem.project(state);
      REQUIRE(first.converged);
      const S scale = 1 + state.xi.norm() + state.g.log().norm();
      CHECK(problem.constraint(state).position <= tolerance<S>() * scale);
      CHECK(problem.constraint(state).velocity <= tolerance<S>() * scale);
      const auto again = state;
      const auto second = problem.project(state);
      CHECK(second.converged);
      CHECK(second.moved <= tolerance<S>() * scale * scale);
      CHECK((state.xi - again.xi).norm() <= tolerance<S>() * scale);
    }
  });
}

}  // namespace problem_laws_test
