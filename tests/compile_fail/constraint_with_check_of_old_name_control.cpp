// expect: success

#include "compile_fail/constraint.hpp"

struct WithCheck {
  void check_markers(const Point<double>&, double) const {}
};

int main() { assemble<WithScalar, WithName, WithAxis, WithCheck, WithVelocity>(); }
