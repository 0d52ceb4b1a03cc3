// How fast motions of a pendulum of two bodies part: its largest Lyapunov exponents, with their errors.

#include <dalembert/dalembert.hpp>

#include <dalembert/analysis/tangent_spectrum.hpp>
#include <dalembert/assembly/kinetic_metric.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const RigidBody bar{{.mass = 1, .inertia = {0.02, 0.02, 0.001}, .gravity = {0, 0, -9.81}}};
  const auto all = bodies(bar, bar);
  const auto [a, b] = all.handles();
  const auto hook = FrameMarker<>::in_space({0, 0, 0});
  const Assembly problem{all, constraints(SphericalJoint{frame(a, {0, 0, 0.25}), hook},
                                          SphericalJoint{frame(b, {0, 0, 0.25}), frame(a, {0, 0, -0.25})})};
  const auto turned = SO3<>::exp({0, 2.5, 0.4});  // high up, both in one line
  const Vec<double, 3> down = turned.act({0, 0, -0.25});
  const auto state = problem.state({{a, bar.at(down, turned)}, {b, bar.at(3 * down, turned)}});

  analysis::Directions<std::remove_cvref_t<decltype(problem)>> directions{.count = 2, .without_flow = true};
  const auto found = analysis::tangent_spectrum(
      RungeKutta4{.project = true}, problem, state,
      {.step = 0.01, .duration = 200.0, .interval = 0.1, .transient = 20.0}, directions);
  std::cout << "lambda = " << found.exponents[0] << " +- " << found.error[0] << " 1/s, then "
            << found.exponents[1] << "; along the motion " << found.removed[0] << '\n';
}
