// A cross-section of your own says its stiffness and its inertia: here a sandwich of two skins on a light core.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

struct Sandwich {  // skins, `width` [m] along e₁, on a core of `core` [m] along e₂, which carries the shear
  double width = 0.04, skin = 5e-4, core = 0.01, young = 7e10, shear = 2e7, density = 2700;

  Vec<double, 6> stiffness_diagonal() const {  // k GA, k GA, EA [N]; EI₁ = E∫x₂² about e₁, EI₂, GJ [N m²]
    const double area = 2 * width * skin, apart = (core + skin) / 2;
    const double flat = young * area * apart * apart, edge = young * area * width * width / 12;
    const double pane = shear * width * core;
    return {pane, pane, young * area, flat, edge, 4 * shear * width * apart * apart * core};
  }
  rod::SectionInertia<> inertia() const {
    const double mass = 2 * density * width * skin, apart = (core + skin) / 2;
    const double flat = mass * apart * apart, edge = mass * width * width / 12;
    return {.mass = mass, .rotary = {flat, edge, flat + edge}};
  }
};

int main() {
  const auto held = rod::Boundary<>::clamped();
  const rod::ElasticRod<> panel(Sandwich{}, {.elements = 40, .length = 1, .start = held});
  const assembly::Assembly problem{panel};
  const auto state = problem.state({panel.straight({0, 0, 0}, {.normal = {0, 1, 0}})});  // .normal sets e₁
  for (const auto& mode : assembly::modes(problem, state, {.count = 3}))
    std::cout << mode.frequency() / (2 * 3.14159265) << " Hz\n";
}
