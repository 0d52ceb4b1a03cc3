// expect: must say by the constant `composes` whether compositions of it gain order

#include <dalembert/integrate/compose.hpp>

struct Silent {
  static constexpr int order = 2;
  static constexpr bool symmetric = true;
};
using Wrong = dalembert::Composition<Silent, 4>;
int order = Wrong::order;
