// The names that messages give to rows.

#include <dalembert/assembly/detail/row_name.hpp>

#include <array>
#include <string_view>

#include <dalembert/assembly/joints.hpp>

#include "support/catch.hpp"
#include "support/links.hpp"

namespace row_name_test {

using namespace dalembert;
using namespace dalembert::assembly;
using assembly::detail::row_name;
using Marker = FrameMarker<double>;

TEST_CASE("a row has its name and unit, and its constraint its number and bodies", "[assembly][row_name]") {
  const Hinge<double> hinge{{4}, {7}}, hung{Marker::in_space({0, 0, 0}), {2}};
  CHECK(row_name(hinge, 3, 0, false) == "row x [m] of Hinge 3 (body 4, body 7)");
  CHECK(row_name(hinge, 3, 4, false) == "row axis 2 [rad] of Hinge 3 (body 4, body 7)");
  CHECK(row_name(hung, 0, 2, false) == "row z [m] of Hinge 0 (space, body 2)");
  // a position row for each row is called as that is
  for (int row = 0; row < 5; ++row) CHECK(row_name(hinge, 3, row, true) == row_name(hinge, 3, row, false));
}

/// Rows without names, one of them with a unit of its own.
struct Turning {
  using Scalar = double;
  static constexpr std::string_view name = "Turning";
  static constexpr std::array<std::string_view, 2> row_units = {"m", "rad"};
  Marker place;
  auto markers() const { return std::tuple{place}; }
  template <class T>
  Vec<T, 2> velocity_constraint(const FrameState<T>& x, const T&) const {
    return {x.velocity[0], x.angular_velocity[1]};
  }
};

TEST_CASE("rows without names are counted, in metres unless they say another unit", "[assembly][row_name]") {
  const Turning turning{{1}};
  CHECK(row_name(turning, 12, 0, false) == "row 0 [m] of Turning 12 (body 1)");
  CHECK(row_name(turning, 12, 1, false) == "row 1 [rad] of Turning 12 (body 1)");
}

TEST_CASE("position rows that are fewer than rows are counted by themselves, without their units",
          "[assembly][row_name]") {
  test::Ways ways;
  ways.first = {0};
  ways.second = {1};
  CHECK(row_name(ways, 5, 0, true) == "position row 0 of Ways 5 (body 0, body 1)");
  CHECK(row_name(ways, 5, 0, false) == "row 0 [m] of Ways 5 (body 0, body 1)");
  CHECK(row_name(ways, 5, 1, false) == "row 1 [m] of Ways 5 (body 0, body 1)");
}

/// The same distance with names of its two rows.
struct Named : test::Ways {
  static constexpr std::string_view name = "Named";
  static constexpr std::array<std::string_view, 2> row_names = {"near", "far"};
};

TEST_CASE("names of rows are not those of position rows that they do not stand for", "[assembly][row_name]") {
  Named named;
  named.second = {1};
  CHECK(row_name(named, 0, 1, false) == "row far [m] of Named 0 (space, body 1)");
  CHECK(row_name(named, 0, 0, true) == "position row 0 of Named 0 (space, body 1)");
}

}  // namespace row_name_test
