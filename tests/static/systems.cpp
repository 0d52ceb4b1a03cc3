// Every system of the library is what the concepts of mechanics ask for.

#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/systems/ball_on_moving_plane.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/clothoid.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/greidanus_limit.hpp>
#include <dalembert/systems/greidanus_tire.hpp>
#include <dalembert/systems/knife_edge.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>
#include <dalembert/systems/pendulum.hpp>
#include <dalembert/systems/pendulum_driver.hpp>
#include <dalembert/systems/rattleback.hpp>
#include <dalembert/systems/rocard_tire.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rolling_disc.hpp>
#include <dalembert/systems/rubber_ball.hpp>
#include <dalembert/systems/snakeboard.hpp>
#include <dalembert/systems/suslov.hpp>
#include <dalembert/systems/vertical_disk.hpp>
#include <dalembert/systems/viscoelastic_ball.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

namespace {

using namespace dalembert;
using namespace dalembert::systems;

static_assert(NonholonomicSystem<BallOnMovingPlane<double>>);
static_assert(NonholonomicSystem<BallOnMovingPlane<double, Shear<double>>>);
static_assert(NonholonomicSystem<BallOnMovingPlane<double, StagnationFlow<double>>>);
static_assert(NonholonomicSystem<BallOnMovingPlane<double, ShakenTray<double>>>);
static_assert(NonholonomicSystem<ChaoticOscillator<double>>);
static_assert(NonholonomicSystem<ChaplyginSleigh<double>>);
static_assert(NonholonomicSystem<Clothoid<double>>);
static_assert(NonholonomicSystem<CurvatureElasticBall<double>>);
static_assert(NonholonomicSystem<ElasticBall<double>>);
static_assert(NonholonomicSystem<GreidanusLimit<double>>);
static_assert(NonholonomicSystem<GreidanusTire<double>>);
static_assert(NonholonomicSystem<KnifeEdge<double>>);
static_assert(NonholonomicSystem<NonholonomicParticle<double>>);
static_assert(NonholonomicSystem<Pendulum<double>>);
static_assert(NonholonomicSystem<PendulumDriver<double>>);
static_assert(NonholonomicSystem<Rattleback<double>>);
static_assert(NonholonomicSystem<RocardTire<double>>);
static_assert(NonholonomicSystem<RollingBall<double>>);
static_assert(NonholonomicSystem<RollingDisc<double>>);
static_assert(NonholonomicSystem<RubberBall<double>>);
static_assert(NonholonomicSystem<Snakeboard<double>>);
static_assert(NonholonomicSystem<Suslov<double>>);
static_assert(NonholonomicSystem<VerticalDisk<double>>);
static_assert(NonholonomicSystem<ViscoelasticBall<double>>);
static_assert(NonholonomicSystem<ViscoelasticBall<double, Turntable<double>>>);
static_assert(NonholonomicSystem<WhippleBicycle<double>>);

// Those whose parameters may differ from lane to lane.
using Lanes = Pack<double, 4>;
static_assert(NonholonomicSystem<ChaoticOscillator<Lanes>>);
static_assert(NonholonomicSystem<ChaplyginSleigh<Lanes>>);
static_assert(NonholonomicSystem<NonholonomicParticle<Lanes>>);
static_assert(NonholonomicSystem<PendulumDriver<Lanes>>);
static_assert(NonholonomicSystem<VerticalDisk<Lanes>>);

// All of them may have parameters that carry derivatives.
using D = Dual<double, 1>;
static_assert(NonholonomicSystem<BallOnMovingPlane<D>>);
static_assert(NonholonomicSystem<ChaoticOscillator<D>>);
static_assert(NonholonomicSystem<ChaplyginSleigh<D>>);
static_assert(NonholonomicSystem<Clothoid<D>>);
static_assert(NonholonomicSystem<CurvatureElasticBall<D>>);
static_assert(NonholonomicSystem<ElasticBall<D>>);
static_assert(NonholonomicSystem<GreidanusLimit<D>>);
static_assert(NonholonomicSystem<GreidanusTire<D>>);
static_assert(NonholonomicSystem<KnifeEdge<D>>);
static_assert(NonholonomicSystem<NonholonomicParticle<D>>);
static_assert(NonholonomicSystem<Pendulum<D>>);
static_assert(NonholonomicSystem<PendulumDriver<D>>);
static_assert(NonholonomicSystem<Rattleback<D>>);
static_assert(NonholonomicSystem<RocardTire<D>>);
static_assert(NonholonomicSystem<RollingBall<D>>);
static_assert(NonholonomicSystem<RollingDisc<D>>);
static_assert(NonholonomicSystem<RubberBall<D>>);
static_assert(NonholonomicSystem<Snakeboard<D>>);
static_assert(NonholonomicSystem<Suslov<D>>);
static_assert(NonholonomicSystem<VerticalDisk<D>>);
static_assert(NonholonomicSystem<ViscoelasticBall<D>>);
static_assert(NonholonomicSystem<WhippleBicycle<D>>);

}  // namespace
