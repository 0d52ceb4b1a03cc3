#include <dalembert/rod/elements.hpp>

#include <limits>
#include <stdexcept>
#include <string>

#include "support/catch.hpp"

namespace elements_test {

using Catch::Matchers::ContainsSubstring;
using dalembert::rod::most_elements;
using dalembert::rod::require_elements;

TEST_CASE("a rod has two elements at least, and a million at most", "[rod]") {
  CHECK_NOTHROW(require_elements<double>("Rod", 2));
  CHECK_NOTHROW(require_elements<double>("Rod", most_elements));
  for (const int elements : {1, 0, -1, std::numeric_limits<int>::min()}) {
    CHECK_THROWS_AS(require_elements<double>("Rod", elements), std::invalid_argument);
    CHECK_THROWS_WITH(require_elements<double>("Rod", elements),
                      ContainsSubstring("Rod") &&
                          ContainsSubstring("elements = " + std::to_string(elements) + ", but") &&
                          ContainsSubstring("at least 2"));
  }
  for (const int elements : {most_elements + 1, std::numeric_limits<int>::max()})
    CHECK_THROWS_AS(require_elements<double>("Rod", elements), std::invalid_argument);
}

TEST_CASE("a rod of too many elements is refused with the memory that it would take", "[rod]") {
  // 13 numbers for each of 2 000 001 nodes
  CHECK_THROWS_WITH(require_elements<double>("StraightRod", 2'000'000),
                    ContainsSubstring("StraightRod: elements = 2000000") &&
                        ContainsSubstring("at most 1000000") && ContainsSubstring("takes 208000104 bytes"));
  CHECK_THROWS_WITH(require_elements<float>("StraightRod", 2'000'000),
                    ContainsSubstring("takes 104000052 bytes"));
}

}  // namespace elements_test
