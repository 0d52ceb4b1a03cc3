#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/find_crossings.hpp>
#include <dalembert/contact/frictionless_contact.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/systems/detail/round_rods.hpp>

/// A woven net: n stretched rubber rods along x and n along y, held at their ends by a square frame, over and
/// under each other, that roll on each other at the n² places where they cross; it is struck in the middle.
///
///   crossings at x_i = y_i = (i − (n − 1)/2) p, the frame at ±W/2, W = (n − 1) p + 2 m            (1)
///   rod j along x passes over rod i along y where i + j is even: its centreline at height +a, the other's
///   at −a, else the other way round                                                                    (2)
///   between two crossings, and to the frame, at height 0, the height follows half a wave of a cosine     (3)
///   rest length L = W/(1 + ε), nodes evenly along x (or y), sections normal to the centreline           (4)
///   strike: v = −U f(r/w) ẑ, f(x) = cos⁴(πx/2) for |x| < 1,
///     r the distance from the middle of the net,
///   with the spin E₃ × v′/|r′| that keeps sections normal                                         (5)
/// The tension T presses the rods together: each bends by about 2a/p on both sides of a crossing, so that N
/// ≈ 4aT/p. The height (3) is no equilibrium: the net has to come to rest before it is struck. Without
/// friction this is one state; the same state is an equilibrium of rods that roll, with the same normal
/// forces and no others. A contact shears its rods by about N over the shear stiffness within a kernel width
/// ℓ: where that bends an averaged centreline more sharply than 1/2a, the place of the contact is not
/// defined (contact/places.hpp), and NoConvergence or ParallelRods says so. Take ℓ of about a.
namespace dalembert::systems {

/// What makes the net.
template <class S = double>
struct WovenNetParameters {
  int rods = 6;               ///< n, of each direction
  int elements = 100;         ///< of each rod, from 2 to `rod::most_elements`
  S spacing = S(0.05);        ///< p, between neighbouring parallel rods [m]
  S margin = S(0.075);        ///< m, from the outer crossings to the frame [m]
  S radius = S(0.004);        ///< a [m]
  S young = S(1e6);           ///< Young's modulus [Pa]
  S poisson = S(0.49);        ///< Poisson's ratio
  S density = S(1100);        ///< [kg/m³]
  S shear_factor = S(0.9);    ///< shear correction factor
  S pre_stretch = S(0.25);    ///< ε
  S kernel_width = S(0.004);  ///< ℓ of the contact kernels [m]
  S strike = S(10);           ///< U, peak velocity of the strike [m/s]
  S strike_width = S(0.16);   ///< w [m]

  /// Throws std::invalid_argument naming the quantity that is out of its range.
  void check() const {
    const auto need = [](bool holds, const char* quantity, S value, const char* rule) {
      require(holds, "WovenNetParameters", quantity, value, rule);
    };
    require(rods >= 1 && rods <= 1000, "WovenNetParameters", "rods", rods,
            "there must be 1 to 1000 of each direction");
    rod::require_elements<S>("WovenNetParameters", elements);
    need(detail::positive(radius), "radius", radius, "it must be positive and finite [m]");
    need(detail::finite(spacing) && spacing >= S(4) * radius, "spacing", spacing,
         "a rod needs room between its neighbours: it must be finite and at least four radii [m]");
    need(detail::finite(margin) && margin >= S(2) * radius, "margin", margin,
         "the frame must be finite and at least two radii from the outer rods [m]");
    detail::check_material(*this, need);
    need(detail::finite(pre_stretch) && pre_stretch > S(0), "pre_stretch", pre_stretch,
         "only stretched rods press on each other: it must be positive and finite");
    need(detail::positive(kernel_width), "kernel_width", kernel_width, "it must be positive and finite [m]");
    need(detail::finite(strike), "strike", strike, "it must be finite [m/s]");
    need(detail::positive(strike_width), "strike_width", strike_width, "it must be positive and finite [m]");
  }

