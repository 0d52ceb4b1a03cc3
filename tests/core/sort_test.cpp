#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/detail/radix_sort.hpp>

#include "support/catch.hpp"

namespace sort_test {

constexpr int lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 31, 64, 1000, 30000};

TEST_CASE("lists of any length, with equal entries and in any order, are sorted as by the standard library",
          "[core]") {
  std::mt19937 engine(20160101);
  for (const int length : lengths)
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

TEST_CASE("whole numbers of any size are put in order by their digits, and equal ones stay as they came",
          "[core]") {
  std::mt19937_64 engine(20160102);
  std::vector<std::pair<std::uint64_t, int>> room;
  for (const int length : lengths)
    for (const int bits : {0, 1, 7, 8, 9, 33, 64})
      for (const int shift : {0, 5, 40}) {
        CAPTURE(length, bits, shift);
        std::vector<std::pair<std::uint64_t, int>> list;
        for (int i = 0; i < length; ++i)
          list.emplace_back(bits == 0 ? 0 : (engine() >> (64 - bits)) << (bits + shift < 64 ? shift : 0), i);
        auto expected = list;
        const auto key = [](const auto& item) { return item.first; };
        std::stable_sort(expected.begin(), expected.end(),
                         [&](const auto& a, const auto& b) { return key(a) < key(b); });
        dalembert::detail::radix_sort(list, room, key);
        CHECK(list == expected);
      }
}

TEST_CASE("of two numbers in a key the first counts more", "[core]") {
  using dalembert::detail::key_of;
  const std::size_t most = (std::size_t{1} << 32) - 1;
  for (const std::size_t a : {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{256}, most})
    for (const std::size_t b : {std::size_t{0}, std::size_t{2}, most}) {
      CHECK((key_of(a, b) < key_of(a + 1, 0)) == (a < most));
      CHECK((key_of(a, b) > key_of(a, 0)) == (b > 0));
    }
}

}  // namespace sort_test
