#pragma once

#include <cmath>
#include <random>

#include <dalembert/core/real.hpp>

#include "support/catch.hpp"

/// What the tests of straight rolling tyres share.
namespace test {

/// In ±[0.3, 3], the sign for speeds only.
class TireDraw {
 public:
  double positive() { return std::exp(spread_(engine_)); }
  double speed() { return spread_(engine_) < 0 ? -positive() : positive(); }

 private:
  std::mt19937 engine_{seed()};
  std::uniform_real_distribution<double> spread_{-1.1, 1.1};
};

/// The characteristic polynomial of straight rolling, with the zero divided out that is there because the wheel may roll at any speed.
template <class Linearization>
dalembert::Vec<double, Eigen::Dynamic> published_part(const Linearization& straight) {
  const dalembert::Vec<double, Eigen::Dynamic> all = straight.characteristic();
  CHECK(std::abs(all[all.size() - 1]) < 1e-10);
  return all.head(all.size() - 1);
}

}  // namespace test
