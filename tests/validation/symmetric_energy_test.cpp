// What the symmetric methods keep in long runs and what they do not: a sleigh, a chaotic oscillator, an
// asymmetric driver.

#include <algorithm>
#include <cmath>

#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/pendulum_driver.hpp>

#include "support/cases.hpp"
#include "support/catch.hpp"

namespace symmetric_energy_test {

using namespace dalembert;

using LF = NonholonomicLeapfrog;
using MP = NonholonomicMcLachlanPerlmutter;
using EP = NonholonomicEnergyPreserving;

/// The sleigh of systems/chaplygin_sleigh.hpp in coordinates of its centre of mass, where the row depends on
/// the place.
struct SleighInCoordinates {
  using Group = Rn<double, 3>;
  static constexpr double offset = 0.2;
  template <class T>
  T lagrangian(const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
  }
  template <class T>
  Vec<T, 3> momentum(const Vec<T, 3>& v) const {
    return v;
  }
  Mat<double, 3> mass() const { return Mat<double, 3>::Identity(); }
  template <class T>
  T velocity_constraint(const Rn<T, 3>& q, const Vec<T, 3>& v) const {
    using std::cos, std::sin;
    const T& phi = q.coordinates()[2];
    return cos(phi) * v[1] - sin(phi) * v[0] - offset * v[2];
  }
};

/// What a run of `steps` steps showed; `energy` is the largest relative change, `slip` the largest value of a
/// row.
struct Run {
  double energy = 0, slip = 0;
  bool converged = true;
};
template <class M, class P, class Watch>
Run run(const M& method, const P& problem, typename P::State& state, double h, int steps, Watch&& watch) {
  Run seen;
  const double energy = problem.energy(state);
  auto stepper = method.stepper(problem, state);
  for (int i = 0; i < steps; ++i) {
    seen.converged = stepper.step(problem, state, h).converged && seen.converged;
    seen.energy = std::max(seen.energy, std::abs(problem.energy(state) / energy - 1));
    seen.slip = std::max(seen.slip, problem.constraint(state).velocity);
    watch(state);
  }
  CHECK(seen.converged);
  return seen;
}
template <class M, class P>
Run run(const M& method, const P& problem, typename P::State& state, double h, int steps) {
  return run(method, problem, state, h, steps, [](const auto&) {});
}

TEST_CASE("the leapfrog keeps a sleigh's energy while it slips and turns back", "[validation][symmetric]") {
  const LagrangeDAlembert problem{SleighInCoordinates{}};
  const auto start = problem.state(Rn<double, 3>(), {-0.8, 0.2, 1});
  const auto forward = [](const auto& at) {
    const double phi = at.g.coordinates()[2];
    return std::cos(phi) * at.xi[0] + std::sin(phi) * at.xi[1];
  };
  // In truth every motion ends running forwards at the speed that the energy gives, within a few seconds.
  const double speed = std::sqrt(2 * problem.energy(start));
  auto state = start;
  double backwards = 0, forwards = 0;
  const auto leapfrog = run(LF{}, problem, state, 0.2, 2000, [&](const auto& at) {
    if (at.time < 40) return;
    backwards = std::min(backwards, forward(at));
    forwards = std::max(forwards, forward(at));
  });
  CHECK(leapfrog.energy < 1e-12);
  CHECK(leapfrog.slip > 0.6);
  CHECK(backwards < -0.9 * speed);
  CHECK(forwards > 0.9 * speed);

  state = start;
  const auto at_nodes = run(MP{}, problem, state, 0.2, 2000);
  CHECK(at_nodes.slip < 1e-13);
  CHECK(at_nodes.energy < 1e-2);
  CHECK(forward(state) == Approx(speed).epsilon(5e-3));
  state = start;
  const auto preserving = run(EP{}, problem, state, 0.2, 2000);
  CHECK(preserving.energy < 1e-12);
  CHECK(preserving.slip < 1e-2);
  CHECK(forward(state) == Approx(speed).epsilon(1e-5));
}

TEST_CASE("in the frame of its body the leapfrog's sleigh neither slips nor turns back",
          "[validation][symmetric]") {
  const LagrangeDAlembert problem{systems::ChaplyginSleigh{{.mass = 1, .inertia = 1, .offset = 0.2}}};
  auto state = problem.state(SE2d::identity(), {-0.8, 0, 1});
  const double speed = std::sqrt(2 * problem.energy(state));
  const auto seen = run(LF{}, problem, state, 0.2, 2000);
  CHECK(seen.slip < 1e-14);
  CHECK(state.xi[0] == Approx(speed).epsilon(5e-3));
}

TEST_CASE("the chaotic oscillator's energy in ten thousand long steps",
          "[validation][symmetric][oscillator]") {
  const auto band = [](const auto& method, double h, int steps) {
    auto test_case = test::oscillator_case();
    return run(method, test_case.problem, test_case.start, h, steps);
  };
  // Over a million steps: 5.9e-2 and 9.9e-3 as published, but then chance decides. So early the bands are the
  // methods' own.
  const Run leapfrog = band(LF{}, 0.1, 10000), at_nodes = band(MP{}, 0.1, 10000);
  CHECK(leapfrog.energy > 4e-3);
  CHECK(leapfrog.energy < 2e-2);
  CHECK(leapfrog.slip > 1e-3);
  CHECK(at_nodes.energy > 4e-3);
  CHECK(at_nodes.energy < 1e-2);
  CHECK(at_nodes.slip < 1e-14);
  // The band shrinks with the order.
  CHECK(std::log2(at_nodes.energy / band(MP{}, 0.05, 20000).energy) == Approx(2).margin(0.4));
  const Run four = band(Composition<MP, 4>{}, 0.1, 10000), six = band(Composition<MP, 6>{}, 0.1, 10000);
  CHECK(four.energy < 3e-5);
  CHECK(six.energy < 1e-6);
  CHECK(six.slip < 1e-14);
  const Run preserving = band(EP{}, 0.1, 10000);
  CHECK(preserving.energy < 1e-13);
  CHECK(preserving.slip > 1e-3);
}

/// The least and the largest E_p of the pendulum driver, which is constant in truth, in units of its start, and
/// that at the end.
struct Band {
  double least = 1, largest = 1, last = 1;
  Run run;
};
template <class M>
Band driven_energy(const M& method, double sign, double h, int steps) {
  const systems::PendulumDriver<> driver;
  const LagrangeDAlembert problem{driver};
  const double zdot = 0.3;
  auto state =
      problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {-driver.ratio(0.0) * zdot, zdot, sign * 1.5});
  const double start = driver.driven_energy(state.g, state.xi);
  Band band;
  band.run = run(method, problem, state, h, steps, [&](const auto& at) {
    band.last = driver.driven_energy(at.g, at.xi) / start;
    band.least = std::min(band.least, band.last);
    band.largest = std::max(band.largest, band.last);
  });
  return band;
}

