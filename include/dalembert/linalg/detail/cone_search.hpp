#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <Eigen/LU>
#include <Eigen/QR>

#include <dalembert/linalg/cone_types.hpp>

/// How a cone problem is solved.
namespace dalembert::linalg::detail {

/// The search for a solution of one problem.
template <class S>
class ConeSearch {
 public:
  using Problem = ConeProblem<S>;
  using Column = typename Problem::Column;
  using Matrix = typename Problem::Matrix;
  using V3 = Vec<S, 3>;

  ConeSearch(const Problem& problem, const ConeOptions<S>& options, const Column& start)
      : p_(problem), o_(options), n_(problem.size()) {
    result_.P = start;
    const S largest = n_ > 0 ? S(p_.G.diagonal().maxCoeff()) : S(0);
    for (std::size_t c = 0; c < p_.friction.size(); ++c) {
      const Eigen::Index i = p_.row(c);
      const S normal = p_.G(i, i), across = std::max(p_.G(i + 1, i + 1), p_.G(i + 2, i + 2));
      rho_.push_back({normal > S(0) ? S(1) / normal : S(1), across > S(0) ? S(1) / across : S(1)});
    }
    jams_.assign(p_.friction.size(), char(0));
    held_rho_ = largest > S(0) ? S(1) / largest : S(1);
    S roughest(0);  // by μ the natural map takes rounding of the slip for an opening
    for (const S mu : p_.friction)
      if (std::isfinite(mu)) roughest = std::max(roughest, mu);
    if (n_ > 0)  // of velocities, as impulses
      rounding_ = S(16) * std::numeric_limits<S>::epsilon() * held_rho_ * (S(1) + roughest) *
                  p_.b.template lpNorm<Eigen::Infinity>();
    if (p_.held > 0) held_.compute(p_.G.topLeftCorner(p_.held, p_.held));
  }

  [[nodiscard]] ConeSolution<S> run() {
    if (n_ == 0) {
      result_.converged = true;
      return result_;
    }
    for (const int sweeps : {0, 5, 20, 0, 100, 200, 0, 50}) {
      for (int i = 0; i < sweeps; ++i) sweep();
      if (met() || newton() || approach() || climb()) return result_;
    }
    while (result_.sweeps < o_.sweeps) {
      for (int i = 0; i < 50; ++i) sweep();
      if (met() || (result_.sweeps % 1000 < 50 && (newton() || climb()))) return result_;
    }
    return result_;
  }

 private:
  /// Whether the natural map is small enough.
  bool met() {
    const S largest = result_.P.template lpNorm<Eigen::Infinity>(), residual = p_.natural_map(result_.P);
    result_.residual = largest > S(0) ? S(residual / largest) : residual > S(0) ? S(1) : S(0);
    result_.converged = residual <= o_.tolerance * largest + rounding_;
    return result_.converged;
  }

  /// By way of problems with G + ε and b − εP, P the solution of the one before: G may be singular where
  /// several contacts hold one body, and what they press on each other is open.
  bool approach() {
    if (p_.friction.size() < 2 && p_.held == 0) return false;
    const Column start = result_.P;
    for (const S part : {S(1e-2), S(1e-4)}) {
      const S epsilon = part / held_rho_;
      shifted_ = p_.G;
      shifted_.diagonal().array() += epsilon;
      G_ = &shifted_;
      b_ = &shifted_b_;
      bool solved = false;
      for (int i = 0; i < 60 && !solved; ++i) {
        const Column before = result_.P;
        shifted_b_ = p_.b - epsilon * before;
        if (!newton()) break;
        solved = met();
        if ((result_.P - before).template lpNorm<Eigen::Infinity>() <=
            S(1e-15) * result_.P.template lpNorm<Eigen::Infinity>())
          break;
      }
      G_ = &p_.G;
      b_ = &p_.b;
      if (solved || newton()) return true;
    }
    result_.P = start;
    return false;
  }

