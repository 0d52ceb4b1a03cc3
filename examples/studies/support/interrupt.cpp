#include "support/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#if __has_include(<sys/wait.h>)
#include <sys/wait.h>
#endif

namespace example {

namespace {

std::atomic<bool> was_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal's handler may do nothing else

extern "C" void note(int signal) {
  if (!was_interrupted.exchange(true)) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void watch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, note) == SIG_IGN) std::signal(signal, SIG_IGN);
}

bool interrupted() noexcept { return was_interrupted; }
void end_if_interrupted() {
  if (was_interrupted) throw std::runtime_error("interrupted");
}
void end_if_interrupted(double time) {
  if (was_interrupted) throw Interrupted("interrupted", time);
}

int run_command(const char* command) {
  const int status = std::system(command);
#if __has_include(<sys/wait.h>)
  const bool by_signal = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
  const bool by_shell = WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT;
  if (by_signal || by_shell) std::raise(SIGINT);
#endif
  return status;
}

}  // namespace example