TEST_CASE("on the asymmetric driver being symmetric does not keep the energy of what is driven",
          "[validation][symmetric][driver]") {
  const Band with = driven_energy(MP{}, 1, 0.1, 50000), against = driven_energy(MP{}, -1, 0.1, 30000);
  CHECK(with.last > 20);  // it grows exponentially, without end, whatever rows hold
  CHECK(with.run.slip < 1e-13);
  CHECK(against.least < 0.5);
  CHECK(driven_energy(MP{}, 1, 0.05, 50000).last > 1.2);
  CHECK(driven_energy(MP{}, 1, 0.05, 50000).last < 1.6);

  for (const double sign : {1.0, -1.0}) {
    CAPTURE(sign);
    const Band leapfrog = driven_energy(LF{}, sign, 0.1, 50000);
    CHECK(leapfrog.least > 0.998);
    CHECK(leapfrog.largest < 1.005);
    CHECK(leapfrog.run.slip > 0.05);
    const Band projected = driven_energy(RungeKutta4{.project = true}, sign, 0.1, 50000);
    CHECK(projected.last < 0.7);
    CHECK(projected.last > 0.5);
    const Band six = driven_energy(Composition<MP, 6>{}, sign, 0.1, 10000);
    CHECK(six.least > 0.9998);
    CHECK(six.largest < 1.0002);
  }

  // All of the energy is kept, but its parts exchange it.
  const Band drains = driven_energy(EP{}, 1, 0.1, 30000), feeds = driven_energy(EP{}, -1, 0.1, 30000);
  CHECK(drains.run.energy < 1e-11);
  CHECK(drains.last < 0.9);
  CHECK(feeds.run.energy < 1e-11);
  CHECK(feeds.last > 1.15);
}

}  // namespace symmetric_energy_test
