#include <dalembert/io/csv_curves.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <dalembert/rod/drawing.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"

namespace csv_curves_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using test::Folder;
using test::text_of;

/// A line of nodes with a number and a column.
struct Line {
  int count = 2;
  bool more = false;

  [[nodiscard]] int nodes() const { return count; }
  static V position(std::int64_t k) { return {static_cast<double>(k), 0.5, 0}; }
  template <class Visitor>
  void visit_node(std::int64_t k, Visitor&& visit) const {
    visit.scalars("heat", 2.0 * static_cast<double>(k));
    visit("way", V(1, 2, 3));
    if (more) visit("number", k);
  }
};
struct LineWithUnits : Line {
  static const char* unit(const std::string& name) { return name == "heat" ? "K" : "m"; }
};

TEST_CASE("curves are tables with a row per node", "[csv]") {
  const Folder folder;
  io::write_csv(folder / "lines.csv", std::vector{LineWithUnits{{.count = 2}}, LineWithUnits{{.count = 1}}});
  CHECK(text_of(folder / "lines.csv") ==
        "# units: body [1], x [m], y [m], z [m], heat [K], way_1 [m], way_2 [m], way_3 [m]\n"
        "body,x,y,z,heat,way_1,way_2,way_3\n"
        "0,0,0.5,0,0,1,2,3\n"
        "0,1,0.5,0,2,1,2,3\n"
        "1,0,0.5,0,0,1,2,3\n");
  io::write_csv(folder / "plain.csv", std::vector{Line{.count = 1, .more = true}});
  CHECK(text_of(folder / "plain.csv") ==
        "# units: body [1], x [m], y [m], z [m], heat [1], way_1 [1], way_2 [1], way_3 [1], number [1]\n"
        "body,x,y,z,heat,way_1,way_2,way_3,number\n"
        "0,0,0.5,0,0,1,2,3,0\n");
}

TEST_CASE("a rod is a table of what its nodes have, with units", "[csv]") {
  using Rod = rod::ElasticRod<double>;
  const Folder folder;
  const Rod model = test::soft_rod<Rod>(0.02, 3);
  const auto chain = model.straight({0, 0, 1}, SO3<double>::identity(), 1.5);
  io::write_csv(folder / "rod.csv", rod::drawn(std::vector{model}, {chain}, {0.02}));
  const std::string text = text_of(folder / "rod.csv");
  CHECK_THAT(text, ContainsSubstring("radius [m], arc_length [m], e1_1 [1]"));
  CHECK_THAT(text,
             ContainsSubstring("curvature_3 [1/m], force_1 [N], force_2 [N], force_3 [N], moment_1 [N m]"));
  CHECK_THAT(text, ContainsSubstring("moment_in_space_3 [N m], energy [J/m]\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 2 + 4);
  CHECK_THAT(text, ContainsSubstring("\n0,0,0,1.5,"));  // its second node
}

TEST_CASE("curves that differ, or are none, make no table", "[csv]") {
  const Folder folder;
  CHECK_THROWS_WITH(io::write_csv(folder / "x.csv", std::vector{Line{}, Line{.more = true}}),
                    ContainsSubstring("nodes of curve = 1"));
  CHECK_THROWS_AS(io::write_csv(folder / "x.csv", std::vector<Line>{}), std::invalid_argument);
  CHECK_THROWS_AS(io::write_csv("/dev/null/x.csv", std::vector{Line{}}), std::runtime_error);
}

}  // namespace csv_curves_test
