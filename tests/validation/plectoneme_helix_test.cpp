// The helix of a plectoneme: two strands wound around each other, pressed together by the twist that they bear, without
// a force or a torque about their axis in both together. With the angle α of the strands to the axis, their distance
// 2R, the bending stiffness B, moment M along the rod and pressure q
//   MR/B = 2 sin³α cos α/cos 2α,   qR³/B = sin⁴α/cos 2α                                                      (1)
// against the hand of the helix; under a force F at the ends FR²/B = sin⁴α(½ + 1/cos 2α).
// Source: Clauvelin, Audoly, Neukirch 2009, Biophys. J. 96, 3716.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/laid.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace plectoneme_helix_test {

using namespace dalembert;
using namespace dalembert::assembly;
using V = Vec<double, 3>;

constexpr double pi_ = static_cast<double>(pi), a = 0.005, thin = a / 4, young = 1e6, poisson = 0.5;
constexpr double alpha = 27.38635 * pi_ / 180;  // FR²/B = 0.1

/// Two thin strands that touch as rods of radius a do, with the twist of (1) laid into them. One end may go along the
/// axis. They part a little towards the ends, so that nothing that is held is pressed.
struct Strands {
  double bending = young * pi_ * std::pow(thin, 4) / 4;
  double moment = 2 * std::pow(std::sin(alpha), 3) * std::cos(alpha) / std::cos(2 * alpha) * bending / a;
  double length = 1.5 * 2 * pi_ * a / std::sin(alpha);
  int elements = 41;

  rod::ElasticRod<> rod() const {
    return rod::ElasticRod<>(
        rod::CircularSection({.radius = thin, .young = young, .poisson = poisson, .density = 1100}),
        {.elements = elements,
         .length = length,
         .start = rod::Boundary<>::clamped(),
         .finish = rod::Boundary<>::degrees({true, true, false, true, true, true}),
         .damping = {600}});
  }
  Chain<> chain(double side, double hand) const {
    std::vector<V> points;
    const double h = length / elements, fade = 2 * a;
    for (int k = 0; k <= elements; ++k) {
      const double s = h * k, around = s * std::sin(alpha) / a + side;
      const double r = a * (1 + 3e-3 * (std::exp(-s / fade) + std::exp((s - length) / fade)));
      points.push_back(V(r * std::cos(around), hand * r * std::sin(around), s * std::cos(alpha)));
    }
    Chain<> laid = rod::laid_along(points);
    const double twist = -hand * moment * (1 + poisson) / bending;
    for (int k = 0; k <= elements; ++k)
      laid.set_frame(k, laid.rotation(k) * SO3<double>::exp(V(0, 0, twist * h * k)), laid.position(k));
    return laid;
  }
};

TEST_CASE("the strands of a plectoneme of either hand press on each other as the closed form says",
          "[validation][contact]") {
  const double hand = GENERATE(1.0, -1.0);
  const Strands strands;
  contact::Touching<> what;
  what.radii = {a, a};
  const Assembly problem{bodies(std::vector{strands.rod(), strands.rod()}), what};
  auto x = problem.state(std::vector{strands.chain(0, hand), strands.chain(pi_, hand)});
  drive(Verlet{}, problem, x, {.cfl = 0.7, .until = 0.016, .output_interval = 0.016});

  double sum = 0, first = strands.length, last = 0, deepest = 0;
  int count = 0;
  for (const auto& t : contact::touches(problem, x)) {
    deepest = std::max(deepest, -t.gap);
    const double s = t.arc_lengths[0];
    if (s < strands.length / 3 || s > 2 * strands.length / 3) continue;
    sum += t.pressure();
    first = std::min(first, s);
    last = std::max(last, s);
    ++count;
  }
  REQUIRE(count > 8);
  const double unit = strands.bending / (a * a * a),
               pressure = sum / count * (count - 1) / (last - first) / unit;
  const int middle = strands.elements / 2;
  const auto stress = problem.bodies<0>()[0].stress(x[0], middle);
  const V place = (x[0].position(middle) + x[0].position(middle + 1)) / 2;
  const V force = x[0].rotation(middle).act(stress.force) / (a * unit);
  const V moment = x[0].rotation(middle).act(stress.moment) / (a * a * unit);
  const double along = stress.moment[2] / (a * a * unit);
  const double torque = moment[2] + (place / a).cross(force)[2];  // of one strand about the axis
  CAPTURE(hand, pressure, along, force[2], torque, count);
  CHECK(std::abs(pressure / 0.0776150 - 1) < 0.02);
  CHECK(std::abs(along / (-hand * 0.2996437) - 1) < 0.005);
  CHECK(std::abs(force[2]) < 0.002);
  CHECK(std::abs(torque) < 0.01);
  CHECK(deepest < 1e-12);
}

}  // namespace plectoneme_helix_test
