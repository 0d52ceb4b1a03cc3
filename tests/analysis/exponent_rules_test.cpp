#include <dalembert/analysis/exponent_rules.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/kinetic_metric.hpp>
#include <dalembert/assembly/rigid_motion.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/lorenz.hpp"

namespace exponent_rules_test {

using namespace dalembert;
using D = Dual<double, 8>;
using Options = analysis::LyapunovOptions<double>;

template <class S>
using Rod = rod::ElasticRod<S>;
template <class S>
using Free = assembly::Assembly<assembly::Kinds<Rod<S>>>;
constexpr int elements = 2, nodes = elements + 1;

/// A short rod that nothing holds.
template <class S>
Free<S> free_rod(double damping) {
  const rod::CircularSection<S> section(
      {.radius = S(0.02), .young = S(1e4), .poisson = S(0.3), .density = S(1100), .shear_factor = S(0.9)});
  typename Rod<S>::Parameters of;
  of.elements = elements;
  of.length = S(0.3);
  of.inertia = section.inertia();
  of.damping.rate = S(damping);
  return Free<S>(
      assembly::bodies(std::vector{Rod<S>(rod::LinearElastic<S>(section.stiffness_diagonal()), of)}));
}
/// It turns and swings.
auto thrown(const Free<double>& problem, double strength) {
  auto at = problem.state({problem.bodies<0>()[0].straight({0.1, 0.2, -0.1})});
  for (Eigen::Index k = 0; k < nodes; ++k) {
    const double x = static_cast<double>(k);
    at[0].set_velocity(k, strength * Vec<double, 3>(0.3 * std::sin(3 * x), 0.2 * x, 0.1 * x * x),
                       strength * Vec<double, 3>(1 - x, 2 * std::cos(x), 3));
  }
  return at;
}
auto spectrum_of(double damping, double strength, double duration,
                 const analysis::Directions<Free<double>>& directions) {
  const auto problem = free_rod<double>(damping);
  const auto with_derivatives = free_rod<D>(damping);
  analysis::DerivedTangents tangents(Verlet{}, problem, with_derivatives, thrown(problem, strength));
  return analysis::tangent_spectrum(
      tangents, Options{.step = 1e-3, .duration = duration, .interval = 0.05, .transient = 2.0}, directions);
}

TEST_CASE("exponents of a free rod come in pairs", "[lyapunov][rod]") {
  const auto all = spectrum_of(0, 3, 12, {.count = 12 * nodes});
  // Verlet's method keeps volumes: the sum is zero in each interval
  CHECK(all.series.colwise().sum().cwiseAbs().maxCoeff() < 1e-8);
  CHECK(analysis::sum_rule(all, 0.0).holds(3, 1e-9));
  CHECK_FALSE(analysis::sum_rule(all, 0.1).holds(3, 1e-9));
  for (const auto& pair : analysis::pairing(all)) {
    CAPTURE(pair.found, pair.error);
    CHECK(pair.holds());
    CHECK(std::abs(pair.found) < 0.03);
    CHECK(pair.error < 0.5);  // 0.3 of a motion that builds which round otherwise follow another way
  }
}

TEST_CASE("under uniform damping pairs of exponents of a rod have that for their sum", "[lyapunov][rod]") {
  const double damping = 2;
  const auto all = spectrum_of(damping, 1, 10, {.count = 12 * nodes});
  CHECK(analysis::sum_rule(all, -6 * nodes * damping).holds(3, 1e-6));
  for (const auto& pair : analysis::pairing(all, -damping)) {
    CAPTURE(pair.found, pair.error);
    CHECK(pair.holds());
    CHECK(std::abs(pair.found + damping) < 0.2);
  }
  for (const auto& pair : analysis::pairing(all, 0.0)) CHECK_FALSE(pair.holds());
  // each velocity falls at this rate, wherever the rod is
  const auto problem = free_rod<double>(damping);
  CHECK(analysis::divergence(problem, thrown(problem, 1), {.time_scale = 0.05}) ==
        Approx(-6 * nodes * damping).epsilon(1e-4));
}

TEST_CASE("linear waves of a straight rod have no exponents but zero", "[lyapunov][rod]") {
  // At rest, waves are those of linear equations, and what moves as one goes off like t.
  analysis::Directions<Free<double>> waves{.count = 12 * nodes - 6, .symmetries = assembly::rigid_motions()};
  waves.symmetries.resize(5);  // a straight rod is as it was when it turns about its axis
  waves.count = 12 * nodes - 5;
  const auto found = spectrum_of(0, 0, 20, waves);
  for (Eigen::Index i = 0; i < waves.count; ++i) {
    CAPTURE(i, found.exponents[i], found.error[i]);
    CHECK(std::abs(found.exponents[i]) < 3 * found.error[i] + 1e-3);
    CHECK(std::abs(found.exponents[i]) < 0.25);
  }
  CHECK(found.removed.cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("the divergence of Lorenz's equations is a constant, of a sleigh it depends on its speed",
          "[lyapunov]") {
  const test::Lorenz<double> lorenz;
  CHECK(analysis::divergence(lorenz, {0, {3, -4, 20}}) == Approx(-(10 + 1 + 8.0 / 3)).epsilon(1e-5));

  using Sleigh = LagrangeDAlembert<systems::ChaplyginSleigh<double>>;
  const Sleigh problem{systems::ChaplyginSleigh<double>{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}};
  const double k = 1.5 * 0.4 / problem.system().inertia_about_blade();
  for (const double u : {0.9, -0.3})
    CHECK(analysis::divergence(problem, problem.state(SE2d(0.2, -0.3, 0.4), {u, 0, 0.6})) ==
          Approx(-k * u).epsilon(1e-4));
  const auto start = problem.state(SE2d(0.2, -0.3, 0.4), {-0.4, 0, 0.6});
  const Options options{.step = 0.02, .duration = 16.0, .interval = 0.04};
  const auto mean = analysis::mean_divergence(RungeKutta4{}, problem, start, options);
  const auto all = analysis::tangent_spectrum(RungeKutta4{}, problem, start, options,
                                              analysis::Directions<Sleigh>{.count = 5});
  const auto sum = analysis::sum_rule(all, mean.mean);
  CHECK(sum.found == Approx(mean.mean).epsilon(0.02));
  CHECK(sum.holds(1));
  CHECK_FALSE(analysis::sum_rule(all, mean.mean + 10 * sum.error).holds(3));
}

}  // namespace exponent_rules_test
