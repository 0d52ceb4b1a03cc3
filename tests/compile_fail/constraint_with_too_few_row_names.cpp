// expect: row_names must have a name for each row.*row_units must have a unit for each row

#include <array>

#include "compile_fail/constraint.hpp"

struct WithOneName {
  static constexpr std::array<std::string_view, 1> row_names = {"x"};
  static constexpr std::string_view row_units[] = {"m"};
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithVelocity, WithOneName>(); }
