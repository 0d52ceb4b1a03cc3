#pragma once

#include <algorithm>

/// A sort in little machine code, for lists that are sorted seldom, or are short.
namespace dalembert::detail {

/// Put [begin, end) in order, as std::sort does, by a heap, which is less than half of its code.
template <class It, class... Before>
[[gnu::noinline]] void heap_sort(It begin, It end, const Before&... before) {
  std::make_heap(begin, end, before...);
  std::sort_heap(begin, end, before...);
}

}  // namespace dalembert::detail
