#include <dalembert/contact/detail/segment_pair.hpp>

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace segment_pair_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Pair = contact::detail::SegmentPair<double>;

TEST_CASE("segments that cross come closest where they do", "[contact]") {
  const Pair p({-0.84, 0, 0}, {1.2, 0, 0}, {0, -0.33, 0.07}, {0, 2, 0});
  CHECK(p.u == Approx(0.7).epsilon(1e-14));
  CHECK(p.v == Approx(0.165).epsilon(1e-14));
  CHECK(std::sqrt(p.square) == Approx(0.07).epsilon(1e-14));
}

TEST_CASE("no points of two segments are nearer than those that are found, and none nearby either",
          "[contact]") {
  test::Random random(test::seed());
  constexpr int parts = 40;
  int inside = 0, at_ends = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const V r = random.vector<double>(), d = random.vector<double>(), q = 0.7 * random.vector<double>();
    // some are parallel, some are points
    const V e = trial % 7 == 0 ? V(-1.3 * d) : trial % 11 == 0 ? V(V::Zero()) : V(random.vector<double>());
    const Pair p(r, d, q, e);
    CHECK(p.u >= 0);
    CHECK(p.u <= 1);
    CHECK(p.v >= 0);
    CHECK(p.v <= 1);
    CHECK(p.square == Approx((r + p.u * d - q - p.v * e).squaredNorm()).epsilon(1e-14));
    double best = HUGE_VAL;
    for (int i = 0; i <= parts; ++i)
      for (int j = 0; j <= parts; ++j)
        best = std::min(best, (r + (1.0 * i / parts) * d - q - (1.0 * j / parts) * e).norm());
    const double found = std::sqrt(p.square);
    CHECK(found <= best + 1e-15);
    CHECK(found > best - (d.norm() + e.norm()) / (2 * parts));
    CHECK(std::sqrt(Pair(q, e, r, d).square) == Approx(found).epsilon(1e-12).margin(1e-15));
    (p.u > 0 && p.u < 1 && p.v > 0 && p.v < 1 ? inside : at_ends) += 1;
  }
  CHECK(inside > 20);
  CHECK(at_ends > 20);
}

}  // namespace segment_pair_test
