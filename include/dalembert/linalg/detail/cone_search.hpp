#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/detail/cone_path.hpp>
#include <dalembert/linalg/detail/projected_gradients.hpp>

/// How a cone problem is solved.
namespace dalembert::linalg::detail {

/// The search for a solution of one problem after the other, in memory that grows with the largest.
template <class S>
class ConeSearch : ConePath<S> {
  using Base = ConePath<S>;
  using Base::equations, Base::find_step, Base::follow_step, Base::factors_are_dear, Base::row_rho_;
  using Base::p_, Base::n_, Base::rho_, Base::held_rho_, Base::bound_, Base::jams_, Base::u_, Base::farthest_;

 public:
  using Base::farthest;
  using typename Base::Problem, typename Base::Column;

  /// Solve a problem from these impulses. If its matrix is that of the last one, factors may be taken from
  /// there.
  const ConeSolution<S>& operator()(const Problem& problem, const ConeOptions<S>& options,
                                    const Column& start, bool same_matrix = false) {
    p_ = &problem, o_ = &options;
    has_factors_ = has_factors_ && same_matrix;
    n_ = problem.size();
    bound_ = std::numeric_limits<S>::infinity();
    result_.P = start;
    static_cast<ConeCounts<S>&>(result_) = {};
    prepare();
    farthest_ = S(0);
    result_.converged = n_ == 0;
    if (n_ > 0 && !met()) run();
    return result_;
  }

 private:
  void prepare() {
    const S largest = p_->largest_response();
    S least = largest;  // response of a contact
    rho_.clear();
    for (std::size_t c = 0; c < p_->friction.size(); ++c) {
      const std::size_t i = p_->first() + c;
      const S normal = p_->G.own(i, 0, 0), across = std::max(p_->G.own(i, 1, 1), p_->G.own(i, 2, 2));
      rho_.push_back({normal > S(0) ? S(1) / normal : S(1), across > S(0) ? S(1) / across : S(1)});
      if (normal > S(0)) least = std::min(least, normal);
    }
    jams_.assign(p_->friction.size(), char(0));
    held_rho_ = largest > S(0) ? S(1) / largest : S(1);
    row_rho_.resize(p_->row(0));
    for (Eigen::Index i = 0; i < p_->row(0); ++i) {
      const S G = p_->G.diagonal(i);
      row_rho_[i] = G > S(0) ? S(1) / G : held_rho_;
      if (G > S(0) && i >= p_->held) least = std::min(least, G);
    }
    S roughest(0);  // by μ the natural map takes rounding of the slip for an opening
    for (const S mu : p_->friction)
      if (std::isfinite(mu)) roughest = std::max(roughest, mu);
    // of velocities, as impulses
    rounding_ = S(16) * std::numeric_limits<S>::epsilon() * held_rho_ * (S(1) + roughest) * magnitude(p_->b);
    most_ = least > S(0) ? S(1e8) * magnitude(p_->b) / least : std::numeric_limits<S>::infinity();
    Base::forget_shift();
  }
  [[gnu::noinline]] void run() {
    if (p_->held == 0 && rho_.size() >= 8) {  // of few Newton's method finds as soon which of them stick
      const bool from_none = magnitude(result_.P) == S(0), dear = factors_are_dear();
      if (from_none || dear) gradients_(*p_, rho_, dear ? (from_none ? 60 : 20) : 5, result_.P);
    }
    if (o_->sweeps == 0) return (void)(newton() || climb_along_path());
    for (const int sweeps : {0, 5, 20, 0, 100, 200, 0, 50}) {
      for (int i = 0; i < sweeps; ++i) sweep();
      if (newton() || climb()) return;
      if (sweeps == 20 && (press() || climb_along_path())) return;
    }
    const int most = n_ > path_rows ? o_->sweeps : std::min(o_->sweeps, 1000);
    while (result_.sweeps < most) {
      for (int i = 0; i < 50; ++i) sweep();
      if (met() || (result_.sweeps % 1000 < 50 && (newton() || climb()))) return;
    }
  }

