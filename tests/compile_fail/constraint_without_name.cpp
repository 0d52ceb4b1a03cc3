// expect: this is no Constraint: the static member name is missing

#include "compile_fail/constraint.hpp"

int main() { assemble<WithScalar, WithMarkers, WithVelocity>(); }
