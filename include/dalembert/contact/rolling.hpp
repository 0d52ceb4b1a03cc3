#pragma once

#include <array>
#include <utility>
#include <vector>

#include <dalembert/contact/detail/closing.hpp>
#include <dalembert/contact/rows.hpp>
#include <dalembert/contact/state.hpp>
#include <dalembert/contact/tangency.hpp>
#include <dalembert/problem/concepts.hpp>
#include <dalembert/rod/concepts.hpp>

/// Perfect rolling contact between two rods: the coupling of a `rod::RodProblem` with two rods.
///   A v = 0          no slip, three rows on the velocities of the nodes, smeared by a kernel                        (1)
///   |κ| = a₁ + a₂    the gap, κ = R₂ − R₁, n = κ/|κ|                                                              (2)
///   F(s₁, s₂) = 0    tangency: where the contact is                                                              (3)
///   λ = −G⁻¹(A M⁻¹F_free − A·gyroscopic + Ȧv),  G = A M⁻¹ Aᵀ                                                      (4)
/// Loads +Aᵀλ act on the nodes; they do no work. The contact pushes if λ_n = −n·f₁ > 0 with f₁ the force on rod 1, and rolls on dry friction of
/// coefficient k if |λ_t| ≤ k λ_n. Equation (4) takes ṡ from the derivative of (3).
/// Source: Gay-Balmaz & Putkaradze, eqs (4)–(6), (9)–(12), with the corrected weights.
namespace dalembert::contact {

/// The contact of two rods; see the head of this file.
template <class S, Kernel K = CubicSpline, class Smearing = SpatialSmearing,
          class TangencyRule = CentrelineTangency>
class RollingContact {
 public:
  using Scalar = S;                          ///< the number type
  using Rows = ContactRows<S, K, Smearing>;  ///< the rows of one rod
  using Internal = ContactState<S>;          ///< contact positions and what belongs to them
  using Multiplier = ContactForce<S>;        ///< what the coupling answers
  using InternalRate = Vec<S, 2>;            ///< rates of the internal coordinates
  static constexpr int internal_size = 2;    ///< internal coordinates
  static constexpr int row_count = 3;        ///< constraint rows

  /// What makes a contact.
  struct Parameters {
    S radius1{};       ///< a₁ [m]
    S radius2{};       ///< a₂ [m]
    S kernel_width{};  ///< ℓ [m]
    bool integrate_positions =
        false;  ///< s₁, s₂ follow ṡ instead of being solved from (3) after each change of state
    bool bilateral = false;  ///< a contact that pulls is allowed; otherwise it throws ContactOpened
    K kernel{};              ///< the bump
  };

  /// For two rods; throws std::invalid_argument for a radius or width that is not positive, a kernel wider than a rod, or a rod that is
  /// not longer than thick.
  template <class R>
  RollingContact(const Parameters& p, const R& rod1, const R& rod2)
      : p_(p),
        rows_{Rows(Smear<S, K>(p.kernel, p.kernel_width, rod1.spacing(), rod1.nodes()), rod1),
              Rows(Smear<S, K>(p.kernel, p.kernel_width, rod2.spacing(), rod2.nodes()), rod2)} {
    detail::require_radius("RollingContact", "radius1", p.radius1, S(rod1.nodes() - 1) * rod1.spacing());
    detail::require_radius("RollingContact", "radius2", p.radius2, S(rod2.nodes() - 1) * rod2.spacing());
    target_ = p.radius1 + p.radius2;
    require(std::isfinite(target_), "RollingContact", "radius1 + radius2", target_, "it must be finite [m]");
    share1_ = p.radius1 / target_;
  }

  /// Throws std::invalid_argument for rods that the contact was not made for: another number than two, or with other nodes, spacing or masses.
  template <class R>
  void check_rods(const std::vector<R>& rods) const {
    require(rods.size() == 2, "RollingContact", "rods", rods.size(), "a contact joins two rods");
    for (std::size_t i = 0; i < 2; ++i) rows_[i].check_rod(rods[i], i);
  }
  /// Throws std::invalid_argument for a contact that was not located, or on rods with other nodes.
  template <class R>
  void check_internal(const std::vector<R>& rods, const Internal& c) const {
    for (std::size_t i = 0; i < 2; ++i)
      if (!rows_[i].smear().fits(c.point[i])) [[unlikely]]
        detail::throw_not_located(static_cast<int>(i), rods[i].nodes(), c.point[i].packs);
  }

