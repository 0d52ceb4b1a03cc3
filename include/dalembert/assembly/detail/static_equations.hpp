#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include <dalembert/core/real.hpp>

/// The linear equations of statics, which are sparse, unsymmetric (rows of held degrees, internal coordinates that follow) and of mixed units.
namespace dalembert::assembly::detail {

/// A sparse system, solved by an LU decomposition with rows and columns brought to one size: a step of Ruiz's scaling divides both by the root of
/// their largest entry. A motion of the whole that changes no force, as a ball's on a plane, makes the matrix singular although all is in
/// equilibrium along it, and so do rows of constraints that follow from others: springs E too weak for all else to feel hold the nodes, and give way
/// under the multipliers. They are taken out again by iteration: x ← x + (A + E)⁻¹(b − Ax).
/// Sources: Ruiz 2001, RAL-TR-2001-034; iteration with a regularised matrix: Riley 1955, Math. Tables Aids Comput. 9, 96.
template <class S>
class StaticEquations {
 public:
  using Column = Vec<S, Eigen::Dynamic>;
  using Index = Eigen::Index;

  StaticEquations() = default;
  /// Unknowns of nodes, which are displacements or turns by threes, then `slides` that follow, then `multipliers`.
  StaticEquations(Index nodes, Index slides, Index multipliers)
      : size_(nodes + slides + multipliers), nodes_(nodes), multipliers_(multipliers) {}

  void clear() noexcept { entries_.clear(); }
  /// Entries at one place are summed.
  void add(Index row, Index column, S value) {
    entries_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  }

  /// A x.
  [[nodiscard]] Column multiply(const Column& x) const {
    Column y = Column::Zero(size_);
    for (const auto& e : entries_) y[e.row()] += e.value() * x[e.col()];
    return y;
  }

  /// x = A⁻¹b; false where A is singular.
  [[nodiscard]] bool solve(const Column& b, Column& x) {
    const S root = std::sqrt(std::numeric_limits<S>::epsilon()), weak = root * std::sqrt(root);
    const auto spring = [&](Index i) { return i < nodes_ ? weak : i >= size_ - multipliers_ ? -root : S(0); };
    for (Index i = 0; i < size_; ++i) add(i, i, S(0));
    Eigen::SparseMatrix<S> a(size_, size_);
    a.setFromTriplets(entries_.begin(), entries_.end());
    Column rows = Column::Ones(size_), columns = rows;
    for (int sweep = 0; sweep < 6; ++sweep) {
      Column row = Column::Zero(size_), column = row;
      for (Index j = 0; j < size_; ++j)
        for (typename Eigen::SparseMatrix<S>::InnerIterator e(a, j); e; ++e) {
          const S size = std::abs(e.value());
          row[e.row()] = std::max(row[e.row()], size);
          column[j] = std::max(column[j], size);
        }
      for (Index j = 0; j < nodes_; j += 3)  // no direction of space is better known than the others
        for (Column* most : {&row, &column})
          (*most)[j] = (*most)[j + 1] = (*most)[j + 2] =
              std::max({(*most)[j], (*most)[j + 1], (*most)[j + 2]});
      const auto shrink = [](S most) { return most > S(0) ? S(1) / std::sqrt(most) : S(1); };
      for (Index j = 0; j < size_; ++j) {
        row[j] = shrink(row[j]);
        column[j] = shrink(column[j]);
      }
      for (Index j = 0; j < size_; ++j)
        for (typename Eigen::SparseMatrix<S>::InnerIterator e(a, j); e; ++e)
          e.valueRef() *= row[e.row()] * column[j];
      for (Index j = 0; j < size_; ++j) {
        rows[j] *= row[j];
        columns[j] *= column[j];
      }
    }
    for (Index i = 0; i < size_; ++i) a.coeffRef(i, i) += spring(i);
    a.makeCompressed();
    Eigen::SparseLU<Eigen::SparseMatrix<S>> factors;
    factors.compute(a);
    if (factors.info() != Eigen::Success) return false;
    x = Column::Zero(size_);
    for (int pass = 0; pass < 3; ++pass) {
      Column left = -(a * x);
      for (Index i = 0; i < size_; ++i) left[i] += rows[i] * b[i] + spring(i) * x[i];
      const Column more = factors.solve(left);
      x += more;
    }
    for (Index i = 0; i < size_; ++i) {
      x[i] *= columns[i];
      if (!std::isfinite(x[i])) return false;
    }
    return true;
  }

