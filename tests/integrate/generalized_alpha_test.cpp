#include <dalembert/integrate/generalized_alpha.hpp>

#include <cmath>

#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/implicit.hpp"

namespace generalized_alpha_test {

using namespace dalembert;

TEST_CASE("the generalised-alpha method has order 2 for every spectral radius", "[implicit]") {
  const auto made = test::swinging_rod(8, true, 0.5);
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto exact = test::stepped(Verlet{}, problem, start, 5e-6, 8000).first;
  for (const double radius : {0.0, 0.5, 0.8, 1.0}) {
    const GeneralizedAlpha method{.spectral_radius = radius};
    const double coarse = test::distance(test::stepped(method, problem, start, 1e-4, 400).first, exact),
                 fine = test::distance(test::stepped(method, problem, start, 5e-5, 800).first, exact);
    INFO("radius " << radius << ", errors " << coarse << ", " << fine);
    CHECK(std::abs(std::log2(coarse / fine) - 2) < 0.2);
  }
}

TEST_CASE("the generalised-alpha method follows joined bodies with order 2 and keeps their joints",
          "[implicit]") {
  const auto made = test::double_pendulum();
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto exact = test::stepped(Verlet{}, problem, start, 1e-5, 20000).first;
  const auto coarse = test::stepped(GeneralizedAlpha{}, problem, start, 2e-3, 100).first,
             fine = test::stepped(GeneralizedAlpha{}, problem, start, 1e-3, 200).first;
  CHECK(std::abs(std::log2(test::distance(coarse, exact) / test::distance(fine, exact)) - 2) < 0.2);
  CHECK(problem.constraint(coarse).position < 1e-15);
  CHECK(problem.constraint(coarse).velocity < 1e-13);
}

/// A straight clamped rod that is stretched in one way and swings in another: what is left of its axial speed after steps that do not follow it.
double axial_speed_left(double radius) {
  auto made = test::swinging_rod(8, true, 0);
  const auto& problem = made.first;
  auto& start = made.second;
  for (int k = 1; k <= 8; ++k) start[0].velocity(k, 2) = 1e-3 * (k % 2 == 0 ? 1 : -1);
  const double h = 300 / problem.frequency_bound(start);
  const auto end = test::stepped(GeneralizedAlpha{.spectral_radius = radius}, problem, start, h, 30).first;
  return end[0].velocity.abs().maxCoeff() / 1e-3;
}

TEST_CASE("the generalised-alpha method takes out what steps cannot follow, unless its spectral radius is 1",
          "[implicit]") {
  CHECK(axial_speed_left(0.0) < 1e-6);
  CHECK(axial_speed_left(0.5) < 1e-3);
  CHECK(axial_speed_left(1.0) > 0.1);
}

TEST_CASE("options of Newton's method that mean nothing are refused by implicit methods", "[implicit]") {
  const auto made = test::double_pendulum();
  const NewtonOptions without{.iterations = 0};
  CHECK_THROWS_WITH((void)GeneralizedAlpha{.newton = without}.stepper(made.first, made.second),
                    Catch::Matchers::ContainsSubstring("iterations = 0"));
  CHECK_THROWS_WITH((void)ImplicitMidpoint{.newton = without}.stepper(made.first, made.second),
                    Catch::Matchers::ContainsSubstring("iterations = 0"));
}

TEST_CASE("steps of the generalised-alpha method do not allocate", "[implicit]") {
  const auto made = test::double_pendulum();
  const auto& problem = made.first;
  const auto& start = made.second;
  auto state = start;
  auto stepper = GeneralizedAlpha{}.stepper(problem, state);
  (void)stepper.step(problem, state, 1e-3);
  const long allocations = test::allocations_during([&] {
    for (int i = 0; i < 20; ++i) (void)stepper.step(problem, state, 1e-3);
  });
  CHECK(allocations == 0);
}

TEST_CASE("a spectral radius lies between 0 and 1", "[implicit]") {
  const auto made = test::swinging_rod(4, true);
  const auto& problem = made.first;
  const auto& start = made.second;
  CHECK_THROWS_AS((void)GeneralizedAlpha{.spectral_radius = 1.1}.stepper(problem, start),
                  std::invalid_argument);
}

}  // namespace generalized_alpha_test
