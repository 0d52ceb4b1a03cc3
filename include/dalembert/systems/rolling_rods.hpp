#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>
#include <dalembert/systems/detail/round_rods.hpp>

/// Two stretched rubber rods, hooked into each other and struck: they roll on each other without slip.
///
/// Both rods are straight along d₁ = (1, 0, 0) and d₂ = (cos φ, sin φ, 0), stretched by 1 + ε, clamped
/// at all four ends, and cross with their surfaces touching at s = c₁ on rod 1 and s = c₂ on rod 2:
///   r = d_i (s − c_i)(1 + ε) ∓ a ẑ,  [e₁ e₂ e₃] = [ẑ, d × ẑ, d],  upper sign: rod 1  (1)
/// Then the ends of rod 1 are raised by the hook H and those of rod 2 lowered by it, frames kept, and both
/// find their equilibrium. Velocities are bumps f(x) = cos⁴(πx/2), |x| < 1, of width w around a centre c,
/// each with the spin that keeps sections normal to the rod (spatial, E₃ = Λe₃):
///   rod 1:  v = strike · f((s − c)/w) (0, 0.8, 0.6),  ω = E₃ × v′/(1 + ε)               (2)
///   rod 2:  v = roll · f((s − c)/w) t,  ω = E₃ × v′/(1 + ε) + τ f E₃                    (3)
/// where t = unit(d₁ − d₂(d₁·d₂)), and τ lets rod 2 roll on rod 1 at rest: without (2), the slip
/// along t vanishes at the contact. |τ| ≤ 2 |roll|/a, twice the twist of a cylinder that rolls: a bump
/// that barely reaches the contact is steep there for its height and would ask for any twist. A bump that
/// does not reach it has τ = 0. At last the velocities are projected onto the rolling constraint in the
/// kinetic-energy metric.
/// The defaults are soft rubber: s₁ = 0.4510941 m, s₂ = 0.5489059 m, V = 5.32975335 J, kinetic energy
/// 0.291307415 J, normal force 5.3461 N at rest and 5.5454 N at the first instant of the motion.
namespace dalembert::systems {

/// What makes the pair of rods.
template <class S = double>
struct RollingRodsParameters {
  int elements = 100;                           ///< of each rod, from 2 to `rod::most_elements`
  S length = S(1);                              ///< of each rod without load [m]
  S radius = S(0.005);                          ///< a [m]
  S young = S(1e6);                             ///< Young's modulus [Pa]
  S poisson = S(0.49);                          ///< Poisson's ratio
  S density = S(1100);                          ///< [kg/m³]
  S shear_factor = S(0.9);                      ///< shear correction factor
  S pre_stretch = S(0.25);                      ///< ε
  S crossing_angle = S(75 * pi / 180);          ///< φ [rad]
  S hook = S(0.08);                             ///< H [m]
  S kernel_width = S(0.01);                     ///< ℓ of the contact kernel [m]
  std::array<S, 2> crossing{S(0.45), S(0.55)};  ///< c₁, c₂ relative to the length
  S strike = S(4);                              ///< peak velocity of the bump on rod 1 [m/s]
  S strike_centre = S(0.2);                     ///< c relative to the length
  S strike_width = S(0.17);                     ///< w relative to the length
  S roll = S(4);                                ///< peak velocity of the bump on rod 2 [m/s]
  S roll_centre = S(0.55);                      ///< c relative to the length
  S roll_width = S(0.4);                        ///< w relative to the length
  S damping = S(0);                             ///< rate ν of the rods' damping [1/s]

