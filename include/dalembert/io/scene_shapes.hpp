#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/core/detail/inline.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/io/scene_contacts.hpp>
#include <dalembert/io/scene_parts.hpp>

/// What an `io::Scene` holds.
namespace dalembert::io {

/// A chain of nodes, each with a rotation: what a tube is drawn from.
template <class C>
concept FrameChain = requires(const C& chain, std::ptrdiff_t k) {
  { chain.nodes } -> std::convertible_to<std::ptrdiff_t>;
  { chain.position(k)[2] } -> std::convertible_to<double>;
  { chain.rotation(k).w() } -> std::convertible_to<double>;
  { chain.rotation(k).v()[2] } -> std::convertible_to<double>;
};

/// How a shape looks.
struct Look {
  int colour = -1;  ///< 0 blue, 1 orange, 2 green, 3 red, 4 grey, 5 sky, 6 yellow, 7 purple; -1: the next one
  bool path = false;    ///< of bodies and points: show where they have been
  double radius = 0;    ///< of points and contacts [m]; 0: as is well seen
  std::string arrow{};  ///< of these: what their arrow is; none if it is empty
  std::string unit{};   ///< of that
};

/// What is kept of a shape. NaN is what was not put.
struct SceneShape {
  /// What it is.
  enum class Kind { tube, curve, body, point, plane, contacts };
  Kind kind{};                                 ///< what it is
  std::string name{};                          ///< as it was given
  Look look{};                                 ///< likewise
  bool still = false;                          ///< one frame stands for all
  std::size_t nodes = 0;                       ///< 0 until the first of them are put, and of contacts
  std::vector<double> radii{};                 ///< of a tube: one, or one per node; of a curve its width [m]
  std::vector<Part> parts{};                   ///< of a body
  Vec<double, 3> at = Vec<double, 3>::Zero();  ///< of a plane
  Vec<double, 3> normal = Vec<double, 3>::UnitZ();  ///< of a plane
  double size = 0;                  ///< of a plane: its side [m], 0: as large as the rest asks
  std::vector<double> positions{};  ///< x, y, z of each frame and node [m]
  std::vector<double> turns{};      ///< of tubes and bodies likewise: quaternions w, x, y, z
  std::vector<double> arrows{};     ///< of points with an arrow: its components in each frame
  std::vector<std::vector<SceneContact>> contacts{};  ///< those of each frame

  /// Whether its nodes have rotations.
  [[nodiscard]] bool rotates() const noexcept { return kind == Kind::tube || kind == Kind::body; }
  /// As many numbers as so many frames have, new ones being nothing.
  void fill(std::size_t frames);
  /// Keep every second of so many frames.
  void thin(std::size_t frames);
  /// What a page has of so many frames, those of contacts but as many as there are [bytes].
  [[nodiscard]] std::size_t bytes(std::size_t frames) const;
  /// Keep what belongs to every second of so many frames, each of which has as many elements.
  template <class T>
  static void halve(std::vector<T>& elements, std::size_t frames) {
    const std::size_t each = frames > 0 ? elements.size() / frames : 0;
    for (std::size_t i = 1; 2 * i < frames; ++i)
      for (std::size_t k = 0; k < each; ++k) std::swap(elements[i * each + k], elements[2 * i * each + k]);
    elements.resize((frames + 1) / 2 * each);
  }
};

/// The longest arrow of each name, by which all arrows of that name are drawn; those that are longer, of
/// contacts in a few frames, are cut off there.
[[nodiscard]] DALEMBERT_INLINE std::map<std::string, double> longest_arrows(
    const std::vector<SceneShape>& shapes);

/// Numbers over time. A page shows no more of them than a few thousand: where there are more rows, every
/// second one is dropped, again and again, but for the last.
struct ScenePanel {
  static constexpr std::size_t most_rows = 8000;  ///< that are kept

  std::string title{};                        ///< as it was given
  std::string unit{};                         ///< likewise
  std::vector<std::string> names{};           ///< of its curves
  bool logarithmic = false;                   ///< whether magnitudes are shown
  std::vector<double> times{};                ///< of its rows [s]
  std::vector<std::vector<double>> values{};  ///< of each name
  std::size_t offered = 0;                    ///< how many rows were added
  std::size_t stride = 1;                     ///< of so many of them one is kept

  /// Append a row, of as many numbers as there are names.
  void add(double time, const std::vector<double>& row);

 private:
  static void put(std::vector<double>& numbers, double number, bool last_stays);
  /// Keep every second number, with the first and the last: there is one more than `most_rows`.
  static void halve(std::vector<double>& numbers);
};

}  // namespace dalembert::io

#ifndef DALEMBERT_COMPILED
#include <dalembert/io/detail/scene_shapes_members.hpp>
#endif
