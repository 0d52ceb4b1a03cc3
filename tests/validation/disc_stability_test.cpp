// The rolling disc: steady turns found from rough guesses, and the speeds at which it runs upright by itself.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/analysis/relative_equilibrium.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/rolling_disc.hpp>

#include "support/catch.hpp"

namespace disc_stability_test {

using namespace dalembert;
using Disc = systems::RollingDisc<>;
using Problem = LagrangeDAlembert<Disc>;
using Speeds = Vec<double, Eigen::Dynamic>;

constexpr double gravity = 9.81;

/// The plane may be turned and shifted under the disc, and the disc turned about its axle.
std::vector<analysis::Symmetry<Problem>> symmetries(const Problem& problem) {
  const auto shifts = analysis::translations(problem, {3, 4});
  return {Disc::on_turned_plane<Problem::State>, Disc::turned_about_axle<Problem::State>, shifts[0],
          shifts[1]};
}

/// A disc in the attitude and with the rates of yaw, lean and spin given.
Problem::State state_of(const Problem& problem, double lean, double yaw_rate, double spin_rate) {
  const Disc& disc = problem.system();
  const SO3d R = Disc::attitude(0.3, lean, 0.7);
  // Its angular velocity in its own frame, for the spin angle 0.7.
  return problem.state(disc.standing(R, {0.2, -0.4}),
                       disc.rolling(R, Disc::angular_velocity(lean, 0.7, yaw_rate, 0.0, spin_rate)));
}

double lean_of(const Problem::State& at) { return std::asin(at.g.first().matrix()(2, 2)); }

/// λ² of the lean of an upright disc that rolls straight at this spin, and of one that spins on the spot at
/// this yaw rate, from (5) of systems/rolling_disc.hpp: (A + mr²)λ² = mGr − KCb²/A and (A + mr²)λ² = mGr − (A +
/// mr²)c².
struct Upright {
  double a, c, m = 1.3, r = 0.45;
  double k() const { return c + m * r * r; }
  double rolling(double spin) const {
    return (m * gravity * r - k() * c * spin * spin / a) / (a + m * r * r);
  }
  double turning(double yaw) const { return m * gravity * r / (a + m * r * r) - yaw * yaw; }
  Problem problem() const {
    return Problem{Disc{{.mass = m, .radius = r, .inertia = Vec<double, 3>(a, a, c).asDiagonal()}}};
  }
};

/// λ² of the reduced equations, whose characteristic polynomial is λ²(λ² − μ).
double square_of_growth(const Problem& problem, const Problem::State& state) {
  const auto linear = analysis::linearization(problem, state, symmetries(problem));
  REQUIRE(linear.matrix.rows() == 4);
  const auto c = linear.characteristic();
  const double rate = std::max(5.0, std::sqrt(std::abs(c[2])));
  for (const int power : {1, 3, 4}) CHECK(std::abs(c[power]) < 1e-10 * std::pow(rate, power));
  return -c[2];
}

TEST_CASE("an upright disc grows or swings as Routh's equations say", "[validation][disc]") {
  const double m = 1.3, r = 0.45;
  for (const Upright& disc :
       {Upright{m * r * r / 4, m * r * r / 2}, Upright{m * r * r / 2, m * r * r}, Upright{0.09, 0.12}}) {
    const Problem problem = disc.problem();
    for (const double rate : {0.5, 3.0, -9.0}) {
      CAPTURE(disc.a, disc.c, rate);
      CHECK(square_of_growth(problem, state_of(problem, 0, 0, rate)) ==
            Approx(disc.rolling(rate)).epsilon(1e-10));
      CHECK(square_of_growth(problem, state_of(problem, 0, rate, 0)) ==
            Approx(disc.turning(rate)).epsilon(1e-10));
    }
  }
}

TEST_CASE("a thin disc runs upright from v² = gr/3 on, and spins upright from ω² = 4g/(5r) on",
          "[validation][disc]") {
  const double r = 0.45;
  const Problem problem{Disc{{.mass = 1.3, .radius = r}}};
  const auto root = [](const auto& f, double low, double high) {  // secant
    double a = low, b = high, fa = f(a), fb = f(b);
    for (int i = 0; i < 12 && fb != fa && std::abs(b - a) > 1e-13; ++i) {
      const double next = b - fb * (b - a) / (fb - fa);
      a = b, fa = fb, b = next, fb = f(b);
    }
    return b;
  };
  const double spin =
      root([&](double s) { return square_of_growth(problem, state_of(problem, 0, 0, s)); }, 2.0, 4.0);
  CHECK(spin * spin * r * r == Approx(gravity * r / 3).epsilon(1e-10));
  const double yaw =
      root([&](double s) { return square_of_growth(problem, state_of(problem, 0, s, 0)); }, 3.0, 5.0);
  CHECK(yaw * yaw == Approx(4 * gravity / (5 * r)).epsilon(1e-10));
}

TEST_CASE("without its axle's symmetry a rolling disc has no constant linear equations",
          "[validation][disc]") {
  const Problem problem{Disc{{}}};
  const auto state = state_of(problem, 0, 0, 3);
  // The disc is carried along by the translation with its own velocity, but that is a symmetry of no tilted
  // disc.
  CHECK_THROWS_WITH(analysis::linearization(problem, state),
                    Catch::Matchers::ContainsSubstring("must not change under it"));
  CHECK_THROWS_WITH(analysis::linearization(problem, state_of(problem, 0.3, 1, 2), symmetries(problem)),
                    Catch::Matchers::ContainsSubstring("linearization: rates = "));
}

/// (4g/5r) tan q₂ + q̇₁² sin q₂ + (6/5) q̇₁q̇₃.
double turn_residual(double r, double lean, double yaw_rate, double spin_rate) {
  return 4 * gravity / (5 * r) * std::tan(lean) + yaw_rate * yaw_rate * std::sin(lean) +
         1.2 * yaw_rate * spin_rate;
}

TEST_CASE("a steady turn of the disc is found from a rough guess and followed in its lean",
          "[validation][disc]") {
  const double r = 0.45;
  const Problem problem{Disc{{.mass = 1.3, .radius = r}}};
  const auto wanted = [](const Problem&, const Problem::State& at, const Speeds& c, double lean) {
    return Speeds(Vec<double, 2>(lean_of(at) - lean, c[0] - 1.7));
  };
  const auto guess = state_of(problem, 0.1, 1.2, -1.0);
  const auto branch =
      analysis::equilibrium_branch([&](double) { return problem; }, guess, symmetries(problem), wanted,
                                   analysis::BranchOptions<double>{.from = 0.3, .until = 1.2, .step = 0.3});
  REQUIRE(branch.size() >= 4);
  for (const auto& [lean, turn] : branch) {
    CAPTURE(lean, turn.iterations);
    CHECK(std::abs(turn_residual(r, lean, turn.speeds[0], turn.speeds[1])) < 1e-11);
    CHECK(turn.speeds[0] == Approx(1.7).epsilon(1e-12));
    CHECK(turn.speeds[1] == Approx(problem.system().steady_spin(lean, 1.7)).epsilon(1e-12));
    CHECK(std::abs(lean_of(turn.state) - lean) < 1e-12);
    CHECK(problem.constraint(turn.state).velocity < 1e-12);
  }
  CHECK(branch.back().parameter == 1.2);
}

}  // namespace disc_stability_test
