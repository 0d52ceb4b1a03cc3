#pragma once

/// @file
/// Random vectors for the tests of groups, the same on every machine for one seed.

#include <cmath>
#include <random>

#include <dalembert/core/real.hpp>

namespace test {

class Sample {
 public:
  explicit Sample(unsigned seed) : engine_(seed) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  /// 10 to a uniform power in [low, high).
  double decade(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  /// Components uniform in [−1, 1).
  template <int N>
  dalembert::Vec<double, N> vector() {
    dalembert::Vec<double, N> x;
    for (int i = 0; i < N; ++i) x[i] = uniform(-1, 1);
    return x;
  }
  /// A direction.
  template <int N>
  dalembert::Vec<double, N> unit() {
    for (;;) {
      const dalembert::Vec<double, N> x = vector<N>();
      if (x.norm() > 0.1 && x.norm() < 1) return x.normalized();
    }
  }

 private:
  std::mt19937 engine_;
};

}  // namespace test
