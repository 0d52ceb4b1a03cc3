// Bodies on a plane that do not fall: a knife edge on a slope, a vertical disk, the nonholonomic particle, a snakeboard.

#include <cmath>

#include <dalembert/analysis/quadrature.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/knife_edge.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>
#include <dalembert/systems/snakeboard.hpp>
#include <dalembert/systems/vertical_disk.hpp>

#include "gallery/exhibit.hpp"
#include "gallery/parts.hpp"

namespace gallery {

namespace {

using namespace dalembert;

/// Released from rest, but spinning: it draws a cycloid across the slope and does not come down.
struct KnifeEdge {
  using System = systems::KnifeEdge<double>;
  LagrangeDAlembert<System> problem{System{{.mass = 1, .inertia = 0.1, .slope = 0.3}}};
  double omega = 1.7;

  [[nodiscard]] Text text() const {
    const auto& p = problem.system().parameters();
    const Vec3 normal(std::sin(p.slope), 0, std::cos(p.slope));
    return {.name = "knife_edge",
            .title = "A knife edge on a slope slides across it, not down",
            .caption = "A body on one blade is let go on a slope while it spins: its path is a cycloid.",
            .t_end = 7.4,
            .dt = 2e-3,
            .parameters = {given("m", p.mass, "kg"), given("I", p.inertia, "kg m²"),
                           given("slope", p.slope, "rad"), given("omega", omega, "rad/s")},
            .columns = "x [m], y [m], phi [rad], u [m/s], omega [rad/s], lambda [N]",
            .path_title = "path of the blade, seen from above",
            .path_x = "y",
            .path_y = "x",
            .downwards = true,
            .series_title = "speed along the blade",
            .series_unit = "m/s",
            .series = {"u"},
            .errors = {{"closed_form_error", "m", "largest distance from the cycloid"}},
            .bodies = {{.name = "body",
                        .parts = {io::box({0.5, 0.02, 0.08}).at({0, 0, 0.04}).coloured(3),
                                  io::box({0.44, 0.2, 0.04}).at({0, 0, 0.1}),
                                  io::ball(0.05).at({0.17, 0, 0.13}).coloured(1)},
                        .colour = 0,
                        .path = true}},
            .surroundings = [normal](io::Scene& scene) { scene.plane("slope", Vec3(0, 2.8, 0), normal); },
            .yaw = 80,
            .pitch = 30};
  }
  [[nodiscard]] auto start() const { return problem.state(SE2d(0, 0, 0), {0, 0, omega}); }

  template <class State>
  Sight sight(const State& at) const {
    const System& system = problem.system();
    const auto exact = system.exact({.x = 0, .y = 0, .phi = 0, .u = 0, .omega = omega}, at.time);
    const Vec<double, 2> place = at.g.translation();
    const double heading = exact.phi + std::remainder(at.g.angle() - exact.phi, 2 * half_turn);
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const SO3d slope = about(1, system.parameters().slope);
    const Pose flat = on_plane(at.g, 0);
    return {.numbers = {place[0], place[1], heading, at.xi[0], at.xi[2], rates.lambda[0]},
            .errors = {std::hypot(place[0] - exact.x, place[1] - exact.y)},
            .poses = {{slope * flat.rotation, slope.act(flat.position)}}};
  }
  template <class State>
  void report(const State&, const State& last, Recorder& recorder) const {
    recorder.figure({"across", "m", "how far it went across the slope"}, last.g.translation()[1]);
  }
};

/// A coin on a circle.
struct VerticalDisk {
  using System = systems::VerticalDisk<double>;
  LagrangeDAlembert<System> problem{System{{.mass = 1, .radius = 0.3}}};
  double turning = 0.8, rolling = 2.4;

  [[nodiscard]] Text text() const {
    const auto& p = problem.system().parameters();
    return {.name = "vertical_disk",
            .title = "A vertical disk that turns as it rolls runs on a circle",
            .caption = "A disk that rolls without slipping and cannot fall, turning at a constant rate.",
            .t_end = 2 * half_turn / turning,
            .dt = 5e-3,
            .parameters = {given("m", p.mass, "kg"), given("R", p.radius, "m"),
                           given("omega", turning, "rad/s"), given("Omega", rolling, "rad/s")},
            .columns = "x [m], y [m], phi [rad], theta [rad], force_ahead [N], force_aside [N]",
            .path_title = "path of the contact",
            .path_x = "x",
            .path_y = "y",
            .series_title = "force of the plane",
            .series_unit = "N",
            .series = {"force_ahead", "force_aside"},
            .errors = {{"closed_form_error", "1",
                        "largest distance from the circle, |log(g_exact^-1 g)| [m, rad]"}},
            .bodies = {{.name = "disk", .parts = {wheel(p.radius, 0.03)}, .colour = 0, .path = false},
                       {.name = "contact", .parts = {io::ball(0.012)}, .colour = 3, .path = true}},
            .surroundings = [](io::Scene& scene) { scene.plane("plane", Vec3(0, 1.125, 0), Vec3::UnitZ()); }};
  }
  [[nodiscard]] auto start() const {
    return problem.state(System::Group::identity(), problem.system().rolling(turning, rolling));
  }

