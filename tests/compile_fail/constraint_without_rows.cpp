// expect: this is no Constraint: neither position\(seen..., t\) nor velocity\(seen..., t\) is there

#include "compile_fail/constraint.hpp"

int main() { assemble<WithScalar, WithName, WithMarkers, WithPositionAtNoTime>(); }
