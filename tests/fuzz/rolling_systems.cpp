// Balls, discs and bodies that roll in space, and the bicycle.

#include <dalembert/systems/ball_on_moving_plane.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/rattleback.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rolling_disc.hpp>
#include <dalembert/systems/rubber_ball.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

#include "fuzz/system.hpp"

namespace fuzz {

namespace s = dalembert::systems;

namespace {

/// A plane that moves in any of the known ways, so that all of them are compiled as one system.
struct AnyFlow {
  int kind = 0;
  s::Turntable<double> turntable{};
  s::Shear<double> shear{};
  s::StagnationFlow<double> stagnation{};
  s::ShakenTray<double> tray{};

  template <class T>
  [[nodiscard]] dalembert::Vec<T, 2> operator()(const dalembert::Vec<T, 2>& a, const T& t) const {
    switch (kind) {
      case 0:
        return turntable(a);
      case 1:
        return shear(a);
      case 2:
        return stagnation(a);
      default:
        return tray(a, t);
    }
  }
};

[[nodiscard]] AnyFlow flow(Input& in) {
  AnyFlow made{.kind = in.whole("flow", 0, 3)};
  const double rate = in.between("rate", -2, 2);
  const auto point = [&]() -> dalembert::Vec<double, 2> {
    return {in.between("flow x", -1, 1), in.between("flow y", -1, 1)};
  };
  switch (made.kind) {
    case 0:
      made.turntable = {.rate = rate, .centre = point()};
      break;
    case 1:
      made.shear.rate = rate;
      break;
    case 2:
      made.stagnation.rate = rate;
      break;
    default:
      made.tray = {.amplitude = point(), .frequency = rate};
  }
  return made;
}

template <class Ball>
[[nodiscard]] typename Ball::Parameters ball(Input& in) {
  typename Ball::Parameters p;
  p.mass = in.like("mass", 1);
  p.radius = in.like("radius", 1);
  if constexpr (std::is_same_v<decltype(p.inertia), double>)
    p.inertia = in.like("inertia", 0.4);
  else
    p.inertia = tensor(in);
  return p;
}

template <class Ball>
[[nodiscard]] Outcome roll(Input& in) {
  return exercise_with<Ball>(in, [&] { return ball<Ball>(in); });
}

[[nodiscard]] s::WhippleWheel<double> wheel(Input& in) {
  return {in.like("wheel radius", 0.3), in.like("wheel mass", 3), in.like("wheel diameter", 0.1),
          in.like("wheel axle", 0.2)};
}
[[nodiscard]] s::WhippleFrame<double> frame(Input& in, double mass) {
  return {in.between("frame x", 0, 1),  in.between("frame z", -1, 0), in.like("frame mass", mass),
          in.like("frame xx", 1),       in.like("frame yy", 1),       in.like("frame zz", 1),
          in.between("frame xz", -1, 1)};
}

}  // namespace

Outcome rolling_systems(Input& in) {
  switch (in.whole("system", 0, 7)) {
    case 0:
      in.note("name", "RollingBall");
      return roll<s::RollingBall<double>>(in);
    case 1:
      in.note("name", "RubberBall");
      return roll<s::RubberBall<double>>(in);
    case 2:
      in.note("name", "ElasticBall");
      return roll<s::ElasticBall<double>>(in);
    case 3:
      in.note("name", "CurvatureElasticBall");
      return roll<s::CurvatureElasticBall<double>>(in);
    case 4: {
      in.note("name", "BallOnMovingPlane");
      using Ball = s::BallOnMovingPlane<double, AnyFlow>;
      const auto p = ball<Ball>(in);
      return exercise_made(in, [&, plane = flow(in)] { return Ball(p, plane); });
    }
    case 5:
      in.note("name", "Rattleback");
      return exercise_with<s::Rattleback<double>>(in, [&] {
        s::Rattleback<double>::Parameters p;
        p.mass = in.like("mass", 1);
        for (int i = 0; i < 3; ++i) p.semi_axes[i] = in.like("semi-axis", 0.1);
        p.offset = in.between("offset", -0.02, 0.02);
        p.inertia = tensor(in);
        p.gravity = in.like("gravity", 10);
        return p;
      });
    case 6:
      in.note("name", "RollingDisc");
      return exercise_with<s::RollingDisc<double>>(in, [&] {
        s::RollingDisc<double>::Parameters p;
        p.mass = in.like("mass", 1);
        p.radius = in.like("radius", 1);
        p.inertia = tensor(in);
        p.gravity = in.like("gravity", 10);
        return p;
      });
    default:
      in.note("name", "WhippleBicycle");
      return exercise_with<s::WhippleBicycle<double>>(in, [&] {
        s::WhippleParameters<double> p;
        p.wheelbase = in.like("wheelbase", 1);
        p.trail = in.between("trail", -0.1, 0.1);
        p.tilt = in.between("tilt", -1, 1);
        p.gravity = in.like("gravity", 10);
        p.rear = wheel(in);
        p.body = frame(in, 80);
        p.fork = frame(in, 4);
        p.front = wheel(in);
        return p;
      });
  }
}

}  // namespace fuzz
