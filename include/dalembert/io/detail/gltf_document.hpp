#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <dalembert/io/detail/file_text.hpp>
#include <dalembert/io/detail/gltf_meshes.hpp>
#include <dalembert/io/detail/json_text.hpp>
#include <dalembert/io/detail/scene_bytes.hpp>

/// The parts of a binary glTF 2.0 file.
namespace dalembert::io::detail {

/// A glTF file in the making: its lists, and the bytes that they refer to.
class GltfDocument {
 public:
  /// A list of numbers in the file's bytes, `width` to each element; returns its number.
  template <class T>
  std::size_t accessor(const std::vector<T>& numbers, int width, bool extremes, std::size_t target) {
    const std::size_t begin = bytes_.begin();
    for (const T x : numbers) bytes_.add(x);
    JsonWriter view('{');
    view.member("buffer", 0).member("byteOffset", begin).member("byteLength", numbers.size() * sizeof(T));
    if (target > 0) view.member("target", target);
    views_.item(view.text());
    static constexpr std::array<const char*, 5> types{"", "\"SCALAR\"", "\"VEC2\"", "\"VEC3\"", "\"VEC4\""};
    JsonWriter out('{');
    out.member("bufferView", accessors_++)
        .member("componentType", std::is_same_v<T, float>           ? 5126
                                 : std::is_same_v<T, std::uint32_t> ? 5125
                                                                    : 5123)
        .member("count", numbers.size() / static_cast<std::size_t>(width))
        .member("type", types[static_cast<std::size_t>(width)]);
    if (extremes) {
      JsonWriter least('['), most('[');
      for (int i = 0; i < width; ++i) {
        T low = std::numeric_limits<T>::max(), high = std::numeric_limits<T>::lowest();
        for (std::size_t k = static_cast<std::size_t>(i); k < numbers.size();
             k += static_cast<std::size_t>(width)) {
          low = std::min(low, numbers[k]);
          high = std::max(high, numbers[k]);
        }
        least.item(json_number(static_cast<double>(low)));
        most.item(json_number(static_cast<double>(high)));
      }
      out.member("min", least.text()).member("max", most.text());
    }
    accessor_list_.item(out.text());
    return accessors_ - 1;
  }

  /// A mesh in a colour of the palette; returns its number.
  std::size_t mesh(const GltfMesh& mesh, int colour) {
    JsonWriter attributes('{');
    attributes.member("POSITION", accessor(mesh.positions, 3, true, 34962));
    attributes.member("NORMAL", accessor(mesh.normals, 3, false, 34962));
    if (!mesh.joints.empty()) {
      std::vector<std::uint16_t> joints;
      std::vector<float> weights;
      for (const std::uint16_t joint : mesh.joints) {
        joints.insert(joints.end(), {joint, 0, 0, 0});
        weights.insert(weights.end(), {1, 0, 0, 0});
      }
      attributes.member("JOINTS_0", accessor(joints, 4, false, 34962));
      attributes.member("WEIGHTS_0", accessor(weights, 4, false, 34962));
    }
    JsonWriter primitive('{');
    primitive.member("attributes", attributes.text())
        .member("indices", accessor(mesh.triangles, 1, false, 34963))
        .member("material", static_cast<std::size_t>(((colour % 8) + 8) % 8));
    mesh_list_.item(JsonWriter('{').member("primitives", "[" + primitive.text() + "]").text());
    return meshes_++;
  }

  /// A node that has these members; returns its number.
  std::size_t node(const JsonWriter& members) {
    node_list_.item(members.text());
    return nodes_++;
  }
  std::size_t skin(const std::vector<std::size_t>& joints) {
    JsonWriter list('[');
    for (const std::size_t joint : joints) list.item(std::to_string(joint));
    skin_list_.item(JsonWriter('{').member("joints", list.text()).text());
    return skins_++;
  }
  /// Have a node's translation, rotation or scale follow numbers at the times of the frames.
  void animate(std::size_t node, const char* path, const std::vector<float>& numbers, int width) {
    JsonWriter sampler('{'), target('{'), channel('{');
    sampler.member("input", times_).member("output", accessor(numbers, width, false, 0));
    samplers_.item(sampler.text());
    target.member("node", node).member("path", json_text(path));
    channel.member("sampler", channels_++).member("target", target.text());
    channel_list_.item(channel.text());
  }
  void set_times(const std::vector<float>& times) { times_ = accessor(times, 1, true, 0); }

  /// The file, whose scene has one node.
  [[nodiscard]] std::string file(std::size_t root) {
    // Okabe and Ito's colours, as light
    static constexpr std::array<std::array<double, 3>, 8> palette{{{0.0, 0.168, 0.445},
                                                                   {0.745, 0.254, 0.0},
                                                                   {0.0, 0.342, 0.171},
                                                                   {0.665, 0.06, 0.011},
                                                                   {0.198, 0.223, 0.262},
                                                                   {0.047, 0.347, 0.709},
                                                                   {0.584, 0.456, 0.0},
                                                                   {0.479, 0.107, 0.292}}};
    JsonWriter materials('['), document('{');
    for (const auto& colour : palette) {
      JsonWriter surface('{'), material('{');
      surface.member("baseColorFactor", json_numbers(std::array{colour[0], colour[1], colour[2], 1.0}))
          .member("metallicFactor", 0)
          .member("roughnessFactor", 0.6);
      material.member("pbrMetallicRoughness", surface.text()).member("doubleSided", true);
      materials.item(material.text());
    }
    const std::size_t length = bytes_.begin();
    document.member("asset", R"({"version":"2.0","generator":"dalembert"})").member("scene", 0);
    document.member("scenes",
                    "[" + JsonWriter('{').member("nodes", "[" + std::to_string(root) + "]").text() + "]");
    document.member("nodes", node_list_.text()).member("materials", materials.text());
    if (meshes_ > 0) document.member("meshes", mesh_list_.text());
    if (skins_ > 0) document.member("skins", skin_list_.text());
    if (channels_ > 0) {
      JsonWriter animation('{');
      animation.member("channels", channel_list_.text()).member("samplers", samplers_.text());
      document.member("animations", "[" + animation.text() + "]");
    }
    if (accessors_ > 0) {
      document.member("accessors", accessor_list_.text()).member("bufferViews", views_.text());
      document.member("buffers", "[" + JsonWriter('{').member("byteLength", length).text() + "]");
    }
    std::string json = document.text();
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string file = "glTF";
    const auto word = [&](std::size_t number) { append_bytes(file, static_cast<std::uint32_t>(number)); };
    word(2);
    word(12 + 8 + json.size() + (length > 0 ? 8 + length : 0));
    word(json.size());
    file.append("JSON").append(json);
    if (length > 0) {
      word(length);
      file.append("BIN").append(1, '\0').append(bytes_.bytes());
    }
    return file;
  }

 private:
  SceneBytes bytes_{};
  JsonWriter views_{'['}, accessor_list_{'['}, mesh_list_{'['}, node_list_{'['}, skin_list_{'['},
      samplers_{'['}, channel_list_{'['};
  std::size_t accessors_ = 0, meshes_ = 0, nodes_ = 0, skins_ = 0, channels_ = 0, times_ = 0;
};

}  // namespace dalembert::io::detail
