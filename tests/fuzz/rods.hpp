#pragma once

/// @file
/// Rods and their chains out of inputs.

#include <dalembert/rod/rod.hpp>

#include "fuzz/target.hpp"

namespace fuzz {

/// A column of three numbers between −size and size, mostly.
[[nodiscard]] inline dalembert::Vec<double, 3> triple(Input& in, const char* name, double size) {
  dalembert::Vec<double, 3> x;
  for (int i = 0; i < 3; ++i) x[i] = in.between(name, -size, size);
  return x;
}

/// Move the frames of a chain and give them velocities; now and then one number of it becomes any number.
inline void disturb(Input& in, dalembert::rod::Chain<double>& chain) {
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const auto turn = dalembert::SO3<double>::exp(triple(in, "turn", 0.05));
    chain.set_frame(k, chain.rotation(k) * turn, chain.position(k) + triple(in, "shift", 1e-3));
    const auto velocity = triple(in, "velocity", 0.1);
    chain.set_velocity(k, velocity, triple(in, "omega", 0.1));
  }
  if (chain.nodes > 0 && in.whole("one number of the chain", 0, 15) == 1) {
    const int k = in.whole("of node", 0, static_cast<int>(chain.nodes) - 1),
              column = in.whole("column", 0, 12);
    const double value = in.any("value");
    if (column < 7)
      chain.configuration(k, column) = value;
    else
      chain.velocity(k, column - 7) = value;
  }
}

/// Throws a Failure unless every number of the chains is finite.
inline void demand_finite(const std::vector<dalembert::rod::Chain<double>>& chains, const char* what) {
  for (const auto& chain : chains) demand(chain.finite(), what);
}

}  // namespace fuzz
