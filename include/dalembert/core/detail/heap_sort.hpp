#pragma once

#include <cstddef>
#include <utility>

/// A sort in little machine code, for lists that are sorted seldom, or are short.
namespace dalembert::detail {

/// Let the entry `at` of a heap of `count` entries sink to where none below it comes after it.
template <class It, class Before>
[[gnu::noinline]] void sink(It begin, std::ptrdiff_t at, std::ptrdiff_t count, const Before& before) {
  for (std::ptrdiff_t below = 2 * at + 1; below < count; at = below, below = 2 * at + 1) {
    if (below + 1 < count && before(begin[below], begin[below + 1])) ++below;
    if (!before(begin[at], begin[below])) return;
    using std::swap;
    swap(begin[at], begin[below]);
  }
}

/// Put [begin, end) in order, as std::sort does, by a heap (Williams, Comm. ACM 7, 1964): n log n
/// comparisons, no memory.
template <class It, class Before>
void heap_sort(It begin, It end, const Before& before) {
  std::ptrdiff_t count = end - begin;
  for (std::ptrdiff_t i = count / 2; i-- > 0;) sink(begin, i, count, before);
  while (count > 1) {
    --count;
    using std::swap;
    swap(begin[0], begin[count]);
    sink(begin, 0, count, before);
  }
}
template <class It>
void heap_sort(It begin, It end) {
  heap_sort(begin, end, [](const auto& a, const auto& b) { return a < b; });
}

}  // namespace dalembert::detail
