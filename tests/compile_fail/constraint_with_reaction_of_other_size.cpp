// expect: reaction\(seen..., t\) must have a row for each row that holds

#include "compile_fail/constraint.hpp"

struct WithReaction {
  template <class T>
  Vec<T, 2> reaction(const FrameState<T>& x, const T&) const {
    return {x.velocity[1], x.velocity[0]};
  }
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithVelocity, WithPosition, WithReaction>(); }
