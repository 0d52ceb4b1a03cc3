#include <dalembert/rod/rubber.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/core/autodiff.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace rubber_test {

using namespace dalembert;
using namespace dalembert::rod;
using V = Vec<double, 3>;
using R = Rod<NeoHookeanRod<double>>;
constexpr double EA = 80;

NeoHookeanRod<double> rubber(const V& rest = V::Zero()) {
  Vec<double, 6> k;
  k << 25, 26, EA, 0.02, 0.03, 0.04;
  return NeoHookeanRod<double>(k, rest);
}

R cord(int elements, const Loads<double>& loads = {}) {
  R::Parameters p{.elements = elements, .length = 1, .inertia = {0.1, V(1e-5, 1e-5, 2e-5)}};
  p.start = Boundary<double>::clamped();
  p.loads = loads;
  return R(rubber(), p);
}

TEST_CASE("the stress of rubber is the derivative of its energy, and its tangent that of its stress",
          "[rod][material]") {
  const auto material = rubber(V(0.3, 0.2, -0.1));
  test::Random random(test::seed());
  for (const double lambda : {0.2, 0.9, 1.0, 3.0}) {
    CAPTURE(lambda);
    V g = random.vector<double>();
    g[2] = lambda;
    const V o = random.vector<double>();
    const auto energy = [&](const auto& e) {
      return material.energy(dalembert::detail::part<3>(e), dalembert::detail::part<3>(e, 3));
    };
    const Vec<double, 6> e = dalembert::detail::stacked(g, o);
    const auto s = material.stress(g, o);
    CHECK((gradient(energy, e) - dalembert::detail::stacked(s.force, s.moment)).norm() < 1e-11);
    CHECK(hessian(energy, e).isApprox(material.tangent(g, o), 1e-13));
  }
  // small strains: EA
  CHECK(material.tangent(V(0, 0, 1), V::Zero())(2, 2) == Approx(EA));
  CHECK(material.energy(V(0, 0, 1), V(0.3, 0.2, -0.1)) == 0);
}

TEST_CASE("rubber under tension has the stretch of the neo-Hookean law", "[rod][material][statics]") {
  for (const double lambda : {0.7, 1.001, 1.8, 4.0}) {
    CAPTURE(lambda);
    Loads<double> loads;
    loads.finish.force = V(0, 0, EA / 3 * (lambda - 1 / (lambda * lambda)));
    R rod = cord(5, loads);
    Chain<double> chain = rod.straight(V::Zero(), SO3<double>::identity());
    (void)static_equilibrium(rod, chain);
    CHECK(chain.position(5)[2] == Approx(lambda).epsilon(1e-9));
  }
}

TEST_CASE("rubber that swings at large stretches keeps its energy, to second order in the step",
          "[rod][material]") {
  const auto change = [](double step) {
    const R rod = cord(12);
    const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
    auto x = problem.state({rod.straight(V::Zero(), SO3<double>::identity(), 1.6)});
    const double before = problem.energy(x);
    double most = 0, longest = 0, shortest = 9;
    drive(Verlet{}, problem, x, {.step = step, .until = 0.25, .output_interval = 1e-3},
          [&](const auto&, const auto& at) {
            most = std::max(most, std::abs(problem.energy(at) - before));
            longest = std::max(longest, at[0].position(12)[2]);
            shortest = std::min(shortest, at[0].position(12)[2]);
          });
    CHECK(shortest < 0.75);
    CHECK(longest > 1.55);
    return most / before;
  };
  const double coarse = change(2e-4), fine = change(1e-4);
  CHECK(coarse < 5e-3);
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.3));
}

TEST_CASE(
    "rubber that is pressed beyond nothing has forces that are not finite, lanes beyond the rod have not",
    "[rod][material]") {
  const R rod = cord(5);
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  // whichever way the rod points
  for (const V& turn : {V(0, 0, 0), V(M_PI, 0, 0), V(1, 2, 0)}) {
    auto x = problem.state({rod.straight(V::Zero(), SO3<double>::exp(turn))});
    auto r = problem.make_rates();
    CHECK_NOTHROW(problem.rates(x, r));
    auto& c = x[0].configuration;
    for (int i = 0; i < 3; ++i) c(4, i) += 1.5 * (c(5, i) - c(4, i));
    CHECK_THROWS_AS(problem.rates(x, r), NotFinite);
  }
  auto x = problem.state({rod.straight(V::Zero(), SO3<double>::identity())});
  x[0].velocity(5, 2) = -1e4;
  CHECK_THROWS_AS(drive(Verlet{}, problem, x, {.step = 1e-4, .until = 0.1}), IntegrationFailure);
  CHECK(x[0].finite());
}

TEST_CASE("a stiffness of rubber that gives energy away is refused", "[rod][material]") {
  Vec<double, 6> k = Vec<double, 6>::Ones();
  k[2] = 0;
  CHECK_THROWS_WITH(NeoHookeanRod<double>(k),
                    Catch::Matchers::ContainsSubstring("NeoHookeanRod: stiffness 2"));
  k[2] = 1;
  CHECK_THROWS_WITH(NeoHookeanRod<double>(k, V(0, std::nan(""), 0)),
                    Catch::Matchers::ContainsSubstring("rest curvature 1"));
}

}  // namespace rubber_test