  /// The prescribed distance of the centrelines a₁ + a₂ [m].
  [[nodiscard]] S target_gap() const noexcept { return target_; }
  /// What the contact was made from.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }
  /// The smearing of rod `side` (0 or 1).
  [[nodiscard]] const Smear<S, K>& smear(int side) const noexcept {
    return rows_[static_cast<std::size_t>(side)].smear();
  }

  /// A contact near (s₁, s₂), tangency solved; throws what `solve_algebraic` throws.
  template <class R>
  [[nodiscard]] Internal locate(const std::vector<R>&, const std::vector<rod::Chain<S>>& chains,
                                const Vec<S, 2>& guess, S time) const {
    Internal c;
    c.s = guess;
    place(chains, c, time);
    const Triple<S> kappa = detail::kappa(c);
    c.normal = kappa / norm(kappa);
    solve_tangency(chains, c, time);
    return c;
  }

  /// Bring the internals up to date with the chains: solve (3) from the positions at hand unless they are integrated. Throws ParallelRods, ContactAtEnd, NoConvergence.
  template <class R>
  void solve_algebraic(const std::vector<R>&, const std::vector<rod::Chain<S>>& chains, Internal& c,
                       S time) const {
    if (p_.integrate_positions)
      refresh(chains, c, time);
    else
      solve_tangency(chains, c, time);
  }

  /// λ of equation (4) for loads f (one array per rod), which then get Aᵀλ added. Throws ContactOpened unless bilateral.
  template <class R>
  Multiplier add_forces(const std::vector<R>& rods, const std::vector<rod::Chain<S>>& chains,
                        const Internal& c, S time, std::vector<rod::Columns<S, 6>>& f) const {
    const auto frame = Smearing::frame(smear(0), c.point[0], c.point[1], chains[0], share1_);
    Triple<L> accelerations{L(S(0)), L(S(0)), L(S(0))};
    const SmearedVelocity<S> u1 =
        rows_[0].template add_accelerations<0>(frame, rods[0], chains[0], c.point[0], f[0], accelerations);
    const SmearedVelocity<S> u2 =
        rows_[1].template add_accelerations<1>(frame, rods[1], chains[1], c.point[1], f[1], accelerations);
    Multiplier m;
    m.rate = position_rate(chains, c, u1, u2, time);
    const Vec<S, 3> convective = Smearing::convective(frame, smear(0), smear(1), c.point[0], c.point[1],
                                                      chains[0], chains[1], u1, u2, m.rate);
    const Triple<S> b = Triple<S>(rod::lane_sum(accelerations)) + Triple<S>(convective);
    const Mat<S, 3, 3> inverse =
        c.gram_known ? c.inverse_gram : detail::symmetric_inverse(slip_and_gram(chains, c, frame).second);
    m.multiplier = -detail::times(inverse, b);
    rows_[0].template add_loads<0>(frame, chains[0], c.point[0], m.multiplier, f[0]);
    rows_[1].template add_loads<1>(frame, chains[1], c.point[1], m.multiplier, f[1]);
    m.force = Smearing::force(frame, m.multiplier);
    m.components = force_components(c, m.force);
    if (!p_.bilateral && !(m.components[0] >= 0)) detail::throw_opened(c, m.components[0], time);
    return m;
  }

  /// f += Aᵀλ for a given multiplier.
  void add_loads(const std::vector<rod::Chain<S>>& chains, const Internal& c, const Multiplier& m,
                 std::vector<rod::Columns<S, 6>>& f) const {
    const auto frame = Smearing::frame(smear(0), c.point[0], c.point[1], chains[0], share1_);
    rows_[0].template add_loads<0>(frame, chains[0], c.point[0], m.multiplier, f[0]);
    rows_[1].template add_loads<1>(frame, chains[1], c.point[1], m.multiplier, f[1]);
  }

  /// What given accelerations and ṡ leave of the differentiated constraints: J ṡ + ∂F/∂t (2), then A v̇ + Ȧv (3).
  [[nodiscard]] Vec<S, 5> residual(const std::vector<rod::Chain<S>>& chains, const Internal& c,
                                   const std::vector<rod::Columns<S, 6>>& acceleration,
                                   const InternalRate& rate) const {
    const auto frame = Smearing::frame(smear(0), c.point[0], c.point[1], chains[0], share1_);
    const SmearedVelocity<S> u1 = smeared_velocity(smear(0), c.point[0], chains[0]);
    const SmearedVelocity<S> u2 = smeared_velocity(smear(1), c.point[1], chains[1]);
    Vec<S, 5> r;
    r.template head<2>() = tangency(chains, c).jacobian * rate +
                           TangencyRule::template rate<Smearing>(smear(0), smear(1), c.point[0], c.point[1],
                                                                 chains[0], chains[1], u1, u2);
    r.template tail<3>() = Smearing::convective(frame, smear(0), smear(1), c.point[0], c.point[1], chains[0],
                                                chains[1], u1, u2, rate) +
                           rows_[0].template apply<0>(frame, chains[0], c.point[0], acceleration[0]) +
                           rows_[1].template apply<1>(frame, chains[1], c.point[1], acceleration[1]);
    return r;
  }

