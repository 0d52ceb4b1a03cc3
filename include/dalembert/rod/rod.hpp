#pragma once

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/boundary.hpp>
#include <dalembert/rod/detail/free_motion.hpp>
#include <dalembert/rod/detail/node_inertia.hpp>
#include <dalembert/rod/detail/node_loads.hpp>
#include <dalembert/rod/element_material.hpp>
#include <dalembert/rod/elements.hpp>
#include <dalembert/rod/load.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/straight.hpp>
#include <dalembert/rod/strain.hpp>

/// The structured assembler of a geometrically exact (Simo–Reissner, special Cosserat) rod: forces,
/// energies, kicks and drifts of a chain of N + 1 nodes with the lumped mass of half an element on either
/// side, in loops over packs of nodes. A Cosserat rod is a curve r with a frame Λ at each of its points.
///   ρA h r̈_k = f_k,   h (j ω̇_k + ω_k × j ω_k) = τ_k   inside; a fraction of that at the ends  (1)
///   V = Σ h W(Γ, Ω) − Σ m_k g·r_k − f_start·r_0 − f_finish·r_N                             (2)
/// Source: Simo 1985; Simo, Marsden & Krishnaprasad 1988.
namespace dalembert::rod {

/// A rod of N elements of a material that may vary from element to element; see the head of this file.
template <RodMaterial MaterialPolicy,
          StrainRule<ElementMaterial<MaterialPolicy>> StrainPolicy = MidpointStrain>
class Rod {
 public:
  static constexpr bool varies = VaryingMaterial<MaterialPolicy>;  ///< from element to element
  using Scalar = typename MaterialPolicy::Scalar;                  ///< the number type
  using S = Scalar;                                                ///< the number type
  using L = NodePack<S>;                                           ///< lanes of nodes
  using Index = Eigen::Index;                                      ///< counts nodes
  using Material = MaterialPolicy;                                 ///< what it is made of
  using Strains = StrainPolicy;                                    ///< rule for the strains
  using OnePass = Rod;                                             ///< it has forces and kick in one pass

  /// What makes a rod.
  struct Parameters {
    int elements = 0;                          ///< N, at least 2 and at most `most_elements`
    S length{};                                ///< rest length [m]
    SectionInertia<S> inertia{};               ///< per unit length
    Boundary<S> start = Boundary<S>::free();   ///< at s = 0
    Boundary<S> finish = Boundary<S>::free();  ///< at s = L
    Loads<S> loads{};                          ///< gravity and end loads
    Damping<S> damping{};                      ///< none by default
    S end_mass_fraction = S(0.5);              ///< mass of an end node relative to an inner one
    /// Of each element, where the material varies; without any all have `inertia`.
    std::conditional_t<varies, std::vector<SectionInertia<S>>, detail::NoInertias> inertias{};
  };

  /// Throws std::invalid_argument for fewer than two elements or more than `most_elements`, as many as the
  /// material or the inertias have not, a length or inertia that is not positive and finite, negative
  /// damping, loads that are not finite, and nodes whose inertia has no finite inverse.
  [[gnu::cold, gnu::noinline]] Rod(const MaterialPolicy& material, const Parameters& p);
  /// Of a cross-section, a type with stiffness_diagonal() and inertia() as those in sections.hpp have them:
  /// its inertia unless `p` has one. Throws the same.
  template <class Section>
    requires requires(const Section& section) {
      { section.stiffness_diagonal() } -> std::convertible_to<typename MaterialPolicy::Stiffness>;
      { section.inertia() } -> std::convertible_to<SectionInertia<S>>;
    }
  Rod(const Section& section, const Parameters& p)
      : Rod(MaterialPolicy(section.stiffness_diagonal()), with_inertia(section, p)) {}

  /// A copy, of thirty numbers and lists.
  [[gnu::cold, gnu::noinline]] Rod(const Rod&) = default;
  /// A copy.
  [[gnu::cold, gnu::noinline]] Rod& operator=(const Rod&) = default;
  /// What another one had.
  [[gnu::cold, gnu::noinline]] Rod(Rod&&) noexcept = default;
  /// What another one had.
  [[gnu::cold, gnu::noinline]] Rod& operator=(Rod&&) noexcept = default;
  [[gnu::cold, gnu::noinline]] ~Rod() = default;

