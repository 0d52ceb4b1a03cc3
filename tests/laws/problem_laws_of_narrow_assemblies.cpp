// An assembly of many kinds of constraints over float, for the laws of problems.

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/assemblies.hpp"

namespace problem_laws_of_narrow_assemblies {

using namespace dalembert;

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  auto scene = elsewhere ? test::Scene<float>(SO3<float>::exp({0.3F, -1.1F, 0.7F}), {0.4F, 0.3F, -0.6F})
                         : test::Scene<float>();
  test::five_kinds(scene, [&](const char* name, const auto& problem, const auto& x) {
    auto closed = x;
    problem.project(closed);
    test::add_problem(all, std::string(name) + " over float", problem, {x, closed},
                      {.tells_rates_apart = false, .equivariant = true});
  });
});

}  // namespace problem_laws_of_narrow_assemblies
