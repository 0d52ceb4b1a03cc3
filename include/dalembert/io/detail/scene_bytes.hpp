#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/io/detail/file_text.hpp>
#include <dalembert/io/scene.hpp>

/// Numbers of a scene in few bytes: positions in a box and rotations in 16 bits a number.
namespace dalembert::io::detail {

/// The box around whatever has a place in a scene, with its extent about it, planes of no size apart [m].
struct SceneBox {
  Vec<double, 3> low = Vec<double, 3>::Zero(), high = Vec<double, 3>::Zero();
  double quantum = 1;  ///< of positions, the same along all axes

  [[nodiscard]] double size() const {
    return std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  }
};

inline constexpr double most_quanta = 65534;  // 65535 is nothing
inline constexpr std::uint16_t no_place = 65535;

/// How far a shape reaches beyond its positions [m].
[[nodiscard]] inline double reach(const Scene::Shape& shape) {
  double reach = shape.look.radius;
  for (const double a : shape.radii) reach = std::max(reach, a);
  for (const Part& part : shape.parts) reach = std::max(reach, part.reach());
  return reach;
}

[[nodiscard, gnu::cold, gnu::noinline]] inline SceneBox box_of(const Scene& scene) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec<double, 3> low(infinity, infinity, infinity), high(-infinity, -infinity, -infinity);
  const auto include = [&](const Vec<double, 3>& x, double about) {
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2])) return;
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], x[i] - about);
      high[i] = std::max(high[i], x[i] + about);
    }
  };
  for (const Scene::Shape& shape : scene.shapes()) {
    for (std::size_t i = 0; i + 2 < shape.positions.size(); i += 3)
      include({shape.positions[i], shape.positions[i + 1], shape.positions[i + 2]}, reach(shape));
    for (const auto& frame : shape.contacts)
      for (const SceneContact& one : frame) include(one.point, shape.look.radius);
    if (shape.kind == Scene::Shape::Kind::plane && shape.size > 0) include(shape.at, shape.size / 2);
  }
  if (!(low[0] <= high[0])) return {.low = {0, 0, 0}, .high = {1, 1, 1}, .quantum = 1 / most_quanta};
  const auto widest = [&] { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); };
  if (!(widest() > 0))
    for (int i = 0; i < 3; ++i) high[i] += 1;
  return {.low = low, .high = high, .quantum = widest() / most_quanta};
}

/// A position as three numbers of quanta.
[[nodiscard]] inline std::array<std::uint16_t, 3> place_words(const SceneBox& box, const double* x) {
  std::array<std::uint16_t, 3> words{no_place, no_place, no_place};
  if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2])) return words;
  for (std::size_t i = 0; i < 3; ++i)
    words[i] = static_cast<std::uint16_t>(std::clamp(
        std::round((x[i] - box.low[static_cast<Eigen::Index>(i)]) / box.quantum), 0.0, most_quanta));
  return words;
}

/// A quaternion w, x, y, z as its three smaller components in 15 bits each, and the place of the largest in
/// the spare bits. Its error is below `turn_error` [rad].
[[nodiscard]] inline std::array<std::uint16_t, 3> turn_words(const double* q) {
  std::array<std::uint16_t, 3> words{no_place, no_place, no_place};
  double square = 0;
  for (int i = 0; i < 4; ++i) square += q[i] * q[i];
  if (!(square > 0) || !std::isfinite(square)) return words;
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
  const double scale = std::copysign(1 / std::sqrt(square), q[largest]);
  std::size_t at = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    const double part = (q[i] * scale * std::sqrt(2.0) + 1) / 2;  // within 0 and 1
    words[at++] = static_cast<std::uint16_t>(std::clamp(std::round(part * 32767), 0.0, 32767.0));
  }
  for (std::size_t i = 0; i < 2; ++i)
    if ((largest >> i & 1U) != 0) words[i] = static_cast<std::uint16_t>(words[i] | 0x8000U);
  return words;
}

/// Of each of three components half of √2/32767, twice that as an angle, and as much again where the
/// largest is small beside them.
inline constexpr double turn_error = 1.5e-4;

/// The data of a page, arrays one after the other.
class SceneBytes {
 public:
  /// Where the next array begins.
  [[nodiscard]] std::size_t begin() {
    bytes_.resize((bytes_.size() + 7) / 8 * 8, '\0');
    return bytes_.size();
  }
  template <class T>
  void add(T number) {
    append_bytes(bytes_, number);
  }
  void add(const std::array<std::uint16_t, 3>& words) {
    for (const std::uint16_t word : words) add(word);
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_{};
};

}  // namespace dalembert::io::detail
