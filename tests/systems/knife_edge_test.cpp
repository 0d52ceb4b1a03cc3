#include <dalembert/systems/knife_edge.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace knife_edge_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::KnifeEdge;

static_assert(NonholonomicSystem<KnifeEdge<double>> && NonholonomicSystem<KnifeEdge<long double>>);

template <class S>
KnifeEdge<S> some_blade(laws::Random<S>& random) {
  return KnifeEdge<S>{{.mass = random.positive(),
                       .inertia = random.positive(),
                       .slope = random(),
                       .gravity = random.positive(),
                       .offset = random()}};
}

template <class S>
auto some_state(const LagrangeDAlembert<KnifeEdge<S>>& problem, laws::Random<S>& random) {
  return problem.state(random.template element<SE2<S>>(), {random(), S(0), random()});
}

TEMPLATE_TEST_CASE("the assembler gives the knife edge's own equations at random states", "[knife_edge]",
                   double, long double) {
  using S = TestType;
  using System = KnifeEdge<S>;
  laws::check_rates<System>(some_blade<S>, some_state<S>, [](const System& blade, const auto& at) {
    const auto& p = blade.parameters();
    const S u = at.xi[0], omega = at.xi[2], phi = at.g.angle(), k = blade.inertia_about_blade();
    const S c = p.gravity * std::sin(p.slope), across = u * omega + c * std::sin(phi);
    return laws::Expected<System>{
        .xidot = {p.offset * omega * omega + c * std::cos(phi), S(0), -p.mass * p.offset / k * across},
        .lambda = Vec<S, 1>(p.inertia * p.mass / k * across)};
  });
}

TEMPLATE_TEST_CASE("the knife edge's closed forms and powers are right", "[knife_edge]", double,
                   long double) {
  using S = TestType;
  laws::Random<S> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{some_blade<S>(random)};
    auto state = some_state<S>(problem, random);
    state.xi[1] = random();
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

/// d/dt of the closed form by a difference of fourth order, against (3).
void check_closed_form(const KnifeEdge<long double>& blade, const KnifeEdge<long double>::Motion& start,
                       long double t) {
  using Motion = KnifeEdge<long double>::Motion;
  const long double h = 1e-3L, c = blade.gravity_along_slope();
  const auto now = blade.exact(start, t);
  const auto slope = [&](auto member) {
    const auto at = [&](long double s) { return blade.exact(start, s).*member; };
    return (8 * (at(t + h) - at(t - h)) - (at(t + 2 * h) - at(t - 2 * h))) / (12 * h);
  };
  CAPTURE(start.u, start.omega, t);
  CHECK(std::abs(slope(&Motion::x) - now.u * std::cos(now.phi)) < 1e-10L);
  CHECK(std::abs(slope(&Motion::y) - now.u * std::sin(now.phi)) < 1e-10L);
  CHECK(std::abs(slope(&Motion::u) - c * std::cos(now.phi)) < 1e-10L);
  CHECK(std::abs(slope(&Motion::phi) - now.omega) < 1e-12L);
  CHECK(now.omega == start.omega);
}

TEST_CASE("the knife edge's closed form solves its equations, for every spin", "[knife_edge]") {
  const KnifeEdge<long double> blade{{.mass = 1.3L, .inertia = 0.4L, .slope = 0.3L, .gravity = 9.81L}};
  for (const long double u : {-0.8L, 0.0L, 0.6L})
    for (const long double omega : {1.9L, -0.9L, 1e-7L, 0.0L}) {
      const KnifeEdge<long double>::Motion start{.x = 0.2L, .y = -0.4L, .phi = 0.25L, .u = u, .omega = omega};
      const auto begin = blade.exact(start, 0);
      CHECK((begin.x == start.x && begin.y == start.y && begin.phi == start.phi && begin.u == start.u));
      for (const long double t : {-2.0L, 0.5L, 3.0L}) check_closed_form(blade, start, t);
    }
}

TEST_CASE("without spin the knife edge slides straight down", "[knife_edge]") {
  const KnifeEdge<> blade{{.slope = 0.3, .gravity = 10}};
  const double c = 10 * std::sin(0.3);
  const auto later = blade.exact({.x = 0, .y = 0, .phi = 0, .u = 0, .omega = 0}, 2.0);
  CHECK(later.x == Approx(2 * c).epsilon(1e-15));
  CHECK(later.y == 0);
  const auto barely = blade.exact({.x = 0, .y = 0, .phi = 0, .u = 0, .omega = 1e-9}, 2.0);
  CHECK(barely.x == Approx(2 * c).epsilon(1e-15));
  CHECK(barely.y == Approx(c * 1e-9 * 8 / 3).epsilon(1e-14));  // ct³ω/3
}

TEST_CASE("a spin that the blade would speed up beyond all numbers is refused", "[knife_edge]") {
  const LagrangeDAlembert problem{KnifeEdge<>{{.mass = 0.7, .inertia = 2.8, .offset = 10}}};
  auto state = problem.state(SE2<double>::identity(), {0, 1e308, std::numeric_limits<double>::max()});
  CHECK_THROWS_AS(problem.project(state), NotFinite);
}

TEST_CASE("impossible knife edges are refused, by name and value", "[knife_edge]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH((KnifeEdge<>{{.mass = -1}}), ContainsSubstring("KnifeEdge: mass = -1"));
  CHECK_THROWS_WITH((KnifeEdge<>{{.inertia = 0}}), ContainsSubstring("KnifeEdge: inertia = 0"));
  for (const double bad : {nan, infinity}) {
    CHECK_THROWS_AS((KnifeEdge<>{{.mass = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((KnifeEdge<>{{.inertia = bad}}), std::invalid_argument);
    CHECK_THROWS_WITH((KnifeEdge<>{{.slope = bad}}), ContainsSubstring("slope"));
    CHECK_THROWS_WITH((KnifeEdge<>{{.gravity = bad}}), ContainsSubstring("gravity"));
    CHECK_THROWS_WITH((KnifeEdge<>{{.offset = bad}}), ContainsSubstring("offset"));
  }
  const KnifeEdge<> aside{{.offset = 0.1}};
  CHECK_THROWS_WITH(aside.exact({.x = 0, .y = 0, .phi = 0, .u = 0, .omega = 1}, 1.0),
                    ContainsSubstring("KnifeEdge: offset = 0.1"));
}

}  // namespace knife_edge_test
