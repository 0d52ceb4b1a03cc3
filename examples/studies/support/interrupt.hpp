#pragma once

#include <dalembert/core/errors.hpp>

/// Ctrl-C, and SIGTERM, by which a machine that stops ends programs: the run ends as one that fails, with what it has. The second one ends it
/// at once.
namespace example {

/// A run that was interrupted, at a time of its motion [s].
struct Interrupted : dalembert::InvalidState {
  using InvalidState::InvalidState;
};

/// From now on one signal interrupts, and the next one ends the program. Signals that the program was started to ignore stay ignored.
void watch_interrupts();

/// Whether the run is to end.
[[nodiscard]] bool interrupted() noexcept;
/// Throw std::runtime_error "interrupted" if the run is to end: what takes long says this now and then.
void end_if_interrupted();
/// Throw `Interrupted` if it is, at a time of the motion [s].
void end_if_interrupted(double time);

/// std::system, during which Ctrl-C ends the program that it runs: then this one is interrupted too.
int run_command(const char* command);

}  // namespace example
