#include "support/scene_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

namespace example {

namespace {

using V = dalembert::Vec<double, 3>;
using dalembert::io::Part;
using dalembert::io::SceneShape;
using Corner = Canvas::Corner;

constexpr double turn = 2 * std::numbers::pi;

/// Okabe and Ito's colours, which colour-blind people tell apart, in the order of `io::Look`.
Rgb colour_of(int number) {
  constexpr std::array<Rgb, 8> all{{{0.0F, 0.45F, 0.70F},
                                    {0.90F, 0.62F, 0.0F},
                                    {0.0F, 0.62F, 0.45F},
                                    {0.84F, 0.37F, 0.0F},
                                    {0.60F, 0.62F, 0.65F},
                                    {0.34F, 0.71F, 0.91F},
                                    {0.94F, 0.89F, 0.26F},
                                    {0.80F, 0.47F, 0.65F}}};
  return all[static_cast<std::size_t>(std::clamp(number, 0, 7))];
}
Rgb paler(const Rgb& c, float share) {
  return {c[0] + share * (1 - c[0]), c[1] + share * (1 - c[1]), c[2] + share * (1 - c[2])};
}
/// Of what has a part of the largest heat.
Rgb hot(float part) {
  constexpr std::array<Rgb, 4> all{
      {{0.82F, 0.84F, 0.87F}, {0.94F, 0.85F, 0.36F}, {0.88F, 0.46F, 0.05F}, {0.62F, 0.05F, 0.10F}}};
  const float at = 3 * std::clamp(part, 0.0F, 1.0F);
  const auto i = static_cast<std::size_t>(std::min(at, 2.0F));
  const float t = at - static_cast<float>(i);
  Rgb mixed{};
  for (std::size_t c = 0; c < 3; ++c) mixed[c] = (1 - t) * all[i][c] + t * all[i + 1][c];
  return mixed;
}

V place_of(const SceneShape& shape, std::size_t frame, std::size_t node = 0) {
  const std::size_t at = 3 * ((shape.still ? 0 : frame) * shape.nodes + node);
  return {shape.positions[at], shape.positions[at + 1], shape.positions[at + 2]};
}
Eigen::Quaterniond turn_of(const SceneShape& shape, std::size_t frame, std::size_t node = 0) {
  const std::size_t at = 4 * ((shape.still ? 0 : frame) * shape.nodes + node);
  return Eigen::Quaterniond(shape.turns[at], shape.turns[at + 1], shape.turns[at + 2], shape.turns[at + 3])
      .normalized();
}
/// A unit vector normal to another.
V across(const V& v) { return v.cross(std::abs(v[0]) < 0.8 ? V::UnitX() : V::UnitY()).normalized(); }

void quad(Canvas& canvas, const Corner& a, const Corner& b, const Corner& c, const Corner& d,
          const Rgb& colour, bool lit = true) {
  canvas.triangle(a, b, c, colour, lit);
  canvas.triangle(a, c, d, colour, lit);
}

/// A surface at(u, v) of rows and columns of quads, with a colour for each.
template <class At, class Colour>
void surface(Canvas& canvas, int rows, int columns, const At& at, const Colour& colour) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      quad(canvas, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1), colour(i, j));
}

void draw_ball(Canvas& canvas, const V& centre, const Eigen::Quaterniond& q, double radius, const Rgb& colour,
               bool striped, int rings = 24) {
  surface(
      canvas, rings, 2 * rings,
      [&](int i, int j) {
        const double latitude = turn / 2 * (static_cast<double>(i) / rings - 0.5),
                     longitude = turn * j / (2 * rings);
        const V n = q * V(std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
                          std::sin(latitude));
        return Corner{V(centre + radius * n), n};
      },
      [&](int i, int j) {
        const bool other = ((j * 4) / (2 * rings) + (2 * i) / rings) % 2 == 1;
        return striped && other ? paler(colour, 0.75F) : colour;
      });
}

