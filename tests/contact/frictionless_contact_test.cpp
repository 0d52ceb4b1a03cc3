#include <dalembert/contact/frictionless_contact.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/bias.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"

namespace sliding_crossing_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;

/// Two rods hooked into each other, in equilibrium.
const systems::RollingRodsStart<double, contact::CubicSpline>& hooked() {
  static const auto start =
      systems::static_start(systems::RollingRodsParameters<double>{.elements = 80, .kernel_width = 0.0125});
  return start;
}

template <template <class...> class Contact, class K>
auto problem(bool bilateral = false) {
  const auto& rods = hooked().rods;
  const Contact<double, K> contact{{0, rods[0], 0.0125}, {1, rods[1], 0.0125}, 0.005, 0.005, bilateral};
  return assembly::Assembly{assembly::bodies(rods), assembly::constraints(std::vector{contact})};
}

TEST_CASE("rods that slide press on each other by the normal force of their equilibrium",
          "[contact][crossing]") {
  const auto sliding = problem<contact::FrictionlessContact, contact::CubicSpline>();
  auto x = sliding.state(hooked().state.chains, hooked().state.z);
  auto r = sliding.make_rates();
  sliding.rates(x, r);
  CHECK(r.lambda.size() == 1);
  CHECK(r.lambda[0] == Approx(hooked().normal_force()).epsilon(1e-9));
  for (const auto& a : r.xidot) CHECK(a.topRows(81).abs().maxCoeff() < 1e-5);

  // struck across the contact they keep the gap and their energy, and slip
  for (Eigen::Index k = 30; k <= 50; ++k) x[0].set_velocity(k, {1, 0.5, 0.3}, {0, 0, 0});
  sliding.project(x);
  const double energy = sliding.energy(x), kinetic = sliding.kinetic_energy(x);
  drive(Verlet{}, sliding, x, {.step = 2e-5, .until = 5e-3});
  CHECK(sliding.constraint(x).position < 1e-16);
  CHECK(sliding.constraint(x).velocity < 1e-13);
  CHECK(std::abs(sliding.energy(x) - energy) < 2e-3 * kinetic);
  const auto rolling = problem<contact::RollingContact, contact::CubicSpline>();
  CHECK(rolling.constraint(x).velocity > 0.01);
}

TEST_CASE("a sliding contact that pulls is no longer valid unless it may", "[contact][crossing]") {
  const auto sliding = problem<contact::FrictionlessContact, contact::CubicSpline>();
  const Vec<double, 1> pull(-1.0);
  const assembly::FrameState<double> nothing{};
  CHECK_THROWS_AS(sliding.constraints<0>()[0].check(pull, nothing, nothing, 0.0), ContactOpened);
  const auto both = problem<contact::FrictionlessContact, contact::CubicSpline>(true);
  CHECK_NOTHROW(both.constraints<0>()[0].check(pull, nothing, nothing, 0.0));
}

TEST_CASE("a crossing with the corrected kernel keeps its rods at their distance, and its rows to round-off",
          "[contact][crossing]") {
  const auto run = []<class K>(K) {
    const auto rolling = problem<contact::RollingContact, K>();
    auto x = rolling.state(hooked().state.chains, hooked().state.z);
    for (Eigen::Index k = 30; k <= 50; ++k) x[0].set_velocity(k, {1, 0.5, 0.3}, {0, 0, 0});
    rolling.project(x);
    drive(Verlet{}, rolling, x, {.step = 2e-5, .until = 5e-3});
    CHECK(rolling.constraint(x).position < 1e-16);
    CHECK(rolling.constraint(x).velocity < 1e-13);
    return contact::gap_bias(rolling.template constraints<0>()[0], x.chains, Vec<double, 2>(x.z));
  };
  const double plain = run(contact::CubicSpline{}), corrected = run(contact::CorrectedQuinticSpline{});
  CAPTURE(plain, corrected);
  CHECK(plain > 3e-4);
  CHECK(std::abs(corrected) < 0.4 * plain);
}

}  // namespace sliding_crossing_test
