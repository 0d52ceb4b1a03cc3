#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <dalembert/assembly/marker.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// What may touch what: surfaces that open, slip, stick, roll and land, by two numbers, the coefficients of
/// friction μ and restitution e.
///   const Assembly problem{rods, contact::Touching{.friction = 0.4, .planes = {contact::Plane{}}}};
///   drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 2});
/// With the gap g, the velocity u of the one surface at the other, its component u_n that opens, and the
/// impulse P of a step on the first body
///   0 ≤ P_n ⟂ g ≥ 0,   |P_t| ≤ μ P_n,   u_t ≠ 0 ⇒ P_t = −μ P_n u_t/|u_t|                 (1)
///   u_n = −e u_n⁻ where a contact closes                                                             (2)
/// exactly: no penalty, no stiffness of contact, no slip that is tolerated. μ = 0 is frictionless, μ = ∞
/// rolls while it is pressed; where contacts of one body cannot all stick it is as large as can be. Rods
/// touch each other, themselves and balls with their whole length, up to round ends, and planes, cylinders
/// and spheres with their nodes, each a ball of the rod's radius. Rigid bodies have the balls that they are
/// given; these touch each other and the surfaces. Joints and other constraints may stand beside; what one of
/// them holds together does not touch there. Where ends that are held or led close a gap, and nothing there
/// can move, a step throws BodiesOverlap. Contacts are found from the configuration and forces from the
/// state; a step remembers nothing. Sources: Moreau 1988, in: Nonsmooth Mechanics and Applications, 1; Jean
/// 1999, Comput. Methods Appl. Mech. Eng. 177, 235; for the step contact/detail/touching_step.hpp.
namespace dalembert::contact {

/// A ball that is fixed to a node of a body.
template <class S = double>
struct Ball {
  assembly::FrameMarker<S> centre{};  ///< its centre
  S radius{};                         ///< [m]
};

/// A plane that a body bears: its point and normal lie in the frame of the marker.
template <class S = double>
struct Plate {
  assembly::FrameMarker<S> marker{};  ///< of the body
  Plane<S> plane{};                   ///< in its frame
};

/// A cylinder or sphere that is touched from without or within, in space or borne by a body. In space it may
/// turn about its axis, a sphere about any, and move along it.
template <class S = double>
struct Drum {
  Cylinder<S> surface{};                             ///< in the frame of the marker
  bool inside = false;                               ///< whether it is touched from within
  Vec<S, 3> angular_velocity = Vec<S, 3>::Zero();    ///< in space [rad/s]
  Vec<S, 3> velocity = Vec<S, 3>::Zero();            ///< in space, along its axis [m/s]
  std::optional<assembly::FrameMarker<S>> marker{};  ///< of the body that bears it; in space without one
};

/// A surface, or all of a sort.
struct TouchingSurface {
  /// What it is of.
  enum class Kind { any, body, plane, plate, drum };
  Kind kind = Kind::any;   ///< what it is of
  std::size_t number = 0;  ///< of the body, or in its list

  TouchingSurface() = default;
  /// Number `n` of a sort.
  constexpr TouchingSurface(Kind of, std::size_t n) : kind(of), number(n) {}
  /// That of a body.
  template <class B>
  TouchingSurface(const assembly::Handle<B>& body) : kind(Kind::body), number(body.number) {}

  /// Any surface.
  [[nodiscard]] static constexpr TouchingSurface any() { return {Kind::any, 0}; }
  /// Number `n` of `Touching::planes`.
  [[nodiscard]] static constexpr TouchingSurface plane(std::size_t n) { return {Kind::plane, n}; }
  /// Number `n` of `Touching::plates`.
  [[nodiscard]] static constexpr TouchingSurface plate(std::size_t n) { return {Kind::plate, n}; }
  /// Number `n` of `Touching::drums`.
  [[nodiscard]] static constexpr TouchingSurface drum(std::size_t n) { return {Kind::drum, n}; }

