// expect: success
// options: -ffast-math -fno-finite-math-only

#include <dalembert/core/errors.hpp>

int main() {}
