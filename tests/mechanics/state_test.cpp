#include <dalembert/mechanics/state.hpp>

#include <limits>

#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/problem/concepts.hpp>

#include "support/catch.hpp"

namespace state_test {

using namespace dalembert;

static_assert(StageSpace<Increment<SE2d>, double>);
static_assert(StageSpace<Increment<SO3<long double>, 2>, long double>);

TEST_CASE("increments add up component by component", "[state]") {
  Increment<SE2d, 1> sum, k;
  k.eta = {1, 2, 3};
  k.xi = {-1, 0, 5};
  k.z[0] = 7;
  k.time = 1;
  sum.add_scaled(2.0, k);
  sum.add_scaled(-0.5, k);
  REQUIRE(sum.eta == Vec<double, 3>(1.5, 3, 4.5));
  REQUIRE(sum.xi == Vec<double, 3>(-1.5, 0, 7.5));
  REQUIRE(sum.z[0] == 10.5);
  REQUIRE(sum.time == 1.5);
  sum.set_zero();
  REQUIRE(sum.norm() == 0);
  REQUIRE(sum.time == 0);
}

TEST_CASE("the norm is the largest component, and does not hide what is not a number", "[state]") {
  Increment<SE2d, 1> u;
  u.eta = {1, -2, 0};
  REQUIRE(u.norm() == 2);
  u.xi = {0, 0, -3};
  REQUIRE(u.norm() == 3);
  u.z[0] = -4;
  REQUIRE(u.norm() == 4);
  u.time = 100;
  REQUIRE(u.norm() == 4);
  for (int i = 0; i < 3; ++i) {
    auto broken = u;
    broken.eta[i] = std::numeric_limits<double>::quiet_NaN();
    REQUIRE(std::isnan(broken.norm()));
    broken = u;
    broken.xi[i] = std::numeric_limits<double>::quiet_NaN();
    REQUIRE(std::isnan(broken.norm()));
  }
}

TEST_CASE("a state knows whether its numbers are finite", "[state]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  State<SE2d, 1> state;
  REQUIRE(state.is_finite());
  auto broken = state;
  broken.time = infinity;
  REQUIRE_FALSE(broken.is_finite());
  broken = state;
  broken.g = SE2d(infinity, 0, 0);
  REQUIRE_FALSE(broken.is_finite());
  broken = state;
  broken.g = SE2d(0, 0, std::numeric_limits<double>::quiet_NaN());
  REQUIRE_FALSE(broken.is_finite());
  broken = state;
  broken.xi[1] = -infinity;
  REQUIRE_FALSE(broken.is_finite());
  broken = state;
  broken.z[0] = infinity;
  REQUIRE_FALSE(broken.is_finite());
}

/// Whether each number of the state is missed if it is not finite.
template <class S>
void check_every_number(const S& state) {
  int count = 0;
  (void)state.template mapped<double>([&](double x) { return ++count, x; });
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int i = 0; i < count; ++i) {
      int at = 0;
      CAPTURE(bad, i, count);
      CHECK_FALSE(state.template mapped<double>([&](double x) { return at++ == i ? bad : x; }).is_finite());
    }
}

TEST_CASE("not one number of a state may be infinite or not-a-number", "[state]") {
  check_every_number(State<SE2d, 1>{});
  check_every_number(State<SO3d>{});
}

TEST_CASE("rates without a solve report neither redundant rows nor an iteration too many", "[state]") {
  const Rates<SE2d, 1> rates;
  CHECK(rates.report.redundant_rows == 0);
  CHECK(rates.report.iterations == 1);
}

TEST_CASE("states compare", "[state]") {
  State<SE2d> a{.time = 1, .g = SE2d(1, 2, 0.5), .xi = {1, 0, 2}};
  auto b = a;
  REQUIRE(a == b);
  b.xi[2] = 3;
  REQUIRE_FALSE(a == b);
}

}  // namespace state_test
