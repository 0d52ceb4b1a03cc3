#include <dalembert/io/gltf.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include <dalembert/rod/chain.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/folder.hpp"

namespace gltf_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Json = nlohmann::json;
using Catch::Matchers::ContainsSubstring;

/// A glTF file as its specification has it.
struct File {
  Json json;
  std::string bytes;

  explicit File(const std::string& file) {
    REQUIRE(file.substr(0, 4) == "glTF");
    CHECK(word(file, 4) == 2);
    CHECK(word(file, 8) == file.size());
    CHECK(file.size() % 4 == 0);
    const std::size_t length = word(file, 12);
    REQUIRE(file.substr(16, 4) == "JSON");
    json = Json::parse(file.substr(20, length));
    if (file.size() > 20 + length) {
      CHECK(file.substr(24 + length, 4) == std::string("BIN\0", 4));
      bytes = file.substr(28 + length);
      CHECK(bytes.size() == word(file, 20 + length));
      CHECK(json["buffers"][0]["byteLength"] == bytes.size());
    }
  }
  static std::size_t word(const std::string& text, std::size_t at) {
    std::uint32_t number = 0;
    std::memcpy(&number, text.data() + at, 4);
    return number;
  }
  /// All numbers of an accessor.
  std::vector<double> numbers(const Json& number) const {
    const Json& accessor = json["accessors"][number.get<std::size_t>()];
    const Json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const int type = accessor["componentType"];
    const std::size_t width = accessor["type"] == "SCALAR" ? 1 : accessor["type"] == "VEC3" ? 3 : 4;
    const std::size_t count = width * accessor["count"].get<std::size_t>();
    const std::size_t size = type == 5123 ? 2 : 4, begin = view["byteOffset"];
    CHECK(view["byteLength"] == count * size);
    REQUIRE(begin + count * size <= bytes.size());
    CHECK(begin % size == 0);
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i) {
      const char* at = bytes.data() + begin + i * size;
      float real = 0;
      std::uint32_t whole = 0;
      std::memcpy(type == 5126 ? static_cast<void*>(&real) : &whole, at, size);
      all.push_back(type == 5126 ? static_cast<double>(real) : whole);
    }
    return all;
  }
  /// What a channel gives a node over the frames.
  std::vector<double> track(std::size_t node, const std::string& path) const {
    const Json& animation = json["animations"][0];
    for (const Json& channel : animation["channels"])
      if (channel["target"]["node"] == node && channel["target"]["path"] == path)
        return numbers(animation["samplers"][channel["sampler"].get<std::size_t>()]["output"]);
    return {};
  }
  std::size_t named(const std::string& name) const {
    for (std::size_t i = 0; i < json["nodes"].size(); ++i)
      if (json["nodes"][i].value("name", "") == name) return i;
    FAIL("no node " + name);
    return 0;
  }
  /// Six times the volume in a mesh's surface, and the largest error of its normals.
  std::array<double, 2> solid(const Json& mesh) const {
    const Json& primitive = json["meshes"][mesh.get<std::size_t>()]["primitives"][0];
    const auto x = numbers(primitive["attributes"]["POSITION"]),
               n = numbers(primitive["attributes"]["NORMAL"]);
    const auto corners = numbers(primitive["indices"]);
    const auto at = [&](const std::vector<double>& list, double corner) {
      const auto i = 3 * static_cast<std::size_t>(corner);
      return V(list[i], list[i + 1], list[i + 2]);
    };
    double volume = 0, worst = 0;
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      const V a = at(x, corners[i]), b = at(x, corners[i + 1]), c = at(x, corners[i + 2]);
      volume += a.dot(b.cross(c));
      const V normal = (b - a).cross(c - a);
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(std::abs(at(n, corners[i + k]).norm() - 1) < 1e-6);
        if (normal.norm() > 1e-12)
          worst = std::max(worst, (normal.normalized() - at(n, corners[i + k])).norm());
      }
    }
    return {volume, worst};
  }
};

rod::Chain<double> some_chain(test::Draw& draw, int nodes, const V& about) {
  rod::Chain<double> chain(nodes);
  for (int k = 0; k < nodes; ++k) chain.set_frame(k, draw.rotation(), about + draw.vector());
  return chain;
}

