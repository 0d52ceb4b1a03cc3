#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/linalg/cone_types.hpp>
#include <dalembert/linalg/detail/ordered_band.hpp>

/// Steps of Newton's method where matrices may be singular.
namespace dalembert::linalg::detail {

/// Of matrices J one after the other, in memory that grows with the largest.
template <class S, class Matrix>
class LeastSolve {
 public:
  /// For matrices that are zero but for this pattern, which must outlast their solution.
  void find(const BlockPattern& pattern) {
    pattern_ = &pattern;
    singular_ = false;
    band_.find(pattern);
  }

  /// x of J x = F; where J is singular, or so nearly that x is far above the size of what it changes, nearly
  /// the least x, which the next step of Newton's method makes good. One after another is taken to be
  /// singular as well, as long as the least x leaves nothing.
  template <class Column>
  [[gnu::cold, gnu::noinline]] void operator()(const Matrix& J, const Column& F, S size, Column& x) {
    const bool before = singular_;
    if (!before && is_solved(J, F, size, x)) return;
    singular_ = true;
    // x = Jᵀ(JJᵀ + δ)⁻¹F
    S trace(0);
    pattern_->each_entry([&](Eigen::Index i, Eigen::Index j) { trace += J(i, j) * J(i, j); });
    left_ = F;
    if (band_.factor_squares(J, S(S(1e3) * std::numeric_limits<S>::epsilon() * trace)))
      band_.solve_squares(left_);
    else
      for (S& entry : left_) entry = std::numeric_limits<S>::quiet_NaN();
    x.set_zero(F.size());
    pattern_->each_entry([&](Eigen::Index i, Eigen::Index k) { x[k] += J(i, k) * left_[i]; });
    if (!before) return;
    left_ = F;
    pattern_->add_product(J, x, S(-1), left_);
    if (magnitude(left_) <= S(1e-6) * magnitude(F)) return;
    least_ = x;
    singular_ = !is_solved(J, F, size, x);
    if (singular_) x = least_;
  }

 private:
  /// Whether x of J x = F is there for sure.
  template <class Column>
  [[nodiscard, gnu::noinline]] bool is_solved(const Matrix& J, const Column& F, S size, Column& x) {
    x = F;
    if (!band_.factor(J)) return false;
    band_.solve(x);
    return magnitude(x) <= S(1e3) * std::max(size, magnitude(F));
  }
  const BlockPattern* pattern_ = nullptr;
  OrderedBand<S> band_{};
  bool singular_ = false;  // the matrix before
  typename ConeProblem<S>::GrowingColumn left_{}, least_{};
};
/// x ← A⁺x.
template <class LU, class Column>
void solve_ranked(const LU& lu, Column& x) {
  using S = typename Column::Scalar;
  std::vector<typename LU::W> b(x.data(), x.data() + x.size()), left(b.size()), work(b.size());
  lu.solve(b.data(), left.data(), work.data());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = static_cast<S>(b[static_cast<std::size_t>(i)]);
}

}  // namespace dalembert::linalg::detail
