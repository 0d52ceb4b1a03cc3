#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/string/detail/initial_waves.hpp>
#include <dalembert/string/scattering.hpp>

namespace dalembert::strings::detail {

/// What a track keeps at a phase.
enum class Kept : std::size_t {
  value,   ///< the wave
  sum,     ///< its integral over the phase
  squares  ///< the integral of its square
};

/// The history of one wave that leaves the contact, as a function of its phase, which grows.
///   begin(), end()     the first and the last phase
///   read(kept, y)      what is kept at the phase y, begin ≤ y ≤ end
template <class T, class S>
concept Track = requires(T& track, const T& at, S y) {
  { at.begin() } -> std::convertible_to<S>;
  { at.end() } -> std::convertible_to<S>;
  { at.read(Kept::value, y) } -> std::convertible_to<S>;
};

/// A string whose waves are known from what has left the contact, at s(t). With σ = −1 for fixed and +1
/// for free ends,
///   left of the contact   l = A(ct + x), r = σA(ct − x)
///   right of it           r = B(ct − x), l = σB(ct + x − 2L)
/// and on a periodic string, from the contact once round, r = B(ct − x), l = A(ct + x − L). A and B
/// before the start are the waves at the start, continued.
template <PlainReal S, Track<S> T>
class CharacteristicRecord {
 public:
  /// With the contact at s at the start; the tracks begin there.
  CharacteristicRecord(const Profile<S>& profile, const Pair<S>& pair, S s)
      : initial_(profile, pair.c, pair.length, pair.ends),
        c_(pair.c),
        length_(pair.length),
        ends_(pair.ends),
        sign_(pair.ends == Ends::fixed ? S(-1) : S(1)),
        left(s),
        right(-s) {}

  /// r that arrives at the contact from the left, z = ct − s.
  [[nodiscard]] S arriving_right(S z) const {
    if (ends_ == Ends::periodic)
      return z - length_ <= right.begin() ? initial_.right(-z) : right.read(Kept::value, z - length_);
    return z <= left.begin() ? initial_.right(-z) : sign_ * left.read(Kept::value, z);
  }
  /// l that arrives from the right, z = ct + s.
  [[nodiscard]] S arriving_left(S z) const {
    if (ends_ == Ends::periodic)
      return z - length_ <= left.begin() ? initial_.left(z) : left.read(Kept::value, z - length_);
    return z - 2 * length_ <= right.begin() ? initial_.left(z)
                                            : sign_ * right.read(Kept::value, z - 2 * length_);
  }

  /// u at x when the contact is at s and waves have gone the way `ct` [m].
  [[nodiscard]] S displacement(S x, S s, S ct) const {
    const auto [l, r] =
        around(x, s, ct, [this](bool to_left, bool arriving, S y) { return sum(to_left, arriving, y); });
    return (l + r) / (2 * c_);
  }
  /// l and r at x, likewise.
  [[nodiscard]] Waves<S> waves(S x, S s, S ct) const {
    const auto [l, r] = around(x, s, ct, [this](bool to_left, bool arriving, S y) {
      if (to_left)
        return arriving ? arriving_left(y) : y <= left.begin() ? initial_.left(y) : left.read(Kept::value, y);
      return arriving             ? arriving_right(y)
             : y <= right.begin() ? initial_.right(-y)
                                  : right.read(Kept::value, y);
    });
    return {r, l};
  }
  /// ½∫(u_t² + c²u_x²) dx, likewise: the squares of waves that have left the contact and not yet come
  /// back.
  [[nodiscard]] S energy(S s, S ct) const {
    const S y = ct + s, z = ct - s;
    if (ends_ == Ends::periodic)
      return (squares_left(y) - squares_left(y - length_) + squares_right(z) - squares_right(z - length_)) /
             4;
    return (squares_left(y) - squares_left(z) + squares_right(z) - squares_right(y - 2 * length_)) / 4;
  }

  /// The waves at the start.
  [[nodiscard]] const InitialWaves<S>& initial() const noexcept { return initial_; }
  /// The longest step that reads only what is written already, with the contact at s [s].
  [[nodiscard]] S longest_step(S s) const {
    return ends_ == Ends::periodic ? S(0.45L) * length_ / c_ : S(0.9L) * std::min(s, length_ - s) / c_;
  }
  /// The first phase after z, farther than `slack`, at which what arrives may have a jump or a kink.
  [[nodiscard]] S next_kink(bool to_right, S z, S slack) const {
    const auto [track, phase] = source(to_right, z);
    const S written = z - phase + track->next_kink(phase, slack);
    if (phase >= track->begin()) return written;
    return std::min(written, to_right ? -initial_.next_kink(-z, -1, slack) : initial_.next_kink(z, 1, slack));
  }

 private:
  /// (l, r) from wave(to the left, arriving, phase) on the side of the contact where x is.
  template <class F>
  [[nodiscard]] std::pair<S, S> around(S x, S s, S ct, const F& wave) const {
    if (ends_ == Ends::periodic) x -= length_ * std::floor((x - s) / length_);
    if (x <= s && ends_ != Ends::periodic) return {wave(true, false, ct + x), wave(false, true, ct - x)};
    return {wave(true, true, ct + x), wave(false, false, ct - x)};
  }

