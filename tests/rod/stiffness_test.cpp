#include <dalembert/rod/stiffness.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace stiffness_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Eigen::Index;

TEST_CASE("the stiffness of a rod is the derivative of its loads", "[rod][statics]") {
  rod::ElasticRod<double>::Parameters p;
  p.loads.finish.follower_force = {1, 2, 3};
  p.loads.start.moment = {0.1, 0.2, 0.3};
  const auto rod = test::soft_rod<Rod>(0.005, 6, p);
  test::Random random{test::seed()};
  const auto chain = test::random_chain(rod, Mat<double, 3>(Mat<double, 3>::Identity()), random);
  Vec<double, 42> direction, product = Vec<double, 42>::Zero();
  for (auto& d : direction) d = random();
  add_stiffness(rod, chain, [&](Index k, Index l, const auto& block) {
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b) product[6 * k + a] += block(a, b) * direction[6 * l + b];
  });
  const double h = 1e-6;
  const auto loads = [&](double step) {
    auto moved = chain;
    for (Index k = 0; k < 7; ++k)
      rod::move_node(moved, k, V(step * direction.segment<3>(6 * k)),
                     V(step * direction.segment<3>(6 * k + 3)));
    auto f = rod::zero_columns<double, 6>(7);
    REQUIRE(rod.forces(moved, f));
    return f;
  };
  const auto above = loads(h), below = loads(-h);
  for (Index k = 0; k < 7; ++k)
    for (int j = 0; j < 6; ++j)
      CHECK(std::abs((above(k, j) - below(k, j)) / (2 * h) + product[6 * k + j]) < 1e-6 * product.norm());
}

}  // namespace stiffness_test
