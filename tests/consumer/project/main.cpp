#include <dalembert/dalembert.hpp>

#include <Eigen/Dense>
#include <iostream>

static_assert(EIGEN_VERSION_AT_LEAST(3, 4, 0));

int main() { std::cout << "dalembert " << dalembert::version << '\n'; }
