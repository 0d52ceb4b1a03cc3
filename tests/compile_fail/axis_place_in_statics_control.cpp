// expect: success

#include <dalembert/assembly/statics.hpp>

#include "compile_fail/crossing_of_places.hpp"

void analyse(const CrossingOf<dalembert::contact::CurvePlace<double>>& problem, State x) {
  (void)dalembert::assembly::static_equilibrium(problem, x);
}

int main() {}
