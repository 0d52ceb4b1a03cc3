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
  S curved{};                         ///< `curvature` where it was searched [1/m]
  bool beside = false;                ///< whether another, farther one beside it was left out, or may be
                                      ///< there: where one of its rods was no plain one
  bool lost = false;                  ///< whether contacts of its rods are to be found anew

  // In the configuration that was looked at last:
  std::array<CentrelinePoint<S>, 2> places;  ///< s₁, s₂, with windows and weights
  std::array<bool, 2> held{};                ///< whether s₁, s₂ are held at an end
  bool shared = false;         ///< s₁ is held where a neighbouring cell goes on, whose gap is smaller:
                               ///< no contact
  bool converged = false;      ///< whether Newton's method ended
  S crown{}, centre{};         ///< κ_c [1/m], c [m]
  S foot{};                    ///< of the centre on rod 2, where there is a crown [m]
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

  /// How the distance curves up where s₁, s₂ may move, along rod 1 to the nearest places on rod 2: below
  /// 0 where a minimum has split in two and Newton's method has stayed between them [1/m].
  [[nodiscard]] S curvature() const noexcept {
    const auto& [h11, h12, h22] = hessian;
    if (held[0]) return held[1] ? std::numeric_limits<S>::infinity() : h22;
    if (held[1]) return h11;
    return h22 > S(0) ? S(h11 - h12 * h12 / h22) : h22;
  }
  /// Whether it is a minimum that curves about as it did when it was searched, and neither one of rods nearly
  /// side by side nor at an end that cells share, nor beside another.
  [[nodiscard]] bool is_plain() const noexcept {
    const S now = curvature();
    return !shared && !beside && !(crown > S(0)) && now > S(0) &&
           (now == curved || number::abs(now - curved) < S(0.1) * curved);
  }
};

}  // namespace dalembert::contact::detail
