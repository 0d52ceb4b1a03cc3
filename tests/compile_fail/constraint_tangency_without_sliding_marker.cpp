// expect: this is no Constraint: tangency\(seen...\) is there, but no marker moves along a rod

#include "constraint.hpp"

struct WithTangency {
  template <class T>
  Vec<T, 1> tangency(const FrameState<T>& x) const {
    return Vec<T, 1>(x.position[2]);
  }
};
static_assert(sizeof(Assembly<Kinds<RigidBody<double>>,
                              Kinds<Own<WithScalar, WithName, WithMarkers, WithVelocity, WithTangency>>>) >
              0);

int main() {}
