// Constraints of rare forms in statics and in small motions: places that slide by a rate, reactions along other rows.

#include <cmath>
#include <complex>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/modes/linearization.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/linear_motion.hpp"
#include "support/rods.hpp"
#include "support/runner.hpp"
#include "support/turned_reactions.hpp"

namespace linearised_constraints_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;
using test::check_motions;
using V = Vec<double, 3>;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using test::Runner;

constexpr int elements = 12;

Rod clamped() {
  Rod::Parameters p;
  p.start = p.finish = rod::Boundary<double>::clamped();
  return test::soft_rod<Rod>(0.005, elements, p);
}

TEST_CASE("a bead that runs along a rod by its rate moves as one that is where it is nearest",
          "[tangents][modes][contact]") {
  const Rod rod = clamped();
  const V down(0.3, -9.5, 0);  // a little along the rod as well
  const Body heavy{{.mass = 0.02, .inertia = {1e-6, 2e-6, 1.5e-6}, .gravity = down}};
  const contact::Bead<double> bead{{0, rod, 0.15}, {1}};
  const Assembly problem{bodies(std::vector{rod}, std::vector{heavy}), constraints(std::vector{bead})};
  assembly::State<double> x =
      problem.state({rod.straight(V::Zero(), SO3<double>::exp({0, M_PI / 2, 0})), heavy.at(V(0.52, 0, 0))},
                    Vec<double, 1>(0.52));
  static_equilibrium(problem, x);
  const auto runs = [&](double wind) {
    return Assembly{bodies(std::vector{rod}, std::vector{heavy}),
                    constraints(std::vector{Runner{bead, wind}})};
  };
  for (const Complex shift : {Complex(0.1, 4), Complex(0.3, 30), Complex(1, 200)}) {
    const auto expected = linearization(problem, x, {.count = 3, .shift = shift});
    const auto found = linearization(runs(0), x, {.count = 3, .shift = shift});
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(shift, expected[i].eigenvalue);
      CHECK(std::abs(found[i].eigenvalue - expected[i].eigenvalue) <
            1e-8 * std::abs(expected[i].eigenvalue) + 1e-6);  // along the rod it is free
    }
  }
  CHECK_THROWS_WITH(linearization(runs(1e-3), x), ContainsSubstring("linearization: motion of a constraint"));
}

/// To a point, and back to no turn.
struct SpringTo {
  V to;
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double, Columns<double, 6>& f) const {
    for (int i = 0; i < 3; ++i) {
      f(0, i) -= 40 * (at.configuration(0, i) - to[i]);
      f(0, 3 + i) -= 0.3 * at.rotation(0).log()[i];
    }
  }
};

TEST_CASE("a point on a sphere rests where the slanted reaction balances its springs",
          "[tangents][statics][modes]") {
  const test::SlantedRing ring{{0}, V(0.1, 0.2, 0.3)};
  const WithLoad body(Body{{.mass = 0.7, .inertia = V(0.02, 0.03, 0.025)}}, SpringTo{V(0.3, 0.1, 0.9)});
  const Assembly problem{bodies(std::vector{body}), constraints(std::vector{ring})};
  assembly::State<double> x = problem.state({body.at(ring.centre + V(0.4, 0, 0.3))});
  const auto found = static_equilibrium(problem, x);
  const V d = x[0].position(0) - ring.centre;
  CHECK_THAT(d.norm(), WithinRel(0.5, 1e-12));
  // k (r − r₀) = λ Q d
  const V pull = V(std::cos(test::slant) * d[0] - std::sin(test::slant) * d[1],
                   std::sin(test::slant) * d[0] + std::cos(test::slant) * d[1], d[2]) *
                 found.lambda[0];
  CHECK((40 * (x[0].position(0) - V(0.3, 0.1, 0.9)) - pull).norm() < 1e-9);
  CHECK(pull.cross(d).norm() > 0.05);
  check_motions(problem, x, Complex(0.5, 5), 2, 1e-6);
}

}  // namespace linearised_constraints_test
