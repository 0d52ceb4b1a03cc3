#include <dalembert/linalg/cuthill_mckee.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace cuthill_mckee_test {

using dalembert::linalg::CuthillMcKee;
using Edges = std::vector<std::pair<int, int>>;
using Neighbours = std::vector<std::set<int>>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Neighbours neighbours_of(int vertices, const Edges& edges) {
  Neighbours neighbours(at(vertices));
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    neighbours[at(a)].insert(b);
    neighbours[at(b)].insert(a);
  }
  return neighbours;
}

/// The place of each vertex in an order, which must have each once.
std::vector<int> places(const std::vector<int>& order) {
  std::vector<int> place(order.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<int>(k);
  REQUIRE(std::count(place.begin(), place.end(), -1) == 0);
  return place;
}

/// Distances from a vertex, −1 where no edge leads.
std::vector<int> distances(const Neighbours& neighbours, int from) {
  std::vector<int> distance(neighbours.size(), -1), queue{from};
  distance[at(from)] = 0;
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const int next : neighbours[at(queue[k])]) {
      if (distance[at(next)] >= 0) continue;
      distance[at(next)] = distance[at(queue[k])] + 1;
      queue.push_back(next);
    }
  return distance;
}

/// What the order of Cuthill and McKee is, read from its end: in each part of the graph, numbered vertex by
/// numbered vertex, the neighbours without a number follow, those of fewest neighbours first. A part begins
/// at one of the fewest neighbours among the vertices farthest from another one, which has none farther
/// either.
void check_order(const Neighbours& neighbours, std::vector<int> order) {
  std::reverse(order.begin(), order.end());
  const std::vector<int> place = places(order);
  std::vector<bool> numbered(order.size());
  std::size_t next = 0, done = 0;
  while (next < order.size()) {
    const int start = order[next];
    const std::vector<int> distance = distances(neighbours, start);
    const int depth = *std::max_element(distance.begin(), distance.end());
    bool far_out = false;
    for (const int v : order) {
      if (distance[at(v)] != depth) continue;
      const std::vector<int> back = distances(neighbours, v);
      if (*std::max_element(back.begin(), back.end()) > depth) continue;
      bool fewest = true;
      for (const int u : order)
        fewest = fewest && (back[at(u)] < depth || neighbours[at(u)].size() >= neighbours[at(start)].size());
      far_out = far_out || fewest;
    }
    CHECK(far_out);
    numbered[at(order[next++])] = true;
    for (; done < next; ++done) {
      std::vector<std::size_t> degrees;
      std::set<int> wanted, found;
      for (const int v : neighbours[at(order[done])])
        if (!numbered[at(v)]) wanted.insert(v);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        found.insert(order[next]);
        degrees.push_back(neighbours[at(order[next])].size());
        numbered[at(order[next++])] = true;
      }
      CHECK(found == wanted);
      CHECK(std::is_sorted(degrees.begin(), degrees.end()));
    }
  }
}

CuthillMcKee graph_of(int vertices, const Edges& edges) {
  CuthillMcKee graph;
  graph.start(at(vertices));
  for (const auto& [a, b] : edges) graph.couple(a, b);
  graph.find();
  return graph;
}

/// The largest distance of neighbours in an order.
int bandwidth(const Edges& edges, const std::vector<int>& order) {
  const std::vector<int> place = places(order);
  int most = 0;
  for (const auto& [a, b] : edges) most = std::max(most, std::abs(place[at(a)] - place[at(b)]));
  return most;
}

/// The edges with vertices named, and told, at random.
Edges shuffled(int vertices, Edges edges, std::mt19937& engine) {
  std::vector<int> name(at(vertices));
  for (int i = 0; i < vertices; ++i) name[at(i)] = i;
  std::shuffle(name.begin(), name.end(), engine);
  for (auto& [a, b] : edges) {
    a = name[at(a)];
    b = name[at(b)];
    if (engine() % 2) std::swap(a, b);
  }
  std::shuffle(edges.begin(), edges.end(), engine);
  return edges;
}

