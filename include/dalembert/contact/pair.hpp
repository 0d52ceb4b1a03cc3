#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/curve_place.hpp>
#include <dalembert/contact/detail/nearest.hpp>
#include <dalembert/contact/detail/normal_force.hpp>
#include <dalembert/core/number.hpp>

/// Two round sides, of rods or balls, that touch at a place of each, as a constraint of an assembly. From the
/// centre x₁ of the one, of radius a₁, to the centre x₂ of the other leads κ = x₂ − x₁, n = κ/|κ|:
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ = 0      no slip at x₁ + f₁κ = x₂ − f₂κ, f = a/(a₁ + a₂)          (1)
///   |κ| = a₁ + a₂                              the gap, d|κ|/dt = −n·A v = n·(V₂ − V₁)                 (2)
///   κ·x′ = 0                                   for each place that moves along its rod                 (3)
/// Rolling has (1); without friction (2) is the only row. What the two are, their places say: `Crossing` of
/// two rods, `RollingOnRod` of a ball on a rod, `RollingStation` of the node of a rod on another,
/// `RollingOnBall` of two balls, and those that slide.
namespace dalembert::contact {

namespace detail {

using dalembert::detail::Triple;

/// What rolling and sliding pairs share: all but the rows.
template <class S, class First, class Second>
struct Pair {
  static constexpr bool crosses = First::slides && Second::slides;  ///< both places move
  static constexpr int slides = (First::slides ? 1 : 0) + (Second::slides ? 1 : 0);
  /// A name by the two places.
  [[nodiscard]] static constexpr std::string_view by_places(std::string_view of_two_rods,
                                                            std::string_view of_a_ball_on_a_rod,
                                                            std::string_view of_a_node,
                                                            std::string_view of_two_balls) {
    if (crosses) return of_two_rods;
    return First::slides ? of_a_ball_on_a_rod : Second::slides ? of_a_node : of_two_balls;
  }

  /// (2) [m].
  template <class T>
  [[nodiscard]] static Vec<T, 1> gap(S distance, const assembly::Seen<T>& a, const assembly::Seen<T>& b) {
    const Vec<T, 3> kappa = b.position - a.position;
    return Vec<T, 1>(kappa.norm() - T(distance));
  }
  /// n.
  [[nodiscard]] static Vec<S, 3> normal(const assembly::Seen<S>& a, const assembly::Seen<S>& b) {
    const Vec<S, 3> kappa = b.position - a.position;
    return kappa / kappa.norm();
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] static Vec<T, slides> tangency(const assembly::Seen<T>& a, const assembly::Seen<T>& b) {
    const Vec<T, 3> kappa = b.position - a.position;
    Vec<T, slides> f;
    if constexpr (First::slides) f[0] = kappa.dot(a.tangent);
    if constexpr (Second::slides) f[slides - 1] = kappa.dot(b.tangent);
    return f;
  }
  /// Its change.
  [[nodiscard]] static Vec<S, slides> tangency_change(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                                      const assembly::Moved<S>& of_a,
                                                      const assembly::Moved<S>& of_b) {
    const Triple<S> kappa = Triple<S>(b.position) - Triple<S>(a.position);
    const Triple<S> moved = Triple<S>(of_b.position) - Triple<S>(of_a.position);
    Vec<S, slides> f;
    if constexpr (First::slides)
      f[0] = dot(moved, Triple<S>(a.tangent)) + dot(kappa, Triple<S>(of_a.tangent));
    if constexpr (Second::slides)
      f[slides - 1] = dot(moved, Triple<S>(b.tangent)) + dot(kappa, Triple<S>(of_b.tangent));
    return f;
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for two radii of one rod.
  template <class C>
  static void check_parameters(const C& c) {
    constexpr bool on_rod = First::slides && !Second::slides;
    check_radius(C::name, on_rod ? "radius of the rod" : "radius", c.radius1);
    check_radius(C::name, "radius", c.radius2);
    require(!Second::slides || c.first.body != c.second.body || c.radius1 == c.radius2, C::name,
            "second radius", c.radius2, "a rod that touches itself has one radius [m]");
  }
};

}  // namespace detail

/// Equations (1) to (3). λ is the force on the first, spatial [N].
template <class S, class First, class Second>
struct Rolling {
  using Scalar = S;                             ///< the number type
  using Pair = detail::Pair<S, First, Second>;  ///< what does not depend on how it rolls
  static constexpr std::string_view name =
      Pair::by_places("Crossing", "RollingOnRod", "RollingStation", "RollingOnBall");  ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};        ///< of the rows
  static constexpr std::array<std::string_view, 3> row_units = {"m", "m",
                                                                "m"};  ///< of what they keep at zero
  static constexpr bool turns = false;  ///< n is along the arms: closing the gap turns no node

