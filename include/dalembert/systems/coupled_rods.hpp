#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/contact/static_contact.hpp>
#include <dalembert/rod/problem.hpp>
#include <dalembert/systems/rolling_rods.hpp>

/// The rods of systems/rolling_rods.hpp with their contact as the coupling of a `rod::RodProblem`, for every smearing and tangency.
namespace dalembert::systems {

/// The two rods, at rest in contact.
template <class Contact>
struct CoupledRodsStart {
  using S = typename Contact::Scalar;                ///< the number type
  std::vector<rod::ElasticRod<S>> rods;              ///< the rods or their chains
  Contact contact;                                   ///< the contact, completed with the chains
  std::vector<rod::Chain<S>> chains;                 ///< chains at rest
  contact::ContactEquilibrium<Contact> equilibrium;  ///< the contact in equilibrium

  /// The problem of their motion.
  [[nodiscard]] rod::RodProblem<rod::ElasticRod<S>, Contact> problem() const {
    return rod::RodProblem<rod::ElasticRod<S>, Contact>(rods, contact);
  }
};

/// The rods hooked into each other, in equilibrium without friction, for any kind of contact; `how` gives what a
/// contact has besides radii and kernel width. Throws std::invalid_argument, NoConvergence, ContactOpened,
/// ContactAtEnd, ParallelRods.
template <class Contact = contact::RollingContact<double>>
[[nodiscard]] CoupledRodsStart<Contact> coupled_start(
    const RollingRodsParameters<typename Contact::Scalar>& p,
    const assembly::StaticOptions<typename Contact::Scalar>& options = {},
    typename Contact::Parameters how = {}) {
  using S = typename Contact::Scalar;
  std::vector<rod::ElasticRod<S>> rods = rolling_rods(p);
  std::vector<rod::Chain<S>> chains = rolling_rods_placement(p, rods);
  how.radius1 = how.radius2 = p.radius;
  how.kernel_width = p.kernel_width;
  const Contact contact(how, rods[0], rods[1]);
  const S low = chains[0].position(0)[2];
  const S high = chains[1].position(0)[2];
  const auto path = [&](S factor, std::vector<rod::ElasticRod<S>>&, std::vector<rod::Chain<S>>& moved) {
    for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(p.elements)}) {
      moved[0].configuration(k, 2) = low + factor * p.hook;
      moved[1].configuration(k, 2) = high - factor * p.hook;
    }
  };
  const Vec<S, 2> guess(p.crossing[0] * p.length, p.crossing[1] * p.length);
  auto equilibrium = contact::static_contact(contact, rods, chains, guess, path, options);
  return {std::move(rods), contact, std::move(chains), std::move(equilibrium)};
}

/// Give a static state its initial velocities, as in systems/rolling_rods.hpp, projected onto the rolling constraint. Throws std::invalid_argument.
template <class Contact, class S>
void set_initial_velocity(const rod::RodProblem<rod::ElasticRod<S>, Contact>& problem,
                          typename rod::RodProblem<rod::ElasticRod<S>, Contact>::State& state,
                          const RollingRodsParameters<S>& p) {
  p.check();
  using Triple = dalembert::detail::Triple<S>;
  const auto& contact = problem.coupling();
  const Triple across(p.across());
  detail::strike_rods(p, problem.rods(), state.time, state.chains,
                      [&] {  // (1) of contact/smearing.hpp, along t
                        const auto& point = state.internal.point;
                        const auto u1 = smeared_velocity(contact.smear(0), point[0], state.chains[0]);
                        const auto u2 = smeared_velocity(contact.smear(1), point[1], state.chains[1]);
                        const S share = contact.parameters().radius1 / contact.target_gap();
                        const Triple spin = share * Triple(u1.W) + S(S(1) - share) * Triple(u2.W);
                        const Triple kappa = Triple(point[1].R) - Triple(point[0].R);
                        return dot(across, Triple(u1.V) - Triple(u2.V) + cross(spin, kappa));
                      });
  (void)problem.project_velocity(state);
  detail::check_strike(state.chains);
}

}  // namespace dalembert::systems
