#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

/// Blocks of a batch over the processor's cores. A program that uses it links the platform's threads.
namespace dalembert {

/// Blocks over threads, each taken by whichever is free. Results do not depend on how many there are.
struct Threads {
  unsigned count = std::thread::hardware_concurrency();  ///< at least one is used

  /// f(0), …, f(blocks − 1), in no order; the first exception that f throws is thrown again when all threads have ended.
  template <class F>
  void operator()(std::size_t blocks, const F& f) const {
    std::atomic<std::size_t> next{0};
    std::exception_ptr thrown;
    std::mutex guard;
    const auto work = [&] {
      try {
        for (std::size_t block = next++; block < blocks; block = next++) f(block);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!thrown) thrown = std::current_exception();
        next = blocks;
      }
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < std::max(1U, count); ++i) threads.emplace_back(work);
    work();
    threads.clear();  // joins
    if (thrown) std::rethrow_exception(thrown);
  }
};

}  // namespace dalembert
