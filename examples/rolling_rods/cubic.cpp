#include "simulation.hpp"

void run_cubic(const Options& options, example::Run& run) {
  simulate_with_kernel<dalembert::contact::CubicSpline>(options, run);
}