TEST_CASE("chains and rings told in any order have the narrowest band, and nets one more at most",
          "[linalg][cuthill_mckee]") {
  std::mt19937 engine{test::seed()};
  for (const int n : {2, 3, 10, 57}) {
    Edges chain;
    for (int i = 0; i + 1 < n; ++i) chain.emplace_back(i, i + 1);
    Edges told = shuffled(n, chain, engine);
    CHECK(bandwidth(told, graph_of(n, told).order()) == 1);
    if (n == 2) continue;
    chain.emplace_back(n - 1, 0);
    told = shuffled(n, chain, engine);
    CHECK(bandwidth(told, graph_of(n, told).order()) == 2);
  }
  for (const int width : {2, 3, 6}) {
    const int length = 20;
    Edges net;
    for (int i = 0; i < length; ++i)
      for (int j = 0; j < width; ++j) {
        if (i + 1 < length) net.emplace_back(width * i + j, width * (i + 1) + j);
        if (j + 1 < width) net.emplace_back(width * i + j, width * i + j + 1);
      }
    const Edges told = shuffled(width * length, net, engine);
    CHECK(bandwidth(told, graph_of(width * length, told).order()) <= width + 1);
  }
}

TEST_CASE("the order of random graphs is that of Cuthill and McKee, reversed, in each part",
          "[linalg][cuthill_mckee]") {
  std::mt19937 engine{test::seed()};
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); };
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + below(40), count = below(60);  // often too few to hang together
    Edges edges;
    for (int i = 0; i < count; ++i) edges.emplace_back(below(n), below(n));
    CAPTURE(n, edges.size());
    check_order(neighbours_of(n, edges), graph_of(n, edges).order());
  }
}

TEST_CASE("reversed, the envelope of a tree is no larger than it was", "[linalg][cuthill_mckee]") {
  // entries left of the diagonal, from the first of a row on
  const auto envelope = [](const Neighbours& neighbours, const std::vector<int>& order) {
    const std::vector<int> place = places(order);
    int entries = 0;
    for (std::size_t v = 0; v < place.size(); ++v) {
      int first = place[v];
      for (const int u : neighbours[v]) first = std::min(first, place[at(u)]);
      entries += place[v] - first;
    }
    return entries;
  };
  const int n = 40;
  Edges tree;
  for (int i = 1; i < n; ++i) tree.emplace_back(i, (i - 1) / 3);
  const Neighbours neighbours = neighbours_of(n, tree);
  std::vector<int> order = graph_of(n, tree).order();
  const int reversed = envelope(neighbours, order);
  std::reverse(order.begin(), order.end());
  CHECK(reversed < envelope(neighbours, order));
}

TEST_CASE("edges told more than once, and of a vertex with itself, do not count", "[linalg][cuthill_mckee]") {
  const CuthillMcKee graph = graph_of(5, {{0, 3}, {3, 0}, {0, 3}, {2, 2}, {3, 1}, {1, 0}, {0, 3}, {4, 3}});
  const Neighbours wanted = neighbours_of(5, {{0, 3}, {3, 1}, {1, 0}, {4, 3}});
  for (int v = 0; v < 5; ++v) {
    std::vector<int> found;
    graph.each_neighbour(v, [&](int u) { found.push_back(u); });
    CHECK(found == std::vector<int>(wanted[at(v)].begin(), wanted[at(v)].end()));
  }
  CHECK(places(graph.order()).size() == 5);
}

TEST_CASE("a graph begun anew remembers nothing, and may have no vertices", "[linalg][cuthill_mckee]") {
  CuthillMcKee graph = graph_of(6, {{0, 5}, {5, 2}, {2, 3}, {1, 4}});
  for (int round = 0; round < 2; ++round) {
    graph.start(3);
    graph.couple(2, 1);
    graph.find();
    CHECK(graph.order() == graph_of(3, {{2, 1}}).order());
    graph.each_neighbour(1, [&](int u) { CHECK(u == 2); });
  }
  int count = 0;
  graph.each_neighbour(0, [&](int) { ++count; });
  CHECK(count == 0);
  graph.start(0);
  graph.find();
  CHECK(graph.order().empty());
}

}  // namespace cuthill_mckee_test
