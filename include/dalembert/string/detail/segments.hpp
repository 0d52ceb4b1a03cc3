#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/string/detail/characteristic_record.hpp>

namespace dalembert::strings::detail {

/// Polynomials through N Chebyshev points inside [−1, 1], x_j = −cos((2j + 1)π/2N); none at the ends,
/// where pieces meet.
template <std::size_t N, PlainReal S>
class Chebyshev {
 public:
  using Values = std::array<S, N>;  ///< at the points

  Chebyshev() {
    constexpr S pi = std::numbers::pi_v<S>;
    for (std::size_t j = 0; j < N; ++j) {
      const S angle = (S(2 * j) + 1) * pi / S(2 * N);
      points_[j] = -std::cos(angle);
      for (std::size_t n = 0; n < N; ++n)
        shapes_[n][j] = (n % 2 == 1 ? S(-1) : S(1)) * std::cos(S(n) * angle);
    }
    // ∫_{−1}^{x_j} of the polynomial that is 1 at x_k and 0 at the others, by its Chebyshev coefficients
    for (std::size_t j = 0; j < N; ++j) row(points_[j], integral_[j]);
    row(S(1), whole_);
  }

  /// x_j.
  [[nodiscard]] const Values& points() const noexcept { return points_; }
  /// ∫ from −1 to each point.
  [[nodiscard]] Values integral(const Values& f) const {
    Values out;
    for (std::size_t j = 0; j < N; ++j) out[j] = dot(integral_[j], f);
    return out;
  }
  /// ∫ from −1 to 1.
  [[nodiscard]] S whole(const Values& f) const { return dot(whole_, f); }
  /// The largest of the last three coefficients: how well the polynomial is resolved.
  [[nodiscard]] S tail(const Values& f) const {
    using std::abs;
    S last = 0;
    for (std::size_t n = N - 3; n < N; ++n) last = std::max(last, abs(dot(shapes_[n], f)) * 2 / S(N));
    return last;
  }

 private:
  [[nodiscard]] static S dot(const Values& a, const Values& b) {
    S sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += a[i] * b[i];
    return sum;
  }
  /// Weights of ∫_{−1}^{x}: ∫T₀ = x + 1, ∫T₁ = (x² − 1)/2, ∫T_n = [T_{n+1}/(n + 1) −
  /// T_{n−1}/(n − 1)]/2 from −1 to x.
  void row(S x, Values& weights) const {
    const S angle = std::acos(std::clamp(x, S(-1), S(1)));
    const auto shape = [&](std::size_t n, bool begin) {
      return begin ? (n % 2 == 1 ? S(-1) : S(1)) : std::cos(S(n) * angle);
    };
    weights.fill(0);
    for (std::size_t n = 0; n < N; ++n) {
      const auto primitive = [&](bool begin) {
        const S at = begin ? S(-1) : x;
        if (n == 0) return at;
        if (n == 1) return at * at / 2;
        return (shape(n + 1, begin) / S(n + 1) - shape(n - 1, begin) / S(n - 1)) / 2;
      };
      const S moment = (primitive(false) - primitive(true)) * (n == 0 ? 1 : 2) / S(N);
      for (std::size_t k = 0; k < N; ++k) weights[k] += moment * shapes_[n][k];
    }
  }

  Values points_{};
  std::array<Values, N> shapes_{};  // T_n at the points
  std::array<Values, N> integral_{};
  Values whole_{};
};

/// A track of pieces, each a polynomial in its phase through N points; between pieces values may jump or have
/// kinks.
template <std::size_t N, PlainReal S>
class PieceTrack {
 public:
  using Values = std::array<S, N>;  ///< at the points of a piece

  /// That begins at a phase.
  explicit PieceTrack(S begin) : begin_(begin) {}

  [[nodiscard]] S begin() const noexcept { return begin_; }
  [[nodiscard]] S end() const noexcept { return pieces_.empty() ? begin_ : pieces_.back().end; }
  [[nodiscard]] std::size_t size() const noexcept { return pieces_.size(); }
  /// Forget what comes after the first `size` pieces.
  void cut(std::size_t size) { pieces_.resize(size); }

  /// Go on to the phase `end` by a piece with what is kept at the phases `places`. `kink` says whether it
  /// begins with a jump or a kink. `last` is what is kept at the end.
  void append(S end, bool kink, const Values& places, const std::array<Values, 3>& kept,
              const std::array<S, 3>& last) {
    Piece piece{this->end(), end, kink || pieces_.empty(), places, {}, kept, last};
    const S scale = S(4) / (end - piece.begin);  // keeps the products near 1
    for (std::size_t i = 0; i < N; ++i) {
      S product = 1;
      for (std::size_t j = 0; j < N; ++j)
        if (j != i) product *= (places[i] - places[j]) * scale;
      piece.weights[i] = 1 / product;
    }
    pieces_.push_back(piece);
  }

  /// What is kept at the last phase.
  [[nodiscard]] S last(Kept kept) const { return pieces_.back().last[static_cast<std::size_t>(kept)]; }

  [[nodiscard]] S read(Kept kept, S y) const {
    const Piece& piece = pieces_[at(y)];
    const Values& values = piece.kept[static_cast<std::size_t>(kept)];
    S above = 0, below = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const S distance = y - piece.places[i];
      if (distance == 0) return values[i];
      const S weight = piece.weights[i] / distance;
      above += weight * values[i];
      below += weight;
    }
    return above / below;
  }

  /// The first place after y, farther than `slack`, where pieces of two kinds meet, or the beginning;
  /// infinite if there is none.
  [[nodiscard]] S next_kink(S y, S slack) const {
    if (begin_ > y + slack) return begin_;
    if (!pieces_.empty())
      for (std::size_t i = at(y); i < pieces_.size(); ++i)
        if (pieces_[i].kink && pieces_[i].begin > y + slack) return pieces_[i].begin;
    return std::numeric_limits<S>::infinity();
  }

 private:
  struct Piece {
    S begin, end;
    bool kink;  // whether it begins with one
    Values places, weights;
    std::array<Values, 3> kept;
    std::array<S, 3> last;
  };

  /// The piece of y.
  [[nodiscard]] std::size_t at(S y) const {
    if (looked_ < pieces_.size() && pieces_[looked_].begin <= y && y < pieces_[looked_].end) return looked_;
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), y,
                                        [](S place, const Piece& p) { return place < p.begin; });
    looked_ = after == pieces_.begin() ? 0 : static_cast<std::size_t>(after - pieces_.begin()) - 1;
    return looked_;
  }

  S begin_;
  std::vector<Piece> pieces_{};
  mutable std::size_t looked_ = 0;
};

}  // namespace dalembert::strings::detail
