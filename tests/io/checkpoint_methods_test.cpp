// Runs by every method that are stopped, saved and taken up: bit for bit where a method says that it keeps nothing beside the state.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/checkpoint.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/implicit.hpp"

namespace checkpoint_methods_test {

using namespace dalembert;

/// The numbers of a state.
std::vector<double> numbers(const State<SE2d>& x) {
  const auto g = x.g.matrix();
  std::vector<double> all{x.time};
  all.insert(all.end(), g.data(), g.data() + g.size());
  all.insert(all.end(), x.xi.begin(), x.xi.end());
  return all;
}
std::vector<double> numbers(const assembly::State<double>& x) {
  std::vector<double> all{x.time};
  for (const auto& chain : x.chains) {
    const auto& q = chain.configuration;
    const auto& v = chain.velocity;
    all.insert(all.end(), q.data(), q.data() + q.size());
    all.insert(all.end(), v.data(), v.data() + v.size());
  }
  return all;
}

/// How far, in its numbers, a run that is stopped at its 4th output and taken up from a checkpoint is from the uninterrupted one in the end.
template <class M, class P>
double gap(const M& method, const P& problem, const typename P::State& start, double step) {
  const test::Folder folder;
  const auto path = folder / "run.checkpoint";
  DriveOptions<P> options{.step = step, .until = start.time + 100 * step, .output_interval = 7.5 * step};
  options.origin = start.time;
  auto whole = start;
  long seen = 0;
  const auto watch = [&](const P&, const typename P::State& x) {
    if (++seen == 5) io::save_checkpoint(path, x);
  };
  const auto report = drive(method, problem, whole, options, watch);
  CHECK(report.step == Approx(7.5 / 8 * step).epsilon(1e-14));
  auto restored = start;
  io::load_checkpoint(path, restored);
  CHECK(restored.time == Approx(start.time + 30 * step));
  drive(method, problem, restored, options, watch);
  const auto a = numbers(whole), b = numbers(restored);
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

template <class M, class P>
void check_exact(const M& method, const P& problem, const typename P::State& start, double step) {
  static_assert(!KeepsMemory<M>);
  CAPTURE(M::order);
  CHECK(gap(method, problem, start, step) == 0);
}

TEST_CASE("methods of small systems go on from a checkpoint bit for bit", "[checkpoint]") {
  const LagrangeDAlembert problem{
      systems::ChaplyginSleigh<double>{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}};
  const auto start = problem.state(SE2d(0.1, 0.2, 0.3), {-0.7, 0, 0.9}, 0.05);
  check_exact(RungeKutta4{}, problem, start, 0.013);
  check_exact(DormandPrince54{.project = true}, problem, start, 0.013);
  check_exact(DormandPrince853{}, problem, start, 0.013);
  check_exact(Gauss<2>{}, problem, start, 0.013);
  check_exact(Radau<2>{}, problem, start, 0.013);
  check_exact(NonholonomicLeapfrog{}, problem, start, 0.013);
  check_exact(NonholonomicMcLachlanPerlmutter{}, problem, start, 0.013);
  check_exact(NonholonomicEnergyPreserving{}, problem, start, 0.013);
  check_exact(Composition<NonholonomicMcLachlanPerlmutter, 4>{}, problem, start, 0.013);
}

TEST_CASE("methods of assemblies go on from a checkpoint bit for bit, or as accurately if they say so",
          "[checkpoint]") {
  const auto made = test::double_pendulum();
  const auto& problem = made.first;
  const auto& start = made.second;
  check_exact(Verlet{}, problem, start, 1e-3);
  check_exact(RungeKutta4{}, problem, start, 1e-3);
  static_assert(KeepsMemory<ImplicitMidpoint> && KeepsMemory<DiscreteGradient> &&
                KeepsMemory<GeneralizedAlpha>);
  const double midpoint = gap(ImplicitMidpoint{}, problem, start, 1e-3),
               gradient = gap(DiscreteGradient{}, problem, start, 1e-3),
               alpha = gap(GeneralizedAlpha{}, problem, start, 1e-3),
               finer = gap(GeneralizedAlpha{}, problem, start, 5e-4);
  CAPTURE(midpoint, gradient, alpha, finer);
  CHECK(midpoint < 1e-10);
  CHECK(gradient < 1e-10);
  CHECK(alpha > 1e-12);
  CHECK(alpha < 1e-4);
  CHECK(finer < 0.5 * alpha);
}

}  // namespace checkpoint_methods_test
