// Clusters of constraints of several kinds, by the nodes that bear them.

#include <dalembert/assembly/detail/constraint_kind.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace constraint_kind_test {

using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Work = PartWork<double, false, false>;

/// Constraints of which only the windows of two markers matter, and rows that are called by their numbers.
struct Kind {
  struct Member {
    EvaluationState state;
    std::array<Window, 2> windows{};
    std::array<Index, 2> clustered_at{};
  };
  std::size_t first;
  std::vector<Member> members;
  Index beyond = 0;
  int first_row = 0;

  std::size_t size() const { return members.size(); }
  std::size_t index() const { return first; }
  BearingNodes nodes(std::size_t i) {
    Member& m = members[i];
    return {m.state, m.windows.data(), m.clustered_at.data(), 2, beyond};
  }
  std::string name_of_row(int row, bool positions) const {
    const int at = row - first_row;
    if (at < 0 || at >= static_cast<int>(size())) return {};
    return (positions ? "position " : "row ") + std::to_string(at);
  }
};
Kind::Member on(std::size_t a, Index first, Index count, std::size_t b = 0, Index second = 0,
                Index more = 0) {
  Kind::Member m;
  m.windows[0] = {.body = a, .first = first, .count = count};
  m.windows[1] = {.body = b, .first = second, .count = more};
  return m;
}

/// Two kinds on two bodies of 20 nodes each.
struct Scene {
  Kind one, two;
  std::array<Kind*, 2> kinds{&one, &two};
  Work work;
  Clusters::Owners owners{std::vector(20, -1), std::vector(20, -1)};

  Scene(std::vector<Kind::Member> a, std::vector<Kind::Member> b)
      : one{0, std::move(a)}, two{one.size(), std::move(b), 0, 10} {
    work.make_room(one.size() + two.size());
  }
  bool find() { return find_clusters(KindsOfPart<Kind>(kinds), work, owners); }
  /// Numbers of clusters, of all constraints in turn.
  std::vector<std::size_t> clusters() {
    std::vector<std::size_t> all;
    for (Kind* const kind : kinds)
      for (auto& m : kind->members) all.push_back(m.state.cluster);
    return all;
  }
};

TEST_CASE("constraints are in one cluster where they share nodes, and alone where they share none",
          "[assembly][constraint_kind]") {
  Scene at({on(0, 0, 3), on(0, 2, 2, 1, 5, 1), on(1, 0, 5)}, {on(1, 4, 1), on(0, 10, 4)});
  REQUIRE(at.find());
  CHECK(at.work.clusters.count() == 3);
  CHECK(at.clusters() == std::vector<std::size_t>{0, 0, 1, 1, 2});
  CHECK(at.work.shared_clusters == std::vector<std::size_t>{0, 1});
  for (auto& m : at.one.members) CHECK(m.state.solution == RowSolution::shared_cluster);
  CHECK(at.two.members[0].state.solution == RowSolution::shared_cluster);
  CHECK(at.two.members[1].state.solution == RowSolution::own_cluster);
  std::vector<std::pair<Kind*, std::size_t>> members;
  each_member(KindsOfPart<Kind>(at.kinds), at.work.clusters, 1,
              [&](Kind& kind, std::size_t i) { members.emplace_back(&kind, i); });
  REQUIRE(members.size() == 2);
  CHECK(members[0] == std::pair{&at.one, std::size_t(2)});
  CHECK(members[1] == std::pair{&at.two, std::size_t(0)});
}

TEST_CASE("clusters are found again where a constraint came to other nodes, and only there",
          "[assembly][constraint_kind]") {
  Scene at({on(0, 0, 3)}, {on(0, 5, 3, 1, 0, 2)});
  REQUIRE(at.find());
  CHECK(at.clusters() == std::vector<std::size_t>{0, 1});
  CHECK(!at.find());
  at.work.systems_used = 2;
  at.work.system_of = {0, 1};
  CHECK(!at.two.nodes(0).have_moved());
  at.two.members[0].windows[1].first = 1;  // the second marker counts too
  CHECK(at.two.nodes(0).have_moved());
  REQUIRE(at.find());
  CHECK(!at.two.nodes(0).have_moved());
  CHECK(at.work.systems_used == 0);
  CHECK(at.work.system_of == std::vector{-1, -1});
  at.one.members[0].windows[0].first = 3;
  REQUIRE(at.find());
  CHECK(at.clusters() == std::vector<std::size_t>{0, 0});
  CHECK(at.work.shared_clusters == std::vector<std::size_t>{0});
  CHECK(at.one.members[0].state.shares_nodes());
  at.one.members[0].windows[0].first = 0;
  REQUIRE(at.find());
  CHECK(at.work.shared_clusters.empty());
  CHECK(!at.one.members[0].state.shares_nodes());
}

TEST_CASE("a constraint may have more nodes at either end of a window, and goes on round a closed string",
          "[assembly][constraint_kind]") {
  for (const Index beyond : {0, 1, 2}) {
    CAPTURE(beyond);
    Scene ends({on(0, 0, 3), on(0, 18, 2)}, {on(0, 5, 3)});
    ends.one.beyond = beyond;
    REQUIRE(ends.find());  // not before the first node of a body, nor past its last
    CHECK(ends.clusters() == std::vector<std::size_t>{0, 1, 2});
    Scene near({on(0, 0, 3)}, {on(0, 4, 3), on(0, 15, 3)});
    near.one.beyond = beyond;
    REQUIRE(near.find());
    CHECK(near.work.clusters.count() == (beyond < 2 ? 3 : 2));
    Scene below({on(0, 7, 3)}, {on(0, 4, 2), on(0, 15, 3)});
    below.one.beyond = beyond;
    REQUIRE(below.find());
    CHECK(below.work.clusters.count() == (beyond < 2 ? 3 : 2));
  }
  for (const Index around : {0, 20}) {
    Scene ring({on(0, 17, around > 0 ? 6 : 3)}, {on(0, 2, 2), on(0, 3, 2), on(0, 5, 2)});
    ring.one.members[0].windows[0].around = around;
    REQUIRE(ring.find());
    CHECK(ring.clusters() ==
          (around > 0 ? std::vector<std::size_t>{0, 0, 0, 1} : std::vector<std::size_t>{0, 1, 1, 2}));
  }
}

TEST_CASE("a row is called by the kind that has it", "[assembly][constraint_kind]") {
  const Scene at({on(0, 0, 3)}, {on(0, 5, 3), on(0, 9, 1)});
  const KindsOfPart<Kind> all(at.kinds);
  CHECK(name_of_row(all, 0, false) == "row 0");
  CHECK(name_of_row(all, 11, true) == "position 1");
  CHECK(name_of_row(all, 7, false) == "no row");
}

}  // namespace constraint_kind_test
