// expect: the path of a PrescribedMotion is called with a time of any number type T

#include <dalembert/assembly/joints.hpp>

using namespace dalembert;

struct Path {
  Vec<double, 3> operator()(double t) const { return {t, 0, 0}; }
};

int main() {
  const assembly::PrescribedMotion<double, Path> led{{0}, {}};
  (void)led;
}
