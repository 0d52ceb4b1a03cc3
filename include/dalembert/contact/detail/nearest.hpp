#pragma once

#include <cstddef>
#include <string_view>

#include <dalembert/assembly/marker.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// What a contact throws in a state that it cannot have: a force that pulls where it presses only; places
/// that a tangency found, but at which two bodies are not nearest to each other. With κ = R₂ − R₁, D =
/// ½|κ|²:
///   ∇∇D = [R₁′·R₁′ − κ·R₁″, −R₁′·R₂′;
///     −R₁′·R₂′, R₂′·R₂′ + κ·R₂″] > 0  (1)
/// over the places that move along their bodies; on a rod that touches itself, |s₁ − s₂| |R′| ≥
/// πa.
namespace dalembert::contact::detail {

using dalembert::detail::Triple;

template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_opened(S normal_force, std::string_view what, S time) {
  throw_if_not_finite("the normal force", number::plain(normal_force), number::plain(time));
  throw ContactOpened(message({"ContactOpened: the normal force of a ", what, " is ", normal_force, " N"}),
                      number::plain(time));
}
/// Throws ContactOpened for a force that pulls, NotFinite for one that is no number.
template <class S>
void check_normal_force(S normal_force, std::string_view what, S time) {
  if (!(normal_force >= S(0))) [[unlikely]]
    throw_opened(normal_force, what, time);
}

/// Throws ParallelRods, which tells where: "s = ", a number, and so on.
template <class S, class... Where>
[[noreturn, gnu::cold, gnu::noinline]] void throw_not_nearest(std::string_view name, S time, Where... where) {
  throw ParallelRods(
      message({"ParallelRods: the bodies of a ", name, " are not nearest to each other at ", where..., " m"}),
      number::plain(time));
}

/// Where a place is [m].
template <class Place, class S>
[[nodiscard]] Triple<S> position_of(const Place& place, const assembly::Point<S>& p) {
  if constexpr (Place::slides)
    return Triple<S>(p.R);
  else
    return Triple<S>(p.R) + Triple<S>(place.arm(p));
}

/// Throws ParallelRods unless (1) holds; of one place that moves, unless it holds but for this part of
/// R′·R′.
template <class First, class Second, class S>
void check_nearest(std::string_view name, const First& first, const assembly::Point<S>& a,
                   const Second& second, const assembly::Point<S>& b, S time, S part = S(0)) {
  const Triple<S> da(a.dR), db(b.dR), kappa = position_of(second, b) - position_of(first, a);
  const S aa = dot(da, da), bb = dot(db, db);
  const S of_a = aa - dot(kappa, Triple<S>(a.ddR)), of_b = bb + dot(kappa, Triple<S>(b.ddR));
  if constexpr (First::slides && Second::slides) {
    const S across = dot(da, db);
    if (!(of_a > S(0) && of_a * of_b > across * across)) [[unlikely]]
      throw_not_nearest(name, time, "s1 = ", a.s, " m, s2 = ", b.s);
  } else if constexpr (First::slides) {
    if (!(of_a > -part * aa)) [[unlikely]]
      throw_not_nearest(name, time, "s = ", a.s);
  } else {
    if (!(of_b > -part * bb)) [[unlikely]]
      throw_not_nearest(name, time, "s = ", b.s);
  }
}

template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_too_near(std::string_view name, std::size_t body, S apart,
                                                           S least, S time) {
  throw SelfContactTooNear(
      message({"SelfContactTooNear: the places of a ", name, " of rod ", body, " with itself are ", apart,
               " m apart along it, less than ", least, " m"}),
      number::plain(time));
}

/// The same of places of two rods, or of one: throws SelfContactTooNear as well. The second moves along its
/// rod; the first does, or rests on a node of it, as a station of a line: where a ply as steep as it can be
/// is clamped, rods bend by a tenth more, and are nearest beside a station by some hundredths of their
/// radius.
template <class First, class Second, class S>
void check_nearest_on_rods(std::string_view name, const First& first, const assembly::Point<S>& a,
                           const Second& second, const assembly::Point<S>& b, S radius, S time) {
  check_nearest(name, first, a, second, b, time, First::slides ? S(0) : S(0.1));
  if constexpr (requires { second.average.spacing(); }) {
    if (first.body != second.body) return;
    S s1 = a.s, stretch = norm(Triple<S>(b.dR));
    if constexpr (First::slides)
      stretch = (norm(Triple<S>(a.dR)) + stretch) / S(2);
    else
      s1 = S(first.node) * second.average.spacing();
    const S apart = number::abs(s1 - b.s) * stretch;
    if (!(apart >= S(pi) * radius)) throw_too_near(name, first.body, apart, S(pi) * radius, time);
  }
}

}  // namespace dalembert::contact::detail