  /// N.
  [[nodiscard]] int elements() const noexcept { return p_.elements; }
  /// N + 1.
  [[nodiscard]] Index nodes() const noexcept { return p_.elements + 1; }
  /// Rest length [m].
  [[nodiscard]] S length() const noexcept { return p_.length; }
  /// Rest length h of an element [m].
  [[nodiscard]] S spacing() const noexcept { return h_; }
  /// Mass of node k, but for its `mass_fraction`: that of both halves of elements, were it an inner node
  /// [kg].
  [[nodiscard]] S node_mass(Index k) const noexcept { return inertia_.mass(k); }
  /// The same, of all inner nodes [kg].
  [[nodiscard]] S node_mass() const noexcept requires(!varies) { return inertia_.mass(0); }
  /// Principal inertia of node k, but for its `mass_fraction` [kg m²].
  [[nodiscard]] Vec<S, 3> node_rotary(Index k) const noexcept { return inertia_.rotary(k); }
  /// The same, of all inner nodes [kg m²].
  [[nodiscard]] Vec<S, 3> node_rotary() const noexcept requires(!varies) { return inertia_.rotary(0); }
  /// Inertia per unit length of element k.
  [[nodiscard]] const SectionInertia<S>& section_inertia(Index k) const noexcept {
    return inertia_.section(k);
  }
  /// The mass of node k relative to an inner node.
  [[nodiscard]] S mass_fraction(Index k) const noexcept {
    return k == 0 || k == p_.elements ? p_.end_mass_fraction : S(1);
  }
  /// What the rod is made of.
  [[nodiscard]] const MaterialPolicy& material() const noexcept { return material_; }
  /// What element k is made of; where it varies this refers to the rod.
  [[nodiscard]] decltype(auto) material_at(Index k) const noexcept {
    return rod::material_at<S>(material_, k);
  }
  /// What the rod was made from.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }
  /// The boundary condition at an end.
  [[nodiscard]] const Boundary<S>& boundary(End end) const noexcept {
    return end == End::start ? p_.start : p_.finish;
  }
  /// Replace the external loads (load stepping).
  void set_loads(const Loads<S>& loads) { p_.loads = loads; }

  /// A straight chain at rest from `origin` [m], along `line`.
  [[nodiscard]] Chain<S> straight(const Vec<S, 3>& origin, const Straight<S>& line = {}) const {
    return straight(origin, line.frame(), line.stretch);
  }
  /// The same along e₃ of `frame`, whose axes all its frames have, stretched by Γ₃ = `stretch`.
  [[nodiscard, gnu::cold, gnu::noinline]] Chain<S> straight(const Vec<S, 3>& origin, const SO3<S>& frame,
                                                            S stretch = S(1)) const {
    Chain<S> chain(nodes());
    const Triple<S> e3(frame.act(Vec<S, 3>(S(0), S(0), S(1))));
    for (Index k = 0; k < nodes(); ++k)
      chain.set_frame(k, frame, Triple<S>(origin) + (stretch * h_ * S(k)) * e3);
    return chain;
  }

  /// The frames at both ends of element k.
  [[nodiscard]] static ElementPose<S> pose(const Chain<S>& chain, Index k) noexcept {
    const Columns<S, 7>& c = chain.configuration;
    return {c(k, 3), at3<4>(c, k), c(k + 1, 3), at3<4>(c, k + 1),
            dalembert::detail::difference<S, 3>(at3<0>(c, k + 1), at3<0>(c, k))};
  }
  /// Strains (Γ, Ω) of element k.
  [[nodiscard]] Strain<S> strain(const Chain<S>& chain, Index k) const noexcept {
    return StrainPolicy::strain(pose(chain, k), h_);
  }
  /// Stress resultants (n, m) of element k, in its frame [N, N m].
  [[nodiscard]] Stress<S> stress(const Chain<S>& chain, Index k) const noexcept {
    const Strain<S> e = strain(chain, k);
    return material_at(k).stress(e.stretch, e.curvature);
  }

  /// Loads on the nodes: spatial forces (columns 0–2) [N] and body torques (columns 3–5) [N m] of the
  /// energy, gravity and the end loads. Returns whether they mean something: no element turns by more than
  /// `largest_turn` between its nodes.
  bool forces(const Chain<S>& chain, Columns<S, 6>& f) const noexcept {
    return put_forces(chain, f, nullptr, S(0));
  }
  /// The same, and a kick by them for a time h [s], in one pass over the nodes.
  bool forces_and_kick(Chain<S>& chain, Columns<S, 6>& f, S h) const noexcept {
    return put_forces(chain, f, &chain.velocity, h);
  }

