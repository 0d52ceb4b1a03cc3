// A thick rubber rod that is turned ten times at one end and then given slack coils up on itself: its link is what it was turned by, until it touches
// itself. A twisted ring does the same without ends.

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/link.hpp>
#include <dalembert/rod/section.hpp>

#include "support/catch.hpp"

namespace plectoneme_test {

using namespace dalembert;
using assembly::bodies;
using assembly::constraints;
using Rod = rod::ElasticRod<double>;
using State = assembly::State<double>;
using V = Vec<double, 3>;
using Catch::Matchers::WithinAbs;
constexpr double pi_ = static_cast<double>(pi);

constexpr double turns = 10, turning = 1, stretch = 1.15, slack = 0.5, slackening = 2;  // [1, s, 1, m, s]

/// From 0 to 1 in the time `length` from `start` on, with two derivatives that begin and end with 0.
struct Ramp {
  double value, rate, acceleration;

  Ramp(double t, double start, double length) {
    const double x = std::clamp((t - start) / length, 0.0, 1.0);
    value = x * x * x * (10 + x * (6 * x - 15));
    rate = 30 * x * x * (1 - x) * (1 - x) / length;
    acceleration = 60 * x * (1 - x) * (1 - 2 * x) / (length * length);
  }
};

/// The end that is turned about z and then comes nearer.
rod::EndMotion<double> lead(double t) {
  const Ramp turn(t, 0, turning), shift(t, turning, slackening);
  const double angle = 2 * pi_ * turns;
  rod::EndMotion<double> m;
  m.position = V(0, 0, stretch - slack * shift.value);
  m.velocity = V(0, 0, -slack * shift.rate);
  m.acceleration = V(0, 0, -slack * shift.acceleration);
  m.quaternion = {std::cos(angle * turn.value / 2), 0, 0, std::sin(angle * turn.value / 2)};
  m.angular_velocity = V(0, 0, angle * turn.rate);
  m.angular_acceleration = V(0, 0, angle * turn.acceleration);
  return m;
}

Rod make_rod() {
  const rod::CircularSection<double> section(
      {.radius = 0.025, .young = 1e6, .poisson = 0.5, .density = 2000});
  Rod::Parameters p{.elements = 100, .length = 1, .inertia = section.inertia()};
  p.start = rod::Boundary<double>::clamped();
  p.finish = rod::Boundary<double>::prescribed(lead);
  p.damping.rate = 10;
  return {rod::LinearElastic<double>(section.stiffness_diagonal()), p};
}

/// Straight and stretched, so that it does not buckle as it is turned, with a little motion across.
rod::Chain<double> start(const Rod& rod) {
  auto chain = rod.straight(V::Zero(), SO3<double>::identity(), stretch);
  for (Eigen::Index k = 1; k + 1 < rod.nodes(); ++k) {
    const double x = static_cast<double>(k) / rod.elements(), s = std::sin(pi_ * x);
    chain.set_velocity(k, 0.01 * s * s * V(std::cos(3 * x), std::sin(3 * x), 0), V::Zero());
  }
  return chain;
}

/// What the link of a run was off at most from the turns of its end, and the last of it.
struct Watch {
  double error = 0, most_turns = 0;
  rod::Link<double> last{};

