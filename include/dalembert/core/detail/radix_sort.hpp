#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// A sort in linear time and little machine code, for lists that are sorted in every step.
namespace dalembert::detail {

/// Put items into the order of their whole numbers key(item), those of one number as they came: a few by
/// insertion, more digit by digit of 8 bits from the lowest on, without those that are the same in all.
/// `room` is for a copy.
template <class T, class Key>
[[gnu::noinline]] void radix_sort(std::vector<T>& items, std::vector<T>& room, const Key& key) {
  constexpr std::size_t few = 24;
  std::uint64_t some = 0, all = ~some;
  bool sorted = true;
  for (std::uint64_t before = 0; const T& item : items) {
    const std::uint64_t k = key(item);
    some |= k;
    all &= k;
    sorted = sorted && before <= k;
    before = k;
  }
  if (sorted) return;
  if (items.size() <= few) {
    for (std::size_t i = 1; i < items.size(); ++i)
      for (std::size_t j = i; j > 0 && key(items[j]) < key(items[j - 1]); --j)
        std::swap(items[j], items[j - 1]);
    return;
  }
  room.resize(items.size());
  for (int shift = 0; shift < 64; shift += 8) {
    const auto digit = [shift](std::uint64_t k) { return static_cast<std::size_t>(k >> shift & 255); };
    if (digit(some) == digit(all)) continue;
    std::array<std::size_t, 257> begin{};
    for (const T& item : items) ++begin[digit(key(item)) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const T& item : items) room[begin[digit(key(item))]++] = item;
    std::swap(items, room);
  }
}

/// The key of two numbers that are not negative, of which the first counts more.
[[nodiscard]] constexpr std::uint64_t key_of(std::size_t first, std::size_t second) noexcept {
  return std::uint64_t{first} << 32 | second;
}

/// The same of pairs of such numbers, by the first and then by the second.
inline void sort_pairs(std::vector<std::pair<int, int>>& pairs, std::vector<std::pair<int, int>>& room) {
  radix_sort(pairs, room, [](const std::pair<int, int>& p) {
    return key_of(static_cast<std::size_t>(p.first), static_cast<std::size_t>(p.second));
  });
}

}  // namespace dalembert::detail
