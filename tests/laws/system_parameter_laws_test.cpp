// Whatever number a parameter of a small system is given: it is refused by name, or the Lagrangian is finite.

#include <dalembert/systems/ball_on_moving_plane.hpp>
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

#include "support/catch.hpp"
#include "support/sweep.hpp"

namespace system_parameter_laws_test {

using namespace dalembert;
using namespace dalembert::systems;
using test::Sign, test::sweep, test::sweep_members;

/// Whether a system gives a finite Lagrangian, and mass if it tells it, to a slow motion.
template <class System>
bool sound(const System& system) {
  using Tangent = typename System::Group::Tangent;
  const Tangent xi = Tangent::Constant(1e-3);
  const auto g = System::Group::identity();
  const Vec<double, 1> z(1e-3);
  bool yes = true;
  if constexpr (requires { system.lagrangian(xi); })
    yes = std::isfinite(system.lagrangian(xi));
  else if constexpr (requires { system.lagrangian(g, xi); })
    yes = std::isfinite(system.lagrangian(g, xi));
  else if constexpr (requires { system.lagrangian(xi, z); })
    yes = std::isfinite(system.lagrangian(xi, z));
  else
    yes = std::isfinite(system.lagrangian(g, xi, z));
  if constexpr (requires { system.mass(); }) yes = yes && system.mass().allFinite();
  if constexpr (requires { system.rolling_rows(); }) yes = yes && system.rolling_rows().allFinite();
  return yes;
}

/// Sweeps some members of the parameters of a system.
template <class System>
void sweep_system(const std::string& name, Sign sign,
                  std::initializer_list<double System::Parameters::*> members) {
  sweep_members(typename System::Parameters{}, sign, members, name,
                [](const typename System::Parameters& p) { return sound(System(p)); });
}

/// Sweeps every entry of a tensor of inertia, its transpose along.
template <class System>
void sweep_inertia(const std::string& name) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      sweep(name + " inertia", i == j ? Sign::positive : Sign::any, [&](double value) {
        typename System::Parameters p{};
        p.inertia(i, j) = p.inertia(j, i) = value;
        return sound(System(p));
      });
}

TEST_CASE("sleighs, boards and particles are finite, whatever they are made from", "[parameters]") {
  using Sleigh = ChaplyginSleigh<double>::Parameters;
  sweep_system<ChaplyginSleigh<double>>("sleigh", Sign::positive, {&Sleigh::mass, &Sleigh::inertia});
  sweep_system<ChaplyginSleigh<double>>("sleigh", Sign::any, {&Sleigh::offset});
  using Edge = KnifeEdge<double>::Parameters;
  sweep_system<KnifeEdge<double>>("knife edge", Sign::positive, {&Edge::mass, &Edge::inertia});
  sweep_system<KnifeEdge<double>>("knife edge", Sign::any, {&Edge::slope, &Edge::gravity, &Edge::offset});
  using Board = Snakeboard<double>::Parameters;
  sweep_system<Snakeboard<double>>("snakeboard", Sign::positive,
                                   {&Board::mass, &Board::half_length, &Board::rotor, &Board::wheels});
  sweep_system<Snakeboard<double>>("snakeboard", Sign::not_negative, {&Board::board});
  using Particle = NonholonomicParticle<double>::Parameters;
  sweep_system<NonholonomicParticle<double>>("particle", Sign::positive, {&Particle::mass});
  using Spiral = Clothoid<double>::Parameters;
  sweep_system<Clothoid<double>>("clothoid", Sign::positive, {&Spiral::mass});
  sweep_system<Clothoid<double>>("clothoid", Sign::any, {&Spiral::rate});
  using Swinging = Pendulum<double>::Parameters;
  sweep_system<Pendulum<double>>("pendulum", Sign::positive, {&Swinging::mass, &Swinging::length});
  sweep_system<Pendulum<double>>("pendulum", Sign::any, {&Swinging::gravity});
  using Driver = PendulumDriver<double>::Parameters;
  sweep_system<PendulumDriver<double>>(
      "pendulum driver", Sign::any,
      {&Driver::ratio_mean, &Driver::ratio_cosine, &Driver::ratio_sine, &Driver::ratio_third,
       &Driver::ratio_phase, &Driver::potential_cosine, &Driver::potential_sine});
  sweep_inertia<Suslov<double>>("Suslov");
}

