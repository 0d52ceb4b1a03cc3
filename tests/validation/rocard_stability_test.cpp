// Straight rolling of Rocard's tyre: the engine's small motions against the closed form.

#include <cmath>

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/rocard_tire.hpp>

#include "support/tire_stability.hpp"

namespace rocard_stability_test {

using namespace dalembert;
using systems::RocardTire;
using test::published_part;
using Column = Vec<double, Eigen::Dynamic>;

/// Straight rolling somewhere, with place, heading and wheel angle divided out: what is left besides the
/// published polynomial is one zero.
auto straight(const RocardTire<>& tire, double speed) {
  const LagrangeDAlembert problem{tire};
  const auto state = problem.state({SE2d(0.3, -0.2, 0.5), Rn<double, 1>(Vec<double, 1>(0.4))},
                                   tire.rolling(speed, 0, 0), Vec<double, 1>(0.0));
  return analysis::linearization(problem, state, analysis::translations(problem));
}

TEST_CASE("Rocard's tyre has the published characteristic polynomial", "[validation][tire]") {
  test::TireDraw draw;
  for (int i = 0; i < 20; ++i) {
    const RocardTire<> tire{{.axle = draw.positive(),
                             .yaw = draw.positive(),
                             .mass = draw.positive(),
                             .stiffness = draw.positive(),
                             .cornering = draw.positive()}};
    const double speed = draw.speed();
    const auto& p = tire.parameters();
    const Column c = published_part(straight(tire, speed));
    REQUIRE(c.size() == 3);
    CAPTURE(i, speed);
    CHECK(c[1] == Approx(p.cornering / (p.mass * std::abs(speed))).epsilon(1e-10));
    CHECK(c[2] == Approx(p.stiffness / p.yaw).epsilon(1e-10));
    CHECK(straight(tire, speed).growth() < 1e-10);
  }
}

}  // namespace rocard_stability_test
