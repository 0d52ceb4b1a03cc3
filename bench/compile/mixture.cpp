// One mixture of kinds: rods and a ball, in rolling contact and on a joint. What a second one costs besides is in mixtures.cpp.

#include <iostream>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Ball = assembly::RigidBody<double>;
using V = Vec<double, 3>;

int main() {
  Vec<double, 6> stiffness;
  stiffness << 200, 200, 600, 0.02, 0.02, 0.015;
  const Rod rod{rod::LinearElastic<double>(stiffness),
                {.elements = 40, .length = 1, .inertia = {.mass = 0.1, .rotary = {1e-5, 1e-5, 2e-5}}}};
  const Ball ball{{.mass = 0.1, .inertia = {1e-5, 1e-5, 1e-5}, .gravity = {0, 0, -9.81}}};
  const contact::RollingContact<double> crossing{{0, rod, 0.1}, {1, rod, 0.1}, 0.01, 0.01, true};
  const assembly::SphericalJoint<double> joint{{0, 0}, {2, 0}};
  const auto along_x = SO3<double>::exp({0, 1.5707963, 0}), along_y = SO3<double>::exp({-1.5707963, 0, 0});
  const auto one = rod.straight(V(-0.5, 0, 0), along_x), other = rod.straight(V(0, -0.5, 0.02), along_y);
  const Vec<double, 2> middle(0.5, 0.5);

  const assembly::Assembly all{assembly::bodies(rod, rod, ball), assembly::constraints(crossing, joint)};
  auto state = all.state({one, other, ball.at(V(-0.5, 0, 0))}, middle);
  drive(Verlet{}, all, state, {.step = 1e-5, .until = 0.01});
  std::cout << all.energy(state) << " J\n";
}
