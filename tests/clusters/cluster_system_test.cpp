// Systems of clusters whose rows are drawn at random, many of them on a few nodes: the solutions of a dense LU.

#include <dalembert/clusters/cluster_system.hpp>

#include <cmath>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include <dalembert/assembly/node_body.hpp>
#include <dalembert/clusters/friction_rows.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/draw.hpp"

namespace cluster_system_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

/// Nodes that move by themselves; the first axes of each may be held.
struct Beads : NodeBody<Beads> {
  std::vector<double> masses;
  std::vector<Vec<double, 3>> moments;
  int held = 0;

  Eigen::Index nodes() const { return static_cast<Eigen::Index>(masses.size()); }
  double mass(Eigen::Index k) const { return masses[static_cast<std::size_t>(k)]; }
  const Vec<double, 3>& inertia(Eigen::Index k) const { return moments[static_cast<std::size_t>(k)]; }
  bool forces(const Chain<double>&, Columns<double, 6>&) const { return true; }
};
NodeInertia<double> node_inertia(const Beads& body, Eigen::Index k) {
  NodeInertia<double> n = node_inertia(static_cast<const NodeBody<Beads>&>(body), k);
  for (int i = 0; i < body.held; ++i) n.inverse[i] = n.inverse[5 - i] = 0;
  return n;
}

/// Constraints with random rows, positions and friction on nodes of random inertia.
struct Cluster {
  struct Member {
    int rows = 0, positions = 0;
    std::vector<Window> windows;
    Matrix own, reaction;  // 6 columns by place
    Matrix along, shape, exact;
    double resistance = 0;
    bool elsewhere = false;
  };
  std::vector<Member> members;
  std::vector<Chain<double>> chains;
  std::vector<Line<double>> lines;
  Inertias<double> inertia;
  std::vector<double> weights{1.0};
  test::Draw draw{test::seed()};
  Matrix compliance;  // M⁻¹ of all bodies, six by node, spatial
  std::vector<Eigen::Index> begin{0};

  /// One more body of so many nodes, of which some may be held.
  std::size_t body(double mass = 1, Eigen::Index nodes = 1, int held = 0) {
    Beads made;
    for (Eigen::Index k = 0; k < nodes; ++k) {
      made.masses.push_back(mass * draw.between(1, 1.9));
      made.moments.push_back(
          mass * Vec<double, 3>(draw.between(1, 1.9), draw.between(1, 1.9), draw.between(1, 1.9)));
    }
    made.held = held;
    Chain<double> chain(nodes);
    for (Eigen::Index k = 0; k < nodes; ++k) chain.set_frame(k, draw.rotation(), draw.vector());
    inertia.add(made);
    const auto& inverse = inertia[chains.size()].inverse;
    for (Eigen::Index k = 0; k < nodes; ++k) {
      const Eigen::Index at = compliance.rows();
      compliance.conservativeResizeLike(Matrix::Zero(at + 6, at + 6));
      const Eigen::Matrix3d turn = chain.rotation(k).matrix();
      for (int i = 0; i < 3; ++i) compliance(at + i, at + i) = inverse(k, i);
      compliance.block(at + 3, at + 3, 3, 3) =
          turn * Eigen::Vector3d(inverse(k, 3), inverse(k, 4), inverse(k, 5)).asDiagonal() * turn.transpose();
    }
    chains.push_back(chain);
    begin.push_back(compliance.rows());
    return chains.size() - 1;
  }
  Matrix random(Eigen::Index rows, Eigen::Index columns) {
    return Matrix::NullaryExpr(rows, columns, [&] { return draw.between(-1, 1); });
  }
  /// A constraint of so many rows on these bodies.
  Member& add(int rows, const std::vector<std::size_t>& bodies) {
    Member m;
    m.rows = rows;
    m.positions = std::min(rows, 2);
    for (const std::size_t b : bodies) m.windows.push_back(one_node(b, 0));
    m.own = random(rows, 6 * static_cast<Eigen::Index>(bodies.size()));
    m.reaction = m.own;
    m.along = random(m.positions, rows);
    members.push_back(m);
    return members.back();
  }
  /// Its place i becomes the mean over so many nodes from a first one on, with random weights.
  void spread(Member& m, std::size_t i, Eigen::Index first, Eigen::Index count) {
    Window& w = m.windows[i];
    w.first = first;
    w.count = count;
    w.weights = static_cast<Eigen::Index>(weights.size());
    for (Eigen::Index k = 0; k < count; ++k) weights.push_back(draw.between(0.2, 0.8));
  }
  void react_elsewhere(Member& m) {
    m.elsewhere = true;
    m.reaction = m.own + 0.3 * random(m.own.rows(), m.own.cols());
  }
  void rub(Member& m) {
    m.exact = Matrix::Zero(m.rows, m.rows);
    m.exact(0, 0) = 1;
    m.shape = 0.6 * Matrix::Identity(m.rows, m.rows) + 0.4 * m.exact;
    m.resistance = 0.3;
  }
  std::vector<RowsView<double>> views() const {
    std::vector<RowsView<double>> list;
    int row = 0, position = 0;
    for (const Member& m : members) {
      RowsView<double> v{.rows = m.rows,
                         .row = row,
                         .positions = m.positions,
                         .position = position,
                         .places = static_cast<int>(m.windows.size())};
      v.windows = m.windows.data();
      v.along = m.along.data();
      v.reacts_elsewhere = m.elsewhere;
      if (m.shape.size() > 0) {
        v.shape = m.shape.data();
        v.exact = m.exact.data();
        v.resistance = m.resistance;
      }
      list.push_back(v);
      row += m.rows;
      position += m.positions;
    }
    return list;
  }
  /// All rows of a kind on all nodes.
  Matrix rows(bool reaction, RowKind kind) const {
    int count = 0;
    for (const Member& m : members) count += kind.positions ? m.positions : m.rows;
    Matrix a = Matrix::Zero(count, begin.back());
    int row = 0;
    for (const Member& m : members) {
      const Matrix& mine = reaction && !kind.repair ? m.reaction : m.own;
      const Matrix shaped = kind.positions       ? Matrix(m.along * mine)
                            : m.shape.size() > 0 ? Matrix(m.shape * mine)
                                                 : mine;
      for (std::size_t i = 0; i < m.windows.size(); ++i) {
        const Window& w = m.windows[i];
        for (Eigen::Index k = 0; k < w.count; ++k)
          a.block(row, begin[w.body] + 6 * (w.first + k), shaped.rows(), 6) +=
              weights[static_cast<std::size_t>(w.weights + k)] *
              shaped.middleCols(6 * static_cast<Eigen::Index>(i), 6);
      }
      row += static_cast<int>(shaped.rows());
    }
    return a;
  }
  Matrix dense(RowKind kind) const {
    Matrix g = rows(false, kind) * compliance * rows(true, kind).transpose();
    int row = 0;
    for (const Member& m : members) {
      if (!kind.positions && m.shape.size() > 0)
        g.block(row, row, m.rows, m.rows) += m.resistance * (Matrix::Identity(m.rows, m.rows) - m.exact);
      row += kind.positions ? m.positions : m.rows;
    }
    return g;
  }
};

