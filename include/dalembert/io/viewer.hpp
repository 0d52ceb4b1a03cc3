#pragma once

#include <filesystem>
#include <string>

#include <dalembert/core/detail/inline.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/view_text.hpp>

/// A page that plays a motion: one file, which a browser opens from wherever it lies, without a network.
///   io::write_view("view.html", scene, {.title = "two rods", .caption = "They roll on each other."});
/// Positions are kept as whole multiples of 1/65534 of the longest side of the box around the scene,
/// rotations to 1.5·10⁻⁴ rad, and the page says so; arrows in single precision, numbers over time as
/// they are. Its data are two elements of the page: `scene`, JSON, which says what there is and at which
/// byte, and `data`, base64 of little-endian arrays, each from a multiple of eight bytes on:
///   times      float64 of each frame [s]
///   positions  uint16 × 3 of each frame and node: low + quantum·(u, v, w) [m]; 65535 where nothing is
///   turns      uint16 × 3 likewise: the three smaller components c of the unit quaternion (w, x, y, z)
///              whose largest one is positive, as round((c√2 + 1)/2 · 32767), and the place of the largest
///              in the top bits of the first two
///   values     float32 × 3 of each frame: the arrow of a point; NaN where there is none
///   starts     uint32 of contacts: how many come before those of each frame, and how many there are in
///              all. Positions and values are then of each contact, one after the other; contacts of each
///              mode are a shape
///   panels     float64 of each row's time, float64 of each curve and row; NaN where there is no number
namespace dalembert::io {

/// The page as text. Throws std::invalid_argument for a direction up that is zero, and for a shape to follow
/// that is not one of the scene that move.
[[nodiscard]] DALEMBERT_INLINE std::string view_html(const Scene& scene, const ViewText& text);

/// Write the page. Throws std::runtime_error naming the path and the reason if that fails, and what
/// `view_html` throws.
DALEMBERT_INLINE void write_view(const std::filesystem::path& path, const Scene& scene, const ViewText& text);

}  // namespace dalembert::io

#ifndef DALEMBERT_COMPILED
#include <dalembert/io/detail/viewer_members.hpp>
#endif
