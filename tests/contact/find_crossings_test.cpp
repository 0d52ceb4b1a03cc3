#include <dalembert/contact/find_crossings.hpp>

#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace find_crossings_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

const SO3<double> along_x = SO3<double>::exp(V(0, M_PI / 2, 0)),
                  along_y = SO3<double>::exp(V(-M_PI / 2, 0, 0));

/// A rod along x, and three along y: one on it, one under it, one above and out of its reach.
struct Scene {
  Rod rod = test::soft_rod<Rod>(0.005, 50);
  std::vector<Rod> rods{rod, rod, rod, rod};
  std::vector<double> radii{0.005, 0.004, 0.006, 0.005};
  std::vector<rod::Chain<double>> chains{
      rod.straight({-0.5, 0, 0}, along_x), rod.straight({-0.2, -0.4, 0.0091}, along_y),
      rod.straight({0.123, -0.6, -0.0109}, along_y), rod.straight({0.3, -0.5, 0.0151}, along_y)};
};

TEST_CASE("rods that touch get a crossing where they do", "[contact]") {
  const Scene scene;
  const auto found =
      contact::find_crossings(scene.rods, scene.chains, scene.radii, 0.04, {.tolerance = 2e-4});
  REQUIRE(found.crossings.size() == 2);
  REQUIRE(found.z.size() == 4);
  CHECK(found.crossings[0].first.body == 0);
  CHECK(found.crossings[0].second.body == 1);
  CHECK(found.crossings[0].radius1 == 0.005);
  CHECK(found.crossings[0].radius2 == 0.004);
  CHECK(found.crossings[0].first.reach() == Approx(0.04));
  CHECK(found.crossings[1].second.body == 2);
  CHECK(found.crossings[1].radius2 == 0.006);
  for (Eigen::Index i = 0; i < 4; ++i)
    CHECK(found.z[i] ==
          Approx(std::vector{0.3, 0.4, 0.623, 0.6}[static_cast<std::size_t>(i)]).epsilon(1e-12));
  CHECK(found.places[0].gap() == Approx(1e-4).epsilon(1e-9));
  CHECK(found.places[1].gap() == Approx(-1e-4).epsilon(1e-9));
}

TEST_CASE("rods that overlap before they start are a typed error that says where and how deep", "[contact]") {
  const Scene scene;
  try {
    (void)contact::find_crossings(scene.rods, scene.chains, scene.radii, 0.04, {.tolerance = 5e-5}, {}, 1.5);
    FAIL("no error");
  } catch (const BodiesOverlap& error) {
    CHECK(error.bodies() == std::array<std::size_t, 2>{0, 2});
    CHECK(error.arc_lengths()[0] == Approx(0.623).epsilon(1e-12));
    CHECK(error.arc_lengths()[1] == Approx(0.6).epsilon(1e-12));
    CHECK(error.depth() == Approx(1e-4).epsilon(1e-9));
    CHECK(error.time() == 1.5);
    CHECK_THAT(error.what(), ContainsSubstring("body 0 at s = 0.623 m and body 2 at s = 0.6 m"));
  }
}

TEST_CASE("radii that are not one for each rod are refused", "[contact]") {
  Scene scene;
  scene.radii.pop_back();
  CHECK_THROWS_WITH(contact::find_crossings(scene.rods, scene.chains, scene.radii, 0.04, {}),
                    ContainsSubstring("find_crossings: radii = 3, but there are 4 rods"));
}

}  // namespace find_crossings_test
