// Clusters of constraints, beside those that a search from constraint to constraint finds.

#include <dalembert/clusters/clusters.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/draw.hpp"

namespace clusters_test {

using dalembert::assembly::detail::Clusters;
using dalembert::assembly::detail::root_of;
using Sets = std::set<std::set<std::size_t>>;

/// The nodes of a body that a constraint touches.
struct Touch {
  std::size_t constraint, body, first, count;
};

/// Bodies of so many nodes, and constraints that touch some of them.
struct Scene {
  std::vector<std::size_t> nodes;
  std::size_t constraints = 0;
  std::vector<Touch> touches{};

  Clusters::Owners owners() const {
    Clusters::Owners all;
    for (const std::size_t n : nodes) all.emplace_back(n, -1);
    return all;
  }
  /// Which constraints can be reached from each other by common nodes.
  Sets wanted() const {
    std::vector<std::size_t> name(constraints);
    for (std::size_t i = 0; i < constraints; ++i) name[i] = i;
    for (bool changed = true; std::exchange(changed, false);)
      for (const Touch& a : touches)
        for (const Touch& b : touches) {
          if (a.body != b.body ||
              std::max(a.first, b.first) >= std::min(a.first + a.count, b.first + b.count))
            continue;
          if (name[a.constraint] <= name[b.constraint]) continue;
          name[a.constraint] = name[b.constraint];
          changed = true;
        }
    Sets all;
    for (std::size_t i = 0; i < constraints; ++i) {
      std::set<std::size_t> mine;
      for (std::size_t j = 0; j < constraints; ++j)
        if (name[j] == name[i]) mine.insert(j);
      all.insert(mine);
    }
    return all;
  }
  void find(Clusters& clusters, Clusters::Owners& owners) const {
    clusters.find(owners, [&](const auto& f) {
      for (const Touch& t : touches) f(t.constraint, t.body, t.first, t.count);
    });
  }
};

Sets found(const Clusters& clusters) {
  Sets all;
  for (std::size_t i = 0; i < clusters.count(); ++i) {
    std::set<std::size_t> mine;
    for (std::size_t k = clusters.begin(i); k < clusters.begin(i + 1); ++k) mine.insert(clusters.member(k));
    CHECK(mine.size() == clusters.begin(i + 1) - clusters.begin(i));
    all.insert(mine);
  }
  return all;
}

Scene random_scene(test::Draw& draw) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(draw.below(static_cast<int>(n))); };
  Scene s{std::vector<std::size_t>(1 + below(4)), below(30)};
  for (std::size_t& n : s.nodes) n = 1 + below(30);
  for (std::size_t i = 0; i < s.constraints; ++i)
    for (std::size_t place = below(4); place > 0; --place) {
      const std::size_t body = below(s.nodes.size()), first = below(s.nodes[body]);
      s.touches.push_back({i, body, first, std::min(below(4), s.nodes[body] - first)});
    }
  return s;
}

TEST_CASE("constraints are in one cluster if nodes lead from one to the other", "[clusters]") {
  test::Draw draw(test::seed());
  Clusters clusters;
  for (int round = 0; round < 300; ++round) {
    const Scene s = random_scene(draw);
    auto owners = s.owners();
    clusters.make_room(s.constraints);
    s.find(clusters, owners);
    CHECK(found(clusters) == s.wanted());
    CHECK(clusters.begin(0) == 0);
    CHECK(clusters.begin(clusters.count()) == s.constraints);
    CHECK(owners == s.owners());
  }
}

TEST_CASE("members of a cluster stay in order, and finding them again allocates nothing", "[clusters]") {
  Scene s{{100}, 60};
  for (std::size_t i = 0; i < 60; ++i) s.touches.push_back({i, 0, i % 3 * 30 + i / 3, 2});
  Clusters clusters;
  auto owners = s.owners();
  clusters.make_room(60);
  s.find(clusters, owners);
  CHECK(test::allocations_during([&] { s.find(clusters, owners); }) == 0);
  REQUIRE(clusters.count() == 3);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = clusters.begin(c) + 1; k < clusters.begin(c + 1); ++k)
      CHECK(clusters.member(k) == clusters.member(k - 1) + 3);
}

TEST_CASE("a way to a root leads there, and becomes shorter", "[clusters]") {
  std::vector<int> named{0, 0, 1, 2, 3, 4, 6};
  CHECK(root_of(named, 5) == 0);
  CHECK(named[5] == 3);
  CHECK(named[3] == 1);
  CHECK(root_of(named, 6) == 6);
  CHECK(named[6] == 6);
}

}  // namespace clusters_test
