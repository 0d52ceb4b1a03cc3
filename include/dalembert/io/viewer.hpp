#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include <dalembert/core/errors.hpp>
#include <dalembert/io/detail/file_text.hpp>
#include <dalembert/io/detail/page_text.hpp>
#include <dalembert/io/detail/scene_bytes.hpp>
#include <dalembert/io/detail/scene_json.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/view_text.hpp>

/// A page that plays a motion: one file, which a browser opens from wherever it lies, without a network.
///   io::write_view("view.html", scene, {.title = "two rods", .caption = "They roll on each other."});
/// Positions are kept as whole multiples of 1/65534 of the longest side of the box around the scene,
/// rotations to 1.5·10⁻⁴ rad, and the page says so; arrows in single precision, numbers over time as
/// they are. Its data are two elements of the page: `scene`, JSON, which says what there is and at which
/// byte, and `data`, base64 of little-endian arrays, each from a multiple of eight bytes on:
///   times      float64 of each frame [s]
///   positions  uint16 × 3 of each frame and node: low + quantum·(u, v, w) [m]; 65535 where there is nothing
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
[[nodiscard]] inline std::string view_html(const Scene& scene, const ViewText& text) {
  require(text.up.norm() > 0 && text.up.allFinite(), "view_html", "up", text.up.transpose(),
          "it must not be zero");
  const bool known =
      std::any_of(scene.shapes().begin(), scene.shapes().end(), [&](const Scene::Shape& shape) {
        return !shape.still && shape.kind != Scene::Shape::Kind::contacts && shape.name == text.follow;
      });
  require(text.follow.empty() || known, "view_html", "follow", text.follow,
          "it must be the name of a shape of the scene that moves");
  detail::SceneBytes bytes;
  const std::string json = detail::scene_json(scene, text, bytes);
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
  page.append(detail::xml_escaped(text.title)).append("</title>\n<style>\n").append(detail::page_style);
  page.append("</style>\n</head>\n<body>\n").append(detail::page_body);
  page.append(detail::pictures_html(text.pictures));
  page.append("<script id=\"scene\" type=\"application/json\">").append(json).append("</script>\n");
  page.append("<script id=\"data\" type=\"application/octet-stream\">");
  page.append(detail::base64(bytes.bytes())).append("</script>\n<script>\n");
  for (const std::string_view script : detail::page_scripts) page.append(script);
  return page.append("</script>\n</body>\n</html>\n");
}

/// Write the page. Throws std::runtime_error naming the path and the reason if that fails, and what
/// `view_html` throws.
inline void write_view(const std::filesystem::path& path, const Scene& scene, const ViewText& text) {
  detail::replace_file(path, view_html(scene, text));
}

}  // namespace dalembert::io
