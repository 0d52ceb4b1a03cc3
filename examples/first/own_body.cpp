// A body of your own: a magnet on the tip of a rubber rod, which a field bends over.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

struct Magnet : NodeBody<Magnet> {  // says its inertia, its forces and their energy; the rest follows
  Vec<double, 3> moment{0, 0, 0.05}, field{0.02, 0, 0};  // in its frame [A m²], in space [T]

  Eigen::Index nodes() const { return 1; }
  double mass(Eigen::Index) const { return 2e-4; }
  Vec<double, 3> inertia(Eigen::Index) const { return {2e-9, 2e-9, 1e-9}; }
  bool forces(const Chain<>& chain, Columns<double, 6>& f) const {  // on the position, about body axes
    f.setZero();
    const Vec<double, 3> torque = moment.cross(chain.rotation(0).inverse().act(field));
    for (int i = 0; i < 3; ++i) f(0, 3 + i) = torque[i];
    return true;
  }
  double potential(const Chain<>& chain) const { return -chain.rotation(0).act(moment).dot(field); }
};

int main() {
  const rod::CircularSection rubber({.radius = 1e-3, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 30, .length = 0.05, .start = rod::Boundary<>::clamped()});
  const auto all = bodies(rod, Magnet{});
  const auto [r, m] = all.handles();
  const Assembly problem{all, constraints(Weld{tip(r), frame(m)})};
  auto state = problem.state({{r, rod.straight({0, 0, 0})}, {m, Chain<>(1)}});
  state[m].set_frame(0, {}, {0, 0, 0.05});
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.cfl = 0.5, .until = 0.2}, monitor);
  std::cout << "the tip is at " << state[r].tip().position.transpose() << " m, largest change of energy "
            << monitor.energy_error() << " J\n";
}
