// The matrix of the system of a cluster, block by block, beside the dense A M⁻¹A_Vᵀ.

#include <dalembert/clusters/detail/cluster_system_members.hpp>

#include <cmath>
#include <vector>

#include <Eigen/LU>

#include "support/catch.hpp"
#include "support/random_cluster.hpp"

namespace cluster_system_members_test {

using namespace test::cluster;
using test::cluster::Column;

Nodes<double> nodes_of(const Cluster& c) { return {c.chains, c.lines, c.inertia, c.weights.data()}; }

/// Multipliers are those of a dense decomposition, each beside its own size: 1/√G_V,rr by row.
template <bool elsewhere, bool friction>
void check(const Cluster& cluster, test::Draw& draw) {
  Blocks blocks;
  const auto views = cluster.views(blocks);
  ClusterSystem<double, elsewhere, friction> system;
  for (const bool positions : {false, true})
    for (const Along along : {Along::reactions, Along::rows}) {
      const RowKind kind{.positions = positions, .along = along};
      CAPTURE(positions, along == Along::rows, elsewhere, friction);
      const Matrix g = cluster.dense(kind), v = cluster.rows(true, kind) * cluster.root;
      const Matrix a = cluster.rows(false, kind) * cluster.root;
      const Column of_rows = a.rowwise().norm().cwiseInverse(), of_reactions = v.rowwise().norm();
      const Eigen::PartialPivLU<Matrix> lu(of_rows.asDiagonal() * g *
                                           of_reactions.cwiseInverse().asDiagonal());
      system.decompose(views, kind, nodes_of(cluster));
      CHECK(system.redundant() == 0);
      for (int round = 0; round < 3; ++round) {
        const Column b = Column::NullaryExpr(g.rows(), [&] { return draw.between(-1, 1); }), y = lu.solve(b);
        Column x = of_rows.cwiseInverse().asDiagonal() * b;
        Leftover<double> left;
        system.solve(views, x, left);
        CHECK((of_reactions.asDiagonal() * x - y).norm() < 1e-13 / lu.rcond() * y.norm());
        CHECK(left.row == -1);
        if (!elsewhere && !friction) CHECK(left.largest == Approx(b.cwiseAbs().maxCoeff()).epsilon(1e-12));
      }
      if (friction) continue;
      // a row is told in the unit in which its own inverse mass is one
      for (Eigen::Index r = 0; r < g.rows(); ++r)
        CHECK(system.largest(views, Column::Unit(g.rows(), r)) == Approx(of_rows[r]).epsilon(1e-9));
    }
}

/// A chain of bodies, each joined to the next, and others on one of them, which so becomes a hub.
Cluster chain(test::Draw& draw, int length, int on_hub, bool elsewhere, bool friction) {
  Cluster c(static_cast<unsigned>(draw.below(1000)));
  const double unit = draw.power(-6, 6);  // of mass
  const std::size_t hub = c.body(10 * unit, 3);
  std::size_t above = hub;
  for (int i = 0; i < length; ++i) {
    const std::size_t next = c.body(unit * draw.power(-1, 1));
    c.add(1 + draw.below(3), {above, next});
    above = next;
  }
  for (int i = 0; i < on_hub; ++i) c.add(1 + i % 6, {hub, c.body(unit)});
  c.spread(c.add(3, {hub, c.body(unit)}), 0, 0, 3);
  for (auto& m : c.members) {
    const double size = draw.power(-6, 6);  // the unit of its rows
    m.own *= size;
    m.reaction = m.own;
  }
  if (elsewhere)
    for (const std::size_t i : {std::size_t{0}, c.members.size() / 2}) {
      auto& m = c.members[i];
      m.reaction =
          draw.power(-3, 3) * (m.own + 0.3 * m.own.norm() * c.random(m.own.rows(), m.own.cols()) / 4);
      m.elsewhere = true;
    }
  if (friction)
    for (const std::size_t i : {std::size_t{1}, c.members.size() - 1}) {
      c.rub(c.members[i]);
      c.members[i].resistance *= (c.members[i].own * c.members[i].own.transpose()).trace() / unit;
    }
  return c;
}

TEST_CASE("multipliers are those of a dense solve, whatever the units of masses and rows", "[clusters]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 8; ++round)
    for (const auto& [length, on_hub] : {std::pair{3, 2}, std::pair{30, 4}, std::pair{5, 30}}) {
      CAPTURE(length, on_hub);
      check<false, false>(chain(draw, length, on_hub, false, false), draw);
      check<true, false>(chain(draw, length, on_hub, true, false), draw);
      check<false, true>(chain(draw, length, on_hub, false, true), draw);
      check<true, true>(chain(draw, length, on_hub, true, true), draw);
    }
}

TEST_CASE("rows may react along each other", "[clusters]") {
  test::Draw draw(test::seed());
  Cluster c(test::seed());
  const std::size_t body = c.body(draw.power(-6, 6));
  auto& m = c.add(2, {body});
  m.own << 1, 0, 0, 0, 0, 0, 0, draw.power(-3, 3), 0, 0, 0, 0;
  m.reaction << m.own.row(1), m.own.row(0);
  m.elsewhere = true;
  check<true, false>(c, draw);
}

TEST_CASE("a row that no node can move has no multiplier, and all of its right side is left", "[clusters]") {
  test::Draw draw(test::seed());
  for (const double size : {1e-6, 1.0, 1e6}) {
    Cluster c(static_cast<unsigned>(draw.below(1000)));
    const std::size_t held = c.body(size, 1, 3), free = c.body(size);
    c.add(3, {free});
    c.add(2, {held});
    // a third row is three times the first, but for rounding: their position row moves nothing
    auto& m = c.add(2, {free});
    m.own.row(1) = m.own.row(0) * 3.3;
    m.reaction = m.own;
    m.along = Matrix{{3.3, -1}};
    m.positions = 1;
    Blocks blocks;
    const auto views = c.views(blocks);
    ClusterSystem<double> system;
    for (const bool positions : {false, true}) {
      system.decompose(views, {.positions = positions}, nodes_of(c));
      const Eigen::Index rows = positions ? 5 : 7;
      CHECK(system.redundant() == 3);
      Column x = Column::Zero(rows);
      const Eigen::Index at = positions ? 4 : 3;
      x[at] = 0.25 * size;
      Leftover<double> left;
      system.solve(views, x, left);
      CHECK(left.row == at);
      CHECK(left.size == 0.25 * size);
      CHECK(x.norm() == 0);
      CHECK(system.largest(views, Column::Unit(rows, at)) == 0);
    }
  }
}

TEST_CASE("rows that differ by the rounding of their terms follow from each other", "[clusters]") {
  test::Draw draw(test::seed());
  for (const double part : {1e-3, 1e-6}) {
    Cluster c(static_cast<unsigned>(draw.below(1000)));
    const std::size_t body = c.body(draw.power(-6, 6), 1, 1);  // held along x
    // along x, but for a small part across it
    c.add(1, {body}).own << 1, part, 0, 0, 0, 0;
    c.add(1, {body}).own << 1, part, 1e-3 * part, 0, 0, 0;
    for (auto& m : c.members) m.reaction = m.own;
    Blocks blocks;
    const auto views = c.views(blocks);
    ClusterSystem<double> system;
    system.decompose(views, {}, nodes_of(c));
    CAPTURE(part);
    CHECK(system.redundant() == (part < 1e-5 ? 1 : 0));
  }
}

}  // namespace cluster_system_members_test
