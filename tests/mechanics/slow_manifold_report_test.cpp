#include <dalembert/mechanics/slow_manifold_report.hpp>

#include <cmath>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/mechanics/slow_manifold.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"

namespace slow_manifold_report_test {

using namespace dalembert;
using Sleigh = systems::ChaplyginSleigh<double>;

TEST_CASE("a watch tells when ε is too large for the order", "[slow_manifold]") {
  const Sleigh sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  const auto watched = [&](double epsilon, int order) {
    const SlowManifold<Sleigh, 3> slow(with_friction(sleigh, 1.0, epsilon), order);
    auto state = slow.state(SE2d::identity(), {-1, 0, 1});
    SlowManifoldWatch<double> watch;
    drive(RungeKutta4{}, slow, state, {.step = 0.05, .until = 2.0}, watch);
    CHECK(watch.decay_rate() == Approx(1.04 / epsilon));
    return watch;
  };
  CHECK(!watched(0.01, 1).too_large());
  CHECK(!watched(0.1, 3).too_large());
  CHECK(!watched(0.02, 0).too_large());
  CHECK(watched(0.6, 0).too_large());
  CHECK(watched(0.6, 1).too_large());
  CHECK(watched(0.6, 3).too_large());
  CHECK(watched(0.02, 2).relative() == Approx(watched(0.01, 2).relative() * 4).epsilon(0.1));
}

TEST_CASE("a fast transient is told from a slow slip, and how long it lasts", "[slow_manifold]") {
  const Sleigh sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  const double epsilon = 0.01;
  const auto system = with_friction(sleigh, 1.0, epsilon);
  const SlowManifold<Sleigh, 2> slow(system);
  const LagrangeDAlembert problem{system};
  auto state = problem.state(SE2d::identity(), {-1, 0.2, 1});
  const auto at_start = slow.transient(state);
  CHECK(at_start.present());
  CHECK(at_start.settling_time() > 5 * epsilon);
  CHECK(!slow.transient(slow.on_manifold(slow.below(state), 3)).present());
  CHECK(!slow.transient(problem.state(SE2d::identity(), {-1, 0, 0}))
             .present());  // it runs straight on, without any slip
  drive(RungeKutta4{}, problem, state, {.step = 1e-4, .until = 0.5 * at_start.settling_time()});
  CHECK(slow.transient(state).present());
  drive(RungeKutta4{}, problem, state, {.step = 1e-3, .until = 1.2 * at_start.settling_time()});
  CHECK(!slow.transient(state).present());
}

TEST_CASE("a motion without slip has no remainder and no transient", "[slow_manifold]") {
  const SlowManifoldReport<double> rolling{.velocity = 1, .slip = 0, .remainder = 0, .reference = 0};
  CHECK(rolling.relative() == 0);
  const FastTransient<double> none{.size = 0, .remainder = 0, .decay_rate = 10};
  CHECK(!none.present());
  CHECK(none.settling_time() == 0);
  const FastTransient<double> some{.size = std::exp(3.0), .remainder = 1, .decay_rate = 10};
  CHECK(some.present());
  CHECK(some.settling_time() == Approx(0.3));
}

}  // namespace slow_manifold_report_test
