// Two systems that are there to test integrators: a chaotic oscillator, and a transmission that a pendulum drives.

#include <cmath>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/pendulum_driver.hpp>

#include "gallery/exhibit.hpp"
#include "gallery/parts.hpp"

namespace gallery {

namespace {

using namespace dalembert;

/// From the start that is used to compare integrators.
struct Oscillator {
  using System = systems::ChaoticOscillator<double, 3>;
  LagrangeDAlembert<System> problem{System{}};

  [[nodiscard]] Text text() const {
    std::vector<Body> beads;
    for (int i = 1; i <= 3; ++i)
      beads.push_back({.name = "(y, z) of pair " + std::to_string(i),
                       .parts = {io::ball(0.09)},
                       .colour = i - 1,
                       .path = true});
    beads.push_back({.name = "x", .parts = {io::box({0.16, 0.16, 0.16})}, .colour = 4});
    return {.name = "chaotic_oscillator",
            .title = "The chaotic oscillator: seven coordinates under one row",
            .caption =
                "The pairs (y, z) of the oscillator side by side, and x on the line below them; all are "
                "without units.",
            .t_end = 60,
            .dt = 1e-2,
            .parameters = {given("pairs", 3, "")},
            .columns = "x [1], y1 [1], y2 [1], y3 [1], z1 [1], z2 [1], z3 [1], lambda [1]",
            .path_title = "the first pair",
            .path_x = "y1",
            .path_y = "z1",
            .series_title = "reaction",
            .series_unit = "1",
            .series = {"lambda"},
            .without_units = true,
            .bodies = std::move(beads),
            .flat = true};
  }
  [[nodiscard]] auto start() const {
    const double angle = 40 * half_turn / 180;
    Vec<double, 7> q, v;
    q << std::cos(angle), 0.6, 0.4, 0.2, 1, 1, 1;
    v << 0, std::sin(angle), 0, 0, 0, 0, 0;
    return problem.state(Rn<double, 7>(q), v);
  }

  template <class State>
  Sight sight(const State& at) {
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const Vec<double, 7> q = at.g.coordinates();
    Sight seen{.numbers = {q[0], q[1], q[2], q[3], q[4], q[5], q[6], rates.lambda[0]}, .errors = {}};
    for (int i = 1; i <= 3; ++i)
      seen.poses.push_back({SO3d::identity(), Vec3(3.5 * (i - 2) + q[i], q[i + 3], 0)});
    seen.poses.push_back({SO3d::identity(), Vec3(q[0], -2.4, 0)});
    return seen;
  }
  template <class State>
  void report(const State&, const State&, Recorder&) const {}
};

/// The pendulum goes round, and the ratio with it.
struct Driver {
  using System = systems::PendulumDriver<double>;
  LagrangeDAlembert<System> problem{System{}};

  [[nodiscard]] Text text() const {
    return {.name = "pendulum_driver",
            .title = "A pendulum drives the ratio of a transmission, and gives it no energy",
            .caption =
                "Left the coordinates (x, z) of two springs, joined by a ratio that the pendulum on the "
                "right sets.",
            .t_end = 60,
            .dt = 5e-3,
            .parameters = {given("rate", rate, "1")},
            .columns = "x [1], z [1], theta [1], ratio [1], lambda [1], driven_energy [1], driver_energy [1]",
            .path_title = "the springs",
            .path_x = "x",
            .path_y = "z",
            .series_title = "ratio of the transmission",
            .series_unit = "1",
            .series = {"ratio"},
            .errors = {{"driven_change", "1", "largest change of the energy of the springs"},
                       {"driver_change", "1", "largest change of the energy of the pendulum"}},
            .without_units = true,
            .bodies = {{.name = "springs", .parts = {io::ball(0.05)}, .colour = 0, .path = true},
                       {.name = "pendulum",
                        .parts = {io::box({0.6, 0.03, 0.03}).at({0.3, 0, 0}),
                                  io::ball(0.07).at({0.6, 0, 0}).coloured(3),
                                  io::cylinder(0.04, 0.06).coloured(4)},
                        .colour = 1}},
            .flat = true};
  }
  [[nodiscard]] auto start() const {
    const double zdot = 0.3;
    return problem.state(Rn<double, 3>(Vec3(1, 0, 0)), {-problem.system().ratio(0.0) * zdot, zdot, rate});
  }

  template <class State>
  Sight sight(const State& at) {
    const System& driver = problem.system();
    const double driven = driver.driven_energy(at.g, at.xi), own = driver.driver_energy(at.g, at.xi);
    if (at.time == 0) driven_ = driven, driver_ = own;
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const Vec3 q = at.g.coordinates();
    return {.numbers = {q[0], q[1], q[2], driver.ratio(q[2]), rates.lambda[0], driven, own},
            .errors = {driven - driven_, own - driver_},
            .poses = {{SO3d::identity(), Vec3(q[0], q[1], 0)}, {about(2, q[2]), Vec3(2.2, 0, 0)}}};
  }
  template <class State>
  void report(const State&, const State& last, Recorder& recorder) const {
    recorder.figure({"turns", "1", "how often the pendulum went round"},
                    last.g.coordinates()[2] / (2 * half_turn));
  }

 private:
  double rate = 1.5, driven_ = 0, driver_ = 0;
};

}  // namespace

std::vector<Exhibit> oscillators() {
  return {exhibit<Oscillator>("chaotic_oscillator"), exhibit<Driver>("pendulum_driver")};
}

}  // namespace gallery