TEST_CASE("a file in glTF has the motion of the scene", "[io]") {
  test::Draw draw(5);
  const double far = GENERATE(0.0, 1e3);
  const V about = far * V(1, 2, 3);
  io::Scene scene;
  const auto tube = scene.tube("rod", 0.02, {.colour = 3});
  const auto body =
      scene.body("wheel", {io::cylinder(0.3, 0.1), io::box({0.2, 0.3, 0.4}).at({0, 0, 0.5}).coloured(6)});
  const auto point = scene.point("contact", {.arrow = "force", .unit = "N"});
  const auto line = scene.curve("trace", 0.01);
  scene.plane("table", about, {0, 0, 2});
  std::vector<rod::Chain<double>> chains;
  std::vector<SO3d> turns;
  std::vector<V> places, forces;
  const std::vector<double> times{2, 2.5, 3.25};
  for (std::size_t f = 0; f < times.size(); ++f) {
    chains.push_back(some_chain(draw, 5, about));
    turns.push_back(draw.rotation());
    places.push_back(about + draw.vector());
    forces.push_back(f == 1 ? V(V::Constant(std::nan(""))) : V(7 * draw.vector()));
    REQUIRE(scene.frame(times[f]));
    scene.put(tube, chains[f]);
    scene.put(body, turns[f], places[f]);
    scene.put(point, places[f], forces[f]);
    scene.put(line, std::vector<V>{about, places[f], about + V(1, 1, 1)});
  }
  const File file(io::glb(scene));
  const auto& json = file.json;
  CHECK(json["asset"]["version"] == "2.0");
  const auto root = json["scenes"][0]["nodes"][0].get<std::size_t>();
  // the scene's up is the file's second axis: (x, y, z) is (x, z, −y) there
  const auto q = json["nodes"][root]["rotation"].get<std::vector<double>>();
  const SO3d up = SO3d::from_quaternion(q[3], V(q[0], q[1], q[2]));
  CHECK((up.act(V(1, 2, 3)) - V(1, 3, -2)).norm() < 1e-14);
  CHECK(file.numbers(json["animations"][0]["samplers"][0]["input"]) == std::vector<double>{0, 0.5, 1.25});

  const auto at = [](const std::vector<double>& list, std::size_t i) {
    return V(list[3 * i], list[3 * i + 1], list[3 * i + 2]);
  };
  const auto rotation = [](const std::vector<double>& list, std::size_t i) {
    return SO3d::from_quaternion(list[4 * i + 3], V(list[4 * i], list[4 * i + 1], list[4 * i + 2]));
  };
  const double quantum = std::ldexp(5.0, -24);  // 2⁻²⁴ of more than the box's diagonal
  const auto& rod = json["nodes"][file.named("rod")];
  const auto joints = json["skins"][rod["skin"].get<std::size_t>()]["joints"].get<std::vector<std::size_t>>();
  REQUIRE(joints.size() == 5);
  const V middle = chains[0].position(0) - at(file.track(joints[0], "translation"), 0);
  for (std::size_t f = 0; f < 3; ++f) {
    for (std::size_t k = 0; k < 5; ++k) {
      const auto node = static_cast<Eigen::Index>(k);
      CHECK((at(file.track(joints[k], "translation"), f) + middle - chains[f].position(node)).norm() <
            quantum);
      CHECK((rotation(file.track(joints[k], "rotation"), f).matrix() - chains[f].rotation(node).matrix())
                .norm() < 1e-6);
    }
    const auto wheel = file.named("wheel");
    CHECK((at(file.track(wheel, "translation"), f) + middle - places[f]).norm() < quantum);
    CHECK((rotation(file.track(wheel, "rotation"), f).matrix() - turns[f].matrix()).norm() < 1e-6);
    const auto arrow = file.named("force");
    const V size = at(file.track(arrow, "scale"), f);
    if (f == 1) {
      CHECK(size.norm() == 0);
    } else {
      const V along = rotation(file.track(arrow, "rotation"), f).act(V(0, 0, 1));
      CHECK((along - forces[f].normalized()).norm() < 1e-6);
      const double longest = std::max(forces[0].norm(), forces[2].norm());
      CHECK(std::abs(size[2] / size[0] - forces[f].norm() / longest) < 1e-6);
    }
  }
  // neighbouring quaternions have one sign
  for (const std::size_t joint : joints) {
    const auto turn = file.track(joint, "rotation");
    for (std::size_t i = 4; i < turn.size(); i += 4)
      CHECK(turn[i] * turn[i - 4] + turn[i + 1] * turn[i - 3] + turn[i + 2] * turn[i - 2] +
                turn[i + 3] * turn[i - 1] >=
            0);
  }
  const auto material = [&](const Json& mesh) {
    return json["meshes"][mesh.get<std::size_t>()]["primitives"][0]["material"].get<int>();
  };
  CHECK(material(rod["mesh"]) == 3);
  CHECK(json["materials"].size() == 8);
  const auto parts = json["nodes"][file.named("wheel")]["children"].get<std::vector<std::size_t>>();
  REQUIRE(parts.size() == 2);
  CHECK(material(json["nodes"][parts[1]]["mesh"]) == 6);
  CHECK(json["nodes"][parts[1]]["translation"].get<std::vector<double>>() == std::vector<double>{0, 0, 0.5});
  CHECK(std::abs(file.solid(json["nodes"][parts[1]]["mesh"])[0] / 6 - 0.2 * 0.3 * 0.4) < 1e-8);
  const double round = 24 / (2 * 3.14159265358979) * std::sin(2 * 3.14159265358979 / 24);  // of a polygon
  CHECK(std::abs(file.solid(json["nodes"][parts[0]]["mesh"])[0] / 6 - round * 3.14159265358979 * 0.09 * 0.1) <
        1e-7);
}

