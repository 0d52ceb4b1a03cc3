#pragma once

/// @file
/// What the tests of balls share: bodies of uneven mass, and configurations.

#include <dalembert/core/real.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/so3.hpp>

namespace test {

/// A tensor of inertia about axes that are turned against the body's: moments x + y, y + z, z + x with x, y, z > 0.
template <class S, class Random>
dalembert::Mat<S, 3> inertia(Random& random) {
  const S x = random.positive(), y = random.positive(), z = random.positive();
  const dalembert::Mat<S, 3> turn = random.template element<dalembert::SO3<S>>().matrix();
  const dalembert::Vec<S, 3> moments(x + y, y + z, z + x);
  dalembert::Mat<S, 3> tensor = turn * moments.asDiagonal() * turn.transpose();
  return S(0.5) * (tensor + tensor.transpose());
}

/// An attitude and a place.
template <class S, int N = 2, class Random>
auto configuration(Random& random) {
  return random.template element<dalembert::Product<dalembert::SO3<S>, dalembert::Rn<S, N>>>();
}

/// The energy-momentum tensor of a mass that only turns about a contact at distance R: D(1 − γγᵀ).
template <class S>
dalembert::Mat<S, 3> across(S d, const dalembert::Vec<S, 3>& up) {
  return d * (dalembert::Mat<S, 3>::Identity() - up * up.transpose());
}

}  // namespace test