TEST_CASE("discs, balls and rattlebacks are finite, whatever they are made from", "[parameters]") {
  using Disk = VerticalDisk<double>::Parameters;
  sweep_system<VerticalDisk<double>>("vertical disk", Sign::positive,
                                     {&Disk::mass, &Disk::radius, &Disk::axial, &Disk::transverse});
  using Disc = RollingDisc<double>::Parameters;
  sweep_system<RollingDisc<double>>("rolling disc", Sign::positive, {&Disc::mass, &Disc::radius});
  sweep_system<RollingDisc<double>>("rolling disc", Sign::any, {&Disc::gravity});
  sweep_inertia<RollingDisc<double>>("rolling disc");
  using Ball = RollingBall<double>::Parameters;
  sweep_system<RollingBall<double>>("rolling ball", Sign::positive, {&Ball::mass, &Ball::radius});
  sweep_system<RubberBall<double>>("rubber ball", Sign::positive, {&Ball::mass, &Ball::radius});
  sweep_inertia<RollingBall<double>>("rolling ball");
  sweep_inertia<RubberBall<double>>("rubber ball");
  using Even = ElasticBall<double>::Parameters;
  sweep_system<ElasticBall<double>>("elastic ball", Sign::positive,
                                    {&Even::mass, &Even::radius, &Even::inertia});
  sweep_system<BallOnMovingPlane<double>>("ball on a moving plane", Sign::positive,
                                          {&Even::mass, &Even::radius, &Even::inertia});
  using Soft = ViscoelasticBall<double>::Parameters;
  sweep_system<ViscoelasticBall<double>>("viscoelastic ball", Sign::positive,
                                         {&Soft::mass, &Soft::radius, &Soft::inertia});
  sweep_system<ViscoelasticBall<double>>("viscoelastic ball", Sign::not_negative,
                                         {&Soft::friction, &Soft::gravity});
  using Stone = Rattleback<double>::Parameters;
  sweep_system<Rattleback<double>>("rattleback", Sign::positive, {&Stone::mass});
  sweep_system<Rattleback<double>>("rattleback", Sign::any, {&Stone::offset});
  sweep_system<Rattleback<double>>("rattleback", Sign::not_negative, {&Stone::gravity});
  sweep_inertia<Rattleback<double>>("rattleback");
  for (int i = 0; i < 3; ++i)
    sweep("rattleback semi-axis", Sign::positive, [&](double value) {
      Stone p;
      p.semi_axes[i] = value;
      const Rattleback<double> stone(p);
      return sound(stone) && stone.contact(Vec<double, 3>(0.48, 0.6, 0.64)).allFinite();
    });
}

TEST_CASE("tyres and bicycles are finite, whatever they are made from", "[parameters]") {
  using Rocard = RocardTire<double>::Parameters;
  sweep_system<RocardTire<double>>("Rocard's tyre", Sign::positive,
                                   {&Rocard::axle, &Rocard::yaw, &Rocard::mass});
  sweep_system<RocardTire<double>>("Rocard's tyre", Sign::not_negative,
                                   {&Rocard::stiffness, &Rocard::cornering});
  using Limit = GreidanusLimit<double>::Parameters;
  sweep_system<GreidanusLimit<double>>("Greidanus's limit", Sign::positive,
                                       {&Limit::axle, &Limit::yaw, &Limit::mass});
  sweep_system<GreidanusLimit<double>>("Greidanus's limit", Sign::any, {&Limit::curvature});
  using Tire = GreidanusTire<double>::Parameters;
  sweep_system<GreidanusTire<double>>("Greidanus's tyre", Sign::positive,
                                      {&Tire::axle, &Tire::yaw, &Tire::mass});
  sweep_system<GreidanusTire<double>>("Greidanus's tyre", Sign::not_negative,
                                      {&Tire::lateral_stiffness, &Tire::torsional_stiffness});
  sweep_system<GreidanusTire<double>>("Greidanus's tyre", Sign::any,
                                      {&Tire::lateral_curvature, &Tire::drift_curvature});

  using Bicycle = WhippleBicycle<double>;
  using P = WhippleParameters<double>;
  sweep_system<Bicycle>("bicycle", Sign::positive, {&P::wheelbase});
  sweep_system<Bicycle>("bicycle", Sign::any, {&P::trail, &P::tilt});
  sweep_system<Bicycle>("bicycle", Sign::not_negative, {&P::gravity});
  using Wheel = WhippleWheel<double>;
  for (const auto wheel : {&P::rear, &P::front})
    sweep_members(P{}.*wheel, Sign::positive, {&Wheel::radius, &Wheel::mass, &Wheel::diameter, &Wheel::axle},
                  "bicycle's wheel", [&](const Wheel& changed) {
                    P p;
                    p.*wheel = changed;
                    return sound(Bicycle(p));
                  });
  using Frame = WhippleFrame<double>;
  for (const auto frame : {&P::body, &P::fork}) {
    const auto made = [&](const Frame& changed) {
      P p;
      p.*frame = changed;
      return sound(Bicycle(p));
    };
    sweep_members(P{}.*frame, Sign::positive, {&Frame::mass, &Frame::xx, &Frame::yy, &Frame::zz},
                  "bicycle's frame", made);
    sweep_members(P{}.*frame, Sign::any, {&Frame::x, &Frame::z, &Frame::xz}, "bicycle's frame", made);
  }
}

}  // namespace system_parameter_laws_test
