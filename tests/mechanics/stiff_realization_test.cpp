#include <dalembert/mechanics/stiff_realization.hpp>

#include <cmath>
#include <stdexcept>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/pendulum.hpp>

#include "support/catch.hpp"

namespace stiff_realization_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Pendulum = systems::Pendulum<double>;
using Sleigh = systems::ChaplyginSleigh<double>;

static_assert(MechanicalSystem<StiffPotential<Pendulum>> && kinematic_rows<StiffPotential<Pendulum>> == 0);
static_assert(MechanicalSystem<LargeInertia<Pendulum>> && kinematic_rows<LargeInertia<Pendulum>> == 0);
static_assert(MechanicalSystem<LargeInertia<Sleigh>>);

TEST_CASE("a pendulum on a spring and one with a heavy rod obey their equations", "[realization]") {
  const Pendulum pendulum{{.mass = 2, .length = 1.5, .gravity = 3}};
  const double epsilon = 0.05, x = 0.6, y = -1.1, vx = 0.4, vy = 1.3;
  const double r = std::hypot(x, y), nx = x / r, ny = y / r;
  const auto rates_of = [&](const auto& system) {
    const LagrangeDAlembert problem{system};
    auto rates = problem.make_rates();
    problem.rates(problem.state(Rn<double, 2>(Vec<double, 2>(x, y)), {vx, vy}), rates);
    return rates.xidot;
  };
  const Vec<double, 2> spring = rates_of(with_potential(pendulum, epsilon));
  CHECK(spring[0] == Approx(-(r - 1.5) / epsilon * nx / 2));
  CHECK(spring[1] == Approx(-3 - (r - 1.5) / epsilon * ny / 2));

  // (m + 1/ε) r̈ = m r φ̇² − mγ sin φ,  d/dt(r²φ̇) = −γ r cos φ
  const Vec<double, 2> heavy = rates_of(with_inertia(pendulum, epsilon));
  const double along = nx * vx + ny * vy, turning = (x * vy - y * vx) / (r * r);
  const double outwards = (2 * r * turning * turning - 2 * 3 * ny) / (2 + 1 / epsilon);
  const double around = (-3 * r * nx - 2 * r * along * turning) / (r * r);
  const double radial = outwards - r * turning * turning, aside = r * around + 2 * along * turning;
  CHECK(heavy[0] == Approx(radial * nx - aside * ny));
  CHECK(heavy[1] == Approx(radial * ny + aside * nx));
}

TEST_CASE("the energies of a stiff spring and of a large inertia are conserved", "[realization]") {
  const Pendulum pendulum{{.mass = 1, .length = 1, .gravity = 9.81}};
  const auto change = [](const auto& system, const auto& g, const auto& xi) {
    const LagrangeDAlembert problem{system};
    auto state = problem.state(g, xi);
    const double before = problem.energy(state);
    drive(RungeKutta4{}, problem, state, {.step = 1e-3, .until = 2.0});
    return std::abs(problem.energy(state) - before);
  };
  const Rn<double, 2> place(Vec<double, 2>(0.8, 0.6));
  const Vec<double, 2> velocity(0.1, -0.2);
  CHECK(change(with_potential(pendulum, 0.01), place, velocity) < 1e-7);
  CHECK(change(with_inertia(pendulum, 0.01), place, velocity) < 1e-8);
  CHECK(change(with_inertia(Sleigh{{}}, 0.01), SE2d::identity(), Vec<double, 3>(1.0, 0.1, 0.8)) < 1e-9);
}

TEST_CASE("a large inertia across the blade is no nonholonomic sleigh", "[realization]") {
  // The momentum across the blade, v/ε, takes the place of an impulse; it is zero at the start where the slip is, and data otherwise.
  const Sleigh sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  const auto final_velocity = [](const auto& system, double slip) {
    const LagrangeDAlembert problem{system};
    auto state = problem.state(SE2d::identity(), {1, slip, 1});
    drive(RungeKutta4{}, problem, state, {.step = 2e-3, .until = 2.0});
    return state.xi;
  };
  const double epsilon = 1e-5;
  const auto motion = sleigh.exact({.u = 1, .omega = 1, .phi = 0}, 2.0);
  const Vec<double, 3> vakonomic = final_velocity(with_inertia(sleigh, epsilon), 0);
  const Vec<double, 3> pushed = final_velocity(with_inertia(sleigh, epsilon), epsilon);
  CHECK(std::abs(vakonomic[1]) < 20 * epsilon);
  CHECK(std::abs(pushed[1]) < 20 * epsilon);
  CHECK(std::abs(vakonomic[2] - motion.omega) > 0.05);
  CHECK(std::abs(vakonomic[2] - pushed[2]) > 0.05);  // the limit depends on slip/ε
}

TEST_CASE("a stiffness or an inertia that is not positive is refused", "[realization]") {
  const Pendulum pendulum{{}};
  CHECK_THROWS_WITH(with_potential(pendulum, 0.0), ContainsSubstring("StiffPotential: epsilon = 0"));
  CHECK_THROWS_WITH(with_inertia(pendulum, -1.0), ContainsSubstring("LargeInertia: epsilon = -1"));
  CHECK_THROWS_AS(with_potential(pendulum, std::nan("")), std::invalid_argument);
}

}  // namespace stiff_realization_test
