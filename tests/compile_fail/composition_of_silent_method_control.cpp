// expect: success

#include <dalembert/integrate/compose.hpp>

struct Telling {
  static constexpr bool composes = true;
  static constexpr int order = 2;
  static constexpr bool symmetric = true;
};
using Right = dalembert::Composition<Telling, 4>;
int order = Right::order;
