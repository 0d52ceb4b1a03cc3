#pragma once

/// @file
/// What the tests of implicit methods step.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/rod/section.hpp>

namespace test {

using ImplicitRod = dalembert::rod::ElasticRod<double>;

/// A soft rod that flies, or is clamped at its start, and bends by more than its length is thick.
inline auto swinging_rod(int elements, bool clamped, double speed = 1) {
  using namespace dalembert;
  ImplicitRod::Parameters p;
  p.elements = elements;
  p.length = 1.0;
  const rod::CircularSection<double> section(
      {.radius = 0.01, .young = 1e6, .poisson = 0.4, .density = 1000.0});
  p.inertia = section.inertia();
  if (clamped) p.start = rod::Boundary<double>::clamped();
  const ImplicitRod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  auto chain = rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = clamped ? 1 : 0; k <= elements; ++k) {
    const double x = static_cast<double>(k) / elements;
    if (clamped)
      chain.set_velocity(k, speed * Vec<double, 3>(2 * x * x, 0.5 * x * x, 0),
                         speed * Vec<double, 3>(-x, 4 * x, x * x));
    else
      chain.set_velocity(k, speed * Vec<double, 3>(1 + 2 * std::cos(6 * x), 1.3 * std::sin(5 * x), 0.2),
                         speed * Vec<double, 3>(0.1, 2.0, 3.0));
  }
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  return std::pair(problem, problem.state({chain}));
}

/// Two bodies that hang from each other and from space by spherical joints, thrown.
inline auto double_pendulum() {
  using namespace dalembert;
  using namespace dalembert::assembly;
  using V = Vec<double, 3>;
  const RigidBody<double> body({.mass = 0.7, .inertia = {0.02, 0.03, 0.025}, .gravity = {0, 0, -9.81}});
  const Assembly problem{
      bodies(std::vector{body, body}),
      constraints(std::vector{
          SphericalJoint<double>{{0, 0, {0.1, 0, 0.3}}, FrameMarker<double>::in_space({0.1, 0, 0.3})},
          SphericalJoint<double>{{0, 0, {0, 0.1, -0.3}}, {1, 0, {0, 0.1, 0.2}}}})};
  auto first = body.at(V::Zero()), second = body.at(V(0, 0, -0.5));
  first.set_velocity(0, V::Zero(), V(1, 2, 3));
  second.set_velocity(0, V::Zero(), V(-2, 1, 4));
  auto state = problem.state({first, second});
  problem.project(state);
  return std::pair(problem, state);
}

/// The largest distance of nodes of two states [m].
template <class State>
double distance(const State& a, const State& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.chains.size(); ++i)
    for (Eigen::Index k = 0; k < a[i].nodes; ++k)
      most = std::max(most, (a[i].position(k) - b[i].position(k)).norm());
  return most;
}

/// The state that `steps` steps lead to, and the largest change of energy on the way.
template <class Method, class P, class State>
std::pair<State, double> stepped(const Method& method, const P& problem, State state, double h, int steps) {
  auto stepper = method.stepper(problem, state);
  const double energy = problem.energy(state);
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    (void)stepper.step(problem, state, h);
    most = std::max(most, std::abs(problem.energy(state) - energy));
  }
  return {std::move(state), most};
}

}  // namespace test
