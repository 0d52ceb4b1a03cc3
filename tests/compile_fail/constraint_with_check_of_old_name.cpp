// expect: check_places is there, which nothing calls: its name is check_markers

#include "compile_fail/constraint.hpp"

struct WithCheckOfOldName {
  void check_places(const Point<double>&, double) const {}
};

int main() { assemble<WithScalar, WithName, WithAxis, WithCheckOfOldName, WithVelocity>(); }