  /// Move the nodes along the normal row in the mass metric until (2) holds, with (3) solved beside; v gets the displacement / h if h > 0.
  template <class R>
  Projection<S> project_position(const std::vector<R>&, std::vector<rod::Chain<S>>& chains, Internal& c,
                                 S time, S h) const {
    for (int i = 0; i < 2 && h > 0; ++i)  // all that integrated positions need
      c.s[i] += h * (S(1.5) * c.rate[i] - S(0.5) * c.earlier_rate[i]);
    Projection<S> result;
    for (result.iterations = 1; result.iterations <= iteration_limit; ++result.iterations) {
      place(chains, c, time);
      normalise(c, time);
      const detail::Correction<S> fix = correction(chains, c, time);
      c.s = {c.point[0].s, c.point[1].s};
      if (fix.slid > near) continue;  // other nodes may bear the contact: place it anew first
      const Triple<S> push = fix.push * Triple<S>(c.normal);
      rows_[0].push(chains[0], c.point[0], push, h > 0 ? S(1) / h : S(0));
      rows_[1].push(chains[1], c.point[1], -push, h > 0 ? S(1) / h : S(0));
      result.moved +=
          std::abs(fix.push) * std::sqrt(rows_[0].compliance(c.point[0]) + rows_[1].compliance(c.point[1]));
      // A long push leaves R″ behind: place the points anew. In a step pushes are short.
      const S moved =
          std::abs(fix.push) * std::max(rows_[0].compliance(c.point[0]), rows_[1].compliance(c.point[1]));
      if (fix.converged && !(h == S(0) && moved > near * smear(0).kernel_width())) return result;
    }
    detail::throw_no_convergence("the gap and tangency", static_cast<double>(time));
  }

  /// v ← v − M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹ A v.
  template <class R>
  Projection<S> project_velocity(const std::vector<R>&, std::vector<rod::Chain<S>>& chains,
                                 Internal& c) const {
    const auto frame = Smearing::frame(smear(0), c.point[0], c.point[1], chains[0], share1_);
    const auto [slip, gram] = slip_and_gram(chains, c, frame);
    c.inverse_gram = detail::symmetric_inverse(gram);
    c.gram_known = true;
    const Vec<S, 3> mu = -detail::times(c.inverse_gram, Triple<S>(slip));
    rows_[0].template add_impulse<0>(frame, chains[0], c.point[0], mu);
    rows_[1].template add_impulse<1>(frame, chains[1], c.point[1], mu);
    return {std::sqrt(std::abs(inner(mu, slip))), 0, true};
  }

  /// A v [m/s].
  [[nodiscard]] Vec<S, 3> slip(const std::vector<rod::Chain<S>>& chains, const Internal& c) const {
    return slip_and_gram(chains, c, Smearing::frame(smear(0), c.point[0], c.point[1], chains[0], share1_))
        .first;
  }

  /// Gap, slip and tangency, all evaluated anew.
  [[nodiscard]] ContactError<S> error(const std::vector<rod::Chain<S>>& chains, const Internal& at,
                                      S time) const {
    Internal c = at;
    place(chains, c, time);
    return {detail::signed_length(detail::kappa(c), c, time) - target_, largest(slip(chains, c)),
            largest(tangency(chains, c).value)};
  }
  /// Gap and slip.
  [[nodiscard]] Violation<S> violation(const std::vector<rod::Chain<S>>& chains, const Internal& c,
                                       S time) const {
    const ContactError<S> e = error(chains, c, time);
    return {std::abs(e.gap), e.slip};
  }
  /// λ·A v [W].
  [[nodiscard]] S constraint_power(const std::vector<rod::Chain<S>>& chains, const Internal& c,
                                   const Multiplier& m) const {
    return inner(m.multiplier, slip(chains, c));
  }
  /// ṡ.
  [[nodiscard]] static InternalRate internal_rate(const Multiplier& m) noexcept { return m.rate; }
  /// s += δ.
  static void advance_internal(Internal& c, const InternalRate& change) noexcept {
    for (int i = 0; i < 2; ++i) c.s[i] += change[i];
  }
  /// Remember ṡ, for the prediction of s in the next step. The same ṡ again tells of no new instant (a run that goes on from
  /// a checkpoint asks anew for what is in it).
  static void record_rate(Internal& c, const Multiplier& m) noexcept {
    if (m.rate[0] == c.rate[0] && m.rate[1] == c.rate[1]) return;
    c.earlier_rate = c.rate[0] == S(0) && c.rate[1] == S(0) ? m.rate : c.rate;
    c.rate = m.rate;
  }

