#pragma once

/// @file
/// Clusters of constraints whose rows are drawn at random, and their matrices as dense ones.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/SVD>

#include <dalembert/assembly/node_body.hpp>
#include <dalembert/clusters/cluster_system.hpp>
#include <dalembert/clusters/friction_rows.hpp>
#include <dalembert/clusters/rows_view.hpp>

#include "support/draw.hpp"

namespace test::cluster {

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
inline NodeInertia<double> node_inertia(const Beads& body, Eigen::Index k) {
  NodeInertia<double> n = node_inertia(static_cast<const NodeBody<Beads>&>(body), k);
  for (int i = 0; i < body.held; ++i) n.inverse[i] = n.inverse[5 - i] = 0;
  return n;
}

/// The blocks of the rows, place after place: of what is linear, and of what is angular.
struct Blocks {
  RowsView<double>::Blocks of(const Matrix& rows) { return {list(rows, false), list(rows, true)}; }

 private:
  const double* list(const Matrix& rows, bool angular) {
    std::vector<double> all;
    for (Eigen::Index place = 0; place < rows.cols() / 6; ++place)
      for (Eigen::Index j = 0; j < 3; ++j)
        for (Eigen::Index r = 0; r < rows.rows(); ++r)
          all.push_back(rows(r, 6 * place + j + (angular ? 3 : 0)));
    numbers.push_back(std::move(all));
    return numbers.back().data();
  }
  std::vector<std::vector<double>> numbers;
};

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
  Draw draw;
  Matrix root;  // M^(−1/2) of all bodies, six by node, spatial
  std::vector<Eigen::Index> begin{0};

  explicit Cluster(unsigned seed) : draw(seed) {}

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
      const Eigen::Index at = root.rows();
      root.conservativeResizeLike(Matrix::Zero(at + 6, at + 6));
      const Eigen::Matrix3d turn = chain.rotation(k).matrix();
      Eigen::Matrix<double, 1, 6> roots = inverse.row(k);
      roots = roots.cwiseSqrt().eval();
      for (int i = 0; i < 3; ++i) root(at + i, at + i) = roots[i];
      root.block(at + 3, at + 3, 3, 3) =
          turn * Eigen::Vector3d(roots[3], roots[4], roots[5]).asDiagonal() * turn.transpose();
    }
    chains.push_back(chain);
    begin.push_back(root.rows());
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
  /// Its rows become mixtures of those of others, all of which are on the same bodies.
  void follow(Member& m, const std::vector<std::size_t>& others) {
    m.own.setZero();
    for (const std::size_t i : others) m.own += random(m.rows, members[i].rows) * members[i].own;
    m.reaction = m.own;
  }
  /// Views of the members, whose rows are kept in `room`.
  std::vector<RowsView<double>> views(Blocks& room) const {
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
      v.own = v.reaction = room.of(m.own);
      if (m.elsewhere) v.reaction = room.of(m.reaction);
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
      const Matrix& mine = reaction && kind.along == assembly::Along::reactions ? m.reaction : m.own;
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
  /// A M⁻¹ A_Vᵀ, with friction on its diagonal blocks.
  Matrix dense(RowKind kind) const {
    Matrix g = rows(false, kind) * root * (rows(true, kind) * root).transpose();
    int row = 0;
    for (const Member& m : members) {
      if (!kind.positions && m.shape.size() > 0)
        g.block(row, row, m.rows, m.rows) += m.resistance * (Matrix::Identity(m.rows, m.rows) - m.exact);
      row += kind.positions ? m.positions : m.rows;
    }
    return g;
  }
};

/// Clusters of any size and rank, many of whose rows follow from others or contradict them, against the singular values of their rows.
struct RandomCluster {
  Cluster cluster;
  double mass_range = 2;          ///< decimal powers
  std::optional<double> entry{};  ///< of the first row, in place of one that is drawn
  int ambiguous = 0;              ///< systems whose rank rounding decides: nothing is said of them

  explicit RandomCluster(unsigned seed) : cluster(seed) {}

  void draw(bool elsewhere) {
    Draw& random = cluster.draw;
    const int bodies = 1 + random.below(6), members = 1 + random.below(random.below(8) == 0 ? 40 : 8);
    for (int i = 0; i < bodies; ++i)
      cluster.body(random.power(-mass_range, mass_range), 1, std::max(0, random.below(6) - 3));
    for (int i = 0; i < members; ++i) {
      std::vector<std::size_t> on;
      for (int places = 1 + random.below(3); places > 0; --places) {
        const auto b = static_cast<std::size_t>(random.below(bodies));
        if (std::find(on.begin(), on.end(), b) == on.end()) on.push_back(b);
      }
      const int rows = 1 + random.below(6);
      std::vector<std::size_t> others;
      if (i > 0 && random.below(3) == 0) {
        const auto first = static_cast<std::size_t>(random.below(i));
        on.clear();
        for (const Window& w : cluster.members[first].windows) on.push_back(w.body);
        for (std::size_t j = 0; j < cluster.members.size(); ++j)
          if (std::ranges::equal(cluster.members[j].windows, on, {}, &Window::body)) others.push_back(j);
      }
      Cluster::Member& m = cluster.add(rows, on);
      if (!others.empty()) cluster.follow(m, others);
      if (elsewhere && random.below(3) == 0) cluster.react_elsewhere(m);
    }
  }

