#include <dalembert/systems/nonholonomic_particle.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace nonholonomic_particle_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::NonholonomicParticle;

static_assert(NonholonomicSystem<NonholonomicParticle<double>> &&
              NonholonomicSystem<NonholonomicParticle<long double>>);

template <class S>
NonholonomicParticle<S> some_particle(laws::Random<S>& random) {
  return NonholonomicParticle<S>{{.mass = random.positive()}};
}

template <class S>
auto some_state(const LagrangeDAlembert<NonholonomicParticle<S>>& problem, laws::Random<S>& random) {
  const Vec<S, 3> q = 2 * random.template vector<3>();
  const S xdot = random();
  return problem.state(Rn<S, 3>(q), {xdot, random(), q[1] * xdot});
}

TEMPLATE_TEST_CASE("the assembler gives the particle's own equations at random states", "[particle]", double,
                   long double) {
  using S = TestType;
  using System = NonholonomicParticle<S>;
  laws::check_rates<System>(some_particle<S>, some_state<S>, [](const System& particle, const auto& at) {
    const S y = at.g.coordinates()[1], product = at.xi[0] * at.xi[1] / (1 + y * y);
    return laws::Expected<System>{.xidot = {-y * product, S(0), product},
                                  .lambda = Vec<S, 1>(particle.parameters().mass * product)};
  });
}

TEMPLATE_TEST_CASE("the particle's closed forms and powers are right", "[particle]", double, long double) {
  using S = TestType;
  laws::Random<S> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{some_particle<S>(random)};
    auto state = some_state<S>(problem, random);
    state.xi = random.template vector<3>();
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("the particle's closed form solves its equations, for every drift", "[particle]") {
  using Motion = NonholonomicParticle<long double>::Motion;
  const NonholonomicParticle<long double> particle;
  const long double h = 1e-3L;
  for (const long double y : {-1.5L, 0.0L, 0.7L})
    for (const long double w : {0.8L, -1.3L, 1e-8L, 0.0L}) {
      const Motion start{{0.2L, y, -0.3L}, {-0.9L, w, -0.9L * y}};
      CHECK((particle.exact(start, 0).place - start.place).norm() < 1e-18L);
      CHECK((particle.exact(start, 0).velocity - start.velocity).norm() < 1e-18L);
      for (const long double t : {-2.0L, 0.5L, 3.0L}) {
        CAPTURE(y, w, t);
        const auto at = [&](long double s) { return particle.exact(start, t + s); };
        const auto slope = [&](auto member) -> Vec<long double, 3> {
          return (8 * (at(h).*member - at(-h).*member) - (at(2 * h).*member - at(-2 * h).*member)) / (12 * h);
        };
        const Motion now = at(0);
        const long double here = now.place[1];
        const long double product = now.velocity[0] * now.velocity[1] / (1 + here * here);
        CHECK((slope(&Motion::place) - now.velocity).norm() < 1e-10L);
        CHECK((slope(&Motion::velocity) - Vec<long double, 3>(-here * product, 0, product)).norm() < 1e-10L);
      }
    }
}

TEST_CASE("far out the particle's closed form keeps its digits", "[particle]") {
  const NonholonomicParticle<> particle;
  const double y0 = 0.5, xdot = 1.2, w = 1e-6, t = 10;
  const auto later = particle.exact({{0, y0, 0}, {xdot, w, y0 * xdot}}, t);
  // To second order in wt, the integrals of C/√(1 + y²) and of y times that.
  const double s = 1 + y0 * y0;
  CHECK(later.place[0] == Approx(xdot * t * (1 - y0 * w * t / (2 * s))).epsilon(1e-10));
  CHECK(later.place[2] == Approx(xdot * t * (y0 + w * t / (2 * s))).epsilon(1e-10));
}

TEST_CASE("a particle without mass is refused, by name and value", "[particle]") {
  CHECK_THROWS_WITH((NonholonomicParticle<>{{.mass = -1}}),
                    ContainsSubstring("NonholonomicParticle: mass = -1"));
  for (const double bad :
       {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS((NonholonomicParticle<>{{.mass = bad}}), std::invalid_argument);
}

}  // namespace nonholonomic_particle_test