  /// Throws std::invalid_argument naming the quantity that is out of its range.
  [[gnu::cold, gnu::noinline]] void check() const {
    const auto need = [](bool holds, const char* quantity, S value, const char* rule) {
      require(holds, "RollingRodsParameters", quantity, value, rule);
    };
    rod::require_elements<S>("RollingRodsParameters", elements);
    need(detail::positive(length), "length", length, "it must be positive and finite [m]");
    contact::detail::check_radius_of_rod("RollingRodsParameters", "radius", radius, length);
    detail::check_material(*this, need);
    need(detail::finite(pre_stretch) && pre_stretch > S(-1), "pre_stretch", pre_stretch,
         "it must be finite and more than -1");
    const S stretched = length * (S(1) + pre_stretch);
    need(detail::finite(stretched * stretched), "pre_stretch", pre_stretch,
         "the square of the stretched length must be finite [m^2]");
    need(detail::finite(crossing_angle) && std::abs(std::sin(crossing_angle)) > S(1e-6), "crossing_angle",
         crossing_angle, "the rods must cross: it must be finite and no multiple of pi [rad]");
    need(detail::finite(hook), "hook", hook, "it must be finite [m]");
    need(detail::positive(kernel_width), "kernel_width", kernel_width, "it must be positive and finite [m]");
    for (const S c : crossing)
      need(c > S(0) && c < S(1), "crossing", c,
           "the rods must cross between their ends: it must lie in (0, 1)");
    need(detail::finite(strike), "strike", strike, "it must be finite [m/s]");
    need(detail::finite(roll), "roll", roll, "it must be finite [m/s]");
    need(detail::finite(strike_centre), "strike_centre", strike_centre, "it must be finite");
    need(detail::finite(roll_centre), "roll_centre", roll_centre, "it must be finite");
    need(detail::positive(strike_width), "strike_width", strike_width, "it must be positive and finite");
    need(detail::positive(roll_width), "roll_width", roll_width, "it must be positive and finite");
    need(detail::finite(damping) && damping >= 0, "damping", damping,
         "it must be finite and not negative [1/s]");
  }

  /// d₁ and d₂.
  [[nodiscard]] std::array<Vec<S, 3>, 2> directions() const {
    return {Vec<S, 3>(S(1), S(0), S(0)), Vec<S, 3>(std::cos(crossing_angle), std::sin(crossing_angle), S(0))};
  }
  /// t.
  [[nodiscard]] Vec<S, 3> across() const {
    using Triple = dalembert::detail::Triple<S>;
    const auto d = directions();
    const Triple d1(d[0]), d2(d[1]), beside = d1 - dot(d2, d1) * d2;
    return beside / norm(beside);
  }
};

/// The two rods, at rest in contact.
template <class S, contact::Kernel K>
struct RollingRodsStart {
  /// Two rods and their contact.
  using Problem =
      assembly::Assembly<assembly::Kinds<rod::ElasticRod<S>>, assembly::Kinds<contact::RollingContact<S, K>>>;

  std::vector<rod::ElasticRod<S>> rods;        ///< both of them
  contact::RollingContact<S, K> crossing;      ///< their contact
  assembly::State<S> state;                    ///< at rest, the contact at z = (s₁, s₂)
  assembly::StaticEquilibrium<S> equilibrium;  ///< the energy, and how it was found

