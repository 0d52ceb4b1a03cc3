#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/linalg/cone_types.hpp>
#include <dalembert/linalg/detail/least_solve.hpp>
#include <dalembert/linalg/pivoted_lu.hpp>

/// How a cone problem is solved.
namespace dalembert::linalg::detail {

/// The search for a solution of one problem after the other, in memory that grows with the largest.
template <class S>
class ConeSearch {
 public:
  using Problem = ConeProblem<S>;
  using Column = typename Problem::GrowingColumn;
  using Matrix = typename Problem::GrowingMatrix;

  /// Solve a problem from these impulses.
  const ConeSolution<S>& operator()(const Problem& problem, const ConeOptions<S>& options,
                                    const Column& start) {
    p_ = &problem, o_ = &options;
    n_ = problem.size();
    ask_problem_itself();
    result_.P = start;
    static_cast<ConeCounts<S>&>(result_) = {};
    prepare();
    result_.converged = n_ == 0;
    if (n_ > 0) run();
    return result_;
  }

 private:
  void ask_problem_itself() noexcept {
    G_ = &p_->G;
    b_ = &p_->b;
    bound_ = std::numeric_limits<S>::infinity();
  }
  void prepare() {
    const S largest = p_->largest_response();
    rho_.clear();
    for (std::size_t c = 0; c < p_->friction.size(); ++c) {
      const Eigen::Index i = p_->row(c);
      const S normal = p_->G(i, i), across = std::max(p_->G(i + 1, i + 1), p_->G(i + 2, i + 2));
      rho_.push_back({normal > S(0) ? S(1) / normal : S(1), across > S(0) ? S(1) / across : S(1)});
    }
    jams_.assign(p_->friction.size(), char(0));
    held_rho_ = largest > S(0) ? S(1) / largest : S(1);
    S roughest(0);  // by μ the natural map takes rounding of the slip for an opening
    for (const S mu : p_->friction)
      if (std::isfinite(mu)) roughest = std::max(roughest, mu);
    // of velocities, as impulses
    rounding_ = S(16) * std::numeric_limits<S>::epsilon() * held_rho_ * (S(1) + roughest) * magnitude(p_->b);
    const int held = static_cast<int>(p_->held);
    if (held == 0) return;
    held_.start(held, true);
    for (int i = 0; i < held; ++i)
      for (int k = 0; k < held; ++k) held_(i, k) = p_->G(i, k);
    held_.decompose();
  }
  void run() {
    for (const int sweeps : {0, 5, 20, 0, 100, 200, 0, 50}) {
      for (int i = 0; i < sweeps; ++i) sweep();
      if (met() || newton() || approach() || climb()) return;
    }
    while (result_.sweeps < o_->sweeps) {
      for (int i = 0; i < 50; ++i) sweep();
      if (met() || (result_.sweeps % 1000 < 50 && (newton() || climb()))) return;
    }
  }

  /// Whether the natural map is small enough.
  bool met() {
    const S largest = magnitude(result_.P), residual = p_->natural_map(result_.P, u_);
    result_.residual = largest > S(0) ? S(residual / largest) : residual > S(0) ? S(1) : S(0);
    result_.converged = residual <= o_->tolerance * largest + rounding_;
    return result_.converged;
  }

  /// By way of problems with G + ε and b − εP, P the solution of the one before: G may be singular where
  /// several contacts hold one body, and what they press on each other is open.
  bool approach() {
    if (p_->friction.size() < 2 && p_->held == 0) return false;
    start_of_search_ = result_.P;
    for (const S part : {S(1e-2), S(1e-4)}) {
      const S epsilon = part / held_rho_;
      shifted_ = p_->G;
      for (Eigen::Index k = 0; k < n_; ++k) shifted_(k, k) += epsilon;
      G_ = &shifted_;
      b_ = &shifted_b_;
      bool solved = false;
      for (int i = 0; i < 60 && !solved; ++i) {
        before_ = result_.P;
        shifted_b_ = p_->b;
        for (Eigen::Index k = 0; k < n_; ++k) shifted_b_[k] -= epsilon * before_[k];
        if (!newton()) break;
        solved = met();
        S moved(0);
        for (Eigen::Index k = 0; k < n_; ++k) moved = std::max(moved, S(std::abs(result_.P[k] - before_[k])));
        if (moved <= S(1e-15) * magnitude(result_.P)) break;
      }
      ask_problem_itself();
      if (solved || newton()) return true;
    }
    result_.P = start_of_search_;
    return false;
  }

  /// By way of problems with smaller coefficients, whose bound grows; with μ = ∞ the last of them tells
  /// which contacts jam.
  bool climb() {
    const auto& mu = p_->friction;
    if (mu.empty()) return false;
    start_of_search_ = result_.P;
    static constexpr std::array<std::array<S, 2>, 6> ladders{
        {{S(3), S(3)}, {S(10), S(100)}, {S(0.1), S(1.5)}, {S(2), S(2)}, {S(0.02), S(1.2)}, {S(0.05), S(3)}}};
    const auto& [first, factor] = ladders[static_cast<std::size_t>(result_.ladders++) % ladders.size()];
    const S top = std::min(S(1e4), *std::max_element(mu.begin(), mu.end()));
    if (first < S(1)) result_.P.setZero();
    for (bound_ = first; bound_ < top; bound_ *= factor) (void)newton();
    p_->put_velocities(result_.P, u_);
    for (std::size_t c = 0; c < mu.size(); ++c) {
      const Eigen::Index i = p_->row(c);
      const S force = std::hypot(result_.P[i + 1], result_.P[i + 2]);
      const bool slips = rho_[c][1] * std::hypot(u_[i + 1], u_[i + 2]) > S(1e-6) * force;
      jams_[c] = !std::isfinite(mu[c]) && result_.P[i] > S(0) && slips;
      if (jams_[c]) result_.P[i] = S(0);
    }
    ask_problem_itself();
    const bool solved = newton();
    std::fill(jams_.begin(), jams_.end(), char(0));
    if (!solved) result_.P = start_of_search_;
    return solved;
  }

