// The order in time of the integrators that serve rods, on a free rod that bends, twists and tumbles.

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"

namespace rod_order_laws_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;

auto free_rod() {
  Rod::Parameters p;
  p.elements = 6;
  p.length = 1.0;
  const rod::CircularSection<double> section(
      {.radius = 0.05, .young = 2e4, .poisson = 0.4, .density = 1000.0});
  p.inertia = section.inertia();
  return assembly::Assembly{
      assembly::bodies(std::vector{Rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p)})};
}
using Model = decltype(free_rod());

Model::State start(const Model& problem) {
  auto chain = problem.bodies<0>()[0].straight(Vec<double, 3>::Zero(), SO3d::exp({0.3, -0.2, 0.5}));
  for (int k = 0; k <= 6; ++k)
    chain.set_velocity(k, {std::sin(0.9 * k), 0.8 * std::cos(0.6 * k), 0.2},
                       {2 * std::sin(0.3 * k), 1.5, 2 * std::cos(0.9 * k)});
  return problem.state({chain});
}

template <class M>
Model::State after(const M& method, const Model& problem, int steps) {
  auto state = start(problem);
  auto stepper = method.stepper(problem, state);
  for (int i = 0; i < steps; ++i) REQUIRE(stepper.step(problem, state, 0.2 / steps).converged);
  return state;
}

double distance(const Model::State& a, const Model::State& b) {
  return (a[0].configuration - b[0].configuration).topRows(7).matrix().norm();
}

template <class M>
void check_order(const M& method, int steps) {
  const Model problem = free_rod();
  static const Model::State reference = after(DormandPrince853{}, problem, 2000);
  const double coarse = distance(reference, after(method, problem, steps));
  const double fine = distance(reference, after(method, problem, 2 * steps));
  CAPTURE(M::order, steps, coarse, fine);
  CHECK(fine > 1e-13);
  CHECK(std::log2(coarse / fine) == Approx(M::order).margin(0.15));
}

TEST_CASE("methods have their order in time on rods", "[laws][order][rod]") {
  check_order(Verlet{}, 800);
  check_order(RungeKutta4{}, 400);
  check_order(DormandPrince54{}, 300);
  check_order(DormandPrince853{}, 32);
  check_order(Gauss<1>{}, 400);
  check_order(Gauss<2>{}, 200);
  check_order(Gauss<3>{}, 100);
  check_order(Radau<2>{}, 400);
}

}  // namespace rod_order_laws_test
