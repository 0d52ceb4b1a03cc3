#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/string/strings.hpp>

namespace dalembert::strings::detail {

/// Σ a_i b_{±i}, i = 0 … count − 1, in four sums, so that additions need not wait for each other.
template <int direction, PlainReal S>
[[nodiscard]] S dot_product(const S* a, const S* b, int count) {
  S sums[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 3 < count; i += 4)
    for (int k = 0; k < 4; ++k) sums[k] += a[i + k] * b[direction * (i + k)];
  for (; i < count; ++i) sums[0] += a[i] * b[direction * i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

struct Numbers;  // of states, string/numbers.hpp

/// The waves of one string on rings that turn. At whole steps both waves are in the middles of cells, (j +
/// ½)h, and half a step later on points j h: r from the cell on the left, l from the cell on the right. On a
/// string with ends both share a ring of 2N places: r at place j, ±l at place 2N − 1 − j, so that the
/// ends reflect by themselves (+ for free, − for fixed ones). On a periodic one they have a ring each.
template <PlainReal S>
class Rail {
 public:
  /// At the start, as means over cells: of u_x from the differences of u, of u_t by Simpson's rule.
  Rail(const Profile<S>& profile, S c, S length, int points, Ends ends)
      : points_(points),
        size_(ends == Ends::periodic ? points : 2 * points),
        sign_(ends == Ends::fixed ? S(-1) : S(1)),
        fixed_(ends == Ends::fixed),
        periodic_(ends == Ends::periodic),
        waves_(2 * static_cast<std::size_t>(points)) {
    const auto at = [](const Along<S>& f, S x) { return f ? f(x) : S(0); };
    const S h = length / S(points);
    S u0 = at(profile.displacement, 0), v0 = at(profile.velocity, 0);
    beginning_ = fixed_ ? S(0) : u0;
    for (int j = 0; j < points; ++j) {
      const S end = j + 1 < points ? h * S(j + 1) : length;
      const S u1 = at(profile.displacement, end), v1 = at(profile.velocity, end);
      const S velocity = (v0 + 4 * at(profile.velocity, h * (S(j) + S(0.5L))) + v1) / 6,
              slope = (u1 - u0) / h;
      waves_[right_index(j)] = velocity - c * slope;
      waves_[left_index(j)] = sign_ * (velocity + c * slope);
      u0 = u1;
      v0 = v1;
    }
  }

  /// r in the middle of cell j, at a whole step.
  [[nodiscard]] S right(int j) const { return waves_[right_index(j)]; }
  /// l in the middle of cell j, at a whole step.
  [[nodiscard]] S left(int j) const { return sign_ * waves_[left_index(j)]; }
  /// u at x = 0.
  [[nodiscard]] S beginning() const noexcept { return beginning_; }

  /// The sum of r² + l² over the cells.
  [[nodiscard]] S squares() const {
    S sum = 0;
    constexpr std::size_t block = 128;  // in blocks, so that round-off stays small on long strings
    for (std::size_t i = 0; i < waves_.size();) {
      S part = 0;
      for (const std::size_t end = std::min(i + block, waves_.size()); i < end; ++i)
        part += waves_[i] * waves_[i];
      sum += part;
    }
    return sum;
  }

  /// Σ α_i (r + l) of the waves that meet half a step later on the points `first` + i, i = 0 … count −
  /// 1.
  [[nodiscard]] S sum(int first, int count, const S* alpha) const {
    S right = 0, left = 0;
    runs<1>(waves_.data(), right_start(first), count,
            [&](const S* wave, int i, int n) { right += dot_product<1>(alpha + i, wave, n); });
    if (periodic_)
      runs<1>(waves_.data() + size_, left_start(first), count,
              [&](const S* wave, int i, int n) { left += dot_product<1>(alpha + i, wave, n); });
    else
      runs<-1>(waves_.data(), left_start(first), count,
               [&](const S* wave, int i, int n) { left += dot_product<-1>(alpha + i, wave, n); });
    return right + sign_ * left;
  }
  /// Add kick α_i to r and l there.
  void add(int first, int count, const S* alpha, S kick) {
    runs<1>(waves_.data(), right_start(first), count,
            [&](S* wave, int i, int n) { accumulate<1>(kick, alpha + i, wave, n); });
    if (periodic_)
      runs<1>(waves_.data() + size_, left_start(first), count,
              [&](S* wave, int i, int n) { accumulate<1>(kick, alpha + i, wave, n); });
    else
      runs<-1>(waves_.data(), left_start(first), count,
               [&](S* wave, int i, int n) { accumulate<-1>(sign_ * kick, alpha + i, wave, n); });
  }

  /// Before contacts act: keep the wave that arrives at x = 0.
  void begin_turn() noexcept { arriving_ = left(0); }
  /// After they have acted: go on by the whole step of `step` [s].
  void end_turn(S step) noexcept {
    if (++shift_ == size_) shift_ = 0;
    if (!fixed_)
      beginning_ += step / 2 * (arriving_ + right(0));  // ⟨u_t⟩ = ½(l before + r after), at contacts too
  }

 private:
  friend struct Numbers;
  [[nodiscard]] int wrapped(int i) const noexcept {
    while (i < 0) i += size_;  // once or not at all, as a rule, and quicker than a division
    while (i >= size_) i -= size_;
    return i;
  }
  [[nodiscard]] int right_start(int first) const noexcept { return wrapped(first - 1 - shift_); }
  [[nodiscard]] int left_start(int first) const noexcept {
    return wrapped(periodic_ ? first + shift_ : 2 * points_ - 1 - first - shift_);
  }
  [[nodiscard]] std::size_t right_index(int j) const noexcept {
    return static_cast<std::size_t>(right_start(j + 1));
  }
  [[nodiscard]] std::size_t left_index(int j) const noexcept {
    const auto start = static_cast<std::size_t>(left_start(j));
    return periodic_ ? start + static_cast<std::size_t>(size_) : start;
  }

  /// f(first wave, index of it, number) for the pieces of `count` places in a row from `start` on, to the
  /// right or the left, that lie in a row in memory.
  template <int direction, class Wave, class F>
  void runs(Wave* ring, int start, int count, F&& f) const {
    for (int i = 0; i < count;) {
      const int number = std::min(count - i, direction > 0 ? size_ - start : start + 1);
      f(ring + start, i, number);
      i += number;
      start = direction > 0 ? 0 : size_ - 1;
    }
  }
  template <int direction>
  static void accumulate(S factor, const S* alpha, S* wave, int count) {
    for (int i = 0; i < count; ++i) wave[direction * i] += factor * alpha[i];
  }

  int points_, size_;
  S sign_;
  bool fixed_, periodic_;
  std::vector<S> waves_;
  int shift_ = 0;
  S beginning_{};
  S arriving_{};
};

/// One side of a contact: its weights on the points of a string, and what they see of it.
template <PlainReal S>
struct WeightedSide {
  int string = 0;            ///< number of the string
  int first = 0;             ///< point of the first weight
  S place{};                 ///< of the contact [m]
  S mean{};                  ///< α·p of the waves that arrive
  S square{};                ///< |α|²
  S kick{};                  ///< p ← p + kick α
  S force{};                 ///< λ
  S slip{};                  ///< U − F⟨v_t⟩
  std::vector<S> weights{};  ///< α

  /// For weights that reach so many points to each side.
  explicit WeightedSide(int reach) : weights(2 * static_cast<std::size_t>(reach) + 1) {}

  /// α·p and |α|².
  void read(const Rail<S>& rail) {
    mean = rail.sum(first, static_cast<int>(weights.size()), weights.data()) / 2;
    square = dot_product<1>(weights.data(), weights.data(), static_cast<int>(weights.size()));
  }
  /// p ← p + kick α.
  void write(Rail<S>& rail) const { rail.add(first, static_cast<int>(weights.size()), weights.data(), kick); }
  /// The mean of α·p before and after.
  [[nodiscard]] S velocity() const noexcept { return mean + kick * square / 2; }
};

}  // namespace dalembert::strings::detail
