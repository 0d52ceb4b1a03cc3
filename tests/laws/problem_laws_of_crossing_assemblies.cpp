// Rods that cross, and assemblies of many kinds of constraints, for the laws of problems.

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/assemblies.hpp"

namespace problem_laws_of_crossing_assemblies {

using namespace dalembert;

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  const auto scene = elsewhere ? test::Scene<double>(SO3<double>::exp({0.3, -1.1, 0.7}), {0.4, 0.3, -0.6})
                               : test::Scene<double>();
  test::crossing_assemblies(scene, [&](const char* name, const auto& problem, const auto& x) {
    auto closed = x;
    problem.project(closed);
    test::add_problem(all, name, problem, {x, closed}, {.equivariant = true});
  });
});

}  // namespace problem_laws_of_crossing_assemblies
