// Derivatives of functions that are known by their numbers alone, beside closed forms.

#include <dalembert/core/detail/central_difference.hpp>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "support/catch.hpp"

namespace central_difference_test {

using namespace dalembert;
using Catch::Matchers::WithinRel;
using Numbers = std::vector<double>;

double largest(const Numbers& all) {
  double most = 0;
  for (const double x : all) number::keep_larger(most, std::abs(x));
  return most;
}
/// f′(0) of one number, with steps from `first` on.
template <class F>
detail::CentralDifference<double> slope(const F& f, double first = 1) {
  return detail::central_difference<double>(
      first, 1, [&](double h, Numbers& out) { out[0] = f(h); }, largest, 0);
}

TEST_CASE("central differences know derivatives at any scale, and how well") {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    const auto found = detail::central_difference<double>(
        1, 2,
        [&](double h, Numbers& out) {
          out[0] = unit * std::exp(h / 3);
          out[1] = unit * std::sin(3 * h);
        },
        largest, 0);
    REQUIRE(found.value.size() == 2);
    CHECK_THAT(found.value[0], WithinRel(unit / 3, 1e-9));
    CHECK_THAT(found.value[1], WithinRel(3 * unit, 1e-9));
    const double error = std::max(std::abs(found.value[0] - unit / 3), std::abs(found.value[1] - 3 * unit));
    CHECK(error <= found.doubt);
    CHECK(found.doubt < 1e-7 * unit);
    CHECK(found.largest >= unit);
    CHECK(found.jump < 1e-6 * unit);
  }
}

TEST_CASE("steps go on where a function is not known, on either side") {
  const auto by_number = slope([](double h) { return std::log(1 + 10 * h); });  // no number below -0.1
  REQUIRE(by_number.value.size() == 1);
  CHECK_THAT(by_number.value[0], WithinRel(10.0, 1e-8));
  const auto mirrored = slope([](double h) { return std::log(1 - 10 * h); });
  REQUIRE(mirrored.value.size() == 1);
  CHECK_THAT(mirrored.value[0], WithinRel(-10.0, 1e-8));
  const auto by_error = slope([](double h) {
    if (h > 0.01) throw std::domain_error("too far");
    return 5 * h;
  });
  REQUIRE(by_error.value.size() == 1);
  CHECK_THAT(by_error.value[0], WithinRel(5.0, 1e-8));
}

TEST_CASE("a function that is finite on one side only has no central difference") {
  CHECK(slope([](double h) { return std::sqrt(h); }).value.empty());
  CHECK(slope([](double h) { return std::sqrt(-h); }).value.empty());
}

TEST_CASE("a jump is told by its size") {
  const auto found = slope([](double h) { return h < 0 ? -2.0 : 3.0; });
  CHECK(found.jump == 5);
  CHECK(found.largest == 3);
}

}  // namespace central_difference_test
