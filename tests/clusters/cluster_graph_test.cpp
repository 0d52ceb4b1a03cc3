// Which constraints share nodes, beside all pairs of them node by node.

#include <dalembert/clusters/detail/cluster_graph.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/draw.hpp"

namespace cluster_graph_test {

using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Graph = ClusterGraph<double>;
using Node = std::pair<std::size_t, Eigen::Index>;

/// Constraints of some rows on windows.
struct Members {
  std::vector<int> rows{};
  std::vector<std::vector<Window>> windows{};

  void add(int count, std::vector<Window> on) {
    rows.push_back(count);
    windows.push_back(std::move(on));
  }
  std::vector<RowsView<double>> views() const {
    std::vector<RowsView<double>> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      RowsView<double> view{};
      view.rows = rows[i];
      view.places = static_cast<int>(windows[i].size());
      view.windows = windows[i].data();
      all.push_back(view);
    }
    return all;
  }
  /// The nodes of a member; on a closed string that goes on at its first node.
  std::set<Node> nodes(std::size_t i) const {
    std::set<Node> all;
    for (const Window& w : windows[i])
      for (Eigen::Index k = w.first; k < w.first + w.count; ++k)
        all.insert({w.body, w.around > 0 ? k % w.around : k});
    return all;
  }
};

Window window(std::size_t body, Eigen::Index first, Eigen::Index count, Eigen::Index around = 0) {
  Window w;
  w.body = body;
  w.first = first;
  w.count = count;
  w.around = around;
  w.line = around > 0;
  return w;
}

/// Pairs of members with a common node that is no hub, then hubs with their members; and those of hubs only.
std::pair<std::set<std::pair<int, int>>, std::vector<int>> wanted(const Members& m,
                                                                  const std::set<Node>& hubs) {
  std::set<std::pair<int, int>> pairs;
  std::vector<int> waits;
  const int n = static_cast<int>(m.rows.size());
  for (int i = 0; i < n; ++i) {
    const auto mine = m.nodes(static_cast<std::size_t>(i));
    const auto is_hub = [&](const Node& node) { return hubs.contains(node); };
    waits.push_back(!mine.empty() && std::all_of(mine.begin(), mine.end(), is_hub));
    for (int j = 0; j < i; ++j)
      for (const Node& node : m.nodes(static_cast<std::size_t>(j)))
        if (mine.contains(node) && !is_hub(node)) pairs.insert({i, j});
    for (const Node& node : mine)
      if (is_hub(node)) pairs.insert({n + static_cast<int>(std::distance(hubs.begin(), hubs.find(node))), i});
  }
  return {pairs, waits};
}
void check(const Graph& graph, const Members& m, const std::set<Node>& hubs) {
  const auto [pairs, waits] = wanted(m, hubs);
  CHECK(graph.pairs() == Graph::Pairs(pairs.begin(), pairs.end()));
  REQUIRE(graph.hubs().count() == static_cast<int>(hubs.size()));
  CHECK(graph.hub_rows() == 6 * graph.hubs().count());
  int h = 0;
  for (const Node& node : hubs) {
    CHECK(graph.hubs()[h].body == node.first);
    CHECK(graph.hubs()[h++].node == node.second);
  }
  std::vector<int> found{5, 5, 5};
  graph.find_waiting(m.rows.size(), found);
  CHECK(found == waits);
}

Members random_members(test::Draw& draw, int bodies, int nodes, int count) {
  Members m;
  for (int i = 0; i < count; ++i) {
    std::vector<Window> on;
    for (int place = draw.below(3); place >= 0; --place) {
      const auto body = static_cast<std::size_t>(draw.below(bodies));
      const bool closed = body % 3 == 2;  // a closed string
      const int first = draw.below(nodes), most = closed ? nodes : nodes - first;
      on.push_back(window(body, first, std::min(draw.below(4), most), closed ? nodes : 0));
    }
    m.add(1 + draw.below(6), std::move(on));
  }
  return m;
}

TEST_CASE("members couple where they share nodes, on closed strings too", "[clusters][graph]") {
  test::Draw draw(test::seed());
  Graph graph;
  for (int round = 0; round < 300; ++round) {
    const Members m = random_members(draw, 1 + draw.below(9), 1 + draw.below(30), draw.below(40));
    graph.find(m.views(), false);
    check(graph, m, {});
  }
}

TEST_CASE("nodes with 48 rows or more are hubs, through which their members do not couple",
          "[clusters][graph]") {
  test::Draw draw(test::seed());
  Graph graph;
  int all = 0;
  for (int round = 0; round < 200; ++round) {
    const Members m = random_members(draw, 1 + draw.below(5), 1 + draw.below(9), 10 + draw.below(60));
    std::map<Node, int> rows;
    for (std::size_t i = 0; i < m.rows.size(); ++i)
      for (const Window& w : m.windows[i])
        for (Eigen::Index k = w.first; !w.line && k < w.first + w.count; ++k) rows[{w.body, k}] += m.rows[i];
    std::set<Node> hubs;
    for (const auto& [node, count] : rows)
      if (count >= 48) hubs.insert(node);
    all += static_cast<int>(hubs.size());
    graph.find(m.views(), true);
    check(graph, m, hubs);
    graph.find(m.views(), false);
    check(graph, m, {});
  }
  CHECK(all > 100);
}

TEST_CASE("what is found is kept while nodes and rows are the same, and looked at without an allocation",
          "[clusters][graph]") {
  test::Draw draw(test::seed());
  Graph graph;
  const Members m = random_members(draw, 4, 9, 50);
  auto views = m.views();
  for (const bool with_hubs : {true, false}) {
    graph.find(views, with_hubs);
    CHECK(test::allocations_during([&] { graph.find(views, with_hubs); }) == 0);
  }
  Members changed = m;
  changed.windows[3].push_back(window(0, 0, 9));
  graph.find(changed.views(), false);
  check(graph, changed, {});
  // rows alone make a hub
  Members few;
  for (int i = 0; i < 10; ++i) few.add(4, {window(1, 2, 1)});
  graph.find(few.views(), true);
  check(graph, few, {});
  few.rows.assign(10, 5);
  graph.find(few.views(), true);
  check(graph, few, {{1, 2}});
}

}  // namespace cluster_graph_test
