#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

/// What holds the ends of a rod, for each end and each of its six degrees of freedom: three spatial
/// directions of the position, three body axes of the rotation.
///   Boundary<>::free()              nothing is held; what an end is unless it is said
///   Boundary<>::clamped()           position and rotation are held where the state has them
///   Boundary<>::pinned()            the position is held, the rotation free
///   Boundary<>::degrees(held)       each of the six as it is said
///   Boundary<>::prescribed(motion)  position and rotation follow an `EndMotion` of the time
/// What holds an end this way has no multipliers; a weld to a frame in space (assembly/joints.hpp) has them.
namespace dalembert::rod {

/// A prescribed motion of an end frame at one time. Position parts are spatial, rotation parts in the body
/// frame.
template <class S = double>
struct EndMotion {
  Vec<S, 3> position = Vec<S, 3>::Zero();                    ///< r [m]
  Vec<S, 4> quaternion = Vec<S, 4>(S(1), S(0), S(0), S(0));  ///< unit quaternion (w, x, y, z) of Λ
  Vec<S, 3> velocity = Vec<S, 3>::Zero();                    ///< ṙ [m/s]
  Vec<S, 3> angular_velocity = Vec<S, 3>::Zero();            ///< ω [rad/s]
  Vec<S, 3> acceleration = Vec<S, 3>::Zero();                ///< r̈ [m/s²]
  Vec<S, 3> angular_acceleration = Vec<S, 3>::Zero();        ///< ω̇ [rad/s²]
};

/// The boundary condition at one end.
template <class S = double>
class Boundary {
 public:
  /// The motion of an end as a function of the time [s].
  using Motion = std::function<EndMotion<S>(S)>;

  /// Nothing is held.
  [[nodiscard]] static Boundary free() { return Boundary{{}}; }
  /// Position and rotation are held where the state has them.
  [[nodiscard]] static Boundary clamped() { return Boundary{{true, true, true, true, true, true}}; }
  /// The position is held, the rotation free.
  [[nodiscard]] static Boundary pinned() { return Boundary{{true, true, true, false, false, false}}; }
  /// Each degree as `held` says: spatial x, y, z, then rotation about the body axes 1, 2, 3.
  [[nodiscard]] static Boundary degrees(const std::array<bool, 6>& held) { return Boundary{held}; }
  /// Position and rotation follow `motion`; throws std::invalid_argument if it is empty.
  [[nodiscard]] static Boundary prescribed(Motion motion) {
    Boundary b = clamped();
    require(static_cast<bool>(motion), "Boundary", "motion", "empty function",
            "a prescribed end needs a motion");
    b.motion_ = std::move(motion);
    return b;
  }

  /// Whether degree i (0…5) is held or prescribed.
  [[nodiscard]] bool held(int i) const noexcept { return held_[static_cast<std::size_t>(i)]; }
  /// Whether some degree is held.
  [[nodiscard]] bool any_held() const noexcept {
    return std::find(held_.begin(), held_.end(), true) != held_.end();
  }
  /// Whether no degree is free.
  [[nodiscard]] bool all_held() const noexcept {
    return std::find(held_.begin(), held_.end(), false) == held_.end();
  }
  /// Whether the end follows a prescribed motion.
  [[nodiscard]] bool moves() const noexcept { return static_cast<bool>(motion_); }
  /// The prescribed motion at `time` [s]; only if `moves()`.
  [[nodiscard]] EndMotion<S> motion(S time) const { return motion_(time); }

 private:
  explicit Boundary(const std::array<bool, 6>& held) : held_(held) {}

  std::array<bool, 6> held_;
  Motion motion_;
};

/// The two ends of a rod.
enum class End { start, finish };

}  // namespace dalembert::rod
