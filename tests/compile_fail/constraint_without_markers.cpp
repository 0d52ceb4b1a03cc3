// expect: this is no Constraint: markers\(\) is missing

#include "compile_fail/constraint.hpp"

int main() { assemble<WithScalar, WithName, WithVelocity>(); }