/// The blocks of the rows, place after place: of what is linear, and of what is angular.
struct Blocks {
  std::vector<std::vector<double>> numbers;
  const double* of(const Matrix& rows, bool angular) {
    std::vector<double> list;
    for (Eigen::Index place = 0; place < rows.cols() / 6; ++place)
      for (Eigen::Index j = 0; j < 3; ++j)
        for (Eigen::Index r = 0; r < rows.rows(); ++r)
          list.push_back(rows(r, 6 * place + j + (angular ? 3 : 0)));
    numbers.push_back(std::move(list));
    return numbers.back().data();
  }
};

/// The solution for a random right side is that of a dense LU, as exact as the condition of G lets it be, and is found again without an allocation.
template <bool elsewhere, bool friction>
void check(Cluster& cluster, double most_kept = 0.3) {
  Blocks blocks;
  auto views = cluster.views();
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto of = [&](const Matrix& m) {
      return RowsView<double>::Blocks{blocks.of(m, false), blocks.of(m, true)};
    };
    views[i].own = views[i].reaction = of(cluster.members[i].own);
    if (elsewhere) views[i].reaction = of(cluster.members[i].reaction);
  }
  const Nodes<double> nodes{cluster.chains, cluster.lines, cluster.inertia, cluster.weights.data()};
  ClusterSystem<double, elsewhere, friction> system;
  for (const bool positions : {false, true})
    for (const bool repair : {false, true}) {
      const RowKind kind{.positions = positions, .repair = repair};
      CAPTURE(positions, repair);
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
    Cluster cluster;
    star(cluster, cluster.body(mass), 30);
    check<false, false>(cluster);
  }
}

TEST_CASE("a common node may be held by rows that nothing else moves", "[clusters][hubs]") {
  Cluster cluster;
  const std::size_t hub = cluster.body(3);
  cluster.add(2, {hub});
  star(cluster, hub, 30);
  cluster.add(3, {hub});
  check<false, false>(cluster);
}

TEST_CASE("rows that follow from others while a common node is at rest come after it", "[clusters][hubs]") {
  for (const bool first : {false, true}) {
    Cluster cluster;
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
    Cluster cluster;
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
  Cluster cluster;
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
  Cluster chain;
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
  Cluster cluster;
  const std::size_t hub = cluster.body(3);
  star(cluster, hub, 30);
  for (std::size_t i = 2; i < cluster.members.size(); i += 4) cluster.rub(cluster.members[i]);
  check<false, true>(cluster);
  cluster.react_elsewhere(cluster.members[7]);
  cluster.react_elsewhere(cluster.members[10]);
  check<true, true>(cluster);
}

}  // namespace cluster_system_test
