#include <dalembert/systems/whipple_parameters.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/catch.hpp"

namespace whipple_parameters_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Parameters = systems::WhippleParameters<>;

TEST_CASE("the linear matrices are those published for the benchmark", "[bicycle]") {
  const auto linear = systems::linearised(Parameters{});
  const auto check = [](const Mat<double, 2>& matrix, double a, double b, double c, double d) {
    Mat<double, 2> published;
    published << a, b, c, d;
    CHECK((matrix - published).cwiseAbs().maxCoeff() < 2e-14 * published.cwiseAbs().maxCoeff());
  };
  check(linear.M, 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686);
  check(linear.C1, 0, 33.86641391492494, -0.85035641456978, 1.68540397397560);
  check(linear.K0, -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618);
  check(linear.K2, 0, 76.59734589573222, 0, 2.65431523794604);
}

TEST_CASE("the rates of the linear bicycle solve its equations", "[bicycle]") {
  const auto linear = systems::linearised(Parameters{});
  const double v = 3.7, g = 9.81;
  const Vec<double, 4> state(0.3, -0.2, 0.5, 1.1);
  const Vec<double, 4> rates = linear.rates(v, g) * state;
  CHECK(rates.head<2>() == state.tail<2>());
  const Vec<double, 2> balance = linear.M * rates.tail<2>() + v * (linear.C1 * state.tail<2>()) +
                                 (g * linear.K0 + v * v * linear.K2) * state.head<2>();
  CHECK(balance.norm() < 1e-11);
}

TEST_CASE("impossible bicycles are refused, by name and value", "[bicycle]") {
  CHECK_NOTHROW(Parameters{}.check());
  CHECK_NOTHROW((Parameters{.trail = -0.05, .tilt = -0.1, .gravity = 0}.check()));
  CHECK_THROWS_WITH((Parameters{.wheelbase = -1}.check()),
                    ContainsSubstring("WhippleBicycle: wheelbase = -1"));
  CHECK_THROWS_WITH((Parameters{.tilt = 2}.check()), ContainsSubstring("WhippleBicycle: tilt = 2"));
  CHECK_THROWS_WITH((Parameters{.gravity = -9}.check()), ContainsSubstring("WhippleBicycle: gravity = -9"));
  CHECK_THROWS_AS((Parameters{.trail = std::nan("")}.check()), std::invalid_argument);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, infinity, std::nan("")}) {
    const auto refused = [bad](const auto& quantity) {
      Parameters p;
      quantity(p) = bad;
      CHECK_THROWS_AS(p.check(), std::invalid_argument);
      CHECK_THROWS_AS(systems::linearised(p), std::invalid_argument);
    };
    refused([](Parameters& p) -> double& { return p.wheelbase; });
    refused([](Parameters& p) -> double& { return p.rear.radius; });
    refused([](Parameters& p) -> double& { return p.front.mass; });
    refused([](Parameters& p) -> double& { return p.rear.diameter; });
    refused([](Parameters& p) -> double& { return p.front.axle; });
    refused([](Parameters& p) -> double& { return p.body.mass; });
    refused([](Parameters& p) -> double& { return p.fork.xx; });
    refused([](Parameters& p) -> double& { return p.body.yy; });
    refused([](Parameters& p) -> double& { return p.fork.zz; });
  }
  Parameters p;
  p.fork.xz = 0.1;
  CHECK_THROWS_WITH(p.check(), ContainsSubstring("WhippleBicycle: frame inertia xz = 0.1"));
  p = {};
  p.body.z = infinity;
  CHECK_THROWS_AS(p.check(), std::invalid_argument);
}

}  // namespace whipple_parameters_test
