#pragma once

/// @file
/// Data that reach a contact smoothly.

#include <cmath>

#include <dalembert/string/strings.hpp>

namespace test {

/// u = height (1 − (x − x0)²)⁶ for |x − x0| < 1, zero elsewhere, moving to the right with `speed`.
inline dalembert::strings::Profile<> bump(double x0, double height, double speed = 0) {
  const auto shape = [=](double x) {
    const double y = x - x0;
    return std::abs(y) < 1 ? height * std::pow(1 - y * y, 6) : 0.0;
  };
  const auto slope = [=](double x) {
    const double y = x - x0;
    return std::abs(y) < 1 ? -12 * y * height * std::pow(1 - y * y, 5) : 0.0;
  };
  return {.displacement = shape, .velocity = [=](double x) { return -speed * slope(x); }, .slope = slope};
}

}  // namespace test
