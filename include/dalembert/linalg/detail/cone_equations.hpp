#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/detail/block_elimination.hpp>
#include <dalembert/linalg/detail/cone_blocks.hpp>

/// The semismooth equations of a cone problem, linalg/cone_problem.hpp (1) to (3), in one number a row:
///   y = P_n − ρ_n u_n,   P_n = max(0, y),
///   P_t = P_t − ρ_t u_t, or the part of it that is μ max(0, y) long                                  (1)
/// Steps of Newton's method are by the slopes of u = b + (G + δ/ρ)P: where several contacts hold one body G
/// may be singular, and these steps take nearly the least impulses that do.
/// Source: Alart and Curnier 1991, Comput. Methods Appl. Mech. Eng. 92, 353.
namespace dalembert::linalg::detail {

/// Of a problem, or of one on the way to it.
template <class S>
class ConeEquations {
 public:
  using Problem = ConeBlocks<S>;
  using Column = typename Problem::Column;

 protected:
  /// F of Alart and Curnier's equations at P, and on demand its slopes, those by P as `slopes_` and by the
  /// bound on μ as `by_bound_`; |F|². The velocities may be known, in `u_`.
  S equations(const Column& P, Column& F, bool slopes, bool known = false) {
    if (!known) p_->put_velocities(P, u_);
    const Column& u = u_;
    F.resize(n_);
    if (slopes) {
      by_bound_.set_zero(n_);
      slopes_.assign(p_->G.count(), Slopes{});
    }
    const auto add_row = [&](Eigen::Index to, S factor, Eigen::Index from) {  // of G
      if (slopes) slopes_[block_of(to)].by_velocity[stride * place(to) + place(from)] += factor;
    };
    const auto add = [&](Eigen::Index row, Eigen::Index column, S x) {
      if (slopes) slopes_[block_of(row)].by_impulse[stride * place(row) + place(column)] += x;
    };
    for (Eigen::Index i = 0; i < p_->row(0); ++i) {
      const S rho = row_rho_[i];
      const bool holds = i < p_->held || (i < p_->held + p_->pressed && P[i] - rho * u[i] > S(0));
      F[i] = holds ? S(rho * u[i]) : P[i];
      if (holds)
        add_row(i, rho, i);
      else
        add(i, i, S(1));
    }
    for (std::size_t c = 0; c < p_->friction.size(); ++c) {
      const Eigen::Index i = p_->row(c);
      const auto [normal, across] = rho_[c];
      if (jams_[c] != 0) {  // u_n = P_n = 0 and P_t × u_t = 0
        const S force = size_of(P[i + 1], P[i + 2]), scale = force > S(0) ? S(across / force) : across;
        F[i] = normal * u[i];
        F[i + 1] = P[i];
        F[i + 2] = scale * (P[i + 1] * u[i + 2] - P[i + 2] * u[i + 1]);
        add_row(i, normal, i);
        add(i + 1, i, S(1));
        add_row(i + 2, scale * P[i + 1], i + 2);
        add_row(i + 2, -scale * P[i + 2], i + 1);
        add(i + 2, i + 1, scale * u[i + 2]);
        add(i + 2, i + 2, -scale * u[i + 1]);
        continue;
      }
      const S mu = std::min(p_->friction[c], bound_), pressed = P[i] - normal * u[i];
      const bool closed = pressed > S(0), sticks_always = !std::isfinite(mu);
      F[i] = closed ? S(normal * u[i]) : P[i];
      if (closed)
        add_row(i, normal, i);
      else
        add(i, i, S(1));
      const Vec<S, 2> y(P[i + 1] - across * u[i + 1], P[i + 2] - across * u[i + 2]);
      const S size = size_of(y[0], y[1]), radius = closed && !sticks_always ? S(mu * pressed) : S(0);
      if (closed && (sticks_always || size <= radius)) {
        for (const Eigen::Index k : {i + 1, i + 2}) {
          F[k] = across * u[k];
          add_row(k, across, k);
        }
        continue;
      }
      const Vec<S, 2> d = size > S(0) ? Vec<S, 2>(y[0] / size, y[1] / size) : Vec<S, 2>(S(0), S(0));
      for (int k = 0; k < 2; ++k) {
        F[i + 1 + k] = P[i + 1 + k] - radius * d[k];
        if (slopes && mu == bound_ && closed) by_bound_[i + 1 + k] = -pressed * d[k];
        add(i + 1 + k, i + 1 + k, S(1));
      }
      if (!(radius > S(0))) continue;
      // − μ d dy_n − r/|y| (1 − ddᵀ) dy_t
      for (int k = 0; k < 2; ++k) {
        add_row(i + 1 + k, mu * d[k] * normal, i);
        add(i + 1 + k, i, -mu * d[k]);
        for (int l = 0; l < 2; ++l) {
          const S turning = radius / size * ((k == l ? S(1) : S(0)) - d[k] * d[l]);
          add_row(i + 1 + k, turning * across, i + 1 + l);
          add(i + 1 + k, i + 1 + l, -turning);
        }
      }
    }
    S square(0);
    for (const S& x : F) square += x * x;
    return square;
  }

