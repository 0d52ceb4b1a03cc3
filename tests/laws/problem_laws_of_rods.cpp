// Rods that do not know of each other, with everything that pulls, holds and damps them, for the laws of problems.

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/rod/body.hpp>
#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace problem_laws_of_rods {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Boundary = rod::Boundary<double>;
using V = Vec<double, 3>;

const V shift(0.4, 0.3, -0.6);

/// The motion of an end, seen from a frame that is turned and displaced.
rod::EndMotion<double> led(double t, const SO3<double>& turn, const V& displaced) {
  rod::EndMotion<double> m;
  m.position = turn.act(V(std::sin(t), 0.2 * t, std::cos(2 * t))) + displaced;
  m.velocity = turn.act(V(std::cos(t), 0.2, -2 * std::sin(2 * t)));
  m.acceleration = turn.act(V(-std::sin(t), 0, -4 * std::cos(2 * t)));
  const double angle = 0.7 * t + 0.3 * t * t;  // about the body axis 2
  const auto frame =
      turn * SO3<double>::from_unit_quaternion(std::cos(angle / 2), V(0, std::sin(angle / 2), 0));
  m.quaternion << frame.w(), frame.v();
  m.angular_velocity = V(0, 0.7 + 0.6 * t, 0);
  m.angular_acceleration = V(0, 0.6, 0);
  return m;
}

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  const SO3<double> turn = elsewhere ? SO3<double>::exp({0.3, -1.1, 0.7}) : SO3<double>::identity();
  const V displaced = elsewhere ? shift : V(0, 0, 0);
  const auto add = [&](const char* name, Rod::Parameters p, const test::Nature& nature) {
    test::Random random(test::seed());
    const auto pull = [&] { return V(turn.act(random.vector<double>())); };
    p.loads.gravity = pull();
    p.loads.start.force = pull();
    p.loads.finish.force = pull();
    p.loads.finish.follower_force = random.vector<double>();
    const Rod one = test::soft_rod<Rod>(0.01, 21, p);
    const assembly::Assembly problem{assembly::bodies(std::vector{one, one})};
    std::vector<rod::Chain<double>> chains;
    for (int i = 0; i < 2; ++i) {
      chains.push_back(
          test::random_chain(one, Mat<double, 3>(Mat<double, 3>::Identity()), random, {.bend = 0.8}));
      test::transform<double>(chains.back(), test::matrix(turn), displaced);
    }
    test::add_problem(all, name, problem, {problem.state(chains, {}, 0.4)}, nature);
  };
  add("free rods", {}, {.equivariant = true});
  add("clamped and pinned rods", {.start = Boundary::clamped(), .finish = Boundary::pinned()},
      {.equivariant = true});
  add("damped rods whose ends are heavy", {.damping = {0.3}, .end_mass_fraction = 1.0},
      {.reversible = false, .equivariant = true});
  add("led rods",
      {.start = Boundary::prescribed([turn, displaced](double t) { return led(t, turn, displaced); })},
      {.reversible = false, .equivariant = true});
});

}  // namespace problem_laws_of_rods
