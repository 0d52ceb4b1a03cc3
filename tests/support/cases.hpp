#pragma once

/// @file
/// Motions that the tests of integrators share: a problem, and a state on its constraints to start from.

#include <cmath>

#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/pendulum_driver.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace test {

/// A problem and where it starts.
template <class P>
struct Case {
  const char* name;
  P problem;
  typename P::State start;
};
template <class P>
Case(const char*, P, typename P::State) -> Case<P>;

inline auto sleigh_case() {
  const dalembert::LagrangeDAlembert problem{
      dalembert::systems::ChaplyginSleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}};
  return Case{"sleigh on SE(2)", problem, problem.state(dalembert::SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7})};
}
inline auto suslov_case() {
  const dalembert::LagrangeDAlembert problem{Suslov<>{}};
  return Case{"Suslov on SO(3)", problem, problem.state(dalembert::SO3d::exp({0.3, -0.2, 0.5}), {1, 1.5, 0})};
}
template <class S = double>
auto driver_case() {
  const dalembert::systems::PendulumDriver<S> system;
  const dalembert::LagrangeDAlembert problem{system};
  const S zdot = S(0.3L);
  return Case{"pendulum driver", problem,
              problem.state(dalembert::Rn<S, 3>(dalembert::Vec<S, 3>(1, 0, 0)),
                            {-system.ratio(S(0)) * zdot, zdot, S(1.5L)})};
}
/// The oscillator with seven coordinates at its published start, at 40 degrees, with y₁ moved by `shift`.
inline auto oscillator_case(double shift = 0) {
  const dalembert::LagrangeDAlembert problem{dalembert::systems::ChaoticOscillator<double, 3>{}};
  const double angle = 40 * static_cast<double>(dalembert::pi) / 180;
  dalembert::Vec<double, 7> q, v;
  q << std::cos(angle), 0.6 + shift, 0.4, 0.2, 1, 1, 1;
  v << 0, std::sin(angle), 0, 0, 0, 0, 0;
  return Case{"chaotic oscillator", problem, problem.state(dalembert::Rn<double, 7>(q), v)};
}

/// The distance between two states.
template <class State>
double distance(const State& a, const State& b) {
  return (a.g.inverse() * b.g).log().norm() + (a.xi - b.xi).norm();
}

/// A motion seen from another `frame` on the group is the same motion; `run` gives the state at the end of a case.
template <class P, class Run>
void check_equivariance(const Case<P>& here, const typename P::State::Group& frame, const Run& run) {
  CAPTURE(here.name);
  Case<P> there = here;
  there.start.g = frame * here.start.g;
  const auto seen_here = run(here), seen_there = run(there);
  CHECK((seen_there.g.inverse() * frame * seen_here.g).log().norm() < 1e-13);
  CHECK((seen_there.xi - seen_here.xi).norm() < 1e-13);
}

}  // namespace test
