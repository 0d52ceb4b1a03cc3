#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/rod/drawing.hpp>

/// What an assembly is drawn from: curves for `io::polydata`.
namespace dalembert::assembly {

/// The bodies of an assembly in a state, in the order of its chains, with a radius [m] each: a chain of
/// several nodes is a line, a rigid body a vertex. The state must outlive them. Throws std::invalid_argument
/// for a state of other bodies, another number of radii, and what `rod::DrawnChain` throws.
template <class... B, class Constraints, class S>
[[nodiscard]] auto drawn(const Assembly<Kinds<B...>, Constraints>& assembly, const State<S>& state,
                         const std::type_identity_t<std::vector<S>>& radii) {
  assembly.check_state(state);
  require(radii.size() == state.chains.size(), "drawn", "radii", radii.size(),
          "there must be one radius per body");
  std::vector<rod::DrawnChain<S>> all;
  each_of(assembly.bodies(),
          [&](const auto& body, std::size_t i) { all.emplace_back(body, state[i], radii[i], i); });
  return all;
}

}  // namespace dalembert::assembly
