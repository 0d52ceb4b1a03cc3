#pragma once

#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

/// Handles: which body of a set is meant, as a value that a program keeps (assembly/bodies.hpp makes them).
/// A body that is put in before others changes their numbers, not what their handles mean.
namespace dalembert::assembly {

/// Of the set of bodies that a handle, a marker, a state or a problem belongs to; 0 where none is known, as
/// where bodies are told by their numbers.
using BodySetId = std::uint64_t;

/// Whether two of them may be one: it is not known of both that they are different.
[[nodiscard]] constexpr bool may_be_same(BodySetId a, BodySetId b) noexcept {
  return a == 0 || b == 0 || a == b;
}

/// A body of type B in a set.
template <class B>
struct Handle {
  using Body = B;  ///< its type
  /// Whether it is a string, whose nodes have one number each.
  static constexpr bool on_line = requires(const B& body, Eigen::Index k) { inverse_mass(body, k); };

  std::size_t number = 0;  ///< its number among the bodies of a problem, kind after kind
  Eigen::Index nodes = 0;  ///< how many nodes it has
  BodySetId set = 0;       ///< which set it is of
};

}  // namespace dalembert::assembly
