#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include <dalembert/assembly/place.hpp>
#include <dalembert/rod/columns.hpp>

/// The linear equations of statics, which are sparse, unsymmetric (rows of held degrees, internal coordinates that follow) and of mixed units; and
/// how the nodes of a place answer for it.
namespace dalembert::assembly::detail {

/// A sparse system, solved by an LU decomposition with rows and columns brought to one size: a step of Ruiz's scaling divides both by the root of
/// their largest entry. Source: Ruiz 2001, RAL-TR-2001-034.
template <class S>
class StaticEquations {
 public:
  using Column = Vec<S, Eigen::Dynamic>;
  using Index = Eigen::Index;

  StaticEquations() = default;
  explicit StaticEquations(Index size) : size_(size) {}

  void clear() noexcept { entries_.clear(); }
  /// Entries at one place are summed.
  void add(Index row, Index column, S value) {
    entries_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  }

  /// x = A⁻¹b; false where A is singular.
  [[nodiscard]] bool solve(const Column& b, Column& x) {
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
    a.makeCompressed();
    Eigen::SparseLU<Eigen::SparseMatrix<S>> factors;
    factors.compute(a);
    if (factors.info() != Eigen::Success) return false;
    Column scaled(size_);
    for (Index i = 0; i < size_; ++i) scaled[i] = rows[i] * b[i];
    x = factors.solve(scaled);
    if (factors.info() != Eigen::Success) return false;
    for (Index i = 0; i < size_; ++i) x[i] *= columns[i];
    return true;
  }

 private:
  Index size_ = 0;
  std::vector<Eigen::Triplet<S, int>> entries_;
};

/// A node that bears a place.
template <class S>
struct BornNode {
  Eigen::Index unknown;  ///< number of the first of its six unknowns
  S weight;              ///< α
  S slope;               ///< α′ [1/m]
};

/// The nodes that bear a place.
template <class S>
struct Bearing {
  std::size_t body = 0;
  bool slides = false;
  std::vector<BornNode<S>> nodes;  ///< none for a place in space

  Bearing() = default;
  /// Of a place at its point; unknowns of body i begin at first[i].
  template <class Place>
  Bearing(const Place& place, const Point<S>& p, const std::vector<rod::Chain<S>>& chains,
          const std::vector<Eigen::Index>& first)
      : slides(Place::slides) {
    const auto lanes = static_cast<std::size_t>(place.packs() * rod::lane_width<S>);
    if (lanes == 0) return;
    std::vector<S> weights(lanes, S(0)), slopes(lanes, S(0));
    Window window;
    place.bear(p, window, weights.data());
    if constexpr (Place::slides) place.bear_slopes(p, slopes.data());
    body = window.body;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Eigen::Index k = window.first + static_cast<Eigen::Index>(lane);
      if (k < chains[body].nodes && (weights[lane] != S(0) || slopes[lane] != S(0)))
        nodes.push_back({first[body] + 6 * k, weights[lane], slopes[lane]});
    }
  }
};

/// Torques and turns of the place whose variables begin at `first`, from space to the axes of a body with this rotation:
///   τ → Λᵀτ, whose change is Λᵀ(δτ + τ × θ),  θ = ΛΣ.
template <class S, class Terms>
void turn_to_body(const SO3<S>& rotation, int first, Terms& terms) {
  const int t = first + 3;
  const Vec<S, 3> torque(terms.pull[t], terms.pull[t + 1], terms.pull[t + 2]);
  for (int j = 0; j < 3; ++j) {  // τ × θ
    const int next = (j + 1) % 3, last = (j + 2) % 3;
    terms.curvature(t + j, t + last) += torque[next];
    terms.curvature(t + j, t + next) -= torque[last];
  }
  const Mat<S, 3> lambda = rotation.matrix();
  const auto turn_row = [&](auto& column) {
    S x[3] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) x[i] += lambda(j, i) * column[t + j];
    for (int i = 0; i < 3; ++i) column[t + i] = x[i];
  };
  turn_row(terms.pull);
  for (int v = 0; v < Terms::variables; ++v) {
    auto column = terms.curvature.col(v);
    turn_row(column);
  }
  const auto turn_columns = [&](auto& block) {
    for (int r = 0; r < block.rows(); ++r) {
      S x[3] = {};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) x[i] += block(r, t + j) * lambda(j, i);
      for (int i = 0; i < 3; ++i) block(r, t + i) = x[i];
    }
  };
  turn_columns(terms.curvature);
  turn_columns(terms.slopes);
  turn_columns(terms.tangency);
}

}  // namespace dalembert::assembly::detail
