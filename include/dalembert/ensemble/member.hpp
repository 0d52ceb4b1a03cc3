#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Members of an ensemble: what each is given, and what is kept of it.
namespace dalembert {

/// Number `index` of the sequence SplitMix64 that begins with `seed`: a seed for each member, the same
/// wherever and whenever it runs. Source: Steele, Lea and Flood 2014, Fast splittable pseudorandom number
/// generators, figures 16 and 17.
[[nodiscard]] constexpr std::uint64_t member_seed(std::uint64_t seed, std::uint64_t index) noexcept {
  std::uint64_t x = seed + (index + 1) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// How a member ended.
enum class MemberStatus : std::uint8_t {
  finished,    ///< it returned finite numbers
  not_finite,  ///< it returned numbers of which one at least is not finite
  failed,      ///< it threw
  expired,     ///< it was told that its time is over
};

/// The status in one word.
[[nodiscard]] constexpr const char* status_name(MemberStatus status) noexcept {
  switch (status) {
    case MemberStatus::finished:
      return "finished";
    case MemberStatus::not_finite:
      return "not finite";
    case MemberStatus::failed:
      return "failed";
    case MemberStatus::expired:
      return "expired";
  }
  return "unknown";
}

/// What is kept of a member.
struct MemberRecord {
  std::uint64_t index = 0;                                 ///< its number, from 0
  MemberStatus status = MemberStatus::failed;              ///< how it ended
  double time = std::numeric_limits<double>::quiet_NaN();  ///< the last that it told [s]; NaN if it told none
  std::vector<double> values{};  ///< as many as the ensemble has names; all NaN if it returned none
  std::string kind{};            ///< the type of what it threw, without namespace: ContactOpened
  std::string error{};           ///< the sentence of what it threw
};

/// A member that was told that its time is over, and ended at `time` [s] of its motion.
struct MemberExpired : InvalidState {
  using InvalidState::InvalidState;
};

/// What a member is given: its number, its seed, and what it may ask and tell while it runs. It is an
/// observer for `drive`, too, which tells the time of each state that it sees and ends a member whose time is
/// over.
class MemberContext {
 public:
  /// Member `index` with a seed of its own, a limit of `limit` seconds by the clock (0: none), and a question
  /// whether the whole run is to end.
  MemberContext(std::uint64_t index, std::uint64_t seed, double limit = 0,
                const std::function<bool()>* stop = nullptr)
      : index_(index), seed_(seed), limit_(limit), stop_(stop) {
    if (limit_ > 0) start_ = Clock::now();
  }

  /// Its number, from 0.
  [[nodiscard]] std::uint64_t index() const noexcept { return index_; }
  /// A seed made of that of the ensemble and the number: `member_seed`.
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  /// The motion has reached `time` [s]: it stands in the record if the member does not come to its end.
  void reached(double time) noexcept { time_ = time; }
  /// The last time that it has reached [s]; NaN before.
  [[nodiscard]] double time() const noexcept { return time_; }

  /// Whether the member should end at once: its time is over, or the whole run is to end. What it returns or
  /// throws then is kept as `expired` in the first case, and not at all in the second.
  [[nodiscard]] bool expired() {
    if (!stopped_ && stop_ != nullptr && *stop_ && (*stop_)()) stopped_ = true;
    if (!over_ && limit_ > 0 && std::chrono::duration<double>(Clock::now() - start_).count() > limit_)
      over_ = true;
    return over_ || stopped_;
  }
  /// The motion has reached `time` [s]; throws MemberExpired if the member should end.
  void check(double time) {
    reached(time);
    if (expired())
      throw MemberExpired(stopped_ ? std::string("MemberExpired: the run is ended")
                                   : message({"MemberExpired: the member has run for more than its limit of ",
                                              limit_, " s by the clock, which ended it"}),
                          time);
  }
  /// Observe a state: `check` its time.
  template <class P, class State>
  void operator()(const P&, const State& state) {
    check(static_cast<double>(number::plain(state.time)));
  }

  /// Whether it was told that its own time is over.
  [[nodiscard]] bool was_over() const noexcept { return over_; }
  /// Whether it was told that the run is to end.
  [[nodiscard]] bool was_stopped() const noexcept { return stopped_ && !over_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t index_, seed_;
  double limit_, time_ = std::numeric_limits<double>::quiet_NaN();
  const std::function<bool()>* stop_;
  Clock::time_point start_{};
  bool over_ = false, stopped_ = false;
};

/// Members with consecutive numbers that run together, as those of a batch over lanes do.
class MemberBlock {
 public:
  /// The members, and the numbers of their records, one member after another.
  MemberBlock(std::span<MemberContext> contexts, std::span<double> values) noexcept
      : contexts_(contexts), values_(values) {}

  /// How many there are.
  [[nodiscard]] std::size_t size() const noexcept { return contexts_.size(); }
  /// What member `i` of the block is given.
  [[nodiscard]] MemberContext& operator[](std::size_t i) const noexcept { return contexts_[i]; }
  /// Where the numbers of its record go; NaN unless they are written.
  [[nodiscard]] std::span<double> values(std::size_t i) const noexcept {
    const std::size_t length = values_.size() / contexts_.size();
    return values_.subspan(i * length, length);
  }

 private:
  std::span<MemberContext> contexts_;
  std::span<double> values_;
};

}  // namespace dalembert
