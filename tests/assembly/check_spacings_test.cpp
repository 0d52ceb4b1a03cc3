// Markers on rods of the same length, some of other nodes than those that they were made for.

#include <dalembert/assembly/detail/check_spacings.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace check_spacings_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Rod = rod::ElasticRod<double>;
using Bead = contact::Bead<double>;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a marker is refused on nodes at another distance than its own, beyond rounding",
          "[assembly][check_spacings]") {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const double h : {1e-6, 0.3, 1e6}) {
    CAPTURE(h);
    const auto check = [&](double made_for) { check_spacing(made_for, h, 5, "Bead", 2); };
    CHECK_NOTHROW(check(h));
    CHECK_NOTHROW(check(h * (1 + 32 * epsilon)));
    CHECK_NOTHROW(check(h * (1 - 32 * epsilon)));
    CHECK_THROWS_AS(check(h * (1 + 256 * epsilon)), std::invalid_argument);
    CHECK_THROWS_AS(check(h * (1 - 256 * epsilon)), std::invalid_argument);
    CHECK_NOTHROW(check_spacing(h, 0.0, 5, "Bead", 2));  // no rod
  }
  CHECK_THROWS_WITH(check_spacing(0.25, 0.5, 5, "Bead", 2),
                    "Bead 2: distance of nodes of a marker = 0.25, but the nodes of body 5 are 0.5 m apart: "
                    "it is another rod");
}

TEST_CASE("every marker is looked at, on the body that it is on, whatever kinds there are",
          "[assembly][check_spacings]") {
  const Rod coarse = test::soft_rod<Rod>(0.02, 20), fine = test::soft_rod<Rod>(0.02, 40);
  const RigidBody<double> ball{{.mass = 1, .inertia = {1, 1, 1}}};
  // body 0 is no rod, 1 to 3 are
  const auto bodies = std::tuple{std::vector{ball}, std::vector{coarse, fine, coarse}};
  const auto on = [](std::size_t body, const Rod& rod) {
    return Bead{{body, rod, 0.15}, {0, 0, {0.1, 0, 0}}};
  };
  const auto check = [&](const std::vector<Bead>& first, const std::vector<Bead>& more) {
    check_spacings<double>(bodies, std::tuple{first, std::vector<Bead>{}, more});
  };
  CHECK_NOTHROW(check({on(1, coarse), on(2, fine)}, {on(3, coarse)}));
  CHECK_NOTHROW(check({}, {}));
  CHECK_THROWS_WITH(check({on(1, coarse), on(2, coarse)}, {}),
                    ContainsSubstring("Bead 1: distance") && ContainsSubstring("body 2 are 0.025 m apart"));
  CHECK_THROWS_WITH(check({on(1, coarse)}, {on(3, fine)}), ContainsSubstring("Bead 0: distance") &&
                                                               ContainsSubstring("= 0.025") &&
                                                               ContainsSubstring("body 3 are 0.05 m apart"));
}

}  // namespace check_spacings_test
