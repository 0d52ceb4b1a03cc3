// Whipple's bicycle: the small motions of the engine's equations, on the manifold of rolling, against the
// published eigenvalues.

#include <array>
#include <cmath>
#include <complex>

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

#include "support/catch.hpp"

namespace bicycle_stability_test {

using namespace dalembert;

TEST_CASE("a bicycle that rolls straight has the published eigenvalues", "[validation][bicycle]") {
  const LagrangeDAlembert problem{systems::WhippleBicycle<>{}};
  const auto& bicycle = problem.system();
  const auto g = bicycle.on_ground(0, 0);
  struct Row {
    double speed, weave_real, weave_imaginary, capsize, castering;
  };
  // Meijaard, Papadopoulos, Ruina and Schwab 2007, table 2.
  constexpr std::array<Row, 3> published = {{
      {1, 3.52696170990070, 0.80774027519930, -3.13423125066578, -7.11008014637442},
      {5, -0.77534188219585, 4.46486771378823, -0.32286642900409, -14.07838969279822},
      {10, -3.72016840437287, 10.90681139476287, 0.16105338653172, -24.62459635017404},
  }};
  for (const Row& row : published) {
    const auto state = problem.state(g, bicycle.rolling(g, {.speed = row.speed}));
    // The ground may be shifted and turned, either wheel turned: what is left is lean, steer, their rates and
    // the speed.
    const auto linear =
        analysis::linearization(problem, state, analysis::translations(problem, {0, 1, 5, 7, 8}));
    REQUIRE(linear.matrix.rows() == 5);
    CAPTURE(row.speed, linear.doubt);
    using C = std::complex<double>;
    for (const C& value : {C(0), C(row.weave_real, row.weave_imaginary), C(row.capsize), C(row.castering)}) {
      double nearest = 1;
      for (const C& ours : linear.eigenvalues) nearest = std::min(nearest, std::abs(ours - value));
      CAPTURE(value);
      CHECK(nearest < 1e-10);
    }
  }
}

}  // namespace bicycle_stability_test
