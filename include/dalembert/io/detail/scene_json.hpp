#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <dalembert/io/detail/file_text.hpp>
#include <dalembert/io/detail/json_text.hpp>
#include <dalembert/io/detail/scene_bytes.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/view_text.hpp>
#include <dalembert/version.hpp>

/// What a page holds of a scene, as its script reads it.
namespace dalembert::io::detail {

[[gnu::cold, gnu::noinline]] inline std::string part_json(const Part& part) {
  constexpr std::array<const char*, 4> kinds{"ball", "box", "cylinder", "outline"};
  const Vec<double, 3> v = part.rotation.v();
  JsonWriter json('{');
  json.member("kind", json_text(kinds.at(static_cast<std::size_t>(part.kind))));
  if (part.kind == Part::Kind::ball || part.kind == Part::Kind::cylinder)
    json.member("radius", part.sizes[0]);
  if (part.kind == Part::Kind::cylinder) json.member("length", part.sizes[1]);
  if (part.kind == Part::Kind::box) json.member("size", json_numbers(part.sizes));
  if (part.kind == Part::Kind::outline) {
    JsonWriter corners('[');
    for (const auto& corner : part.corners) corners.item(json_numbers(corner));
    json.member("points", corners.text()).member("height", part.sizes[0]);
  }
  json.member("at", json_numbers(part.position))
      .member("turn", json_numbers(std::array{part.rotation.w(), v[0], v[1], v[2]}))
      .member("striped", part.striped);
  return json.member("colour", part.colour < 0 ? "null" : std::to_string(part.colour)).text();
}

/// How a point and its arrow are drawn; the components of arrows are to follow.
[[gnu::cold, gnu::noinline]] inline void add_marks(JsonWriter& json, const Scene::Shape& shape,
                                                   const std::map<std::string, double>& longest,
                                                   const SceneBox& box, SceneBytes& bytes) {
  std::string arrow = "null";
  if (!shape.look.arrow.empty())
    arrow = JsonWriter('{')
                .member("name", json_text(shape.look.arrow))
                .member("unit", json_text(shape.look.unit))
                .member("longest", longest.at(shape.look.arrow))
                .member("values", bytes.begin())
                .text();
  const double radius = shape.look.radius > 0 ? shape.look.radius : 0.006 * box.size();
  json.member("radius", radius).member("path", shape.look.path).member("arrow", arrow);
}

[[gnu::cold, gnu::noinline]] inline std::string shape_json(const Scene::Shape& shape,
                                                           const std::map<std::string, double>& longest,
                                                           const SceneBox& box, SceneBytes& bytes) {
  using Kind = Scene::Shape::Kind;
  constexpr std::array<const char*, 5> kinds{"tube", "curve", "body", "point", "plane"};
  JsonWriter json('{');
  json.member("kind", json_text(kinds.at(static_cast<std::size_t>(shape.kind))))
      .member("name", json_text(shape.name))
      .member("colour", shape.look.colour)
      .member("still", shape.still);
  if (shape.kind == Kind::plane)
    return json.member("at", json_numbers(shape.at))
        .member("normal", json_numbers(shape.normal))
        .member("size", shape.size)
        .text();

  json.member("nodes", shape.nodes).member("positions", bytes.begin());
  for (std::size_t i = 0; i + 2 < shape.positions.size(); i += 3)
    bytes.add(place_words(box, shape.positions.data() + i));
  if (shape.kind == Kind::tube || shape.kind == Kind::body) {
    json.member("turns", bytes.begin());
    for (std::size_t i = 0; i + 3 < shape.turns.size(); i += 4) bytes.add(turn_words(shape.turns.data() + i));
  }
  if (shape.kind == Kind::tube)
    json.member("radius", shape.radii.size() == 1 ? json_number(shape.radii[0]) : json_numbers(shape.radii));
  if (shape.kind == Kind::curve) json.member("width", shape.radii[0]);
  if (shape.kind == Kind::body) {
    JsonWriter parts('[');
    for (const Part& part : shape.parts) parts.item(part_json(part));
    json.member("parts", parts.text()).member("path", shape.look.path);
  }
  if (shape.kind == Kind::point) {
    add_marks(json, shape, longest, box, bytes);
    for (const double x : shape.arrows) bytes.add(static_cast<float>(x));
  }
  return json.text();
}

/// The contacts of one mode as a shape of their own, or nothing if there are none.
[[gnu::cold, gnu::noinline]] inline std::string contacts_json(const Scene::Shape& shape, std::size_t mode,
                                                              const std::map<std::string, double>& longest,
                                                              const SceneBox& box, SceneBytes& bytes) {
  constexpr std::array<const char*, SceneContact::modes> does{"not pressed", "sticking", "slipping"};
  constexpr std::array<int, SceneContact::modes> colours{4, 2, 3};
  std::vector<std::uint32_t> starts{0};
  std::vector<const SceneContact*> all;
  std::size_t most = 0;
  for (const auto& frame : shape.contacts) {
    for (const SceneContact& one : frame)
      if (one.mode == mode) all.push_back(&one);
    most = std::max(most, all.size() - starts.back());
    starts.push_back(static_cast<std::uint32_t>(all.size()));
  }
  if (all.empty()) return {};
  JsonWriter json('{');
  json.member("kind", json_text("contacts"))
      .member("name", json_text(shape.name + ", " + does.at(mode)))
      .member("colour", colours.at(mode))
      .member("still", false)
      .member("nodes", most)
      .member("starts", bytes.begin());
  for (const std::uint32_t start : starts) bytes.add(start);
  double largest = 0;  // of all modes, as the scale
  for (const auto& frame : shape.contacts) largest = std::max(largest, count_contacts(frame).largest_force);
  json.member("most", largest).member("positions", bytes.begin());
  for (const SceneContact* one : all) bytes.add(place_words(box, one->point.data()));
  add_marks(json, shape, longest, box, bytes);
  for (const SceneContact* one : all)
    for (int i = 0; i < 3 && !shape.look.arrow.empty(); ++i) bytes.add(static_cast<float>(one->force[i]));
  return json.text();
}

[[gnu::cold, gnu::noinline]] inline std::string panel_json(const Scene::Panel& panel, SceneBytes& bytes) {
  JsonWriter json('{');
  json.member("title", json_text(panel.title))
      .member("unit", json_text(panel.unit))
      .member("logarithmic", panel.logarithmic)
      .member("rows", panel.times.size())
      .member("times", bytes.begin());
  for (const double t : panel.times) bytes.add(t);
  JsonWriter curves('[');
  for (std::size_t i = 0; i < panel.names.size(); ++i) {
    curves.item(
        JsonWriter('{').member("name", json_text(panel.names[i])).member("values", bytes.begin()).text());
    for (const double x : panel.values[i]) bytes.add(x);
  }
  return json.member("curves", curves.text()).text();
}

/// What the page's script reads first; fills the bytes that it points to.
[[gnu::cold, gnu::noinline]] inline std::string scene_json(const Scene& scene, const ViewText& text,
                                                           SceneBytes& bytes) {
  const SceneBox box = box_of(scene);
  JsonWriter parameters('['), shapes('['), panels('[');
  for (const auto& p : text.parameters)
    parameters.item(JsonWriter('{')
                        .member("name", json_text(p.name))
                        .member("value", json_text(p.value))
                        .member("unit", json_text(p.unit))
                        .text());
  JsonWriter json('{');
  json.member("format", 1)
      .member("title", json_text(text.title))
      .member("caption", json_text(text.caption))
      .member("library", json_text("dalembert " + std::string(version)))
      .member("parameters", parameters.text())
      .member("outcome", JsonWriter('{')
                             .member("reached", scene.reached())
                             .member("planned", text.planned ? json_number(*text.planned) : "null")
                             .member("error", text.error.empty() ? "null" : json_text(text.error))
                             .text())
      .member("variable", JsonWriter('{')
                              .member("name", json_text(text.variable))
                              .member("unit", json_text(text.unit))
                              .text())
      .member("flat", text.flat)
      .member("up", json_numbers(text.up))
      .member("view", JsonWriter('{')
                          .member("yaw", text.yaw)
                          .member("pitch", text.pitch)
                          .member("zoom", text.zoom)
                          .text())
      .member("follow", text.follow.empty() ? "null" : json_text(text.follow))
      .member("low", json_numbers(box.low))
      .member("high", json_numbers(box.high))
      .member("size", box.size())
      .member("quantum", box.quantum)
      .member("turn_error", turn_error)
      .member("frames", scene.times().size())
      .member("times", bytes.begin());
  for (const double t : scene.times()) bytes.add(t);
  const auto longest = longest_arrows(scene.shapes());
  for (const Scene::Shape& shape : scene.shapes()) {
    if (shape.nodes > 0 || shape.kind == Scene::Shape::Kind::plane)
      shapes.item(shape_json(shape, longest, box, bytes));
    for (std::size_t mode = SceneContact::modes; mode-- > 0 && !shape.contacts.empty();)
      if (const std::string some = contacts_json(shape, mode, longest, box, bytes); !some.empty())
        shapes.item(some);
  }
  for (const Scene::Panel& panel : scene.panels()) panels.item(panel_json(panel, bytes));
  return json.member("shapes", shapes.text()).member("panels", panels.text()).text();
}

/// The pictures that are there, as parts of the page.
[[gnu::cold, gnu::noinline]] inline std::string pictures_html(
    const std::vector<std::filesystem::path>& pictures) {
  std::string html = "<section id=\"pictures\">\n";
  for (const auto& path : pictures) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty()) continue;
    const std::string name = xml_escaped(path.stem().string());
    html += "<figure><img alt=\"" + name + "\" src=\"data:image/png;base64," + base64(bytes) +
            "\"><figcaption>" + name + "</figcaption></figure>\n";
  }
  return html + "</section>\n";
}

}  // namespace dalembert::io::detail
