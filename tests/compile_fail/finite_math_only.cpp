// expect: fast-math turns off every check
// options: -ffinite-math-only

#include <dalembert/core/real.hpp>

int main() {}
