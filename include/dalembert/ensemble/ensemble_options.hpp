#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/ensemble/member.hpp>

namespace dalembert {

/// How far an ensemble is.
struct EnsembleProgress {
  std::size_t done;          ///< members that are finished, with those that were kept
  std::size_t count;         ///< members of this run
  std::size_t kept;          ///< members that were in the file when the run began
  std::size_t failed;        ///< members that are not `finished`
  double wall_seconds;       ///< since the run began [s]
  double wall_seconds_left;  ///< until it ends, if it goes on as so far [s]; infinite before the first member
};

/// What an ensemble is to do.
struct EnsembleOptions {
  std::vector<std::string> names{};  ///< of the numbers of a record
  std::uint64_t seed = 0;            ///< from which each member's seed is made
  std::filesystem::path file{};      ///< where finished members are kept; empty: nowhere
  std::string program{};             ///< the program's name, by which it knows its file again
  std::string parameters{};          ///< likewise all that the numbers depend on, in any form
  std::size_t first = 0;             ///< the first member to run
  std::size_t last = std::numeric_limits<std::size_t>::max();  ///< the one behind the last; at most all
  std::size_t block = 0;  ///< members handed out at once; 0: as many as take some milliseconds
  double limit = 0;       ///< seconds by the clock that a member may take, if it asks; 0: as long as it likes
  std::function<void(const EnsembleProgress&)> progress{};  ///< called now and then, by one thread at a time
  double progress_interval = 0.25;                          ///< seconds between its calls
  std::function<bool()> stop{};  ///< whether the run is to end: asked between members, and where they ask
};

/// What has come of an ensemble.
struct EnsembleResult {
  std::vector<MemberRecord> members{};  ///< in their order; with MPI only on rank 0
  std::size_t kept = 0;                 ///< members that were in the file
  std::size_t failed = 0;               ///< members that are not `finished`
  std::uint64_t torn = 0;  ///< bytes of a record that was not written to its end, cut off the file
};

}  // namespace dalembert
