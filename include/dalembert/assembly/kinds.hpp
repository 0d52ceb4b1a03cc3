#pragma once

#include <tuple>
#include <utility>
#include <vector>

/// Lists of what an assembly is made of: kinds are known when a program is compiled, numbers when it runs.
namespace dalembert::assembly {

/// Vectors of bodies, or of constraints, one of each kind.
template <class... T>
using Kinds = std::tuple<std::vector<T>...>;

/// The same from the vectors.
template <class... T>
[[nodiscard]] Kinds<T...> kinds(std::vector<T>... of_each) {
  return {std::move(of_each)...};
}

}  // namespace dalembert::assembly