  /// What is wrong with the solutions for right sides that have one and that have none; nothing if all is as it should be.
  template <bool elsewhere>
  std::string fault() {
    draw(elsewhere);
    if (entry) cluster.members[0].own(0, 0) = cluster.members[0].reaction(0, 0) = *entry;
    Blocks blocks;
    const auto views = cluster.views(blocks);
    const Nodes<double> nodes{cluster.chains, cluster.lines, cluster.inertia, cluster.weights.data()};
    ClusterSystem<double, elsewhere> system;
    std::string all;
    for (const bool positions : {false, true}) {
      const RowKind kind{.positions = positions};
      const std::string found = fault_of(system, views, kind, nodes);
      if (!found.empty()) all += (positions ? "position rows: " : "rows: ") + found + "; ";
    }
    return all;
  }

 private:
  static Matrix scaled(Matrix rows) {
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
      if (const double norm = rows.row(i).norm(); norm > 0) rows.row(i) /= norm;
    return rows;
  }
  static Column norms(const Matrix& rows) { return rows.rowwise().norm(); }

  template <class System>
  std::string fault_of(System& system, const std::vector<RowsView<double>>& views, RowKind kind,
                       const Nodes<double>& nodes) {
    // in units in which M = 1 and rows have the size 1
    const Matrix a = cluster.rows(false, kind) * cluster.root, v = cluster.rows(true, kind) * cluster.root;
    const Eigen::Index n = a.rows();
    const Matrix g = a * v.transpose();
    system.decompose(views, kind, nodes);
    if (entry) {  // that it ends is all that is asked
      Column b = cluster.random(n, 1);
      Leftover<double> left;
      system.solve(views, b, left);
      ++ambiguous;
      return {};
    }
    const auto inverse = [](double x) { return x > 0 ? 1 / x : 0.0; };
    const Column of_rows = norms(a), of_reactions = norms(v).unaryExpr(inverse);
    const Matrix c = scaled(a);
    const bool symmetric = (a - v).norm() == 0;
    const Eigen::JacobiSVD<Matrix> svd(symmetric ? c : c * scaled(v).transpose(),
                                       Eigen::ComputeThinU | Eigen::ComputeThinV);
    Eigen::Index rank = 0;
    double least = 1, doubtful = 0;
    for (const double sigma : svd.singularValues()) {
      const double s = symmetric ? sigma * sigma : sigma;  // of the matrix of the system
      if (s > 1e-10) {
        ++rank;
        least = std::min(least, s);
      } else {
        doubtful = std::max(doubtful, s);
      }
    }
    if (doubtful > (symmetric ? 1e-28 : 1e-14)) {
      ++ambiguous;
      return {};
    }
    const Matrix range = svd.matrixU().leftCols(rank), along = svd.matrixV().leftCols(rank);
    const Column values = svd.singularValues().head(rank).cwiseInverse();
    const auto multipliers = [&](const Column& scaled_b) {
      Column y = values.asDiagonal() * (range.transpose() * scaled_b);
      if (symmetric)
        y = range * (values.asDiagonal() * y);
      else
        y = along * y;
      return y;
    };
    const auto text = [](const char* what, double value) { return what + std::to_string(value); };
    if (system.redundant() != n - rank)
      return text("redundant ", system.redundant()) + text(" of ", static_cast<double>(n - rank)) +
             text(", least singular value 1e", std::log10(least));
    for (const bool consistent : {true, false}) {
      Column b = cluster.random(n, 1);
      b = consistent ? Column(range * (range.transpose() * b)) : b;
      const Column y = multipliers(b), rest = b - range * (range.transpose() * b);
      Column x = of_rows.asDiagonal() * b;
      Leftover<double> left;
      system.solve(views, x, left);
      // what rounding leaves is solved for, as steps do
      for (int i = 0; i < 3 && system.is_ill_conditioned(); ++i) {
        Column more =
            of_rows.asDiagonal() * b - (consistent ? g * x : Column(g * x + of_rows.asDiagonal() * rest));
        Leftover<double> again;
        system.solve(views, more, again);
        x += more;
      }
      x = x.cwiseProduct(of_reactions.unaryExpr(inverse));
      // pivots of a band are not sought, so that rows that stay are worse conditioned than all together
      const double part = n > 60 ? 1e-6 : 1e-10;
      if (!((x - y).norm() <= part / least * y.norm() + part * b.norm()))
        return text("multipliers off by a part 1e", std::log10((x - y).norm() / y.norm())) +
               text(", least singular value 1e", std::log10(least)) + text(", rows ", static_cast<double>(n));
      const double told = left.row < 0 ? 0 : left.size, worst = rest.cwiseAbs().maxCoeff();
      if (std::abs(told - worst) > part / least * b.norm())
        return text("left is 1e", std::log10(told)) + text(" in place of 1e", std::log10(worst)) +
               text(", least singular value 1e", std::log10(least));
    }
    return {};
  }
};

}  // namespace test::cluster
