// expect: position\(seen..., t\) is there, whose name is position_constraint.*velocity\(seen..., t\) is there, whose name is velocity_constraint

#include "compile_fail/constraint.hpp"

struct WithOldNames {
  template <class T>
  Vec<T, 2> velocity(const FrameState<T>& x, const T&) const {
    return {x.velocity[0], x.velocity[1]};
  }
  template <class T>
  Vec<T, 1> position(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.position[0]);
  }
};

int main() { assemble<WithScalar, WithName, WithMarkers, WithOldNames, WithVelocity>(); }
