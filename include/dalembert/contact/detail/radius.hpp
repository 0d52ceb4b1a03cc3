#pragma once

#include <string_view>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Radii that a contact can have.
namespace dalembert::contact::detail {

/// Throws std::invalid_argument for a radius [m] that is not positive and finite.
template <class S>
void check_radius(std::string_view of, const char* which, S radius) {
  require(radius > 0 && number::isfinite(radius), of, which, radius,
          "a radius must be positive and finite [m]");
}

/// The same for the radius of a rod of that length [m] without load, which must be longer than thick.
template <class S>
void check_radius_of_rod(std::string_view of, const char* which, S radius, S length) {
  check_radius(of, which, radius);
  if (!(radius < length / S(2)))
    require(false, of, which, radius,
            message({"a rod must be longer than thick: twice the radius must be less than its length of ",
                     shortest_text(length), " m"}));
}

}  // namespace dalembert::contact::detail
