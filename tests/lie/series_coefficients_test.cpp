// Coefficients of the series behind exp and log, as fractions.

#include <dalembert/lie/series.hpp>

#include "support/catch.hpp"

namespace series_coefficients_test {

using namespace dalembert::lie_series::detail;

TEST_CASE("coefficients of Taylor series are what their formulas say", "[lie]") {
  constexpr auto sine = stumpff_taylor<double, 4>(1);
  constexpr auto above = stumpff_taylor<double, 3>(6);
  static_assert(sine[0] == 1 && sine[1] == -1 / 6.0 && sine[2] == 1 / 120.0 && sine[3] == -1 / 5040.0);
  static_assert(above[0] == 1 / 720.0 && above[1] == -1 / 40320.0 && above[2] == 1 / 3628800.0);
  static_assert(asinc_coefficient(0) == 1 && static_cast<double>(asinc_coefficient(1)) == 1 / 6.0 &&
                static_cast<double>(asinc_coefficient(2)) == 3 / 40.0);
  CHECK(sine[1] == -1 / 6.0);
}

}  // namespace series_coefficients_test
