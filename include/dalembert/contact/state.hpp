#pragma once

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/contact/smear.hpp>

/// What a rolling contact remembers, answers, and how well it holds.
namespace dalembert::contact {

/// The internal coordinates of one contact, with what is known about the state it was completed in.
template <class S>
struct ContactState {
  Vec<S, 2> s = Vec<S, 2>::Zero();       ///< contact positions s₁, s₂ [m]
  Vec<S, 3> normal = Vec<S, 3>::Zero();  ///< n, from rod 1 to rod 2; it tells the side on which rod 2 is
  Vec<S, 2> rate = Vec<S, 2>::Zero();    ///< ṡ when last known [m/s]
  Vec<S, 2> earlier_rate = Vec<S, 2>::Zero();  ///< ṡ one evaluation before
  std::array<SmearedPoint<S>, 2> point;        ///< the smeared points at s
  Mat<S, 3, 3> inverse_gram;                   ///< (A M⁻¹ Aᵀ)⁻¹, if it is known
  bool gram_known = false;                     ///< whether `inverse_gram` belongs to the chains as they are

  /// Whether the positions, the normal and the rates are finite.
  [[nodiscard]] bool is_finite() const noexcept {
    using dalembert::detail::all_finite;
    return all_finite(s) && all_finite(normal) && all_finite(rate) && all_finite(earlier_rate);
  }
};

/// The numbers of a smeared point on a chain, for checkpoints. Each pack of its window must begin at a node of the chain: then the window
/// lies within the padded columns, and every window that a contact makes does so. How many packs it has is the machine's affair.
template <class S, class Visitor>
void visit_numbers(const std::string& name, const rod::Chain<S>& chain, SmearedPoint<S>& point,
                   Visitor&& visit) {
  visit(name + ".s", point.s);
  const Eigen::Index last_pack = (point.packs - 1) * lane_width<S>;
  visit.whole(name + ".first", point.first, 0, chain.nodes - 1 - last_pack);
  visit(name + ".sum0", point.sum0);
  visit(name + ".sum1", point.sum1);
  visit(name + ".sum2", point.sum2);
  visit(name + ".R", point.R);
  visit(name + ".dR", point.dR);
  visit(name + ".ddR", point.ddR);
  visit(name + ".square", point.square);
  visit(name + ".square_slope", point.square_slope);
  visit(name + ".square_curve", point.square_curve);
}

/// The numbers of a contact of two chains, for checkpoints; a state without one holds `contact = 0` and nothing else of it. They are more than
/// the coordinates: the smeared points were moved along with the nodes, and the rates predict where the contact will be, so a run goes
/// on bit for bit only with all of them.
template <class S, class Visitor>
void visit_numbers(const std::vector<rod::Chain<S>>& chains, ContactState<S>& contact, Visitor&& visit) {
  const bool located = chains.size() == 2 && contact.point[0].packs > 0 && contact.point[1].packs > 0;
  visit.same("contact", located ? 1 : 0);
  if (!located) return;
  visit("contact.s", contact.s);
  visit("contact.normal", contact.normal);
  visit("contact.rate", contact.rate);
  visit("contact.earlier_rate", contact.earlier_rate);
  visit_numbers("contact.point0", chains[0], contact.point[0], visit);
  visit_numbers("contact.point1", chains[1], contact.point[1], visit);
  visit.whole("contact.gram_known", contact.gram_known, 0, 1);
  if (contact.gram_known) visit("contact.inverse_gram", contact.inverse_gram);
}

/// What a contact answers: the force, and the rate of its positions.
template <class S>
struct ContactForce {
  Vec<S, 3> multiplier = Vec<S, 3>::Zero();  ///< in the frame of the rows
  Vec<S, 3> force = Vec<S, 3>::Zero();       ///< on rod 1, spatial [N]
  /// (λ_n, λ_t1, λ_t2): λ_n = −n·f compressive, t₁ along rod 1, t₂ = n × t₁ [N]
  Vec<S, 3> components = Vec<S, 3>::Zero();
  Vec<S, 2> rate = Vec<S, 2>::Zero();  ///< ṡ₁, ṡ₂ [m/s]
};

/// How well a contact holds.
template <class S>
struct ContactError {
  S gap{};       ///< |κ| − (a₁ + a₂) [m]
  S slip{};      ///< max |A v| [m/s]
  S tangency{};  ///< max |F| [m]
};

namespace detail {
/// κ = R₂ − R₁.
template <class S>
[[nodiscard]] Triple<S> kappa(const ContactState<S>& c) noexcept {
  return Triple<S>(c.point[1].R) - Triple<S>(c.point[0].R);
}
}  // namespace detail

/// (λ_n, λ_t1, λ_t2) of a spatial force on rod 1 [N]: −n·f, and along t₁ and t₂ = n × t₁, t₁ along rod 1.
template <class S>
[[nodiscard]] Vec<S, 3> force_components(const ContactState<S>& c, const Vec<S, 3>& force) {
  const Triple<S> f(force), kappa = detail::kappa(c), slope(c.point[0].dR);
  const Triple<S> along = dot(kappa, kappa) * slope - dot(kappa, slope) * kappa;
  const S k = norm(kappa);
  const S l = norm(along);
  return {-dot(kappa, f) / k, dot(along, f) / l, dot(cross(kappa, along), f) / (k * l)};
}

namespace detail {

// What is thrown is made out of line, so that it does not stand in the way of what runs.
/// What is not finite is blamed on nothing else.
inline void throw_if_not_finite(const char* what, double value, double time) {
  if (!std::isfinite(value))
    throw NotFinite(message({"NotFinite: ", what, " of a rolling contact is ", value}), time);
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_crossing(double side, double time) {
  throw_if_not_finite("the distance", side, time);
  throw NoConvergence("NoConvergence: the rods would pass through each other; the step is too long", time);
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_no_convergence(const char* what, double time) {
  throw NoConvergence(message({"NoConvergence: ", what, " of a rolling contact"}), time);
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_located(int side, Eigen::Index nodes,
                                                                     int packs) {
  if (packs == 0)
    throw std::invalid_argument(
        message({"RollingContact: the contact position on rod ", side,
                 " is not known, but a contact must be located (`locate`) before it is used"}));
  throw std::invalid_argument(
      message({"RollingContact: window on rod ", side,
               " = that of another rod, but a contact must be located on a rod with ", nodes, " nodes"}));
}
template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_parallel(const ContactState<S>& c, S time) {
  throw_if_not_finite("the distance", static_cast<double>(norm(kappa(c))), static_cast<double>(time));
  throw ParallelRods(message({"ParallelRods: the tangency equations are singular at s1 = ", c.s[0],
                              " m, s2 = ", c.s[1], " m"}),
                     static_cast<double>(time));
}
template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_opened(const ContactState<S>& c, S normal_force, S time) {
  throw_if_not_finite("the distance", static_cast<double>(norm(kappa(c))), static_cast<double>(time));
  throw_if_not_finite("the normal force", static_cast<double>(normal_force), static_cast<double>(time));
  throw ContactOpened(message({"ContactOpened: the normal force is ", normal_force, " N at s1 = ", c.s[0],
                               " m, s2 = ", c.s[1], " m"}),
                      static_cast<double>(time));
}

/// |κ|; throws NoConvergence if rod 2 is on the other side of rod 1: it cannot have passed through.
template <class S>
[[nodiscard]] S signed_length(const Triple<S>& kappa, const ContactState<S>& c, S time) {
  const S side = dot(kappa, Triple<S>(c.normal));
  if (!(side > S(0))) throw_crossing(static_cast<double>(side), static_cast<double>(time));
  return norm(kappa);
}

/// J⁻¹, from F to changes of the contact positions; throws ParallelRods where J is singular.
template <class S>
[[nodiscard]] Mat<S, 2, 2> inverse_slope(const Mat<S, 2, 2>& J, const ContactState<S>& c, S time) {
  constexpr S parallel_limit = S(1e-4);
  const S det = J(0, 0) * J(1, 1) - J(0, 1) * J(1, 0);
  const S scale = (std::abs(J(0, 0)) + std::abs(J(0, 1))) * (std::abs(J(1, 0)) + std::abs(J(1, 1)));
  if (!(-det > parallel_limit * scale)) throw_parallel(c, time);
  const S per_det = S(1) / det;
  return square<S>(per_det * J(1, 1), -per_det * J(0, 1), -per_det * J(1, 0), per_det * J(0, 0));
}

}  // namespace detail

}  // namespace dalembert::contact
