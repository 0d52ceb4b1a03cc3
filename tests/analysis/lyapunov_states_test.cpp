#include <dalembert/analysis/lyapunov.hpp>

#include <cmath>
#include <stdexcept>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

#include "support/catch.hpp"
#include "support/lorenz.hpp"
#include "support/pendulum.hpp"

namespace lyapunov_states_test {

using namespace dalembert;
using analysis::largest_lyapunov_exponent;
using analysis::lyapunov_spectrum;
using Catch::Matchers::ContainsSubstring;
using Vec3 = Vec<double, 3>;
using Lorenz = test::Lorenz<double>;

static_assert(analysis::ComparableByNumbers<Lorenz> && !CoordinateProblem<Lorenz>);

TEST_CASE("the exponents of Lorenz's equations are the known ones", "[lyapunov]") {
  // 0.9056, 0, −14.5723: Sprott, Chaos and Time-Series Analysis (2003). The sum is the divergence −(σ + 1 + β) everywhere.
  const Lorenz problem;
  const Lorenz::State start{.at = {1, 2, 20}};
  const auto two = largest_lyapunov_exponent(
      RungeKutta4{}, problem, start, {.step = 0.01, .duration = 1000.0, .interval = 0.5, .transient = 20.0});
  CAPTURE(two.exponents[0], two.standard_error[0]);
  CHECK(two.exponents[0] == Approx(0.9056).epsilon(0.02));
  CHECK(two.exponents[0] > 20 * two.standard_error[0]);
  const auto all =
      lyapunov_spectrum(RungeKutta4{}, problem, start,
                        {.step = 0.005, .duration = 200.0, .interval = 0.1, .transient = 20.0}, 3);
  CHECK(all.exponents.sum() == Approx(-(10 + 1 + 8.0 / 3)).epsilon(1e-5));
  CHECK(all.exponents[0] == Approx(0.9056).epsilon(0.06));
  CHECK(std::abs(all.exponents[1]) < 0.02);
  CHECK_THROWS_WITH(
      lyapunov_spectrum(RungeKutta4{}, problem, start, {.step = 0.01, .duration = 1.0, .interval = 0.1}, 4),
      ContainsSubstring("here 3"));
}

/// q̈ = −kq, whose increments have a norm and nothing else that is told.
struct Oscillator : test::Pendulum {
  Increment difference(const State& from, const State& to) const {
    return {to.q - from.q, to.v - from.v, to.time - from.time};
  }
};
static_assert(analysis::ComparableProblem<Oscillator> && !analysis::ComparableByNumbers<Oscillator>);

TEST_CASE("a disturbance may be given where the numbers of increments are not told", "[lyapunov]") {
  // q̈ = 2.25 q: everything departs like exp(1.5 t), even from a motion that comes to rest.
  const Oscillator saddle{{.stiffness = -2.25, .harmonic = true}};
  const Oscillator::State incoming{.time = 3, .q = 1, .v = -1.5};
  const auto departs = largest_lyapunov_exponent(
      DormandPrince54{}, saddle, incoming,
      {.step = 0.02, .duration = 16.0, .interval = 0.5, .transient = 6.0}, {.q = -3, .v = 5, .time = 7});
  CHECK(departs.exponents[0] == Approx(1.5).epsilon(1e-5));
  CHECK(departs.standard_error[0] < 1e-5);
  // It is one in place, not in time.
  const auto moved = analysis::detail::disturbed(saddle, incoming, 2.0, {.q = -3, .v = 5, .time = 7});
  CHECK((moved.time == 3 && moved.q == -5 && moved.v == 8.5));
  const Oscillator harmonic{{.stiffness = 2.25, .harmonic = true}};
  const auto stays = largest_lyapunov_exponent(DormandPrince54{}, harmonic, incoming,
                                               {.step = 0.02, .duration = 160.0, .interval = 0.5},
                                               {.q = 1, .v = 0, .time = 0});
  CHECK(std::abs(stays.exponents[0]) < 0.005);
  CHECK_THROWS_WITH(largest_lyapunov_exponent(DormandPrince54{}, harmonic, incoming,
                                              {.step = 0.02, .duration = 1.0, .interval = 0.1}, {}),
                    ContainsSubstring("disturbance = 0, but"));
}

TEST_CASE("motions that meet are told", "[lyapunov]") {
  // q̈ = −q³ + … would not do it, a step that forgets where it came from does.
  struct Forgetful : Oscillator {
    void retract(const State& at, const Increment& u, State& out) const {
      const double time = at.time + u.time;
      if (u.time > 0)
        out = {time, 0.5, 0.5};
      else
        Oscillator::retract(at, u, out);
    }
  };
  const Forgetful problem{{{.harmonic = true}}};
  CHECK_THROWS_AS(largest_lyapunov_exponent(RungeKutta4{}, problem, {.q = 1},
                                            {.step = 0.1, .duration = 1.0, .interval = 0.1}, {.q = 1}),
                  NoConvergence);
}

TEST_CASE("a body that turns about its middle axis tumbles at the rate that Euler's equations say",
          "[lyapunov][assembly]") {
  const double j1 = 0.8, j2 = 1.3, j3 = 1.7, omega = 1.9;
  using namespace assembly;
  const RigidBody<double> body{{.mass = 1, .inertia = {j1, j2, j3}}};
  const Assembly problem{bodies(std::vector{body})};
  auto start = problem.state({body.at({0.1, 0.2, 0.3}, SO3d::exp(Vec3(0.3, -0.2, 0.5)))});
  start[0].set_velocity(0, {0.4, 0, -0.1}, {0, omega, 0});
  const double rate = omega * std::sqrt((j2 - j1) * (j3 - j2) / (j1 * j3));
  const auto found = largest_lyapunov_exponent(
      RungeKutta4{}, problem, start, {.step = 0.02, .duration = 8.0, .interval = 0.5, .transient = 12.0});
  CHECK(found.exponents[0] == Approx(rate).epsilon(1e-3));
  // About the largest axis it goes on turning.
  start[0].set_velocity(0, {0.4, 0, -0.1}, {0, 0, omega});
  const auto steady = largest_lyapunov_exponent(RungeKutta4{}, problem, start,
                                                {.step = 0.02, .duration = 300.0, .interval = 1.0});
  CHECK(steady.exponents[0] < 0.03 * rate);
}

TEST_CASE("a top that stands on its point without turning falls at the rates of its two axes",
          "[lyapunov][assembly]") {
  using namespace assembly;
  const double m = 2, g = 9.81, l = 0.4, j1 = 0.05, j2 = 0.3;
  const RigidBody<double> body{{.mass = m, .inertia = {j1, j2, 0.3}, .gravity = {0, 0, -g}}};
  const Assembly problem{bodies(std::vector{body}),
                         constraints(std::vector{SphericalJoint<double>{
                             {0, 0, {0, 0, -l}}, FrameMarker<double>::in_space({0, 0, 0})}})};
  const auto start = problem.state({body.at({0, 0, l})});
  const auto rate = [&](double j) { return std::sqrt(m * g * l / (j + m * l * l)); };
  const auto found = lyapunov_spectrum(RungeKutta4{.project = true}, problem, start,
                                       {.step = 0.02, .duration = 4.0, .interval = 0.2, .transient = 3.0}, 2);
  CHECK(found.exponents[0] == Approx(rate(j1)).epsilon(1e-3));
  CHECK(found.exponents[1] == Approx(rate(j2)).epsilon(1e-3));
  // A joint takes six of twelve directions.
  CHECK_THROWS_WITH(lyapunov_spectrum(RungeKutta4{.project = true}, problem, start,
                                      {.step = 0.02, .duration = 4.0, .interval = 0.2}, 7),
                    ContainsSubstring("here 6"));
}

}  // namespace lyapunov_states_test
