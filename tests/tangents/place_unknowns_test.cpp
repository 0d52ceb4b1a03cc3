#include <dalembert/tangents/place_unknowns.hpp>

#include <tuple>
#include <vector>

#include "support/catch.hpp"

namespace place_unknowns_test {

using dalembert::assembly::detail::PlaceUnknowns;
using dalembert::assembly::detail::TangentView;
using Eigen::Index;
using Put = std::vector<std::tuple<Index, Index, double>>;

/// A tangent of two nodes, an internal coordinate and a position row, as numbers that tell their place.
struct Tangent {
  static constexpr int places = 2, slides = 1, positions = 1, rows = 14, variables = 13;
  std::vector<double> changes, rates;

  Tangent() {
    for (int v = 0; v < variables; ++v)
      for (int r = 0; r < rows; ++r) changes.push_back(entry(r, v));
    for (int a = 0; a < 12; ++a) rates.push_back(1000 + a);
  }
  static double entry(int row, int variable) { return 100 * (row + 1) + variable; }
  TangentView<double> view(bool by_rates = false) const {
    return {places, slides, positions, nullptr, changes.data(), by_rates ? rates.data() : nullptr};
  }
};
/// Nodes whose unknowns begin at 30 and at 6, and a coordinate at 50.
PlaceUnknowns<double> nodes(const TangentView<double>& view) {
  PlaceUnknowns<double> unknowns;
  unknowns.find_nodes({30, 6}, 50, view);
  return unknowns;
}
Index unknown_of(int variable) {
  return variable == 12 ? 50 : variable < 6 ? 30 + variable : variable;  // the second begins at 6 in both
}

TEST_CASE("a view of a tangent knows where the rows of its parts begin", "[tangents]") {
  const Tangent tangent;
  const auto view = tangent.view();
  CHECK(view.tangency() == 12);
  CHECK(view.position() == 13);
  CHECK(view.rows() == 14);
  CHECK(view.change(3, 7) == Tangent::entry(3, 7));
  CHECK(view.change(13, 12) == Tangent::entry(13, 12));
}

TEST_CASE("what a node is seen by are its own unknowns", "[tangents]") {
  const Tangent tangent;
  const auto unknowns = nodes(tangent.view());
  for (int v = 0; v < 13; ++v) {
    REQUIRE(unknowns.variable(v).size() == 1);
    CHECK(unknowns.variable(v)[0].unknown == unknown_of(v));
    CHECK(unknowns.variable(v)[0].weight == 1);
    if (v == 12) continue;
    REQUIRE(unknowns.velocity(v).size() == 1);
    CHECK(unknowns.velocity(v)[0].unknown == unknown_of(v));
  }
}

TEST_CASE("the geometric stiffness is minus the change of the pull, put where its unknowns are",
          "[tangents]") {
  Tangent tangent;
  tangent.changes[3 + 14 * 8] = 0;  // is put nowhere
  Put put;
  nodes(tangent.view()).each_geometric_stiffness([&](Index r, Index c, double k) {
    put.emplace_back(r, c, k);
  });
  Put wanted;
  for (int a = 0; a < 12; ++a)
    for (int v = 0; v < 13; ++v)
      if (a != 3 || v != 8) wanted.emplace_back(unknown_of(a), unknown_of(v), -Tangent::entry(a, v));
  CHECK(put == wanted);
}

TEST_CASE("rows of the tangency and of positions are put by their numbers", "[tangents]") {
  const Tangent tangent;
  Put tangency, slopes, wanted_tangency, wanted_slopes;
  const auto unknowns = nodes(tangent.view());
  unknowns.each_tangency([&](Index r, Index c, double x) { tangency.emplace_back(r, c, x); });
  unknowns.each_slope([&](Index r, Index c, double x) { slopes.emplace_back(r, c, x); });
  for (int v = 0; v < 13; ++v) {
    wanted_tangency.emplace_back(0, unknown_of(v), Tangent::entry(12, v));
    wanted_slopes.emplace_back(0, unknown_of(v), Tangent::entry(13, v));
  }
  CHECK(tangency == wanted_tangency);
  CHECK(slopes == wanted_slopes);
}

TEST_CASE("a coordinate that runs by its rate stands where that brings it", "[tangents]") {
  const Tangent tangent;
  Put put, wanted{{0, 50, 1}};
  nodes(tangent.view(true)).each_tangency([&](Index r, Index c, double x) { put.emplace_back(r, c, x); });
  for (int a = 0; a < 12; ++a) wanted.emplace_back(0, unknown_of(a), -(1000 + a));
  CHECK(put == wanted);
}

TEST_CASE("what was found before is forgotten", "[tangents]") {
  const Tangent tangent;
  auto unknowns = nodes(tangent.view());
  unknowns.find_nodes({12, 18}, 24, tangent.view());
  REQUIRE(unknowns.variable(0).size() == 1);
  CHECK(unknowns.variable(0)[0].unknown == 12);
  CHECK(unknowns.velocity(11)[0].unknown == 23);
  CHECK(unknowns.variable(12)[0].unknown == 24);
}

}  // namespace place_unknowns_test
