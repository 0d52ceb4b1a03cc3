#include "simulation.hpp"

void run_compact(const Options& options, example::Run& run) {
  simulate_with_kernel<dalembert::contact::CompactBump>(options, run);
}
