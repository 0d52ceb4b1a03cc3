#pragma once

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

/// A place of contact that slides from cell to cell of a rod: whether the force tells where cells end.
namespace sliding_cells {

using namespace dalembert;
using V = Vec<double, 3>;

inline constexpr double a = 0.005;  // radius, spacing of nodes and length of a cell
inline constexpr double lowered = 0.25, at_rest = 0.4, speeding_up = 0.05;

/// How far, how fast and how much faster, of a way that begins at rest.
struct Way {
  double far, fast, faster;
};
/// From 0 to `far` in `time`, without a jerk.
inline Way ramp(double far, double time, double t) {
  const double z = std::clamp(t / time, 0.0, 1.0), y = 1 - z;
  return {far * z * z * z * (10 - 15 * z + 6 * z * z), far * 30 * z * z * y * y / time,
          far * 60 * z * y * (1 - 2 * z) / (time * time)};
}
/// From rest to `speed`.
inline Way slide(double speed, double t) {
  const double z = std::clamp(t / speeding_up, 0.0, 1.0), on = std::max(t - speeding_up, 0.0);
  return {speed * (speeding_up * z * z * z * (1 - z / 2) + on), speed * z * z * (3 - 2 * z),
          speed * 6 * z * (1 - z) / speeding_up};
}

/// What is left of a force when a polynomial of fifth degree is taken away, root of the mean square, of its
/// mean, while five cells are passed at `speed` from `from` on; such a polynomial does not follow them.
template <class Problem, class State>
double ripple(const Problem& problem, State& state, double speed, double from) {
  std::vector<double> times, forces;
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = from + 5 * a / speed},
        [&](const auto& now, const auto& x) {
          if (x.time < from) return;
          times.push_back(2 * (x.time - from) * speed / (5 * a) - 1);
          forces.push_back(0);
          for (const auto& t : contact::touches(now, x)) forces.back() += t.pressure();
        });
  const auto n = static_cast<Eigen::Index>(times.size());
  const Eigen::Map<const Eigen::ArrayXd> t(times.data(), n);
  const Eigen::Map<const Eigen::VectorXd> f(forces.data(), n);
  Eigen::MatrixXd powers(n, 6);
  for (int j = 0; j < 6; ++j) powers.col(j) = t.pow(j);
  const Eigen::VectorXd fit = powers * powers.householderQr().solve(f);
  return (f - fit).norm() / std::sqrt(static_cast<double>(n)) / f.mean();
}

/// A rod whose ends are led: it is pressed down on another and slides along itself, so that the place of
/// contact passes its cells.
struct Pressed {
  double angle = 90;       ///< between the rods [degrees]
  double other = 1;        ///< the other's radius, of this one's
  bool elastic = true;     ///< whether the other gives way, or is a cylinder
  double arch = 0;         ///< the radius of the other's line, of this one's; 0: it is straight
  double depth = 0.5 * a;  ///< by which the ends are lowered [m]
  int elements = 24;       ///< of each rod
  double speed = 0.05;     ///< along itself [m/s]
};
inline double ripple(const Pressed& p) {
  const double phi = p.angle * std::acos(-1.0) / 180, length = p.elements * a;
  const V along(std::cos(phi), std::sin(phi), 0), up(0, 0, 1);
  const V middle(0.137 * a, 0.05 * a, (1 + p.other) * a);
  const auto end = [&](double s) {
    return rod::Boundary<>::prescribed([=](double t) {
      const Way down = ramp(p.depth, lowered, t), on = slide(p.speed, t - at_rest);
      rod::EndMotion<> m;
      const auto frame = rod::Straight<>{.direction = along}.frame();
      m.quaternion << frame.w(), frame.v();
      m.position = middle + (s + on.far) * along - down.far * up;
      m.velocity = on.fast * along - down.fast * up;
      m.acceleration = on.faster * along - down.faster * up;
      return m;
    });
  };
  const rod::CircularSection section({.radius = a, .young = 1e6, .density = 1100}),
      below({.radius = p.other * a, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> upper(section, {.elements = p.elements,
                                          .length = length,
                                          .start = end(-length / 2),
                                          .finish = end(length / 2),
                                          .damping = {60}});
  const bool bent = p.arch > 0;
  const int half = bent ? static_cast<int>(std::min(0.5 * p.elements, 1.4 * p.arch)) : p.elements / 2;
  std::vector<V> points;  // about its highest one
  for (int k = -half; k <= half; ++k) {
    const double turn = bent ? k / p.arch : 0;
    points.push_back(bent ? p.arch * a * V(std::sin(turn), 0, std::cos(turn) - 1) : V(k * a, 0, 0));
  }
  if (!p.elastic) points = {points.front(), V::Zero(), points.back()};
  rod::RestStrain<double> rest;
  if (bent) rest.curvature[0] = 1 / (p.arch * a);
  const rod::ElasticRod<> lower(rod::LinearElastic<>(below.stiffness_diagonal(), rest),
                                {.elements = static_cast<int>(points.size()) - 1,
                                 .length = 2 * half * a,
                                 .inertia = below.inertia(),
                                 .start = rod::Boundary<>::clamped(),
                                 .finish = rod::Boundary<>::clamped(),
                                 .damping = {60}});
  const assembly::Assembly problem{assembly::bodies(std::vector{upper, lower}), contact::Touching<>{}};
  auto state = problem.state(
      std::vector<rod::Chain<>>{upper.straight(middle - length / 2 * along, {.direction = along}),
                                rod::laid_along(points, V(0, 1, 0))});
  return ripple(problem, state, p.speed, at_rest + 1.2 * speeding_up);
}

}  // namespace sliding_cells
