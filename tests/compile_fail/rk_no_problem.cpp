// expect: this is no Problem \(problem/concepts.hpp\): it needs the types Scalar, State, Rates and Increment

#include <dalembert/integrate/explicit_rk.hpp>

struct Thing {};

int main() {
  const Thing thing;
  int state = 0;
  (void)dalembert::RungeKutta4{}.stepper(thing, state);
}
