#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/ensemble/detail/member_log.hpp>
#include <dalembert/ensemble/detail/record_bytes.hpp>
#include <dalembert/ensemble/ensemble_error.hpp>
#include <dalembert/ensemble/ensemble_file.hpp>
#include <dalembert/ensemble/ensemble_options.hpp>

#include <mpi.h>

/// Ensembles over the ranks of MPI, in its C interface alone. Link `dalembert::mpi`.
///   int main(int argc, char** argv) {
///     const compat::MpiSession session(&argc, &argv);
///     const auto result = run_ensemble(10000, member, {.names = {"heading"}, .file = "sleighs.runs"},
///                                      compat::MpiRanks{});
///     if (session.rank() == 0) …                                  // the members are there
///   }
/// and `mpirun -n 64 ./program`. Rank 0 hands out members, runs some itself, and alone reads and writes the
/// file: ranks need no folder that all of them see. Whoever kills a rank ends the run, as MPI does; what rank
/// 0 had written is taken up by the next one, on any number of ranks.
namespace dalembert::compat {

/// MPI from its beginning to its end, where the program does not see to that itself.
class MpiSession {
 public:
  /// Begins, with threads that compute beside the one that calls MPI.
  MpiSession(int* argc, char*** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiSession() { MPI_Finalize(); }
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// The number of this rank, from 0.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// How many ranks there are.
  [[nodiscard]] int size() const noexcept { return size_; }

 private:
  int rank_ = 0, size_ = 1;
};

/// The ranks of a communicator, as a place where `run_ensemble` runs members. All of them call it, with the
/// same arguments, by the thread that began MPI; members must not use MPI. The members of the result are on
/// rank 0 only. If something ends the run, all ranks throw: rank 0 what it met, the others EnsembleError with
/// its words. Throws EnsembleError (`ranks`) if the arguments of two ranks differ or MPI was begun without
/// threads (MPI_Init_thread with MPI_THREAD_FUNNELED).
class MpiRanks {
 public:
  /// Those of `communicator`.
  explicit MpiRanks(MPI_Comm communicator = MPI_COMM_WORLD) noexcept : communicator_(communicator) {}

  /// What `run_ensemble` calls.
  [[nodiscard]] EnsembleResult run_ensemble(const EnsembleHeader& header, const EnsembleOptions& options,
                                            const dalembert::detail::RangeSize& size,
                                            const dalembert::detail::RangeRunner& run) const {
    const Channel channel(communicator_);
    channel.check_agreement(header);
    return channel.rank == 0 ? lead(channel, header, options, size, run) : follow(channel, size, run);
  }

 private:
  using Clock = std::chrono::steady_clock;
  enum Tag : int { asked = 1, returned = 2, given = 3 };

  /// A communicator of its own: what the program sends meanwhile is not taken for ours.
  struct Channel {
    MPI_Comm communicator = MPI_COMM_NULL;
    int rank = 0, ranks = 1;

