// expect: a place on an axis, AxisPlace, has no place in small motions

#include <dalembert/assembly/linearization.hpp>

#include "compile_fail/crossing_of_places.hpp"

void analyse(const CrossingOf<dalembert::contact::AxisPlace<double>>& problem, State x) {
  (void)dalembert::assembly::linearization(problem, x);
}

int main() {}
