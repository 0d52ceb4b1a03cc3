#include <dalembert/assembly/drawing.hpp>

#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace assembly_drawing_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using Catch::Matchers::ContainsSubstring;

/// The radius of a node that is visited.
struct Radius {
  double value = 0;
  void operator()(const char*, const auto&) {}
  void scalars(const char*, double x) { value = x; }
  void vectors(const char*, const auto&) {}
  void normals(const char*, const auto&) {}
};

TEST_CASE("bodies of all kinds are drawn in the order of their chains", "[assembly]") {
  const Rod rod = test::soft_rod<Rod>(0.02, 4);
  const Body ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{bodies(std::vector{ball, ball}, std::vector{rod})};
  const auto x = problem.state(
      {ball.at({1, 0, 0}), ball.at({2, 0, 0}), rod.straight({3, 0, 0}, SO3<double>::identity())});
  const auto all = drawn(problem, x, {0.1, 0.2, 0.02});
  REQUIRE(all.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(all[i].nodes() == x[i].nodes);
    CHECK(all[i].position(0) == x[i].position(0));
    Radius radius;
    all[i].visit_node(0, radius);
    CHECK(radius.value == (i == 0 ? 0.1 : i == 1 ? 0.2 : 0.02));
  }
  auto fewer = x;
  fewer.chains.pop_back();
  CHECK_THROWS_AS(drawn(problem, fewer, {0.1, 0.2}), std::invalid_argument);
  CHECK_THROWS_WITH(drawn(problem, x, {0.1, 0.2}), ContainsSubstring("drawn: radii = 2, but"));
  CHECK_THROWS_WITH(drawn(problem, x, {0.1, 0.2, -1}), ContainsSubstring("radius of body 2 = -1"));
}

}  // namespace assembly_drawing_test
