// A problem as an ordinary differential equation in a vector of numbers, for a solver that knows nothing else: here Heun's method.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
#include <vector>
using namespace dalembert;

// One step of a solver that somebody else wrote: ẏ = f(y, t).
template <class F>
void heun(const F& f, std::vector<double>& y, double t, double h) {
  std::vector<double> first(y.size()), second(y.size()), ahead = y;
  f(y, t, first);
  for (std::size_t i = 0; i < y.size(); ++i) ahead[i] += h * first[i];
  f(ahead, t + h, second);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 2 * (first[i] + second[i]);
}

int main() {
  const systems::KnifeEdge edge{{.slope = 0.3}};
  const LagrangeDAlembert problem{edge};
  const auto start = problem.state(SE2<double>::identity(), {0.5, 0.0, 1.2});
  compat::Chart chart{problem, start};
  std::vector<double> y(chart.size(), 0.0);  // place and heading, then velocities, from the base of the chart
  const auto f = [&](const auto& at, double t, auto& slope) { chart.slope(at, t, slope); };

  const double h = 0.001;
  for (int i = 0; i < 5000; ++i) {
    heun(f, y, i * h, h);
    if (i % 100 == 99) chart.rebase(y, (i + 1) * h);  // headings stay small
  }
  const auto& state = chart.base();
  const auto exact = edge.exact({.x = 0, .y = 0, .phi = 0, .u = 0.5, .omega = 1.2}, state.time);
  const auto& place = state.g.translation();
  std::cout << y.size() << " numbers; after " << state.time << " s the blade is "
            << std::hypot(place[0] - exact.x, place[1] - exact.y) << " m from its path in closed form\n";
}
