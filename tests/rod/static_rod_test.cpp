#include <dalembert/rod/detail/static_rod.hpp>

#include <algorithm>
#include <cmath>

#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace static_rod_test {

using namespace dalembert;
using namespace dalembert::rod;
using Catch::Matchers::WithinRel;
using R = ElasticRod<double>;
using V = Vec<double, 3>;

TEST_CASE("The residual is the worst free force or torque relative to what the elements carry", "[statics]") {
  R::Parameters p;
  p.start = Boundary<double>::clamped();
  p.finish = Boundary<double>::pinned();
  const R rod = test::soft_rod<R>(0.02, 12, p);
  test::Random random(test::seed());
  // bends load by moments, shear by forces on the arm of an element
  for (const test::Wildness& wild : {test::Wildness{.bend = 1.0, .strain = 0.0, .stretch = 1.0},
                                     test::Wildness{.bend = 0.0, .strain = 0.2, .stretch = 1.0},
                                     test::Wildness{.bend = 0.3, .strain = 0.02, .stretch = 1.0}}) {
    CAPTURE(wild.bend, wild.strain);
    const Chain<double> chain = test::random_chain<R>(rod, Mat<double, 3>::Identity(), random, wild);
    double force = 0, torque = 0, free_force = 0, free_torque = 0;
    for (Eigen::Index k = 0; k < 12; ++k) {
      const Stress<double> stress = rod.stress(chain, k);
      const V arm = rod.spacing() * rod.strain(chain, k).stretch;
      force = std::max(force, stress.force.norm());
      torque = std::max(torque, stress.moment.norm() + stress.force.cross(arm).norm());
    }
    Columns<double, 6> f = Columns<double, 6>::Zero(padded_rows<double>(13), 6);
    rod.forces(chain, f);
    for (Eigen::Index k = 1; k < 13; ++k)  // the first node is clamped, the last may turn only
      for (int i = 0; i < 3; ++i) {
        if (k < 12) free_force = std::max(free_force, std::abs(f(k, i)));
        free_torque = std::max(free_torque, std::abs(f(k, 3 + i)));
      }
    StaticRod<R> work(rod);
    work.assemble(rod, chain);
    INFO(free_force / force << " " << free_torque / torque);
    REQUIRE_THAT(work.residual(rod, 0.5),
                 WithinRel(std::max(free_force / force, free_torque / torque), 1e-9));
  }
}

}  // namespace static_rod_test
