#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/linalg/detail/cone_path.hpp>
#include <dalembert/linalg/pivoted_lu.hpp>

/// The block Gauss–Seidel method for cone problems, linalg/cone_problem.hpp: each contact solved by itself
/// for what the others leave, and all rows that hold together.
namespace dalembert::linalg::detail {

/// x ← A⁺x.
template <class LU, class Column>
void solve_ranked(const LU& lu, Column& x) {
  using S = typename Column::Scalar;
  std::vector<typename LU::W> b(x.data(), x.data() + x.size()), left(b.size()), work(b.size());
  lu.solve(b.data(), left.data(), work.data());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = static_cast<S>(b[static_cast<std::size_t>(i)]);
}

/// Sweeps over a problem.
template <class S>
class ConeSweeps : public ConePath<S> {
  using Base = ConePath<S>;

 protected:
  using Base::p_, Base::u_, Base::row_rho_;
  using typename Base::Column;

  /// Before the first sweep over a problem.
  [[gnu::cold, gnu::noinline]] void start_sweeps() {
    if (p_->held == 0) return;
    const int held = static_cast<int>(p_->held);
    held_.start(held, true);
    for (std::size_t i = 0; i < p_->first(); ++i)
      p_->G.each(i, [&](std::size_t j, const S* block) {
        for (std::size_t r = 0; r < BlockShape::rows; ++r)
          for (std::size_t c = 0; c < BlockShape::rows; ++c) {
            const int row = static_cast<int>(Base::row(i, r)), column = static_cast<int>(Base::row(j, c));
            if (row < held && column < held) held_(row, column) = block[BlockShape::stride * r + c];
          }
      });
    held_.decompose();
  }
  /// Each block solved in turn for what the others leave.
  [[gnu::cold, gnu::noinline]] void sweep(Column& P) {
    if (p_->held > 0) {
      u_.resize(p_->held);
      for (Eigen::Index i = 0; i < p_->held; i += 3) {
        const Vec<S, 3> u = p_->G.row_product(static_cast<std::size_t>(i / 3), P);
        for (Eigen::Index k = i; k < std::min(i + 3, p_->held); ++k) u_[k] = p_->b[k] + u[k - i];
      }
      solve_ranked(held_, u_);
      for (Eigen::Index i = 0; i < p_->held; ++i) P[i] -= u_[i];
    }
    for (Eigen::Index i = p_->held; i < p_->held + p_->pressed; ++i) {
      const S u = p_->b[i] + p_->G.row_product(static_cast<std::size_t>(i / 3), P)[i % 3];
      P[i] = std::max(S(0), S(P[i] - row_rho_[i] * u));
    }
    for (std::size_t c = 0; c < p_->friction.size(); ++c) {
      const Eigen::Index i = p_->row(c);
      Mat<S, 3> block;
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k)
          block(static_cast<int>(r), static_cast<int>(k)) = p_->G.own(p_->first() + c, r, k);
      const Vec<S, 3> rest = three(p_->b, i) + p_->G.row_product(p_->first() + c, P) - block * three(P, i);
      const Vec<S, 3> found = solved_contact<S>(block, rest, p_->friction[c]);
      for (int r = 0; r < 3; ++r) P[i + r] = found[r];
    }
  }

 private:
  PivotedLU<S, true> held_{};
};

}  // namespace dalembert::linalg::detail
