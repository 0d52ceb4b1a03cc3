#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/cone_types.hpp>

/// The semismooth equations of a cone problem, linalg/cone_problem.hpp (1) to (3), in one number a row:
///   y = P_n − ρ_n u_n,   P_n = max(0, y),
///   P_t = P_t − ρ_t u_t, or the part of it that is μ max(0, y) long                                  (1)
/// Source: Alart and Curnier 1991, Comput. Methods Appl. Mech. Eng. 92, 353.
namespace dalembert::linalg::detail {

/// Of a problem, or of one on the way to it.
template <class S>
class ConeEquations {
 public:
  using Problem = ConeProblem<S>;
  using Column = typename Problem::GrowingColumn;
  using Matrix = typename Problem::GrowingMatrix;

 protected:
  /// F of Alart and Curnier's equations at P, and on demand its slopes, J by P and `by_bound_` by the bound
  /// on μ; |F|². The velocities may be known, in `u_`.
  S equations(const Column& P, Column& F, bool slopes, bool known = false) {
    Column& u = u_;
    if (!known) {
      u = *b_;
      pattern_->add_product(*G_, P, S(1), u);
    }
    F.resize(n_);
    if (slopes) {
      filled_ = true;
      by_bound_.set_zero(n_);
      J_.resize(n_, n_);
      pattern_->clear(J_);
    }
    const auto add_row = [&](Eigen::Index to, S factor, Eigen::Index from) {  // of G
      if (!slopes) return;
      pattern_->each_range(from, [&](Eigen::Index begin, Eigen::Index end) {
        for (Eigen::Index k = begin; k < end; ++k)  // symmetric, and mostly zero
          if (const S& g = (*G_)(k, from); g != S(0)) J_(to, k) += factor * g;
      });
    };
    const auto add = [&](Eigen::Index row, Eigen::Index column, S x) {
      if (slopes) J_(row, column) += x;
    };
    for (Eigen::Index i = 0; i < p_->held; ++i) {
      F[i] = held_rho_ * u[i];
      add_row(i, held_rho_, i);
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

  /// After a problem: J is zero, as it must be where the next one begins.
  void end() {
    if (filled_) pattern_->clear(J_);
    filled_ = false;
  }

  const Problem* p_ = nullptr;
  const BlockPattern* pattern_ = nullptr;  // of G and J
  Eigen::Index n_ = 0;
  std::vector<std::array<S, 2>> rho_{};                        // of each contact, normal and across
  S held_rho_{}, bound_ = std::numeric_limits<S>::infinity();  // on μ
  const Matrix* G_ = nullptr;                                  // of the problem, or of one on the way to it
  const Column* b_ = nullptr;
  std::vector<char> jams_{};  // of each contact
  bool filled_ = false;       // J, by this problem
  Matrix J_{};                // zero but for its pattern
  Column by_bound_{};         // slopes of F by the bound
  Column u_{};                // room for velocities
};

}  // namespace dalembert::linalg::detail
