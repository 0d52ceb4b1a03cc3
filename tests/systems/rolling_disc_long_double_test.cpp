// The laws of the rolling disc over long double, by itself for the compiler's sake.

#include "support/catch.hpp"
#include "systems/rolling_disc_laws.hpp"

TEST_CASE("a disc obeys Newton's and Euler's laws in long double", "[rolling_disc]") {
  laws::check_disc<long double>();
}
