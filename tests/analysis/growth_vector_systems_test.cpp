// The growth vectors of systems that roll or slide without slip.

#include <dalembert/analysis/growth_vector.hpp>

#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rolling_disc.hpp>
#include <dalembert/systems/rubber_ball.hpp>
#include <dalembert/systems/snakeboard.hpp>
#include <dalembert/systems/suslov.hpp>
#include <dalembert/systems/vertical_disk.hpp>

#include "support/catch.hpp"

namespace growth_vector_systems_test {

using namespace dalembert;
using namespace systems;
using analysis::growth_vector;
using Ranks = std::vector<int>;

TEST_CASE("rolling systems grow as geometry says", "[analysis]") {
  const SE2d g(0.4, -0.7, 1.1);
  CHECK(growth_vector<2>(ChaplyginSleigh<double>{{.mass = 1, .inertia = 1, .offset = 0.2}}, g).ranks ==
        Ranks{2, 3});
  CHECK(growth_vector<2>(NonholonomicParticle<double>{}, Rn<double, 3>(Vec<double, 3>(1, 2, 3))).ranks ==
        Ranks{2, 3});
  CHECK(growth_vector<2>(ChaoticOscillator<double, 2>{}, Rn<double, 5>(Vec<double, 5>::LinSpaced(0.1, 0.9)))
            .ranks == Ranks{4, 5});
  CHECK(growth_vector<2>(Suslov<double>{typename Suslov<double>::Parameters{}}, SO3d::exp({0.3, 0.2, -0.4}))
            .ranks == Ranks{2, 3});
}

TEST_CASE("what rolls on a plane reaches every place on it", "[analysis]") {
  const Product<SO3d, Rn<double, 2>> ball{SO3d::exp({0.3, 0.2, -0.4}), Rn<double, 2>(Vec<double, 2>(1, 2))};
  CHECK(growth_vector<2>(RollingBall<double>{{}}, ball).ranks == Ranks{3, 5});
  CHECK(growth_vector(RubberBall<double>{{}}, ball).ranks == Ranks{2, 3, 5});
  const SE2d place(0.4, -0.7, 1.1);
  CHECK(growth_vector(VerticalDisk<double>{{}}, {place, Rn<double, 1>(Vec<double, 1>(0.2))}).ranks ==
        Ranks{2, 3, 4});
  // The rotor turns by itself; the wheels steer.
  const Snakeboard<double> board{{}};
  CHECK(growth_vector(board, {place, Rn<double, 2>(Vec<double, 2>(0.2, 0.3))}).ranks == Ranks{3, 4, 5});
  // It never leaves the plane. Rolling and leaning commute, rolling and yawing do not.
  const RollingDisc<double> disc{{}};
  const auto g = disc.standing(RollingDisc<double>::attitude(0.3, 0.4, 0.1), Vec<double, 2>(1, 2));
  const auto growth = growth_vector(disc, g);
  CHECK(growth.ranks == Ranks{3, 4, 5});
  CHECK(growth.dimension == 6);
}

}  // namespace growth_vector_systems_test
