#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/linalg/cone_types.hpp>
#include <dalembert/linalg/detail/block_matrix.hpp>

/// A cone problem as it is solved: by blocks of three rows, of which those that are other than zero are kept.
namespace dalembert::linalg::detail {

/// Rows that hold come first, then rows that press, 0 ≤ P ⟂ u ≥ 0: normals of contacts that have no
/// friction. What is left of their last block are rows of zeros, whose impulses are zero. Then a block a
/// contact. In memory that grows with the largest.
template <class S>
struct ConeBlocks {
  using Column = typename ConeProblem<S>::GrowingColumn;

  Eigen::Index held = 0;      ///< rows that hold
  Eigen::Index pressed = 0;   ///< rows that press
  std::vector<S> friction{};  ///< μ of each contact
  BlockMatrix<S> G{};
  Column b{};

  /// Begin with G and b zero, for the rows and coefficients that there are now.
  void begin() {
    G.start(first() + friction.size());
    b.set_zero(size());
  }
  /// Put the block of contacts i and j, and its transpose; once.
  void put(std::size_t i, std::size_t j, const Mat<S, 3>& block) { G.put(first() + i, first() + j, block); }
  /// Put what rows i and j that hold or press do to each other, in the order of i; once.
  void put(std::size_t i, std::size_t j, S response) { G.add(i, j, response); }
  /// After the last block.
  void end() { G.finish(); }
  /// The same as a problem that is dense.
  void take(const ConeProblem<S>& problem) {
    held = problem.held;
    pressed = 0;
    friction = problem.friction;
    begin();
    const std::size_t blocks = first() + friction.size();
    for (std::size_t i = 0; i < blocks; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        Mat<S, 3> block;
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) {
            const Eigen::Index row = of_dense(3 * index(i) + r), column = of_dense(3 * index(j) + c);
            block(r, c) = row < 0 || column < 0 ? S(0) : problem.G(row, column);
          }
        G.put(i, j, block);
      }
    end();
    to_blocks(problem.b, b);
  }
  /// Numbers by rows of a dense problem, to those of this one, and back.
  template <class Dense>
  void to_blocks(const Dense& x, Column& y) const {
    y.set_zero(size());
    for (Eigen::Index i = 0; i < size(); ++i)
      if (of_dense(i) >= 0) y[i] = x[of_dense(i)];
  }
  template <class Dense>
  void to_dense(const Column& x, Dense& y) const {
    y.resize(held + size() - row(0));
    for (Eigen::Index i = 0; i < size(); ++i)
      if (of_dense(i) >= 0) y[of_dense(i)] = x[i];
  }

  /// The block of the first contact.
  [[nodiscard]] std::size_t first() const noexcept {
    return static_cast<std::size_t>((held + pressed + 2) / 3);
  }
  /// Number of rows.
  [[nodiscard]] Eigen::Index size() const noexcept { return row(friction.size()); }
  /// First row of a contact.
  [[nodiscard]] Eigen::Index row(std::size_t contact) const noexcept { return 3 * index(first() + contact); }
  /// u ← b + G P.
  void put_velocities(const Column& P, Column& u) const {
    u = b;
    G.add_product(P, S(1), u);
  }
  /// b ← b − G P: for impulses P that are there already.
  void take_away(const Column& P) { G.add_product(P, S(-1), b); }
  /// The largest entry of the diagonal of G.
  [[nodiscard]] S largest_response() const {
    S largest(0);
    for (Eigen::Index i = 0; i < size(); ++i) largest = std::max(largest, G.diagonal(i));
    return largest;
  }

 private:
  static Eigen::Index index(std::size_t i) noexcept { return static_cast<Eigen::Index>(i); }
  /// A row in a dense problem, or none.
  [[nodiscard]] Eigen::Index of_dense(Eigen::Index mine) const noexcept {
    return mine < held ? mine : mine < row(0) ? -1 : mine - row(0) + held;
  }
};

}  // namespace dalembert::linalg::detail
