// Clusters of rows that follow from others, or contradict them, against a dense singular value decomposition.

#include <string>

#include "support/catch.hpp"
#include "support/random_cluster.hpp"

namespace redundant_rows_test {

template <bool elsewhere>
void check(double mass_range, int most_ambiguous) {
  int ambiguous = 0;
  for (unsigned i = 0; i < 600; ++i) {
    test::cluster::RandomCluster random(1000 * test::seed() + i);
    random.mass_range = mass_range;
    CAPTURE(i);
    CHECK(random.fault<elsewhere>() == "");
    ambiguous += random.ambiguous;
  }
  CHECK(ambiguous <= most_ambiguous);
}

TEST_CASE("rank, multipliers of least norm, and what contradictory rows leave are those of singular values",
          "[clusters][singular]") {
  check<false>(2, 5);
  check<true>(2, 5);
}

TEST_CASE("they are so where masses are up to twelve powers of ten apart", "[clusters][singular]") {
  check<false>(6, 100);
  check<true>(6, 100);
}

}  // namespace redundant_rows_test
