#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/contact/rolling.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/detail/small_solve.hpp>
#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/statics.hpp>

/// Two rods in frictionless contact, in static equilibrium:
///   minimise V(q) subject to d = min over s₁, s₂ of |R₂(s₂) − R₁(s₁)| = a₁ + a₂         (1)
/// with the smeared points R of contact/smear.hpp. With λ the normal force, compressive if positive, κ = R₂ − R₁
/// and n = κ/d this is
///   f + λ ∂d/∂q = 0,  g = (−n·R₁′, n·R₂′) = 0,  d = a₁ + a₂                             (2)
/// Newton's method needs the curvature of d. The nodes enter it by five numbers p = (p_κ, p₁, p₂) = Uδq alone:
///   p_κ = Σβδr₂ − Σαδr₁,  p₁ = n·Σα′δr₁,  p₂ = n·Σβ′δr₂                                 (3)
///   δd = n·p_κ + g·δs                                                                   (4)
///   δ²d = |(1 − nnᵀ)(p_κ + Zδs)|²/d − n·R₁″δs₁² + n·R₂″δs₂² − 2p₁δs₁ + 2p₂δs₂           (5)
/// with Z = (−R₁′, R₂′). With M the matrix of the form (5) in (p, δs), c = λ(M_pp p + M_ps δs) + (n, 0, 0)δλ and
/// G = U K⁻¹ Uᵀ the step is
///   δq = K⁻¹(f + λ ∂d/∂q + Uᵀc),  p = U K⁻¹(f + λ ∂d/∂q) + G c                          (6)
/// which with the linearised (2) leaves eight equations for (p, δs, δλ). K is block-tridiagonal rod by rod: O(N).
namespace dalembert::contact {

/// Two rods pressed together, at rest.
template <class Contact>
struct ContactEquilibrium {
  using S = typename Contact::Scalar;  ///< the number type
  typename Contact::Internal contact;  ///< s₁, s₂, the normal and the smeared points
  S normal_force{};                    ///< λ, compressive if positive [N]
  S energy{};                          ///< V of both rods [J]
  rod::StaticResult<S> search;         ///< how it was found
};

namespace detail {

using dalembert::detail::Table;

/// Two rods and their contact in a static Newton iteration.
template <class Contact, class R>
class StaticPair {
 public:
  using S = typename R::Scalar;
  using L = Lane<S>;
  using Internal = typename Contact::Internal;

  StaticPair(const Contact& contact, std::vector<R>& rods, std::vector<rod::Chain<S>>& chains,
             const Internal& start)
      : contact_(contact),
        rods_(rods),
        chains_(chains),
        work_{rod::StaticRod<R, 5>(rods[0]), rod::StaticRod<R, 5>(rods[1])},
        now_{start, S(0)},
        before_(now_) {}

  /// s, n and the smeared points.
  [[nodiscard]] const Internal& internal() const noexcept { return now_.internal; }
  /// λ [N].
  [[nodiscard]] S normal_force() const noexcept { return now_.force; }

  void save() {
    for (std::size_t i : {0u, 1u}) work_[i].save(chains_[i]);
    before_ = now_;
  }
  void restore() {
    for (std::size_t i : {0u, 1u}) work_[i].restore(chains_[i]);
    now_ = before_;
  }
  void set_target() {
    for (std::size_t i : {0u, 1u}) work_[i].set_target(rods_[i], chains_[i]);
  }

  /// Loads with the contact's force, stiffness, and the distance with its first derivatives.
  void assemble() {
    Internal& c = now_.internal;
    contact_.place(chains_, c, S(0));
    const Triple<S> between = kappa(c);
    distance_ = norm(between);
    if (!(dot(between, Triple<S>(c.normal)) > S(0)))
      throw NoConvergence("NoConvergence: the rods would pass through each other", 0.0);
    c.normal = between / distance_;
    slope_ = {-inner(c.normal, c.point[0].dR), inner(c.normal, c.point[1].dR)};
    for (int side : {0, 1}) {
      const auto i = static_cast<std::size_t>(side);
      work_[i].assemble(rods_[i], chains_[i]);
      const Vec<S, 3> push = (side == 0 ? -now_.force : now_.force) * Triple<S>(c.normal);
      rod::Columns<S, 6>& f = work_[i].forces();
      weights(side, [&](Eigen::Index k, S alpha, S) {
        for (int a = 0; a < 3; ++a) f(k, a) += alpha * push[a];
      });
    }
  }
  [[nodiscard]] S residual(S tolerance) const {
    S worst = std::max(std::abs(distance_ - contact_.target_gap()) / contact_.target_gap(), largest(slope_));
    for (std::size_t i : {0u, 1u}) {
      const S x = work_[i].residual(rods_[i], tolerance);
      if (!(x <= worst)) worst = x;  // a NaN stays
    }
    return worst;
  }
  void check_turns() const {
    for (std::size_t i : {0u, 1u}) work_[i].check_turns(chains_[i], i);
  }
  [[nodiscard]] std::string freedoms() const { return rod::detail::freedoms(rods_); }
  [[nodiscard]] bool at_target() const noexcept { return work_[0].at_target() && work_[1].at_target(); }

