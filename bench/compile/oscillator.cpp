// An implicit method on a system that comes with the library: Gauss's of order six on the chaotic oscillator.

#include <iostream>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>

using namespace dalembert;

int main() {
  const LagrangeDAlembert problem{systems::ChaoticOscillator<double, 3>{}};
  Vec<double, 7> q, v;
  q << 0.766, 0.6, 0.4, 0.2, 1, 1, 1;
  v << 0, 0.643, 0, 0, 0, 0, 0;
  auto state = problem.state(Rn<double, 7>(q), v);
  (void)problem.project(state);
  drive(Gauss<3>{}, problem, state, {.step = 0.1, .until = 100.0});
  std::cout << "energy " << problem.energy(state) << " J\n";
}
