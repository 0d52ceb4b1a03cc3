// Rigid motions: the screw from one frame to another, the velocity along it as both frames see it, and where dual numbers agree.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const SE3d from(SO3d::exp({0.4, 0, 0}), {0, 0, 0});
  const SE3d to(SO3d::exp({0.4, 0, 0}) * SO3d::exp({0, 0, 2.0}), {1, 2, 0.5});
  const Vec<double, 6> twist = (from.inverse() * to).log();  // γ [m], then ω [rad]
  const SE3d middle = from * SE3d::exp(0.5 * twist);
  std::cout << "halfway at (" << middle.translation().transpose() << ") m, turned by "
            << (from.inverse() * middle).rotation().log().norm() << " rad of " << twist.tail<3>().norm()
            << "\n";

  // Along a screw the velocity is one and the same in every frame of the body; in space it is Ad times that.
  const Vec<double, 6> in_space = from.Ad(twist), later = to.Ad(twist);
  std::cout << "seen from space it does not change: " << (in_space - later).norm() << "\n";

  // exp(ξ + δ) = exp(ξ) exp(J_r δ): the body velocity of exp along a line, once in closed form and once by differentiation.
  const Vec<double, 6> along{0.1, -0.3, 0.2, 0.5, 0.4, -0.7};
  const auto path = SE3<Dual<double, 1>>::exp(seeded(twist, along));
  const auto change = (SE3d::exp(twist).inverse().cast<Dual<double, 1>>() * path).log();
  Vec<double, 6> slope;
  for (int i = 0; i < 6; ++i) slope[i] = change[i].derivative(0);
  std::cout << "Jacobian against derivative: " << (slope - SE3d::right_jacobian(twist, along)).norm() << "\n";
}