  /// The Newton step (6).
  [[nodiscard]] rod::detail::StaticStep<S> solve(const rod::StaticOptions<S>& o) {
    const Internal& c = now_.internal;
    Table<S, 5> G;
    std::array<S, 5> p{};
    for (int side : {0, 1}) reduce(side, G, p);

    // E takes (p, δs) to p_κ + Zδs; (1 − nnᵀ)E makes the squared part of (5).
    Table<S, 3, 7> E, across;
    for (int i = 0; i < 3; ++i) {
      E(i, i) = S(1);
      E(i, 5) = -c.point[0].dR[i];
      E(i, 6) = c.point[1].dR[i];
    }
    for (int j = 0; j < 7; ++j) {
      S along = 0;
      for (int i = 0; i < 3; ++i) along += c.normal[i] * E(i, j);
      for (int i = 0; i < 3; ++i) across(i, j) = E(i, j) - c.normal[i] * along;
    }
    Table<S, 7> M;
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j)
        for (int a = 0; a < 3; ++a) M(i, j) += across(a, i) * across(a, j) / distance_;
    M(5, 5) -= inner(c.normal, c.point[0].ddR);
    M(6, 6) += inner(c.normal, c.point[1].ddR);
    M(3, 5) = M(5, 3) = S(-1);
    M(4, 6) = M(6, 4) = S(1);

    Table<S, 8> system;
    Vec<S, 8> x;
    for (int i = 0; i < 5; ++i) {
      system(i, i) = S(1);
      for (int q = 0; q < 5; ++q)
        for (int j = 0; j < 7; ++j) system(i, j) -= now_.force * G(i, q) * M(q, j);
      for (int q = 0; q < 3; ++q) system(i, 7) -= G(i, q) * c.normal[q];
      x[i] = p[static_cast<std::size_t>(i)];
    }
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 7; ++j) system(5 + i, j) = M(5 + i, j);
      system(7, 5 + i) = slope_[i];
      x[5 + i] = -slope_[i];
    }
    for (int i = 0; i < 3; ++i) system(7, i) = c.normal[i];
    x[7] = contact_.target_gap() - distance_;
    solve_scaled(system, x);

