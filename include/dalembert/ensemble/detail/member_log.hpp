#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <dalembert/ensemble/ensemble_file.hpp>
#include <dalembert/ensemble/ensemble_options.hpp>
#include <dalembert/ensemble/member.hpp>

/// Who has which members of an ensemble, and what has come of them.
namespace dalembert::detail {

/// Members `first`, …, `first + count − 1`.
struct MemberRange {
  std::uint64_t first = 0, count = 0;
};

/// Runs members and returns their records, but for those that the end of the whole run cut short.
using RangeRunner = std::function<std::vector<MemberRecord>(MemberRange)>;

/// How many members a worker takes at once: as many as it was told, or so many that they take it some
/// milliseconds, beside which handing them out is nothing.
class RangeSize {
 public:
  explicit RangeSize(const EnsembleOptions& options, std::size_t together) noexcept
      : fixed_(options.block > 0), together_(together), now_(fixed_ ? options.block : together) {}

  /// The same, told in numbers.
  RangeSize(std::size_t now, std::size_t together, bool fixed) noexcept
      : fixed_(fixed), together_(together), now_(now) {}

  /// Members to take next.
  [[nodiscard]] std::size_t now() const noexcept { return now_; }
  /// A range of `count` took so many seconds.
  void learn(std::uint64_t count, double seconds) noexcept {
    if (fixed_ || count < now_) return;
    if (seconds < 2e-3 && now_ < (std::size_t{1} << 20)) now_ *= 2;
    if (seconds > 1e-2 && now_ > together_) now_ /= 2;
  }
  /// Whether the number is a given one.
  [[nodiscard]] bool fixed() const noexcept { return fixed_; }
  /// The least number that goes together.
  [[nodiscard]] std::size_t together() const noexcept { return together_; }

 private:
  bool fixed_;
  std::size_t together_, now_;
};

/// Hands out the members that are not in the file, and puts what comes of them where it belongs. All
/// functions may be called by several threads at once.
class MemberLog {
 public:
  MemberLog(const EnsembleHeader& header, const EnsembleOptions& options, std::size_t workers)
      : header_(header), options_(options), workers_(std::max<std::size_t>(1, workers)) {
    result_.members.resize(static_cast<std::size_t>(header.last - header.first));
    std::vector<bool> here(result_.members.size());
    if (!options.file.empty()) {
      file_.emplace(options.file, header);
      result_.torn = file_->torn();
      for (MemberRecord& record : file_->take_kept()) {
        const auto place = static_cast<std::size_t>(record.index - header.first);
        here[place] = true;
        count_failure(record);
        result_.members[place] = std::move(record);
        ++result_.kept;
      }
    }
    left_ = result_.members.size() - result_.kept;
    to_come_ = left_;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (here[i]) continue;
      if (gaps_.empty() || i == 0 || here[i - 1]) gaps_.push_back({header.first + i, 0});
      ++gaps_.back().count;
    }
    std::reverse(gaps_.begin(), gaps_.end());
    tell(true);
  }

  /// The next members for a worker; none if all are handed out, or the run is to end.
  [[nodiscard]] MemberRange take(const RangeSize& size) {
    const std::lock_guard lock(guard_);
    if (!ended_ && options_.stop && options_.stop()) ended_ = true;
    if (ended_ || gaps_.empty()) return {};
    std::uint64_t wanted = size.now();
    if (!size.fixed()) {  // so that all end at about the same time
      const std::uint64_t share = left_ / (4 * workers_), together = size.together();
      wanted = std::max(together, std::min(wanted, share / together * together));
    }
    MemberRange& gap = gaps_.back();
    const MemberRange range{gap.first, std::min(wanted, gap.count)};
    left_ -= range.count;
    gap.first += range.count;
    gap.count -= range.count;
    if (gap.count == 0) gaps_.pop_back();
    return range;
  }

  /// Keep what has come of members.
  void put(std::vector<MemberRecord> records) {
    if (records.empty()) return;
    const std::lock_guard lock(guard_);
    if (ended_ && failed_) return;
    try {
      if (file_) file_->append(records);
      to_come_ -= records.size();
      for (MemberRecord& record : records) {
        count_failure(record);
        result_.members[static_cast<std::size_t>(record.index - header_.first)] = std::move(record);
      }
      tell(to_come_ == 0);
    } catch (...) {
      ended_ = failed_ = true;
      throw;
    }
  }

  /// Hand out no more: something failed.
  void end() {
    const std::lock_guard lock(guard_);
    ended_ = true;
  }

  /// The result when all workers have ended. Throws EnsembleError if members are missing.
  [[nodiscard]] EnsembleResult finish() {
    const std::lock_guard lock(guard_);
    if (to_come_ > 0)
      throw EnsembleError(
          EnsembleFault::stopped,
          message({"run_ensemble: the run was ended with ", result_.members.size() - to_come_, " of ",
                   result_.members.size(), " members", file_ ? "; they are kept in " : "",
                   file_ ? options_.file.string() : std::string()}));
    if (file_) file_->finish(result_.members);
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void count_failure(const MemberRecord& record) noexcept {
    if (record.status != MemberStatus::finished) ++result_.failed;
  }
  void tell(bool always) {
    if (!options_.progress) return;
    const auto now = Clock::now();
    if (!always && std::chrono::duration<double>(now - told_).count() < options_.progress_interval) return;
    told_ = now;
    const double spent = std::chrono::duration<double>(now - began_).count();
    const auto all = static_cast<double>(result_.members.size() - result_.kept);
    const double done = all - static_cast<double>(to_come_);
    options_.progress({.done = result_.members.size() - static_cast<std::size_t>(to_come_),
                       .count = result_.members.size(),
                       .kept = result_.kept,
                       .failed = result_.failed,
                       .wall_seconds = spent,
                       .wall_seconds_left = to_come_ == 0 ? 0
                                            : done > 0    ? spent * static_cast<double>(to_come_) / done
                                                          : std::numeric_limits<double>::infinity()});
  }

  EnsembleHeader header_;
  const EnsembleOptions& options_;
  std::uint64_t workers_;
  std::optional<EnsembleFile> file_{};
  EnsembleResult result_{};
  std::vector<MemberRange> gaps_{};       // what is not handed out, from the back on
  std::uint64_t left_ = 0, to_come_ = 0;  // not handed out; not put
  bool ended_ = false, failed_ = false;
  std::mutex guard_{};
  Clock::time_point began_ = Clock::now(), told_ = began_;
};

/// Take members and run them until there are none.
inline void work(MemberLog& log, RangeSize size, const RangeRunner& run) {
  try {
    for (MemberRange range = log.take(size); range.count > 0; range = log.take(size)) {
      const auto start = std::chrono::steady_clock::now();
      std::vector<MemberRecord> records = run(range);
      size.learn(range.count,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      log.put(std::move(records));
    }
  } catch (...) {
    log.end();
    throw;
  }
}

}  // namespace dalembert::detail
