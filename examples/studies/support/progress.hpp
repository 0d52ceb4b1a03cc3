#pragma once

#include <cmath>
#include <cstdio>
#include <functional>

#include <dalembert/integrate/drive_options.hpp>

#include "support/interrupt.hpp"

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace example {

/// Whether a person watches stderr.
inline bool on_terminal() {
#if __has_include(<unistd.h>)
  return isatty(STDERR_FILENO) == 1;
#else
  return false;
#endif
}

/// A progress line with the time left, for `DriveOptions::progress`: it ends a run that is interrupted, and writes if stderr is a terminal.
inline std::function<void(const dalembert::Progress&)> progress_line() {
  return [terminal = on_terminal()](const dalembert::Progress& now) {
    end_if_interrupted(now.time);
    if (!terminal) return;
    if (now.fraction >= 1) {
      std::fprintf(stderr, "\r\033[K");
    } else {
      const long left = std::lround(std::fmin(now.wall_seconds_left, 359999.0));
      std::fprintf(stderr, "\r\033[K%5.1f %%   t = %.6g s   %ld:%02ld:%02ld left", 100 * now.fraction,
                   now.time, left / 3600, left / 60 % 60, left % 60);
    }
    std::fflush(stderr);
  };
}

}  // namespace example