  /// Whether the natural map is small enough, and the impulses not so large, where bodies press each other
  /// apart, that the velocities are their rounding. These may be known, in `u_`, which has them afterwards.
  [[gnu::noinline]] bool met(bool known = false) {
    if (!known) p_->put_velocities(result_.P, u_);
    const S largest = magnitude(result_.P);
    S residual = natural_map(*p_, result_.P, u_);
    for (Eigen::Index i = p_->held; i < p_->held + p_->pressed; ++i)
      residual = std::max(residual, S(std::abs(std::min(result_.P[i], S(held_rho_ * u_[i])))));
    result_.residual = largest > S(0) ? S(residual / largest) : residual > S(0) ? S(1) : S(0);
    S total(0);  // of a matrix that is not semidefinite impulses may be no numbers
    for (const S& x : result_.P) total += S(0) * x;
    result_.converged = total == S(0) && largest <= most_ && residual <= o_->tolerance * largest + rounding_;
    return result_.converged;
  }

  /// By way of problems with smaller coefficients, whose bound grows; with μ = ∞ the last of them tells
  /// which contacts jam.
  [[gnu::cold, gnu::noinline]] bool climb() {
    const auto& mu = p_->friction;
    if (mu.empty()) return false;
    start_of_search_ = result_.P;
    static constexpr double ladders[][2] = {{3, 3},    {10, 100},   {0.1, 1.5},  {2, 2},   {0.02, 1.2},
                                            {0.05, 3}, {0.3, 1.04}, {1e-3, 1.1}, {30, 1.3}};
    const auto& ladder = ladders[static_cast<std::size_t>(result_.ladders++) % std::size(ladders)];
    const S first(static_cast<S>(ladder[0])), factor(static_cast<S>(ladder[1]));
    const S top = std::min(S(1e4), *std::max_element(mu.begin(), mu.end()));
    if (first < S(1)) result_.P.setZero();
    for (bound_ = first; bound_ < top; bound_ *= factor) (void)newton();
    bound_ /= factor;
    return arrive();
  }
  /// From contacts that are all pressed: where G is singular bodies may be wedged, and impulses that leave no
  /// velocity behind are held by friction only if they are large.
  [[gnu::cold, gnu::noinline]] bool press() {
    if (p_->friction.empty()) return false;
    start_of_search_ = result_.P;
    const S unit = std::max(magnitude(result_.P), S(held_rho_ * magnitude(p_->b)));
    for (const S part : {S(1), S(10), S(1e2), S(1e3)}) {
      result_.P.setZero();
      for (std::size_t c = 0; c < p_->friction.size(); ++c) result_.P[p_->row(c)] = part * unit;
      if (newton()) return true;
    }
    result_.P = start_of_search_;
    return false;
  }
  /// By way of all problems with smaller coefficients, of which each takes the factors of a dense matrix. One
  /// without a bound counts as 1e4 there, or as 1e8.
  [[gnu::cold, gnu::noinline]] bool climb_along_path() {
    const auto& mu = p_->friction;
    if (mu.empty() || n_ > path_rows) return false;
    start_of_search_ = result_.P;
    const S largest = *std::max_element(mu.begin(), mu.end());
    for (const S top : {S(1e4), S(1e8)}) {
      result_.P.setZero();
      bound_ = S(0);
      if (newton() && Base::follow(result_.P, std::min(top, largest)) && arrive()) return true;
      if (largest <= top) break;
    }
    bound_ = std::numeric_limits<S>::infinity();
    result_.P = start_of_search_;
    return false;
  }
  /// From a problem whose coefficients are `bound_` at most: contacts with μ = ∞ jam that slip there, or
  /// that are as close to it as rounding tells.
  [[gnu::cold, gnu::noinline]] bool arrive() {
    const auto& mu = p_->friction;
    const S bound = bound_, rounding = S(16) * std::numeric_limits<S>::epsilon() * magnitude(result_.P);
    before_ = result_.P;
    p_->put_velocities(before_, slips_);
    bound_ = std::numeric_limits<S>::infinity();
    bool solved = false;
    for (const bool by_slip : {true, false}) {
      result_.P = before_;
      for (std::size_t c = 0; c < mu.size(); ++c) {
        const Eigen::Index i = p_->row(c);
        const S force = size_of(before_[i + 1], before_[i + 2]);
        const bool slips = by_slip ? rho_[c][1] * size_of(slips_[i + 1], slips_[i + 2]) > S(1e-6) * force
                                   : force > S(0.999) * bound * before_[i];
        jams_[c] = !std::isfinite(mu[c]) && before_[i] > S(0) && force > rounding && slips;
        if (jams_[c]) result_.P[i] = S(0);
      }
      solved = newton();
      if (solved) break;
    }
    std::fill(jams_.begin(), jams_.end(), char(0));
    if (!solved) result_.P = start_of_search_;
    return solved;
  }

