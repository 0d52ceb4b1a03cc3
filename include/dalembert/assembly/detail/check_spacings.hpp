#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Whether markers on rods and strings are made for those that they are on.
namespace dalembert::assembly::detail {

/// Throws std::invalid_argument for a marker of this constraint on a body that is made for nodes at another
/// distance than h, which is 0 where the body is no rod.
template <class S>
[[gnu::cold, gnu::noinline]] void check_spacing(const S& made_for, const S& h, std::size_t body,
                                                std::string_view name, std::size_t number) {
  if (h == S(0) || number::abs(made_for - h) <= S(64) * std::numeric_limits<S>::epsilon() * h) return;
  require(false, message({name, " ", number}), "distance of nodes of a marker", made_for,
          message({"the nodes of body ", body, " are ", h, " m apart: it is another rod"}));
}

/// Throws std::invalid_argument for a marker that was made for another rod or string than the body that it is
/// on: one whose nodes lie farther apart, or nearer. Both are tuples of lists.
template <class S, class Bodies, class Constraints>
[[gnu::cold, gnu::noinline]] void check_spacings(const Bodies& bodies, const Constraints& constraints) {
  std::vector<S> spacings;
  const auto of_bodies = [&](const auto& list) {
    for (const auto& body : list)
      if constexpr (requires { S(body.spacing()); })
        spacings.push_back(body.spacing());
      else
        spacings.push_back(S(0));
  };
  std::apply([&](const auto&... list) { (of_bodies(list), ...); }, bodies);
  const auto of_place = [&](const auto& place, std::string_view name, std::size_t number) {
    if constexpr (requires { place.spacing(); })
      check_spacing<S>(place.spacing(), spacings[place.body], place.body, name, number);
  };
  const auto of_constraints = [&]<class C>(const std::vector<C>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      std::apply([&](const auto&... place) { (of_place(place, name_of<C>(), i), ...); }, list[i].markers());
  };
  std::apply([&](const auto&... list) { (of_constraints(list), ...); }, constraints);
}

}  // namespace dalembert::assembly::detail
