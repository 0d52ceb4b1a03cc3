// A place of contact that slides from cell to cell of a rod: the force does not tell where cells end.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace touching_ripple_test {

using namespace dalembert;
using V = Vec<double, 3>;

constexpr double a = 0.005;  // radius, spacing of nodes and length of a cell
constexpr double lowered = 0.25, at_rest = 0.4, speeding_up = 0.05, speed = 0.05;

/// How far, how fast and how much faster, of a way that begins at rest.
struct Way {
  double far, fast, faster;
};
/// From 0 to `far` in `time`, without a jerk.
Way ramp(double far, double time, double t) {
  const double z = std::clamp(t / time, 0.0, 1.0), y = 1 - z;
  return {far * z * z * z * (10 - 15 * z + 6 * z * z), far * 30 * z * z * y * y / time,
          far * 60 * z * y * (1 - 2 * z) / (time * time)};
}
/// From rest to `speed`.
Way slide(double t) {
  const double z = std::clamp(t / speeding_up, 0.0, 1.0), on = std::max(t - speeding_up, 0.0);
  return {speed * (speeding_up * z * z * z * (1 - z / 2) + on), speed * z * z * (3 - 2 * z),
          speed * 6 * z * (1 - z) / speeding_up};
}

/// A rod that is pressed across another and slides along itself: the place of contact passes its cells.
struct Pressed {
  double angle = 90;       ///< between the rods [degrees]
  double other = 1;        ///< the other's radius, of this one's
  bool elastic = true;     ///< whether the other gives way, or is a cylinder
  double depth = 0.5 * a;  ///< by which its ends are lowered [m]
};
/// What is left of the normal force when a polynomial of fifth degree is taken away, root of the mean square,
/// of its mean; a polynomial of that degree does not follow the five cells that are passed.
double ripple(const Pressed& p) {
  const double phi = p.angle * std::acos(-1.0) / 180, length = 24 * a;
  const V along(std::cos(phi), std::sin(phi), 0), up(0, 0, 1);
  const V middle(0.137 * a, 0.05 * a, (1 + p.other) * a);
  const auto end = [&](double s) {
    return rod::Boundary<>::prescribed([=](double t) {
      const Way down = ramp(p.depth, lowered, t), on = slide(t - at_rest);
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
  const rod::ElasticRod<> upper(section, {.elements = 24,
                                          .length = length,
                                          .start = end(-length / 2),
                                          .finish = end(length / 2),
                                          .damping = {60}});
  const rod::ElasticRod<> lower(below, {.elements = p.elastic ? 24 : 2,
                                        .length = length,
                                        .start = rod::Boundary<>::clamped(),
                                        .finish = rod::Boundary<>::clamped(),
                                        .damping = {60}});
  const assembly::Assembly problem{assembly::bodies(std::vector{upper, lower}), contact::Touching<>{}};
  auto state = problem.state(
      std::vector<rod::Chain<>>{upper.straight(middle - length / 2 * along, {.direction = along}),
                                lower.straight({-length / 2, 0, 0}, {.direction = {1, 0, 0}})});
  const double from = at_rest + 1.2 * speeding_up;
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

TEST_CASE("cells that a contact slides over are not felt where rods cross", "[contact][touching]") {
  CHECK(ripple({.angle = 90}) < 1e-3);
  CHECK(ripple({.angle = 30}) < 1e-3);
  CHECK(ripple({.angle = 90, .other = 4, .elastic = false}) < 1e-3);
}

TEST_CASE("where rods hardly curve apart, cells are felt a little", "[contact][touching]") {
  // There is a crown κ_c, which draws a place by κ_c/(κ_c + K_r) of its way to the middle of its cell.
  CHECK(ripple({.angle = 10}) < 5e-3);
  CHECK(ripple({.angle = 90, .other = 49, .elastic = false, .depth = 0.2 * a}) < 2e-2);
}

}  // namespace touching_ripple_test
