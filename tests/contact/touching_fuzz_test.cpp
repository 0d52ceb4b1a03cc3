#include <cstdint>
#include <exception>
#include <string>

#include "support/catch.hpp"
#include "support/random_heap.hpp"

namespace touching_fuzz_test {

TEST_CASE("random heaps fall without overlap", "[contact][touching]") {
  int faults = 0;
  const int count = 400;
  for (int seed = 0; seed < count; ++seed) {
    std::string fault;
    try {
      fault = test::RandomHeap(static_cast<std::uint64_t>(seed)).fault(300);
    } catch (const std::exception& e) {
      fault = e.what();
    }
    if (fault.empty()) continue;
    ++faults;
    INFO("seed " << seed << ": " << fault);
    CHECK(fault.empty());
  }
  CHECK(faults == 0);
}

}  // namespace touching_fuzz_test
