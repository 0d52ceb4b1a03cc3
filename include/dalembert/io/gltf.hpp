#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/io/detail/file_text.hpp>
#include <dalembert/io/detail/gltf_document.hpp>
#include <dalembert/io/detail/gltf_meshes.hpp>
#include <dalembert/io/detail/json_text.hpp>
#include <dalembert/io/detail/scene_bytes.hpp>
#include <dalembert/io/scene.hpp>

/// A motion as a binary glTF 2.0 file, for Blender, slides and viewers of three-dimensional scenes.
///   io::write_glb("rods.glb", scene);
/// A tube is a skin over the frames of its nodes, a body a node with a mesh for each part, a point a ball,
/// its arrow an arrow as long as the page draws it; all move by one animation, linear between the frames of
/// the scene. What has no place in a frame has the size zero there. Positions are numbers in single precision
/// about the middle of the scene's box: off by 2⁻²⁴ of its diagonal at most. The file's second axis is
/// the scene's up. Source: Khronos Group, glTF 2.0 specification (ISO/IEC 12113:2022).
namespace dalembert::io {

namespace detail {

/// Puts the shapes of a scene into a document.
class GltfScene {
 public:
  GltfScene(const Scene& scene, const Vec<double, 3>& up)
      : scene_(scene), box_(box_of(scene)), middle_((box_.low + box_.high) / 2) {
    if (scene.times().size() > 1) {
      std::vector<float> times;
      for (const double t : scene.times()) times.push_back(static_cast<float>(t - scene.times().front()));
      document_.set_times(times);
    }
    for (const Scene::Shape& shape : scene.shapes()) add(shape);
    JsonWriter children('['), root('{');
    for (const std::size_t node : children_) children.item(std::to_string(node));
    const auto to_up = rotation_between(up, {0, 1, 0});
    root.member("rotation", json_numbers(std::array{to_up[1], to_up[2], to_up[3], to_up[0]}));
    if (!children_.empty()) root.member("children", children.text());
    root_ = document_.node(root);
  }
  [[nodiscard]] std::string file() { return document_.file(root_); }

 private:
  using Quaternion = std::array<double, 4>;  // w, x, y, z
  using V = Vec<double, 3>;

  /// The smallest rotation of one direction onto another.
  [[nodiscard]] static Quaternion rotation_between(const V& from, const V& onto) {
    const auto q = Eigen::Quaterniond::FromTwoVectors(from, onto);
    return {q.w(), q.x(), q.y(), q.z()};
  }

  /// Where something is over the frames, and whether it is somewhere at all.
  struct Track {
    std::vector<float> places{}, turns{}, sizes{};  ///< of each frame; as glTF has them
    bool vanishes = false;

    void put(const V& place, const Quaternion& turn, const V& size) {
      const bool here =
          place.allFinite() && size.allFinite() && std::isfinite(turn[0] + turn[1] + turn[2] + turn[3]);
      vanishes = vanishes || !here;
      if (!here) {  // where it was last
        for (std::size_t i = 0; i < 3; ++i)
          places.push_back(places.size() < 3 ? 0.0F : places[places.size() - 3]);
        for (std::size_t i = 0; i < 4; ++i)
          turns.push_back(turns.size() > 3 ? turns[turns.size() - 4] : i < 3 ? 0.0F : 1.0F);
        sizes.insert(sizes.end(), 3, 0.0F);
        return;
      }
      const std::array<double, 4> q{turn[1], turn[2], turn[3], turn[0]};
      double product = 1;  // with the turn before: of both signs of a quaternion the nearer is taken
      if (turns.size() > 3) {
        product = 0;
        for (std::size_t i = 0; i < 4; ++i)
          product += q[i] * static_cast<double>(turns[turns.size() - 4 + i]);
      }
      for (const double x : q) turns.push_back(static_cast<float>(product < 0 ? -x : x));
      for (Eigen::Index i = 0; i < 3; ++i) {
        places.push_back(static_cast<float>(place[i]));
        sizes.push_back(static_cast<float>(size[i]));
      }
    }
  };

  /// A node that follows a track, with more members.
  std::size_t moving(JsonWriter members, const Track& track, bool scales) {
    const auto first = [](const std::vector<float>& numbers, std::size_t n) {
      return json_numbers(
          std::vector<float>(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n)));
    };
    members.member("translation", first(track.places, 3)).member("rotation", first(track.turns, 4));
    const bool sized = scales || track.vanishes;
    if (sized) members.member("scale", first(track.sizes, 3));
    const std::size_t node = document_.node(members);
    if (track.places.size() > 3) {
      document_.animate(node, "translation", track.places, 3);
      document_.animate(node, "rotation", track.turns, 4);
      if (sized) document_.animate(node, "scale", track.sizes, 3);
    }
    return node;
  }

  [[nodiscard]] std::size_t frames(const Scene::Shape& shape) const {
    return shape.still ? 1 : scene_.times().size();
  }
  [[nodiscard]] V place(const Scene::Shape& shape, std::size_t i) const {
    return V(shape.positions[3 * i], shape.positions[3 * i + 1], shape.positions[3 * i + 2]) - middle_;
  }
  [[nodiscard]] static Quaternion turn(const Scene::Shape& shape, std::size_t i) {
    return {shape.turns[4 * i], shape.turns[4 * i + 1], shape.turns[4 * i + 2], shape.turns[4 * i + 3]};
  }

  void add(const Scene::Shape& shape) {
    using Kind = Scene::Shape::Kind;
    if (shape.kind == Kind::plane) return add_plane(shape);
    if (shape.nodes == 0 || frames(shape) == 0) return;
    if (shape.kind == Kind::body) return add_body(shape);
    if (shape.kind == Kind::point) return add_point(shape);
    add_chain(shape);
  }

