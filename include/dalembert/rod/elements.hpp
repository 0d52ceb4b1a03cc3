#pragma once

#include <cstddef>
#include <string_view>

#include <dalembert/core/errors.hpp>

/// How many elements a rod may have.
namespace dalembert::rod {

/// The most elements of a rod. A motion keeps some ten arrays as large as the chain, of 13 numbers a node,
/// and an equilibrium some twenty: with a million elements a few gigabytes, and more is refused at once
/// instead of filling the memory.
inline constexpr int most_elements = 1'000'000;

/// Throws std::invalid_argument naming `class_name` unless 2 ≤ `elements` ≤ `most_elements`.
template <class S>
void require_elements(std::string_view class_name, int elements) {
  require(elements >= 2, class_name, "elements", elements, "a rod needs at least 2 elements");
  if (elements <= most_elements) return;
  const std::size_t bytes = 13 * sizeof(S) * (static_cast<std::size_t>(elements) + 1);
  require(false, class_name, "elements", elements,
          message({"a rod has at most ", most_elements, ": each chain of so many takes ", bytes, " bytes"}));
}

}  // namespace dalembert::rod
