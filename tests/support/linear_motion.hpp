#pragma once

/// @file
/// Whether small motions are those that the engine's own equations have.

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include <dalembert/assembly/state.hpp>
#include <dalembert/modes/linearization.hpp>
#include "support/catch.hpp"

namespace test {

using Complex = std::complex<double>;

/// The accelerations that the engine finds a little along Re φeˢᵗ and Im φeˢᵗ are those of this motion: what is missing, relative to them.
template <class P>
double error_of_motion(const P& problem, const dalembert::assembly::State<double>& x,
                       const dalembert::assembly::LinearMotion<double>& motion) {
  const Complex s = motion.eigenvalue;
  double largest = 0, wrong = 0, shape = 0;
  for (std::size_t b = 0; b < x.chains.size(); ++b)
    for (Eigen::Index k = 0; k < x[b].nodes; ++k)
      for (int j = 0; j < 6; ++j)
        shape = std::max(shape, std::hypot(motion.real[b](k, j), motion.imaginary[b](k, j)));
  const double h = 5e-5 / shape;
  for (const Complex phase : {Complex(1, 0), Complex(0, 1)}) {
    auto rates = problem.make_rates();
    std::array<dalembert::assembly::NodeNumbers<double>, 4> a;
    const std::array<double, 4> steps{-2 * h, -h, h, 2 * h};
    for (std::size_t side = 0; side < 4; ++side) {
      auto u = problem.make_increment();
      u.set_zero();
      dalembert::assembly::State<double> moved = x;
      const double by = steps[side];
      for (std::size_t b = 0; b < x.chains.size(); ++b)
        for (Eigen::Index k = 0; k < x[b].nodes; ++k)
          for (int j = 0; j < 6; ++j) {
            const Complex phi = phase * Complex(motion.real[b](k, j), motion.imaginary[b](k, j));
            u.displacement[b](k, j) = by * phi.real();
            u.velocity[b](k, j) = by * (s * phi).real();
          }
      problem.retract(x, u, moved);
      problem.solve_algebraic(moved);
      problem.rates(moved, rates);
      a[side] = rates.xidot;
    }
    for (std::size_t b = 0; b < x.chains.size(); ++b)
      for (Eigen::Index k = 0; k < x[b].nodes; ++k)
        for (int j = 0; j < 6; ++j) {
          const Complex phi = phase * Complex(motion.real[b](k, j), motion.imaginary[b](k, j));
          const auto by = [&](std::size_t side) { return a[side][b](k, j); };
          const double expected = (s * s * phi).real();
          const double found = (8 * (by(2) - by(1)) - (by(3) - by(0))) / (12 * h);
          largest = std::max(largest, std::abs(expected));
          wrong = std::max(wrong, std::abs(found - expected));
        }
  }
  return wrong / largest;
}

template <class P>
void check_motions(const P& problem, const dalembert::assembly::State<double>& x, const Complex& shift,
                   int count, double tolerance = 1e-5) {
  const auto found = linearization(problem, x, {.count = count, .shift = shift});
  REQUIRE(found.size() == static_cast<std::size_t>(count));
  for (const auto& motion : found) {
    CAPTURE(motion.eigenvalue, motion.residual);
    CHECK(error_of_motion(problem, x, motion) < tolerance);
  }
}

}  // namespace test
