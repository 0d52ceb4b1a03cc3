// expect: fast-math turns off every check .*-fno-finite-math-only.*DALEMBERT_ALLOW_FINITE_MATH
// options: -ffast-math

#include <dalembert/core/errors.hpp>

int main() {}
