// A run is stopped, written to a file, read again and goes on: bit for bit the run that was never stopped.

#include <dalembert/dalembert.hpp>
#include <dalembert/io/checkpoint.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const rod::CircularSection rubber({.radius = 0.01, .young = 2e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 20, .length = 0.5, .start = rod::Boundary<>::clamped()});
  const assembly::Assembly problem{rod};
  auto state = problem.state({rod.straight({0, 0, 0})});
  state[0].set_velocity(20, {1, 0, 0}, {0, 0, 0});
  auto whole = state;
  drive(Verlet{}, problem, whole, {.step = 1e-4, .until = 1});

  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 0.5});
  io::save_checkpoint("half.txt", state);
  auto read = problem.state({rod.straight({0, 0, 0})});
  io::load_checkpoint("half.txt", read);
  drive(Verlet{}, problem, read, {.step = 1e-4, .until = 1, .origin = 0.0});
  std::cout << "they differ by " << (read[0].configuration - whole[0].configuration).abs().maxCoeff() << '\n';
}
