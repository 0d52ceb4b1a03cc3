#pragma once

/// @file
/// Numbers, directions, rotations and places anywhere in space, drawn at random.

#include <array>
#include <cmath>
#include <random>

#include <dalembert/lie/so3.hpp>

namespace test {

/// Numbers, directions and rotations at random.
class Draw {
 public:
  using Vec3 = dalembert::Vec<double, 3>;

  explicit Draw(unsigned seed) : engine_(seed) {}
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  double power(double a, double b) { return std::pow(10.0, between(a, b)); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  Vec3 vector() {
    const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    return {x, y, z};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector();
      if (v.norm() > 0.1 && v.norm() < 1) return v / v.norm();
    }
  }
  Vec3 across(const Vec3& n) {
    const Vec3 v = n.cross(direction());
    return v.norm() > 0.1 ? Vec3(v / v.norm()) : across(n);
  }
  dalembert::SO3<double> rotation() { return dalembert::SO3<double>::exp(Vec3(3 * vector())); }
  /// As far from the origin of space as a scene of that size may be: nearly nothing, or a kilometre.
  Vec3 origin(double size) {
    const double far =
        std::array{0.0, 1e-8 * size, 1e-4 * size, size, power(-3, 3)}[static_cast<std::size_t>(below(5))];
    return far * direction();
  }
  /// How far along itself a plane or an axis may be given from where it is touched.
  double aside(double size) { return std::array{0.0, size, 1e3}[static_cast<std::size_t>(below(3))]; }

 private:
  std::mt19937 engine_;
};

}  // namespace test
