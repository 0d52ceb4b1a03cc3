// Step 3: what the numbers are worth. An energy monitor, several integrators, and an event: where the sledge stops and turns back.

#include <cmath>
#include <cstdio>
#include <dalembert/dalembert.hpp>
using namespace dalembert;

struct Sledge {
  using Group = SE2<double>;               // place and heading; x points down the slope
  double m = 60, inertia = 1.5, pull = 2;  // [kg, kg m², m/s²]: pull is the gravity along the slope

  template <class T>
  T lagrangian(const SE2<T>& g, const Vec<T, 3>& xi) const {  // kinetic minus potential energy [J]
    const T kinetic = (m * (xi[0] * xi[0] + xi[1] * xi[1]) + inertia * xi[2] * xi[2]) / 2;
    return kinetic + m * pull * g.translation()[0];
  }
  template <class T>
  T velocity_constraint(const Vec<T, 3>& xi) const {  // zero: the velocity across the blade [m/s]
    return xi[1];
  }
};

int main() {
  const Sledge sledge;
  const LagrangeDAlembert problem{sledge};
  const double omega = 1.5;  // [rad/s]
  const auto start = problem.state(SE2<double>::identity(), {0, 0, omega});

  //! [monitor]
  const auto compare = [&](const char* name, const auto& method) {
    auto state = start;
    analysis::EnergyMonitor monitor{problem};
    drive(method, problem, state, {.step = 0.05, .until = 10.0}, monitor);
    const double s = std::sin(omega * state.time) / omega;
    const double error = std::abs(state.g.translation()[0] - sledge.pull * s * s / 2);
    std::printf("%-32s change of energy %.0e J   slip %.0e m/s   error %.0e m\n", name,
                monitor.energy_error(), monitor.violation().velocity, error);
  };
  compare("RungeKutta4", RungeKutta4{});
  compare("Gauss<3>", Gauss<3>{});
  compare("NonholonomicMcLachlanPerlmutter", NonholonomicMcLachlanPerlmutter{});
  //! [monitor]

  //! [event]
  const auto along_blade = [](const auto&, const auto& now) { return now.xi[0]; };
  auto state = start;
  const auto report = drive(
      DormandPrince853{}, problem, state,
      {.step = 0.05, .until = 10.0, .tolerance = 1e-10, .events = {{.name = "cusp", .value = along_blade}}});
  std::printf("%ld steps; cusps at", report.steps);
  for (const auto& hit : report.hits) std::printf(" %.6f", hit.state.time);
  std::printf(" s, by hand every %.6f s\n", static_cast<double>(pi) / omega);
  //! [event]
}
