#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <dalembert/assembly/marker.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/core/errors.hpp>

/// Whether what surfaces name is among the bodies of an assembly. They throw std::invalid_argument.
namespace dalembert::contact::detail {

/// A marker must be on one of so many nodes of each body, and of the same set of bodies.
template <class S>
[[gnu::cold, gnu::noinline]] void check_marker(const assembly::FrameMarker<S>& m, std::string_view what,
                                               const std::vector<Eigen::Index>& nodes,
                                               assembly::BodySetId set) {
  require(assembly::may_be_same(m.set, set), "Touching", message({"handle of the ", what}), m.body,
          "it must be of the bodies of the assembly");
  require(m.on_body() && m.body < nodes.size() && m.node >= 0 && m.node < nodes[m.body], "Touching", what,
          m.body, "it must be on a node of a body");
}

/// Both surfaces of a pair must be there.
template <class S>
[[gnu::cold, gnu::noinline]] void check_pairs(const Touching<S>& what, std::size_t bodies) {
  using Kind = TouchingSurface::Kind;
  const auto check = [&](const TouchingSurface& surface, std::size_t pair) {
    const auto there = [&](Kind kind, std::string_view one, std::string_view all, std::size_t count) {
      require(surface.kind != kind || surface.number < count, "Touching", message({one, " of pair ", pair}),
              surface.number, message({"the number of ", all, " is ", count}));
    };
    there(Kind::body, "body", "bodies", bodies);
    there(Kind::plane, "plane", "planes", what.planes.size());
    there(Kind::plate, "plate", "plates", what.plates.size());
    there(Kind::drum, "drum", "drums", what.drums.size());
  };
  for (std::size_t i = 0; i < what.pairs.size(); ++i) {
    check(what.pairs[i].first, i);
    check(what.pairs[i].second, i);
  }
}

}  // namespace dalembert::contact::detail
