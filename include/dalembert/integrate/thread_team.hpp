#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <dalembert/integrate/verlet.hpp>

/// Verlet's method over the processor's cores. A program that uses it links the platform's threads.
namespace dalembert {

/// Threads that wait for work: between two pieces of work that follow soon they stay awake, so that a piece may be as short as some ten
/// microseconds.
class ThreadTeam {
 public:
  /// So many threads, with the one that asks; at least one.
  explicit ThreadTeam(unsigned count = std::thread::hardware_concurrency())
      : team_(std::make_unique<Shared>()) {
    for (unsigned i = 1; i < std::max(1U, count); ++i)
      threads_.emplace_back([&team = *team_](const std::stop_token& stop) { team.serve(stop); });
  }
  ~ThreadTeam() {
    if (!team_) return;
    for (std::jthread& thread : threads_) thread.request_stop();
    ++team_->round;
    team_->round.notify_all();
  }
  ThreadTeam(ThreadTeam&&) noexcept = default;             ///< takes the threads
  ThreadTeam& operator=(ThreadTeam&&) noexcept = default;  ///< takes the threads

  /// f(0), …, f(n − 1), in no order, and returns when all are done. Throws again what was thrown for the least number.
  template <class F>
  void operator()(std::size_t n, const F& f) const {
    if (threads_.empty() || n < 2) {
      for (std::size_t i = 0; i < n; ++i) f(i);
      return;
    }
    Shared& team = *team_;
    team.work = &f;
    team.call = [](const void* work, std::size_t i) { (*static_cast<const F*>(work))(i); };
    team.count = n;
    team.thrower = std::numeric_limits<std::size_t>::max();
    team.next.store(0, std::memory_order_relaxed);
    team.busy.store(threads_.size(), std::memory_order_relaxed);
    team.round.fetch_add(1, std::memory_order_release);
    team.round.notify_all();
    team.take();
    for (int look = 0; team.busy.load(std::memory_order_acquire) > 0; ++look)
      if (look < patience)
        pause();
      else
        std::this_thread::yield();  // who works waits for a processor
    if (team.thrower != std::numeric_limits<std::size_t>::max())
      std::rethrow_exception(std::exchange(team.thrown, nullptr));
  }
  /// How many threads there are, with the one that asks.
  [[nodiscard]] std::size_t size() const noexcept { return threads_.size() + 1; }

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
    const void* work = nullptr;
    void (*call)(const void*, std::size_t) = nullptr;
    std::size_t count = 0, thrower = 0;
    std::exception_ptr thrown;
    std::mutex guard;

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
    /// What a thread does until it is stopped.
    void serve(const std::stop_token& stop) noexcept {
      for (std::uint64_t seen = 0;;) {
        for (int look = 0; round.load(std::memory_order_acquire) == seen && look < patience; ++look) pause();
        round.wait(seen, std::memory_order_acquire);
        if (stop.stop_requested()) return;
        seen = round.load(std::memory_order_acquire);
        take();
        busy.fetch_sub(1, std::memory_order_release);
      }
    }
  };

  std::unique_ptr<Shared> team_;
  std::vector<std::jthread> threads_;
};

/// `Verlet` with the parts of a problem over threads, or, where they are few, its bodies: the same motion bit for bit, whatever their number.
/// Contacts of bodies that belong together are one thread's work.
struct ThreadedVerlet {
  unsigned threads = std::thread::hardware_concurrency();  ///< at least one is used

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
