#include <dalembert/linalg/hub_order.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace hub_order_test {

using Edges = std::vector<std::pair<int, int>>;

/// The place of each vertex.
std::vector<int> places(int vertices, int hubs, const Edges& edges, const std::vector<int>& waiting = {}) {
  dalembert::linalg::CuthillMcKee graph;
  graph.start(static_cast<std::size_t>(vertices));
  for (const auto& [a, b] : edges) graph.couple(a, b);
  graph.find();
  std::vector<int> waits(static_cast<std::size_t>(vertices));
  for (const int v : waiting) waits[static_cast<std::size_t>(v)] = 1;
  const std::vector<int> order =
      dalembert::linalg::HubOrder(graph, static_cast<std::size_t>(hubs), waits).order();
  std::vector<int> place(static_cast<std::size_t>(vertices), -1);
  REQUIRE(order.size() == place.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  CHECK(std::count(place.begin(), place.end(), -1) == 0);
  return place;
}

TEST_CASE("a hub comes after all that it couples with", "[linalg][hubs]") {
  Edges edges;
  for (int i = 0; i < 9; ++i) edges.emplace_back(i, 9);
  CHECK(places(10, 1, edges)[9] == 9);
}

TEST_CASE("what waits comes after its hubs, or last", "[linalg][hubs]") {
  Edges edges{{0, 8}, {1, 9}};  // joints between hubs, then of one hub to space, and one beside a leaf
  edges.insert(edges.end(), {{0, 9}, {2, 8}, {3, 4}});
  for (int i = 4; i < 8; ++i) edges.emplace_back(i, i < 6 ? 8 : 9);
  const auto place = places(10, 2, edges, {0, 2, 3});
  for (int i = 4; i < 6; ++i) CHECK(place[static_cast<std::size_t>(i)] < place[8]);
  for (int i = 6; i < 8; ++i) CHECK(place[static_cast<std::size_t>(i)] < place[9]);
  CHECK(place[1] < place[9]);
  CHECK(place[0] > std::max(place[8], place[9]));
  CHECK(place[2] > place[8]);
  CHECK(place[3] == 9);
}

TEST_CASE("groups that only hubs hold together stay together, near their hubs", "[linalg][hubs]") {
  // twenty hubs in a row, a pair of vertices between each two of them, told out of order
  const int hubs = 20, pairs = hubs - 1, n = 2 * pairs;
  Edges edges;
  const auto pair = [&](int i) { return 2 * (7 * i % pairs); };
  for (int i = 0; i < pairs; ++i) {
    edges.emplace_back(pair(i), pair(i) + 1);
    edges.emplace_back(pair(i), n + i);
    edges.emplace_back(pair(i) + 1, n + i + 1);
  }
  const auto place = places(n + hubs, hubs, edges);
  const auto apart = [&](int a, int b) {
    return std::abs(place[static_cast<std::size_t>(a)] - place[static_cast<std::size_t>(b)]);
  };
  for (int i = 0; i < pairs; ++i) {
    CHECK(apart(pair(i), pair(i) + 1) == 1);
    CHECK(apart(pair(i), n + i) < 10);
    CHECK(apart(pair(i), n + i + 1) < 10);
  }
}

}  // namespace hub_order_test
