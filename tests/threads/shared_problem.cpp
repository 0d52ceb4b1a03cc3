// One problem for four threads: two rods in rolling contact, stepped by each thread from a state of its own with a stepper and a monitor
// of its own. All end in the same numbers, and ThreadSanitizer sees no memory that two of them write.
//
//   shared_problem            the problem is shared, which is promised
//   shared_problem stepper    the stepper is shared, too, which is not: ThreadSanitizer must see it

#include <array>
#include <cstdint>
#include <iostream>
#include <latch>
#include <string_view>
#include <thread>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/state_hash.hpp>
#include <dalembert/systems/rolling_rods.hpp>

int main(int count, char** arguments) {
  using namespace dalembert;
  constexpr std::size_t threads = 4;
  const bool shares_stepper = count > 1 && arguments[1] == std::string_view("stepper");
  const systems::RollingRodsParameters<double> p{.elements = 20, .kernel_width = 0.1};
  const auto start = systems::static_start(p);
  const auto problem = start.problem();
  auto struck = start.state;
  systems::set_initial_velocity(problem, struck, p);

  auto common = Verlet{}.stepper(problem, struck);
  std::array<std::uint64_t, threads> ends{};
  std::latch all_there(threads);
  const auto run = [&](std::size_t i) {
    auto state = struck;
    auto own = Verlet{}.stepper(problem, state);
    auto& stepper = shares_stepper ? common : own;
    analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
    auto rates = problem.make_rates();
    all_there.arrive_and_wait();
    for (int k = 0; k < 50; ++k) {
      (void)stepper.step(problem, state, 1e-4);
      monitor(problem, state);
      problem.rates(state, rates);
    }
    ends[i] = io::state_hash(state);
  };
  std::vector<std::thread> team;
  for (std::size_t i = 0; i < threads; ++i) team.emplace_back(run, i);
  for (auto& one : team) one.join();
  for (const auto end : ends)
    if (end != ends[0] || end == io::state_hash(struck)) {
      std::cerr << "threads that share a problem end in different states, or where they began\n";
      return 1;
    }
}
