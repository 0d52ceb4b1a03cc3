// A hoop: a rod bent to a ring and welded to itself, which is squeezed by a blow and rings.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const int n = 64;
  const double R = 0.5, around = 2 * static_cast<double>(pi);
  const rod::CircularSection<double> wire({.radius = 0.005, .young = 7e10, .poisson = 0.33, .density = 2700});
  const rod::ElasticRod<double> rod(
      rod::LinearElastic<double>(wire.stiffness_diagonal(), {.curvature = {0, 1 / R, 0}}),
      {.elements = n, .length = around * R, .inertia = wire.inertia()});
  const auto all = assembly::bodies(rod);
  const auto [ring] = all.handles();
  const assembly::Assembly problem{all, assembly::constraints(assembly::Weld{root(ring), tip(ring)})};

  rod::Chain<double> hoop(n + 1);  // a polygon with sides of the length of an element
  const double corner = rod.spacing() / (2 * std::sin(around / (2 * n)));
  for (int k = 0; k <= n; ++k) {
    const double angle = around * k / n;
    const Vec<double, 3> outwards(-std::cos(angle), 0, std::sin(angle));
    hoop.set_frame(k, SO3d::exp({0, angle, 0}), corner * outwards);
    hoop.set_velocity(k, 0.1 * std::cos(2 * angle) * outwards, {0, 0, 0});
  }
  auto state = problem.state({hoop});
  problem.project(state);
  double first = 0, last = 0, before = 1;  // times at which it is round again, on its way to being wide
  int periods = -1;
  drive(Verlet{}, problem, state, {.step = 5e-7, .until = 0.2, .output_interval = 1e-4},
        [&](const auto&, const auto& at) {
          const auto& c = at[0];
          const double wide = (c.position(n / 2) - c.position(0)).norm() - 2 * corner;
          if (before < 0 && wide >= 0) (++periods == 0 ? first : last) = at.time;
          before = wide;
        });
  const double thin = std::sqrt(7.2 * 7e10 * wire.second_moment() / wire.inertia().mass) / (R * R);
  std::cout << "it rings at " << periods / (last - first) << " Hz, a thin ring of its size at "
            << thin / around << " Hz\n";
}
