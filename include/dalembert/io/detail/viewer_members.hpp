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
#include <dalembert/io/viewer.hpp>

/// How the page that plays a motion is written.
namespace dalembert::io {

DALEMBERT_INLINE std::string view_html(const Scene& scene, const ViewText& text) {
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

DALEMBERT_INLINE void write_view(const std::filesystem::path& path, const Scene& scene,
                                 const ViewText& text) {
  detail::replace_file(path, view_html(scene, text));
}

}  // namespace dalembert::io
