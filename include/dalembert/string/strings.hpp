#pragma once

#include <algorithm>
#include <functional>
#include <numbers>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

/// Two strings that roll on each other without slip, of unit mass per length:
///   u_tt = c² u_xx − λ δ(x − s₁),   v_tt = c² v_xx + λF δ(x − s₂)                        (1)
///   ⟨u_t⟩(s₁) = F ⟨v_t⟩(s₂)                                                                  (2)
///   ṡ₁ = G₁ ⟨u_t⟩(s₁),   ṡ₂ = G₂ ⟨v_t⟩(s₂)                                       (3)
/// with displacements u, v [m], positions s₁, s₂ of the contact [m], and the force λ between the strings
/// [m²/s², per density]. A force that moves makes u_t jump; ⟨ ⟩ is the mean of the values on its two
/// sides, the only reading that conserves the energy
///   E = ½∫(u_t² + c²u_x²) dx + ½∫(v_t² + c²v_x²) dx.                                         (4)
/// By (2) and (3) s₁/G₁ − F s₂/G₂ is constant, so there is one unknown θ with θ̇ = ⟨u_t⟩,
/// s₁ = s₁(0) + G₁θ, s₂ = s₂(0) + (G₂/F)θ. Source: Gay-Balmaz and Putkaradze, Dynamics of
/// elastic rods in perfect friction contact, eqs (15), (16).
namespace dalembert::strings {

/// What both ends of a string do.
enum class Ends {
  fixed,    ///< u = 0
  free,     ///< u_x = 0
  periodic  ///< the end is the beginning
};

/// The parameters of two strings of one kind in contact; see the head of this file.
template <PlainReal S = double>
struct Pair {
  S c = 1;   ///< speed of the waves [m/s]
  S F = 1;   ///< ratio of the velocities, in (2); not zero
  S G1 = 0;  ///< ratio of the contact's speed on the first string to the string's, in (3)
  S G2 = 0;  ///< the same on the second string
  S length = 2 * std::numbers::pi_v<S>;  ///< of each string [m]
  S s1 = 0;                              ///< position of the contact on the first string at the start [m]
  S s2 = 0;                              ///< the same on the second string [m]
  Ends ends = Ends::fixed;               ///< of both strings

  /// Throws std::invalid_argument in the name of `owner` for a number that breaks its rule.
  void check(const char* owner) const {
    using std::isfinite;
    require(isfinite(c) && c > 0, owner, "c", c, "the speed of waves must be positive and finite [m/s]");
    require(isfinite(F) && F != 0, owner, "F", F, "the ratio of velocities must be finite and not zero");
    require(isfinite(G1), owner, "G1", G1, "the ratio of speeds must be finite");
    require(isfinite(G2), owner, "G2", G2, "the ratio of speeds must be finite");
    require(isfinite(length) && length > 0, owner, "length", length,
            "a length must be positive and finite [m]");
    const auto inside = [&](S s) { return isfinite(s) && (ends == Ends::periodic || (0 < s && s < length)); };
    require(inside(s1), owner, "s1", s1, "the contact must lie on the string, not at its ends [m]");
    require(inside(s2), owner, "s2", s2, "the contact must lie on the string, not at its ends [m]");
  }
};

/// A function of the place along a string; an empty one is zero.
template <PlainReal S = double>
using Along = std::function<S(S)>;

/// What a string does at the start, as functions of x from 0 to its length.
template <PlainReal S = double>
struct Profile {
  Along<S> displacement{};  ///< u [m]
  Along<S> velocity{};      ///< u_t [m/s]
  /// u_x. If none is given it is taken from differences of u over distances of length/400, which suits data
  /// that are smooth over such.
  Along<S> slope{};
  /// Places where the slope or the velocity jumps or has a kink [m]; an end is one where u, continued beyond
  /// it oddly (fixed ends), evenly (free) or periodically, is not smooth.
  std::vector<S> kinks{};
};

/// Throws std::invalid_argument in the name of `owner` for a profile that its string cannot have: numbers
/// that are not finite, a fixed end that is displaced or moves, or ends of a periodic string that differ,
/// each to 1e-9 of the largest value.
template <PlainReal S>
void check_profile(const Profile<S>& profile, Ends ends, S length, const char* owner) {
  using std::abs, std::isfinite;
  const auto check = [&](const Along<S>& f, const char* name, bool bounded) {
    if (!f) return;
    S largest = 0;
    constexpr int samples = 64;
    for (int i = 0; i <= samples; ++i) {
      const S x = length * S(i) / S(samples), value = f(x);
      require(isfinite(value), owner, name, value, message({"it must be finite; it is not at x = ", x}));
      largest = std::max(largest, abs(value));
    }
    if (!bounded) return;
    const S first = f(S(0)), last = f(length), allowed = S(1e-9L) * largest;
    if (ends == Ends::fixed)
      for (const S value : {first, last})
        require(abs(value) <= allowed, owner, name, value, "it must be zero at a fixed end");
    if (ends == Ends::periodic)
      require(abs(first - last) <= allowed, owner, name, last - first,
              "there must be no jump from the end to the beginning of a periodic string");
  };
  check(profile.displacement, "displacement", true);
  check(profile.velocity, "velocity", true);
  check(profile.slope, "slope", false);
  for (const S x : profile.kinks)
    require(0 <= x && x <= length, owner, "kink", x, "it must lie on the string [m]");
}

}  // namespace dalembert::strings
