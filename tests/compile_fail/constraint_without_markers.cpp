// expect: this is no Constraint: places\(\) is missing

#include "compile_fail/constraint.hpp"

int main() { assemble<WithScalar, WithName, WithVelocity>(); }
