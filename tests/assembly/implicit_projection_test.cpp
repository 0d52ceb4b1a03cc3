#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>

#include "support/catch.hpp"
#include "support/closing_scene.hpp"

namespace implicit_projection_test {

using namespace closing_scene;

TEST_CASE("implicit steps close position rows wherever in space, and however large, the body is",
          "[assembly][closing]") {
  for (int kind = 0; kind < 12; ++kind) {
    Failures failures;
    for (unsigned i = 0; i < 100; ++i) {
      Scene scene(test::seed() + 1000 * static_cast<unsigned>(kind) + i, 1);
      scene.add(kind);
      failures.start(scene, ImplicitMidpoint{});
    }
    CAPTURE(names[static_cast<std::size_t>(kind)], failures.first);
    CHECK(failures.count == 0);
    CHECK(failures.worst / epsilon < 64);
  }
}

}  // namespace implicit_projection_test