 private:
  Index size_ = 0, nodes_ = 0, multipliers_ = 0;
  std::vector<Eigen::Triplet<S, int>> entries_;
};

/// Two places that a single row keeps apart: how one moves against the other.
template <class S>
struct StaticGap {
  std::vector<std::pair<Eigen::Index, S>> nodes;           ///< first unknown of a node, its weight
  std::vector<std::pair<Eigen::Index, Vec<S, 3>>> slides;  ///< unknown s, along what it moves
  S distance{};                                            ///< [m]

  /// How far in a step [m].
  [[nodiscard]] S moved(const Vec<S, Eigen::Dynamic>& step) const {
    S d[3] = {};
    for (const auto& [at, weight] : nodes)
      for (int j = 0; j < 3; ++j) d[j] += weight * step[at + j];
    for (const auto& [at, along] : slides)
      for (int j = 0; j < 3; ++j) d[j] += along[j] * step[at];
    return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
};

/// What bodies and constraints say of a state: left-hand sides, which shall vanish, and their equations. Unknowns are six for each node, then the
/// internal coordinates, then the multipliers.
template <class S>
struct StaticTable {
  using Column = Vec<S, Eigen::Dynamic>;
  using Index = Eigen::Index;

  Index nodes = 0;                 ///< unknowns of nodes
  int slides = 0;                  ///< internal coordinates
  int positions = 0;               ///< multipliers
  std::vector<char> is_held;       ///< for each unknown of a node
  Column force;                    ///< loads with the pull of constraints [N, N m]
  Column error;                    ///< φ
  Column apart;                    ///< F
  std::array<S, 2> scale{};        ///< the largest single force and torque [N, N m]
  std::vector<S> reach;            ///< as far as internal coordinates may go in a step [m]
  std::vector<StaticGap<S>> gaps;  ///< what must not pass through each other
  StaticEquations<S> equations{};

  /// Forget all but the sizes and what is held.
  void clear() {
    equations.clear();
    force = Column::Zero(nodes);
    error = Column::Zero(positions);
    apart = Column::Zero(slides);
    reach.assign(static_cast<std::size_t>(slides), S(0));
    scale = {};
    gaps.clear();
  }
  /// Unknown number of internal coordinate z.
  [[nodiscard]] Index slide(int z) const noexcept { return nodes + z; }
  /// Unknown number of multiplier m.
  [[nodiscard]] Index multiplier(int m) const noexcept { return nodes + slides + m; }
  /// Whether this unknown is held.
  [[nodiscard]] bool held(Index row) const noexcept { return is_held[static_cast<std::size_t>(row)] != 0; }
  /// How many of the six unknowns of a node from `first` on are held.
  [[nodiscard]] int held_of(Index first) const noexcept {
    int count = 0;
    for (Index j = 0; j < 6; ++j) count += held(first + j) ? 1 : 0;
    return count;
  }
  /// An entry, but where a held degree has an equation of its own.
  void add(Index row, Index column, S value) {
    if (row >= nodes || !held(row)) equations.add(row, column, value);
  }
  /// A torque of parts that may cancel.
  void note_torque(S torque) noexcept { scale[1] = std::max(scale[1], torque); }
  /// A force, or torque, on a degree.
  void push(Index row, S load) noexcept {
    force[row] += load;
    S& most = scale[row % 6 < 3 ? 0 : 1];
    most = std::max(most, std::abs(load));
  }
};

}  // namespace dalembert::assembly::detail
