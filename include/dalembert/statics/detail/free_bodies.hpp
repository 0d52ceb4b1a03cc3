#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>

namespace dalembert::assembly::detail {

/// The bodies that nothing holds, neither themselves (`holds`) nor others that constraints join them to, each
/// beginning with "; ".
template <class Rows, class S>
[[nodiscard]] std::string free_bodies(const Rows& rows, const State<S>& x, std::vector<char> holds) {
  std::vector<std::size_t> group(holds.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
  rows.each_link(x, [&](const std::vector<std::size_t>& bodies, bool space) {
    for (const std::size_t body : bodies) {
      if (space) holds[body] = 1;
      std::replace(group.begin(), group.end(), std::size_t(group[body]), std::size_t(group[bodies[0]]));
    }
  });
  std::string text;
  for (std::size_t i = 0; i < group.size(); ++i) {
    bool held = false;
    for (std::size_t j = 0; j < group.size(); ++j) held = held || (group[i] == group[j] && holds[j]);
    if (!held) text += message({"; body ", i, " is held by nothing"});
  }
  return text;
}

}  // namespace dalembert::assembly::detail
