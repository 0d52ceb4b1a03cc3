// expect: beside contacts, reactions of constraints are along their own rows

#include <dalembert/contact/touching_assembly.hpp>

#include "compile_fail/constraint.hpp"

struct WithReaction {
  template <class T>
  Vec<T, 2> reaction(const FrameState<T>& x, const T&) const {
    return {x.velocity[1], x.velocity[0]};
  }
};
using Mine = Own<WithScalar, WithName, WithMarkers, WithVelocity, WithReaction>;

int main() {
  const RigidBody<> ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{bodies(ball), constraints(Mine{}),
                         contact::Touching<>{.planes = {contact::Plane<>{}}}};
  (void)problem.state({ball.at({0, 0, 1})});
}
