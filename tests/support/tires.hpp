#pragma once

/// @file
/// What the tests of tyres share: random tyres and states, and the characteristic polynomial of a matrix.

#include <array>
#include <cstddef>

#include <dalembert/core/real.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/se2.hpp>

#include "laws/system_laws.hpp"

namespace test {

using dalembert::Mat;
using dalembert::Product;
using dalembert::Rn;
using dalembert::SE2;
using dalembert::Vec;

/// A number in ±[0.3, 3].
template <class S>
S of_any_sign(laws::Random<S>& random) {
  const S size = random.positive();
  return random() < 0 ? -size : size;
}

/// A place and heading, and N more coordinates.
template <int N, class S>
Product<SE2<S>, Rn<S, N>> place(laws::Random<S>& random) {
  const S x = random(), y = random(), theta = 3 * random();
  return {SE2<S>(x, y, theta), Rn<S, N>(random.template vector<N>())};
}

/// The coefficients of det(λ − A), the highest first, by Faddeev and Le Verrier.
template <class S, int N>
std::array<S, static_cast<std::size_t>(N + 1)> characteristic(const Mat<S, N>& a) {
  std::array<S, static_cast<std::size_t>(N + 1)> c{1};
  Mat<S, N> m = Mat<S, N>::Identity();
  for (int k = 1; k <= N; ++k) {
    const Mat<S, N> am = a * m;
    const S next = -am.trace() / static_cast<S>(k);
    c[static_cast<std::size_t>(k)] = next;
    m = am + next * Mat<S, N>::Identity();
  }
  return c;
}

/// The derivative by x at 0 of a function of N numbers, by differences of second order.
template <int N, class S, class F>
Mat<S, N> linearised(const F& f, S h) {
  Mat<S, N> slopes;
  for (int i = 0; i < N; ++i) {
    const Vec<S, N> step = h * Vec<S, N>::Unit(i);
    const Vec<S, N> back = -step;
    slopes.col(i) = (f(step) - f(back)) / (2 * h);
  }
  return slopes;
}

}  // namespace test