  /// The track that is the source of what arrives to the right, or to the left, at the phase z, and the phase
  /// there.
  [[nodiscard]] std::pair<const T*, S> source(bool to_right, S z) const {
    if (ends_ == Ends::periodic) return {to_right ? &right : &left, z - length_};
    return to_right ? std::pair<const T*, S>{&left, z} : std::pair<const T*, S>{&right, z - 2 * length_};
  }

  /// c u + ∫u_t or c u − ∫u_t as carried by the waves, whose sum is 2c u.
  [[nodiscard]] S sum(bool to_left, bool arriving, S y) const {
    const S whole = initial_.whole_momentum();
    if (!arriving && to_left) return y <= left.begin() ? initial_.left_sum(y) : left.read(Kept::sum, y);
    if (!arriving) return y <= right.begin() ? initial_.right_sum(-y) : right.read(Kept::sum, y);
    const auto [track, phase] = source(!to_left, y);
    if (phase <= track->begin()) return to_left ? initial_.left_sum(y) : initial_.right_sum(-y);
    const S there = track->read(Kept::sum, phase);
    if (ends_ == Ends::periodic) return there + whole;
    return sign_ * there + (to_left && ends_ == Ends::free ? 2 * whole : S(0));
  }
  [[nodiscard]] S squares_left(S y) const {
    return y <= left.begin() ? initial_.left_squares(y) : left.read(Kept::squares, y);
  }
  [[nodiscard]] S squares_right(S y) const {
    return y <= right.begin() ? -initial_.right_squares(-y) : right.read(Kept::squares, y);
  }

  InitialWaves<S> initial_;
  S c_, length_;
  Ends ends_;
  S sign_;

 public:
  T left;   ///< A, of phase ct + s
  T right;  ///< B, of phase ct − s
};

/// Polynomial interpolation through points of any spacing, Σ v_i Π_{j≠i} (y − y_j)/(y_i − y_j).
template <std::size_t N, PlainReal S>
[[nodiscard]] S interpolated(const S* places, const S* values, S y) {
  std::array<S, N> away, others, before, after;
  for (std::size_t i = 0; i < N; ++i) {
    away[i] = y - places[i];
    others[i] = 1;
  }
  for (std::size_t step = 1; step < N; ++step)
    for (std::size_t i = 0; i < N; ++i) others[i] *= places[i] - places[(i + step) % N];
  before[0] = after[N - 1] = 1;
  for (std::size_t i = 1; i < N; ++i) before[i] = before[i - 1] * away[i - 1];
  for (std::size_t i = N - 1; i > 0; --i) after[i - 1] = after[i] * away[i];
  S sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += values[i] * before[i] * after[i] / others[i];
  return sum;
}

/// A track of points, read by polynomials through the six nearest. Reads that go on, as the contact's do,
/// look where they last did.
template <PlainReal S>
class PointTrack {
 public:
  /// That begins at a phase.
  explicit PointTrack(S begin) : begin_(begin) {}

  [[nodiscard]] S begin() const noexcept { return begin_; }
  [[nodiscard]] S end() const noexcept { return places_.empty() ? begin_ : places_.back(); }
  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }

  /// Make room for so many points.
  void reserve(std::size_t points) {
    places_.reserve(points);
    for (auto& values : values_) values.reserve(points);
  }
  /// Go on to the phase y.
  void append(S y, S value, S sum, S squares) {
    places_.push_back(y);
    values_[0].push_back(value);
    values_[1].push_back(sum);
    values_[2].push_back(squares);
  }
  /// Forget what comes after the first `size` points.
  void cut(std::size_t size) {
    places_.resize(size);
    for (auto& values : values_) values.resize(size);
  }
  /// What is kept at the last phase.
  [[nodiscard]] S last(Kept kept) const { return values_[static_cast<std::size_t>(kept)].back(); }

  [[nodiscard]] S read(Kept kept, S y) const {
    const auto& values = values_[static_cast<std::size_t>(kept)];
    const std::size_t first = stencil(y);
    if (places_.size() >= 6) return interpolated<6>(places_.data() + first, values.data() + first, y);
    if (places_.size() >= 4) return interpolated<4>(places_.data() + first, values.data() + first, y);
    if (places_.size() >= 2) return interpolated<2>(places_.data() + first, values.data() + first, y);
    return values[first];
  }

 private:
  /// The first point of the six around y, or of the four or two where there are no more.
  [[nodiscard]] std::size_t stencil(S y) const {
    const std::size_t size = places_.size();
    const std::size_t width = size >= 6 ? 6 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
    std::size_t at = std::min(looked_, size - 1);  // the last point that is not after y
    if (!near(at, y))
      at = static_cast<std::size_t>(std::upper_bound(places_.begin(), places_.end(), y) - places_.begin());
    while (at > 0 && places_[at < size ? at : size - 1] > y) --at;
    while (at + 1 < size && places_[at + 1] <= y) ++at;
    looked_ = at = std::min(at, size - 1);
    const std::size_t half = width / 2;
    return std::min(at + 1 > half ? at + 1 - half : 0, size - width);
  }
  /// Whether y is within a few points of that one.
  [[nodiscard]] bool near(std::size_t at, S y) const {
    const std::size_t low = at > 3 ? at - 3 : 0, high = std::min(at + 3, places_.size() - 1);
    return places_[low] <= y && y <= places_[high];
  }

  S begin_;
  std::vector<S> places_{};
  std::array<std::vector<S>, 3> values_{};
  mutable std::size_t looked_ = 0;  // where the last read was
};

}  // namespace dalembert::strings::detail
