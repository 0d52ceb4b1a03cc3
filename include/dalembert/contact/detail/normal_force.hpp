#pragma once

#include <string_view>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// What presses only.
namespace dalembert::contact {

/// Throws ContactOpened for a force that pulls, NotFinite for one that is no number.
template <class S>
void check_normal_force(S normal_force, std::string_view what, S time) {
  if (normal_force >= S(0)) [[likely]]
    return;
  throw_if_not_finite("the normal force", number::plain(normal_force), number::plain(time));
  throw ContactOpened(message({"ContactOpened: the normal force of a ", what, " is ", normal_force, " N"}),
                      number::plain(time));
}

}  // namespace dalembert::contact
