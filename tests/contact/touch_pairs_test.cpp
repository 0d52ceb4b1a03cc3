#include <dalembert/contact/detail/touch_pairs.hpp>

#include <array>
#include <random>
#include <set>
#include <vector>

#include "support/catch.hpp"

namespace touch_pairs_test {

using namespace dalembert;
using contact::detail::Touch;

/// Whether sides of two contacts have a node in common.
bool share(const Touch<double>& a, const Touch<double>& b) {
  for (const auto& mine : a.sides)
    for (const auto& theirs : b.sides)
      if (mine.there() && theirs.there() && mine.all < theirs.all + theirs.count &&
          theirs.all < mine.all + mine.count)
        return true;
  return false;
}

TEST_CASE("pairs of contacts that share nodes are each found once", "[contact]") {
  std::mt19937 engine(11);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine);
  };
  contact::detail::TouchPairs<double> pairs;
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t count = 1 + below(30), nodes = 4 + below(120);
    std::vector<Touch<double>> touches(2 * count);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < touches.size(); ++i) {
      for (auto& side : touches[i].sides) {
        if (below(5) == 0) continue;  // a surface in space
        side.all = below(nodes);
        side.count = 1 + below(12);
      }
      if (i % 2 == 1) numbers.push_back(i);
    }
    std::set<std::array<std::size_t, 2>> found;
    std::size_t calls = 0, last = 0;
    pairs.each(touches, numbers.data(), count, [&](std::size_t i, std::size_t j) {
      CHECK(j <= i);
      CHECK(last <= i);
      last = i;
      found.insert({i, j});
      ++calls;
    });
    CHECK(calls == found.size());
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        CHECK((i == j || share(touches[numbers[i]], touches[numbers[j]])) == (found.count({i, j}) == 1));
  }
}

}  // namespace touch_pairs_test