  /// Accelerations from loads: spatial r̈ (columns 0–2) and body ω̇ (columns 3–5), equation (1) with
  /// damping; held degrees get none, prescribed ones theirs at `time` [s]. Returns whether all of them are
  /// finite.
  bool accelerations(const Chain<S>& chain, const Columns<S, 6>& f, S time, Columns<S, 6>& a) const;

  /// Momentum from loads for a time h [s]: v += h M⁻¹ f; held and prescribed degrees stay.
  [[gnu::flatten]] void kick(Chain<S>& chain, const Columns<S, 6>& f, S h) const noexcept;

  /// One pass over the nodes: a kick by `loads` for a time `kick` [s], then free motion with the damping for
  /// h [s] from `time` on. Reads `from`, writes `to`. The free motion is exact for ρI₁ = ρI₂, else a
  /// symmetric splitting; ends with a prescribed motion are put where it has them.
  void kick_drift(const Chain<S>& from, const Columns<S, 6>& loads, S kick, S time, S h, Chain<S>& to) const;

  /// A step of Verlet's method in one pass: a kick by the loads `f` for h/2 [s], free motion for h from
  /// `time` on, the loads there, and a kick by these for h/2. It is `kick_drift` and then `forces_and_kick`,
  /// to the last bit, but reads and writes the nodes once, which takes the time of a long rod.
  bool step(const Chain<S>& from, Columns<S, 6>& f, S time, S h, Chain<S>& to) const;

  /// Make held velocities zero and put ends with a prescribed motion where it has them at `time` [s].
  void hold_end(Chain<S>& chain, End end, S time) const {
    const Boundary<S>& b = boundary(end);
    if (!b.any_held()) return;
    const Index k = end == End::start ? 0 : p_.elements;
    if (b.moves()) return put_moved(chain, k, b.motion(time));
    for (int i = 0; i < 6; ++i)
      if (b.held(i)) chain.velocity(k, i) = S(0);
  }

  /// Inverse mass of degree i (0–2 translation, 3–5 rotation) of node k, held or not [1/kg, 1/(kg m²)].
  [[nodiscard]] S inverse_mass(Index k, int i) const noexcept {
    return S(1) / (mass_fraction(k) * (i < 3 ? inertia_.mass(k) : inertia_.rotary(k)[i - 3]));
  }
  /// Whether degree i of node k is held or prescribed.
  [[nodiscard]] bool held(Index k, int i) const noexcept {
    return (k == 0 && p_.start.held(i)) || (k == p_.elements && p_.finish.held(i));
  }

 private:
  /// These parameters with the inertia of a section, unless they have one.
  template <class Section>
  [[nodiscard]] static Parameters with_inertia(const Section& section, Parameters p) {
    if (number::is_zero(p.inertia.mass)) p.inertia = section.inertia();
    return p;
  }

  using Inertia = detail::LumpedInertia<S, varies>;

  /// The inertia of the nodes, of parameters that were checked.
  [[nodiscard, gnu::cold, gnu::noinline]] static Inertia lumped(const MaterialPolicy& material,
                                                                const Parameters& p);

  /// The same for one end node.
  [[gnu::noinline, gnu::flatten]] void kick_drift_end(End end, const Chain<S>& from,
                                                      const Columns<S, 6>& loads, S kick, S time, S h, S damp,
                                                      Chain<S>& to) const {
    const Index k = end == End::start ? 0 : p_.elements;
    const Boundary<S>& b = boundary(end);
    for (int i = 0; b.all_held() && i < 7; ++i) to.configuration(k, i) = from.configuration(k, i);
    if (!b.all_held()) {  // else it stays, or goes where its motion has it
      detail::FreeNode<S> n = detail::load_node<S>(from, k);
      const S by = kick / p_.end_mass_fraction;
      const auto change = [&](int i) { return end_kick(b, k, i, by, loads); };
      n.velocity += {change(0), change(1), change(2)};
      n.omega += {change(3), change(4), change(5)};
      // a held axis takes up the gyroscopic torque: ω stays as it is, as in a sphere
      const bool turns = !(b.held(3) || b.held(4) || b.held(5));
      const Vec<S, 3> sphere(S(1), S(1), S(1));
      detail::move_freely(n, turns ? section_inertia(k == 0 ? 0 : k - 1).rotary : sphere, h, damp);
      detail::store_node(n, to, k);
    }
    hold_end(to, end, time + h);
  }

