// The derivative of a motion by a parameter: how far a falling rod's tip moves with its Young's modulus.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

template <class T>
T height_of_tip(const T& young) {  // after 0.2 s [m]
  const rod::CircularSection<T> rubber({.radius = T(0.01), .young = young, .density = T(1100)});
  const rod::ElasticRod<T> rod(rubber, {.elements = 20,
                                        .length = T(0.5),
                                        .start = rod::Boundary<T>::clamped(),
                                        .loads = {.gravity = {T(0), T(0), T(-9.81)}}});
  const assembly::Assembly problem{rod};
  auto state = problem.state({rod.straight({T(0), T(0), T(0)}, {.direction = {T(1), T(0), T(0)}})});
  drive(Verlet{}, problem, state, {.step = T(1e-4), .until = T(0.2)});
  return state[0].tip().position[2];
}

int main() {
  const double young = 2e6, h = 1e3;
  const auto tip = height_of_tip(Dual<double, 1>::variable(young, 0));
  const double slope = (height_of_tip(young + h) - height_of_tip(young - h)) / (2 * h);
  std::cout << "tip at " << tip.value() << " m, by MPa " << 1e6 * tip.derivative(0)
            << " m; by differences of runs " << 1e6 * slope << " m\n";
}
