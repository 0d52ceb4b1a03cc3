#pragma once

#include <cmath>
#include <utility>

#include <dalembert/core/real.hpp>

/// What closed forms of bent rods are made of.
namespace example {

/// Complete elliptic integrals of the first and second kind of a modulus below 1, by the arithmetic-geometric mean.
[[nodiscard]] inline std::pair<double, double> elliptic(double modulus) {
  double a = 1, b = std::sqrt(1 - modulus * modulus), sum = modulus * modulus, power = 1;
  for (double c = modulus; std::abs(c) > 1e-16; power *= 2) {
    c = (a - b) / 2;
    const double next = (a + b) / 2;
    b = std::sqrt(a * b);
    a = next;
    sum += 2 * power * c * c;
  }
  const double first = static_cast<double>(dalembert::pi) / (2 * a);
  return {first, first * (1 - sum / 2)};
}

}  // namespace example
