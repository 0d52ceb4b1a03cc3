#pragma once

#include <string>
#include <vector>

#include "support/picture.hpp"
#include "support/scene_drawing.hpp"

namespace example {

/// A part of a picture: a frame of the run's scene, seen from somewhere.
struct Still {
  Sight sight;
  std::size_t frame;
  int left, top, width, height;  ///< in the picture [pixels]
  std::string words{};           ///< above it
  bool marks = true;             ///< with points, arrows and paths
  std::vector<float> heat{};     ///< of the nodes of tubes, see `SceneDrawing::draw`
};

/// Make a picture of stills. Throws what `draw` throws.
void draw_stills(const Run& run, const Picture& picture, const SceneDrawing& drawing,
                 const std::vector<Still>& stills);

/// Whether a film of a kind, mp4 or gif, can be made here; if not, what is missing for it.
[[nodiscard]] std::string film_fault(const std::string& kind);

/// Make film.mp4 or film.gif of the run's scene: ten seconds, in which all of it passes. Throws std::runtime_error if that fails, or
/// if nothing moves.
void make_film(const Run& run, const std::string& kind);

}  // namespace example
