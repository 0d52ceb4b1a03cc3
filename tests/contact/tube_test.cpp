#include <dalembert/contact/tube.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace tube_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Tube = contact::Tube<double>;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("windows fit on a rod between the ends of its range, and nowhere else", "[contact]") {
  for (const int elements : {13, 50, 97})
    for (const double width : {0.0, 2.0, 3.0}) {
      for (const double length : {1e-4, 1.0, 1e5}) {
        const Rod rod = [&] {
          auto p = test::soft_rod<Rod>(0.01, elements).parameters();
          p.length = length;
          return Rod(test::soft_rod<Rod>(0.01, elements).material(), p);
        }();
        const double kernel_width = std::max(1.0, width) * rod.spacing();
        if (4 * kernel_width + 2 * rod.spacing() > rod.length()) continue;
        CAPTURE(elements, width, length);
        const auto tube = Tube::of_rod(2, rod, 0.01, kernel_width);
        CHECK(tube.body == 2);
        CHECK(tube.nodes == elements + 1);
        const auto chain = rod.straight({0, 0, 0}, SO3<double>::identity());
        for (const double s : tube.range) CHECK_NOTHROW(tube.average->at(chain, s, 0, 1));
        const double beyond = 1e-12 * length;
        CHECK_THROWS_AS(tube.average->at(chain, tube.range[0] - beyond, 0, 1), ContactAtEnd);
        CHECK_THROWS_AS(tube.average->at(chain, tube.range[1] + beyond, 0, 1), ContactAtEnd);
      }
    }
}

TEST_CASE("a tube without a thickness is refused", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(0.01, 40);
  CHECK_THROWS_WITH(Tube::of_rod(0, rod, 0.0, 0.02), ContainsSubstring("Tube: radius = 0"));
  CHECK_THROWS_WITH(Tube::ball(0, std::nan("")), ContainsSubstring("Tube: radius"));
  CHECK_THROWS_WITH(Tube::ball(0, HUGE_VAL), ContainsSubstring("Tube: radius"));
  CHECK_THROWS_WITH(Tube::of_rod(0, rod, 0.01, 0.5), ContainsSubstring("kernel_width = 0.5"));
}

}  // namespace tube_test
