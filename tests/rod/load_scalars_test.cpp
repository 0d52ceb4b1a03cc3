// Loads and internal damping in other numbers than double: quicker ones, and those with derivatives.

#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/internal_damping.hpp>
#include <dalembert/rod/loads.hpp>

#include "support/catch.hpp"

namespace load_scalars_test {

using namespace dalembert;

/// Where the tip of a damped cantilever is across, a while after a thrust begins to push it that follows it.
template <class S>
S tip(const S& time, const S& thrust) {
  using V = Vec<S, 3>;
  using R = rod::ElasticRod<S>;
  typename R::Parameters p;
  p.elements = 8;
  p.length = S(1);
  p.inertia = {S(1), V(S(1e-3), S(1e-3), S(2e-3))};
  p.start = rod::Boundary<S>::clamped();
  Vec<S, 6> k;
  k << S(4e3), S(4e3), S(4e3), S(1), S(1), S(1);
  const R rod(rod::LinearElastic<S>(k), p);
  const rod::PointLoad push{S(1), rod::EndLoad<S>{.follower_force = V(thrust, S(0), -thrust)}};
  const assembly::Assembly problem{assembly::bodies(std::vector{
      assembly::WithLoad{rod, assembly::LoadSum{rod::KelvinVoigt<S>::proportional(k, time), push}}})};
  auto x = problem.state({rod.straight(V(S(0), S(0), S(0)), SO3<S>::identity())});
  auto stepper = Verlet{}.stepper(problem, x);
  for (int i = 0; i < 300; ++i) (void)stepper.step(problem, x, S(2e-4));
  return x[0].position(8)[0];
}

TEST_CASE("a rod under loads and internal damping moves alike in single precision", "[rod][damping]") {
  const double x = tip(1e-3, 1.0);
  CHECK(x > 0.01);
  CHECK(double(tip(1e-3f, 1.f)) == Approx(x).epsilon(1e-4));
}

TEST_CASE("a motion has derivatives by a load and by the time of internal damping", "[rod][damping]") {
  using D = Dual<double, 2>;
  const D x = tip(D::variable(1e-3, 0), D::variable(1.0, 1));
  const double a = 1e-7, b = 1e-5;
  CHECK(x.value() == Approx(tip(1e-3, 1.0)).epsilon(1e-12));
  CHECK(x.derivative(0) == Approx((tip(1e-3 + a, 1.0) - tip(1e-3 - a, 1.0)) / (2 * a)).epsilon(1e-6));
  CHECK(x.derivative(1) == Approx((tip(1e-3, 1.0 + b) - tip(1e-3, 1.0 - b)) / (2 * b)).epsilon(1e-6));
}

}  // namespace load_scalars_test
