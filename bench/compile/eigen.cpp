// The unit of time: Eigen, and one small system of linear equations.

#include <iostream>

#include <Eigen/Dense>

int main() {
  Eigen::Matrix4d a = Eigen::Matrix4d::Identity();
  Eigen::Vector4d b;
  for (int i = 0; i < 4; ++i) std::cin >> b[i] >> a(i, 3);
  const Eigen::Vector4d x = a.partialPivLu().solve(b);
  std::cout << x.sum() << '\n';
}
