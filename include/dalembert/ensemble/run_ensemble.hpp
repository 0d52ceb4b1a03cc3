#pragma once

#include <algorithm>
#include <cstddef>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/ensemble/detail/member_log.hpp>
#include <dalembert/ensemble/detail/run_members.hpp>
#include <dalembert/ensemble/ensemble_file.hpp>
#include <dalembert/ensemble/ensemble_options.hpp>
#include <dalembert/ensemble/member.hpp>
#include <dalembert/integrate/batch.hpp>
#include <dalembert/integrate/batch_threads.hpp>

/// Ensembles: thousands of runs, each a function of its number, over one core, threads or the ranks of MPI
/// (compat/mpi.hpp).
///   const auto member = [&](MemberContext& context) {
///     auto state = start(context.index(), context.seed());
///     drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 10}, context);
///     return std::array{state.g.angle(), state.xi[0]};
///   };
///   const auto runs = run_ensemble(10000, member, {.names = {"heading", "u"}, .file = "a.runs"}, Threads{});
/// A member that throws, returns what is not finite or exceeds its limit becomes a record that
/// says so. Results stand in the order of members, and the file has the same bytes, for any number of threads
/// and ranks, and whether or not the run was killed and taken up. A program that uses threads links the
/// platform's.
namespace dalembert {

/// Members that block functions are given at once where no other number is asked for: those of the lanes of
/// any processor.
inline constexpr std::size_t members_together = 16;

namespace detail {

/// What an ensemble is, of which the options are in order.
[[nodiscard]] inline EnsembleHeader header_of(std::size_t count, const EnsembleOptions& options) {
  const auto check = [](bool holds, std::string_view quantity, const auto& value, std::string_view rule) {
    require(holds, "run_ensemble", quantity, value, rule);
  };
  check(count > 0, "count", count, "an ensemble has at least one member");
  check(!options.names.empty(), "names", options.names.size(), "a record has at least one number");
  const std::size_t last = std::min(options.last, count);
  check(options.first < last, "first", options.first,
        message({"it must lie before the last member to run, ", last}));
  check(options.last <= count || options.last == EnsembleOptions{}.last, "last", options.last,
        message({"the ensemble has ", count, " members"}));
  check(std::isfinite(options.limit) && options.limit >= 0, "limit", options.limit,
        "it must not be negative [s]");
  return {.program = options.program,
          .parameters = options.parameters,
          .names = options.names,
          .seed = options.seed,
          .count = count,
          .first = options.first,
          .last = last};
}

/// One worker, here.
inline void with_workers(const Sequential&, const std::function<void()>& f) { f(); }
/// As many workers as threads.
inline void with_workers(const Threads& threads, const std::function<void()>& f) {
  threads(std::max(1U, threads.count), [&](std::size_t) { f(); });
}
[[nodiscard]] inline std::size_t workers_of(const Sequential&) noexcept { return 1; }
[[nodiscard]] inline std::size_t workers_of(const Threads& threads) noexcept {
  return std::max(1U, threads.count);
}

}  // namespace detail

/// Run the members 0, …, count − 1, or those of `options.first` to `options.last`. `member` is called by
/// several threads at once, in one of these forms, and its numbers are those of `options.names`:
///   member(index, seed)       returns a number, or numbers with size() and []
///   member(MemberContext&)    likewise, and may ask and tell while it runs
///   member(MemberBlock&)      runs several members together, as `run_batch` does, and writes their numbers
/// What it throws is kept in the record of the member, and ends nothing. `where` is Sequential{}, Threads{}
/// or compat::MpiRanks{}. With `options.file` finished members are kept, and members that are there are not
/// run again. Throws std::invalid_argument for options out of range; EnsembleError if the file is of another
/// ensemble, cannot be written, or the run was told to stop: what was finished is then kept in the file. What
/// `options.progress` throws ends the run and passes through.
template <class Member, class Where = Sequential>
[[nodiscard]] EnsembleResult run_ensemble(std::size_t count, const Member& member,
                                          const EnsembleOptions& options, const Where& where = {}) {
  constexpr bool blocks = detail::runs_blocks<Member>;
  static_assert(blocks || detail::takes_context<Member> || detail::takes_numbers<Member>,
                "a member takes its index and seed, a MemberContext& or a MemberBlock&");
  const EnsembleHeader header = detail::header_of(count, options);
  const detail::RangeRunner run = [&](detail::MemberRange range) {
    if constexpr (blocks)
      return detail::run_together(member, options, range);
    else
      return detail::run_one_by_one(member, options, range);
  };
  const detail::RangeSize size(options, blocks ? members_together : 1);
  if constexpr (requires { where.run_ensemble(header, options, size, run); }) {
    return where.run_ensemble(header, options, size, run);
  } else {
    detail::MemberLog log(header, options, detail::workers_of(where));
    detail::with_workers(where, [&] { detail::work(log, size, run); });
    return log.finish();
  }
}

}  // namespace dalembert