  template <class State>
  Sight sight(const State& at) const {
    const System& system = problem.system();
    const auto exact = system.exact(System::Group::identity(), system.rolling(turning, rolling), at.time);
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const auto& frame = at.g.first();
    const double theta = at.g.second().coordinates()[0];
    Pose disk = on_plane(frame, system.parameters().radius);
    disk.rotation = disk.rotation * about(1, theta);
    return {.numbers = {frame.translation()[0], frame.translation()[1], frame.angle(), theta, rates.lambda[0],
                        rates.lambda[1]},
            .errors = {(exact.inverse() * at.g).log().norm()},
            .poses = {disk, on_plane(frame, 0)}};
  }
  template <class State>
  void report(const State&, const State& last, Recorder& recorder) const {
    auto rates = problem.make_rates();
    problem.rates(last, rates);
    recorder.figure({"force_aside", "N", "force across the disk, which keeps it on its circle"},
                    rates.lambda[1]);
  }
};

/// Once past y = 0, where its row turns over.
struct Particle {
  using System = systems::NonholonomicParticle<double>;
  LagrangeDAlembert<System> problem{System{{.mass = 1}}};
  System::Motion begin{.place = {-2.1, -4, 0}, .velocity = {1 / std::sqrt(17.0), 1, -4 / std::sqrt(17.0)}};

  [[nodiscard]] Text text() const {
    return {.name = "nonholonomic_particle",
            .title = "A nonholonomic particle: free along x, and yet its momentum along x changes",
            .caption = "A free particle under dz/dt = y dx/dt: seen along y its path is a catenary.",
            .t_end = 8,
            .dt = 5e-3,
            .parameters = {given("m", problem.system().parameters().mass, "kg"),
                           given("y0", begin.place[1], "m"), given("w", begin.velocity[1], "m/s")},
            .columns = "x [m], y [m], z [m], vx [m/s], vy [m/s], vz [m/s], lambda [N]",
            .path_title = "path, seen along y",
            .path_x = "x",
            .path_y = "z",
            .series_title = "velocity",
            .series_unit = "m/s",
            .series = {"vx", "vy", "vz"},
            .errors = {{"closed_form_error", "m", "largest distance from the closed form"},
                       {"invariant_error", "m/s", "largest change of C = vx sqrt(1 + y^2)"}},
            .bodies = {{.name = "particle",
                        .parts = {io::ball(0.12), io::box({0.7, 0.05, 0.02}).coloured(4)},
                        .colour = 0,
                        .path = true}},
            .up = Vec3::UnitZ(),
            .yaw = 65,
            .pitch = 18};
  }
  [[nodiscard]] auto start() const { return problem.state(Rn<double, 3>(begin.place), begin.velocity); }

  template <class State>
  Sight sight(const State& at) const {
    const auto exact = problem.system().exact(begin, at.time);
    const Vec3 place = at.g.coordinates(), v = at.xi;
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const double root = std::hypot(1.0, place[1]);
    // The bar lies along (1, 0, y), where the particle may go at a given y.
    return {.numbers = {place[0], place[1], place[2], v[0], v[1], v[2], rates.lambda[0]},
            .errors = {(place - exact.place).norm(),
                       v[0] * root - begin.velocity[0] * std::hypot(1.0, begin.place[1])},
            .poses = {{about(1, -std::atan(place[1])), place}}};
  }
  template <class State>
  void report(const State&, const State& last, Recorder& recorder) const {
    recorder.figure(
        {"z_final", "m", "z at the end; it comes back to where it started when y has changed sign"},
        last.g.coordinates()[2]);
  }
};

/// Leads rotor and wheels along ψ = a_ψ cos νt and φ = a_φ cos νt, as a rider does who swings with the wheels.
struct Rider {
  double swing = 0.9, steer = 0.5, rate = 4;
  double rotor_stiffness = 6, rotor_damping = 1.2, wheel_stiffness = 2, wheel_damping = 0.4;

  template <class T>
  [[nodiscard]] Vec<T, 2> operator()(const Vec<T, 2>& shape, const Vec<T, 2>& rates, const T& t) const {
    using std::cos, std::sin;
    const T c = cos(rate * t), s = -rate * sin(rate * t);
    return {rotor_stiffness * (swing * c - shape[0]) + rotor_damping * (swing * s - rates[0]),
            wheel_stiffness * (steer * c - shape[1]) + wheel_damping * (steer * s - rates[1])};
  }
};

/// From rest to a glide, without a push on the ground.
struct Snakeboard {
  using System = systems::Snakeboard<double, Rider>;
  LagrangeDAlembert<System> problem{
      System{{.mass = 4, .half_length = 0.25, .board = 0.13, .rotor = 0.1, .wheels = 0.01}, Rider{}}};

