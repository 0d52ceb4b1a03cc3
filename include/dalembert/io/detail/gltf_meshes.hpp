#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/io/scene_parts.hpp>

/// Triangles of what an `io::Scene` shows, for files in glTF.
namespace dalembert::io::detail {

/// Corners with normals, and triangles, counter-clockwise seen from outside.
struct GltfMesh {
  std::vector<float> positions{}, normals{};  ///< x, y, z
  std::vector<std::uint16_t> joints{};        ///< of a chain of frames: the one that moves the corner
  std::vector<std::uint32_t> triangles{};     ///< three corners each

  [[nodiscard]] std::uint32_t corners() const noexcept {
    return static_cast<std::uint32_t>(positions.size() / 3);
  }
  std::uint32_t corner(const Vec<double, 3>& x, const Vec<double, 3>& normal) {
    for (int i = 0; i < 3; ++i) {
      positions.push_back(static_cast<float>(x[i]));
      normals.push_back(static_cast<float>(normal[i]));
    }
    return corners() - 1;
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    triangles.insert(triangles.end(), {a, b, c});
  }
  void square(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
};

inline constexpr int gltf_sides = 24;  ///< of what is round

/// Corners in a circle about the third axis, with normals (out, up); their first one.
inline std::uint32_t add_ring(GltfMesh& mesh, double radius, double height, double out, double up) {
  const std::uint32_t first = mesh.corners();
  for (int j = 0; j <= gltf_sides; ++j) {
    const double angle = 2 * double(pi) * j / gltf_sides, c = std::cos(angle), s = std::sin(angle);
    (void)mesh.corner({radius * c, radius * s, height}, {out * c, out * s, up});
  }
  return first;
}

/// The surface between two rings.
inline void join_rings(GltfMesh& mesh, std::uint32_t low, std::uint32_t high) {
  for (std::uint32_t j = 0; j < gltf_sides; ++j) mesh.square(low + j, low + j + 1, high + j + 1, high + j);
}

/// The surface of a profile, points (radius, height) with normals (out, up), turned about the third axis.
inline void add_turned(GltfMesh& mesh, const std::vector<std::array<double, 4>>& profile) {
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto& [radius, height, out, up] = profile[i];
    const std::uint32_t first = add_ring(mesh, radius, height, out, up);
    if (i % 2 == 1) join_rings(mesh, before, first);
    before = first;
  }
}

/// A cylinder from one height to another that may narrow to another radius, with its ends.
inline void add_cone(GltfMesh& mesh, double low_radius, double low, double high_radius, double high) {
  const double slope = (low_radius - high_radius) / (high - low), length = std::hypot(1, slope);
  add_turned(mesh, {{0, low, 0, -1}, {low_radius, low, 0, -1}});
  add_turned(
      mesh, {{low_radius, low, 1 / length, slope / length}, {high_radius, high, 1 / length, slope / length}});
  if (high_radius > 0) add_turned(mesh, {{high_radius, high, 0, 1}, {0, high, 0, 1}});
}

/// A ball about the origin.
inline void add_ball(GltfMesh& mesh, double radius) {
  std::vector<std::array<double, 4>> rings;
  const auto ring = [&](int i) {
    const double angle = double(pi) * (i - 0.5 * gltf_sides / 2) / (0.5 * gltf_sides);
    const double c = i == 0 || 2 * i == gltf_sides ? 0 : std::cos(angle), s = std::sin(angle);
    rings.push_back({radius * c, radius * s, c, s});
  };
  for (int i = 0; 2 * i < gltf_sides; ++i) {
    ring(i);
    ring(i + 1);
  }
  add_turned(mesh, rings);
}

/// A prism over a polygon that goes round counter-clockwise, between two heights.
inline void add_prism(GltfMesh& mesh, const std::vector<Vec<double, 2>>& polygon, double low, double high) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto &a = polygon[i], &b = polygon[(i + 1) % n];
    const Vec<double, 3> normal = Vec<double, 3>(b[1] - a[1], a[0] - b[0], 0).normalized();
    const std::uint32_t p = mesh.corner({a[0], a[1], low}, normal),
                        q = mesh.corner({b[0], b[1], low}, normal),
                        r = mesh.corner({b[0], b[1], high}, normal),
                        s = mesh.corner({a[0], a[1], high}, normal);
    mesh.square(p, q, r, s);
  }
  // top and bottom, ear by ear
  const auto cross = [](const Vec<double, 2>& a, const Vec<double, 2>& b, const Vec<double, 2>& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  };
  const std::uint32_t up = mesh.corners();
  for (const auto& x : polygon) (void)mesh.corner({x[0], x[1], high}, {0, 0, 1});
  const std::uint32_t down = mesh.corners();
  for (const auto& x : polygon) (void)mesh.corner({x[0], x[1], low}, {0, 0, -1});
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < n; ++i) left.push_back(i);
  for (std::size_t i = 0, tried = 0; left.size() > 2; i = i % left.size()) {
    const std::size_t m = left.size();
    const std::uint32_t a = left[i], b = left[(i + 1) % m], c = left[(i + 2) % m];
    bool ear = cross(polygon[a], polygon[b], polygon[c]) > 0;
    for (const std::uint32_t other : left)
      if (ear && other != a && other != b && other != c)
        ear = cross(polygon[a], polygon[b], polygon[other]) < 0 ||
              cross(polygon[b], polygon[c], polygon[other]) < 0 ||
              cross(polygon[c], polygon[a], polygon[other]) < 0;
    if (!ear && ++tried < m) {
      ++i;
      continue;
    }
    mesh.triangle(up + a, up + b, up + c);
    mesh.triangle(down + a, down + c, down + b);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>((i + 1) % m));
    tried = 0;
  }
}

