#pragma once

/// @file
/// One face of Catch2 for every test, whether version 2 or 3 is installed: the macros, `Approx`,
/// `Catch::Matchers::WithinAbs`, `WithinRel`, `ContainsSubstring`, `Predicate`, and `test::seed()`.

// Assertions without a handler of their own, which are an eighth of what tests take to compile: what they do not expect ends the test.
#define CATCH_CONFIG_FAST_COMPILE

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx;

#else

#include <catch2/catch.hpp>

namespace Catch::Matchers {

/// Name that version 3 gives to `Contains` of a string.
inline auto ContainsSubstring(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace Catch::Matchers

#endif

namespace test {

/// Seed of every random draw of this run: 20160101 unless `--rng-seed` says otherwise; Catch2 prints it.
inline unsigned seed() {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::getSeed();
#else
  return Catch::rngSeed();
#endif
}

}  // namespace test
