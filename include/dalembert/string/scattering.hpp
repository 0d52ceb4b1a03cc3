#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/string/strings.hpp>

/// The contact of two strings at a point, as a relation between waves that arrive and waves that leave. On
/// each string
///   r = u_t − c u_x  goes to the right,   l = u_t + c u_x  to the left;                                (1)
/// r arrives from the left of the contact, l from its right. With p = ½(r + l) on the first string, w the
/// same on the second, U = ⟨u_t⟩ = F⟨v_t⟩, σ₁ = G₁U, σ₂ = G₂U/F and D_i = c² − σ_i²:
///   D₂ (U − Fw) + F²D₁ (U − p) = 0                                                              (2)
///   λ = (p − Fw) / (Z₁ + F²Z₂),   Z_i = c/(2D_i)                                                 (3)
///   r⁺ = r − λ/(c − σ₁),   l⁺ = l − λ/(c + σ₁);
///     on the second string with −Fλ for λ, σ₂ for σ₁  (4)
/// (2) is linear where |G₂| = |F G₁|: U = (Fw + F²p)/(1 + F²). Else it is a cubic with a root between
/// Fw and p; where neither outruns the waves it is the only one. The waves that leave carry the energy of
/// those that arrive: (c − σ)(r⁺² − r²) + (c + σ)(l⁺² − l²) summed over the strings is zero.
/// Source: (1)–(4) follow from the jumps [u_x] = λ/(c² − σ²), [u_t] = −σ[u_x] at a moving force;
/// see string/strings.hpp.
namespace dalembert::strings {

/// Two waves at the contact on one string [m/s].
template <PlainReal S = double>
struct Waves {
  S right{};  ///< r = u_t − c u_x
  S left{};   ///< l = u_t + c u_x
};

/// What a contact does with the waves that arrive.
template <PlainReal S = double>
struct Scattered {
  S velocity1{};         ///< U = ⟨u_t⟩(s₁) [m/s]
  S velocity2{};         ///< ⟨v_t⟩(s₂) = U/F [m/s]
  S speed1{};            ///< ṡ₁ = G₁U [m/s]
  S speed2{};            ///< ṡ₂ = G₂U/F [m/s]
  S lambda{};            ///< λ, the force on the first string is −λ [m²/s²]
  Waves<S> outgoing1{};  ///< r to the right and l to the left of the contact on the first string
  Waves<S> outgoing2{};  ///< the same on the second string
};

/// The contact at a point; see the head of this file.
template <PlainReal S = double>
class PointContact {
 public:
  /// Between strings with these parameters. Throws std::invalid_argument for parameters that break their
  /// rules.
  explicit PointContact(const Pair<S>& pair) : c_(pair.c), F_(pair.F), G1_(pair.G1), G2_(pair.G2) {
    pair.check("PointContact");
    using std::abs;
    const S other = abs(F_ * G1_), own = abs(G2_);
    linear_ = abs(own - other) <= 8 * std::numeric_limits<S>::epsilon() * std::max(own, other);
  }

  /// What leaves when `first` and `second` arrive at `time` [s]. Throws SupersonicContact where the contact
  /// would not be slower than the waves, or, where (2) is a cubic, where one of Fw and p would make it so;
  /// NotFinite for waves that are not.
  [[nodiscard]] Scattered<S> operator()(const Waves<S>& first, const Waves<S>& second, S time) const {
    const S p = (first.right + first.left) / 2, w = (second.right + second.left) / 2;
    const S U = velocity(p, w, time);
    Scattered<S> out;
    out.velocity1 = U;
    out.velocity2 = U / F_;
    out.speed1 = G1_ * U;
    out.speed2 = G2_ * out.velocity2;
    const S D1 = c_ * c_ - out.speed1 * out.speed1, D2 = c_ * c_ - out.speed2 * out.speed2;
    // λ = kD₁D₂, and λ/(c − σ) = kD₂(c + σ) on the first string: one division for all
    const S k = 2 * (p - F_ * w) / (c_ * (D2 + F_ * F_ * D1)), kick1 = k * D2, kick2 = -F_ * k * D1;
    out.lambda = k * D1 * D2;
    out.outgoing1 = {first.right - kick1 * (c_ + out.speed1), first.left - kick1 * (c_ - out.speed1)};
    out.outgoing2 = {second.right - kick2 * (c_ + out.speed2), second.left - kick2 * (c_ - out.speed2)};
    return out;
  }

  /// U of (2), from p and w; throws as above.
  [[nodiscard]] S velocity(S p, S w, S time) const {
    using std::abs;
    const S target = F_ * w, square = F_ * F_;
    throw_if_not_finite("a wave that arrives at the contact", static_cast<double>(p + target),
                        static_cast<double>(time));
    if (linear_) {
      const S U = (target + square * p) / (1 + square);
      require_slower(abs(G1_ * U), time);
      return U;
    }
    const S ratio = G2_ / F_, largest = std::max(abs(p), abs(target));
    require_slower(std::max(abs(G1_), abs(ratio)) * largest, time);
    // f rises through zero once between target and p: f(target) and f(p) have the signs of target − p and p
    // − target.
    const S g1 = G1_ * G1_, g2 = ratio * ratio, cc = c_ * c_;
    S low = std::min(p, target), high = std::max(p, target);
    S U = (target + square * p) / (1 + square);
    for (int i = 0; i < most_iterations; ++i) {
      const S d1 = cc - g1 * U * U, d2 = cc - g2 * U * U;
      const S f = d2 * (U - target) + square * d1 * (U - p);
      const S slope = d2 + square * d1 - 2 * U * (g2 * (U - target) + square * g1 * (U - p));
      (f > 0 ? high : low) = U;
      const S next = U - f / slope, moved = abs(next - U);
      if (!(low <= next && next <= high)) {
        if (moved <= 4 * std::numeric_limits<S>::epsilon() * largest) return U;
        U = (low + high) / 2;
      } else {
        U = next;
        if (moved <= enough * largest) return U;  // the error that is left goes with the square
      }
    }
    return U;  // bracketed, and bisected to round-off
  }

 private:
  static constexpr int most_iterations = 200;
  static constexpr S enough = std::numeric_limits<S>::digits > 53 ? S(1e-11L) : S(1e-9L);

  void require_slower(S speed, S time) const {
    if (!(speed < c_)) throw SupersonicContact(static_cast<double>(speed / c_), static_cast<double>(time));
  }

  S c_, F_, G1_, G2_;
  bool linear_ = false;
};

}  // namespace dalembert::strings
