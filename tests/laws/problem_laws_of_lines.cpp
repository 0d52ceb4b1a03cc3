// Contacts along a line, of a rod with itself, and with a cylinder that moves, for the laws of problems.

#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/line.hpp>

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/assemblies.hpp"

namespace problem_laws_of_lines {

using namespace dalembert;
using namespace dalembert::assembly;
using Scene = test::Scene<double>;
using Rod = rod::ElasticRod<double>;
using Column = Vec<double, Eigen::Dynamic>;

constexpr double a = 0.005;

rod::Chain<double> along_x(Scene& scene, const Rod& rod, double z) {
  return scene.stirred(rod.straight(scene.point(-0.5, 0, z), scene.frame(0, M_PI / 2, 0)), 2e-3);
}

/// A problem in a state that moves as it likes, and in one that its rows allow.
template <class P>
void add(test::Problems& all, const char* name, const P& problem, const assembly::State<double>& x) {
  auto closed = x;
  problem.project(closed);
  test::add_problem(all, name, problem, {x, closed}, {.equivariant = true});
}

/// Stations whose windows share nodes, of which the first three roll and the others slide.
void add_line(test::Problems& all, Scene scene) {
  const Rod rod = scene.rod();
  std::vector<rod::Chain<double>> chains{along_x(scene, rod, 0), along_x(scene, rod, 2.5 * a)};
  const auto rolling = contact::stations<contact::RollingStation>(
      contact::ContactLine<double>{0, 1, a, 1.5 * a, 4, 6, 0, true}, rod, chains);
  const auto sliding = contact::stations<contact::SlidingStation>(
      contact::ContactLine<double>{0, 1, a, 1.5 * a, 7, 9, 0, true}, rod, chains);
  Column s(6);
  s << rolling.nearest, sliding.nearest;
  const Assembly problem{assembly::bodies(std::vector{rod, rod}),
                         assembly::constraints(rolling.constraints, sliding.constraints)};
  add(all, "two rods along a line", problem, problem.state(chains, s, 0.4));
}

/// A rod whose halves cross, and roll on each other there.
void add_loop(test::Problems& all, Scene scene) {
  auto p = scene.rod().parameters();
  p.elements = 40;
  const Rod rod(scene.rod().material(), p);
  rod::Chain<double> chain(rod.nodes());
  const double arc = 0.4, angle = 4.7, leg = (rod.length() - arc) / 2;
  Vec<double, 3> at(0, 0, 0);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const double s = rod.spacing() * static_cast<double>(k), part = std::clamp((s - leg) / arc, 0.0, 1.0);
    const double turn = angle * part,
                 middle = angle * std::clamp((s + rod.spacing() / 2 - leg) / arc, 0.0, 1.0);
    chain.set_frame(
        k, scene.frame(0, 0, 0) * SO3<double>::exp({0, 0, turn}) * SO3<double>::exp({0, M_PI / 2, 0}),
        scene.point(at[0], at[1], 3 * a * part));
    at += rod.spacing() * Vec<double, 3>(std::cos(middle), std::sin(middle), 0);
  }
  using RollingContact = contact::RollingContact<double>;
  const Assembly problem{
      assembly::bodies(std::vector{rod}),
      assembly::constraints(std::vector{RollingContact{{0, rod, 0.025}, {0, rod, 0.025}, a, a, true}})};
  Column s(2);
  s << 0.22, 0.78;
  add(all, "a rod that crosses itself", problem, problem.state({scene.stirred(chain, 1e-4)}, s, 0.4));
}

/// A rod across a cylinder that turns and moves as a rigid body, with a contact at one moving place, and one whose nodes lie along it.
void add_cylinder(test::Problems& all, Scene scene) {
  using Axis = contact::AxisMarker<double>;
  using RollingContact = contact::RollingContact<double, contact::CubicSpline, Axis>;
  using Lying = contact::RollingOnRod<double, Axis>;
  const Rod rod = scene.rod();
  const auto body = scene.body();
  const Axis across{2, 0, {0.02, -0.4, 0.01}, {0, 1, 0}, 0.8};
  const auto upright = body.at(scene.point(0, 0, -0.15), scene.frame(0.05, 0.1, -0.1));
  auto lying = scene.stirred(rod.straight(scene.point(0, -0.5, -0.3), scene.frame(-M_PI / 2, 0, 0)), 2e-3);
  std::vector<Lying> nodes;
  for (const Eigen::Index k : {5, 6, 7}) nodes.push_back({across, {1, k}, 0.1, a, true});
  const Assembly problem{
      assembly::bodies(std::vector{rod, rod}, std::vector{body}),
      assembly::constraints(std::vector{RollingContact{{0, rod, 0.1}, across, a, 0.1, true}}, nodes)};
  Column s(5);
  s << 0.5, 0.4, 0.32, 0.4, 0.48;
  add(all, "rods across and along a cylinder that moves", problem,
      problem.state({along_x(scene, rod, 0), lying, scene.stirred(upright, 1e-2)}, s, 0.4));
}

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  const Scene scene = elsewhere ? Scene(SO3<double>::exp({0.3, -1.1, 0.7}), {0.4, 0.3, -0.6}) : Scene();
  add_line(all, scene);
  add_loop(all, scene);
  add_cylinder(all, scene);
});

}  // namespace problem_laws_of_lines
