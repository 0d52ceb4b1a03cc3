#include <dalembert/contact/detail/touch_pairs.hpp>

#include <array>
#include <random>
#include <set>
#include <vector>

#include <dalembert/contact/detail/touching_work.hpp>

#include "support/catch.hpp"

namespace touch_pairs_test {

using namespace dalembert;
using contact::detail::Touch;

/// Whether sides of two contacts have a node in common.
bool share(const Touch<double>& a, const Touch<double>& b) {
  for (const auto& mine : a.sides)
    for (const auto& theirs : b.sides)
      if (mine.there() && theirs.there() && mine.all < theirs.all + theirs.count() &&
          theirs.all < mine.all + mine.count())
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
        side.window.count = static_cast<Eigen::Index>(1 + below(12));
      }
      if (i % 2 == 1) numbers.push_back(i);
    }
    std::set<std::array<std::size_t, 2>> found;
    std::size_t calls = 0, last = 0;
    for (const auto& [i, j] : pairs.find(touches, numbers.data(), count)) {
      CHECK(j <= i);
      CHECK(last <= i);
      last = i;
      found.insert({i, j});
      ++calls;
    }
    CHECK(calls == found.size());
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        CHECK((i == j || share(touches[numbers[i]], touches[numbers[j]])) == (found.count({i, j}) == 1));
  }
}

TEST_CASE("contacts whose passes write to the same nodes are one group, and clusters if they share nodes",
          "[contact]") {
  contact::detail::TouchingWork<double> work;
  const auto groups = [&](std::size_t apart, Eigen::Index count, Eigen::Index room) {
    work.touches.assign(2, {});
    work.first_cell = work.nodes = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      auto& side = work.touches[i].sides[0];
      side.all = apart * i;
      side.window.first = static_cast<Eigen::Index>(side.all);
      side.window.count = count;
      side.window.room = room;
    }
    work.form_groups();
    contact::detail::ClusterRoom<double> of;
    std::size_t clusters = 0;
    for (std::size_t g = 0; g + 1 < work.group.size(); ++g) {
      work.gather(
          work.group[g], work.group[g + 1] - work.group[g], [](const auto&) { return true; }, of);
      clusters += of.begin.size() - 1;
    }
    return std::array{work.group.size() - 1, clusters};
  };
  CHECK(groups(5, 6, 8) == std::array<std::size_t, 2>{1, 1});
  CHECK(groups(6, 6, 8) == std::array<std::size_t, 2>{1, 2});
  CHECK(groups(7, 6, 8) == std::array<std::size_t, 2>{1, 2});
  CHECK(groups(8, 6, 8) == std::array<std::size_t, 2>{2, 2});
  CHECK(groups(1, 1, 0) == std::array<std::size_t, 2>{2, 2});
  CHECK(groups(0, 1, 0) == std::array<std::size_t, 2>{1, 1});
}

}  // namespace touch_pairs_test
