// An ensemble over the ranks that this program is started on, or in one process. Usage:
//   ensemble_ranks ranks|alone FILE COUNT [block N] [work N] [first A] [last B] [stop N] [die N] [full N] [differ] [even]
// Rank 0 kills itself `die` milliseconds after the beginning, finds its disk full behind `full` bytes of a file,
// and prints what has come of the ensemble; all ranks print errors. Exit status 3 for an EnsembleError.
// Members fail, are not finite, or run a hundred times longer than others, as their number says, or are all
// alike: `even`.

#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <thread>

#include <dalembert/compat/mpi.hpp>
#include <dalembert/ensemble/run_ensemble.hpp>

namespace {

using namespace dalembert;

struct Member {
  long work = 100;
  bool even = false;
  std::array<double, 2> operator()(std::uint64_t index, std::uint64_t seed) const {
    const auto x = static_cast<double>(index);
    if (!even && index % 13 == 5) throw ContactOpened("ContactOpened: a contact opened", 0.1 * x);
    double sum = 0;
    const long terms = !even && index % 97 == 0 ? 100 * work : work;
    for (long k = 1; k < terms; ++k) sum += std::sin(x + static_cast<double>(k)) / static_cast<double>(k);
    return {!even && index % 13 == 6 ? std::numeric_limits<double>::infinity() : sum,
            static_cast<double>(seed >> 11) * 0x1p-53};
  }
};

int run(int argc, char** argv, const compat::MpiSession* session) {
  const int rank = session == nullptr ? 0 : session->rank();
  EnsembleOptions options{.names = {"sum", "number"}, .seed = 4, .file = argv[2], .program = "ranks"};
  Member member;
  long long stop = -1;
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "differ") {
      options.parameters = std::to_string(rank);
      continue;
    }
    if (word == "even") {
      member.even = true;
      continue;
    }
    const long long value = std::stoll(argv[++i]);
    if (word == "block") options.block = static_cast<std::size_t>(value);
    if (word == "work") member.work = static_cast<long>(value);
    if (word == "first") options.first = static_cast<std::size_t>(value);
    if (word == "last") options.last = static_cast<std::size_t>(value);
    if (word == "stop") stop = value;
    if (word == "full" && rank == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit narrow{static_cast<rlim_t>(value), RLIM_INFINITY};
      setrlimit(RLIMIT_FSIZE, &narrow);
    }
    if (word == "die" && rank == 0)
      std::thread([value] {
        std::this_thread::sleep_for(std::chrono::milliseconds(value));
        std::raise(SIGKILL);
      }).detach();
  }
  long long done = 0;
  options.progress = [&](const EnsembleProgress& now) { done = static_cast<long long>(now.done); };
  options.progress_interval = 0;
  if (stop >= 0) options.stop = [&] { return done >= stop; };
  try {
    const auto count = static_cast<std::size_t>(std::stoll(argv[3]));
    const auto result = session == nullptr ? run_ensemble(count, member, options)
                                           : run_ensemble(count, member, options, compat::MpiRanks{});
    if (rank == 0)
      std::cout << "members " << result.members.size() << " kept " << result.kept << " failed "
                << result.failed << '\n';
    else if (!result.members.empty())
      std::cout << "rank " << rank << " has members\n";
    return 0;
  } catch (const EnsembleError& error) {
    std::cout << "rank " + std::to_string(rank) + " fault " +
                     std::to_string(static_cast<int>(error.fault())) + ": " + error.what() + "\n";
    return 3;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<compat::MpiSession> session;
  if (std::string(argv[1]) == "ranks") session.emplace(&argc, &argv);
  const int status = run(argc, argv, session ? &*session : nullptr);
  return session ? 0 : status;  // a rank that returns something else ends the others before they have spoken
}
