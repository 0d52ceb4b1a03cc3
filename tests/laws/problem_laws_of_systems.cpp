// The library's small systems, for the laws of problems.

#include <dalembert/systems/ball_on_moving_plane.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/greidanus_limit.hpp>
#include <dalembert/systems/greidanus_tire.hpp>
#include <dalembert/systems/knife_edge.hpp>
#include <dalembert/systems/pendulum_driver.hpp>
#include <dalembert/systems/rattleback.hpp>
#include <dalembert/systems/rocard_tire.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rolling_disc.hpp>
#include <dalembert/systems/rubber_ball.hpp>
#include <dalembert/systems/snakeboard.hpp>
#include <dalembert/systems/vertical_disk.hpp>
#include <dalembert/systems/viscoelastic_ball.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

#include "laws/problem_laws_of_small_systems.hpp"

namespace problem_laws_of_systems {

using namespace dalembert::systems;
using test::add_system;

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  add_system(all, elsewhere, "ball on a turntable", BallOnMovingPlane<double>{{}},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "chaotic oscillator", ChaoticOscillator<double, 3>{});
  add_system(all, elsewhere, "Chaplygin's sleigh", ChaplyginSleigh<double>{{.offset = 0.4}},
             {.equivariant = true});
  add_system(all, elsewhere, "elastic ball", ElasticBall<double>{{}},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "Greidanus's limit", GreidanusLimit<double>{{}},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "Greidanus's tyre", GreidanusTire<double>{{}},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "knife edge", KnifeEdge<double>{{.slope = 0.3, .offset = 0.2}});
  add_system(all, elsewhere, "pendulum driver", PendulumDriver<double>{});
  add_system(all, elsewhere, "rattleback", Rattleback<double>{{}});
  add_system(all, elsewhere, "Rocard's tyre", RocardTire<double>{{}},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "rolling ball", RollingBall<double>{{}});
  add_system(all, elsewhere, "rolling disc", RollingDisc<double>{{}});
  add_system(all, elsewhere, "rubber ball", RubberBall<double>{{}});
  add_system(all, elsewhere, "snakeboard", Snakeboard<double>{{}});
  add_system(all, elsewhere, "vertical disk", VerticalDisk<double>{{}}, {.equivariant = true});
  add_system(all, elsewhere, "viscoelastic ball",
             ViscoelasticBall<double, Turntable<double>>{{.friction = 0.1}},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "bicycle", WhippleBicycle<double>{});
});

}  // namespace problem_laws_of_systems
