// expect: success

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/string/waveguide.hpp>

int main() {
  using namespace dalembert;
  const strings::Waveguide<> guide({.G1 = 0.5, .G2 = 0.4, .s1 = 2, .s2 = 2}, 100);
  auto state = guide.state({}, {});
  drive(SelfStepping{}, guide, state, {.step = guide.time_step(), .until = 10 * guide.time_step()});
}
