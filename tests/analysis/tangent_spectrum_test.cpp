#include <dalembert/analysis/tangent_spectrum.hpp>

#include <cmath>
#include <stdexcept>

#include <dalembert/analysis/comparable_flow.hpp>
#include <dalembert/analysis/symmetry.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/string/numbers.hpp>
#include <dalembert/string/waveguide.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/lorenz.hpp"

namespace tangent_spectrum_test {

using namespace dalembert;
using analysis::DerivedTangents;
using analysis::DifferencedTangents;
using analysis::Directions;
using analysis::tangent_spectrum;
using Catch::Matchers::ContainsSubstring;
using test::Lorenz;
using Options = analysis::LyapunovOptions<double>;
static_assert(analysis::DerivativesOf<Lorenz<Dual<double, 2>>, Lorenz<double>>);

TEST_CASE("the exponents of Lorenz's equations are the known ones to their error, without the flow",
          "[lyapunov]") {
  // 0.9056, 0, −14.5723: Sprott, Chaos and Time-Series Analysis (2003)
  const Lorenz<double> problem;
  const Lorenz<Dual<double, 2>> with_derivatives;
  const Lorenz<double>::State start{0, {1, 2, 20}};
  const Options options{.step = 0.01, .duration = 400.0, .interval = 0.2, .transient = 20.0};
  const Directions<Lorenz<double>> rest{.count = 2, .without_flow = true};
  DerivedTangents derived(RungeKutta4{}, problem, with_derivatives, start);
  const auto exact = tangent_spectrum(derived, options, rest);
  const auto by_differences = tangent_spectrum(RungeKutta4{}, problem, start, options, rest);
  for (const auto& found : {exact, by_differences}) {
    CAPTURE(found.exponents.transpose(), found.error.transpose(), found.removed[0]);
    CHECK(std::abs(found.exponents[0] - 0.9056) < 3 * found.error[0]);
    CHECK(std::abs(found.exponents[1] + 14.5723) < 3 * found.error[1]);
    CHECK(found.error[0] < 0.05);
    CHECK(found.error[0] > 0.003);
    // the flow has none, and is told
    REQUIRE(found.removed.size() == 1);
    CHECK(std::abs(found.removed[0]) < 3 * found.removed_error[0] + 0.01);
    CHECK(found.series.cols() == 2000);
  }
}

TEST_CASE("tangent vectors by derivatives and by differences are the same where the motion is",
          "[lyapunov]") {
  const Lorenz<double> problem;
  const Lorenz<Dual<double, 2>> with_derivatives;
  const Lorenz<double>::State start{0, {1, 2, 20}};
  DerivedTangents derived(RungeKutta4{}, problem, with_derivatives, start);
  DifferencedTangents differenced(RungeKutta4{}, problem, start);
  Mat<double, Eigen::Dynamic> a = Mat<double, 3>::Identity(),
                              b = a;  // three columns of two derivatives: in two turns
  derived.carry(a, 1, 0.0025, 200);
  differenced.carry(b, 1e-7, 0.0025, 200);
  CHECK((a - b).norm() < 1e-5 * a.norm());
  CHECK((derived.state().at - differenced.state().at).norm() < 1e-13);
  // the determinant is that of the divergence
  const auto column = [&](int j) { return Vec<double, 3>(a(0, j), a(1, j), a(2, j)); };
  CHECK(column(0).dot(dalembert::detail::cross(column(1), column(2))) ==
        Approx(std::exp(-0.5 * (10 + 1 + 8.0 / 3))).epsilon(1e-6));
}

template <class S>
using Sleigh = LagrangeDAlembert<systems::ChaplyginSleigh<S>>;
template <class S>
Sleigh<S> sleigh() {
  return Sleigh<S>{systems::ChaplyginSleigh<S>{{.mass = S(1.5), .inertia = S(0.7), .offset = S(0.4)}}};
}

TEST_CASE("the exponents of a sleigh are zero but the one with which it turns straight", "[lyapunov]") {
  const auto problem = sleigh<double>();
  const auto with_derivatives = sleigh<Dual<double, 5>>();
  const auto start = problem.state(SE2d(0.2, -0.3, 0.4), {0.9, 0, 0.6});
  const Options options{.step = 0.05, .duration = 400.0, .interval = 0.5, .transient = 10.0};
  DerivedTangents derived(RungeKutta4{}, problem, with_derivatives, start);
  const auto found = tangent_spectrum(derived, options, Directions<Sleigh<double>>{.count = 5});
  const double speed = derived.state().xi[0],
               rate = 1.5 * 0.4 * speed / problem.system().inertia_about_blade();
  CAPTURE(found.exponents.transpose(), found.error.transpose());
  for (int i = 0; i < 4; ++i) CHECK(std::abs(found.exponents[i]) < 3 * found.error[i] + 1e-10);
  CHECK(std::abs(found.exponents[4] + rate) < 3 * found.error[4] + 1e-3);
  CHECK(found.error.maxCoeff() < 0.03);
  // Without the translations of the plane and the flow one direction is left.
  const Directions<Sleigh<double>> shape{.count = 1, .symmetries = analysis::translations(problem)};
  const auto two = tangent_spectrum(RungeKutta4{}, problem, start, options, shape);
  CHECK(std::abs(two.exponents[0]) < 3 * two.error[0] + 1e-6);
  REQUIRE(two.removed.size() == 3);
  CHECK(two.removed.cwiseAbs().maxCoeff() < 0.02);
  auto none = shape;
  none.count = 3;
  CHECK_THROWS_WITH(tangent_spectrum(RungeKutta4{}, problem, start, options, none),
                    ContainsSubstring("here 2"));
}

TEST_CASE("rates of a metric of one's own are other ones, exponents are the same", "[lyapunov]") {
  const Lorenz<double> problem;
  const Lorenz<double>::State start{0, {1, 2, 20}};
  const Options options{.step = 0.01, .duration = 200.0, .interval = 0.1, .transient = 20.0};
  Directions<Lorenz<double>> usual{.count = 1}, other = usual;
  other.weights = Vec<double, 3>(1, 9, 0.04);
  const auto a = tangent_spectrum(RungeKutta4{}, problem, start, options, usual);
  const auto b = tangent_spectrum(RungeKutta4{}, problem, start, options, other);
  CHECK((a.series - b.series).cwiseAbs().maxCoeff() > 0.5);
  CHECK(std::abs(a.exponents[0] - b.exponents[0]) < 0.02);
  other.weights = Vec<double, 2>(1, 1);
  CHECK_THROWS_WITH(tangent_spectrum(RungeKutta4{}, problem, start, options, other),
                    ContainsSubstring("here 3"));
  other.weights = Vec<double, 3>(1, -1, 1);
  CHECK_THROWS_WITH(tangent_spectrum(RungeKutta4{}, problem, start, options, other),
                    ContainsSubstring("Directions: weight = -1, but"));
  usual.time_scale = -1;
  CHECK_THROWS_WITH(tangent_spectrum(RungeKutta4{}, problem, start, options, usual),
                    ContainsSubstring("Directions: time_scale = -1, but"));
}

using Guide = strings::Waveguide<strings::Gaussian<>>;

TEST_CASE("two strings that roll on each other have the exponent that two motions say",
          "[lyapunov][strings]") {
  const double length = 2 * M_PI;
  const Guide guide({.c = 1, .F = 1, .G1 = 0.9, .G2 = 0.72, .length = length, .s1 = 2, .s2 = 2.7}, 128,
                    {.width = 0.1});
  strings::Profile<double> sine;
  sine.displacement = [](double x) { return std::sin(x); };
  sine.slope = [](double x) { return std::cos(x); };
  const auto start = guide.state(sine, {});
  const analysis::ComparableFlow flow(guide);
  using Flow = analysis::ComparableFlow<Guide>;
  const Options options{
      .step = guide.time_step(), .duration = 1200.0, .interval = length, .transient = 200.0};
  const auto two = analysis::largest_lyapunov_exponent(SelfStepping{}, flow, start, options);
  const auto found = tangent_spectrum(SelfStepping{}, flow, start, options, Directions<Flow>{.count = 2});
  CAPTURE(two.exponents[0], two.standard_error[0], found.exponents.transpose(), found.error.transpose());
  CHECK(std::abs(found.exponents[0] - two.exponents[0]) < 2 * (found.error[0] + two.standard_error[0]));
  CHECK(found.exponents[0] > 3 * found.error[0]);
  CHECK_THROWS_WITH(tangent_spectrum(SelfStepping{}, flow, start, options,
                                     Directions<Flow>{.count = 1, .without_flow = true}),
                    ContainsSubstring("Directions: without_flow = 1, but"));
}

}  // namespace tangent_spectrum_test