  /// Without a shift of G.
  void forget_shift() noexcept { shift_ = least_shift_ = S(0); }
  /// After a step that led nowhere, a larger shift; false where it is large already.
  bool raise_shift() noexcept {
    if (shift_ > S(1e-4)) return false;
    least_shift_ = larger_shift();
    return true;
  }
  /// After one that led somewhere, the least again, if any.
  void lower_shift() noexcept { least_shift_ = std::min(least_shift_, first_shift); }
  /// F at P and the step of Newton's method, J step = F. Where slopes are singular to rounding G is shifted
  /// by as little as helps, and for the rest of the problem at least by the least of these shifts. False
  /// where there is no step.
  bool find_step(const Column& P, Column& F, Column& step, bool known) {
    lu_.find(p_->G);
    for (shift_ = least_shift_;; shift_ = larger_shift()) {
      (void)equations(P, F, true, known);
      if (solve(F, step)) return true;
      least_shift_ = std::max(least_shift_, first_shift);
      if (shift_ > S(0.1)) return false;
    }
  }
  /// Whether factors cost far more than a step: in a heap each contact couples, by way of those that were
  /// eliminated before it, with tens of others.
  [[nodiscard]] bool factors_are_dear() {
    lu_.find(p_->G);
    return lu_.changes() >= 8 * p_->G.columns().size();
  }
  /// A step by the factors of the last one, where they are dear.
  [[nodiscard]] bool follow_step(const Column& F, Column& step) {
    if (!factors_are_dear()) return false;
    step = F;
    lu_.solve(step);
    return true;
  }
  /// f(i, j, block) of the slopes of row i of blocks by P, A_i(G_ij + δ/ρ) + B_i on the diagonal.
  template <class F>
  void each_slope(const F& f) const {
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const auto& [by_velocity, by_impulse] = slopes_[i];
      p_->G.each(i, [&, &by_velocity = by_velocity, &by_impulse = by_impulse](std::size_t j, const S* G) {
        S block[BlockShape::size];
        BlockShape::multiply(by_velocity, G, block);
        if (i == j)
          for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c) {
              const std::size_t at = stride * r + c;
              block[at] += by_velocity[at] * own_shift(i, c) + by_impulse[at];
            }
        f(i, j, block);
      });
    }
  }
  /// Row r of a block.
  [[nodiscard]] static Eigen::Index row(std::size_t block, std::size_t r) noexcept {
    return static_cast<Eigen::Index>(3 * block + r);
  }

 private:
  /// J step = F; whether that is a step to take. Slopes are of the order of one: a block whose inverse is far
  /// above that is what rounding has left.
  bool solve(const Column& F, Column& step) {
    lu_.clear();
    each_slope([&](std::size_t i, std::size_t j, const S* block) {
      std::copy_n(block, BlockShape::size, lu_.block(i, j));
    });
    const S far_above = S(1) / number::above_rounding(S(1e-10));
    if (!lu_.factor(shift_ > S(0) ? std::numeric_limits<S>::max() : far_above)) return false;
    step = left_ = F;
    lu_.solve(step);
    each_slope([&](std::size_t i, std::size_t j, const S* block) {  // there were no pivots across blocks
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) left_[row(i, r)] -= block[stride * r + c] * step[row(j, c)];
    });
    return magnitude(left_) <= number::above_rounding(S(1e-6)) * magnitude(F);  // false for what is no number
  }
  /// The slopes of the rows of a block by their velocities, and by their impulses besides.
  struct Slopes {
    S by_velocity[BlockShape::size] = {}, by_impulse[BlockShape::size] = {};
  };
  static std::size_t block_of(Eigen::Index row) noexcept { return static_cast<std::size_t>(row / 3); }
  static std::size_t place(Eigen::Index row) noexcept { return static_cast<std::size_t>(row % 3); }
  [[nodiscard]] S larger_shift() const noexcept { return shift_ > S(0) ? S(S(1e3) * shift_) : first_shift; }
  /// δ/ρ of row r of a block.
  [[nodiscard]] S own_shift(std::size_t block, std::size_t r) const noexcept {
    if (!(shift_ > S(0))) return S(0);
    const std::size_t first = p_->first();
    return shift_ / (block < first ? row_rho_[row(block, r)] : rho_[block - first][r == 0 ? 0 : 1]);
  }
  static constexpr std::size_t stride = BlockShape::stride;
  static constexpr S first_shift = number::above_rounding(S(1e-9));
  std::vector<Slopes> slopes_{};  // by blocks
  Column left_{};                 // room
  BlockElimination<S> lu_{};
  S shift_{}, least_shift_{};  // δ

 protected:
  const Problem* p_ = nullptr;
  Eigen::Index n_ = 0;
  std::vector<std::array<S, 2>> rho_{};                        // of each contact, normal and across
  Column row_rho_{};                                           // of each row before those of contacts
  S held_rho_{}, bound_ = std::numeric_limits<S>::infinity();  // on μ
  std::vector<char> jams_{};                                   // of each contact
  Column by_bound_{};                                          // slopes of F by the bound
  Column u_{};                                                 // room for velocities
};

}  // namespace dalembert::linalg::detail