  [[nodiscard]] Text text() const {
    const auto& p = problem.system().parameters();
    const double l = p.half_length;
    const auto truck = [&](double at) {
      return std::vector<io::Part>{bar({0, -0.09, 0}, {0, 0.09, 0}, 0.008).coloured(4),
                                   wheel(0.03, 0.02).at({0, 0.09, 0}), wheel(0.03, 0.02).at({0, -0.09, 0}),
                                   io::box({0.09, 0.11, 0.012}).at({0, 0, 0.05}).coloured(at > 0 ? 1 : 6)};
    };
    return {
        .name = "snakeboard",
        .title = "A snakeboard gains speed without a push on the ground",
        .caption =
            "The rider swings a rotor in time with the wheels, which turn by opposite angles in front and "
            "behind.",
        .t_end = 9,
        .dt = 5e-3,
        .parameters = {given("m", p.mass, "kg"), given("l", l, "m"), given("swing", Rider{}.swing, "rad"),
                       given("steer", Rider{}.steer, "rad"), given("rate", Rider{}.rate, "rad/s")},
        .columns =
            "x [m], y [m], theta [rad], psi [rad], phi [rad], u [m/s], omega [rad/s], torque_rotor [N m], "
            "torque_wheels [N m], momentum [N m s]",
        .path_title = "path of the middle of the board",
        .path_x = "x",
        .path_y = "y",
        .series_title = "speed ahead",
        .series_unit = "m/s",
        .series = {"u"},
        .errors = {{"momentum_error", "N m s",
                    "largest distance of the nonholonomic momentum from the integral of its equation"}},
        .driven = true,
        .bodies = {{.name = "board",
                    .parts = {io::box({2 * l, 0.07, 0.012}).at({0, 0, 0.05})},
                    .colour = 0,
                    .path = true},
                   {.name = "front wheels", .parts = truck(1), .colour = 4},
                   {.name = "back wheels", .parts = truck(-1), .colour = 4},
                   {.name = "rotor",
                    .parts = {io::box({0.3, 0.03, 0.02}).at({0, 0, 0.14}), io::ball(0.03).at({0.15, 0, 0.14}),
                              io::ball(0.03).at({-0.15, 0, 0.14}),
                              bar({0, 0, 0.05}, {0, 0, 0.14}, 0.012).coloured(4)},
                    .colour = 3}},
        .surroundings = [](io::Scene& scene) { scene.plane("ground", Vec3(0, 0, -0.03), Vec3::UnitZ()); }};
  }
  [[nodiscard]] auto start() const {
    const Rider rider;
    return problem.state({SE2d::identity(), Rn<double, 2>(Vec<double, 2>(rider.swing, rider.steer))},
                         problem.system().gliding(rider.steer, 0, 0, 0));
  }

  template <class State>
  Sight sight(const State& at) {
    const System& system = problem.system();
    const auto& frame = at.g.first();
    const Vec<double, 2> shape = at.g.second().coordinates();
    const Vec<double, 2> torque = system.torques()(shape, Vec<double, 2>(at.xi[3], at.xi[4]), at.time);
    const auto& p = system.parameters();
    const double l = p.half_length, turn = system.momentum(Vec<double, 5>(at.xi))[2];
    const double momentum = p.mass * l * at.xi[0] * std::cos(shape[1]) + turn * std::sin(shape[1]);
    // For J₀ + J_r = ml²: dp/dt = J_r ψ̇ φ̇ cos φ, whatever the torques are.
    gained_.add(at.time, Vec<double, 1>(p.rotor * at.xi[3] * at.xi[4] * std::cos(shape[1])));
    if (at.time == 0) momentum_ = momentum;
    const Pose board = on_plane(frame, 0);
    const auto part = [&](double ahead, double angle) {
      return Pose{board.rotation * about(2, angle), board.position + board.rotation.act(Vec3(ahead, 0, 0))};
    };
    return {.numbers = {frame.translation()[0], frame.translation()[1], frame.angle(), shape[0], shape[1],
                        at.xi[0], at.xi[2], torque[0], torque[1], momentum},
            .errors = {momentum - momentum_ - gained_.value()[0]},
            .poses = {board, part(l, shape[1]), part(-l, -shape[1]), part(0, shape[0])}};
  }
  template <class State>
  void report(const State&, const State& last, Recorder& recorder) const {
    recorder.figure({"distance", "m", "from where it started"}, last.g.first().translation().norm());
    recorder.figure({"speed", "m/s", "at the end, from rest"}, std::abs(last.xi[0]));
  }

 private:
  double momentum_ = 0;
  analysis::RunningIntegral<double> gained_{};
};

}  // namespace

std::vector<Exhibit> planar() {
  return {exhibit<KnifeEdge>("knife_edge"), exhibit<VerticalDisk>("vertical_disk"),
          exhibit<Particle>("nonholonomic_particle"), exhibit<Snakeboard>("snakeboard")};
}

}  // namespace gallery
