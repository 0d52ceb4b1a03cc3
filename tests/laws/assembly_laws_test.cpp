// What every assembly obeys, whatever its bodies and constraints, over double and long double.

#include <cmath>
#include <limits>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/allocations.hpp"
#include "support/assemblies.hpp"

namespace assembly_laws_test {

using namespace dalembert;
using test::all_assemblies;
using test::Scene;

template <class S>
constexpr S eps = std::numeric_limits<S>::epsilon();

/// The size of accelerations and multipliers.
template <class Rates>
auto size_of(const Rates& r) {
  auto size = 1 + (r.lambda.size() > 0 ? r.lambda.template lpNorm<Eigen::Infinity>() : 0);
  for (const auto& a : r.xidot) size = std::max(size, a.abs().maxCoeff());
  return size;
}

/// The state that lies a time h further along the rates.
template <class P>
auto moved(const P& problem, const typename P::State& x, const typename P::Rates& r, typename P::Scalar h) {
  auto none = problem.make_increment(), k = problem.make_increment(), step = problem.make_increment();
  problem.slope(x, none, r, k);
  step.add_scaled(h, k);
  auto y = x;
  problem.retract(x, step, y);
  return y;
}

TEMPLATE_TEST_CASE("rates of an assembly solve its residual, and other rates do not", "[laws][assembly]",
                   double, long double) {
  using S = TestType;
  all_assemblies(Scene<S>{}, [](const char* name, const auto& problem, const auto& x) {
    CAPTURE(name);
    STATIC_REQUIRE(ResidualProblem<std::decay_t<decltype(problem)>>);
    STATIC_REQUIRE(SplitProblem<std::decay_t<decltype(problem)>>);
    auto r = problem.make_rates();
    auto left = problem.make_residual();
    problem.rates(x, r);
    problem.residual(x, r, left);
    const S size = size_of(r);
    const S tolerance = S(2e3) * eps<S> * size;
    CHECK(left.template lpNorm<Eigen::Infinity>() < tolerance);
    const auto wrong = [&](auto& number) {
      number += S(0.01) * size;
      problem.residual(x, r, left);
      CHECK(left.template lpNorm<Eigen::Infinity>() > S(1e2) * tolerance);
      number -= S(0.01) * size;
    };
    for (auto& a : r.xidot)
      for (int i = 0; i < 6; ++i) wrong(a(0, i));
    for (auto& l : r.lambda) wrong(l);
    for (auto& z : r.zdot) wrong(z);
  });
}

TEMPLATE_TEST_CASE("the energy of an assembly changes by its powers, in any state", "[laws][assembly]",
                   double, long double) {
  using S = TestType;
  all_assemblies(Scene<S>{}, [](const char* name, const auto& problem, const auto& x) {
    CAPTURE(name);
    auto r = problem.make_rates();
    problem.rates(x, r);
    const auto power = problem.power(x, r);
    const S h = std::cbrt(eps<S>) / S(100);
    const S rate =
        (problem.energy(moved(problem, x, r, h)) - problem.energy(moved(problem, x, r, -h))) / (2 * h);
    const S size = size_of(r);
    CHECK(std::abs(rate - power.constraint - power.dissipation - power.load) < S(1e5) * h * h * size);
  });
}

TEMPLATE_TEST_CASE("rows move as their drift says, and errors as their rows", "[laws][assembly]", double,
                   long double) {
  using S = TestType;
  all_assemblies(Scene<S>{}, [](const char* name, const auto& problem, const auto& x) {
    CAPTURE(name);
    auto r = problem.make_rates();
    problem.rates(x, r);
    const S h = std::cbrt(eps<S>) / S(1000);
    const auto after = moved(problem, x, r, h), before = moved(problem, x, r, -h);
    const auto u = problem.row_velocities(x);
    const auto change = ((problem.row_velocities(after) - problem.row_velocities(before)) / (2 * h)).eval();
    const S size = size_of(r) * size_of(r);
    for (const S& c : change) CHECK(std::abs(c) < S(1e3) * std::cbrt(eps<S>) * std::cbrt(eps<S>) * size);
    // where every row has a position, its error changes at the velocity of the row
    const auto errors = ((problem.row_errors(after) - problem.row_errors(before)) / (2 * h)).eval();
    if (errors.size() == u.size())
      for (Eigen::Index i = 0; i < u.size(); ++i)
        CHECK(std::abs(errors[i] - u[i]) < S(1e3) * std::cbrt(eps<S>) * std::cbrt(eps<S>) * size);
  });
}

TEST_CASE("an assembly does not care where it lies in space", "[laws][assembly]") {
  using S = double;
  std::vector<std::pair<std::vector<rod::Columns<S, 6>>, Vec<S, Eigen::Dynamic>>> here;
  all_assemblies(Scene<S>{}, [&](const char*, const auto& problem, const auto& x) {
    auto r = problem.make_rates();
    problem.rates(x, r);
    here.emplace_back(r.xidot, r.lambda);
  });
  const SO3<S> turn = SO3<S>::exp(Vec<S, 3>(0.3, -1.1, 0.7));
  std::size_t i = 0;
  all_assemblies(Scene<S>{turn, {0.4, 0.3, -0.6}}, [&](const char* name, const auto& problem, const auto& x) {
    CAPTURE(name);
    auto r = problem.make_rates();
    problem.rates(x, r);
    const auto& [xidot, lambda] = here[i++];
    const S size = size_of(r);
    for (std::size_t b = 0; b < xidot.size(); ++b)
      for (Eigen::Index k = 0; k < x.chains[b].nodes; ++k) {
        const Vec<S, 3> linear = turn.act(rod::at3<0>(xidot[b], k)) - rod::at3<0>(r.xidot[b], k);
        const Vec<S, 3> angular = rod::at3<3>(xidot[b], k) - rod::at3<3>(r.xidot[b], k);
        CHECK(linear.norm() < 1e-8 * size);
        CHECK(angular.norm() < 1e-8 * size);
      }
    CHECK(std::abs(lambda.norm() - r.lambda.norm()) < 1e-9 * size);
  });
}

TEST_CASE("projections of assemblies are idempotent, and least in the kinetic metric", "[laws][assembly]") {
  all_assemblies(Scene<double>{}, [](const char* name, const auto& problem, const auto& start) {
    CAPTURE(name);
    auto x = start;
    problem.project(x);
    CHECK(problem.constraint(x).position < 1e-14);
    CHECK(problem.constraint(x).velocity < 1e-12);
    auto again = x;
    CHECK(problem.project(again).moved < 1e-12);
    // velocities put beside and projected: the way back is at right angles to what the rows allow
    auto beside = x;
    for (auto& chain : beside.chains)
      for (Eigen::Index k = 0; k < chain.nodes; ++k)
        for (int i = 0; i < 6; ++i) chain.velocity(k, i) += std::sin(static_cast<double>(7 * k + i));
    auto back = beside;
    problem.project(back);
    auto change = back, allowed = back;
    for (std::size_t b = 0; b < back.chains.size(); ++b) {
      change.chains[b].velocity = beside.chains[b].velocity - back.chains[b].velocity;
      allowed.chains[b].velocity = back.chains[b].velocity - x.chains[b].velocity;
    }
    auto sum = change, difference = change;
    for (std::size_t b = 0; b < back.chains.size(); ++b) {
      sum.chains[b].velocity += allowed.chains[b].velocity;
      difference.chains[b].velocity -= allowed.chains[b].velocity;
    }
    const double product = problem.kinetic_energy(sum) - problem.kinetic_energy(difference);
    const double energies = problem.kinetic_energy(sum) + problem.kinetic_energy(difference);
    CHECK(std::abs(product) < 1e-11 * energies);
  });
}

TEST_CASE("a step of an assembly depends on its state alone", "[laws][assembly]") {
  all_assemblies(Scene<double>{}, [](const char* name, const auto& problem, const auto& start) {
    CAPTURE(name);
    auto kept = start;
    problem.project(kept);
    auto fresh = kept, elsewhere = start;
    const Verlet method;
    auto stepper = method.stepper(problem, kept);
    for (int i = 0; i < 3; ++i) {
      REQUIRE(stepper.step(problem, kept, 1e-5).converged);
      auto another = method.stepper(problem, fresh);
      if (i % 2 == 1) REQUIRE(another.step(problem, elsewhere, 2e-5).converged);
      REQUIRE(another.step(problem, fresh, 1e-5).converged);
      for (std::size_t b = 0; b < kept.chains.size(); ++b) {
        const auto nodes = kept.chains[b].nodes;
        CHECK((kept.chains[b].configuration == fresh.chains[b].configuration).topRows(nodes).all());
        CHECK((kept.chains[b].velocity == fresh.chains[b].velocity).topRows(nodes).all());
      }
      CHECK(kept.z == fresh.z);
    }
  });
}

TEST_CASE("rates of assemblies do not change when velocities are reversed, but for what is driven",
          "[laws][assembly]") {
  all_assemblies(Scene<double>{}, [](const char* name, const auto& problem, const auto& start) {
    CAPTURE(name);
    auto x = start;
    problem.project(x);
    auto back = x;
    for (auto& chain : back.chains) chain.velocity = -chain.velocity;
    if (problem.constraint(back).velocity > 1e-10) return;  // something drives it
    auto r = problem.make_rates(), s = problem.make_rates();
    problem.rates(x, r);
    problem.rates(back, s);
    const double size = size_of(r);
    for (std::size_t b = 0; b < r.xidot.size(); ++b)
      CHECK((r.xidot[b] - s.xidot[b]).topRows(x.chains[b].nodes).abs().maxCoeff() < 1e-11 * size);
  });
}

/// Allocations in five steps, after one that makes room.
template <class Method, class P>
long allocations_of(const Method& method, const P& problem, typename P::State x) {
  auto stepper = method.stepper(problem, x);
  (void)stepper.step(problem, x, 1e-6);
  return test::allocations_during([&] {
    for (int i = 0; i < 5; ++i) (void)stepper.step(problem, x, 1e-6);
  });
}

TEST_CASE("a step of an assembly does not allocate", "[laws][assembly][allocation]") {
  all_assemblies(Scene<double>{}, [](const char* name, const auto& problem, const auto& start) {
    CAPTURE(name);
    auto x = start;
    problem.project(x);
    CHECK(allocations_of(Verlet{}, problem, x) == 0);
    CHECK(allocations_of(RungeKutta4{}, problem, x) == 0);
  });
}

}  // namespace assembly_laws_test
