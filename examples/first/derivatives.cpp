// Derivatives: of a function, and of a whole equilibrium by a parameter of its rod.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

// How far the end of a rod of Young's modulus E [Pa], clamped at its start, is pulled aside by 0.3 N [m].
template <class T>
T deflection(const T& young) {
  const rod::CircularSection<T> section({.radius = T(0.02), .young = young, .density = T(1100)});
  typename rod::ElasticRod<T>::Parameters p{
      .elements = 20, .length = T(1), .inertia = section.inertia(), .start = rod::Boundary<T>::clamped()};
  p.loads.finish.force = {T(0.3), T(0), T(0)};
  rod::ElasticRod<T> rod(rod::LinearElastic<T>(section.stiffness_diagonal()), p);
  auto chain = rod.straight({T(0), T(0), T(0)}, SO3<T>::identity());
  (void)rod::static_equilibrium(rod, chain);
  return chain.position(20)[0];
}

int main() {
  const auto energy = [](const auto& x) { return x[0] * x[0] * x[1]; };
  const Vec<double, 2> place{1, 2};
  const auto slope = gradient(energy, place);
  std::cout << "slope (" << slope[0] << " " << slope[1] << "), second derivative "
            << hessian(energy, place)(0, 1) << "\n";

  const double young = 2e6, h = 1e-3 * young;
  const auto end = deflection(Dual<double, 1>::variable(young, 0));
  const double by_difference = (deflection(young + h) - deflection(young - h)) / (2 * h);
  std::cout << "pulled aside by " << end.value() << " m, per MPa by " << 1e6 * end.derivative(0)
            << " m; by differences of whole equilibria " << 1e6 * by_difference << " m\n";
}
