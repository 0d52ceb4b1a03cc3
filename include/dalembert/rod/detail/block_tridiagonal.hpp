#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Linear systems of chains: block-tridiagonal matrices, factored in O(N).
///   row k:  A_k x_{k−1} + D_k x_k + C_k x_{k+1} = b_k,   k = 0 … n − 1                              (1)
///   pivots  P_0 = D_0,  P_k = D_k − A_k E_{k−1},  E_k = P_k⁻¹ C_k                                   (2)
///   y_k = P_k⁻¹ (b_k − A_k y_{k−1}),  x_k = y_k − E_k x_{k+1}                                       (3)
/// Rows are exchanged inside a block, never between blocks: a regular matrix with a singular leading part is
/// refused. Stiffnesses of rods that rest in a minimum of their energy have none.
/// Source: block LU, Golub & Van Loan, section 4.5.1.
namespace dalembert::rod {

/// A pivot block P_k of (2) that is singular to working precision.
class SingularPivot : public SingularSystem {
 public:
  /// In block `block` of `blocks`; `why`, if it is known.
  SingularPivot(Eigen::Index block, Eigen::Index blocks, const std::string& why = {})
      : SingularSystem(message({"BlockTridiagonal: the pivot of block ", block, " of ", blocks,
                                " is singular", why.empty() ? "" : "; ", why})),
        block_(block) {}
  /// k.
  [[nodiscard]] Eigen::Index block() const noexcept { return block_; }

 private:
  Eigen::Index block_;
};

/// A square matrix of n × n blocks with `Size` rows each; see the head of this file. It allocates when it is
/// made and never after that. Right-hand sides are columns of n·Size numbers, block after block.
template <class S, int Size = 6>
class BlockTridiagonal {
 public:
  using Scalar = S;            ///< the number type
  using Index = Eigen::Index;  ///< counts nodes
  using Block = Eigen::Matrix<S, Size, Size, Size == 1 ? Eigen::ColMajor : Eigen::RowMajor>;  ///< 6×6

  /// n blocks in a row, all zero; throws std::invalid_argument unless n ≥ 1.
  explicit BlockTridiagonal(Index blocks)
      : diagonal_(checked(blocks)),
        lower_(diagonal_.size() - 1),
        upper_(lower_.size()),
        pivot_(diagonal_.size()),
        eliminated_(lower_.size()),
        exchange_(diagonal_.size()) {
    set_zero();
  }

  /// n.
  [[nodiscard]] Index blocks() const noexcept { return static_cast<Index>(diagonal_.size()); }
  /// n·Size.
  [[nodiscard]] Index rows() const noexcept { return Size * blocks(); }

  /// D_k.
  [[nodiscard]] Block& diagonal(Index k) noexcept { return diagonal_[at(k)]; }
  /// Block (k, k).
  [[nodiscard]] const Block& diagonal(Index k) const noexcept { return diagonal_[at(k)]; }
  /// A_{k+1}: row k + 1, column k.
  [[nodiscard]] Block& lower(Index k) noexcept { return lower_[at(k)]; }
  /// Block (k + 1, k).
  [[nodiscard]] const Block& lower(Index k) const noexcept { return lower_[at(k)]; }
  /// C_k: row k, column k + 1.
  [[nodiscard]] Block& upper(Index k) noexcept { return upper_[at(k)]; }
  /// Block (k, k + 1).
  [[nodiscard]] const Block& upper(Index k) const noexcept { return upper_[at(k)]; }
  /// add(k, l, block) for all of them.
  template <class Add>
  void each_block(Add&& add) const {
    for (Index k = 0; k < blocks(); ++k) {
      add(k, k, diagonal(k));
      if (k + 1 == blocks()) break;
      add(k, k + 1, upper(k));
      add(k + 1, k, lower(k));
    }
  }

  /// Make every block zero.
  void set_zero() noexcept {
    for (auto* blocks : {&diagonal_, &lower_, &upper_})
      for (Block& b : *blocks)
        for (int i = 0; i < Size * Size; ++i) b.coeffRef(i) = S(0);
  }

  /// y = M x for the blocks as they are now.
  template <class X, class Y>
  void multiply(const Eigen::MatrixBase<X>& x, Eigen::MatrixBase<Y>& y) const {
    for (Index i = 0; i < y.rows(); ++i)
      for (Index c = 0; c < y.cols(); ++c) y(i, c) = S(0);
    for (Index k = 0; k < blocks(); ++k) {
      add_product(y, k, S(1), diagonal(k), x, k);
      if (k > 0) add_product(y, k, S(1), lower(k - 1), x, k - 1);
      if (k + 1 < blocks()) add_product(y, k, S(1), upper(k), x, k + 1);
    }
  }

  /// Factor the blocks as they are now; they stay. Throws SingularPivot.
  void factor() {
    for (Index k = 0; k < blocks(); ++k) {
      Block& p = pivot_[at(k)];
      p = diagonal(k);
      if (k > 0) add_product(p, 0, S(-1), lower(k - 1), eliminated_[at(k - 1)], 0);
      if (!decompose(p, exchange_[at(k)], row_scales(k))) throw SingularPivot(k, blocks());
      if (k + 1 < blocks()) {
        eliminated_[at(k)] = upper(k);
        substitute(p, exchange_[at(k)], eliminated_[at(k)], 0);
      }
    }
  }

