// expect: velocity_constraints is there: did you mean velocity_constraint\?

#include "compile_fail/constraint.hpp"

struct WithPluralName {
  template <class T>
  Vec<T, 2> velocity_constraints(const FrameState<T>& x, const T&) const {
    return {x.velocity[0], x.velocity[1]};
  }
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithPosition, WithPluralName>(); }
