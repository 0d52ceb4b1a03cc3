#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <dalembert/core/detail/heap_sort.hpp>

#include "support/catch.hpp"

namespace heap_sort_test {

TEST_CASE("lists of any length, with equal entries and in any order, are sorted as by the standard library",
          "[core]") {
  std::mt19937 engine(20160101);
  for (const int length : {0, 1, 2, 3, 4, 5, 7, 8, 31, 64, 1000, 30000})
    for (const int values : {1, 3, 1000000}) {
      CAPTURE(length, values);
      std::vector<std::pair<int, int>> list, expected;
      for (int i = 0; i < length; ++i)
        list.emplace_back(std::uniform_int_distribution<int>(0, values)(engine), i);
      expected = list;
      std::sort(expected.begin(), expected.end());
      dalembert::detail::heap_sort(list.begin(), list.end());
      CHECK(list == expected);
      dalembert::detail::heap_sort(list.begin(), list.end());  // in order already
      CHECK(list == expected);
      std::reverse(expected.begin(), expected.end());
      dalembert::detail::heap_sort(list.begin(), list.end(),
                                   [](const auto& a, const auto& b) { return a > b; });
      CHECK(list == expected);
    }
}

}  // namespace heap_sort_test
