#pragma once

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <dalembert/ensemble/collect.hpp>
#include <dalembert/ensemble/run_ensemble.hpp>
#include <dalembert/io/state_hash.hpp>

#include "support/interrupt.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"

#ifdef STUDY_WITH_MPI
#include <dalembert/compat/mpi.hpp>
#endif

namespace example {

/// The ranks of MPI that a study runs on, if it is asked for: `mpirun -n 4 ./study --over ranks`.
class Ranks {
 public:
  /// Begins MPI if the arguments have `--over ranks`, and this program was built with it.
  Ranks([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#ifdef STUDY_WITH_MPI
    for (int i = 1; i + 1 < argc; ++i)
      if (argv[i] == std::string("--over") && argv[i + 1] == std::string("ranks")) {
        session_.emplace(&argc, &argv);
        break;
      }
#endif
  }
  /// Whether this process is the one that writes results.
  [[nodiscard]] bool lead() const noexcept { return rank() == 0; }
  /// How many there are.
  [[nodiscard]] int size() const noexcept {
#ifdef STUDY_WITH_MPI
    if (session_) return session_->size();
#endif
    return 1;
  }

 private:
  [[nodiscard]] int rank() const noexcept {
#ifdef STUDY_WITH_MPI
    if (session_) return session_->rank();
#endif
    return 0;
  }
#ifdef STUDY_WITH_MPI
  std::optional<dalembert::compat::MpiSession> session_{};
#endif
};

/// The options of studies that are ensembles, and how they run. Members are kept in members.runs in the folder for results; a study that is
/// started again goes on with them.
class Sweep {
 public:
  /// Declares --threads, --over, --members, --collect and --limit.
  Sweep(Program& program, const Ranks& ranks) : ranks_(&ranks) {
    program.option("threads", threads_, "threads; 0 for one per processor", 0);
    program.choice("over", over_, {"threads", "ranks"},
                   "where members run; ranks: mpirun -n N PROGRAM --over ranks");
#ifndef STUDY_WITH_MPI
    program.rule("over",
                 "needs MPI, which was not there when this was built (Debian: libopenmpi-dev openmpi-bin)",
                 [this] { return over_ == "threads"; });
#endif
    program.text("members", members_, "A:B|all", "run these members alone, from A to before B");
    program.rule("members", "must be all, or A:B with A less than B",
                 [this] { return members_ == "all" || range().has_value(); });
    program.text("collect", collect_, "FILE,FILE",
                 "run none: put these members.runs of other folders together");
    program.option("limit", limit_, "s",
                   "time by the clock that a member may take; 0 for as long as it likes", Rule::not_negative);
  }

  /// Run the members of an ensemble, or collect them; what has come of all of them on the rank that leads, if all are there.
  template <class Member>
  [[nodiscard]] std::optional<dalembert::EnsembleResult> run(std::size_t count, const Member& member,
                                                             dalembert::EnsembleOptions options,
                                                             Run& run) const {
    using namespace dalembert;
    options.program = run.name;
    options.parameters = run.summary.parameters({"threads", "over", "members", "collect", "limit"});
    options.file = run.out / "members.runs";
    options.limit = limit_;
    options.stop = interrupted;
    // What ranks write is passed on by mpirun: whether a person reads it is not known here.
    const bool ranks = over_ == "ranks", terminal = on_terminal();
    if (terminal || ranks) options.progress = tell_progress;
    if (ranks && !terminal) options.progress_interval = 5;
    if (const auto some = range()) {
      options.first = some->first;
      options.last = some->second;
    }
    const auto here = [&] {
      if (!collect_.empty()) return collect_ensemble(files(), options.file);
#ifdef STUDY_WITH_MPI
      if (over_ == "ranks") return run_ensemble(count, member, options, compat::MpiRanks{});
#endif
      return run_ensemble(count, member, options, Threads{threads()});
    };
    if (!collect_.empty() && !ranks_->lead()) return {};
    auto result = here();
    if (!ranks_->lead()) return {};
    report(result, run.summary);
    if (result.members.size() < count) {
      run.summary.print();
      return {};
    }
    return result;
  }
  /// Threads that run members, unless ranks do.
  [[nodiscard]] unsigned threads() const noexcept {
    return threads_ > 0 ? static_cast<unsigned>(threads_) : std::thread::hardware_concurrency();
  }

 private:
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> range() const {
    std::size_t first = 0, last = 0;
    char colon = 0, more = 0;
    std::istringstream in(members_);
    if (members_.find('-') != std::string::npos || !(in >> first >> colon >> last) || in >> more ||
        colon != ':' || first >= last)
      return {};
    return std::pair{first, last};
  }
  [[nodiscard]] std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    std::istringstream in(collect_);
    for (std::string one; std::getline(in, one, ',');) all.emplace_back(one);
    return all;
  }
  /// How it went, and the hash of all numbers.
  static void report(const dalembert::EnsembleResult& result, Summary& summary) {
    dalembert::io::NumberHash hash;
    for (const auto& member : result.members) {
      hash.add(static_cast<std::uint64_t>(member.status));
      for (const double value : member.values) hash.add(value);
    }
    summary.figure("members", static_cast<double>(result.members.size()), "1", "members of this run");
    summary.figure("members_kept", static_cast<double>(result.kept), "1", "of these, found in members.runs");
    summary.figure("failed", static_cast<double>(result.failed), "1",
                   "members that failed, are not finite or ran too long");
    summary.hash("state_hash", hash.value(), "hash of the numbers of all members");
  }
  /// One line, with the time left; gone at the end.
  static void tell_progress(const dalembert::EnsembleProgress& now) {
    if (now.done == now.count) {
      std::fprintf(stderr, "\r\033[K");
    } else {
      const long left = std::lround(std::fmin(now.wall_seconds_left, 359999.0));
      std::fprintf(stderr, "\r\033[K%zu of %zu members, %zu failed   %ld:%02ld:%02ld left", now.done,
                   now.count, now.failed, left / 3600, left / 60 % 60, left % 60);
    }
    std::fflush(stderr);
  }

  const Ranks* ranks_;
  long threads_ = 0;
  std::string over_ = "threads", members_ = "all", collect_{};
  double limit_ = 0;
};

}  // namespace example
