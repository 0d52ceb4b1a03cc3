#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/body.hpp>

/// The discrete strands: two elastic chains of N frames (Λ_k, r_k) at s^k = kh, in perfect rolling contact
/// averaged by normalised Gaussian weights α_k ∝ exp(−(s₁ − s^k)²/2σ²), β_m likewise. An assembly
/// of two rods and a contact.
///   p_k = Λ_kᵀΛ_{k+1},  q_k = Λ_kᵀ(r_{k+1} − r_k),  θ = log p                                            (1)
///   U_k = h/2 [GA(q₁² + q₂²)/h² + EA(q₃/h − 1)²] + [EI(θ₁² + θ₂²) + GJ θ₃²]/2h                           (2)
///   T_k = h/2 [m|γ|² + j₁(ω₁² + ω₂²) + j₃ω₃²], every node the same                                       (3)
///   Σ α_k β_m [γ_k + ½ ω_k × κ_km − ξ_km γ_m + ½ (ξ_km ω_m) × κ_km] = 0                                  (4)
///   ξ = Λ_kᵀΛ_m, κ = Λ_kᵀ(r_m − r_k)
///   Σ α_k β_m (r_m − r_k)·t_k = Σ α_k β_m (r_m − r_k)·t_m = 0,  t = ΛE₃ or the centred difference of r   (5)
/// Conserved: energy, momentum and angular momentum of the pair, (4) and (5). Not conserved: |Σβr −
/// Σαr|; it is with `SpatialAveraging` in place of (4) and `CentrelineTangency` in place of (5). s₁ and
/// s₂ follow the time derivative of (5); the contact may pull.
/// Source: Gay-Balmaz & Putkaradze, eqs (8)–(12), with every term of (10) weighted by α_k β_m.
namespace dalembert::contact {

/// What two equal strands are made of; stiffness as in equation (2), inertia per unit length.
template <class S = double>
struct StrandParameters {
  int nodes{};              ///< N of each strand, at least 3
  S spacing{};              ///< h [m]
  S mass{};                 ///< m [kg/m]
  S rotary1{};              ///< j₁, about the axes across [kg m]
  S rotary3{};              ///< j₃, about the axis along [kg m]
  S shear_stiffness{};      ///< GA [N]
  S axial_stiffness{};      ///< EA [N]
  S bending_stiffness{};    ///< EI [N m²]
  S torsional_stiffness{};  ///< GJ [N m²]
  S kernel_width{};         ///< σ [m]
  S gap{};                  ///< |Σβr − Σαr| where it is kept, 2 × the radius [m]
};

/// Discrete strands with the tangency (5): `MaterialTangency` for E₃, `CentredTangency` for the difference,
/// or `CentrelineTangency`; `Averaging` is (4) unless given.
template <class S = double, class TangencyRule = MaterialTangency, class Averaging = BodyAveraging>
struct DiscreteStrands {
  using Parameters = StrandParameters<S>;                              ///< what strands are made from
  using Strand = rod::Rod<rod::LinearElastic<S>, rod::ForwardStrain>;  ///< one strand
  /// Whether |Σβr − Σαr| is kept.
  static constexpr bool keeps_gap = !Averaging::pairwise && TangencyRule::gap_stationary;
  /// Their contact.
  using Contact = std::conditional_t<keeps_gap, RollingContact<S, Gaussian>,
                                     RollingOfRods<S, Gaussian, Averaging, TangencyRule>>;
  /// Both strands and their contact.
  using Problem = assembly::Assembly<assembly::Kinds<Strand>, assembly::Kinds<Contact>>;
  using State = typename Problem::State;  ///< a state of the problem

  /// One strand with free ends. Throws std::invalid_argument for parameters that are not positive and finite,
  /// or fewer than three nodes.
  [[nodiscard]] static Strand strand(const Parameters& p) {
    require(p.nodes >= 3, "DiscreteStrands", "nodes", p.nodes, "a strand needs at least three");
    Vec<S, 6> stiffness;
    stiffness << p.shear_stiffness, p.shear_stiffness, p.axial_stiffness, p.bending_stiffness,
        p.bending_stiffness, p.torsional_stiffness;
    typename Strand::Parameters r;
    r.elements = p.nodes - 1;
    r.length = p.spacing * S(p.nodes - 1);
    r.inertia = {p.mass, Vec<S, 3>(p.rotary1, p.rotary1, p.rotary3)};
    r.end_mass_fraction = S(1);
    return Strand(rod::LinearElastic<S>(stiffness), r);
  }

  /// Two equal strands in contact. Throws std::invalid_argument as `strand`, `KernelAverage` and the contact
  /// do.
  [[nodiscard]] static Problem problem(const Parameters& p) {
    const Strand one = strand(p);
    const Contact contact{
        {0, one, p.kernel_width}, {1, one, p.kernel_width}, p.gap / S(2), p.gap / S(2), true, true};
    return Problem(assembly::bodies(one, one), assembly::constraints(contact));
  }

  /// The state with these two chains at time 0, the contact at the solution of (5) next to (s₁, s₂);
  /// velocities stay as they are (`project` makes them fulfil (4)). Throws ParallelRods, ContactAtEnd or
  /// NoConvergence.
  [[nodiscard]] static State state(const Problem& problem, std::vector<rod::Chain<S>> chains,
                                   const Vec<S, 2>& near) {
    State x = problem.state(std::move(chains), near);
    problem.solve_tangencies(x);
    return x;
  }

  /// What is left of (5) [m]. Throws ContactAtEnd.
  [[nodiscard]] static Vec<S, 2> tangency(const Problem& problem, const State& x) {
    const Contact& c = problem.template constraints<0>()[0];
    return TangencyRule::template evaluate<Averaging>(c.first.average, c.second.average, place(c.first, x, 0),
                                                      place(c.second, x, 1), x[0], x[1])
        .value;
  }
  /// |Σβr − Σαr| [m]. Throws ContactAtEnd.
  [[nodiscard]] static S gap(const Problem& problem, const State& x) {
    const Contact& c = problem.template constraints<0>()[0];
    return length(difference(place(c.second, x, 1).R, place(c.first, x, 0).R));
  }

 private:
  template <class Marker>
  [[nodiscard]] static AveragedPoint<S> place(const Marker& place, const State& x, int side) {
    return place.average.at(x[place.body], x.z[side], number::plain(x.time), side + 1);
  }
};

}  // namespace dalembert::contact
