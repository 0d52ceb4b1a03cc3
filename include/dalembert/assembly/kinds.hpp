#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Lists of what an assembly is made of: kinds are known when a program is compiled, numbers when it runs.
namespace dalembert::assembly {

/// Vectors of bodies, or of constraints, one of each kind.
template <class... T>
using Kinds = std::tuple<std::vector<T>...>;

namespace detail {

/// Whether no two of the types are the same.
template <class... T>
inline constexpr bool all_differ = true;
template <class First, class... Rest>
inline constexpr bool all_differ<First, Rest...> =
    !(std::is_same_v<First, Rest> || ...) && all_differ<Rest...>;

}  // namespace detail

/// The same from the vectors.
template <class... T>
[[nodiscard]] Kinds<T...> kinds(std::vector<T>... of_each) {
  static_assert(detail::all_differ<T...>, "a kind is listed twice: put all of a kind into one vector");
  return {std::move(of_each)...};
}

}  // namespace dalembert::assembly