  /// By way of problems with smaller coefficients, whose bound grows; with μ = ∞ the last of them tells
  /// which contacts jam.
  bool climb() {
    const auto& mu = p_.friction;
    if (mu.empty()) return false;
    const Column start = result_.P;
    static constexpr std::array<std::array<S, 2>, 6> ladders{
        {{S(3), S(3)}, {S(10), S(100)}, {S(0.1), S(1.5)}, {S(2), S(2)}, {S(0.02), S(1.2)}, {S(0.05), S(3)}}};
    const auto& [first, factor] = ladders[static_cast<std::size_t>(result_.ladders++) % ladders.size()];
    const S top = std::min(S(1e4), *std::max_element(mu.begin(), mu.end()));
    if (first < S(1)) result_.P.setZero();
    for (S bound = first; bound < top; bound *= factor) {
      bound_ = bound;
      (void)newton();
    }
    const Column u = p_.b + p_.G * result_.P;
    for (std::size_t c = 0; c < mu.size(); ++c) {
      const Eigen::Index i = p_.row(c);
      const S force = std::hypot(result_.P[i + 1], result_.P[i + 2]);
      const bool slips = rho_[c][1] * std::hypot(u[i + 1], u[i + 2]) > S(1e-6) * force;
      jams_[c] = !std::isfinite(mu[c]) && result_.P[i] > S(0) && slips;
      if (jams_[c]) result_.P[i] = S(0);
    }
    bound_ = std::numeric_limits<S>::infinity();
    const bool solved = newton();
    std::fill(jams_.begin(), jams_.end(), char(0));
    if (!solved) result_.P = start;
    return solved;
  }

  /// F of Alart and Curnier's equations at P, and on demand its slope; |F|².
  S equations(const Column& P, Column& F, Matrix* J) const {
    const Column u = *b_ + *G_ * P;
    F.resize(n_);
    if (J != nullptr) J->setZero(n_, n_);
    for (Eigen::Index i = 0; i < p_.held; ++i) {
      F[i] = held_rho_ * u[i];
      if (J != nullptr) J->row(i) = held_rho_ * G_->row(i);
    }
    for (std::size_t c = 0; c < p_.friction.size(); ++c) {
      const Eigen::Index i = p_.row(c);
      const auto [normal, across] = rho_[c];
      if (jams_[c] != 0) {
        add_jammed(i, rho_[c], P, u, F, J);
        continue;
      }
      const S mu = std::min(p_.friction[c], bound_), pressed = P[i] - normal * u[i];
      const bool closed = pressed > S(0), sticks_always = !std::isfinite(mu);
      F[i] = closed ? S(normal * u[i]) : P[i];
      if (J != nullptr) {
        if (closed)
          J->row(i) = normal * G_->row(i);
        else
          (*J)(i, i) = S(1);
      }
      const Vec<S, 2> y(P[i + 1] - across * u[i + 1], P[i + 2] - across * u[i + 2]);
      const S size = std::hypot(y[0], y[1]), radius = closed && !sticks_always ? S(mu * pressed) : S(0);
      if (closed && (sticks_always || size <= radius)) {
        for (const Eigen::Index k : {i + 1, i + 2}) {
          F[k] = across * u[k];
          if (J != nullptr) J->row(k) = across * G_->row(k);
        }
        continue;
      }
      const Vec<S, 2> d = size > S(0) ? Vec<S, 2>(y / size) : Vec<S, 2>(S(0), S(0));
      for (int k = 0; k < 2; ++k) F[i + 1 + k] = P[i + 1 + k] - radius * d[k];
      if (J == nullptr) continue;
      for (int k = 0; k < 2; ++k) (*J)(i + 1 + k, i + 1 + k) = S(1);
      if (!(radius > S(0))) continue;
      // − μ d dy_n − r/|y| (1 − ddᵀ) dy_t
      for (int k = 0; k < 2; ++k) {
        J->row(i + 1 + k) += mu * d[k] * normal * G_->row(i);
        (*J)(i + 1 + k, i) -= mu * d[k];
        for (int l = 0; l < 2; ++l) {
          const S turning = radius / size * ((k == l ? S(1) : S(0)) - d[k] * d[l]);
          J->row(i + 1 + k) += turning * across * G_->row(i + 1 + l);
          (*J)(i + 1 + k, i + 1 + l) -= turning;
        }
      }
    }
    return F.squaredNorm();
  }
  /// u_n = P_n = 0 and P_t × u_t = 0.
  void add_jammed(Eigen::Index i, const std::array<S, 2>& rho, const Column& P, const Column& u, Column& F,
                  Matrix* J) const {
    const S force = std::hypot(P[i + 1], P[i + 2]), scale = force > S(0) ? S(rho[1] / force) : rho[1];
    F[i] = rho[0] * u[i];
    F[i + 1] = P[i];
    F[i + 2] = scale * (P[i + 1] * u[i + 2] - P[i + 2] * u[i + 1]);
    if (J == nullptr) return;
    J->row(i) = rho[0] * G_->row(i);
    (*J)(i + 1, i) = S(1);
    J->row(i + 2) = scale * (P[i + 1] * G_->row(i + 2) - P[i + 2] * G_->row(i + 1));
    (*J)(i + 2, i + 1) += scale * u[i + 2];
    (*J)(i + 2, i + 2) -= scale * u[i + 1];
  }

