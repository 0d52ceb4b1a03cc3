#pragma once

#include <algorithm>
#include <array>

#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>

namespace dalembert::detail {

/// How numbers x that are prescribed with their rates ẋ go from t to t + h, h of any sign: whether they
/// change by the integral of ẋ, by Gauss's rule of three points. All are the largest of the numbers.
template <class S, int N>
struct PathStep {
  static constexpr std::size_t samples = 5;  ///< of ẋ
  using Rates = std::array<Vec<S, N>, samples>;

  S moved{};   ///< |x(t + h) − x(t)|
  S missed{};  ///< |x(t + h) − x(t) − ∫ẋ dt|; not-a-number if something is
  S spread{};  ///< between the least and the largest ẋ that is seen
  S size{};    ///< |x|

  /// The times at which ẋ is asked for: t, the nodes of the rule, t + h.
  [[nodiscard]] static std::array<S, samples> times(const S& t, const S& h) {
    const S middle = t + h / S(2), aside = h * number::sqrt(S(3) / S(20));
    return {t, middle - aside, middle, middle + aside, t + h};
  }
  /// From x at both ends, and ẋ at those times.
  PathStep(const Vec<S, N>& from, const Vec<S, N>& to, const Rates& rates, const S& h) {
    for (int i = 0; i < N; ++i) {
      const S change = to[i] - from[i];
      const S integral = h / S(18) * (S(5) * rates[1][i] + S(8) * rates[2][i] + S(5) * rates[3][i]);
      S least = rates[0][i], largest = least;
      for (const Vec<S, N>& rate : rates) {
        least = std::min(least, rate[i]);
        largest = std::max(largest, rate[i]);
      }
      number::keep_larger(moved, number::abs(change));
      number::keep_larger(missed, number::abs(change - integral));
      number::keep_larger(spread, largest - least);
      number::keep_larger(size, std::max(number::abs(from[i]), number::abs(to[i])));
    }
  }

  /// Whether they do, but for `slack` and rounding; false if a number is none.
  [[nodiscard]] bool followed(const S& slack) const {
    return missed <= slack + number::above_rounding(S(1e-12)) * size;
  }
  /// The same where ẋ may jump. One jump makes the rule miss 4/18 of a step at it, two in one step twice
  /// that at most; and it is seen, for ẋ is known at both ends.
  [[nodiscard]] bool followed_but_for_jumping_rates(const S& h) const {
    return followed(number::abs(h) * spread / S(2));
  }
};

}  // namespace dalembert::detail
