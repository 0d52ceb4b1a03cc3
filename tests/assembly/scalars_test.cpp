// Assemblies over numbers with derivatives: what comes out knows how it depends on a parameter.

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/frictionless_contact.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace scalars_test {

using namespace dalembert;
using namespace dalembert::assembly;
using D = Dual<double, 1>;
using V = Vec<D, 3>;
using Rod = rod::ElasticRod<D>;
using Sliding = contact::FrictionlessContact<D>;

/// Two stretched rods that lie on each other under the gravity g, a body in a joint on the upper one.
struct Scene {
  explicit Scene(const D& g)
      : rod([&] {
          Rod::Parameters p;
          p.loads.gravity = V(D(0), D(0), -g);
          p.start = p.finish = rod::Boundary<D>::clamped();
          return test::soft_rod<Rod>(0.005, 20, p);
        }()),
        body([&] {
          RigidBody<D>::Parameters p;
          p.mass = D(0.02);
          p.inertia = V(D(1e-5), D(2e-5), D(1.5e-5));
          p.gravity = V(D(0), D(0), -g);
          return RigidBody<D>(p);
        }()) {}
  std::vector<rod::Chain<D>> rods() const {
    return {rod.straight(V(D(-0.55), D(0), D(0)), SO3<D>::exp({D(0), D(M_PI / 2), D(0)}), D(1.1)),
            rod.straight(V(D(0), D(-0.55), D(0.01)), SO3<D>::exp({D(-M_PI / 2), D(0), D(0)}), D(1.1))};
  }
  Sliding crossing() const { return {{0, rod, D(0.05)}, {1, rod, D(0.05)}, D(0.005), D(0.005), true}; }
  Vec<D, Eigen::Dynamic> positions() const { return Vec<D, Eigen::Dynamic>::Constant(2, D(0.5)); }

  Rod rod;
  RigidBody<D> body;
};

/// f(9.81) has the derivative of its values.
template <class F>
void check(const F& f, double digits) {
  const double h = 1e-3;
  const D y = f(D::variable(9.81, 0));
  const double slope = (f(D(9.81 + h)).value() - f(D(9.81 - h)).value()) / (2 * h);
  REQUIRE(std::abs(slope) > 1e-7);
  CHECK(std::abs(y.derivative(0) - slope) < digits * std::abs(slope));
}

TEST_CASE("steps of an assembly carry derivatives along", "[assembly][scalars]") {
  check(
      [](const D& g) {
        const Scene s(g);
        const Assembly problem{
            bodies(std::vector{s.rod, s.rod}, std::vector{s.body}),
            constraints(std::vector{s.crossing()},
                        std::vector{SphericalJoint<D>{{1, 10}, {2, 0, V(D(0.1), D(0), D(0.02))}}})};
        auto chains = s.rods();
        chains.push_back(s.body.at(V(D(-0.1), D(0), D(-0.01))));
        auto x = problem.state(chains, s.positions());
        problem.project(x);
        auto verlet = Verlet{}.stepper(problem, x);
        for (int i = 0; i < 100; ++i) REQUIRE(verlet.step(problem, x, D(5e-5)).converged);
        auto rk = RungeKutta4{}.stepper(problem, x);
        for (int i = 0; i < 10; ++i) REQUIRE(rk.step(problem, x, D(5e-5)).converged);
        return D(x[2].configuration(0, 2));
      },
      1e-6);
}

TEST_CASE("a static equilibrium knows how it depends on its loads", "[assembly][statics][scalars]") {
  check(
      [](const D& g) {
        const Scene s(g);
        const Assembly problem{bodies(std::vector{s.rod, s.rod}), constraints(std::vector{s.crossing()})};
        auto x = problem.state(s.rods(), s.positions());
        static_equilibrium(problem, x);
        return D(x[0].configuration(10, 2));
      },
      1e-6);
}

}  // namespace scalars_test