/// A part of a body about its own origin.
[[nodiscard]] inline GltfMesh mesh_of(const Part& part) {
  GltfMesh mesh;
  const Vec<double, 3>& size = part.sizes;
  if (part.kind == Part::Kind::ball) {
    add_ball(mesh, size[0]);
  } else if (part.kind == Part::Kind::cylinder) {
    add_cone(mesh, size[0], -size[1] / 2, size[0], size[1] / 2);
  } else if (part.kind == Part::Kind::outline) {
    add_prism(mesh, part.corners, -size[0] / 2, size[0] / 2);
  } else {
    const double x = size[0] / 2, y = size[1] / 2;
    add_prism(mesh, {{-x, -y}, {x, -y}, {x, y}, {-x, y}}, -size[2] / 2, size[2] / 2);
  }
  return mesh;
}

/// A tube through frames whose third axes run along it: each corner lies in the frame of its node. One
/// radius, or one per node.
[[nodiscard]] inline GltfMesh mesh_of_tube(std::size_t nodes, const std::vector<double>& radii) {
  GltfMesh mesh;
  const auto ring = [&](std::size_t k, double out, double up, bool centre) {
    const double radius = radii.size() == 1 ? radii[0] : radii[k];
    const std::uint32_t first = add_ring(mesh, centre ? 0 : radius, 0, out, up);
    mesh.joints.resize(mesh.corners(), static_cast<std::uint16_t>(k));
    return first;
  };
  const std::uint32_t tip = ring(0, 0, -1, true);
  join_rings(mesh, tip, ring(0, 0, -1, false));
  std::uint32_t before = ring(0, 1, 0, false);
  for (std::size_t k = 1; k < nodes; ++k) {
    const std::uint32_t here = ring(k, 1, 0, false);
    join_rings(mesh, before, here);
    before = here;
  }
  const std::uint32_t rim = ring(nodes - 1, 0, 1, false);
  join_rings(mesh, rim, ring(nodes - 1, 0, 1, true));
  return mesh;
}

/// An arrow of length one along the third axis.
[[nodiscard]] inline GltfMesh mesh_of_arrow() {
  GltfMesh mesh;
  add_cone(mesh, 0.015, 0, 0.015, 0.75);
  add_cone(mesh, 0.045, 0.75, 0, 1);
  return mesh;
}

/// A square of a plane about the origin, its normal along the third axis.
[[nodiscard]] inline GltfMesh mesh_of_square(double side) {
  GltfMesh mesh;
  const double h = side / 2;
  const Vec<double, 3> up(0, 0, 1);
  const std::uint32_t a = mesh.corner({-h, -h, 0}, up), b = mesh.corner({h, -h, 0}, up),
                      c = mesh.corner({h, h, 0}, up), d = mesh.corner({-h, h, 0}, up);
  mesh.square(a, b, c, d);
  return mesh;
}

}  // namespace dalembert::io::detail