  /// A tube or a line: a skin over its nodes.
  void add_chain(const Scene::Shape& shape) {
    require(shape.nodes <= 65535, "write_glb", "nodes of " + shape.name, shape.nodes,
            "a skin has at most 65535");
    const bool tube = shape.kind == Scene::Shape::Kind::tube;
    std::vector<Track> tracks(shape.nodes);
    for (std::size_t f = 0; f < frames(shape); ++f) {
      Quaternion before{1, 0, 0, 0};
      for (std::size_t k = 0; k < shape.nodes; ++k) {
        const std::size_t i = f * shape.nodes + k;
        Quaternion q = before;
        if (tube) {
          q = turn(shape, i);
        } else {  // along the line
          const V along =
              place(shape, std::min(i + 1, (f + 1) * shape.nodes - 1)) - place(shape, k > 0 ? i - 1 : i);
          if (along.norm() > 0) q = before = rotation_between({0, 0, 1}, along);
        }
        tracks[k].put(place(shape, i), q, {1, 1, 1});
      }
    }
    std::vector<std::size_t> joints;
    for (const Track& track : tracks) joints.push_back(moving(JsonWriter('{'), track, false));
    children_.insert(children_.end(), joints.begin(), joints.end());
    std::vector<double> radii = shape.radii;
    if (!tube) radii = {shape.radii[0] / 2};
    const std::size_t mesh = document_.mesh(mesh_of_tube(shape.nodes, radii), shape.look.colour);
    children_.push_back(document_.node(JsonWriter('{')
                                           .member("name", json_text(shape.name))
                                           .member("mesh", mesh)
                                           .member("skin", document_.skin(joints))));
  }
  void add_body(const Scene::Shape& shape) {
    JsonWriter parts('[');
    for (const Part& part : shape.parts) {
      const auto& v = part.rotation.v();
      const std::size_t mesh =
          document_.mesh(mesh_of(part), part.colour < 0 ? shape.look.colour : part.colour);
      parts.item(std::to_string(document_.node(
          JsonWriter('{')
              .member("mesh", mesh)
              .member("translation", json_numbers(part.position))
              .member("rotation", json_numbers(std::array{v[0], v[1], v[2], part.rotation.w()})))));
    }
    Track track;
    for (std::size_t f = 0; f < frames(shape); ++f) track.put(place(shape, f), turn(shape, f), {1, 1, 1});
    JsonWriter members('{');
    members.member("name", json_text(shape.name)).member("children", parts.text());
    children_.push_back(moving(members, track, false));
  }
  void add_point(const Scene::Shape& shape) {
    GltfMesh ball;
    add_ball(ball, shape.look.radius > 0 ? shape.look.radius : 0.006 * box_.size());
    Track track, arrows;
    const double longest = longest_arrows(scene_.shapes())[shape.look.arrow];
    for (std::size_t f = 0; f < frames(shape); ++f) {
      track.put(place(shape, f), {1, 0, 0, 0}, {1, 1, 1});
      if (shape.look.arrow.empty()) continue;
      const V arrow(shape.arrows[3 * f], shape.arrows[3 * f + 1], shape.arrows[3 * f + 2]);
      const double unit = 0.2 * box_.size(), length = arrow.norm() / longest;
      const bool seen = longest > 0 && length > 1e-6;
      arrows.put(place(shape, f), seen ? rotation_between({0, 0, 1}, arrow) : Quaternion{1, 0, 0, 0},
                 seen                ? V(unit * V(1, 1, length))
                 : arrow.allFinite() ? V(0, 0, 0)
                                     : arrow);
    }
    JsonWriter members('{');
    members.member("name", json_text(shape.name)).member("mesh", document_.mesh(ball, shape.look.colour));
    children_.push_back(moving(members, track, false));
    if (shape.look.arrow.empty()) return;
    JsonWriter more('{');
    more.member("name", json_text(shape.look.arrow))
        .member("mesh", document_.mesh(mesh_of_arrow(), shape.look.colour));
    children_.push_back(moving(more, arrows, true));
  }
  void add_plane(const Scene::Shape& shape) {
    Track track;
    track.put(shape.at - middle_, rotation_between({0, 0, 1}, shape.normal), {1, 1, 1});
    JsonWriter members('{');
    members.member("name", json_text(shape.name))
        .member("mesh",
                document_.mesh(mesh_of_square(shape.size > 0 ? shape.size : box_.size()), shape.look.colour));
    children_.push_back(moving(members, track, false));
  }

  const Scene& scene_;
  SceneBox box_;
  V middle_;
  GltfDocument document_{};
  std::vector<std::size_t> children_{};
  std::size_t root_ = 0;
};

}  // namespace detail

/// The file as bytes. Throws std::invalid_argument for a direction up that is zero or not finite, and for a
/// tube of more than 65535 nodes.
[[nodiscard]] inline std::string glb(const Scene& scene, const Vec<double, 3>& up = Vec<double, 3>::UnitZ()) {
  require(up.allFinite() && up.norm() > 0, "glb", "up", up.transpose(), "it must be finite and not zero");
  return detail::GltfScene(scene, up).file();
}

/// Write the file. Throws std::runtime_error naming the path and the reason if that fails, and what `glb`
/// throws.
inline void write_glb(const std::filesystem::path& path, const Scene& scene,
                      const Vec<double, 3>& up = Vec<double, 3>::UnitZ()) {
  detail::replace_file(path, glb(scene, up));
}

}  // namespace dalembert::io