  /// b ← M⁻¹ b for one or several columns, with the factors of the last `factor`.
  template <class D>
  void solve(Eigen::MatrixBase<D>& b) const {
    D& x = b.derived();
    for (Index k = 0; k < blocks(); ++k) {
      if (k > 0) add_product(x, k, S(-1), lower(k - 1), x, k - 1);
      substitute(pivot_[at(k)], exchange_[at(k)], x, k);
    }
    for (Index k = blocks() - 2; k >= 0; --k) add_product(x, k, S(-1), eliminated_[at(k)], x, k + 1);
  }

  /// The number of negative eigenvalues of a symmetric matrix, after `factor`: the sum over its pivots P_k.
  [[nodiscard]] Index negative_eigenvalues() const {
    Index count = 0;
    for (Index k = 0; k < blocks(); ++k) {
      Block p = diagonal(k);
      if (k > 0) add_product(p, 0, S(-1), lower(k - 1), eliminated_[at(k - 1)], 0);
      const Eigen::Matrix<S, Size, Size> symmetric = S(0.5) * (p + p.transpose());
      count += (Eigen::SelfAdjointEigenSolver<Eigen::Matrix<S, Size, Size>>(symmetric, Eigen::EigenvaluesOnly)
                    .eigenvalues()
                    .array() < S(0))
                   .count();
    }
    return count;
  }

 private:
  using Exchange = std::array<int, static_cast<std::size_t>(Size)>;

  [[nodiscard]] static std::size_t at(Index k) noexcept { return static_cast<std::size_t>(k); }
  [[nodiscard]] static std::size_t checked(Index blocks) {
    require(blocks >= 1, "BlockTridiagonal", "blocks", blocks, "a matrix needs at least one block");
    return at(blocks);
  }

  /// y_k ← y_k + s A x_l, where x_k are the rows of block k.
  template <class Y, class X>
  [[gnu::noinline]] static void add_product(Y& y, Index k, S s, const Block& a, const X& x, Index l) {
    for (int i = 0; i < Size; ++i)
      for (int j = 0; j < Size; ++j)
        for (Index c = 0; c < x.cols(); ++c) y(Size * k + i, c) += s * a(i, j) * x(Size * l + j, c);
  }

  /// The largest magnitude in each row of (1): what a pivot is measured against.
  [[nodiscard]] Eigen::Matrix<S, Size, 1> row_scales(Index k) const noexcept {
    Eigen::Matrix<S, Size, 1> scale;
    for (int i = 0; i < Size; ++i) {
      S most = 0;
      for (int j = 0; j < Size; ++j) {
        most = std::max(most, number::abs(diagonal(k)(i, j)));
        if (k > 0) most = std::max(most, number::abs(lower(k - 1)(i, j)));
        if (k + 1 < blocks()) most = std::max(most, number::abs(upper(k)(i, j)));
      }
      scale[i] = most;
    }
    return scale;
  }

  /// P = LU with rows exchanged: L has a unit diagonal, the diagonal of U is kept inverted. Rows are compared
  /// in units of their scale. False if a pivot is lost in round-off.
  [[nodiscard]] static bool decompose(Block& p, Exchange& exchange,
                                      Eigen::Matrix<S, Size, 1> scale) noexcept {
    for (int j = 0; j < Size; ++j) {
      int best = j;
      for (int i = j + 1; i < Size; ++i)
        if (number::abs(p(i, j)) * scale[best] > number::abs(p(best, j)) * scale[i]) best = i;
      exchange[static_cast<std::size_t>(j)] = best;
      if (best != j) {
        for (int c = 0; c < Size; ++c) std::swap(p(best, c), p(j, c));
        std::swap(scale[best], scale[j]);
      }
      if (!(number::abs(p(j, j)) > S(4) * std::numeric_limits<S>::epsilon() * scale[j]) ||
          !number::isfinite(p(j, j)))
        return false;
      const S inverse = S(1) / p(j, j);
      p(j, j) = inverse;
      for (int i = j + 1; i < Size; ++i) {
        const S factor = p(i, j) * inverse;
        p(i, j) = factor;
        for (int c = j + 1; c < Size; ++c) p(i, c) -= factor * p(j, c);
      }
    }
    return true;
  }

  /// x_k ← P⁻¹ x_k.
  template <class X>
  [[gnu::noinline]] static void substitute(const Block& p, const Exchange& exchange, X& x, Index k) {
    const Index first = Size * k;
    const auto subtract = [&](int i, int j) {
      for (Index c = 0; c < x.cols(); ++c) x(first + i, c) -= p(i, j) * x(first + j, c);
    };
    for (int j = 0; j < Size; ++j) {
      const int other = exchange[static_cast<std::size_t>(j)];
      for (Index c = 0; other != j && c < x.cols(); ++c) std::swap(x(first + other, c), x(first + j, c));
    }
    for (int i = 1; i < Size; ++i)
      for (int j = 0; j < i; ++j) subtract(i, j);
    for (int i = Size - 1; i >= 0; --i) {
      for (int j = i + 1; j < Size; ++j) subtract(i, j);
      for (Index c = 0; c < x.cols(); ++c) x(first + i, c) *= p(i, i);
    }
  }

  std::vector<Block> diagonal_, lower_, upper_;  // A_{k+1} and C_k at k
  std::vector<Block> pivot_;                     // L and U of P_k, rows exchanged
  std::vector<Block> eliminated_;                // E_k
  std::vector<Exchange> exchange_;
};

}  // namespace dalembert::rod