  First first;                       ///< where the first touches
  Second second;                     ///< where the second touches
  S radius1{};                       ///< a₁ [m]
  S radius2{};                       ///< a₂ [m]
  bool bilateral = false;            ///< a contact that pulls is allowed; otherwise it throws ContactOpened
  bool integrate_positions = false;  ///< s follow ṡ instead of being solved from (3) in each state

  /// Whether its positions follow their rates.
  [[nodiscard]] bool integrated() const noexcept { return integrate_positions; }
  /// The two places.
  [[nodiscard]] auto places() const { return std::tie(first, second); }

  /// (1) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    const Vec<T, 3> kappa = b.position - a.position;
    const Vec<T, 3> spin = T(share()) * a.spin + T(S(1) - share()) * b.spin;
    return a.velocity - b.velocity + spin.cross(kappa);
  }
  /// The rows of (1).
  [[nodiscard]] assembly::Rows<S, 3, 2> coefficients(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                                     const S&) const {
    const S f1 = share();
    const Vec<S, 3> kappa = Triple<S>(b.position) - Triple<S>(a.position);
    assembly::Rows<S, 3, 2> rows;
    for (int i = 0; i < 3; ++i) {
      const int next = (i + 1) % 3, last = (i + 2) % 3;
      for (std::size_t side = 0; side < 2; ++side) {
        const S f = side == 0 ? f1 : S(1) - f1;
        rows.linear[side](i, i) = side == 0 ? S(1) : S(-1);
        rows.linear[side](i, next) = rows.linear[side](i, last) = rows.angular[side](i, i) = S(0);
        rows.angular[side](i, next) = f * kappa[last];  // (W × κ)ᵢ
        rows.angular[side](i, last) = -f * kappa[next];
      }
      rows.known[i] = S(0);
    }
    return rows;
  }
  /// Ȧv of (1) [m/s²].
  [[nodiscard]] Vec<S, 3> drift(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                const assembly::Passing<S>& of_a, const assembly::Passing<S>& of_b,
                                const S&) const {
    const S f1 = share(), f2 = S(1) - f1;
    const Triple<S> kappa = Triple<S>(b.position) - Triple<S>(a.position);
    const Triple<S> moved = Triple<S>(of_b.position) - Triple<S>(of_a.position);
    const Triple<S> spin = f1 * Triple<S>(a.spin) + f2 * Triple<S>(b.spin);
    const Triple<S> spun = f1 * Triple<S>(of_a.spin) + f2 * Triple<S>(of_b.spin);
    return Triple<S>(of_a.velocity) - Triple<S>(of_b.velocity) + cross(spun, kappa) + cross(spin, moved);
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    return Pair::gap(radius1 + radius2, a, b);
  }
  /// −nᵀ.
  [[nodiscard]] Eigen::Matrix<S, 1, 3> along(const assembly::Seen<S>& a, const assembly::Seen<S>& b) const {
    return -Pair::normal(a, b).transpose();
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] auto tangency(const assembly::Seen<T>& a, const assembly::Seen<T>& b) const
      requires(Pair::slides > 0) {
    return Pair::tangency(a, b);
  }
  /// Its change.
  [[nodiscard]] auto tangency_change(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                     const assembly::Moved<S>& of_a, const assembly::Moved<S>& of_b) const
      requires(Pair::slides > 0) {
    return Pair::tangency_change(a, b, of_a, of_b);
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for two radii of one rod.
  void check_parameters() const { Pair::check_parameters(*this); }
  /// Throws ParallelRods where the distance is no minimum over s, as that from a rod that curves about the
  /// other; SelfContactTooNear for places of one rod that are too near to each other.
  void check_places(const assembly::Point<S>& a, const assembly::Point<S>& b, S time) const {
    if constexpr (Pair::slides > 0) detail::check_nearest_on_rods(name, first, a, second, b, radius1, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 3>& lambda, const assembly::Seen<S>& a, const assembly::Seen<S>& b, S time) const {
    const S normal = -lambda.dot(Pair::normal(a, b));
    if (!bilateral) check_normal_force(normal, Pair::crosses ? "crossing" : name, time);
  }

 private:
  template <class T>
  using Triple = dalembert::detail::Triple<T>;
  [[nodiscard]] S share() const noexcept { return radius1 / (radius1 + radius2); }
};

/// Equations (2) and (3) alone: contact without friction. λ ≥ 0 is the force between the two [N].
template <class S, class First, class Second>
struct Sliding {
  using Scalar = S;                             ///< the number type
  using Pair = detail::Pair<S, First, Second>;  ///< what does not depend on how it slides
  static constexpr std::string_view name = Pair::by_places(
      "SlidingCrossing", "SlidingOnRod", "SlidingStation", "SlidingOnBall");  ///< for messages
  static constexpr std::array<std::string_view, 1> row_names = {Pair::crosses ? "gap"
                                                                              : "normal"};  ///< of the row
  static constexpr std::array<std::string_view, 1> row_units = {"m"};  ///< of what it keeps at zero
  static constexpr bool turns = false;  ///< n is along the arms: closing the gap turns no node

  First first;             ///< where the first touches
  Second second;           ///< where the second touches
  S radius1{};             ///< a₁ [m]
  S radius2{};             ///< a₂ [m]
  bool bilateral = false;  ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The same two places without friction.
  [[nodiscard]] static Sliding of(const Rolling<S, First, Second>& c) {
    return {c.first, c.second, c.radius1, c.radius2, c.bilateral};
  }
  /// The two places.
  [[nodiscard]] auto places() const { return std::tie(first, second); }

  /// d|κ|/dt of (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    const Vec<T, 3> kappa = b.position - a.position, apart = b.velocity - a.velocity;
    return Vec<T, 1>(kappa.dot(apart) / kappa.norm());
  }
  /// The row of it.
  [[nodiscard]] assembly::Rows<S, 1, 2> coefficients(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                                     const S&) const {
    const Vec<S, 3> n = Pair::normal(a, b);
    assembly::Rows<S, 1, 2> rows;
    for (int i = 0; i < 3; ++i) {
      rows.linear[0](0, i) = -n[i];
      rows.linear[1](0, i) = n[i];
      rows.angular[0](0, i) = rows.angular[1](0, i) = S(0);
    }
    rows.known[0] = S(0);
    return rows;
  }
  /// Ȧv = (κ̇·u − (n·κ̇)(n·u))/|κ| + n·u̇ with u = V₂ − V₁ [m/s²].
  [[nodiscard]] Vec<S, 1> drift(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                const assembly::Passing<S>& of_a, const assembly::Passing<S>& of_b,
                                const S&) const {
    const Vec<S, 3> kappa = b.position - a.position, apart = b.velocity - a.velocity;
    const Vec<S, 3> moved = of_b.position - of_a.position, faster = of_b.velocity - of_a.velocity;
    const S length = kappa.norm();
    const Vec<S, 3> n = kappa / length;
    return Vec<S, 1>((moved.dot(apart) - n.dot(moved) * n.dot(apart)) / length + n.dot(faster));
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    return Pair::gap(radius1 + radius2, a, b);
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] auto tangency(const assembly::Seen<T>& a, const assembly::Seen<T>& b) const
      requires(Pair::slides > 0) {
    return Pair::tangency(a, b);
  }
  /// Its change.
  [[nodiscard]] auto tangency_change(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                     const assembly::Moved<S>& of_a, const assembly::Moved<S>& of_b) const
      requires(Pair::slides > 0) {
    return Pair::tangency_change(a, b, of_a, of_b);
  }
  /// Throws std::invalid_argument as `Rolling` does.
  void check_parameters() const { Pair::check_parameters(*this); }
  /// Throws ParallelRods and SelfContactTooNear as `Rolling` does.
  void check_places(const assembly::Point<S>& a, const assembly::Point<S>& b, S time) const {
    if constexpr (Pair::slides > 0) detail::check_nearest_on_rods(name, first, a, second, b, radius1, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 1>& lambda, const assembly::Seen<S>&, const assembly::Seen<S>&, S time) const {
    if (!bilateral) check_normal_force(lambda[0], Pair::crosses ? "sliding crossing" : name, time);
  }
};

/// Two balls that roll on each other: their centres and radii. λ is the force on the first, spatial [N].
template <class S>
using RollingOnBall = Rolling<S, assembly::FramePlace<S>, assembly::FramePlace<S>>;

/// The same without friction. λ ≥ 0 is the force between the two [N].
template <class S>
using SlidingOnBall = Sliding<S, assembly::FramePlace<S>, assembly::FramePlace<S>>;

}  // namespace dalembert::contact