  /// F and J of (3) at the smeared points of c.
  [[nodiscard]] Tangency<S> tangency(const std::vector<rod::Chain<S>>& chains, const Internal& c) const {
    return TangencyRule::template evaluate<Smearing>(smear(0), smear(1), c.point[0], c.point[1], chains[0],
                                                     chains[1]);
  }

  /// Smeared points at the positions of c.
  void place(const std::vector<rod::Chain<S>>& chains, Internal& c, S time) const {
    smear(0).put(chains[0], c.s[0], static_cast<double>(time), 1, c.point[0]);
    smear(1).put(chains[1], c.s[1], static_cast<double>(time), 2, c.point[1]);
    c.gram_known = false;
  }

 private:
  using L = Lane<S>;
  static constexpr int iteration_limit = 50;
  static constexpr S near = detail::near<S>;

  template <class Frame>
  [[nodiscard]] std::pair<Vec<S, 3>, Mat<S, 3, 3>> slip_and_gram(const std::vector<rod::Chain<S>>& chains,
                                                                 const Internal& c,
                                                                 const Frame& frame) const noexcept {
    std::array<L, 6> gram;
    gram.fill(L(S(0)));
    Triple<L> slip{L(S(0)), L(S(0)), L(S(0))};
    rows_[0].template add_velocities<0>(frame, chains[0], c.point[0], gram, slip);
    rows_[1].template add_velocities<1>(frame, chains[1], c.point[1], gram, slip);
    return {rod::lane_sum(slip), detail::symmetric(detail::lane_sums(gram))};
  }

  /// Smeared points, and the normal that tells the side.
  void refresh(const std::vector<rod::Chain<S>>& chains, Internal& c, S time) const {
    place(chains, c, time);
    normalise(c, time);
  }
  static void normalise(Internal& c, S time) {
    const Triple<S> kappa = detail::kappa(c);
    c.normal = kappa / detail::signed_length(kappa, c, time);
  }

  /// The smaller width of the two kernels [m].
  [[nodiscard]] S narrowest() const noexcept {
    return std::min(smear(0).kernel_width(), smear(1).kernel_width());
  }

  void solve_tangency(const std::vector<rod::Chain<S>>& chains, Internal& c, S time) const {
    for (int i = 0; i < iteration_limit; ++i) {
      refresh(chains, c, time);
      const Tangency<S> t = tangency(chains, c);
      const Vec<S, 2> step =
          detail::tangency_step(t.value, detail::inverse_slope(t.jacobian, c, time), narrowest());
      advance_internal(c, step);
      if (largest(step) <= S(1e-8) * smear(0).kernel_width()) {
        detail::advance(c, step);
        return;
      }
    }
    detail::throw_no_convergence("the tangency", static_cast<double>(time));
  }

  /// What closes the gap of the placed points c, with (3) solved beside.
  [[nodiscard]] detail::Correction<S> correction(const std::vector<rod::Chain<S>>& chains, Internal& c,
                                                 S time) const {
    Mat<S, 2, 2> slide = detail::square(S(0), S(0), S(0), S(0));  // J⁻¹
    Vec<S, 2> offset(S(0), S(0));
    if (!p_.integrate_positions) {
      const Tangency<S> t = tangency(chains, c);
      slide = detail::inverse_slope(t.jacobian, c, time);
      if constexpr (!TangencyRule::gap_stationary)
        offset = detail::tangency_step(t.value, slide, narrowest());
    }
    return detail::close_gap<TangencyRule>(rows_, c, target_, slide, offset, narrowest());
  }

  [[nodiscard]] Vec<S, 2> position_rate(const std::vector<rod::Chain<S>>& chains, const Internal& c,
                                        const SmearedVelocity<S>& u1, const SmearedVelocity<S>& u2,
                                        S time) const {
    const Tangency<S> t = tangency(chains, c);
    const Vec<S, 2> moving = TangencyRule::template rate<Smearing>(smear(0), smear(1), c.point[0], c.point[1],
                                                                   chains[0], chains[1], u1, u2);
    return detail::minus(detail::times(detail::inverse_slope(t.jacobian, c, time), moving));
  }

  Parameters p_;
  std::array<Rows, 2> rows_;
  S target_{};
  S share1_{};
};

}  // namespace dalembert::contact
