#include "simulation.hpp"

void run_quintic(const Options& options, example::Run& run) {
  simulate_with_kernel<dalembert::contact::QuinticSpline>(options, run);
}