/// Rings of radius a at the start and b at the end about an axis, closed by discs.
void draw_cone(Canvas& canvas, const V& from, const V& to, double a, double b, const Rgb& colour,
               bool striped, const V& side) {
  constexpr int around = 24;
  const V axis = (to - from).normalized(), u = (side - side.dot(axis) * axis).normalized(), v = axis.cross(u);
  const auto out = [&](int j) {
    return V(std::cos(turn * j / around) * u + std::sin(turn * j / around) * v);
  };
  const auto shade = [&](int j) {
    return striped && (j * 4 / around) % 2 == 1 ? paler(colour, 0.75F) : colour;
  };
  for (int j = 0; j < around; ++j) {
    const V p = out(j), q = out(j + 1);
    quad(canvas, {V(from + a * p), p}, {V(to + b * p), p}, {V(to + b * q), q}, {V(from + a * q), q},
         shade(j));
    canvas.triangle({from, V(-axis)}, {V(from + a * p), V(-axis)}, {V(from + a * q), V(-axis)}, shade(j));
    canvas.triangle({to, axis}, {V(to + b * p), axis}, {V(to + b * q), axis}, shade(j));
  }
}

/// Triangles of a polygon that goes round counter-clockwise: ears are cut off until there are none.
std::vector<std::array<std::size_t, 3>> ears(const std::vector<dalembert::Vec<double, 2>>& corners) {
  std::vector<std::size_t> left(corners.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  const auto area = [&](std::size_t a, std::size_t b, std::size_t c) {
    const auto p = corners[b] - corners[a], q = corners[c] - corners[a];
    return p[0] * q[1] - p[1] * q[0];
  };
  std::vector<std::array<std::size_t, 3>> all;
  for (std::size_t misses = 0, i = 0; left.size() > 2 && misses < left.size();) {
    const std::size_t n = left.size(), a = left[(i + n - 1) % n], b = left[i % n], c = left[(i + 1) % n];
    const bool ear =
        area(a, b, c) > 0 && std::none_of(left.begin(), left.end(), [&](std::size_t k) {
          return k != a && k != b && k != c && area(a, b, k) >= 0 && area(b, c, k) >= 0 && area(c, a, k) >= 0;
        });
    if (ear) {
      all.push_back({a, b, c});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i % n));
      misses = 0;
    } else {
      ++misses;
      ++i;
    }
  }
  return all;
}

void draw_part(Canvas& canvas, const Part& part, const V& origin, const Eigen::Quaterniond& q,
               const Rgb& body) {
  const Rgb colour = part.colour < 0 ? body : colour_of(part.colour);
  const V v = part.rotation.v();
  const Eigen::Quaterniond own = q * Eigen::Quaterniond(part.rotation.w(), v[0], v[1], v[2]);
  const V centre = origin + q * part.position, x = own * V::UnitX(), z = own * V::UnitZ();
  const auto at = [&](double a, double b, double c) { return V(centre + own * V(a, b, c)); };
  if (part.kind == Part::Kind::ball) draw_ball(canvas, centre, own, part.sizes[0], colour, part.striped);
  if (part.kind == Part::Kind::cylinder)
    draw_cone(canvas, V(centre - part.sizes[1] / 2 * z), V(centre + part.sizes[1] / 2 * z), part.sizes[0],
              part.sizes[0], colour, part.striped, x);
  if (part.kind == Part::Kind::box)
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {-1.0, 1.0}) {
        V n = V::Zero(), u = V::Zero(), w = V::Zero();
        n[axis] = sign;
        u[(axis + 1) % 3] = part.sizes[(axis + 1) % 3] / 2;
        w[(axis + 2) % 3] = part.sizes[(axis + 2) % 3] / 2;
        const V middle = part.sizes[axis] / 2 * n, normal = own * n;
        const auto corner = [&](double a, double b) {
          return Corner{V(centre + own * V(middle + a * u + b * w)), normal};
        };
        quad(canvas, corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), colour);
      }
  if (part.kind == Part::Kind::outline) {
    const double half = part.sizes[0] / 2;
    const auto& c = part.corners;
    for (const auto& ear : ears(c))
      for (const double side : {-half, half}) {
        const V normal = side < 0 ? V(-z) : z;
        std::array<Corner, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) corners[k] = {at(c[ear[k]][0], c[ear[k]][1], side), normal};
        canvas.triangle(corners[0], corners[1], corners[2], colour);
      }
    for (std::size_t k = 0; k < c.size(); ++k) {
      const auto &a = c[k], &b = c[(k + 1) % c.size()];
      const V normal = own * V(b[1] - a[1], a[0] - b[0], 0).normalized();
      quad(canvas, {at(a[0], a[1], -half), normal}, {at(b[0], b[1], -half), normal},
           {at(b[0], b[1], half), normal}, {at(a[0], a[1], half), normal}, colour);
    }
  }
}

