#include <dalembert/modes/detail/place_sensitivity.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace place_sensitivity_test {

using Entry = dalembert::linalg::SparseEntry<double>;

/// Small motions of three degrees of nodes and four places.
struct Motions {
  int nodes = 3, slides = 4;
  std::vector<Entry> stiffness;
};

TEST_CASE("places follow small motions of nodes by their own rows alone", "[assembly]") {
  // rows of nodes come first, and are not asked; a place depends on one three away, further than any on a node
  const std::vector<Entry> of_places = {{3, 2, -1.5}, {4, 2, 0.5}, {3, 3, 5},  {3, 5, 1},
                                        {4, 4, 4},    {4, 3, 1},   {3, 6, -2}, {5, 5, 6},
                                        {5, 3, -1},   {6, 6, 3},   {6, 3, 0.5}};
  Motions motions{.stiffness = {{0, 0, 7}, {1, 5, 2}, {2, 6, 3}}};
  motions.stiffness.insert(motions.stiffness.end(), of_places.begin(), of_places.end());
  dalembert::assembly::detail::PlaceSensitivity<double> places(motions);
  // what lies behind the numbers of the nodes is no part of them
  std::vector<double> q(7, std::numeric_limits<double>::quiet_NaN());
  q.resize(3);
  q = {0.3, -0.2, 0.7};
  const std::vector<double> all = places.follow(std::move(q));
  REQUIRE(all.size() == 7);
  CHECK((all[0] == 0.3 && all[1] == -0.2 && all[2] == 0.7));
  for (int row = 3; row < 7; ++row) {
    double left = 0;
    for (const Entry& e : of_places)
      if (e.row == row) left += e.value * all[static_cast<std::size_t>(e.column)];
    CHECK(std::abs(left) < 1e-14);
  }
  CHECK(std::abs(all[3]) > 0.1);
}

}  // namespace place_sensitivity_test
