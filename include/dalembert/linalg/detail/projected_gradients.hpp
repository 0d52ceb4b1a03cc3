#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/detail/cone_blocks.hpp>

/// A few steps of an accelerated method of projected gradients towards the solution of a cone problem,
/// linalg/cone_problem.hpp (1), (3), of contacts alone:
///   y_k = P_k + β_k (P_k − P_{k−1}),   P_{k+1} = y_k − (ρ/L)(b + G y_k)                      (1)
/// cut to the law: its normal parts are not negative, its tangential ones no longer than μ P_n. ρ is by
/// contact and direction, L a bound of the eigenvalues of ρG by Gershgorin's theorem. From no
/// impulses they act on all contacts alike: which of them are pressed, stick and slip is found at once where
/// hundreds hang together, and what redundant contacts bear is even. Sources: Nesterov 1983, Soviet Math.
/// Dokl. 27, 372; Mazhar, Heyn, Negrut and Tasora 2015, ACM Trans. Graph. 34, 32.
namespace dalembert::linalg::detail {

/// In memory that grows with the largest problem.
template <class S>
class ProjectedGradients {
 public:
  using Problem = ConeBlocks<S>;
  using Column = typename Problem::Column;

  /// So many steps from P; of rows that hold there are none. `rho` is of each contact along its normal and
  /// across.
  [[gnu::noinline]] void operator()(const Problem& problem, const std::vector<std::array<S, 2>>& rho,
                                    int steps, Column& P) {
    const S per = S(1) / bound(problem, rho);
    y_ = P;
    S theta(1);
    for (int k = 0; k < steps; ++k) {
      problem.put_velocities(y_, u_);
      const S next = (S(1) + std::sqrt(S(1) + S(4) * theta * theta)) / S(2), beta = (theta - S(1)) / next;
      theta = next;
      for (std::size_t c = 0; c < rho.size(); ++c) {
        const Eigen::Index i = problem.row(c);
        const auto [normal, across] = rho[c];
        const S pressed = std::max(S(0), S(y_[i] - per * normal * u_[i]));
        Vec<S, 3> to(pressed, y_[i + 1] - per * across * u_[i + 1], y_[i + 2] - per * across * u_[i + 2]);
        const S size = std::sqrt(to[1] * to[1] + to[2] * to[2]);
        const S most = pressed > S(0) ? S(problem.friction[c] * pressed) : S(0);
        if (size > most) to[1] *= most / size, to[2] *= most / size;
        for (int r = 0; r < 3; ++r) {
          y_[i + r] = to[r] + beta * (to[r] - P[i + r]);
          P[i + r] = to[r];
        }
      }
    }
  }

 private:
  /// L of (1).
  [[nodiscard]] static S bound(const Problem& problem, const std::vector<std::array<S, 2>>& rho) {
    S most(1);
    for (std::size_t c = 0; c < rho.size(); ++c) {
      S sums[BlockShape::rows] = {};
      problem.G.each(problem.first() + c, [&](std::size_t, const S* block) {
        for (std::size_t r = 0; r < BlockShape::rows; ++r)
          for (std::size_t k = 0; k < BlockShape::rows; ++k)
            sums[r] += std::abs(block[BlockShape::stride * r + k]);
      });
      for (std::size_t r = 0; r < BlockShape::rows; ++r)
        most = std::max(most, S(rho[c][r == 0 ? 0 : 1] * sums[r]));
    }
    return most;
  }

  Column y_{}, u_{};
};

}  // namespace dalembert::linalg::detail
