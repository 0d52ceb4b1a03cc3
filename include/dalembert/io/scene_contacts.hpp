#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/real.hpp>

/// Contacts that come and go, as scenes and tables have them:
///   const auto touching = scene.contacts("contacts");
///   …
///   scene.put(touching, contact::touches(problem, state));
namespace dalembert::io {

/// What tells where a contact is, the force on one of its sides, and what it does: a mode that as a number is
/// 0 where nothing presses it, 1 where it sticks and 2 where it slips. `contact::TouchReport` is one.
template <class C>
concept ContactReport = requires(const C& c) {
  { c.point[2] } -> std::convertible_to<double>;
  { c.force[2] } -> std::convertible_to<double>;
  static_cast<int>(c.mode);
};

/// A contact in a frame of a scene.
struct SceneContact {
  static constexpr std::size_t modes = 3;  ///< how many there are

  Vec<double, 3> point = Vec<double, 3>::Zero();  ///< where it is [m]
  Vec<double, 3> force = Vec<double, 3>::Zero();  ///< on one of its sides [N]
  std::size_t mode = 0;                           ///< what it does: 0 nothing, 1 it sticks, 2 it slips

  /// What a report says.
  template <ContactReport C>
  [[nodiscard]] static SceneContact of(const C& report) {
    SceneContact one;
    for (int i = 0; i < 3; ++i) {
      one.point[i] = static_cast<double>(report.point[i]);
      one.force[i] = static_cast<double>(report.force[i]);
    }
    one.mode = static_cast<std::size_t>(std::clamp(static_cast<int>(report.mode), 0, 2));
    return one;
  }
};

/// The largest of the forces of contacts over all frames, or, where less than one in fifty is more than half
/// as large, as in impacts, the largest of the rest, of which the same is asked [N].
[[nodiscard, gnu::cold, gnu::noinline]] inline double common_force(
    const std::vector<std::vector<SceneContact>>& frames) {
  double bound = std::numeric_limits<double>::infinity(), most = 0;
  while (true) {
    double largest = 0;
    for (const auto& frame : frames)
      for (const SceneContact& one : frame)
        if (const double force = one.force.norm(); force < bound) largest = std::max(largest, force);
    most = std::max(most, largest);
    if (!(largest > 0)) return most;  // they are of all sizes
    std::size_t all = 0, near = 0;
    for (const auto& frame : frames)
      for (const SceneContact& one : frame) {
        const double force = one.force.norm();
        all += force > 0 ? 1U : 0U;
        near += force > largest / 2 && force < bound ? 1U : 0U;
      }
    if (50 * near >= all) return largest;
    bound = std::nextafter(largest / 2, largest);
  }
}

/// How many contacts there are, and the largest force.
struct ContactCount {
  std::size_t all = 0;       ///< contacts
  std::size_t sticking = 0;  ///< of these
  std::size_t slipping = 0;  ///< likewise
  double largest_force = 0;  ///< [N]
};

/// Counts contacts.
template <ContactReport C>
[[nodiscard]] ContactCount count_contacts(const std::vector<C>& reports) {
  ContactCount count{.all = reports.size()};
  for (const C& report : reports) {
    const SceneContact one = SceneContact::of(report);
    count.sticking += one.mode == 1 ? 1U : 0U;
    count.slipping += one.mode == 2 ? 1U : 0U;
    count.largest_force = std::max(count.largest_force, one.force.norm());
  }
  return count;
}

}  // namespace dalembert::io
