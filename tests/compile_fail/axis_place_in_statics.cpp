// expect: a place on an axis, AxisPlace, has no place in statics

#include <dalembert/assembly/statics.hpp>

#include "compile_fail/crossing_of_places.hpp"

void analyse(const CrossingOf<dalembert::contact::AxisPlace<double>>& problem, State x) {
  (void)dalembert::assembly::static_equilibrium(problem, x);
}

int main() {}
