#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>

/// Derivatives of numbers along a line, by central differences with an error of fourth order,
///   D(h) = (f(h) − f(−h))/2h,  f′ = (16 D(h) − D(4h))/15 + O(h⁴)                               (1)
/// where h is the one of a wide range of steps at which neighbouring ones agree best: no scale of f need be
/// known beforehand. Source: Ridders 1982, Adv. Eng. Softw. 4, 75.
namespace dalembert::detail {

/// What was found of f′.
template <class S>
struct CentralDifference {
  std::vector<S> value;                                    ///< f′; empty where f is finite nowhere
  double doubt = std::numeric_limits<double>::infinity();  ///< of the size of its error
  double largest = 0;                                      ///< size of f near by
  double jump = 0;                                         ///< size of f(h) − f(−h) for the least h
};

/// f′ at 0. at(h, f) puts the `count` numbers there into f, or throws an exception where there are none;
/// size(f) is the size of such numbers, in any unit; steps begin with the first. Where f is taken is known to
/// `argument` of the rounding unit only.
template <class S, class At, class Size>
[[nodiscard]] CentralDifference<S> central_difference(double first, std::size_t count, const At& at,
                                                      const Size& size, double argument) {
  using Numbers = std::vector<S>;
  constexpr double rounding = static_cast<double>(std::numeric_limits<decltype(value_of(S()))>::epsilon());
  CentralDifference<S> best;
  Numbers ahead(count), behind(count), difference(count), central(count), before, slope, slope_before;
  for (double h = first; h > std::sqrt(rounding) / 2; h /= 4) {
    double most = std::numeric_limits<double>::infinity();
    try {
      at(h, ahead);
      at(-h, behind);
      most = std::max(size(ahead), size(behind));
    } catch (const std::exception&) {
    }
    if (!std::isfinite(most)) {
      before.clear();
      slope_before.clear();
      continue;
    }
    best.largest = std::max(best.largest, most);
    central.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      difference[i] = ahead[i] - behind[i];
      central[i] = difference[i] * S(0.5 / h);
    }
    best.jump = size(difference);
    slope.clear();
    if (!before.empty()) {
      for (std::size_t i = 0; i < count; ++i) slope.push_back((S(16) * central[i] - before[i]) * S(1.0 / 15));
      double doubt = 4 * rounding * most / h + rounding * argument / h * size(slope);
      if (!slope_before.empty()) {
        for (std::size_t i = 0; i < count; ++i) difference[i] = slope[i] - slope_before[i];
        doubt += size(difference);
        if (doubt < best.doubt) {
          best.value = slope;
          best.doubt = doubt;
        }
      }
    }
    std::swap(before, central);
    std::swap(slope_before, slope);
  }
  return best;
}

}  // namespace dalembert::detail
