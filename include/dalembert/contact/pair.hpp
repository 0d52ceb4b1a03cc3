#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/curve_marker.hpp>
#include <dalembert/contact/detail/nearest.hpp>
#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/core/detail/small_blocks.hpp>

/// Rolling without slipping, or frictionless contact, of two rods or balls of round section, as a
/// constraint of an assembly: each has a marker where it touches. From the centre x₁ of the one, of radius
/// a₁, to the centre x₂ of the other leads κ = x₂ − x₁, n = κ/|κ|:
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ = 0,  f = a/(a₁ + a₂)                (1)
///   |κ| = a₁ + a₂                                                          (2)
///   κ·x′ = 0                                                               (3)
/// Nothing slips at x₁ + f₁κ = x₂ − f₂κ; the gap changes at −n·A v = n·(V₂ − V₁); (3)
/// holds for each marker that moves along its rod.
/// Rolling has (1); without friction (2) is the only row. What the two are, their markers say:
/// `RollingContact` of two rods, `RollingOnRod` of a ball on a rod, `RollingStation` of the node of a rod on
/// another, `RollingOnBall` of two balls, and those that slide.
namespace dalembert::contact {

namespace detail {

/// Of the names for two rods, a ball on a rod, a node on a rod and two balls, that of what has these markers.
template <class First, class Second>
[[nodiscard]] constexpr std::string_view by_places(const std::array<std::string_view, 4>& names) {
  return names[(First::slides ? 0 : 2) + (Second::slides ? 0 : 1)];
}

}  // namespace detail

/// Equations (1) to (3) if it rolls; without friction equations (2) and (3) alone.
template <class S, class First, class Second, bool rolls>
struct PairContact {
  using Scalar = S;                                                                  ///< the number type
  static constexpr bool crosses = First::slides && Second::slides;                   ///< both markers move
  static constexpr int slides = (First::slides ? 1 : 0) + (Second::slides ? 1 : 0);  ///< markers that move
  static constexpr int rows = rolls ? 3 : 1;                                         ///< of (1) or (2)
  /// For messages.
  static constexpr std::string_view name =
      rolls ? detail::by_places<First, Second>(
                  {"RollingContact", "RollingOnRod", "RollingStation", "RollingOnBall"})
            : detail::by_places<First, Second>(
                  {"FrictionlessContact", "SlidingOnRod", "SlidingStation", "SlidingOnBall"});
  /// Of the rows.
  static constexpr auto row_names = [] {
    if constexpr (rolls) return std::array<std::string_view, 3>{"x", "y", "z"};
    if constexpr (!rolls) return std::array<std::string_view, 1>{crosses ? "gap" : "normal"};
  }();
  static constexpr bool turns = false;  ///< n is along the arms: closing the gap turns no node

  First first;                       ///< where the first touches
  Second second;                     ///< where the second touches
  S radius1{};                       ///< a₁ [m]
  S radius2{};                       ///< a₂ [m]
  bool bilateral = false;            ///< a contact that pulls is allowed; otherwise it throws ContactOpened
  bool integrate_positions = false;  ///< s follow ṡ instead of being solved from (3) in each state

  /// The same two markers with friction, or without it.
  template <bool others>
  [[nodiscard]] static PairContact of(const PairContact<S, First, Second, others>& c) {
    return {c.first, c.second, c.radius1, c.radius2, c.bilateral};
  }
  /// Whether its positions follow their rates.
  [[nodiscard]] bool integrated() const noexcept { return integrate_positions; }
  /// The two markers.
  [[nodiscard]] auto markers() const { return std::tie(first, second); }