  /// W [m].
  [[nodiscard]] S width() const { return S(rods - 1) * spacing + S(2) * margin; }
  /// L [m].
  [[nodiscard]] S length() const { return width() / (S(1) + pre_stretch); }
  /// Where rod i of a direction lies across it [m].
  [[nodiscard]] S place(int i) const { return (S(i) - S(rods - 1) / S(2)) * spacing; }
};

/// A net in place, (1) to (4), with a contact at each crossing that is closed but for the averaging: rods 0
/// … n − 1 lie along x, the others along y.
template <class S = double, contact::Kernel K = contact::CubicSpline>
struct WovenNet {
  using Rod = rod::ElasticRod<S>;                                  ///< what it is made of
  using RollingContact = contact::RollingContact<S, K>;            ///< how they touch
  using FrictionlessContact = contact::FrictionlessContact<S, K>;  ///< how they touch while they come to rest
  std::vector<Rod> rods;                                           ///< 2n rods
  std::vector<rod::Chain<S>> chains;                               ///< at rest
  std::vector<RollingContact> crossings;                           ///< n² contacts
  Vec<S, Eigen::Dynamic> z;                                        ///< s₁, s₂ of each [m]

  /// The rods rolling on each other.
  [[nodiscard]] auto problem() const {
    return assembly::Assembly{assembly::bodies(rods), assembly::constraints(crossings)};
  }
  /// The same rods, sliding on each other without friction, with damping at the rate ν [1/s]: what comes to
  /// rest.
  [[nodiscard]] auto sliding_problem(S damping) const {
    std::vector<Rod> damped;
    for (const Rod& rod : rods) {
      auto p = rod.parameters();
      p.damping.rate = damping;
      damped.push_back(Rod(rod.material(), p));
    }
    std::vector<FrictionlessContact> sliding;
    for (const RollingContact& crossing : crossings) sliding.push_back(FrictionlessContact::of(crossing));
    return assembly::Assembly{assembly::bodies(damped), assembly::constraints(sliding)};
  }
};

namespace detail {

/// Height and slope (3) at x of a rod whose height is `first` at the first crossing.
template <class S>
[[nodiscard]] std::array<S, 2> woven_height(const WovenNetParameters<S>& p, S first, S x) {
  const S from_first = (x - p.place(0)) / p.spacing, wave = S(pi) / p.spacing, edge = S(pi) / p.margin;
  const S last = p.rods % 2 == 1 ? first : -first, beyond = x - p.place(p.rods - 1);
  if (from_first < S(0)) {
    const S y = edge * from_first * p.spacing;
    return {first * (S(1) + std::cos(y)) / S(2), -first * edge * std::sin(y) / S(2)};
  }
  if (beyond > S(0))
    return {last * (S(1) + std::cos(edge * beyond)) / S(2), -last * edge * std::sin(edge * beyond) / S(2)};
  return {first * std::cos(S(pi) * from_first), -first * wave * std::sin(S(pi) * from_first)};
}

/// Lay a rod along x or y, at this place across, with frames that are `level` turned by its slope.
template <class S>
[[gnu::noinline, gnu::flatten]] void lay_woven(const WovenNetParameters<S>& p, S first, const SO3<S>& level,
                                               bool along_x, S across, rod::Chain<S>& chain) {
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const S x = p.width() * (S(k) / S(p.elements) - S(0.5));
    const std::array<S, 2> h = woven_height(p, first, x);
    chain.set_frame(k, level * SO3<S>::exp(Vec<S, 3>(S(0), std::atan(h[1]), S(0))),
                    along_x ? Vec<S, 3>(x, across, h[0]) : Vec<S, 3>(across, x, h[0]));
  }
}

}  // namespace detail

/// The net in place. Throws std::invalid_argument for parameters out of their range or kernels too wide for
/// the rods, and what `contact::find_crossings` throws.
template <class S, contact::Kernel K = contact::CubicSpline>
[[nodiscard]] WovenNet<S, K> woven_net(const WovenNetParameters<S>& p, K kernel = {}) {
  p.check();
  const rod::ElasticRod<S> one = detail::clamped_rod(p, p.length(), S(0));
  const auto count = static_cast<std::size_t>(p.rods);
  WovenNet<S, K> net;
  net.rods.assign(2 * count, one);
  for (std::size_t i = 0; i < 2 * count; ++i) {
    const bool along_x = i < count;
    const int number = static_cast<int>(along_x ? i : i - count);
    const S across = p.place(number), sign = S((number % 2 == 0) == along_x ? 1 : -1);
    const SO3<S> level = detail::level_frame(along_x ? S(0) : S(pi / 2));
    rod::Chain<S> chain(one.nodes());
    detail::lay_woven(p, sign * p.radius, level, along_x, across, chain);
    net.chains.push_back(std::move(chain));
  }
  auto found = contact::find_crossings(net.rods, net.chains, std::vector<S>(2 * count, p.radius),
                                       p.kernel_width, {.tolerance = p.radius}, kernel);
  require(found.crossings.size() == count * count, "WovenNetParameters", "number of places where rods touch",
          found.crossings.size(),
          "each rod must touch each of the other direction once: take more elements or room");
  net.crossings = std::move(found.crossings);
  net.z = std::move(found.z);
  return net;
}