  /// Newton's method from the present impulses, which stay if it does not converge.
  bool newton() {
    const Column start = result_.P;
    Column F, next_F;
    Matrix J;
    S square = equations(result_.P, F, nullptr);
    int idle = 0;
    const bool bounded = std::isfinite(bound_) || G_ != &p_.G;  // on the way, judged by its own equations
    const auto done = [&] { return bounded ? square <= S(1e-20) * result_.P.squaredNorm() : met(); };
    for (int i = 0; i < o_.newton; ++i) {
      if (done()) return true;
      (void)equations(result_.P, F, &J);
      ++result_.newton;
      const Column step = solved(J, F);
      if (!step.allFinite()) break;
      // the longest of these parts of the step that makes |F| smaller, or the one that makes it least
      S factor(1), best_factor(1), best = std::numeric_limits<S>::infinity();
      for (int k = 0; k < 8; ++k, factor /= S(2)) {
        const S there = equations(result_.P - factor * step, next_F, nullptr);
        if (there < best) best = there, best_factor = factor;
        if (there < (S(1) - factor * S(0.1)) * square) break;
      }
      result_.P -= best_factor * step;
      idle = best < square ? 0 : idle + 1;
      square = best;
      if (idle > 5) break;
    }
    if (done()) return true;
    result_.P = start;
    return false;
  }
  /// J x = F, the least x where J is singular.
  [[nodiscard]] Column solved(const Matrix& J, const Column& F) const {
    const Eigen::PartialPivLU<Matrix> lu(J);
    const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
    if (pivots.minCoeff() >
        S(64) * static_cast<S>(n_) * std::numeric_limits<S>::epsilon() * pivots.maxCoeff())
      return lu.solve(F);
    return Eigen::CompleteOrthogonalDecomposition<Matrix>(J).solve(F);
  }

  /// Each block solved in turn for what the others leave.
  void sweep() {
    ++result_.sweeps;
    Column& P = result_.P;
    if (p_.held > 0) {
      const Column u = p_.b.head(p_.held) + p_.G.topRows(p_.held) * P;
      P.head(p_.held) -= held_.solve(u);
    }
    for (std::size_t c = 0; c < p_.friction.size(); ++c) {
      const Eigen::Index i = p_.row(c);
      const Mat<S, 3> block = p_.G.template block<3, 3>(i, i);
      const V3 rest =
          p_.b.template segment<3>(i) + p_.G.middleRows(i, 3) * P - block * P.template segment<3>(i);
      P.template segment<3>(i) = solved_contact<S>(block, rest, p_.friction[c]);
    }
  }

  const Problem& p_;
  const ConeOptions<S>& o_;
  Eigen::Index n_;
  std::vector<std::array<S, 2>> rho_{};  // of each contact, normal and across
  S rounding_{}, held_rho_{}, bound_ = std::numeric_limits<S>::infinity();  // on μ
  Matrix shifted_{};  // of the problem on the way, where there is one
  Column shifted_b_{};
  const Matrix* G_ = &p_.G;
  const Column* b_ = &p_.b;
  std::vector<char> jams_{};  // of each contact
  Eigen::CompleteOrthogonalDecomposition<Matrix> held_{};
  ConeSolution<S> result_{};
};

}  // namespace dalembert::linalg::detail
