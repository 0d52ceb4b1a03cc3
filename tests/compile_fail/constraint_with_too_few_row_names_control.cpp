// expect: success

#include <array>

#include "compile_fail/constraint.hpp"

struct WithTwoNames {
  static constexpr std::array<std::string_view, 2> row_names = {"x", "y"};
  static constexpr std::string_view row_units[] = {"m", "m"};
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithVelocity, WithTwoNames>(); }
