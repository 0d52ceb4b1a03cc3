#include <iostream>

#include <dalembert/compat/mpi.hpp>
#include <dalembert/ensemble/run_ensemble.hpp>

int main(int argc, char** argv) {
  const dalembert::compat::MpiSession session(&argc, &argv);
  const auto result = dalembert::run_ensemble(
      100, [](std::uint64_t index, std::uint64_t) { return static_cast<double>(index); },
      {.names = {"index"}}, dalembert::compat::MpiRanks{});
  if (session.rank() == 0) std::cout << result.members.back().values[0] << '\n';
}
