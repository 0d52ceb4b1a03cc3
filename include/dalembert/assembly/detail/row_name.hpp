#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/core/errors.hpp>

namespace dalembert::assembly::detail {

/// "row axis 1 [rad] of Hinge 3 (body 0, body 1)" of row `row` of constraint number `number` of its kind, or
/// of its position row; the unit is that of what the row keeps at zero, whose rate the velocity row is.
template <class K>
[[nodiscard, gnu::cold, gnu::noinline]] std::string row_name(const K& c, std::size_t number, int row,
                                                             bool position) {
  using Traits = ConstraintTraits<K>;
  const auto at = static_cast<std::size_t>(row);
  const bool own =
      !position || Traits::positions == Traits::rows;  // position rows have no names but those of the rows
  std::string text = message({own ? "row " : "position row ", row});
  if (own && !name_of_row<K>(at).empty()) text = message({"row ", name_of_row<K>(at)});
  if (own) text += message({" [", unit_of<K>(at), "]"});
  text += message({" of ", name_of<K>(), " ", number, " ("});
  const char* between = "";
  const auto add = [&](const auto& place) {
    text += place.count() > 0 ? message({between, "body ", place.body}) : message({between, "space"});
    between = ", ";
  };
  std::apply([&](const auto&... place) { (add(place), ...); }, c.markers());
  return text + ')';
}

}  // namespace dalembert::assembly::detail
