// A rod of your own material, clamped at one end and falling under its weight: it stiffens as it bends.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

// W = ½k|Γ − e₃|² + ½b|Ω|² + ¼c|Ω|⁴, with n = ∂W/∂Γ and m = ∂W/∂Ω, for one node or for many in the lanes of a register.
struct Stiffening {
  using Scalar = double;
  double k = 400, b = 0.02, c = 0.01;  // [N, N m², N m⁴]

  template <class L>
  rod::Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    const Vec<L, 3> extension(stretch[0], stretch[1], stretch[2] - 1);
    return {k * extension, (b + c * curvature.squaredNorm()) * curvature};
  }
  template <class L>
  L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    const Vec<L, 3> extension(stretch[0], stretch[1], stretch[2] - 1);
    const L bend = curvature.squaredNorm();
    return k / 2 * extension.squaredNorm() + b / 2 * bend + c / 4 * bend * bend;
  }
  rod::RestStrain<double> rest() const { return {}; }
};

int main() {
  const rod::Rod<Stiffening> rod(Stiffening{}, {.elements = 40,
                                                .length = 1,
                                                .inertia = {.mass = 0.1, .rotary = {1e-5, 1e-5, 2e-5}},
                                                .start = rod::Boundary<double>::clamped(),
                                                .loads = {.gravity = {0, 0, -9.81}}});
  const assembly::Assembly problem{rod};
  auto state = problem.state({rod.straight({0, 0, 0}, {.direction = {1, 0, 0}})});
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 5e-5, .until = 0.5, .output_interval = 1e-3}, monitor);
  std::cout << "the free end fell by " << -state[0].position(40)[2] << " m, largest change of energy "
            << monitor.energy_error() << " J\n";
}
