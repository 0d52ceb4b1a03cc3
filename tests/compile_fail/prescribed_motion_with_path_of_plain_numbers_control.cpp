// expect: success

#include <dalembert/assembly/joints.hpp>

using namespace dalembert;

struct Path {
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    return {t, T(0), T(0)};
  }
};

int main() {
  const assembly::PrescribedMotion<double, Path> led{{0}, {}};
  (void)led;
}