  /// F of Alart and Curnier's equations at P, and on demand its slope; |F|².
  S equations(const Column& P, Column& F, Matrix* J) {
    Column& u = u_;
    u = *b_;
    add_product(*G_, P, S(1), u);
    F.resize(n_);
    if (J != nullptr) J->set_zero(n_, n_);
    const auto add_row = [&](Eigen::Index to, S factor, Eigen::Index from) {  // of G
      if (J == nullptr) return;
      for (Eigen::Index k = 0; k < n_; ++k) (*J)(to, k) += factor * (*G_)(from, k);
    };
    const auto add = [&](Eigen::Index row, Eigen::Index column, S x) {
      if (J != nullptr) (*J)(row, column) += x;
    };
    for (Eigen::Index i = 0; i < p_->held; ++i) {
      F[i] = held_rho_ * u[i];
      add_row(i, held_rho_, i);
    }
    for (std::size_t c = 0; c < p_->friction.size(); ++c) {
      const Eigen::Index i = p_->row(c);
      const auto [normal, across] = rho_[c];
      if (jams_[c] != 0) {  // u_n = P_n = 0 and P_t × u_t = 0
        const S force = std::hypot(P[i + 1], P[i + 2]), scale = force > S(0) ? S(across / force) : across;
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
      const S size = std::hypot(y[0], y[1]), radius = closed && !sticks_always ? S(mu * pressed) : S(0);
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

  /// Newton's method from the present impulses, which stay if it does not converge.
  bool newton() {
    start_of_newton_ = result_.P;
    S square = equations(result_.P, F_, nullptr);
    int idle = 0;
    const bool bounded = std::isfinite(bound_) || G_ != &p_->G;  // on the way, judged by its own equations
    const auto done = [&] {
      const S largest = magnitude(result_.P);
      return bounded ? square <= S(1e-20) * largest * largest : met();
    };
    const auto moved = [&](S factor) -> const Column& {
      moved_ = result_.P;
      for (Eigen::Index k = 0; k < n_; ++k) moved_[k] -= factor * step_[k];
      return moved_;
    };
    for (int i = 0; i < o_->newton; ++i) {
      if (done()) return true;
      (void)equations(result_.P, F_, &J_);
      ++result_.newton;
      least_solve(J_, F_, lu_, step_, moved_);
      if (!std::isfinite(magnitude(step_))) break;
      // the longest of these parts of the step that makes |F| smaller, or the one that makes it least
      S factor(1), best_factor(1), best = std::numeric_limits<S>::infinity();
      for (int k = 0; k < 8; ++k, factor /= S(2)) {
        const S there = equations(moved(factor), next_F_, nullptr);
        if (there < best) best = there, best_factor = factor;
        if (there < (S(1) - factor * S(0.1)) * square) break;
      }
      result_.P = moved(best_factor);
      idle = best < square ? 0 : idle + 1;
      square = best;
      if (idle > 5) break;
    }
    if (done()) return true;
    result_.P = start_of_newton_;
    return false;
  }
  /// Each block solved in turn for what the others leave.
  void sweep() {
    ++result_.sweeps;
    Column& P = result_.P;
    const auto velocity = [&](Eigen::Index i) {
      S u = p_->b[i];
      for (Eigen::Index k = 0; k < n_; ++k) u += p_->G(k, i) * P[k];
      return u;
    };
    if (p_->held > 0) {
      u_.resize(p_->held);
      for (Eigen::Index i = 0; i < p_->held; ++i) u_[i] = velocity(i);
      solve_ranked(held_, u_);
      for (Eigen::Index i = 0; i < p_->held; ++i) P[i] -= u_[i];
    }
    for (std::size_t c = 0; c < p_->friction.size(); ++c) {
      const Eigen::Index i = p_->row(c);
      Mat<S, 3> block;
      Vec<S, 3> rest;
      for (int r = 0; r < 3; ++r) {
        rest[r] = velocity(i + r);
        for (int k = 0; k < 3; ++k) {
          block(r, k) = p_->G(i + r, i + k);
          rest[r] -= block(r, k) * P[i + k];
        }
      }
      const Vec<S, 3> found = solved_contact<S>(block, rest, p_->friction[c]);
      for (int r = 0; r < 3; ++r) P[i + r] = found[r];
    }
  }

  const Problem* p_ = nullptr;
  const ConeOptions<S>* o_ = nullptr;
  Eigen::Index n_ = 0;
  std::vector<std::array<S, 2>> rho_{};  // of each contact, normal and across
  S rounding_{}, held_rho_{}, bound_ = std::numeric_limits<S>::infinity();  // on μ
  const Matrix* G_ = nullptr;  // of the problem, or of one on the way to it
  const Column* b_ = nullptr;
  std::vector<char> jams_{};  // of each contact
  PivotedLU<S, true> held_{};
  ConeSolution<S> result_{};
  // room
  Column shifted_b_{}, u_{}, start_of_search_{}, before_{}, start_of_newton_{}, F_{}, next_F_{}, step_{},
      moved_{};
  Matrix shifted_{}, J_{};
  DenseLU<S, Matrix> lu_{0};
};

}  // namespace dalembert::linalg::detail
