#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/detail/triple.hpp>

/// Components at right angles to a direction, as velocity rows beside a position row take them.
namespace dalembert::contact {

/// E·x, where the two rows of E are unit vectors at right angles to `direction`, of any length, and to each
/// other. The first is at right angles to that axis of space which the direction is least along: E jumps
/// where that is another one, and turns smoothly elsewhere.
template <class T>
[[nodiscard]] Vec<T, 2> across(const Vec<T, 3>& direction, const Vec<T, 3>& x) {
  using std::abs;
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (abs(direction[i]) < abs(direction[least])) least = i;
  using dalembert::detail::Triple;
  const Triple<T> along(direction), axis(T(least == 0 ? 1 : 0), T(least == 1 ? 1 : 0), T(least == 2 ? 1 : 0)),
      y(x);
  const Triple<T> t = along / norm(along), aside = cross(t, axis), first = aside / norm(aside);
  return {dot(first, y), dot(cross(t, first), y)};
}

}  // namespace dalembert::contact