    explicit Channel(MPI_Comm of) {
      int level = MPI_THREAD_SINGLE, started = 0;
      MPI_Initialized(&started);
      if (started != 0) MPI_Query_thread(&level);
      if (level < MPI_THREAD_FUNNELED)
        throw EnsembleError(
            EnsembleFault::ranks,
            "MpiRanks: MPI was not begun with threads, which rank 0 needs to hand out members while "
            "it runs some: begin it by MpiSession, or MPI_Init_thread with MPI_THREAD_FUNNELED");
      MPI_Comm_dup(of, &communicator);
      MPI_Comm_rank(communicator, &rank);
      MPI_Comm_size(communicator, &ranks);
    }
    ~Channel() { MPI_Comm_free(&communicator); }
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Throw unless all ranks are asked for the same ensemble.
    void check_agreement(const EnsembleHeader& header) const {
      const std::string bytes = dalembert::detail::header_bytes(header);  // which end with their hash
      const auto mine = dalembert::detail::ByteReader(std::string_view(bytes).substr(bytes.size() - 8))
                            .number<std::uint64_t>();
      std::uint64_t least = 0, most = 0;
      MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, communicator);
      MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, communicator);
      if (least != most)
        throw EnsembleError(
            EnsembleFault::ranks,
            "MpiRanks: the ranks were asked for different ensembles: program, parameters, names, "
            "seed, count and range must be the same on all of them");
    }
    void send(int to, Tag tag, const std::string& bytes) const {
      if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw EnsembleError(EnsembleFault::ranks,
                            message({"MpiRanks: a block of ", bytes.size(),
                                     " bytes is too long to send: take smaller blocks"}));
      MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, to, tag, communicator);
    }
    [[nodiscard]] bool waiting(MPI_Status& status, int from) const {
      int here = 0;
      MPI_Iprobe(from, MPI_ANY_TAG, communicator, &here, &status);
      return here != 0;
    }
    [[nodiscard]] std::string receive(const MPI_Status& status) const {
      int length = 0;
      MPI_Get_count(&status, MPI_CHAR, &length);
      std::string bytes(static_cast<std::size_t>(length), '\0');
      MPI_Recv(bytes.data(), length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, communicator,
               MPI_STATUS_IGNORE);
      return bytes;
    }
    /// Tell all ranks how it ends; empty: well. Returns what rank 0 says.
    [[nodiscard]] std::pair<EnsembleFault, std::string> tell_end(EnsembleFault fault, std::string why) const {
      std::uint64_t said[2] = {static_cast<std::uint64_t>(fault), why.size()};
      MPI_Bcast(said, 2, MPI_UINT64_T, 0, communicator);
      why.resize(static_cast<std::size_t>(said[1]));
      MPI_Bcast(why.data(), static_cast<int>(why.size()), MPI_CHAR, 0, communicator);
      return {static_cast<EnsembleFault>(said[0]), why};
    }
  };

  /// Looks again soon while there is something to do, and leaves the processor to others while there is not.
  class Patience {
   public:
    void found() noexcept { looks_ = 0; }
    void wait() {
      if (++looks_ < 200)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(looks_ < 1000 ? 20 : 200));
    }

   private:
    int looks_ = 0;
  };

  /// f(), and whatever it throws told to all ranks before it is thrown again.
  template <class F>
  static void or_tell(const Channel& channel, const F& f) {
    try {
      f();
    } catch (const EnsembleError& error) {
      (void)channel.tell_end(error.fault(), error.what());
      throw;
    } catch (const std::exception& error) {
      (void)channel.tell_end(EnsembleFault::stopped, std::string("rank 0: ") + error.what());
      throw;
    }
  }
  static void hear(const Channel& channel) {
    const auto [fault, why] = channel.tell_end(EnsembleFault::stopped, {});
    if (!why.empty()) throw EnsembleError(fault, why);
  }

  /// Rank 0: one thread runs members, this one serves the others.
  static EnsembleResult lead(const Channel& channel, const EnsembleHeader& header,
                             const EnsembleOptions& options, const dalembert::detail::RangeSize& size,
                             const dalembert::detail::RangeRunner& run) {
    std::optional<dalembert::detail::MemberLog> log;
    or_tell(channel, [&] { log.emplace(header, options, static_cast<std::size_t>(channel.ranks)); });
    (void)channel.tell_end({}, {});
    std::exception_ptr thrown;
    {
      std::exception_ptr own;
      std::jthread worker([&] {
        try {
          dalembert::detail::work(*log, size, run);
        } catch (...) {
          own = std::current_exception();
        }
      });
      thrown = serve(channel, *log, header.names.size());
      worker.join();
      if (own) thrown = own;
    }
    EnsembleResult result;
    or_tell(channel, [&] {
      if (thrown) std::rethrow_exception(thrown);
      result = log->finish();
    });
    (void)channel.tell_end({}, {});
    return result;
  }

  /// Answer the other ranks until each was told that there is no more; what keeping their records threw.
  static std::exception_ptr serve(const Channel& channel, dalembert::detail::MemberLog& log,
                                  std::size_t length) {
    using dalembert::detail::ByteReader;
    std::exception_ptr thrown;
    Patience patience;
    long ended = 0, out = 0;  // ranks that were told so; ranges that did not come back, also from those
    while (ended < channel.ranks - 1 || out > 0) {
      MPI_Status status;
      if (!channel.waiting(status, MPI_ANY_SOURCE)) {
        patience.wait();
        continue;
      }
      patience.found();
      const std::string bytes = channel.receive(status);
      try {
        if (status.MPI_TAG == returned) {
          --out;
          std::vector<MemberRecord> records;
          for (std::string_view rest = bytes; !rest.empty();) {
            MemberRecord record;
            if (dalembert::detail::take_record(rest, length, record) != dalembert::detail::RecordBytes::whole)
              throw EnsembleError(EnsembleFault::ranks,
                                  message({"MpiRanks: rank ", status.MPI_SOURCE, " sent what is no record"}));
            records.push_back(std::move(record));
          }
          if (!thrown) log.put(std::move(records));
          continue;
        }
        dalembert::detail::MemberRange range;
        if (!thrown) range = log.take(asked_size(bytes));
        ++(range.count == 0 ? ended : out);
        channel.send(status.MPI_SOURCE, given, range_bytes(range));
      } catch (...) {
        thrown = std::current_exception();
        log.end();
        if (status.MPI_TAG == asked) {
          ++ended;
          channel.send(status.MPI_SOURCE, given, range_bytes({}));
        }
      }
    }
    return thrown;
  }

  /// Another rank. While blocks are short it has the next one sent before it begins one.
  static EnsembleResult follow(const Channel& channel, dalembert::detail::RangeSize size,
                               const dalembert::detail::RangeRunner& run) {
    hear(channel);
    bool ahead = false;
    ask(channel, size);
    for (dalembert::detail::MemberRange range = await(channel); range.count > 0;) {
      const bool asked_ahead = ahead;
      if (asked_ahead) ask(channel, size);
      const auto start = Clock::now();
      const std::vector<MemberRecord> records = run(range);
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      size.learn(range.count, seconds);
      ahead = seconds < 0.02;
      std::string bytes;
      for (const MemberRecord& record : records) dalembert::detail::append_record(bytes, record);
      channel.send(0, returned, bytes);
      if (!asked_ahead) ask(channel, size);
      range = await(channel);
    }
    hear(channel);
    return {};
  }

  static void ask(const Channel& channel, const dalembert::detail::RangeSize& size) {
    std::string bytes;
    for (const std::size_t number : {size.now(), size.together(), std::size_t{size.fixed() ? 1U : 0U}})
      dalembert::detail::append_bytes(bytes, static_cast<std::uint64_t>(number));
    channel.send(0, asked, bytes);
  }
  [[nodiscard]] static dalembert::detail::RangeSize asked_size(const std::string& bytes) {
    dalembert::detail::ByteReader in(bytes);
    const auto now = static_cast<std::size_t>(in.number<std::uint64_t>());
    const auto together = static_cast<std::size_t>(in.number<std::uint64_t>());
    return {now, together, in.number<std::uint64_t>() != 0};
  }
  [[nodiscard]] static std::string range_bytes(const dalembert::detail::MemberRange& range) {
    std::string bytes;
    dalembert::detail::append_bytes(bytes, range.first);
    dalembert::detail::append_bytes(bytes, range.count);
    return bytes;
  }
  [[nodiscard]] static dalembert::detail::MemberRange await(const Channel& channel) {
    MPI_Status status;
    for (Patience patience; !channel.waiting(status, 0);) patience.wait();
    const std::string bytes = channel.receive(status);
    dalembert::detail::ByteReader in(bytes);
    const auto first = in.number<std::uint64_t>();
    return {first, in.number<std::uint64_t>()};
  }

  MPI_Comm communicator_;
};

}  // namespace dalembert::compat
