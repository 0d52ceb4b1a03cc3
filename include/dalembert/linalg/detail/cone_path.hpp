#pragma once

#include <algorithm>
#include <cstddef>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/detail/cone_equations.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// Solutions of a cone problem along a path on which its coefficients of friction grow from nothing. They
/// need not be unique: the path may turn back to smaller coefficients before it comes to the largest, so it
/// is followed by its length. Where contacts close, open, stick or slip it has a corner, beyond which it goes
/// on in the direction t that keeps the sign of
///   det [F_x; tᵀ],   x = (P, s),   F the equations of ConeEquations, μ ≤ bound(s)               (1)
/// Source: Allgower and Georg 1990, Numerical Continuation Methods, chapters 2 and 15 (a path that is smooth
/// by pieces).
namespace dalembert::linalg::detail {

/// Follows the path (1) in dimensionless impulses.
template <class S>
class ConePath : protected ConeEquations<S> {
  using Base = ConeEquations<S>;

 public:
  /// The largest bound on coefficients that the path of the last problem came to before it ended; 0 of none.
  [[nodiscard]] S farthest() const noexcept { return farthest_; }

 protected:
  using Base::equations, Base::p_, Base::n_, Base::bound_, Base::held_rho_, Base::by_bound_;
  using typename Base::Column;

  /// P, a solution without friction, becomes one where no coefficient is above `top`, which is the bound
  /// then. Answers whether the path leads there; P has no meaning if not.
  bool follow(Column& P, S top) {
    top_ = top;
    farthest_ = S(0);
    unit_ = std::max(magnitude(P), S(held_rho_ * magnitude(p_->b)));
    if (!(unit_ > S(0)) || !(top > S(0))) return false;
    x_.set_zero(n_ + 1);
    for (Eigen::Index i = 0; i < n_; ++i) x_[i] = P[i] / unit_;
    along_.set_zero(n_ + 1);
    along_[n_] = S(1);
    orientation_ = S(0);
    if (!turn(x_)) return false;
    S length = S(0.05);
    for (int step = 0; step < 3000; ++step) {
      const int corrections = correct(length);
      if (corrections > 0) {
        if (y_[n_] < S(0)) return false;
        if (y_[n_] >= S(1)) {
          for (Eigen::Index i = 0; i < n_; ++i) P[i] = unit_ * y_[i];
          bound_ = top;
          return true;
        }
        x_ = y_;
        farthest_ = std::max(farthest_, bound_);
        if (!turn(x_)) return false;
        if (corrections <= 5) length = std::min(S(S(0.5) * (S(1) + magnitude(x_))), S(1.6) * length);
      } else {
        length /= S(2);
        if (length < number::above_rounding(S(1e-9)) && !turn_corner(length)) return false;
      }
    }
    return false;
  }

  S farthest_{};  // see farthest()

 private:
  /// F and its slopes at x, into the rows of the system but the last. The bound on the coefficients is 0 at
  /// s = 0 and `top` from 1 on.
  void evaluate(const Column& x) {
    for (Eigen::Index i = 0; i < n_; ++i) P_[i] = unit_ * x[i];
    const S s = std::min(x[n_], S(1)), left = S(1) - s * (S(1) - S(1) / top_);
    bound_ = s / left;
    Base::forget_shift();
    (void)equations(P_, F_, true);
    // rows of sliding contacts over μ, for P_n is smooth in 1/μ where μP_n is bounded
    const S slope = x[n_] < S(1) ? S(1) / (left * left) : S(0), scale = S(1) / std::max(S(1), bound_);
    for (Eigen::Index i = 0; i < n_; ++i)
      for (Eigen::Index k = 0; k < n_; ++k) lu_.matrix(i, k) = S(0);
    Base::each_slope([&](std::size_t i, std::size_t j, const S* block) {
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          lu_.matrix(Base::row(i, r), Base::row(j, c)) = scale * block[BlockShape::stride * r + c];
    });
    for (Eigen::Index i = 0; i < n_; ++i) {
      lu_.matrix(i, n_) = scale * slope * by_bound_[i] / unit_;
      F_[i] *= scale;
    }
    for (Eigen::Index k = 0; k <= n_; ++k) lu_.matrix(n_, k) = along_[k];
  }
  /// Turn into the direction of the path at x, or in the part that x lies in.
  bool turn(const Column& x) {
    start();
    evaluate(x);
    if (!lu_.compute()) return false;
    const S sign = lu_.sign_of_determinant();
    if (orientation_ == S(0)) orientation_ = sign;
    step_.set_zero(n_ + 1);
    step_[n_] = S(1);
    lu_.solve(step_);
    S square(0);
    for (const S& t : step_) square += t * t;
    if (!std::isfinite(square)) return false;
    const S scale = S(sign == orientation_ ? 1 : -1) / std::sqrt(square);
    for (Eigen::Index k = 0; k <= n_; ++k) along_[k] = scale * step_[k];
    return true;
  }
  /// y, a point of the path by `length` further on. How many corrections it took, 0 if it was not found.
  int correct(S length) {
    y_ = x_;
    for (Eigen::Index k = 0; k <= n_; ++k) y_[k] += length * along_[k];
    start();
    for (int i = 1; i <= 10; ++i) {
      evaluate(y_);
      S left(-length), error(0), strayed(0);
      for (Eigen::Index k = 0; k <= n_; ++k) left += along_[k] * (y_[k] - x_[k]);
      for (Eigen::Index k = 0; k < n_; ++k) error = std::max(error, S(std::abs(F_[k]) / unit_));
      if (error < number::above_rounding(S(1e-12)) * (S(1) + magnitude(y_))) return i;
      if (!lu_.compute()) return 0;
      for (Eigen::Index k = 0; k < n_; ++k) step_[k] = F_[k] / unit_;
      step_[n_] = left;
      lu_.solve(step_);
      for (Eigen::Index k = 0; k <= n_; ++k) {
        y_[k] -= step_[k];
        strayed = std::max(strayed, S(std::abs(y_[k] - x_[k])));
      }
      if (!(strayed <= S(2) * length)) return 0;
    }
    return 0;
  }
  /// Take the direction of the path beyond a corner that is close by, and a length that leads there.
  bool turn_corner(S& length) {
    before_ = along_;
    for (const S ahead : {S(1e-8), S(1e-6), S(1e-4)}) {
      along_ = before_;
      y_ = x_;
      for (Eigen::Index k = 0; k <= n_; ++k) y_[k] += ahead * along_[k];
      if (!turn(y_)) continue;
      for (length = S(16) * ahead; length > number::above_rounding(S(1e-9)); length /= S(2))
        if (correct(length) > 0) return true;
    }
    return false;
  }
  void start() {
    lu_.resize(static_cast<int>(n_) + 1);
    P_.resize(n_);
    step_.resize(n_ + 1);
  }

  S top_{}, unit_{}, orientation_{};
  Column x_{}, y_{}, along_{}, before_{}, step_{}, P_{}, F_{};
  DenseLU<S, typename ConeProblem<S>::GrowingMatrix> lu_{0};
};

}  // namespace dalembert::linalg::detail