  friend constexpr bool operator==(const TouchingSurface&, const TouchingSurface&) = default;
  /// Whether it is among these.
  [[nodiscard]] constexpr bool among(const TouchingSurface& others) const {
    return others.kind == Kind::any || *this == others;
  }
};

/// A pair of surfaces with coefficients of its own, or that never touches.
template <class S = double>
struct TouchingPair {
  TouchingSurface first;   ///< of the pair
  TouchingSurface second;  ///< likewise
  S friction{};            ///< μ
  S restitution{};         ///< e
  bool touches = true;     ///< whether they do at all
};

/// See the head of this file.
template <class S = double>
struct Touching {
  S friction{};                          ///< μ ≥ 0, also infinite
  S restitution{};                       ///< e, 0 to 1
  std::vector<Plane<S>> planes{};        ///< in space
  std::vector<Drum<S>> drums{};          ///< cylinders and spheres
  std::vector<Plate<S>> plates{};        ///< planes that bodies bear
  std::vector<Ball<S>> balls{};          ///< of rigid bodies
  std::vector<S> radii{};                ///< of rods, by body; 0, or none, for what their inertia says [m]
  std::vector<TouchingPair<S>> pairs{};  ///< exceptions

  /// Throws std::invalid_argument for coefficients and surfaces that mean nothing.
  [[gnu::cold, gnu::noinline]] void check() const {
    const auto check_law = [](S mu, S e) {
      require(mu >= S(0), "Touching", "friction", mu, "it must not be negative, nor no number");
      require(e >= S(0) && e <= S(1), "Touching", "restitution", e, "it must lie in [0, 1]");
    };
    check_law(friction, restitution);
    for (const auto& plane : planes) plane.check("Touching");
    for (const auto& plate : plates) {
      require(plate.marker.on_body(), "Touching", "marker of a plate", "in space", "a body must bear it");
      plate.plane.check("Touching");
      require(plate.plane.velocity.isZero(S(0)), "Touching", "velocity of a plate",
              plate.plane.velocity.norm(), "it moves with its body [m/s]");
    }
    for (const auto& drum : drums) check_drum(drum);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      check_law(pairs[i].friction, pairs[i].restitution);
      for (std::size_t j = 0; j < i; ++j) {
        const auto &a = pairs[i], &b = pairs[j];
        require(
            !(a.first == b.first && a.second == b.second) && !(a.first == b.second && a.second == b.first),
            "Touching", "pair", i, message({"it is pair ", j, " named again"}));
      }
    }
  }

 private:
  [[gnu::cold, gnu::noinline]] static void check_drum(const Drum<S>& drum) {
    using dalembert::detail::all_finite;
    drum.surface.check("Touching");
    require(all_finite(drum.angular_velocity) && all_finite(drum.velocity), "Touching", "motion of a drum",
            "not finite", "velocities must be finite");
    const Vec<S, 3>&e = drum.surface.axis, &w = drum.angular_velocity, &v = drum.velocity;
    const S rounding = std::max(S(1e-12), S(16) * std::numeric_limits<S>::epsilon());
    const bool round = e.isZero(S(0));
    require((w.isZero(S(0)) && v.isZero(S(0))) || !drum.marker, "Touching", "motion of a drum", w.norm(),
            "one that a body bears moves with it");
    require(v.cross(e).norm() <= rounding * v.norm() && (!round || v.isZero(S(0))), "Touching",
            "velocity of a drum across its axis", v.cross(e).norm(), "it must move along itself [m/s]");
    require(round || w.cross(e).norm() <= rounding * w.norm(), "Touching",
            "angular velocity of a drum across its axis", w.cross(e).norm(),
            "it must turn about its axis [rad/s]");
  }
};

/// After the constraints C of an assembly: surfaces that touch.
template <class S, class... C>
struct WithTouching {};

}  // namespace dalembert::contact
