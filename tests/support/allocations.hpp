#pragma once

/// @file
/// Counts heap allocations, to prove that a step makes none; support/allocations.cpp, which is linked into every test program, does the
/// counting.

#include <atomic>

namespace test {

/// The heap allocations of the program so far.
std::atomic<long>& allocation_counter();

/// The number of heap allocations during f().
template <class F>
long allocations_during(F&& f) {
  const long before = allocation_counter().load();
  f();
  return allocation_counter().load() - before;
}

}  // namespace test
