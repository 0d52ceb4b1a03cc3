// expect: success

#include "compile_fail/constraint.hpp"

int main() { assemble<WithScalar, WithName, WithAxis, WithVelocity, WithPosition, WithAlong>(); }
