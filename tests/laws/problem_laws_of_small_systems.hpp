#pragma once

/// @file
/// Small systems with random states, for the laws of problems.

#include <random>

#include <dalembert/core/errors.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/problem_laws.hpp"
#include "support/catch.hpp"

namespace test {

/// Add a system in `count` random states in which it is valid. `elsewhere` the states are those, moved by an element of the group.
template <class System>
void add_system(Problems& all, bool elsewhere, const char* name, const System& system,
                const Nature& nature = {}, int count = 6) {
  using namespace dalembert;
  using S = ScalarOf<System>;
  using Group = typename System::Group;
  const LagrangeDAlembert problem{system};
  using X = typename std::decay_t<decltype(problem)>::State;
  std::mt19937 engine{seed()};
  const auto fill = [&](auto& column, S size) {
    for (int i = 0; i < column.size(); ++i)
      column[i] = size * std::uniform_real_distribution<S>(-1, 1)(engine);
  };
  typename Group::Tangent place;
  fill(place, 1);
  std::vector<X> states;
  auto rates = problem.make_rates();
  for (int tries = 0; static_cast<int>(states.size()) < count && tries < 100 * count; ++tries) {
    X x;
    typename Group::Tangent at;
    fill(at, S(0.8L));
    fill(x.xi, S(1.5L));
    fill(x.z, S(0.3L));
    x.time = std::uniform_real_distribution<S>(0, 1)(engine);
    x.g = Group::exp(at);
    try {
      problem.solve_algebraic(x);
      X projected = x;
      if (!problem.project(projected).converged) continue;
      problem.rates(x, rates);
      problem.rates(projected, rates);
    } catch (const InvalidState&) {
      continue;
    }
    if (elsewhere && nature.equivariant) x.g = Group::exp(place) * x.g;
    states.push_back(x);
  }
  CAPTURE(name);
  REQUIRE(static_cast<int>(states.size()) == count);
  add_problem(all, name, problem, std::move(states), nature);
}

}  // namespace test
