#pragma once

#include <cstddef>

/// How pieces of work that do not depend on each other are done.
namespace dalembert {

/// One after the other. `ThreadTeam` does several at the same time.
struct OneByOne {
  /// f(0), …, f(n − 1).
  template <class F>
  void operator()(std::size_t n, const F& f) const {
    for (std::size_t i = 0; i < n; ++i) f(i);
  }
  /// How many are done at a time.
  [[nodiscard]] static constexpr std::size_t size() noexcept { return 1; }
};

}  // namespace dalembert
