#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <dalembert/core/real.hpp>

/// Lit triangles with depth, as pixels: for still pictures and films of what moves in space, where many hundreds of frames are drawn.
namespace example {

/// Red, green and blue between 0 and 1.
using Rgb = std::array<float, 3>;

/// Where the eye is and how much it sees.
struct Sight {
  using V = dalembert::Vec<double, 3>;
  V centre = V::Zero();                   ///< what is in the middle [m]
  V right = V::UnitX(), up = V::UnitY();  ///< directions on the picture, unit and normal to each other
  double width = 1;                       ///< across the picture, through the centre [m]
  double distance = 4;  ///< of the eye from the centre, in widths; 0 for an eye that is infinitely far
  [[nodiscard]] V ahead() const { return up.cross(right); }  ///< from the eye to the centre
};

/// A picture that triangles are drawn into. What is nearer hides what is farther, and throws a dark rim on it: so one sees which of two rods is in front.
class Canvas {
 public:
  using V = dalembert::Vec<double, 3>;
  struct Corner {
    V position, normal;
  };

  /// So many pixels, white; each is the mean of four samples.
  Canvas(int width, int height);
  /// Begin anew, seen from elsewhere.
  void look(const Sight& sight);
  /// A triangle with a colour; both of its sides are lit alike.
  void triangle(const Corner& a, const Corner& b, const Corner& c, const Rgb& colour, bool lit = true);
  /// A text of digits, points, minus, "t", "s", "=" and blanks, `size` pixels a dot, from a corner of the picture on [pixels].
  void write(const std::string& text, int left, int top, int size);
  /// Rows of red, green, blue from the top.
  [[nodiscard]] std::vector<std::uint8_t> pixels() const;
  [[nodiscard]] const Sight& sight() const noexcept { return sight_; }
  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }

 private:
  struct Text {
    std::string text;
    int left, top, size;
  };
  [[nodiscard]] std::array<double, 3> seen(const V& position) const;

  int width_, height_;
  Sight sight_{};
  V ahead_ = V::UnitZ();
  std::vector<float> depth_;  // from the eye, in widths of the sight
  std::vector<Rgb> colour_;
  std::vector<Text> texts_{};
};

}  // namespace example
