#include <dalembert/mechanics/detail/solve_checks.hpp>

#include "support/catch.hpp"

using namespace dalembert;

namespace solve_checks_test {

TEST_CASE("the size of a row is that of its largest term", "[assembler]") {
  using Equations = SaddlePoint<double, 3, 1, 1>;  // two velocities and an internal coordinate
  Equations equations{};
  equations.mass.setZero();
  equations.constraint << 3, -5, 7;
  equations.drift << 0;
  const auto size = [&](double x, double y, double z) {
    return detail::row_size<double, 2, 1, 1, 1>(equations, 0, Vec<double, 2>(x, y), Vec<double, 1>(z));
  };
  CHECK(size(0, 0, 0) == 0);
  CHECK(size(-2, 0, 0) == 6);
  CHECK(size(1, 2, 0) == 10);
  CHECK(size(1, 2, -3) == 21);
  equations.drift << -30;
  CHECK(size(1, 2, -3) == 30);
  // Forces of the size s in a norm by the mass: |A| M^(-1/2) s, over what has inertia.
  equations.mass(0, 0) = 9;
  equations.square_size = 1600;
  CHECK(size(1, 2, -3) == Approx(40));
  equations.mass(1, 1) = 25;
  CHECK(size(1, 2, -3) == Approx(40 * std::sqrt(2.0)));
}

}  // namespace solve_checks_test
