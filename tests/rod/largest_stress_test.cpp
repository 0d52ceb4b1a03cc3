#include <dalembert/rod/largest_stress.hpp>

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace largest_stress_test {

using namespace dalembert;
using V = Vec<double, 3>;
constexpr double pi_ = static_cast<double>(pi);

TEST_CASE("the largest normal stress is that of the fibres", "[rod]") {
  const double a = 0.003;
  const auto section = test::soft_section<double>(a);
  const V n(0, 0, 12), m(0.02, -0.03, 0);
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {  // σ = n₃/A + (m₁x₂ − m₂x₁)/I on the surface
    const double angle = 2 * pi_ * i / 100000, x1 = a * std::cos(angle), x2 = a * std::sin(angle);
    largest = std::max(largest, n[2] / section.area() + (m[0] * x2 - m[1] * x1) / section.second_moment());
  }
  const auto stress = rod::largest_stress(section, rod::Stress<double>{n, m});
  CHECK(stress.normal() == Approx(largest));
  CHECK(stress.tangential() == 0);
  CHECK(stress.von_mises() == Approx(largest));
  CHECK(rod::largest_stress(section, rod::Stress<double>{-n, m}).axial == Approx(-12 / (pi_ * a * a)));
}

TEST_CASE("twist and shear have the stresses of textbooks", "[rod]") {
  const double a = 0.003;
  const auto section = test::soft_section<double>(a);
  const auto stress = rod::largest_stress(section, rod::Stress<double>{V(3, 4, 0), V(0, 0, -0.05)});
  CHECK(stress.torsion == Approx(2 * 0.05 / (pi_ * a * a * a)));  // 16 m/πd³
  CHECK(stress.shear == Approx(4 * 5 / (3 * pi_ * a * a)));
  CHECK(stress.normal() == 0);
  CHECK(stress.tangential() == Approx(stress.torsion + stress.shear));  // where they add up
  CHECK(stress.von_mises() == Approx(std::sqrt(3.0) * stress.tangential()));
}

/// 2 mm along e₁, 3 mm along e₂; the torsion modulus of its ratio of sides is 0.231 ab².
struct Rectangle {
  static double area() { return 6e-6; }
  static Vec<double, 2> second_moments() { return {2e-3 * 27e-9 / 12, 3e-3 * 8e-9 / 12}; }
  static Vec<double, 2> farthest_fibres() { return {1e-3, 1.5e-3}; }
  static double torsion_modulus() { return 0.231 * 3e-3 * 4e-6; }
};

TEST_CASE("a rectangle is bent most at its corners", "[rod]") {
  const V n(1, 0, -4), m(0.003, 0.002, 0.001);
  const auto stress = rod::largest_stress(Rectangle{}, rod::Stress<double>{n, m});
  double largest = 0;  // |σ| at the corners, σ = n₃/A + m₁x₂/I₁ − m₂x₁/I₂
  for (const double x1 : {-1e-3, 1e-3})
    for (const double x2 : {-1.5e-3, 1.5e-3})
      largest = std::max(largest, std::abs(-4 / 6e-6 + m[0] * x2 / 4.5e-12 - m[1] * x1 / 2e-12));
  CHECK(stress.normal() == Approx(largest));
  CHECK(stress.axial < 0);
  CHECK(stress.torsion == Approx(0.001 / (0.231 * 12e-9)));
  CHECK(stress.shear == Approx(2 / 6e-6));
}

}  // namespace largest_stress_test
