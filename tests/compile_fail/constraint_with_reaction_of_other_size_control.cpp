// expect: success

#include "compile_fail/constraint.hpp"

struct WithReaction {
  template <class T>
  Vec<T, 3> reaction(const FrameState<T>& x, const T&) const {
    return {x.velocity[0], x.velocity[1], x.velocity[2]};
  }
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithVelocity, WithPosition, WithReaction>(); }
