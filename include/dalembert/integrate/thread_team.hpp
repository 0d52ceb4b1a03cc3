#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/integrate/verlet.hpp>

/// Verlet's method over the processor's cores. A program that uses it links the platform's threads.
namespace dalembert {

/// Threads that wait for work: between two pieces of work that follow soon they stay awake, so that a piece
/// may be as short as some ten microseconds. Moving a team takes its threads: the one that it is taken from
/// works alone.
class ThreadTeam {
 public:
  /// So many threads, with the one that asks; at least one. Throws std::system_error naming the thread that
  /// cannot be made.
  explicit ThreadTeam(unsigned count = std::thread::hardware_concurrency())
      : team_(std::make_unique<Shared>()) {
    for (unsigned i = 1; i < std::max(1U, count); ++i) try {
        team_->threads.emplace_back([&team = *team_] { team.serve(); });
      } catch (const std::system_error& error) {
        throw std::system_error(error.code(),
                                message({"ThreadTeam: thread ", i + 1, " of ", count, " cannot be made"}));
      }
  }

  /// f(0), …, f(n − 1), in no order, and returns when all are done. Throws again what was thrown for the
  /// least number. Where the team is at work already, because f asks it again or another thread does, the one
  /// who asks does all of it alone.
  template <class F>
  void operator()(std::size_t n, const F& f) const {
    if (size() == 1 || n < 2 || team_->asked.exchange(true, std::memory_order_acquire)) {
      for (std::size_t i = 0; i < n; ++i) f(i);
      return;
    }
    Shared& team = *team_;
    team.work = &f;
    team.call = [](const void* work, std::size_t i) { (*static_cast<const F*>(work))(i); };
    team.count = n;
    team.thrower = std::numeric_limits<std::size_t>::max();
    team.next.store(0, std::memory_order_relaxed);
    team.busy.store(team.threads.size(), std::memory_order_relaxed);
    team.round.fetch_add(1, std::memory_order_release);
    team.round.notify_all();
    team.take();
    for (int look = 0; team.busy.load(std::memory_order_acquire) > 0; ++look)
      if (look < patience)
        pause();
      else
        std::this_thread::yield();  // who works waits for a processor
    const std::exception_ptr thrown = std::exchange(team.thrown, nullptr);
    team.asked.store(false, std::memory_order_release);
    if (thrown) std::rethrow_exception(thrown);
  }
  /// How many threads there are, with the one that asks.
  [[nodiscard]] std::size_t size() const noexcept {
    return team_ ? team_->threads.size() + 1 : 1;  // none where another team has taken them
  }

 private:
  /// Looks at what others do before a thread leaves its processor, a fraction of a millisecond.
  static constexpr int patience = 10000;

  static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

  struct Shared {
    alignas(64) std::atomic<std::uint64_t> round{0};
    alignas(64) std::atomic<std::size_t> next{0};
    alignas(64) std::atomic<std::size_t> busy{0};
    std::atomic<bool> asked{false}, over{false};
    const void* work = nullptr;
    void (*call)(const void*, std::size_t) = nullptr;
    std::size_t count = 0, thrower = 0;
    std::exception_ptr thrown;
    std::mutex guard;
    std::vector<std::thread> threads;

    Shared() = default;
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    ~Shared() {
      over.store(true, std::memory_order_relaxed);
      round.fetch_add(1, std::memory_order_release);
      round.notify_all();
      for (std::thread& thread : threads) thread.join();
    }

    /// Do what is left to be done.
    void take() noexcept {
      for (std::size_t i = next++; i < count; i = next++) try {
          call(work, i);
        } catch (...) {
          const std::lock_guard lock(guard);
          if (i < thrower) {
            thrower = i;
            thrown = std::current_exception();
          }
        }
    }
    /// What a thread does until the team is over.
    void serve() noexcept {
      for (std::uint64_t seen = 0;;) {
        for (int look = 0; round.load(std::memory_order_acquire) == seen && look < patience; ++look) pause();
        round.wait(seen, std::memory_order_acquire);
        if (over.load(std::memory_order_relaxed)) return;
        seen = round.load(std::memory_order_acquire);
        take();
        busy.fetch_sub(1, std::memory_order_release);
      }
    }
  };

  std::unique_ptr<Shared> team_;
};

/// `Verlet` with the parts of a problem over threads, or, where they are few, its bodies: the same motion bit
/// for bit, whatever their number. Contacts of bodies that belong together are one thread's work.
struct ThreadedVerlet {
  unsigned threads = std::thread::hardware_concurrency();  ///< at least one is used

  static constexpr bool takes_impacts = true;           ///< contacts may open and close
  static constexpr int order = Verlet::order;           ///< order of convergence
  static constexpr bool symmetric = Verlet::symmetric;  ///< whether the adjoint method is the method itself
  static constexpr int error_order =
      Verlet::error_order;  ///< power of h in the error estimate, 0 without one

  /// The longest step times the angular frequency of an undamped oscillation that does not grow.
  [[nodiscard]] static constexpr double stability_limit() noexcept { return Verlet::stability_limit(); }

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P, class State>
  [[nodiscard]] auto stepper(const P& problem, const State& state) const {
    check_split_problem<P>();
    if constexpr (SplitProblem<P>) {
      check_state(problem, state);
      return VerletStepper<P, ThreadTeam>(problem, state, ThreadTeam(threads));
    }
  }
};

}  // namespace dalembert
