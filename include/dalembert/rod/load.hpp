#pragma once

#include <dalembert/core/detail/small_blocks.hpp>

/// External loads on a rod, and its damping.
namespace dalembert::rod {

/// A load on one end of a rod. The spatial parts are dead loads (they keep their direction in space), the
/// body parts follow the section.
template <class S = double>
struct EndLoad {
  Vec<S, 3> force = Vec<S, 3>::Zero();            ///< spatial force [N]
  Vec<S, 3> moment = Vec<S, 3>::Zero();           ///< spatial moment [N m]
  Vec<S, 3> follower_force = Vec<S, 3>::Zero();   ///< body force [N]
  Vec<S, 3> follower_moment = Vec<S, 3>::Zero();  ///< body moment [N m]

  /// The same load over T.
  template <Real T>
  [[nodiscard]] EndLoad<T> cast() const noexcept {
    using dalembert::detail::convert_all;
    return {convert_all<T>(force), convert_all<T>(moment), convert_all<T>(follower_force),
            convert_all<T>(follower_moment)};
  }
  /// Whether every component is finite.
  [[nodiscard]] bool finite() const {
    using dalembert::detail::all_finite;
    return all_finite(force) && all_finite(moment) && all_finite(follower_force) &&
           all_finite(follower_moment);
  }
};

/// Everything that acts on a rod from outside.
template <class S = double>
struct Loads {
  Vec<S, 3> gravity = Vec<S, 3>::Zero();  ///< spatial acceleration of free fall [m/s²]
  EndLoad<S> start{};                     ///< at s = 0
  EndLoad<S> finish{};                    ///< at s = L

  /// Whether every component is finite.
  [[nodiscard]] bool finite() const {
    return dalembert::detail::all_finite(gravity) && start.finite() && finish.finite();
  }
  /// These loads times a factor, for load stepping.
  [[nodiscard]] Loads scaled(S factor) const {
    const auto scale = [factor](const EndLoad<S>& e) {
      return EndLoad<S>{factor * e.force, factor * e.moment, factor * e.follower_force,
                        factor * e.follower_moment};
    };
    return {factor * gravity, scale(start), scale(finish)};
  }
};

/// Linear viscous damping in proportion to the mass: force −ν ρA v, torque −ν ρI ω per unit length.
/// It is what a thin fluid around the rod does to it; every mode of a linear rod loses energy at the same
/// rate ν.
template <class S = double>
struct Damping {
  S rate{};  ///< ν [1/s], 0 for none
};

}  // namespace dalembert::rod
