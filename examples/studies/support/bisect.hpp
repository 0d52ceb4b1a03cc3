#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

/// A root of a function of one number.
namespace example {

/// Where the sign of f changes between a and b, to 1e-13 of its value or of `least`, whichever is more; not a
/// number if it is the same in both.
template <class F>
[[nodiscard]] double bisect(const F& f, double a, double b, double least) {
  double fa = f(a);
  if (fa == 0) return a;
  if ((fa > 0) == (f(b) > 0)) return std::numeric_limits<double>::quiet_NaN();
  while (std::abs(b - a) > 1e-13 * std::max({least, std::abs(a), std::abs(b)})) {
    const double middle = a + (b - a) / 2, fm = f(middle);
    if (middle == a || middle == b) break;
    if ((fm > 0) == (fa > 0))
      a = middle, fa = fm;
    else
      b = middle;
  }
  return a + (b - a) / 2;
}

}  // namespace example