  /// The problem of their motion.
  [[nodiscard, gnu::cold, gnu::noinline]] Problem problem() const { return Problem{{rods}, {{crossing}}}; }
  /// The force that presses the rods together [N].
  [[nodiscard]] S normal_force() const { return equilibrium.multipliers[0]; }
};

/// Both rods, clamped at their ends. Throws std::invalid_argument.
template <class S>
[[nodiscard, gnu::cold, gnu::noinline]] std::vector<rod::ElasticRod<S>> rolling_rods(
    const RollingRodsParameters<S>& p) {
  p.check();
  const rod::ElasticRod<S> one = detail::clamped_rod(p, p.length, p.damping);
  return {one, one};
}

/// Both rods straight and touching, equation (1), at rest.
template <class S>
[[nodiscard, gnu::cold, gnu::noinline]] std::vector<rod::Chain<S>> rolling_rods_placement(
    const RollingRodsParameters<S>& p, const std::vector<rod::ElasticRod<S>>& rods) {
  std::vector<rod::Chain<S>> chains;
  const auto d = p.directions();
  for (std::size_t i = 0; i < 2; ++i) {
    const SO3<S> frame = detail::level_frame(i == 0 ? S(0) : p.crossing_angle);
    const S stretch = S(1) + p.pre_stretch;
    const S along = -p.crossing[i] * p.length * stretch;
    const Vec<S, 3> origin(along * d[i][0], along * d[i][1], i == 0 ? -p.radius : p.radius);
    chains.push_back(rods[i].straight(origin, frame, stretch));
  }
  return chains;
}

/// The rods hooked into each other, in equilibrium without friction. Throws std::invalid_argument,
/// NoConvergence, ContactOpened unless the contact is bilateral, ContactAtEnd, ParallelRods.
template <class S, contact::Kernel K = contact::CubicSpline>
[[nodiscard, gnu::cold, gnu::noinline]] RollingRodsStart<S, K> static_start(
    const RollingRodsParameters<S>& p, const std::type_identity_t<assembly::StaticOptions<S>>& options = {},
    bool bilateral = false, K kernel = {}) {
  auto rods = assembly::bodies(rolling_rods(p));
  const auto& [one, two] = std::tie(std::get<0>(rods)[0], std::get<0>(rods)[1]);
  auto contacts = assembly::constraints(contact::RollingContact<S, K>{
      {0, one, p.kernel_width, kernel}, {1, two, p.kernel_width, kernel}, p.radius, p.radius, bilateral});
  Vec<S, Eigen::Dynamic> s(2);
  for (int i = 0; i < 2; ++i) s[i] = p.crossing[static_cast<std::size_t>(i)] * p.length;
  auto state =
      assembly::Assembly{rods, contacts}.state(rolling_rods_placement(p, std::get<0>(rods)), std::move(s));
  const S low = state[0].position(0)[2], high = state[1].position(0)[2];
  const auto path = [&](S factor, auto&, auto&, assembly::State<S>& x) {
    for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(p.elements)}) {
      x[0].configuration(k, 2) = low + factor * p.hook;
      x[1].configuration(k, 2) = high - factor * p.hook;
    }
  };
  auto equilibrium = assembly::static_equilibrium(rods, contacts, state, path, options);
  return {std::move(std::get<0>(rods)), std::get<0>(contacts)[0], std::move(state), std::move(equilibrium)};
}

namespace detail {

/// f(x) and f′(x).
template <class S>
[[nodiscard]] inline std::array<S, 2> bump(S x) {
  if (!(std::abs(x) < S(1))) return {S(0), S(0)};
  const S c = std::cos(S(pi / 2) * x);
  return {c * c * c * c, S(-2 * pi) * c * c * c * std::sin(S(pi / 2) * x)};
}

/// Add a bump of velocity v, its spin, and the twist τ to a chain.
template <class R, class S>
[[gnu::cold, gnu::noinline]] void add_bump(const R& rod, rod::Chain<S>& chain, S centre, S width, S stretch,
                                           const dalembert::detail::Triple<S>& v, S twist) {
  using Triple = dalembert::detail::Triple<S>;
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const std::array<S, 2> f = bump((S(k) * rod.spacing() - centre) / width);
    const SO3<S> frame = chain.rotation(k);
    const Triple e3(frame.act(Vec<S, 3>(S(0), S(0), S(1))));
    const Triple spin(frame.inverse().act(cross(e3, S(f[1] / (width * stretch)) * v)));
    chain.set_velocity(k, Triple(chain.linear_velocity(k)) + f[0] * v,
                       Triple(chain.angular_velocity(k)) + spin + Triple(S(0), S(0), twist * f[0]));
  }
}

