#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/detail/row_name.hpp>

/// What the rows of an assembly are called, for tables and messages of one's own.
namespace dalembert::assembly {

/// "row axis 1 [rad] of Hinge 3 (body 0, body 1)" for every row, in the order of λ and of
/// `Assembly::row_velocities`: its name, the unit of what it keeps at zero (its velocity has it per second),
/// where the constraint says these, the kind, the number in its kind, and the bodies.
template <class... B, class... C>
[[nodiscard]] std::vector<std::string> row_labels(const Assembly<Kinds<B...>, Kinds<C...>>& problem) {
  std::vector<std::string> labels;
  [[maybe_unused]] const auto kind = [&]<class K>(const std::vector<K>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      for (int row = 0; row < ConstraintTraits<K>::rows; ++row)
        labels.push_back(detail::row_name(list[i], i, row, false));
  };
  std::apply([&](const auto&... list) { (kind(list), ...); }, problem.constraints());
  return labels;
}

}  // namespace dalembert::assembly
