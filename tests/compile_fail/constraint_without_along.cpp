// expect: this is no Constraint: along\(seen...\) is missing

#include "compile_fail/constraint.hpp"

int main() { assemble<WithScalar, WithName, WithAxis, WithVelocity, WithPosition>(); }
