#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/io/scene_shapes.hpp>

/// Members of what a scene holds.
namespace dalembert::io {

DALEMBERT_INLINE void SceneShape::fill(std::size_t frames) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (kind == Kind::contacts) return contacts.resize(frames);
  positions.resize(3 * nodes * frames, nothing);
  if (rotates()) turns.resize(4 * nodes * frames, nothing);
  if (!look.arrow.empty()) arrows.resize(3 * frames, nothing);
}

DALEMBERT_INLINE void SceneShape::thin(std::size_t frames) {
  for (auto* numbers : {&positions, &turns, &arrows}) halve(*numbers, frames);
  halve(contacts, frames);
}

DALEMBERT_INLINE std::size_t SceneShape::bytes(std::size_t frames) const {
  std::size_t own = frames * nodes * (rotates() ? 12U : 6U);
  if (!look.arrow.empty() || kind == Kind::contacts) own += 12U * frames;
  for (const auto& frame : contacts) own += 18U * frame.size();
  return own;
}

DALEMBERT_INLINE void ScenePanel::add(double time, const std::vector<double>& row) {
  const bool last_stays = offered == 0 || (offered - 1) % stride == 0;
  put(times, time, last_stays);
  for (std::size_t i = 0; i < row.size(); ++i) put(values[i], row[i], last_stays);
  ++offered;
  if (times.size() <= most_rows) return;
  halve(times);
  for (std::vector<double>& of_name : values) halve(of_name);
  stride *= 2;
}

DALEMBERT_INLINE void ScenePanel::put(std::vector<double>& numbers, double number, bool last_stays) {
  if (!last_stays) numbers.pop_back();
  numbers.push_back(number);
}

DALEMBERT_INLINE void ScenePanel::halve(std::vector<double>& numbers) {
  static_assert(most_rows % 2 == 0);
  for (std::size_t i = 1; i <= most_rows / 2; ++i) numbers[i] = numbers[2 * i];
  numbers.resize(most_rows / 2 + 1);
}

DALEMBERT_INLINE std::map<std::string, double> longest_arrows(const std::vector<SceneShape>& shapes) {
  std::map<std::string, double> all;
  for (const SceneShape& shape : shapes) {
    double& longest = all[shape.look.arrow];
    for (std::size_t i = 0; i + 2 < shape.arrows.size(); i += 3) {
      const double length = std::hypot(shape.arrows[i], shape.arrows[i + 1], shape.arrows[i + 2]);
      if (std::isfinite(length)) longest = std::max(longest, length);
    }
    longest = std::max(longest, common_force(shape.contacts));
  }
  return all;
}

}  // namespace dalembert::io
