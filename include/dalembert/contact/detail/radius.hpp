#pragma once

#include <cmath>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Radii that a contact can have.
namespace dalembert::contact::detail {

/// Throw std::invalid_argument unless the radius [m] is positive and finite and suits a rod of that length [m] without load, which must
/// be longer than thick.
template <class S>
void require_radius(const char* class_name, const char* name, const S& radius, const S& length) {
  require(number::isfinite(radius) && radius > 0, class_name, name, radius,
          "a radius must be positive and finite [m]");
  if (!(radius < length / S(2)))
    require(false, class_name, name, radius,
            message({"a rod must be longer than thick: twice the radius must be less than its length of ",
                     shortest_text(length), " m"}));
}

}  // namespace dalembert::contact::detail
