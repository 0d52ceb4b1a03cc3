// Assemblies of which some contacts slip under friction, for the laws of problems.

#include <dalembert/contact/friction.hpp>

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/assemblies.hpp"

namespace problem_laws_of_friction {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::with_friction;
using Scene = test::Scene<double>;
using Column = Vec<double, Eigen::Dynamic>;

constexpr double a = 0.005, width = 0.1, half = 0.5;

/// As it is, and put onto its exact rows.
template <class P>
void add(test::Problems& all, const char* name, const P& problem, const typename P::State& x) {
  auto closed = x;
  problem.project(closed);
  test::add_problem(all, name, problem, {x, closed},
                    {.reversible = false, .rows_in_any_state = false, .slips = true, .equivariant = true});
}

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  Scene scene = elsewhere ? Scene(SO3<double>::exp({0.3, -1.1, 0.7}), {0.4, 0.3, -0.6}) : Scene();
  const auto rod = scene.rod();
  const auto body = scene.body();
  using OnPlane = contact::RollingOnPlane<double>;
  std::vector<contact::Frictional<OnPlane>> slipping;
  for (Eigen::Index k = 1; k < 12; k += 2)
    slipping.push_back(
        with_friction(OnPlane{{0, k}, a, scene.plane(), true}, 0.02 * static_cast<double>(1 + k)));
  slipping.push_back(with_friction(
      OnPlane{{1, 0, {0.02, -0.01, 0.03}, SO3<double>::exp({0.1, 0.2, 0.3})}, 0.1, scene.plane(), true},
      0.3));
  const std::vector<OnPlane> rolling{{{0, 6}, a, scene.plane(), true}, {{2}, 0.1, scene.plane(), true}};
  const Assembly on_plane{bodies(std::vector{rod}, std::vector{body, body}), constraints(slipping, rolling)};
  add(all, "a rod and a ball that slip on a moving plane where others roll", on_plane,
      on_plane.state({scene.rod_along_x(a), scene.body_at(0, 1, 0.1), scene.body_at(1, 1, 0.1)}, {}, 0.4));

  const auto crossing = [&](std::size_t i, std::size_t j) {
    return contact::RollingContact<double>{{i, rod, width}, {j, rod, width}, a, 1.5 * a, true};
  };
  const Assembly rods{
      bodies(std::vector{rod, rod, rod, rod}),
      constraints(std::vector{with_friction(crossing(0, 1), 0.2), with_friction(crossing(0, 3), 0.4)},
                  std::vector{crossing(0, 2)})};
  add(all, "four rods of which three cross one close to each other, two slipping", rods,
      rods.state({scene.rod_along_x(0), scene.rod_along_y(0, 2.5 * a), scene.rod_along_y(0.08, -2.5 * a),
                  scene.rod_along_y(-0.06, 2.5 * a)},
                 Column{{half, half, 0.44, half, 0.58, half}}, 0.4));

  using Touching = contact::RollingOnCylinder<double>;
  using Ball = contact::RollingOnRod<double>;
  const Assembly apart{
      bodies(std::vector{rod, rod}, std::vector{body}),
      constraints(
          std::vector{with_friction(Touching{{1, rod, width}, a, scene.cylinder(false), true}, 0.1)},
          std::vector{with_friction(Ball{{0, rod, width}, {2, 0, {0.01, 0, 0}}, a, 0.1, true}, 0.5)})};
  add(all, "a ball that slips on a rod, and a rod on a cylinder", apart,
      apart.state({scene.rod_along_x(0), scene.rod_along_x(0.2 + a), scene.body_at(0.05, 0, 0.1)},
                  Column{{half, half}}, 0.4));
});

}  // namespace problem_laws_of_friction
