// Two assemblies of many kinds of constraints over long double, for the laws of problems.

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/assemblies.hpp"

namespace problem_laws_of_wide_assemblies {

using namespace dalembert;

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  auto scene = elsewhere
                   ? test::Scene<long double>(SO3<long double>::exp({0.3L, -1.1L, 0.7L}), {0.4L, 0.3L, -0.6L})
                   : test::Scene<long double>();
  const auto add = [&](const char* name, const auto& problem, const auto& x) {
    auto closed = x;
    problem.project(closed);
    test::add_problem(all, std::string(name) + " over long double", problem, {x, closed},
                      {.equivariant = true});
  };
  test::five_kinds(scene, add);
  test::eight_kinds(scene, add);
});

}  // namespace problem_laws_of_wide_assemblies
