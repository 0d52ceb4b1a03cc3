#pragma once

#include <array>
#include <cstddef>

#include <dalembert/contact/lanes.hpp>
#include <dalembert/core/real.hpp>

/// Points of centrelines of rods, as contacts have these.
namespace dalembert::contact::detail {

/// A point of a centreline: its window, and equation (1) of contact/detail/centreline.hpp.
template <class S>
struct CentrelinePoint {
  static constexpr int most = 24;  ///< nodes of a window

  S s{};                         ///< arc length of the unloaded rod [m]
  Eigen::Index first = 0;        ///< first node of the window
  int count = 0;                 ///< nodes of the window
  std::array<S, most> weight;    ///< α of its nodes; 0 in the lanes that they do not fill
  std::array<S, most> slope;     ///< α′ of its nodes [1/m]
  Triple<S> node{0, 0, 0};       ///< a node of the window [m]
  Triple<S> from_node{0, 0, 0};  ///< R − node, without the rounding of far positions [m]
  Triple<S> dR{0, 0, 0};         ///< R′ [1]
  Triple<S> ddR{0, 0, 0};        ///< R″ [1/m]

  /// R [m].
  [[nodiscard]] Triple<S> R() const noexcept { return node + from_node; }
};

/// Points of a centreline at so many nodes, one after the other; the entries behind them have no meaning.
template <class S, int nodes>
struct CentrelineNodes {
  static constexpr int most = (nodes + 7) / 8 * 8;
  using Column = std::array<S, static_cast<std::size_t>(most)>;

  std::array<Column, 3> R, dR;  ///< R [m], R′ [1]
  Column bend;                  ///< |R″|² [1/m²]
};

/// b − a of points anywhere in space.
template <class S>
[[nodiscard]] Triple<S> apart(const CentrelinePoint<S>& a, const CentrelinePoint<S>& b) noexcept {
  return (b.node - a.node) + (b.from_node - a.from_node);
}

}  // namespace dalembert::contact::detail
