// expect: success
// options: -ffast-math -DDALEMBERT_ALLOW_FINITE_MATH

#include <dalembert/core/errors.hpp>

int main() {}
