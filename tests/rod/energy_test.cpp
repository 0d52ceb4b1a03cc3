#include <dalembert/rod/energy.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace energy_test {
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
TEST_CASE("energies and momenta of a rod in simple motions are the known ones") {
  Rod::Parameters p;
  p.elements = 20;
  p.length = 2.0;
  p.inertia = {0.5, V(0.01, 0.01, 0.02)};
  p.loads.gravity = V(0, 0, -9.81);
  p.loads.finish.force = V(0, 3, 0);
  Vec<double, 6> k;
  k << 20, 20, 30, 0.5, 0.5, 0.3;
  const Rod model(rod::LinearElastic<double>(k), p);
  auto chain = model.straight(
      V(0, 0, 5), test::rotation<double>(test::rotation_matrix<double>(V(-1.57079632679489662, 0, 0))), 1.1);
  CHECK((chain.position(20) - V(0, 2.2, 5)).norm() < 1e-14);  // along y
  CHECK(rod::elastic_energy(model, chain) == Approx(0.5 * 30 * 0.01 * 2.0));
  CHECK(rod::potential_energy(model, chain) == Approx(0.3 + 9.81 * 1.0 * 5 - 3 * 2.2));

  test::move_rigidly(chain, V(1, 2, 3), V(0, 0, 0));
  CHECK(rod::kinetic_energy(model, chain) == Approx(0.5 * 1.0 * 14));
  CHECK((rod::momentum(model, chain).head<3>() - V(1, 2, 3)).norm() < 1e-14);
  CHECK((rod::momentum(model, chain).tail<3>() - V(0, 1.1, 5).cross(V(1, 2, 3))).norm() < 1e-13);

  test::move_rigidly(chain, V(0, 0, 0), V(0, 4, 0));  // about the line x = z = 0, five metres below the rod
  CHECK(rod::kinetic_energy(model, chain) == Approx(0.5 * (1.0 * 25 + 2.0 * 0.02) * 16));
  CHECK((rod::momentum(model, chain).tail<3>() - V(0, (25 + 0.04) * 4, -1.1 * 5 * 4)).norm() < 1e-12);
}

}  // namespace energy_test
