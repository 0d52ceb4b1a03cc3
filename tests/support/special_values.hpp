#pragma once

/// @file
/// Derivatives at the values where formulas change or work is left out.

#include <cmath>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>

#include "support/catch.hpp"

namespace test {

/// f of plain numbers has at 0 the derivative that f of dual numbers says, by differences of order 4; one-sided where f takes no negative numbers.
template <class F>
void check_derivative(const F& f, double h, bool one_sided = false, double digits = 1e-7) {
  const auto at = [&](int steps) { return double(f(steps * h)); };
  const double slope = one_sided ? (-25 * at(0) + 48 * at(1) - 36 * at(2) + 16 * at(3) - 3 * at(4)) / (12 * h)
                                 : (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
  const auto y = f(dalembert::Dual<double, 1>::variable(0.0, 0));
  REQUIRE(std::abs(slope) > 1e-6);
  CHECK(std::abs(y.value() - at(0)) <= 1e-12 * std::abs(at(0)));
  CHECK(std::abs(y.derivative(0) - slope) <= digits * std::abs(slope));
}

/// What the special values are: each is added to its own.
template <class S>
struct Change {
  S damping{0}, first{0}, second{0}, gravity{0};
};

template <class S>
dalembert::Vec<S, 3> vector(S x, S y, S z) {
  return {x, y, z};
}

template <class S>
dalembert::assembly::RigidBody<S> body(const Change<S>& c) {
  typename dalembert::assembly::RigidBody<S>::Parameters p;
  p.mass = S(0.5);
  p.inertia = vector<S>(S(0.02) + c.first, S(0.02) + c.second, S(0.03));
  p.damping = c.damping;
  p.gravity = vector<S>(S(0), S(0), c.gravity);
  return dalembert::assembly::RigidBody<S>(p);
}

}  // namespace test
