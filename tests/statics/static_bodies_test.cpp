#include <dalembert/statics/detail/static_bodies.hpp>

#include <array>
#include <limits>
#include <tuple>
#include <vector>

#include <dalembert/assembly/detail/kinds_of.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/point_nodes.hpp"

namespace static_bodies_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Catch::Matchers::ContainsSubstring;
using test::on_springs;
using test::PointNodes;
using V3 = Vec<double, 3>;

/// Points of another kind.
struct Others : PointNodes {};

/// Bodies of two kinds of 2, 1 and 3 nodes, in a state.
struct Scene {
  std::vector<PointNodes> points;
  std::vector<Others> others;
  KindsOf<StaticBodies<double>, StaticOfKind<PointNodes>, StaticOfKind<Others>> by_kind;
  StaticBodyList<double> list;
  State<double> x;
  StaticTable<double> table;

  explicit Scene(test::Draw& draw)
      : points{on_springs(2, {V3(0, 0, 0), V3(1, 2, 3)}), on_springs(3, {V3(0, 1, 0)}, V3(0, 0, -5))},
        others{Others{on_springs(4, std::vector<V3>(3, V3(1, 0, 0)))}},
        by_kind(std::tie(points, others)),
        list(by_kind.view()) {
    x.time = 0.5;
    for (const Eigen::Index nodes : {2, 1, 3}) {
      x.chains.emplace_back(nodes);
      for (Eigen::Index k = 0; k < nodes; ++k) x.chains.back().set_frame(k, draw.rotation(), draw.vector());
    }
    points[0].masses = {1.5, 2.5};
    points[0].held = {0, 1};
    points[0].place = [](Eigen::Index, double t) { return V3(t, 2 * t, 3); };
    table.nodes = 36;
    table.clear();
  }
  const PointNodes& body(std::size_t i) const { return i < 2 ? points[i] : others[0]; }
};

TEST_CASE("unknowns are six a node, one body after the other", "[statics]") {
  test::Draw draw(test::seed());
  Scene s(draw);
  CHECK(s.list.number(s.x) == 36);
  CHECK(s.list.first() == std::vector<Eigen::Index>{0, 12, 18});
  std::vector<std::array<Eigen::Index, 3>> found;
  s.list.each_node(s.x, [&](std::size_t i, Eigen::Index k, Eigen::Index first) {
    found.push_back({static_cast<Eigen::Index>(i), k, first});
  });
  const std::vector<std::array<Eigen::Index, 3>> wanted{{0, 0, 0},  {0, 1, 6},  {1, 0, 12},
                                                        {2, 0, 18}, {2, 1, 24}, {2, 2, 30}};
  CHECK(found == wanted);
  Column<double> mass = Column<double>::Constant(36, -1);
  s.list.each_mass(s.x, [&](Eigen::Index row, double m) { mass[row] = m; });
  for (Eigen::Index row = 0; row < 36; ++row) {
    CAPTURE(row);
    const double wanted_mass = row % 6 >= 3 || row / 6 == 1 ? 0 : row / 6 == 0 ? 1.5 : 1;
    CHECK(mass[row] == Approx(wanted_mass));
  }
}

TEST_CASE("what bodies say is asked of each with its own chain", "[statics]") {
  test::Draw draw(test::seed());
  Scene s(draw);
  (void)s.list.number(s.x);
  s.list.each([&](const StaticBodies<double>& kind, std::size_t own, std::size_t i) {
    CAPTURE(i);
    CHECK(own == (i == 1 ? 1 : 0));
    s.points[1].valid = false;
    CHECK(s.list.push_loads(kind, own, i, s.x, s.table) == (i != 1));
    for (Eigen::Index k = 0; k < s.x[i].nodes; ++k) {
      const V3 pull = s.body(i).force(k, s.x[i].position(k));
      for (int j = 0; j < 6; ++j)
        CHECK(s.table.force[s.list.first()[i] + 6 * k + j] == (j < 3 ? pull[j] : 0));
    }
    Eigen::Index next = 0;
    const auto add = [&](Eigen::Index k, Eigen::Index l, const Mat<double, 6, 6>& block) {
      CHECK(k == next++);
      CHECK(l == k);
      CHECK(block(0, 0) == 2.0 + static_cast<double>(i));
    };
    kind.each_stiffness(own, s.x[i], s.x.time, std::cref(add));
    CHECK(next == s.x[i].nodes);
    double extent = 0;
    for (Eigen::Index k = 1; k < s.x[i].nodes; ++k)
      for (int j = 0; j < 3; ++j)
        extent = std::max(extent, std::abs(s.x[i].position(k)[j] - s.x[i].position(0)[j]));
    if (extent > 0) CHECK(kind.length(own, s.x[i]) == Approx(extent));
  });
  const State<double> before = s.x;
  s.list.put_held(s.x);
  CHECK((s.x[0].position(1) - V3(0.5, 1, 3)).norm() == 0);
  CHECK((s.x[0].position(0) - before[0].position(0)).norm() == 0);
  CHECK((s.x[2].configuration - before[2].configuration).matrix().norm() == 0);
}

TEST_CASE("chains that do not fit the bodies are refused", "[statics]") {
  test::Draw draw(test::seed());
  const auto number = [](Scene& s) { return s.list.number(s.x); };
  const auto refuses = [&](const auto& change, const char* quantity, const char* rule) {
    Scene s(draw);
    change(s.x);
    CHECK_THROWS_AS(number(s), std::invalid_argument);
    Scene again(draw);
    change(again.x);
    CHECK_THROWS_WITH(number(again),
                      ContainsSubstring("statics") && ContainsSubstring(quantity) && ContainsSubstring(rule));
  };
  refuses([](auto& x) { x.chains.pop_back(); }, "chain = 2", "one chain per body");
  refuses([](auto& x) { x.chains.emplace_back(1); }, "chains = 4", "one chain per body");
  refuses([](auto& x) { x.chains[2] = Chain<double>(2); }, "nodes of chain 2 = 2", "nodes of its body");
  refuses([](auto& x) { x[1].configuration(0, 2) = std::numeric_limits<double>::quiet_NaN(); },
          "chain 1 = not finite", "positions must be finite");
}

}  // namespace static_bodies_test
