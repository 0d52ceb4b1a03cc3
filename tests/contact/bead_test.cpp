#include <dalembert/contact/bead.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"

namespace bead_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Vec3 = Vec<double, 3>;

/// The complete elliptic integral of the first kind for the modulus k, by the arithmetic-geometric mean.
double complete_elliptic(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  while (std::abs(a - b) > 1e-15) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return M_PI / (2 * a);
}

TEST_CASE("a bead on a stiff circular arc swings like a pendulum", "[contact][bead]") {
  // an arc of 240 degrees in the plane y = 0, open above, clamped at both ends and far heavier than the bead
  const double radius = 0.5, angle = 4 * M_PI / 3, g = 9.81, swing = 1.0;
  const int n = 80;
  const double length = 2 * radius * n * std::sin(angle / (2 * n));  // of the chords
  const rod::CircularSection<double> section(
      {.radius = 0.02, .young = 2e8, .poisson = 0.3, .density = 1e5, .shear_factor = 0.9});
  rod::ElasticRod<double>::Parameters p{.elements = n, .length = length, .inertia = section.inertia()};
  p.start = p.finish = rod::Boundary<double>::clamped();
  rod::RestStrain<double> rest;
  rest.curvature = Vec3(0, -2 * std::tan(angle / (2 * n)) * n / length, 0);
  const rod::ElasticRod<double> arc(rod::LinearElastic<double>(section.stiffness_diagonal(), rest), p);
  rod::Chain<double> chain(n + 1);
  for (int k = 0; k <= n; ++k) {
    const double at = angle * (static_cast<double>(k) / n - 0.5);  // from the lowest point
    chain.set_frame(k, SO3<double>::exp(Vec3(0, M_PI / 2 - at, 0)),
                    radius * Vec3(std::sin(at), 0, -std::cos(at)));
  }
  const RigidBody<double> body{{.mass = 0.01, .inertia = {1e-6, 1e-6, 1e-6}, .gravity = {0, 0, -g}}};
  using Bead = contact::Bead<double>;
  const Assembly problem{bodies(std::vector{arc}, std::vector{body}),
                         constraints(std::vector{Bead{{0, arc, length / n}, {1}}})};
  Vec<double, Eigen::Dynamic> s(1);
  s << length * (0.5 + swing / angle);
  auto x = problem.state({chain, body.at(radius * Vec3(std::sin(swing), 0, -std::cos(swing)))}, s);
  {
    auto r = problem.make_rates();
    const Assembly alone{bodies(std::vector{arc})};
    auto of_arc = alone.make_rates();
    alone.rates(alone.state({chain}), of_arc);
    REQUIRE(of_arc.xidot[0].topRows(n + 1).abs().maxCoeff() < 1e-3);  // it is at rest by itself
  }
  problem.project(x);
  const double energy = problem.energy(x);
  auto stepper = Verlet{}.stepper(problem, x);
  const double h = 1e-4;
  double before = x[1].position(0)[0];
  while (x[1].position(0)[0] > 0 && x.time < 1) {
    before = x[1].position(0)[0];
    REQUIRE(stepper.step(problem, x, h).converged);
  }
  const double now = x[1].position(0)[0];
  const double quarter = x.time - h * now / (now - before);
  // the averaged centreline runs inside the nodes by h²/6 times the curvature
  const double spacing = length / n;
  const double runs_at = radius - spacing * spacing / (6 * radius);
  CHECK(std::abs(x[1].position(0).norm() - runs_at) < 1e-4 * radius);
  const double exact = std::sqrt(runs_at / g) * complete_elliptic(std::sin(swing / 2));
  CHECK(std::abs(quarter / exact - 1) < 3e-4);
  CHECK(problem.constraint(x).position < 1e-15);
  CHECK(problem.constraint(x).velocity < 1e-13);
  CHECK(std::abs(problem.energy(x) - energy) < 1e-4);
}

}  // namespace bead_test
