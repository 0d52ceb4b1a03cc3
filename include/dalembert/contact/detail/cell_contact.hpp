#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include <dalembert/contact/detail/centreline.hpp>

/// A contact of a cell of a rod with another rod, or with a ball.
namespace dalembert::contact::detail {

/// The whole rod as one cell without a crown, for balls.
inline constexpr Eigen::Index whole_rod = -1;

/// A contact; contact/detail/cell.hpp says what its numbers are.
template <class S>
struct CellContact {
  using V = Vec<S, 3>;
  static constexpr std::array<S, 2> unknown{std::numeric_limits<S>::infinity(),
                                            std::numeric_limits<S>::infinity()};

  std::size_t first = 0, second = 0;  ///< numbers of its rods or balls in a list
  Eigen::Index cell = 0;              ///< of rod 1, or `whole_rod`
  std::array<S, 2> bends = unknown;   ///< bounds of |R₁″|, |R₂″| where it was searched [1/m]

  // In the configuration that was looked at last:
  std::array<CentrelinePoint<S>, 2> places;  ///< s₁, s₂, with windows and weights
  std::array<bool, 2> held{};                ///< whether s₁, s₂ are held at an end
  bool shared = false;         ///< s₁ is held where a neighbouring cell goes on, whose gap is smaller:
                               ///< no contact
  bool converged = false;      ///< whether Newton's method ended
  S crown{}, centre{};         ///< κ_c [1/m], c [m]
  S gap{};                     ///< g [m]
  S distance{};                ///< |κ| [m]
  S sizes{};                   ///< of the lengths that made the gap [m]
  V normal;                    ///< N = −n, from rod 2 to rod 1
  V point;                     ///< R₁ + f₁κ [m]
  std::array<V, 2> arms;       ///< y₁, y₂ [m]
  std::array<S, 3> hessian{};  ///< H₁₁, H₁₂, H₂₂ [1/m]

  // After `find_rates`:
  V velocity;              ///< u [m/s]
  S speed{};               ///< |V₂ − V₁| [m/s]
  V bias;                  ///< β [m/s²]
  V normal_rate;           ///< Ṅ [1/s]
  std::array<S, 2> rates;  ///< ṡ₁, ṡ₂ [m/s]

  /// Whether the distance curves up wherever s may move: where a minimum splits in two, Newton's method may
  /// stay between them.
  [[nodiscard]] bool is_minimum() const noexcept {
    const auto& [h11, h12, h22] = hessian;
    if (held[0] || held[1]) return (held[0] || h11 > S(0)) && (held[1] || h22 > S(0));
    return h22 > S(0) && h11 * h22 > h12 * h12;
  }
  /// Whether it is a minimum, and neither one of rods nearly side by side nor at an end that cells share.
  [[nodiscard]] bool is_plain() const noexcept { return !shared && !(crown > S(0)) && is_minimum(); }
};

}  // namespace dalembert::contact::detail
