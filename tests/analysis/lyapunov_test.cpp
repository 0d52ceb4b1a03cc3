#include <dalembert/analysis/lyapunov.hpp>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/vertical_disk.hpp>

#include "support/cases.hpp"
#include "support/catch.hpp"

namespace lyapunov_test {

using namespace dalembert;
using analysis::largest_lyapunov_exponent;
using analysis::lyapunov_spectrum;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("exponents of a sleigh that runs straight are the eigenvalues of its linear equations",
          "[lyapunov]") {
  const systems::ChaplyginSleigh<> sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  const LagrangeDAlembert problem{sleigh};
  const double u = 0.9, rate = 1.5 * 0.4 * u / sleigh.inertia_about_blade();
  const analysis::LyapunovOptions<double> options{
      .step = 0.05, .duration = 32.0, .interval = 0.5, .separation = 1e-6};
  const auto forwards = problem.state(SE2d(0.2, -0.3, 0.4), {u, 0, 0});
  const auto all = lyapunov_spectrum(RungeKutta4{}, problem, forwards, options, 5);
  REQUIRE(all.exponents.size() == 5);
  // The trace of the linear equations is the divergence, whatever the time.
  CHECK(all.exponents.sum() == Approx(-rate).epsilon(1e-6));
  CHECK(all.exponents[4] == Approx(-rate).epsilon(0.1));
  CHECK(all.exponents.head<4>().cwiseAbs().maxCoeff() < 0.2);  // they grow like powers: log t/t
  for (int i = 0; i < all.windows; ++i)
    CHECK(all.rates[static_cast<std::size_t>(i)].sum() == Approx(-rate).epsilon(1e-5));

  // The scatter of the windows about the whole, and the first half against it.
  Vec<double, 5> scatter = Vec<double, 5>::Zero(), half = scatter;
  for (std::size_t i = 0; i < 16; ++i) scatter += (all.rates[i] - all.exponents).cwiseAbs2();
  for (std::size_t i = 0; i < 8; ++i) half += all.rates[i] / 8;
  CHECK((all.standard_error - (scatter / (16 * 15)).cwiseSqrt()).norm() < 1e-14);
  CHECK(all.standard_error.maxCoeff() > 1e-3);
  CHECK(all.change() == Approx((all.exponents - half).lpNorm<Eigen::Infinity>()).epsilon(1e-12));
  CHECK(all.change() > 1e-2);

  // Backwards, the same eigenvalue drives two motions apart; the sum of the two largest is not that of all.
  const auto backwards = problem.state(SE2d(0.2, -0.3, 0.4), {-u, 0, 0});
  const auto two = largest_lyapunov_exponent(
      RungeKutta4{}, problem, backwards,
      {.step = 0.05, .duration = 8.0, .interval = 0.25, .transient = 20.0, .separation = 1e-9});
  CHECK(two.exponents[0] == Approx(rate).epsilon(1e-3));
  const auto one = lyapunov_spectrum(RungeKutta4{}, problem, backwards,
                                     {.step = 0.05, .duration = 8.0, .interval = 0.25, .transient = 20.0}, 1);
  CHECK(one.exponents[0] == Approx(rate).epsilon(0.001));
  CHECK(one.change() < 0.01);
}

TEST_CASE("an interval is rounded to whole steps, and rates are per time that passed", "[lyapunov]") {
  const systems::ChaplyginSleigh<> sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  const LagrangeDAlembert problem{sleigh};
  const double u = 0.9, rate = 1.5 * 0.4 * u / sleigh.inertia_about_blade();
  const auto backwards = problem.state(SE2d(0.2, -0.3, 0.4), {-u, 0, 0});
  // A measurement has sixteen windows, each an interval at least.
  for (const auto& [interval, passed] : {std::pair{0.25, 0.3}, {0.23, 0.2}, {0.27, 0.3}, {0.01, 0.1}}) {
    CAPTURE(interval);
    const auto found =
        lyapunov_spectrum(RungeKutta4{}, problem, backwards,
                          {.step = 0.1, .duration = passed, .interval = interval, .transient = 20.0}, 1);
    CHECK(found.duration == Approx(16 * passed).epsilon(1e-12));
    CHECK(found.exponents[0] == Approx(rate).epsilon(1e-3));
  }
}

TEST_CASE("the exponent of a disk that rolls on circles shrinks like log t/t", "[lyapunov]") {
  const LagrangeDAlembert problem{systems::VerticalDisk{{.mass = 1.2, .radius = 0.4}}};
  const auto start = problem.state({SE2d(0.3, -0.2, 0.4), Rn<double, 1>(Vec<double, 1>(0.1))},
                                   problem.system().rolling(1.3, 5));
  double last = 1;
  for (const double time : {100.0, 1000.0, 10000.0}) {
    const auto found = largest_lyapunov_exponent(RungeKutta4{}, problem, start,
                                                 {.step = 0.25, .duration = time, .interval = time / 16});
    CAPTURE(time, found.exponents[0]);
    CHECK(found.exponents[0] > 0.5 * std::log(time) / time);
    CHECK(found.exponents[0] < 2 * std::log(time) / time);
    CHECK(found.exponents[0] < 0.25 * last);
    last = found.exponents[0];
  }
  CHECK(last < 2e-3);
}

TEST_CASE("the chaotic oscillator is chaotic, however that is measured", "[lyapunov]") {
  const auto test_case = test::oscillator_case();
  const auto& problem = test_case.problem;
  const auto& start = test_case.start;
  using Options = analysis::LyapunovOptions<double>;
  const DormandPrince54 fine{.project = true};
  const Options brief{.step = 0.1, .duration = 1600.0, .interval = 2.0, .transient = 50.0};
  // Along one motion, two motions and the tangent map say the same.
  const auto apart = largest_lyapunov_exponent(fine, problem, start, brief);
  const auto tangent = lyapunov_spectrum(fine, problem, start, brief, 1);
  CHECK(tangent.exponents[0] == Approx(apart.exponents[0]).epsilon(1e-3));
  CHECK(tangent.change() == Approx(apart.change()).margin(1e-4));
  // Along others, the limit is the same: 0.1029 ± 0.0008 over 200 000 at half this step.
  const Options options{.step = 0.1, .duration = 12000.0, .interval = 2.0, .transient = 50.0};
  const auto two = largest_lyapunov_exponent(fine, problem, start, options);
  const auto other = largest_lyapunov_exponent(RungeKutta4{.project = true}, problem, start, options);
  CAPTURE(two.exponents[0], other.exponents[0], two.standard_error[0], other.standard_error[0]);
  CHECK(two.exponents[0] == Approx(0.103).epsilon(0.12));
  CHECK(other.exponents[0] == Approx(0.103).epsilon(0.15));
  CHECK(two.exponents[0] > 10 * two.standard_error[0]);
  CHECK(two.standard_error[0] > 5e-4);
  CHECK(two.change() < 0.1 * two.exponents[0]);  // half the time says the same
}

TEST_CASE("exponents that cannot be measured are refused", "[lyapunov]") {
  const LagrangeDAlembert problem{systems::ChaplyginSleigh<>{{.offset = 0.4}}};
  const auto start = problem.state(SE2d::identity(), {1, 0, 1});
  const auto with = [&](const analysis::LyapunovOptions<double>& options) {
    return lyapunov_spectrum(RungeKutta4{}, problem, start, options, 1);
  };
  CHECK_THROWS_WITH(with({.step = 0.0, .duration = 1.0, .interval = 1.0}),
                    ContainsSubstring("LyapunovOptions: step = 0, but"));
  CHECK_THROWS_AS(with({.step = 0.1, .duration = 1.0, .interval = -1.0}), std::invalid_argument);
  CHECK_THROWS_AS(with({.step = 0.1, .duration = 1.0, .interval = 1.0, .transient = -1.0}),
                  std::invalid_argument);
  CHECK_THROWS_WITH(
      lyapunov_spectrum(RungeKutta4{}, problem, start, {.step = 0.1, .duration = 1.0, .interval = 0.1}, 6),
      ContainsSubstring("here 5"));
  const auto fine = with({.step = 0.1, .duration = 1.6, .interval = 0.1});
  CHECK_THROWS_AS(fine.running(17), std::invalid_argument);
  CHECK((fine.running(16) - fine.exponents).norm() < 1e-15);
}

}  // namespace lyapunov_test
