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

TEST_CASE("of two contacts that stick against each other one parts, and no energy comes of it",
          "[contact][touching]") {
  test::RandomHeap heap(std::uint64_t{10770} << 32u | std::uint64_t{38987} << 16u | std::uint64_t{37643});
  CHECK(heap.fault(1).empty());
}

// From the second half on no impulses let both contacts of a body stick, and those that there are have a coefficient of a few.
TEST_CASE("bodies wedged under infinite friction have as much of it as there can be", "[contact][touching]") {
  test::RandomHeap heap(106158100028641u);
  heap.most_given = 0.3;
  CHECK(heap.fault(100).empty());
}

// Two contacts of the same two bodies that friction wedges need not be able to open both as restitution says.
TEST_CASE("wedged bodies rebound as far as there are impulses for it", "[contact][touching]") {
  for (const std::uint64_t seed : {78600u, 156210u, 171010u, 434397u, 810942u}) {
    CAPTURE(seed);
    test::RandomHeap heap(seed);
    heap.most_given = 0.3;
    std::string fault;
    CHECK_NOTHROW(fault = heap.fault(100));
    CHECK(fault.empty());
  }
}

}  // namespace touching_fuzz_test