/// Give rods at rest the velocities (2), (3), before they are projected; `slip()` is the slip of the contact
/// along t [m/s].
template <class S, class Slip>
[[gnu::cold, gnu::noinline]] void strike_rods(const RollingRodsParameters<S>& p,
                                              const std::vector<rod::ElasticRod<S>>& rods, S time,
                                              std::vector<rod::Chain<S>>& chains, const Slip& slip) {
  using Triple = dalembert::detail::Triple<S>;
  const Triple across(p.across()), nothing(S(0), S(0), S(0));
  const S stretch = S(1) + p.pre_stretch;
  const S centre = p.roll_centre * p.length;
  const S width = p.roll_width * p.length;
  const auto bump2 = [&](const Triple& v, S twist) {
    add_bump(rods[1], chains[1], centre, width, stretch, v, twist);
  };
  for (rod::Chain<S>& chain : chains) chain.velocity = rod::zero_columns<S, 6>(chain.nodes);
  bump2(p.roll * across, S(0));
  const S without = slip();
  bump2(nothing, S(1));
  const S twist = without / (without - slip());  // not finite where the bump does not reach the contact
  const S fastest = S(2) * std::abs(p.roll) / p.radius;
  bump2(nothing, (std::isfinite(twist) ? std::clamp(twist, -fastest, fastest) : S(0)) - S(1));
  add_bump(rods[0], chains[0], p.strike_centre * p.length, p.strike_width * p.length, stretch,
           p.strike * Triple(S(0), S(0.8), S(0.6)), S(0));
  for (std::size_t i = 0; i < 2; ++i)
    for (const rod::End end : {rod::End::start, rod::End::finish}) rods[i].hold_end(chains[i], end, time);
}

/// Two places on rods as a contact whose slip is that of the averages.
template <class S, contact::Kernel K>
[[nodiscard]] contact::RollingContact<S, K> crossing(const contact::CurveMarker<S, K>& first,
                                                     const contact::CurveMarker<S, K>& second, S radius1,
                                                     S radius2) {
  return {first, second, radius1, radius2, true};
}

/// Throws std::invalid_argument for velocities that are not finite.
template <class S>
[[gnu::cold, gnu::noinline]] void check_strike(const std::vector<rod::Chain<S>>& chains) {
  for (const rod::Chain<S>& chain : chains)
    require(chain.finite(), "RollingRodsParameters", "velocity of a node", "not finite",
            "strike and roll must leave it finite [m/s]");
}

}  // namespace detail

/// Give a state at rest its initial velocities (2), (3), projected onto the rolling constraint, of which `c`
/// is the contact. Throws std::invalid_argument for parameters out of their range, and for velocities so
/// large that the state would not be finite: it is of no use then.
template <class S, class... Contacts, class Contact>
void set_initial_velocity(
    const assembly::Assembly<assembly::Kinds<rod::ElasticRod<S>>, assembly::Kinds<Contacts...>>& problem,
    const Contact& c, assembly::State<S>& state, const RollingRodsParameters<S>& p) {
  p.check();
  const Vec<S, 3> across = p.across();
  const auto& rods = problem.template bodies<0>();
  const assembly::Assembly spatial{assembly::bodies(rods), assembly::constraints(detail::crossing(
                                                               c.first, c.second, c.radius1, c.radius2))};
  detail::strike_rods(p, rods, state.time, state.chains, [&] {
    const Vec<S, Eigen::Dynamic> slip = spatial.row_velocities(state);
    return across[0] * slip[0] + across[1] * slip[1] + across[2] * slip[2];
  });
  detail::check_strike(state.chains);
  problem.project(state);
  detail::check_strike(state.chains);
}
/// The same of a problem with one contact.
template <class S, class Contact>
void set_initial_velocity(
    const assembly::Assembly<assembly::Kinds<rod::ElasticRod<S>>, assembly::Kinds<Contact>>& problem,
    assembly::State<S>& state, const RollingRodsParameters<S>& p) {
  set_initial_velocity(problem, problem.template constraints<0>()[0], state, p);
}

}  // namespace dalembert::systems