/// The net in equilibrium, without friction, as a state of both of its problems: it moves with damping, in
/// steps of h [s] of `method`, until its kinetic energy has been below 1e-18 of its energy for the time that
/// a wave takes along a rod; then it is stopped. The damping is critical for the slowest wave, so that this
/// takes some ten such times. Throws std::invalid_argument for steps longer than the method stands,
/// NoConvergence after a hundred such times, and what the steps throw.
template <class S, class K, class Method>
[[nodiscard]] assembly::State<S> come_to_rest(const WovenNet<S, K>& net, const WovenNetParameters<S>& p,
                                              const Method& method, std::type_identity_t<S> h) {
  require(h > S(0) && h < std::numeric_limits<S>::infinity(), "come_to_rest", "h", h,
          "a step must be positive and finite [s]");
  if constexpr (requires { Method::stability_limit(); }) {
    S fastest(0);
    for (std::size_t i = 0; i < net.rods.size(); ++i)
      fastest = std::max(fastest, rod::frequency_bound(net.rods[i], net.chains[i]));
    const S longest = S(Method::stability_limit()) / fastest;
    if (h > longest)
      require(false, "come_to_rest", "h", h,
              message({"steps of this method grow beyond ", longest, " s for these rods"}));
  }
  // transverse waves run at the root of tension over mass per length
  const S wave = p.width() / std::sqrt(p.young * p.pre_stretch * (S(1) + p.pre_stretch) / p.density);
  const auto problem = net.sliding_problem(S(2 * pi) / wave);
  auto state = problem.state(net.chains, net.z);
  problem.project(state);
  auto stepper = method.stepper(problem, state);
  for (S quiet(0); quiet < wave; quiet += h) {
    if (!stepper.step(problem, state, h).converged || state.time > S(100) * wave)
      throw NoConvergence("NoConvergence: the net does not come to rest", static_cast<double>(state.time));
    if (!(problem.kinetic_energy(state) < S(1e-18) * problem.energy(state))) quiet = S(0);
  }
  for (rod::Chain<S>& chain : state.chains) chain.velocity.setZero();
  state.time = S(0);
  return state;
}

/// Give a net at rest the velocities (5), projected onto the rows of `problem`, which rolls or slides.
template <class Problem, class S>
void strike(const Problem& problem, typename Problem::State& state, const WovenNetParameters<S>& p) {
  p.check();
  using Triple = dalembert::detail::Triple<S>;
  for (std::size_t i = 0; i < state.chains.size(); ++i) {
    rod::Chain<S>& chain = state[i];
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      const Vec<S, 3> at = chain.position(k);
      const S r = std::sqrt(at[0] * at[0] + at[1] * at[1]), x = r / p.strike_width;
      if (k == 0 || k + 1 == chain.nodes || !(x < S(1))) {
        chain.set_velocity(k, Vec<S, 3>::Zero(), Vec<S, 3>::Zero());
        continue;
      }
      const S c = std::cos(S(pi / 2) * x), s = std::sin(S(pi / 2) * x);
      const Triple e3(chain.rotation(k).act(Vec<S, 3>(S(0), S(0), S(1))));
      const S outwards = r > S(0) ? (at[0] * e3.x + at[1] * e3.y) / r : S(0);            // dr along the rod
      const S slope = S(2 * pi) * c * c * c * s * p.strike / p.strike_width * outwards;  // of −U f
      const Triple spin = cross(e3, Triple(S(0), S(0), slope));
      chain.set_velocity(k, Vec<S, 3>(S(0), S(0), -p.strike * c * c * c * c),
                         chain.rotation(k).inverse().act(Vec<S, 3>(spin)));
    }
  }
  problem.project(state);
}

}  // namespace dalembert::systems