  /// Put node k where a motion has it.
  [[gnu::noinline]] static void put_moved(Chain<S>& chain, Index k, const EndMotion<S>& m) {
    chain.set_frame(k, SO3<S>::from_quaternion(m.quaternion[0], dalembert::detail::part<3>(m.quaternion, 1)),
                    m.position);
    chain.set_velocity(k, m.velocity, m.angular_velocity);
  }

  /// Loads on the nodes, and a kick of these velocities by them for a time h, if there are some.
  bool put_forces(const Chain<S>& chain, Columns<S, 6>& f, Columns<S, 6>* velocity, S h) const noexcept;
  /// What is left when the loads of all elements are put: those of the ends, and their kick. Whether the
  /// loads mean something.
  [[gnu::noinline]] bool finish_loads(const Chain<S>& chain, Columns<S, 6>& f, Columns<S, 6>* velocity,
                                      const detail::EndVelocities<S>& ends, S h,
                                      const detail::LoadSweep<S>& sweep) const noexcept {
    add_end_loads(chain, End::start, f);
    add_end_loads(chain, End::finish, f);
    if (velocity) kick_ends(ends, f, h, *velocity);
    return !any_lane(sweep.least < L(S(least_half_turn)));
  }

  /// The ends, from what they had, by their own inertia.
  void kick_ends(const detail::EndVelocities<S>& ends, const Columns<S, 6>& f, S h,
                 Columns<S, 6>& velocity) const noexcept {
    const Index n = p_.elements;
    const S by = h / p_.end_mass_fraction;
    for (int i = 0; i < 6; ++i) {
      velocity(0, i) = ends.start[i] + end_kick(p_.start, 0, i, by, f);
      velocity(n, i) = ends.finish[i] + end_kick(p_.finish, n, i, by, f);
    }
  }
  /// What loads change of a velocity of an end in a time of `by` mass fractions [s].
  [[nodiscard]] S end_kick(const Boundary<S>& b, Index k, int i, const S& by,
                           const Columns<S, 6>& f) const noexcept {
    return b.held(i) ? S(0) : S(by * inertia_.inverse(k, i) * f(k, i));
  }

  void add_end_loads(const Chain<S>& chain, End end, Columns<S, 6>& f) const noexcept {
    const Index k = end == End::start ? 0 : p_.elements;
    const Triple<S> weight = inertia_.mass(k) * Triple<S>(p_.loads.gravity);
    const detail::NodeForces<S> load =
        detail::in_frames(end == End::start ? p_.loads.start : p_.loads.finish, chain.rotation(k));
    detail::add_forces(load.force - S(S(1) - p_.end_mass_fraction) * weight, load.torque, f, k);
  }

  void end_accelerations(const Columns<S, 6>& f, End end, S time, Columns<S, 6>& a) const {
    const Index k = end == End::start ? 0 : p_.elements;
    const Boundary<S>& b = boundary(end);
    const S extra = S(1) / p_.end_mass_fraction - S(1);
    for (int i = 0; i < 6; ++i)
      a(k, i) += extra * f(k, i) / (i < 3 ? inertia_.mass(k) : inertia_.rotary(k)[i - 3]);
    if (!b.any_held()) return;
    const EndMotion<S> motion = b.moves() ? b.motion(time) : EndMotion<S>{};
    for (int i = 0; i < 3; ++i) {
      if (b.held(i)) a(k, i) = motion.acceleration[i];
      if (b.held(3 + i)) a(k, 3 + i) = motion.angular_acceleration[i];
    }
  }

  MaterialPolicy material_;
  Parameters p_;
  S h_;  // length of an element
  Inertia inertia_;
};

/// Linear elastic rod with midpoint strains: the usual one.
template <class S = double>
using ElasticRod = Rod<LinearElastic<S>, MidpointStrain>;

}  // namespace dalembert::rod

#include <dalembert/rod/detail/rod_members.hpp>
