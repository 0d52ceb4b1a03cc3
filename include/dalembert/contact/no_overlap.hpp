#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/overlap.hpp>
#include <dalembert/core/number.hpp>

/// The watch of contact/overlap.hpp for the bodies of an assembly as they are, for `DriveOptions::checks`:
///   drive(Verlet{}, problem, state, {.step = h, .until = t, .checks = {contact::no_overlap(problem)}});
/// A run then begins with a look at all bodies, and looks again after every hundred steps: two that are
/// inside each other where no constraint holds them together end it with BodiesOverlap inside the failure.
namespace dalembert::contact {

/// What is known of the bodies besides the assembly.
template <class S = double>
struct NoOverlapOptions {
  /// Of each body [m]: 0, or no number, for what the assembly says of it. A contact knows the radii of what
  /// it touches. A rod without one is taken for solid and circular, of the radius √(2(J₁ + J₂)/m) that
  /// has its inertia. Of rigid bodies without contacts nothing is known, nor of those that are touched
  /// elsewhere than about their node: they are not looked at unless a radius is given.
  std::vector<S> radii{};
  /// Surfaces may be this far inside each other [m]; a tenth of the least radius if nothing is said.
  std::optional<S> tolerance{};
  /// Pairs of bodies that are not looked at.
  std::vector<std::array<std::size_t, 2>> left_out{};
};

namespace detail {

/// What the constraints of an assembly say of its bodies.
template <class S>
struct Surface {
  S radius{};         ///< 0 if unknown [m]
  S kernel_width{};   ///< of the widest average over its nodes, 0 without one [m]
  bool shape = true;  ///< false for a body that is no rod and no ball about its node
};

template <class S, class Place>
[[gnu::cold, gnu::noinline]] void note_surface(std::vector<Surface<S>>& surfaces, const Place& place,
                                               S radius) {
  if (place.count() == 0) return;  // in space
  Surface<S>& surface = surfaces[place.body];
  if constexpr (requires { place.average.kernel_width(); }) {
    surface.kernel_width = std::max(surface.kernel_width, place.average.kernel_width());
  } else if constexpr (requires { place.offset.norm(); }) {
    surface.shape = surface.shape && place.offset.norm() == S(0);
  } else {
    surface.shape = false;
  }
  surface.radius = std::max(surface.radius, radius);
}

/// The radii that a contact knows of what it touches; of a joint nothing.
template <class S, class C>
[[gnu::cold, gnu::noinline]] void note_surfaces(std::vector<Surface<S>>& surfaces, const C& c) {
  const auto places = c.markers();
  if constexpr (requires { c.radius1 + c.radius2; }) {
    note_surface(surfaces, std::get<0>(places), c.radius1);
    note_surface(surfaces, std::get<1>(places), c.radius2);
  } else if constexpr (requires { c.radius + S(0); } && std::tuple_size_v<decltype(places)> == 1) {
    note_surface(surfaces, std::get<0>(places), c.radius);
  }
}

/// The radius of the circular section that has the inertia of a rod's, the largest along it.
template <class S, class B>
[[nodiscard]] S radius_by_inertia(const B& body) {
  const auto radius = [](const auto& inertia) {
    return number::sqrt(S(2) * (inertia.rotary[0] + inertia.rotary[1]) / inertia.mass);
  };
  if constexpr (requires { requires B::varies; }) {
    S largest(0);
    for (int k = 0; k < body.elements(); ++k) largest = std::max(largest, S(radius(body.section_inertia(k))));
    return largest;
  } else {
    return radius(body.parameters().inertia);
  }
}

/// The surface of a body, if it has one.
template <class S, class B>
[[nodiscard, gnu::cold, gnu::noinline]] std::optional<Tube<S>> tube_of(std::size_t i, const B& body,
                                                                       const Surface<S>& known, S given) {
  S radius = given > S(0) ? given : known.radius;
  if constexpr (requires { body.spacing(); }) {
    if constexpr (requires { body.parameters().inertia.rotary; }) {
      if (!(radius > S(0))) radius = radius_by_inertia<S>(body);
    }
    if (!(radius > S(0))) return {};
    const S h = body.spacing();
    const Eigen::Index widest =
        (body.nodes() - 2) / (2 * CubicSpline::reach);           // multiple of h that fits on it
    if (widest < 1) return Tube<S>{i, radius, h, body.nodes()};  // as its chords
    return Tube<S>::of_rod(i, body, radius, std::clamp(known.kernel_width, h, S(widest) * h));
  } else {
    const bool ball = body.nodes() == 1 && radius > S(0) && (known.shape || given > S(0));
    return ball ? std::optional(Tube<S>::ball(i, radius)) : std::nullopt;
  }
}

}  // namespace detail

/// The surfaces of the bodies of an assembly, of those whose radius is known; see `NoOverlapOptions`. Throws
/// std::invalid_argument for radii that are neither as many as bodies nor none, negative, or not finite.
template <class... B, class... C,
          class S = typename assembly::Assembly<assembly::Kinds<B...>, assembly::Kinds<C...>>::Scalar>
[[nodiscard, gnu::cold, gnu::noinline]] std::vector<Tube<S>> surfaces(
    const assembly::Assembly<assembly::Kinds<B...>, assembly::Kinds<C...>>& problem,
    const std::vector<S>& radii = {}) {
  std::size_t bodies = 0;
  assembly::each_of(problem.bodies(), [&](const auto&, std::size_t) { ++bodies; });
  require(radii.empty() || radii.size() == bodies, "NoOverlapOptions", "radii", radii.size(),
          message({"there must be one for each body, or none, and there are ", bodies, " bodies"}));
  for (std::size_t i = 0; i < radii.size(); ++i)
    require_entry(radii[i] >= S(0) && number::isfinite(radii[i]), "NoOverlapOptions", "radius", i, radii[i],
                  "a radius must be finite and not negative [m]");
  std::vector<detail::Surface<S>> known(bodies);
  assembly::each_of(problem.constraints(),
                    [&](const auto& c, std::size_t) { detail::note_surfaces(known, c); });
  std::vector<Tube<S>> tubes;
  assembly::each_of(problem.bodies(), [&](const auto& body, std::size_t i) {
    if (auto tube = detail::tube_of<S>(i, body, known[i], radii.empty() ? S(0) : radii[i]))
      tubes.push_back(std::move(*tube));
  });
  return tubes;
}

/// A function of an assembly and a state that throws BodiesOverlap where two bodies, or a rod and itself,
/// are farther inside each other than the tolerance, and no constraint of two places is there. Throws
/// std::invalid_argument as `surfaces` and `OverlapCheck` do.
template <class... B, class... C,
          class S = typename assembly::Assembly<assembly::Kinds<B...>, assembly::Kinds<C...>>::Scalar>
[[nodiscard, gnu::cold, gnu::noinline]] auto no_overlap(
    const assembly::Assembly<assembly::Kinds<B...>, assembly::Kinds<C...>>& problem,
    const std::type_identity_t<NoOverlapOptions<S>>& options = {}) {
  std::vector<Tube<S>> tubes = surfaces(problem, options.radii);
  S least(0);
  for (const Tube<S>& tube : tubes) least = least > S(0) ? std::min(least, tube.radius) : tube.radius;
  OverlapOptions<S> look{.tolerance = options.tolerance.value_or(least / S(10)),
                         .left_out = options.left_out};
  return [check = OverlapCheck<S>(std::move(tubes), look)](
             const auto& of, const assembly::State<S>& x) mutable { check.look(of, x); };
}

}  // namespace dalembert::contact
