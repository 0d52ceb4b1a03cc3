#include "support/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/Geometry>

namespace example {

namespace {

constexpr int finer = 2;  // samples along a pixel
constexpr float nowhere = std::numeric_limits<float>::infinity();
constexpr Rgb paper{1, 1, 1};

/// Seven rows of five dots.
const std::map<char, std::array<const char*, 7>>& glyphs() {
  static const std::map<char, std::array<const char*, 7>> all{
      {'0', {"01110", "10001", "10011", "10101", "11001", "10001", "01110"}},
      {'1', {"00100", "01100", "00100", "00100", "00100", "00100", "01110"}},
      {'2', {"01110", "10001", "00001", "00110", "01000", "10000", "11111"}},
      {'3', {"01110", "10001", "00001", "00110", "00001", "10001", "01110"}},
      {'4', {"00010", "00110", "01010", "10010", "11111", "00010", "00010"}},
      {'5', {"11111", "10000", "11110", "00001", "00001", "10001", "01110"}},
      {'6', {"00110", "01000", "10000", "11110", "10001", "10001", "01110"}},
      {'7', {"11111", "00001", "00010", "00100", "01000", "01000", "01000"}},
      {'8', {"01110", "10001", "10001", "01110", "10001", "10001", "01110"}},
      {'9', {"01110", "10001", "10001", "01111", "00001", "00010", "01100"}},
      {'.', {"00000", "00000", "00000", "00000", "00000", "01100", "01100"}},
      {'-', {"00000", "00000", "00000", "01110", "00000", "00000", "00000"}},
      {'=', {"00000", "00000", "11111", "00000", "11111", "00000", "00000"}},
      {'t', {"01000", "01000", "11100", "01000", "01000", "01001", "00110"}},
      {'s', {"00000", "00000", "01111", "10000", "01110", "00001", "11110"}},
  };
  return all;
}

}  // namespace

Canvas::Canvas(int width, int height)
    : width_(width),
      height_(height),
      depth_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * finer * finer),
      colour_(depth_.size()) {
  look({});
}

void Canvas::look(const Sight& sight) {
  sight_ = sight;
  ahead_ = sight.ahead();
  std::fill(depth_.begin(), depth_.end(), nowhere);
  std::fill(colour_.begin(), colour_.end(), paper);
  texts_.clear();
}

/// Sample to the right, sample down, and depth in widths of the sight.
std::array<double, 3> Canvas::seen(const V& position) const {
  const V from = (position - sight_.centre) / sight_.width;
  const double depth = from.dot(ahead_), d = sight_.distance;
  const double scale = width_ * finer * (d > 0 ? d / std::max(d + depth, 1e-3 * d) : 1);
  return {0.5 * width_ * finer + scale * from.dot(sight_.right),
          0.5 * height_ * finer - scale * from.dot(sight_.up), depth};
}

void Canvas::triangle(const Corner& a, const Corner& b, const Corner& c, const Rgb& colour, bool lit) {
  const auto p = seen(a.position), q = seen(b.position), r = seen(c.position);
  const double area = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
  if (!(std::abs(area) > 0)) return;
  const int columns = width_ * finer, rows = height_ * finer;
  const auto bound = [](double x, int most) {
    return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(most)));
  };
  const int left = bound(std::floor(std::min({p[0], q[0], r[0]})), columns),
            right = bound(std::ceil(std::max({p[0], q[0], r[0]})), columns),
            top = bound(std::floor(std::min({p[1], q[1], r[1]})), rows),
            bottom = bound(std::ceil(std::max({p[1], q[1], r[1]})), rows);
  // The light comes over the left shoulder.
  const V light = (-0.4 * sight_.right + 0.75 * sight_.up - 0.65 * ahead_).normalized();
  const V half = (light - ahead_).normalized();
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      const double dx = x + 0.5 - p[0], dy = y + 0.5 - p[1];
      const double v = (dx * (r[1] - p[1]) - (r[0] - p[0]) * dy) / area;
      const double w = ((q[0] - p[0]) * dy - dx * (q[1] - p[1])) / area;
      if (v < 0 || w < 0 || v + w > 1) continue;
      const auto depth = static_cast<float>((1 - v - w) * p[2] + v * q[2] + w * r[2]);
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x);
      if (!(depth < depth_[at])) continue;
      depth_[at] = depth;
      double bright = 1, shine = 0;
      if (lit) {
        V normal = (1 - v - w) * a.normal + v * b.normal + w * c.normal;
        const double length = normal.norm();
        if (length > 0) normal /= length;
        if (normal.dot(ahead_) > 0) normal = -normal;
        bright = 0.5 + 0.12 * normal.dot(sight_.up) + 0.42 * std::max(0.0, normal.dot(light));
        shine = 0.25 * std::pow(std::max(0.0, normal.dot(half)), 40);
      }
      for (std::size_t i = 0; i < 3; ++i)
        colour_[at][i] =
            static_cast<float>(std::clamp(static_cast<double>(colour[i]) * bright + shine, 0.0, 1.0));
    }
}

void Canvas::write(const std::string& text, int left, int top, int size) {
  texts_.push_back({text, left, top, size});
}

std::vector<std::uint8_t> Canvas::pixels() const {
  const int columns = width_ * finer, rows = height_ * finer;
  const auto index = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x);
  };
  constexpr int rim = 3;          // of samples
  constexpr float step = 0.006F;  // of depth, in widths: less is the same surface
  // The nearest that there is within the rim, along rows and then along columns.
  const auto nearest = [&](const std::vector<float>& from, int dx, int dy) {
    std::vector<float> to(from.size());
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        float least = nowhere;
        for (int k = -rim; k <= rim; ++k) {
          const int u = x + k * dx, v = y + k * dy;
          if (u >= 0 && v >= 0 && u < columns && v < rows) least = std::min(least, from[index(u, v)]);
        }
        to[index(x, y)] = least;
      }
    return to;
  };
  const auto near = nearest(nearest(depth_, 1, 0), 0, 1);
  const auto shade = [&](int x, int y) {
    const std::size_t at = index(x, y);
    if (near[at] == nowhere || depth_[at] - near[at] <= step) return 1.0F;
    return depth_[at] == nowhere ? 0.72F : 0.5F;
  };
  std::vector<std::uint8_t> bytes(3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      Rgb sum{};
      for (int j = 0; j < finer; ++j)
        for (int i = 0; i < finer; ++i) {
          const int u = finer * x + i, v = finer * y + j;
          const float dark = shade(u, v);
          for (std::size_t k = 0; k < 3; ++k) sum[k] += dark * colour_[index(u, v)][k] / (finer * finer);
        }
      for (std::size_t k = 0; k < 3; ++k)
        bytes[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(x)) +
              k] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(sum[k], 0.0F, 1.0F)));
    }
  for (const Text& text : texts_) {
    int left = text.left;
    for (const char c : text.text) {
      if (const auto glyph = glyphs().find(c); glyph != glyphs().end())
        for (int y = 0; y < 7 * text.size; ++y)
          for (int x = 0; x < 5 * text.size; ++x) {
            const int u = left + x, v = text.top + y;
            if (glyph->second[static_cast<std::size_t>(y / text.size)][x / text.size] != '1' || u < 0 ||
                v < 0 || u >= width_ || v >= height_)
              continue;
            for (std::size_t k = 0; k < 3; ++k)
              bytes[3 * (static_cast<std::size_t>(v) * static_cast<std::size_t>(width_) +
                         static_cast<std::size_t>(u)) +
                    k] = 60;
          }
      left += 6 * text.size;
    }
  }
  return bytes;
}

}  // namespace example
