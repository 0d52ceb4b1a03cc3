// expect: success

#include "compile_fail/constraint.hpp"

struct WithDataOfOldNames {
  double position = 0, velocity = 0, drift = 0;
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithDataOfOldNames, WithVelocity>(); }
