#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/string/strings.hpp>

namespace dalembert::strings::detail {

/// The waves of a string at the start, continued beyond its ends as if there were no contact: oddly for fixed
/// ends, evenly for free ones, periodically.
///   r₀(x) = u_t − c u_x,  l₀(x) = u_t + c u_x,   and integrals from 0 of l₀, r₀ and their squares
template <PlainReal S>
class InitialWaves {
 public:
  /// Of a profile that was checked.
  InitialWaves(const Profile<S>& profile, S c, S length, Ends ends)
      : profile_(profile), c_(c), length_(length), ends_(ends) {
    dalembert::detail::heap_sort(profile_.kinks.begin(), profile_.kinks.end());
    for (int cell = 0; cell < cells; ++cell) {
      const Sums whole = within(cell, length_ * S(cell + 1) / S(cells));
      const Sums before = table_.empty() ? Sums{} : table_.back();
      table_.push_back({before[0] + whole[0], before[1] + whole[1], before[2] + whole[2]});
    }
  }

  /// r₀ at any x.
  [[nodiscard]] S right(S x) const {
    const Place at = place(x);
    return at.sign * velocity(at.x) - c_ * at.sign * at.mirror * slope(at.x);
  }
  /// l₀ at any x.
  [[nodiscard]] S left(S x) const {
    const Place at = place(x);
    return at.sign * velocity(at.x) + c_ * at.sign * at.mirror * slope(at.x);
  }
  /// c u(x) + ∫₀ˣ u_t, whose derivative is l₀.
  [[nodiscard]] S left_sum(S x) const { return c_ * displacement(x) + sum(x, momentum); }
  /// c u(x) − ∫₀ˣ u_t, whose derivative is −r₀.
  [[nodiscard]] S right_sum(S x) const { return c_ * displacement(x) - sum(x, momentum); }
  /// ∫₀ˣ l₀².
  [[nodiscard]] S left_squares(S x) const { return sum(x, left_squared); }
  /// ∫₀ˣ r₀².
  [[nodiscard]] S right_squares(S x) const { return sum(x, right_squared); }
  /// ∫ u_t over the string.
  [[nodiscard]] S whole_momentum() const { return table_.back()[momentum]; }
  /// The first kink of the continued waves after x, farther than `slack`, in the direction +1 or −1;
  /// infinitely far if there is none.
  [[nodiscard]] S next_kink(S x, int direction, S slack) const {
    S distance = std::numeric_limits<S>::infinity();
    const auto note = [&](S place) {
      const S ahead =
          S(direction) * (place - x) - slack;  // the images repeat, so the remainder is what counts
      distance = std::min(distance, ahead - period() * std::floor(ahead / period()));
    };
    for (const S kink : profile_.kinks) {
      note(kink);
      if (ends_ != Ends::periodic) note(-kink);
    }
    return x + S(direction) * (distance + slack);
  }
  /// How far apart the waves repeat.
  [[nodiscard]] S period() const noexcept { return ends_ == Ends::periodic ? length_ : 2 * length_; }

 private:
  static constexpr int cells = 512;
  static constexpr std::size_t momentum = 0, left_squared = 1, right_squared = 2;
  using Sums = std::array<S, 3>;

  /// x on the string, and what the continuation does to values: u and u_t are `sign` times those there, u_x
  /// also times `mirror`.
  struct Place {
    S x, sign, mirror;
    S periods;
  };
  [[nodiscard]] Place place(S x) const {
    const S turns = std::floor(x / period()), y = std::clamp(x - turns * period(), S(0), period());
    if (y <= length_) return {y, 1, 1, turns};
    return {period() - y, ends_ == Ends::fixed ? S(-1) : S(1), -1, turns};
  }

  [[nodiscard]] S velocity(S x) const { return profile_.velocity ? profile_.velocity(x) : S(0); }
  [[nodiscard]] S displacement(S x) const {
    const Place at = place(x);
    return profile_.displacement ? at.sign * profile_.displacement(at.x) : S(0);
  }
  [[nodiscard]] S slope(S x) const {
    if (profile_.slope) return profile_.slope(x);
    if (!profile_.displacement) return 0;
    const S h = length_ / 400;  // central differences of order 8, through the ends where they are near
    const auto rise = [&](int n) { return displacement(x + S(n) * h) - displacement(x - S(n) * h); };
    return (S(4) / 5 * rise(1) - S(1) / 5 * rise(2) + S(4) / 105 * rise(3) - S(1) / 280 * rise(4)) / h;
  }

  /// The integrals from the beginning of a cell to x, piece by piece between kinks.
  [[nodiscard]] Sums within(int cell, S x) const {
    Sums sums{};
    S begin = length_ * S(cell) / S(cells);
    for (const S kink : profile_.kinks)
      if (begin < kink && kink < x) {
        add_piece(sums, begin, kink);
        begin = kink;
      }
    add_piece(sums, begin, x);
    return sums;
  }
  /// Add the integrals from `begin` to x, by Gauss's rule with five nodes.
  void add_piece(Sums& sums, S begin, S x) const {
    const S half = (x - begin) / 2, middle = begin + half;
    const S root = 2 * std::sqrt(S(10) / 7), weight = 13 * std::sqrt(S(70));
    const std::array<S, 5> nodes{-std::sqrt(5 + root) / 3, -std::sqrt(5 - root) / 3, S(0),
                                 std::sqrt(5 - root) / 3, std::sqrt(5 + root) / 3};
    const std::array<S, 5> weights{(322 - weight) / 900, (322 + weight) / 900, S(128) / 225,
                                   (322 + weight) / 900, (322 - weight) / 900};
    for (std::size_t i = 0; i < 5; ++i) {
      const S y = middle + half * nodes[i], v = velocity(y), d = c_ * slope(y), w = half * weights[i];
      sums[momentum] += w * v;
      sums[left_squared] += w * (v + d) * (v + d);
      sums[right_squared] += w * (v - d) * (v - d);
    }
  }

  /// The integral from 0 to any x of u_t, l₀² or r₀².
  [[nodiscard]] S sum(S x, std::size_t which) const {
    const Place at = place(x);
    const int cell = std::min(static_cast<int>(at.x / length_ * S(cells)), cells - 1);
    // Beyond the end the other wave comes back: l₀² of the image is r₀².
    const bool back = at.mirror < 0;
    const std::size_t there = !back || which == momentum ? which : left_squared + right_squared - which;
    const Sums& all = table_.back();
    const S here =
        (cell > 0 ? table_[static_cast<std::size_t>(cell) - 1][there] : S(0)) + within(cell, at.x)[there];
    S per_period = all[which];
    if (ends_ != Ends::periodic)
      per_period = which != momentum ? all[left_squared] + all[right_squared]
                                     : (ends_ == Ends::free ? 2 * all[momentum] : S(0));
    if (!back) return at.periods * per_period + here;
    const S sign = which == momentum ? at.sign : S(1);
    return at.periods * per_period + all[which] + sign * (all[there] - here);
  }

  Profile<S> profile_;
  S c_, length_;
  Ends ends_;
  std::vector<Sums> table_{};
};

}  // namespace dalembert::strings::detail
