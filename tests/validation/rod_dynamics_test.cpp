// Rods in large motions: what they keep, and with which order they converge.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/section.hpp>

#include "support/catch.hpp"

namespace rod_dynamics_test {

using namespace dalembert;
using assembly::bodies;
using assembly::constraints;
using Rod = rod::ElasticRod<double>;
using Chain = rod::Chain<double>;
using State = assembly::State<double>;
using V = Vec<double, 3>;
using Catch::Matchers::WithinAbs;
constexpr double pi_ = static_cast<double>(pi);

/// A dead force and a dead couple on the first node, which grow for 2.5 s and fall for as long.
struct Ramp {
  V force = V::Zero(), couple = V::Zero();

  static double at(double t) { return t < 2.5 ? t / 2.5 : t < 5 ? 2 - t / 2.5 : 0; }
  void add(const Rod&, const Chain& chain, double t, rod::Columns<double, 6>& f) const {
    const V torque = chain.rotation(0).inverse().act(V(at(t) * couple));
    for (int i = 0; i < 3; ++i) {
      f(0, i) += at(t) * force[i];
      f(0, 3 + i) += torque[i];
    }
  }
};

/// What a flight has shown.
struct Flight {
  Chain end;
  double impulse_error = 0;   ///< of the momentum when the load has gone, relative to the impulse of the load
  double angular_error = 0;   ///< the same of the angular momentum about the origin
  double momentum_drift = 0;  ///< largest relative change of the momentum after the load
  double angular_drift = 0;   ///< the same of the angular momentum
  double energy_drift = 0;    ///< the same of the energy
  double out_of_plane = 0;    ///< largest |z| [m]
};

/// The flying spaghetti of Simo and Vu-Quoc 1986 and 1988: a rod of 10 m in the plane (x, y), force 8 N along x and couples of up to 80 N m on its
/// lower end.
Flight fly(int elements, double dt, const V& couple, double until) {
  Vec<double, 6> k;
  k << 1e4, 1e4, 1e4, 500, 500, 500;
  const Rod rod(rod::LinearElastic<double>(k),
                {.elements = elements, .length = 10, .inertia = {1.0, V(10, 10, 10)}});
  const Ramp load{V(8, 0, 0), couple};
  const assembly::Assembly problem{bodies(std::vector{assembly::WithLoad<Rod, Ramp>(rod, load)})};
  Mat<double, 3> axes;  // e₃ from (6, 0, 0) to (0, 8, 0)
  axes << 0, 0.8, -0.6, 0, 0.6, 0.8, 1, 0, 0;
  State x = problem.state({rod.straight({6, 0, 0}, SO3<double>::from_matrix(axes))});

  Flight flight;
  V angular_impulse = V::Zero(), moment = V::Zero(), p = V::Zero(), l = V::Zero();
  double time = 0, energy = 0;
  const auto size = [](const V& a, const V& b) { return a.norm() / b.norm(); };
  (void)drive(Verlet{}, problem, x, {.step = dt, .until = until}, [&](const auto& of, const State& at) {
    const Chain& chain = at[0];
    // Verlet's kicks are the rule of trapezoids, exact for a force that is linear in time
    const V now = Ramp::at(at.time) * (load.couple + chain.position(0).cross(load.force));
    angular_impulse += (at.time - time) / 2 * (now + moment);
    moment = now;
    time = at.time;
    for (Eigen::Index i = 0; i < chain.nodes; ++i)
      flight.out_of_plane = std::max(flight.out_of_plane, std::abs(chain.position(i)[2]));
    if (at.time < 5 - 1e-9) return;
    const Vec<double, 6> both = rod::momentum(rod, chain);
    const V linear = both.head<3>(), angular = both.tail<3>();
    if (energy == 0) {
      p = linear;
      l = angular;
      energy = of.energy(at);
      flight.impulse_error = size(p - 2.5 * load.force, p);
      flight.angular_error = size(l - angular_impulse, l);
    }
    flight.momentum_drift = std::max(flight.momentum_drift, size(linear - p, p));
    flight.angular_drift = std::max(flight.angular_drift, size(angular - l, l));
    flight.energy_drift = std::max(flight.energy_drift, std::abs(of.energy(at) - energy) / energy);
  });
  flight.end = x[0];
  return flight;
}

TEST_CASE("flying spaghetti keeps the momenta that its load has given it", "[validation][rod]") {
  for (const V& couple : {V(0, 0, -80), V(0, -40, -80)}) {
    CAPTURE(couple);
    const Flight flight = fly(20, 2e-3, couple, 15);
    CHECK(flight.impulse_error < 1e-12);
    CHECK(flight.angular_error < 1e-12);
    CHECK(flight.momentum_drift < 1e-12);
    CHECK(flight.angular_drift < 1e-12);
    CHECK(flight.energy_drift < 5e-7);
    if (couple[1] == 0)
      CHECK(flight.out_of_plane < 1e-10);
    else
      CHECK(flight.out_of_plane > 1);
  }
}

/// How far shared nodes of two chains are apart, at most.
double distance(const Chain& a, const Chain& b) {
  const Eigen::Index every_a = (a.nodes - 1) / 20, every_b = (b.nodes - 1) / 20;
  double most = 0;
  for (Eigen::Index k = 0; k <= 20; ++k)
    most = std::max(most, (a.position(k * every_a) - b.position(k * every_b)).norm());
  return most;
}

TEST_CASE("flying spaghetti converges with second order in space and time", "[validation][rod]") {
  const V couple(0, -40, -80);
  const auto end = [&](int elements, double dt) { return fly(elements, dt, couple, 6).end; };
  const Chain coarse = end(20, 1e-3), middle = end(40, 1e-3), fine = end(80, 1e-3);
  CHECK(distance(middle, fine) < 6e-3);
  CHECK_THAT(std::log2(distance(coarse, middle) / distance(middle, fine)), WithinAbs(2, 0.15));
  const Chain steps = end(20, 5e-4), short_steps = end(20, 2.5e-4);
  CHECK_THAT(std::log2(distance(coarse, steps) / distance(steps, short_steps)), WithinAbs(2, 0.15));
}

/// The heavy rubber rod of Lang, Linn and Arnold 2011: clamped at one end, released from rest where it is horizontal.
Chain swing(int elements, double dt, double until) {
  const rod::CircularSection<double> section(
      {.radius = 0.005, .young = 5e6, .poisson = 0.5, .density = 1100});
  Rod::Parameters p{.elements = elements, .length = 1, .inertia = section.inertia()};
  p.start = rod::Boundary<double>::clamped();
  p.loads.gravity = {0, 0, -9.81};
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  const assembly::Assembly problem{bodies(std::vector{rod})};
  State x = problem.state({rod.straight(V::Zero(), SO3<double>::exp(V(0, pi_ / 2, 0)))});
  (void)drive(Verlet{}, problem, x, {.step = dt, .until = until});
  return x[0];
}

TEST_CASE("a heavy rubber rod that is released converges with second order in space and time",
          "[validation][rod]") {
  const double until = 0.4;
  const Chain coarse = swing(20, 8e-5, until), middle = swing(40, 8e-5, until), fine = swing(80, 8e-5, until);
  CHECK(fine.position(80)[2] < -0.8);  // it hangs by then
  CHECK(distance(middle, fine) < 2e-3);
  CHECK_THAT(std::log2(distance(coarse, middle) / distance(middle, fine)), WithinAbs(2, 0.2));
  const Chain steps = swing(20, 4e-5, until), short_steps = swing(20, 2e-5, until);
  CHECK(distance(coarse, steps) < 1e-6);
  CHECK_THAT(std::log2(distance(coarse, steps) / distance(steps, short_steps)), WithinAbs(2, 0.2));
}

TEST_CASE("a cantilever that swings far for twenty seconds keeps its energy at half the longest step",
          "[validation][rod]") {
  const rod::CircularSection<double> section({.radius = 0.01, .young = 1e6, .poisson = 0.5, .density = 1000});
  const int n = 100;
  Rod::Parameters p{.elements = n, .length = 1, .inertia = section.inertia()};
  p.start = rod::Boundary<double>::clamped();
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  const assembly::Assembly problem{bodies(std::vector{rod})};
  Chain chain = rod.straight(V::Zero(), SO3<double>::exp(V(0, pi_ / 2, 0)));
  for (Eigen::Index k = 0; k <= n; ++k) {  // 2 m/s at the tip, without shear
    const double s = static_cast<double>(k) / n;
    chain.set_velocity(k, V(0, 0, 2 * s * s), chain.rotation(k).inverse().act(V(0, -4 * s, 0)));
  }
  State x = problem.state({chain});
  const double dt = 0.5 * rod.spacing() / std::sqrt(1e6 / 1000);
  CHECK_THAT(dt * rod::frequency_bound(rod, chain) / 2, WithinAbs(0.5, 0.01));
  const double kinetic = problem.kinetic_energy(x);
  double highest = 0;
  analysis::EnergyMonitor monitor(problem);
  (void)drive(Verlet{}, problem, x, {.step = dt, .until = 20, .output_interval = 20 * dt}, monitor,
              [&](const auto&, const State& at) { highest = std::max(highest, at[0].position(n)[2]); });
  CHECK(highest > 0.7);
  CHECK(monitor.energy_error() < 1e-3 * kinetic);
}

}  // namespace rod_dynamics_test
