// Loads and internal damping in implicit steps, whose Newton's method knows their derivatives.

#include <cmath>
#include <vector>

#include <dalembert/assembly/implicit.hpp>
#include <dalembert/assembly/loaded.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/rod/internal_damping.hpp>
#include <dalembert/rod/loads.hpp>

#include "support/catch.hpp"

namespace implicit_loads_test {

using namespace dalembert;
using V = Vec<double, 3>;
using R = rod::ElasticRod<double>;

TEST_CASE("implicit steps are hundreds of times as long as explicit ones under strong internal damping",
          "[assembly][damping]") {
  // a cantilever that swings, with a thrust at its tip that follows it; ηω > 100 for its fastest waves
  R::Parameters p{.elements = 12, .length = 1, .inertia = {1, V(1e-3, 1e-3, 2e-3)}};
  p.start = rod::Boundary<double>::clamped();
  Vec<double, 6> k;
  k << 4e3, 4e3, 4e3, 1, 1, 1;
  const R rod(rod::LinearElastic<double>(k), p);
  const assembly::Loaded body{
      rod, assembly::LoadSum{rod::KelvinVoigt<double>::proportional(k, 1e-2),
                             rod::PointLoad{1.0, rod::EndLoad<double>{.follower_force = V(3, 0, -3)}}}};
  const assembly::Assembly problem{assembly::kinds(std::vector{body})};
  auto start = problem.state({rod.straight(V::Zero(), SO3<double>::identity())});
  for (int j = 1; j <= 12; ++j) start.chains[0].set_velocity(j, V(j * j / 144.0, 0, 0), V::Zero());
  const double limit = 2 / problem.frequency_bound(start);
  auto fine = start;
  drive(Verlet{}, problem, fine, {.step = limit / 2, .until = 0.4});
  const auto error = [&](double h) {
    auto x = start;
    auto stepper = ImplicitMidpoint{}.stepper(problem, x);
    for (int i = 0; i < std::lround(0.4 / h); ++i) CHECK(stepper.step(problem, x, h).iterations <= 12);
    return (x.chains[0].position(12) - fine.chains[0].position(12)).norm();
  };
  CHECK(1e-2 > 300 * limit);
  const double coarse = error(1e-2), middle = error(5e-3);
  CHECK(coarse < 3e-3);
  CHECK(std::log2(coarse / middle) == Approx(2).margin(0.3));
}

}  // namespace implicit_loads_test
