#pragma once

/// @file
/// What every small system is put through.

#include <optional>
#include <type_traits>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "fuzz/target.hpp"

namespace fuzz {

/// A column whose numbers are mostly of size 1.
template <int N>
[[nodiscard]] dalembert::Vec<double, N> column(Input& in, const char* name) {
  dalembert::Vec<double, N> x = dalembert::Vec<double, N>::Zero();
  for (int i = 0; i < N; ++i) x[i] = in.between(name, -2, 2);
  return x;
}

/// A tensor of inertia: mostly one that a body can have.
[[nodiscard]] inline dalembert::Mat<double, 3> tensor(Input& in) {
  const double xx = in.like("inertia xx", 1), yy = in.like("inertia yy", 1), zz = in.like("inertia zz", 1);
  const double xy = in.between("inertia xy", -0.2, 0.2), xz = in.between("inertia xz", -0.2, 0.2),
               yz = in.between("inertia yz", -0.2, 0.2);
  dalembert::Mat<double, 3> inertia;
  inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  if (in.whole("one entry alone", 0, 31) == 1) inertia(0, 1) = in.any("inertia yx");
  return inertia;
}

/// Whether the numbers that a state is kept as are finite; its own word is on its logarithm, which may be too large.
template <class State>
[[nodiscard]] bool numbers_finite(const State& state) {
  bool finite = true;
  (void)state.template mapped<double>([&](double x) {
    finite = finite && std::isfinite(x);
    return x;
  });
  return finite;
}

/// Everything that a problem of this system answers, in a state of the input.
template <class System>
Outcome exercise(Input& in, const System& system) {
  using Problem = dalembert::LagrangeDAlembert<System>;
  using State = typename Problem::State;
  using Group = typename System::Group;
  constexpr int n = Group::dof, m = dalembert::internal_size<System>;
  demand(in.finite(), "parameters that are not finite were accepted");
  const Problem problem{system};

  const auto place = column<n>(in, "log g"), velocity = column<n>(in, "xi");
  const auto inner = column<m>(in, "z");
  const double time = in.between("t", -1, 1);
  State start;
  const bool stands = accepted([&] {
    if constexpr (m > 0) {
      start = problem.state(Group::exp(place), velocity, inner, time);
    } else {
      start = problem.state(Group::exp(place), velocity, time);
    }
  });
  if (!stands) return Outcome::refused;
  demand(start.is_finite(), "a state that is not finite was accepted");
  demand(in.finite(), "a state from numbers that are not finite was accepted");

  auto rates = problem.make_rates();
  const auto answers = [&](const State& at) {
    return accepted([&] {
      problem.rates(at, rates);
      demand_finite(rates.xidot, "rates.xidot");
      demand_finite(rates.zdot, "rates.zdot");
      demand_finite(rates.lambda, "rates.lambda");
      const auto power = problem.power(at, rates);
      demand_finite(power.constraint, "power of the reactions");
      demand_finite(power.load, "power of the loads");
    });
  };
  bool computed = answers(start);
  computed |= accepted([&] { demand_finite(problem.energy(start), "energy"); });
  computed |= accepted([&] {
    const auto violation = problem.constraint(start);
    demand_finite(violation.position, "violation of position rows");
    demand_finite(violation.velocity, "violation of velocity rows");
  });
  if (in.flag("project")) {
    computed |= accepted([&] {
      const auto projection = problem.project(start);
      demand_finite(projection.moved, "projection.moved");
      if (projection.converged) demand(numbers_finite(start), "a projected state is not finite");
    });
    if (!start.is_finite()) return Outcome::refused;
    computed |= answers(start);
  }
  const double step = in.like("step", 0.01);
  auto stepper = dalembert::RungeKutta4{}.stepper(problem, start);
  for (int i = 0; i < 3; ++i) {
    // A stepper by itself does not look whether the state is finite; `drive` does, and another loop has to.
    const bool stepped = accepted([&] { (void)stepper.step(problem, start, step); });
    if (!stepped || !start.is_finite()) break;
    computed = true;
  }
  return computed ? Outcome::computed : Outcome::refused;
}

/// The same for the system that make() gives, or refuses to.
template <class Make>
Outcome exercise_made(Input& in, Make&& make) {
  using System = std::remove_cvref_t<decltype(make())>;
  std::optional<System> system;
  if (!accepted([&] { system.emplace(make()); })) return Outcome::refused;
  return exercise(in, *system);
}

/// The same for a system with the parameters that draw() gives.
template <class System, class Draw>
Outcome exercise_with(Input& in, Draw&& draw) {
  return exercise_made(in, [&] { return System(draw()); });
}

}  // namespace fuzz
