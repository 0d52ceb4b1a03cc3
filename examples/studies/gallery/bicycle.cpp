// Whipple's bicycle, let go while it falls.

#include <cmath>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

#include "gallery/exhibit.hpp"
#include "gallery/parts.hpp"

namespace gallery {

namespace {

using namespace dalembert;

/// At a speed at which it steers itself upright.
struct Bicycle {
  using System = systems::WhippleBicycle<double>;
  LagrangeDAlembert<System> problem{System{}};
  double speed = 4.6, lean = 0.15, steer = -0.1, lean_rate = 0.5;

  /// From the rear hub to the point of the steer axis that the fork turns about, and from there to the front hub [m].
  [[nodiscard]] Vec3 pivot() const {
    const auto& p = problem.system().parameters();
    return {p.wheelbase + p.trail, 0, p.rear.radius};
  }
  [[nodiscard]] Vec3 front_hub() const {
    const auto& p = problem.system().parameters();
    return {-p.trail, 0, -p.front.radius};
  }
  /// Along the steer axis, downwards.
  [[nodiscard]] Vec3 axis() const {
    const double tilt = problem.system().parameters().tilt;
    return {std::sin(tilt), 0, std::cos(tilt)};
  }

  [[nodiscard]] Text text() const {
    const auto& p = problem.system().parameters();
    // Down is +z: what is high has a negative third coordinate.
    const Vec3 head = pivot() - 0.95 * axis(), low = pivot() - 0.7 * axis(), saddle(0.12, 0, -0.62),
               crank(0.42, 0, 0.0);
    const double tube = 0.018;
    const std::vector<io::Part> frame{bar(Vec3::Zero(), saddle, tube),
                                      bar(Vec3::Zero(), crank, tube),
                                      bar(crank, saddle, tube),
                                      bar(crank, low, tube),
                                      bar(saddle, head, tube),
                                      io::box({0.26, 0.1, 0.04}).at(saddle).coloured(4),
                                      bar({0.12, 0, -0.66}, {0.34, 0, -1.1}, 0.1).coloured(5),
                                      io::ball(0.11).at({0.4, 0, -1.28}).coloured(5)};
    const std::vector<io::Part> fork{
        bar(front_hub(), -0.7 * axis(), tube), bar(-0.7 * axis(), -1.02 * axis(), tube),
        bar(-1.02 * axis() + Vec3(0, -0.27, 0), -1.02 * axis() + Vec3(0, 0.27, 0), 0.015).coloured(4)};
    return {
        .name = "whipple_bicycle",
        .title = "A bicycle without a rider's hands steers itself upright",
        .caption =
            "Whipple's bicycle, pushed over at 4.6 m/s: it steers into the fall, and comes upright again.",
        .t_end = 10,
        .dt = 5e-3,
        .parameters = {given("speed", speed, "m/s"), given("lean", lean, "rad"), given("steer", steer, "rad"),
                       given("lean rate", lean_rate, "rad/s")},
        .columns =
            "x [m], y [m], lean [rad], steer [rad], lean_rate [rad/s], steer_rate [rad/s], load_rear [N], "
            "load_front [N]",
        .path_title = "path of the rear hub, seen from above",
        .path_x = "y",
        .path_y = "x",
        .series_title = "lean and steer",
        .series_unit = "rad",
        .series = {"lean", "steer"},
        .errors = {{"height_error", "m", "largest distance of a wheel from the ground"}},
        .bodies = {{.name = "rear frame and rider", .parts = frame, .colour = 0},
                   {.name = "fork", .parts = fork, .colour = 1},
                   {.name = "rear wheel", .parts = {wheel(p.rear.radius, 0.03)}, .colour = 4, .path = true},
                   {.name = "front wheel", .parts = {wheel(p.front.radius, 0.03)}, .colour = 4}},
        .surroundings = [](io::Scene& scene) { scene.plane("ground", Vec3::Zero(), Vec3(0, 0, -1)); },
        .up = Vec3(0, 0, -1),
        .yaw = 30,
        .pitch = 15,
        .follow = "rear frame and rider"};
  }
  [[nodiscard]] auto start() const {
    const System& bicycle = problem.system();
    const auto g = bicycle.on_ground(lean, steer);
    return problem.state(g, bicycle.rolling(g, {.speed = speed, .lean_rate = lean_rate, .steer_rate = 0}));
  }

  template <class State>
  Sight sight(const State& at) {
    const System& bicycle = problem.system();
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const SO3d rear = at.g.first().rotation();
    const Vec3 hub = at.g.first().translation(), angles = at.g.second().coordinates();
    const SO3d front = rear * SO3d::exp(angles[0] * axis());
    const Vec3 turns_about = rear.act(pivot(), hub), front_centre = front.act(front_hub(), turns_about);
    return {.numbers = {hub[0], hub[1], bicycle.lean(at.g), angles[0], bicycle.lean_rate(at.g, at.xi),
                        at.xi[6], rates.lambda[0], rates.lambda[1]},
            .errors = {bicycle.position_constraint(at.g).norm()},
            .poses = {{rear, hub},
                      {front, turns_about},
                      {rear * about(1, angles[1]), hub},
                      {front * about(1, angles[2]), front_centre}}};
  }
  template <class State>
  void report(const State&, const State& last, Recorder& recorder) const {
    const System& bicycle = problem.system();
    recorder.figure({"lean_initial", "rad", "lean at the start"}, lean);
    recorder.figure({"lean_final", "rad", "lean at the end"}, bicycle.lean(last.g));
  }
};

}  // namespace

std::vector<Exhibit> bicycle() { return {exhibit<Bicycle>("whipple_bicycle")}; }

}  // namespace gallery
