// Systems of clusters whose rows are drawn at random, many of them on a few nodes: the solutions of a dense LU.

#include <dalembert/clusters/cluster_system.hpp>

#include <cmath>
#include <vector>

#include <Eigen/LU>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/random_cluster.hpp"

namespace cluster_system_test {

using namespace test::cluster;
using test::cluster::Column;

/// The solution for a random right side is that of a dense LU, as exact as the condition of G lets it be, and is found again without an allocation.
template <bool elsewhere, bool friction>
void check(Cluster& cluster, double most_kept = 0.3) {
  Blocks blocks;
  const auto views = cluster.views(blocks);
  const Nodes<double> nodes{cluster.chains, cluster.lines, cluster.inertia, cluster.weights.data()};
  ClusterSystem<double, elsewhere, friction> system;
  for (const bool positions : {false, true})
    for (const Along along : {Along::reactions, Along::rows}) {
      const RowKind kind{.positions = positions, .along = along};
      CAPTURE(positions, along == Along::rows);
      const Matrix g = cluster.dense(kind);
      const Column b = cluster.random(g.rows(), 1);
      Column x = b;
      Leftover<double> left;
      system.decompose(views, kind, nodes);
      system.solve(views, x, left);
      CHECK(system.redundant() == 0);
      const auto n = static_cast<double>(g.rows());
      if (n > 60) CHECK(static_cast<double>(system.entries()) < most_kept * n * n);
      CHECK(left.row == -1);
      const Eigen::PartialPivLU<Matrix> lu(g);
      const Column y = lu.solve(b);
      CHECK((x - y).norm() < 1e-14 / lu.rcond() * y.norm());
      x = b;
      CHECK(test::allocations_during([&] {
              system.decompose(views, kind, nodes);
              system.solve(views, x, left);
            }) == 0);
      CHECK((g * x - b).norm() < 1e-12 * g.norm() * x.norm());
    }
}

/// Constraints of 1 to 6 rows between a body and others that are bound by nothing else.
void star(Cluster& cluster, std::size_t hub, int n) {
  for (int i = 0; i < n; ++i) cluster.add(1 + i % 6, {hub, cluster.body()});
}

TEST_CASE("constraints on a common node have the multipliers of a dense solve", "[clusters][hubs]") {
  for (const double mass : {1e-3, 1.0, 1e3}) {
    CAPTURE(mass);
    Cluster cluster(test::seed());
    star(cluster, cluster.body(mass), 30);
    check<false, false>(cluster);
  }
}

TEST_CASE("a common node may be held by rows that nothing else moves", "[clusters][hubs]") {
  Cluster cluster(test::seed());
  const std::size_t hub = cluster.body(3);
  cluster.add(2, {hub});
  star(cluster, hub, 30);
  cluster.add(3, {hub});
  check<false, false>(cluster);
}

TEST_CASE("rows that follow from others while a common node is at rest come after it", "[clusters][hubs]") {
  for (const bool first : {false, true}) {
    Cluster cluster(test::seed());
    const std::size_t hub = cluster.body(3);
    star(cluster, hub, 25);
    const std::size_t last = cluster.body();
    if (first) cluster.add(3, {last});
    cluster.add(6, {hub, last});
    if (!first) cluster.add(3, {last});
    check<false, false>(cluster);
  }
}

TEST_CASE("constraints that act on windows of nodes may share some of these", "[clusters][hubs]") {
  for (const int held : {0, 2, 3}) {  // of the nodes that they share
    CAPTURE(held);
    Cluster cluster(test::seed());
    const std::size_t rod = cluster.body(2, 40, held);
    for (int i = 0; i < 60; ++i) {
      auto& m = cluster.add(1 + i % 6, {rod, cluster.body()});
      cluster.spread(m, 0, i < 40 ? 10 + i % 3 : i - 40, i < 40 ? 4 : 3);
    }
    check<false, false>(cluster);
  }
}

TEST_CASE(
    "chains, common nodes that are joined, and bodies between two of them have the multipliers of a dense "
    "solve",
    "[clusters][hubs]") {
  Cluster cluster(test::seed());
  const std::size_t one = cluster.body(5), two = cluster.body(2), three = cluster.body(0.1);
  star(cluster, one, 20);
  star(cluster, three, 18);
  for (int i = 0; i < 15; ++i) {
    const std::size_t between = cluster.body();
    cluster.add(3, {one, between});
    cluster.add(3, {between, two});
  }
  std::size_t above = two;
  for (int i = 0; i < 12; ++i) {
    const std::size_t next = cluster.body();
    cluster.add(3, {above, next});
    above = next;
  }
  cluster.add(2, {above, one});
  cluster.add(3, {two, three});
  cluster.add(2, {one, three});
  check<false, false>(cluster);
  cluster.react_elsewhere(cluster.members[3]);
  cluster.react_elsewhere(cluster.members.back());
  check<true, false>(cluster);
}

TEST_CASE("a few rows that react along others leave the rest of a cluster sparse", "[clusters][hubs]") {
  Cluster chain(test::seed());
  std::size_t above = chain.body();
  for (int i = 0; i < 40; ++i) {
    const std::size_t next = chain.body();
    chain.add(3, {above, next});
    above = next;
  }
  chain.react_elsewhere(chain.add(1, {above}));
  chain.react_elsewhere(chain.members[17]);
  check<true, false>(chain);
}

TEST_CASE("rows of which some are friction have the multipliers of a dense solve", "[clusters][hubs]") {
  Cluster cluster(test::seed());
  const std::size_t hub = cluster.body(3);
  star(cluster, hub, 30);
  for (std::size_t i = 2; i < cluster.members.size(); i += 4) cluster.rub(cluster.members[i]);
  check<false, true>(cluster);
  cluster.react_elsewhere(cluster.members[7]);
  cluster.react_elsewhere(cluster.members[10]);
  check<true, true>(cluster);
}

}  // namespace cluster_system_test