/// A smooth line through the nodes of a shape: Catmull and Rom's, with `parts` pieces from node to node.
V between(const SceneShape& shape, std::size_t frame, std::size_t node, double t) {
  const std::size_t last = shape.nodes - 1;
  const V b = place_of(shape, frame, node), c = place_of(shape, frame, std::min(node + 1, last));
  const V a = node > 0 ? place_of(shape, frame, node - 1) : V(2 * b - c);
  const V d = node + 2 <= last ? place_of(shape, frame, node + 2) : V(2 * c - b);
  return V(b + 0.5 * t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * (b - c) + d - a))));
}

}  // namespace

SceneDrawing::SceneDrawing(const dalembert::io::Scene& scene, const dalembert::io::ViewText& view)
    : scene_(scene),
      longest_(dalembert::io::longest_arrows(scene.shapes())),
      flat_(view.flat),
      zoom_(view.zoom) {
  for (const SceneShape& shape : scene.shapes()) {
    std::size_t most = shape.arrows.empty() ? 0 : 1;
    for (const auto& now : shape.contacts) most = std::max(most, now.size());
    arrows_ += most;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  low_ = V::Constant(infinity);
  high_ = -low_;
  const auto include = [&](const V& x) {
    if (!x.allFinite()) return;
    low_ = low_.cwiseMin(x);
    high_ = high_.cwiseMax(x);
  };
  for (const SceneShape& shape : scene.shapes()) {
    for (std::size_t i = 0; i + 2 < shape.positions.size(); i += 3)
      include({shape.positions[i], shape.positions[i + 1], shape.positions[i + 2]});
    for (const auto& now : shape.contacts)
      for (const auto& one : now) include(one.point);
  }
  if (!(low_[0] <= high_[0])) low_ = high_ = V::Zero();
  size_ = std::max((high_ - low_).norm(), 1e-300);
  if (flat_) {
    right_ = V::UnitX();
    up_ = V::UnitY();
    back_ = V::UnitZ();
    return;
  }
  const V vertical = view.up.normalized(), east = across(vertical), north = vertical.cross(east);
  const double yaw = view.yaw * turn / 360, pitch = view.pitch * turn / 360;
  const V level = std::sin(yaw) * east - std::cos(yaw) * north;  // from the centre to where the eye stands
  back_ = std::cos(pitch) * level + std::sin(pitch) * vertical;
  right_ = vertical.cross(level);
  up_ = back_.cross(right_);
}

Sight SceneDrawing::whole(double aspect, std::size_t first, std::size_t last) const {
  const double infinity = std::numeric_limits<double>::infinity();
  double left = infinity, right = -infinity, bottom = infinity, top = -infinity, deep = 0;
  std::size_t count = 0;
  const auto include = [&](const V& x, double about) {
    if (!x.allFinite()) return;
    left = std::min(left, x.dot(right_) - about);
    right = std::max(right, x.dot(right_) + about);
    bottom = std::min(bottom, x.dot(up_) - about);
    top = std::max(top, x.dot(up_) + about);
    deep += x.dot(back_);
    ++count;
  };
  for (const SceneShape& shape : scene_.shapes()) {
    if (shape.nodes == 0) continue;
    double about = shape.look.radius;
    for (const double a : shape.radii) about = std::max(about, a);
    for (std::size_t f = shape.still ? 0 : first; f <= (shape.still ? 0 : last); ++f) {
      for (std::size_t k = 0; k < shape.nodes; ++k) include(place_of(shape, f, k), about);
      for (const Part& part : shape.parts) {
        const Eigen::Quaterniond q = turn_of(shape, f);
        const V middle = place_of(shape, f) + q * part.position;
        if (part.kind == Part::Kind::cylinder) {
          const V half = q * part.rotation.act(V(0, 0, part.sizes[1] / 2));
          include(middle - half, part.sizes[0]);
          include(middle + half, part.sizes[0]);
        } else {
          include(middle, part.reach() - part.position.norm());
        }
      }
    }
  }
  if (count == 0) return near(V::Zero(), 1);
  const double width = 1.12 * std::max({right - left, (top - bottom) * aspect, 1e-300}) / zoom_;
  return near(
      V((left + right) / 2 * right_ + (bottom + top) / 2 * up_ + deep / static_cast<double>(count) * back_),
      width);
}

Sight SceneDrawing::near(const V& place, double width, double steeper) const {
  const Eigen::AngleAxisd tilt(-steeper * turn / 360, right_);
  return {.centre = place, .right = right_, .up = tilt * up_, .width = width, .distance = flat_ ? 0.0 : 4.0};
}

std::size_t SceneDrawing::frame(double time) const {
  const auto& times = scene_.times();
  const auto after = std::lower_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return 0;
  if (after == times.end()) return times.size() - 1;
  const auto at = static_cast<std::size_t>(after - times.begin());
  return time - times[at - 1] < times[at] - time ? at - 1 : at;
}

V SceneDrawing::place(std::size_t shape, std::size_t frame) const {
  return place_of(scene_.shapes().at(shape), frame);
}

void SceneDrawing::draw(Canvas& canvas, std::size_t frame, bool marks, const std::vector<float>& heat) const {
  using Kind = SceneShape::Kind;
  for (const SceneShape& shape : scene_.shapes()) {
    if (shape.kind == Kind::plane) draw_plane(canvas, shape);
    if (shape.kind == Kind::tube && shape.nodes > 0) draw_tube(canvas, shape, frame, heat);
    if (shape.kind == Kind::curve && shape.nodes > 0) draw_curve(canvas, shape, frame);
    if (shape.kind == Kind::body) draw_body(canvas, shape, frame);
    if (!marks) continue;
    if (shape.kind == Kind::point) draw_point(canvas, shape, frame);
    if (shape.kind == Kind::contacts) draw_contacts(canvas, shape, frame);
    if (shape.look.path) draw_path(canvas, shape, frame);
  }
}

void SceneDrawing::draw_tube(Canvas& canvas, const SceneShape& shape, std::size_t frame,
                             const std::vector<float>& heat) const {
  constexpr int around = 32, parts = 3;
  if (!place_of(shape, frame).allFinite()) return;
  const bool heated = heat.size() == shape.nodes;
  Rgb colour = colour_of(shape.look.colour), other = paler(colour, 0.7F);
  const auto heat_at = [&](std::size_t node, double t) {
    if (!heated) return;
    const std::size_t next = std::min(node + 1, shape.nodes - 1);
    const auto part = static_cast<float>(t);
    colour = hot((1 - part) * heat[node] + part * heat[next]);
    other = paler(colour, 0.35F);  // turns are seen
  };
  struct Ring {
    V centre, u, v, axis;
    double radius;
  };
  const auto ring_at = [&](std::size_t node, double t) {
    const std::size_t next = std::min(node + 1, shape.nodes - 1);
    const Eigen::Quaterniond q = turn_of(shape, frame, node).slerp(t, turn_of(shape, frame, next));
    const double a =
        shape.radii.size() == 1 ? shape.radii[0] : (1 - t) * shape.radii[node] + t * shape.radii[next];
    return Ring{between(shape, frame, node, t), q * V::UnitX(), q * V::UnitY(), q * V::UnitZ(), a};
  };
  const auto corner = [&](const Ring& ring, int j) {
    const V n = std::cos(turn * j / around) * ring.u + std::sin(turn * j / around) * ring.v;
    return Corner{V(ring.centre + ring.radius * n), n};
  };
  const auto shade = [&](int j) { return (j / 4) % 2 == 0 ? colour : other; };
  const auto cap = [&](const Ring& ring, double sign) {
    const V normal = sign * ring.axis;
    for (int j = 0; j < around; ++j)
      canvas.triangle({ring.centre, normal}, {corner(ring, j).position, normal},
                      {corner(ring, j + 1).position, normal}, shade(j));
  };
  Ring last = ring_at(0, 0);
  heat_at(0, 0);
  cap(last, -1);
  for (std::size_t k = 0; k + 1 < shape.nodes; ++k)
    for (int i = 1; i <= parts; ++i) {
      const Ring next = ring_at(k, static_cast<double>(i) / parts);
      heat_at(k, (i - 0.5) / parts);
      for (int j = 0; j < around; ++j)
        quad(canvas, corner(last, j), corner(next, j), corner(next, j + 1), corner(last, j + 1), shade(j));
      last = next;
    }
  cap(last, 1);
}

void SceneDrawing::draw_curve(Canvas& canvas, const SceneShape& shape, std::size_t frame) const {
  const Rgb colour = colour_of(shape.look.colour);
  for (std::size_t k = 0; k + 1 < shape.nodes; ++k) {
    const V a = place_of(shape, frame, k), b = place_of(shape, frame, k + 1);
    if (!(a - b).allFinite() || !((a - b).norm() > 0)) continue;
    draw_cone(canvas, a, b, shape.radii[0] / 2, shape.radii[0] / 2, colour, false,
              across(V((b - a).normalized())));
  }
}

void SceneDrawing::draw_body(Canvas& canvas, const SceneShape& shape, std::size_t frame) const {
  const V origin = place_of(shape, frame);
  if (!origin.allFinite()) return;
  const Eigen::Quaterniond q = turn_of(shape, frame);
  for (const Part& part : shape.parts) draw_part(canvas, part, origin, q, colour_of(shape.look.colour));
}

void SceneDrawing::draw_point(Canvas& canvas, const SceneShape& shape, std::size_t frame) const {
  const V at = place_of(shape, frame);
  V arrow = V::Zero();
  if (!shape.arrows.empty())
    arrow = V(shape.arrows[3 * frame], shape.arrows[3 * frame + 1], shape.arrows[3 * frame + 2]);
  if (at.allFinite()) draw_mark(canvas, shape, at, arrow, shape.look.colour);
}

/// As on pages: grey, green and red.
void SceneDrawing::draw_contacts(Canvas& canvas, const SceneShape& shape, std::size_t frame) const {
  constexpr std::array<int, 3> colours{4, 2, 3};
  for (const auto& one : shape.contacts[frame])
    draw_mark(canvas, shape, one.point, one.force, colours.at(one.mode));
}

void SceneDrawing::draw_mark(Canvas& canvas, const SceneShape& shape, const V& at, const V& arrow,
                             int number) const {
  const Rgb colour = colour_of(number);
  const double radius = shape.look.radius > 0 ? shape.look.radius : 0.006 * size_;
  draw_ball(canvas, at, Eigen::Quaterniond::Identity(), radius, colour, false, 10);
  if (shape.look.arrow.empty()) return;
  const double most = longest_.at(shape.look.arrow);
  if (!arrow.allFinite() || !(most > 0)) return;
  const double unit = (arrows_ > 4 ? 0.06 : 0.14) * size_;
  const V along = unit / std::max(most, arrow.norm()) * arrow;
  if (along.norm() < 2 * radius) return;
  const double thick = 0.012 * unit;
  const V tip = at + along, neck = at + along * (1 - std::min(0.5, 5 * thick / along.norm()));
  const V side = across(V(along.normalized()));
  draw_cone(canvas, at, neck, thick, thick, colour, false, side);
  draw_cone(canvas, neck, tip, 2.2 * thick, 0, colour, false, side);
}

void SceneDrawing::draw_plane(Canvas& canvas, const SceneShape& shape) const {
  const V u = across(shape.normal), v = shape.normal.cross(u);
  const double side = shape.size > 0 ? shape.size : 1.3 * size_;
  const V middle =
      shape.size > 0
          ? shape.at
          : V((low_ + high_) / 2 - ((low_ + high_) / 2 - shape.at).dot(shape.normal) * shape.normal);
  constexpr int squares = 12;
  surface(
      canvas, squares, squares,
      [&](int i, int j) {
        return Corner{V(middle +
                        side * ((static_cast<double>(i) / squares - 0.5) * u +
                                (static_cast<double>(j) / squares - 0.5) * v) -
                        1e-3 * size_ * shape.normal),
                      shape.normal};
      },
      [](int i, int j) {
        return (i + j) % 2 == 0 ? Rgb{1.0F, 1.0F, 1.0F} : Rgb{0.94F, 0.95F, 0.96F};
      });
}

void SceneDrawing::draw_path(Canvas& canvas, const SceneShape& shape, std::size_t frame) const {
  const Rgb colour = paler(colour_of(shape.look.colour), 0.45F);
  const double thick = 0.0015 * canvas.sight().width;
  for (std::size_t f = 0; f < frame && !shape.still; ++f) {
    const V a = place_of(shape, f), b = place_of(shape, f + 1), n = V(b - a).cross(back_);
    if (!n.allFinite() || !(n.norm() > 0)) continue;
    const V side = thick * n.normalized();
    quad(canvas, {V(a - side), back_}, {V(b - side), back_}, {V(b + side), back_}, {V(a + side), back_},
         colour, false);
  }
}

}  // namespace example