TEST_CASE("meshes in glTF are closed, their normals point outwards", "[io]") {
  io::Scene scene;
  const std::vector<Vec<double, 2>> star{{2, 0},  {0.5, 0.5},   {0, 2},  {-0.5, 0.5},
                                         {-2, 0}, {-0.5, -0.5}, {0, -2}, {0.5, -0.5}};
  const auto body = scene.body("all", {io::ball(2), io::outline(star, 0.5)});
  scene.place(body, SO3d::identity(), V(0, 0, 0));
  REQUIRE(scene.frame(0));
  const File file(io::glb(scene, {0, 1, 0}));
  const auto parts = file.json["nodes"][file.named("all")]["children"].get<std::vector<std::size_t>>();
  const auto ball = file.solid(file.json["nodes"][parts[0]]["mesh"]),
             plate = file.solid(file.json["nodes"][parts[1]]["mesh"]);
  CHECK(std::abs(ball[0] / 6 / (4.0 / 3 * 3.14159265358979 * 8) - 1) < 0.03);
  CHECK(ball[1] < 0.3);
  CHECK(std::abs(plate[0] / 6 - 0.5 * 4) < 1e-6);  // the star's area: 8 triangles of ½·2·½
  CHECK(plate[1] < 1e-6);
  CHECK(!file.json.contains("animations"));
}

TEST_CASE("colours in glTF are those of the page, as light", "[io]") {
  const std::string page =
#include <dalembert/io/page/colours.js>
      ;
  const auto light = [](int byte) {  // of sRGB, IEC 61966-2-1
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  io::Scene scene;
  REQUIRE(scene.frame(0));
  const auto materials = File(io::glb(scene)).json["materials"];
  REQUIRE(materials.size() == 8);
  std::size_t at = page.find("light: [");
  for (const Json& material : materials) {
    at = page.find('#', at) + 1;
    const auto& colour = material["pbrMetallicRoughness"]["baseColorFactor"];
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(std::abs(colour[i].get<double>() - light(std::stoi(page.substr(at + 2 * i, 2), nullptr, 16))) <
            1e-3);
    CHECK(colour[3] == 1);
  }
}

TEST_CASE("a long motion of a rod is a small file in glTF", "[io]") {
  test::Draw draw(6);
  io::Scene scene;
  const auto tube = scene.tube("rod", 0.02);
  for (int f = 0; f < 250; ++f) {
    REQUIRE(scene.frame(0.01 * f));
    scene.put(tube, some_chain(draw, 101, V(0, 0, 0)));
  }
  CHECK(io::glb(scene).size() < 4'000'000);
}

TEST_CASE("what cannot be drawn in glTF is refused or left out", "[io]") {
  io::Scene scene;
  CHECK_THROWS_WITH(io::glb(scene, {0, 0, 0}), ContainsSubstring("up"));
  CHECK(!File(io::glb(scene)).json.contains("meshes"));
  (void)scene.tube("never put", 0.1);
  CHECK(!File(io::glb(scene)).json.contains("meshes"));
  const test::Folder folder;
  io::write_glb(folder.path / "scene.glb", scene);
  CHECK(std::filesystem::file_size(folder.path / "scene.glb") == io::glb(scene).size());
  CHECK_THROWS_AS(io::write_glb(folder.path / "none" / "scene.glb", scene), std::runtime_error);
}

}  // namespace gltf_test
