// Implicit steps of constraints with internal coordinates that follow their rates, and of reactions along other rows.

#include <cmath>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/implicit.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"
#include "support/runner.hpp"
#include "support/turned_reactions.hpp"

namespace implicit_forms_test {

using namespace dalembert;
using namespace dalembert::assembly;
using V = Vec<double, 3>;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;

/// Second order towards where Verlet with short steps goes, of internal coordinates where there are some: nodes of rods have fast waves besides.
/// Returns where that is.
template <class P>
State<double> check_order(const P& problem, const State<double>& from, double until, int steps) {
  State<double> expected = from;
  drive(Verlet{}, problem, expected, {.step = until / (32 * steps), .until = until});
  const auto distance = [&](const State<double>& x) {
    double most = x.z.size() > 0 ? (x.z - expected.z).norm() : 0;
    if (x.z.size() > 0) return most;
    for (std::size_t i = 0; i < x.chains.size(); ++i)
      most = std::max(most, (x[i].configuration - expected[i].configuration).abs().maxCoeff());
    return most;
  };
  CHECK(distance(from) > 1e-2);
  const auto check = [&](const char* name, const auto& method) {
    CAPTURE(name);
    double before = 0;
    for (const int n : {steps, 2 * steps}) {
      State<double> x = from;
      drive(method, problem, x, {.step = until / n, .until = until});
      const double apart = distance(x);
      CAPTURE(n, apart);
      CHECK(apart < 0.02 * distance(from));
      if (before > 0) CHECK(std::abs(std::log2(before / apart) - 2) < 0.25);
      before = apart;
    }
  };
  check("implicit midpoint", ImplicitMidpoint{});
  check("generalized alpha", GeneralizedAlpha{});
  return expected;
}

TEST_CASE("a bead whose place follows its rate goes in implicit steps where it goes in explicit ones",
          "[assembly][implicit]") {
  Rod::Parameters p;
  p.start = p.finish = rod::Boundary<double>::clamped();
  const Rod rod = test::soft_rod<Rod>(0.01, 12, p);
  const Body heavy{{.mass = 0.3, .inertia = {1e-4, 2e-4, 1.5e-4}, .gravity = V(4, -9, 2)}};
  const contact::Bead<double> bead{{0, rod, 0.15}, {1}};
  const Assembly problem{bodies(std::vector{rod}, std::vector{heavy}),
                         constraints(std::vector{test::Runner{bead}})};
  const auto from =
      problem.state({rod.straight(V::Zero(), SO3<double>::exp({0, M_PI / 2, 0})), heavy.at(V(0.4, 0, 0))},
                    Vec<double, 1>(0.4));
  const auto to = check_order(problem, from, 0.1, 100);
  // where the bead is by the nearest place
  const Assembly held{bodies(std::vector{rod}, std::vector{heavy}), constraints(std::vector{bead})};
  State<double> x = from;
  drive(Verlet{}, held, x, {.step = 0.1 / 1600, .until = 0.1});
  CHECK(std::abs(x.z[0] - from.z[0]) > 0.01);
  CHECK(std::abs(x.z[0] - to.z[0]) < 1e-3 * std::abs(x.z[0] - from.z[0]));
}

TEST_CASE("a point on a sphere with a slanted reaction goes in implicit steps where it goes in explicit ones",
          "[assembly][implicit]") {
  const test::SlantedRing ring{{0, 0, V(0.05, -0.02, 0.03)}, V(0.1, 0.2, 0.3)};
  const Body body{{.mass = 0.7, .inertia = V(0.02, 0.03, 0.025), .gravity = V(1, 2, -9)}};
  const Assembly problem{bodies(std::vector{body}), constraints(std::vector{ring})};
  auto from = problem.state({body.at(ring.centre + V(0.4, 0, 0.3))});
  problem.project(from);
  check_order(problem, from, 0.2, 20);
}

}  // namespace implicit_forms_test
