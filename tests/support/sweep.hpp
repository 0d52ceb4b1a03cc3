#pragma once

/// @file
/// Every sort of number for a parameter: it is refused by name, or all that is made from it is finite.

#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>

#include <dalembert/core/errors.hpp>

#include "support/catch.hpp"

namespace test {

/// Which signs a parameter may have.
enum class Sign { positive, not_negative, any };

/// Whether `value` is refused by name; if it is not, `make` must say that what it made of it is finite.
inline bool refused(const std::string& name, double value, const std::function<bool(double)>& make) {
  CAPTURE(name, dalembert::shortest_text(value));
  try {
    const bool finite = make(value);
    CHECK(finite);
    return false;
  } catch (const std::invalid_argument& error) {
    using Catch::Matchers::ContainsSubstring;
    CHECK_THAT(error.what(),
               ContainsSubstring(": ") && ContainsSubstring(" = ") && ContainsSubstring(", but "));
    return true;
  }
}

/// The same for every sort of number, and those that no parameter of this sign may have are refused.
inline void sweep(const std::string& name, Sign sign, const std::function<bool(double)>& make) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {nan, HUGE_VAL, -HUGE_VAL, 0.0, -0.0, -1.0, -1e-300, -1e308, 5e-324, 1e-310,
                             1e-300, 1e-160, 1e160, 1e300, std::numeric_limits<double>::max()}) {
    const bool wrong =
        !std::isfinite(value) || (value < 0 && sign != Sign::any) || (value == 0 && sign == Sign::positive);
    const bool right = refused(name, value, make) || !wrong;
    CAPTURE(name, dalembert::shortest_text(value));
    CHECK(right);
  }
}

/// The same for each of some members of `p`.
template <class Parameters, class Make>
void sweep_members(const Parameters& p, Sign sign, std::initializer_list<double Parameters::*> members,
                   const std::string& name, Make&& make) {
  int index = 0;
  for (const auto member : members)
    sweep(name + " " + std::to_string(index++), sign, [&](double value) {
      Parameters changed = p;
      changed.*member = value;
      return make(changed);
    });
}

}  // namespace test