    std::array<S, 5> coefficient{};
    for (int i = 0; i < 5; ++i) {
      S& own = coefficient[static_cast<std::size_t>(i)];
      for (int j = 0; j < 7; ++j) own += now_.force * M(i, j) * x[j];
      if (i < 3) own += x[7] * c.normal[i];
    }
    rod::detail::StaticStep<S> step;
    for (int side : {0, 1}) {
      const auto i = static_cast<std::size_t>(side);
      auto& columns = work_[i].columns();
      const std::array<S, 4> own{coefficient[0], coefficient[1], coefficient[2], coefficient[3 + i]};
      for (int b = 0; b < 4; ++b)
        for (Eigen::Index k = 0; k < columns.rows(); ++k)
          columns(k, 0) += columns(k, 1 + b) * own[static_cast<std::size_t>(b)];
      const Vec<S, 2> longest = work_[i].step();
      step.include(longest[0] / rods_[i].length(), o.largest_move);
      step.include(longest[1], o.largest_turn);
      step.include(std::abs(x[5 + side]) / rods_[i].length(),
                   S(2) * contact_.smear(side).kernel_width() / rods_[i].length());
    }
    Vec<S, 3> moved(S(0), S(0), S(0));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 7; ++j) moved[i] += E(i, j) * x[j];
    const S longest = std::max(rods_[0].length(), rods_[1].length());
    step.include(length(moved) / longest, S(0.5) * distance_ / longest);
    step_s_ = {x[5], x[6]};
    step_force_ = x[7];
    return step;
  }

  void move(S fraction) {
    for (std::size_t i : {0u, 1u}) work_[i].move(chains_[i], fraction);
    for (int i = 0; i < 2; ++i) now_.internal.s[i] += fraction * step_s_[i];
    now_.force += fraction * step_force_;
  }

 private:
  struct Unknowns {
    Internal internal;
    S force;
  };

  /// f(k, α_k, α′_k) for the nodes in the window of a rod.
  template <class F>
  void weights(int side, F&& f) const {
    const auto& smear = contact_.smear(side);
    const SmearedPoint<S>& point = now_.internal.point[static_cast<std::size_t>(side)];
    const Eigen::Index nodes = rods_[static_cast<std::size_t>(side)].nodes();
    std::array<S, static_cast<std::size_t>(lane_width<S>)> value;
    std::array<S, static_cast<std::size_t>(lane_width<S>)> first;
    for (int pack = 0; pack < point.packs; ++pack) {
      const Weights<L> w = smear.weights(point, pack);
      rod::store(w.value, value.data());
      rod::store(w.first, first.data());
      const Eigen::Index k = point.first + pack * lane_width<S>;
      for (std::size_t lane = 0; lane < value.size(); ++lane)
        if (k + static_cast<Eigen::Index>(lane) < nodes)
          f(k + static_cast<Eigen::Index>(lane), value[lane], first[lane]);
    }
  }

  /// K⁻¹ of the loads and of the rows of U of one rod; adds their parts of p and G.
  void reduce(int side, Table<S, 5>& G, std::array<S, 5>& p) {
    const auto i = static_cast<std::size_t>(side);
    auto& columns = work_[i].columns();
    work_[i].prepare(rods_[i]);
    const Vec<S, 3>& n = now_.internal.normal;
    const S sign = side == 0 ? S(-1) : S(1);
    weights(side, [&](Eigen::Index k, S alpha, S slope) {
      for (int a = 0; a < 3; ++a) {
        columns(6 * k + a, 1 + a) = sign * alpha;
        columns(6 * k + a, 4) = slope * n[a];
      }
    });
    work_[i].solve();
    Table<S, 4, 5> product;
    weights(side, [&](Eigen::Index k, S alpha, S slope) {
      for (int b = 0; b < 5; ++b)
        for (int a = 0; a < 3; ++a) {
          const S entry = columns(6 * k + a, b);
          product(a, b) += sign * alpha * entry;
          product(3, b) += slope * n[a] * entry;
        }
    });
    const auto at = [&](int a) { return a < 3 ? a : 3 + side; };
    for (int a = 0; a < 4; ++a) {
      p[static_cast<std::size_t>(at(a))] += product(a, 0);
      for (int b = 0; b < 4; ++b) G(at(a), at(b)) += product(a, 1 + b);
    }
  }

  /// x ← A⁻¹x, with columns brought to one size: the units of the unknowns differ.
  /// Not a number where A is singular.
  void solve_scaled(const Table<S, 8>& A, Vec<S, 8>& x) {
    Vec<S, 8> size;
    for (int j = 0; j < 8; ++j) {
      S most(0);
      for (int i = 0; i < 8; ++i) most = std::max(most, std::abs(A(i, j)));
      if (!(most > S(0))) most = S(1);
      size[j] = most;
      for (int i = 0; i < 8; ++i) system_.matrix(i, j) = A(i, j) / most;
    }
    const bool regular = system_.compute();
    system_.solve(x);
    for (int j = 0; j < 8; ++j) x[j] = regular ? x[j] / size[j] : std::numeric_limits<S>::quiet_NaN();
  }

  const Contact& contact_;
  std::vector<R>& rods_;
  std::vector<rod::Chain<S>>& chains_;
  std::array<rod::StaticRod<R, 5>, 2> work_;
  Unknowns now_, before_;
  dalembert::detail::LuFactors<S> system_{8};
  S distance_{};
  Vec<S, 2> slope_{S(0), S(0)};  // g of (4)
  Vec<S, 2> step_s_{S(0), S(0)};
  S step_force_{};
};

}  // namespace detail

/// Bring two rods in contact near the positions `guess` [m] into static equilibrium (1) along a path; see
/// `rod::static_equilibrium`. At the end s₁, s₂ are put where the contact's own tangency has them: with the
/// centreline rule they are there, with others they move a little and |κ| is no longer exactly a₁ + a₂.
/// Throws NoConvergence, ContactOpened if the rods would have to pull each other and the contact is not bilateral,
/// and what `locate` throws.
template <class S, Kernel K, class Smearing, class TangencyRule, rod::RodModel R, rod::StaticPath<R> Path>
ContactEquilibrium<RollingContact<S, K, Smearing, TangencyRule>> static_contact(
    const RollingContact<S, K, Smearing, TangencyRule>& contact, std::vector<R>& rods,
    std::vector<rod::Chain<S>>& chains, const Vec<S, 2>& guess, Path&& path,
    const rod::StaticOptions<S>& options = {}) {
  using Contact = RollingContact<S, K, Smearing, TangencyRule>;
  require(rods.size() == 2 && chains.size() == 2, "static_contact", "rods", rods.size(),
          "a contact is between two rods");
  detail::StaticPair<Contact, R> pair(contact, rods, chains, contact.locate(rods, chains, guess, S(0)));
  ContactEquilibrium<Contact> found;
  found.search = rod::detail::step_loads(pair, options, [&](S factor) { path(factor, rods, chains); });
  found.contact = pair.internal();
  contact.solve_algebraic(rods, chains, found.contact, S(0));
  found.normal_force = pair.normal_force();
  found.energy = potential_energy(rods[0], chains[0]) + potential_energy(rods[1], chains[1]);
  if (!contact.parameters().bilateral && !(found.normal_force >= 0))
    throw ContactOpened(message({"ContactOpened: the rods are in equilibrium with a normal force of ",
                                 found.normal_force, " N"}),
                        0.0);
  return found;
}

}  // namespace dalembert::contact