  /// Newton's method from the present impulses, which stay if it does not converge, or solve it already.
  bool newton() {
    start_of_newton_ = result_.P;
    int idle = 0;
    const bool bounded = std::isfinite(bound_);  // on the way, judged by its own equations
    if (!bounded && met()) return true;
    S square = equations(result_.P, F_, false, !bounded);
    const auto done = [&](bool known) {
      const S largest = magnitude(result_.P);
      return bounded ? std::sqrt(square) <= number::above_rounding(S(1e-10)) * largest : met(known);
    };
    const auto moved = [&](S factor) -> const Column& {
      moved_ = result_.P;
      for (Eigen::Index k = 0; k < n_; ++k) moved_[k] -= factor * step_[k];
      return moved_;
    };
    if (bounded && done(false)) return true;
    bool known = !bounded, quick = has_factors_ && !bounded;
    if (quick) next_F_ = F_;
    for (int i = 0; i < o_->newton; ++i) {
      ++result_.newton;
      if (quick && follow_step(next_F_, step_)) {  // the chord method, for as long as it is as quick
        const S there = equations(moved(S(1)), next_F_, false);
        quick = there < S(1e-2) * square;
        known = quick && !bounded;
        if (quick) {
          result_.P = moved_;
          square = there;
          if (done(true)) return true;
          continue;
        }
      }
      ++result_.factored;
      has_factors_ = find_step(result_.P, F_, step_, known);
      if (!has_factors_) break;
      // the longest of these parts of the step that makes |F| smaller, or the one that makes it least
      S factor(1), best_factor(1), best = std::numeric_limits<S>::infinity();
      for (int k = 0; k < 8; ++k, factor /= S(2)) {
        const S there = equations(moved(factor), next_F_, false);
        if (there < best) best = there, best_factor = factor;
        if (there < (S(1) - factor * S(0.1)) * square) break;
      }
      idle = best < square ? 0 : idle + 1;
      if (idle > 0 && Base::raise_shift()) {
        known = false;
        continue;
      }
      Base::lower_shift();
      const bool last = best_factor == factor;  // that was evaluated
      result_.P = moved(best_factor);
      quick = last && best < S(1e-2) * square;
      square = best;
      if (done(last)) return true;
      known = !bounded;  // `met` has left the velocities
      if (idle > 5) break;
    }
    result_.P = start_of_newton_;
    return false;
  }
  /// Each row that holds or presses, and each contact, solved in turn for what the others leave.
  [[gnu::cold, gnu::noinline]] void sweep() {
    ++result_.sweeps;
    Column& P = result_.P;
    for (Eigen::Index i = 0; i < p_->held + p_->pressed; ++i) {
      const S u = p_->b[i] + p_->G.row_product(static_cast<std::size_t>(i / 3), P)[i % 3];
      P[i] -= row_rho_[i] * u;
      if (i >= p_->held) P[i] = std::max(S(0), P[i]);
    }
    for (std::size_t c = 0; c < p_->friction.size(); ++c) {
      const Eigen::Index i = p_->row(c);
      Mat<S, 3> block;
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k)
          block(static_cast<int>(r), static_cast<int>(k)) = p_->G.own(p_->first() + c, r, k);
      const Vec<S, 3> own = block * three(P, i), others = p_->G.row_product(p_->first() + c, P) - own;
      const Vec<S, 3> rest = three(p_->b, i) + others;
      const Vec<S, 3> found = solved_contact<S>(block, rest, p_->friction[c]);
      for (int r = 0; r < 3; ++r) P[i + r] = found[r];
    }
  }

  static constexpr Eigen::Index path_rows = 400;  ///< of a problem, at most, for a path to be followed
  const ConeOptions<S>* o_ = nullptr;
  S rounding_{}, most_{};     // of velocities as impulses; impulses that mean something
  bool has_factors_ = false;  // of a step for this matrix
  ConeSolution<S> result_{};
  // room
  Column start_of_search_{}, before_{}, start_of_newton_{}, slips_{}, F_{}, next_F_{}, step_{}, moved_{};
  ProjectedGradients<S> gradients_{};
};

}  // namespace dalembert::linalg::detail