  void operator()(const State& at) {
    const double given = turns * Ramp(at.time, 0, turning).value;
    last = rod::link(at[0], rod::Closure::rays);
    error = std::max(error, std::abs(last.link() - given));
    most_turns = std::max(most_turns, given);
  }
};

TEST_CASE(
    "a twisted rod coils up with the link by which it was turned, and ends the run where it touches itself",
    "[validation][rod][link]") {
  const Rod rod = make_rod();
  const assembly::Assembly problem{bodies(std::vector{rod})};
  State x = problem.state({start(rod)});
  Watch watch;
  bool touched = false;
  try {
    (void)drive(Verlet{}, problem, x,
                {.step = 2e-4,
                 .until = 3,
                 .output_interval = 0.02,
                 .checks = {contact::no_overlap(problem)},
                 .check_every = 5},
                [&](const auto&, const State& at) { watch(at); });
  } catch (const IntegrationFailureWith<State>& failure) {
    CHECK(failure.last().time == x.time);
    try {
      std::rethrow_if_nested(failure);
    } catch (const BodiesOverlap& overlap) {
      touched = overlap.bodies() == std::array<std::size_t, 2>{0, 0};
      CHECK_THAT(overlap.time(), WithinAbs(x.time, 1e-3));
    }
  }
  REQUIRE(touched);
  watch(x);
  CAPTURE(x.time, watch.last.twist, watch.last.writhe);
  CHECK(x.time > turning + 0.5);
  CHECK(watch.most_turns == turns);
  CHECK(watch.error < 1e-9);
  CHECK(watch.last.writhe > 0.5);  // it has coiled
}

TEST_CASE("where nobody watches a twisted rod passes through itself and loses two of its link",
          "[validation][rod][link]") {
  const Rod rod = make_rod();
  const assembly::Assembly problem{bodies(std::vector{rod})};
  State x = problem.state({start(rod)});
  auto stepper = Verlet{}.stepper(problem, x);
  double link = 0;
  while (x.time < turning + 0.6) (void)stepper.step(problem, x, 2e-4);
  do {
    for (int i = 0; i < 10; ++i) (void)stepper.step(problem, x, 2e-4);
    link = rod::link(x[0], rod::Closure::rays).link();
  } while (x.time < 3 && std::abs(link - turns) < 0.5);
  CAPTURE(x.time);
  CHECK_THAT(link, WithinAbs(turns - 2, 1e-9));
}

TEST_CASE("a ring with more twist than Michell's leaves its plane, folds up and keeps its link",
          "[validation][rod][link]") {
  const int n = 64, link = 5;  // beyond √3 EI/GJ = 2.6 turns a flat ring is unstable
  const rod::CircularSection<double> section({.radius = 0.01, .young = 1e6, .poisson = 0.5, .density = 1000});
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()),
                {.elements = n, .length = 1, .inertia = section.inertia(), .damping = {1}});
  const assembly::Assembly problem{bodies(std::vector{rod}),
                                   constraints(std::vector{assembly::Weld<double>{{0, 0}, {0, n}}})};
  rod::Chain<double> chain(n + 1);
  const double size = rod.spacing() / (2 * std::sin(pi_ / n));
  for (int k = 0; k <= n; ++k) {
    const double angle = 2 * pi_ * (k % n) / n;
    Mat<double, 3> axes;  // up, outwards, along the ring
    axes << 0, std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 1, 0, 0;
    const SO3<double> frame =
        SO3<double>::from_matrix(axes) * SO3<double>::exp(V(0, 0, link * 2 * pi_ * (k % n) / n));
    chain.set_frame(k, frame, size * V(std::cos(angle), std::sin(angle), 0));
    chain.set_velocity(k, V(0, 0, 0.02 * std::cos(2 * angle)), V::Zero());
  }
  State x = problem.state({chain});
  problem.project(x);
  double error = 0, seam = 0;
  rod::Link<double> last;
  bool touched = false;
  try {
    (void)drive(Verlet{}, problem, x,
                {.step = 2e-4,
                 .until = 3,
                 .output_interval = 0.02,
                 .checks = {contact::no_overlap(problem)},
                 .check_every = 10},
                [&](const auto& of, const State& at) {
                  last = rod::link(at[0], rod::Closure::ring);
                  error = std::max(error, std::abs(last.link() - link));
                  seam = std::max(seam, of.constraint(at).position);
                });
  } catch (const IntegrationFailureWith<State>& failure) {
    try {
      std::rethrow_if_nested(failure);
    } catch (const BodiesOverlap& overlap) {
      touched = overlap.bodies() == std::array<std::size_t, 2>{0, 0};
    }
  }
  CAPTURE(x.time, last.twist, last.writhe, seam);
  CHECK(touched);
  CHECK(error < 1e-9);
  CHECK(seam < 1e-12);
  CHECK(last.writhe > 0.5);
}

}  // namespace plectoneme_test
