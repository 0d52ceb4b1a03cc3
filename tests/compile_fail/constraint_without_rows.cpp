// expect: this is no Constraint: neither position_constraint\(seen..., t\) nor velocity_constraint\(seen..., t\) is

#include "compile_fail/constraint.hpp"

int main() { assemble<WithScalar, WithName, WithMarkers, WithPositionAtNoTime>(); }