  /// (1), or d|κ|/dt of (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, rows> velocity_constraint(const FrameState<T>& a, const FrameState<T>& b,
                                                 const T&) const {
    const Triple kappa = between(a, b), apart = Triple(b.velocity) - Triple(a.velocity);
    if constexpr (rolls) {
      const Triple spin =
          T(share()) * Triple(a.angular_velocity) + T(S(1) - share()) * Triple(b.angular_velocity);
      return cross(spin, kappa) - apart;
    } else {
      return Vec<T, 1>(T(dot(kappa, apart) / norm(kappa)));
    }
  }
  /// The rows of it.
  [[nodiscard]] assembly::Rows<S, rows, 2> coefficients(const FrameState<S>& a, const FrameState<S>& b,
                                                        const S&) const {
    assembly::Rows<S, rows, 2> out;
    if constexpr (rolls) {
      const S f1 = share();
      const Vec<S, 3> kappa = between(a, b);
      for (int i = 0; i < 3; ++i) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        for (std::size_t side = 0; side < 2; ++side) {
          const S f = side == 0 ? f1 : S(1) - f1;
          out.linear[side](i, i) = side == 0 ? S(1) : S(-1);
          out.linear[side](i, next) = out.linear[side](i, last) = out.angular[side](i, i) = S(0);
          out.angular[side](i, next) = f * kappa[last];  // (W × κ)ᵢ
          out.angular[side](i, last) = -f * kappa[next];
        }
        out.known[i] = S(0);
      }
    } else {
      const Vec<S, 3> n = normal(a, b);
      for (int i = 0; i < 3; ++i) {
        out.linear[0](0, i) = -n[i];
        out.linear[1](0, i) = n[i];
        out.angular[0](0, i) = out.angular[1](0, i) = S(0);
      }
      out.known[0] = S(0);
    }
    return out;
  }
  /// Ȧv [m/s²]: of (2) (κ̇·u − (n·κ̇)(n·u))/|κ| + n·u̇ with u = V₂ − V₁.
  [[nodiscard]] Vec<S, rows> acceleration_bias(const FrameState<S>& a, const FrameState<S>& b,
                                               const FrameRates<S>& of_a, const FrameRates<S>& of_b,
                                               const S&) const {
    const Triple kappa = between(a, b);
    const Triple moved = Triple(of_b.position) - Triple(of_a.position);
    if constexpr (rolls) {
      const S f1 = share(), f2 = S(1) - f1;
      const Triple spin = f1 * Triple(a.angular_velocity) + f2 * Triple(b.angular_velocity);
      const Triple spun = f1 * Triple(of_a.angular_velocity) + f2 * Triple(of_b.angular_velocity);
      return Triple(of_a.velocity) - Triple(of_b.velocity) + cross(spun, kappa) + cross(spin, moved);
    } else {
      const Triple apart = Triple(b.velocity) - Triple(a.velocity),
                   faster = Triple(of_b.velocity) - Triple(of_a.velocity);
      const S length = norm(kappa);
      const Triple n = kappa / length;
      return Vec<S, 1>((dot(moved, apart) - dot(n, moved) * dot(n, apart)) / length + dot(n, faster));
    }
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position_constraint(const FrameState<T>& a, const FrameState<T>& b,
                                              const T&) const {
    return Vec<T, 1>(T(norm(between(a, b)) - T(radius1 + radius2)));
  }
  /// What makes the rate of (2) of the rows: −nᵀ of (1).
  [[nodiscard]] Eigen::Matrix<S, 1, rows> along(const FrameState<S>& a, const FrameState<S>& b) const {
    Eigen::Matrix<S, 1, rows> c;
    if constexpr (rolls)
      dalembert::detail::put_row(c, 0, normal(b, a));
    else
      c[0] = S(1);
    return c;
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, slides> tangency(const FrameState<T>& a, const FrameState<T>& b) const
      requires(slides > 0) {
    const Triple kappa = between(a, b);
    Vec<T, slides> f;
    if constexpr (First::slides) f[0] = dot(kappa, Triple(a.tangent));
    if constexpr (Second::slides) f[slides - 1] = dot(kappa, Triple(b.tangent));
    return f;
  }
  /// Its change.
  [[nodiscard]] Vec<S, slides> tangency_change(const FrameState<S>& a, const FrameState<S>& b,
                                               const FrameChange<S>& of_a, const FrameChange<S>& of_b) const
      requires(slides > 0) {
    const Triple kappa = between(a, b);
    const Triple moved = Triple(of_b.position) - Triple(of_a.position);
    Vec<S, slides> f;
    if constexpr (First::slides) f[0] = dot(moved, Triple(a.tangent)) + dot(kappa, Triple(of_a.tangent));
    if constexpr (Second::slides)
      f[slides - 1] = dot(moved, Triple(b.tangent)) + dot(kappa, Triple(of_b.tangent));
    return f;
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for two radii of one rod.
  void check_parameters() const {
    constexpr bool on_rod = First::slides && !Second::slides;
    detail::check_radius(name, on_rod ? "radius of the rod" : "radius", radius1);
    detail::check_radius(name, "radius", radius2);
    require(!Second::slides || first.body != second.body || radius1 == radius2, name, "second radius",
            radius2, "a rod that touches itself has one radius [m]");
  }
  /// Throws ParallelRods where the distance is no minimum over s, as that from a rod that curves about the
  /// other; SelfContactTooNear for markers of one rod that are too near to each other.
  void check_markers(const Point<S>& a, const Point<S>& b, S time) const {
    if constexpr (slides > 0) detail::check_nearest_on_rods(name, first, a, second, b, radius1, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, rows>& lambda, const FrameState<S>& a, const FrameState<S>& b, S time) const {
    constexpr std::string_view of_rods = rolls ? "crossing" : "sliding crossing";
    if (bilateral) return;
    S force = lambda[0];
    if constexpr (rolls) force = dalembert::detail::inner(normal(b, a), lambda);
    detail::check_normal_force(force, crosses ? of_rods : name, time);
  }

 private:
  /// κ.
  template <class T>
  [[nodiscard]] static Triple<T> between(const FrameState<T>& a, const FrameState<T>& b) {
    return Triple<T>(b.position) - Triple<T>(a.position);
  }
  /// f₁.
  [[nodiscard]] S share() const noexcept { return radius1 / (radius1 + radius2); }
  /// n.
  [[nodiscard]] static Vec<S, 3> normal(const FrameState<S>& a, const FrameState<S>& b) {
    const Triple kappa = between(a, b);
    return kappa / norm(kappa);
  }
};

/// Equations (1) to (3). λ is the force on the first, spatial [N].
template <class S, class First, class Second>
using Rolling = PairContact<S, First, Second, true>;

/// Equations (2) and (3) alone: contact without friction. λ ≥ 0 is the force between the two [N].
template <class S, class First, class Second>
using Sliding = PairContact<S, First, Second, false>;

/// Two balls that roll on each other: their centres and radii. λ is the force on the first, spatial [N].
template <class S = double>
using RollingOnBall = Rolling<S, FrameMarker<S>, FrameMarker<S>>;

/// The same without friction. λ ≥ 0 is the force between the two [N].
template <class S = double>
using SlidingOnBall = Sliding<S, FrameMarker<S>, FrameMarker<S>>;

}  // namespace dalembert::contact
