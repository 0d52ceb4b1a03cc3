#include <dalembert/contact/cone.hpp>

#include "support/catch.hpp"

using namespace dalembert;

TEST_CASE("the required friction is what a contact needs, infinite where it does not push") {
  using V = Vec<double, 3>;
  CHECK(contact::required_friction(V(2.0, 0.3, -0.4)) == Approx(0.25).epsilon(1e-15));
  CHECK(contact::required_friction(V(2.0, 0.0, 0.0)) == 0);
  for (const V& pull : {V(0, 1, 0), V(-1, 0, 0), V(0, 0, 0), V(std::nan(""), 0, 0)})
    CHECK(contact::required_friction(pull) == std::numeric_limits<double>::infinity());
}

TEST_CASE("a contact rolls inside the friction cone and on it") {
  using V = Vec<double, 3>;
  CHECK(contact::inside_friction_cone(V(2.0, 0.3, 0.4), 0.25));
  CHECK_FALSE(contact::inside_friction_cone(V(2.0, 0.3, 0.4), 0.2499));
  CHECK(contact::inside_friction_cone(V(1.0, 0.0, 0.0), 0.0));
  CHECK_FALSE(contact::inside_friction_cone(V(-1.0, 0.0, 0.0), 10.0));
  CHECK_FALSE(contact::inside_friction_cone(V(0.0, 0.0, 0.0), 10.0));
  CHECK_FALSE(contact::inside_friction_cone(V(0.0, 1.0, 0.0), std::numeric_limits<double>::infinity()));
  CHECK_THROWS_AS(contact::inside_friction_cone(V(1, 0, 0), -0.1), std::invalid_argument);
  CHECK_THROWS_AS(contact::inside_friction_cone(V(1, 0, 0), std::nan("")), std::invalid_argument);
}

TEST_CASE("the part of contacts that roll is the solid angle of the cone") {
  CHECK(contact::rolling_fraction(0.2) == Approx(0.0194).margin(5e-5));
  CHECK(contact::rolling_fraction(1.0) == Approx(0.293).margin(5e-4));
  CHECK(contact::rolling_fraction(0.0) == 0);
  CHECK(contact::rolling_fraction(1e6) == Approx(1).epsilon(2e-6));
  for (const double k : {0.1, 0.7, 3.0})
    CHECK(contact::rolling_fraction(k) == Approx(1 - std::cos(std::atan(k))).epsilon(1e-14));
  CHECK(contact::rolling_fraction(1e-9) == Approx(0.5e-18).epsilon(1e-14));  // no digit lost
  for (const double bad : {-0.1, std::nan(""), HUGE_VAL})
    CHECK_THROWS_AS(contact::rolling_fraction(bad), std::invalid_argument);
}

TEST_CASE("sampling agrees with the solid angle to the statistical error") {
  std::mt19937_64 generator(test::seed());
  const long samples = 200000;
  for (const double k : {0.2, 0.5, 1.0, 2.0}) {
    const double p = contact::rolling_fraction(k);
    const double deviation = std::sqrt(p * (1 - p) / static_cast<double>(samples));
    CHECK(std::abs(contact::sampled_rolling_fraction(k, samples, generator) - p) < 4 * deviation);
  }
  // none and all of them, to the last one
  CHECK(contact::sampled_rolling_fraction(0.0, 1000, generator) == 0);
  CHECK(contact::sampled_rolling_fraction(1e300, 1000, generator) == 1);
  CHECK_THROWS_AS(contact::sampled_rolling_fraction(0.5, 0, generator), std::invalid_argument);
  CHECK_NOTHROW(contact::sampled_rolling_fraction(0.5, 1, generator));
}
