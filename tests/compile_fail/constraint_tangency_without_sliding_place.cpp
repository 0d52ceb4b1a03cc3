// expect: this is no Constraint: tangency\(seen...\) is there, but no place moves along a rod

#include <dalembert/contact/ball_on_rod.hpp>

#include "constraint.hpp"

// a ball on a rod in place of which there is a ball
using Balls = contact::RollingOnRod<double, FramePlace<double>>;
static_assert(sizeof(Assembly<Kinds<RigidBody<double>>, Kinds<Balls>>) > 0);

int main() {}
