// The orders of collocation methods, on groups and vector spaces, on problems that are reversible and on one that is not.

#include <cmath>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/pendulum_driver.hpp>

#include "laws/collocation_laws.hpp"
#include "support/systems.hpp"

namespace collocation_order_laws_test {

using namespace dalembert;
using namespace test;

/// The order seen between `steps` and twice as many, against Gauss with more stages and more steps.
template <class M, class P>
void check_order(const M& method, const Case<P>& test_case, int steps) {
  const auto reference = after(Gauss<6>{}, test_case, 3 * steps);
  const auto coarse = test_case.problem.difference(after(method, test_case, steps), reference).norm();
  const auto fine = test_case.problem.difference(after(method, test_case, 2 * steps), reference).norm();
  CAPTURE(M::order, steps, coarse, fine);
  CHECK(static_cast<double>(std::log2(coarse / fine)) == Approx(M::order).margin(0.15));
}

TEST_CASE("collocation converges with its order, and no faster: SE(2)", "[laws][order][collocation]") {
  const auto test_case = sleigh_case();
  check_order(Gauss<1>{}, test_case, 20);
  check_order(Gauss<2>{}, test_case, 8);
  check_order(Gauss<3>{}, test_case, 4);
  check_order(Gauss<4>{}, test_case, 3);
  check_order(Radau<2>{}, test_case, 40);
  check_order(Radau<3>{}, test_case, 10);
}

TEST_CASE("collocation converges with its order, and no faster: SO(3)", "[laws][order][collocation]") {
  const auto test_case = suslov_case();
  check_order(Gauss<2>{}, test_case, 8);
  check_order(Gauss<3>{}, test_case, 5);
  check_order(Radau<3>{}, test_case, 12);
}

TEST_CASE("collocation converges with its order, and no faster: where nothing is reversible",
          "[laws][order][collocation]") {
  const auto test_case = driver_case<long double>();
  check_order(Gauss<1>{}, test_case, 40);
  check_order(Gauss<2>{}, test_case, 40);
  check_order(Gauss<3>{}, test_case, 24);
  check_order(Gauss<4>{}, test_case, 16);
  check_order(Gauss<5>{}, test_case, 16);
  check_order(Radau<2>{}, test_case, 40);
  check_order(Radau<3>{}, test_case, 40);
}

}  // namespace collocation_order_laws_test
