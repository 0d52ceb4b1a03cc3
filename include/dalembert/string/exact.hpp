#pragma once

#include <limits>
#include <numbers>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/string/strings.hpp>

/// Strings in contact whose contact moves in closed form. Where G₂ = F G₁ and the contact begins at the
/// same place of both strings, it stays so, the forces on P = Fu + v cancel, and U = F P_t/(1 + F²): P is a
/// free wave, which drives the contact,
///   ṡ = g P_t(s, t),   g = F G₁/(1 + F²).                                                           (1)
/// On periodic strings P = A sin ξ, ξ = k(x − ct), a travelling wave; with e = gAk
///   tan(ξ/2) = √((1 + e)/(1 − e)) tan(φ/2),   φ = φ₀ − kc √(1 − e²) t,
///     s = ξ/k + ct.  (2)
/// On strings with fixed, free or periodic ends P = A sin(kx + α) cos(kct), a standing wave, α = 0 but π/2
/// for free ends; θ = ks + α,
///   tan(θ/2) = tan(θ₀/2) exp(gAk (cos kct − 1)).                                                   (3)
/// Source: Gay-Balmaz and Putkaradze, eqs (15), (16), for the decoupling with F = 1 on periodic strings; (2)
/// and (3) integrate (1).
namespace dalembert::strings {

/// Waves of one shape on both strings.
template <PlainReal S = double>
struct WaveParameters {
  Pair<S> pair{};  ///< of the strings, with G₂ = F G₁ and s₁ = s₂
  S first = 1;     ///< amplitude of u [m]
  S second = 0;    ///< amplitude of v [m]
  int waves = 1;   ///< wave lengths on a periodic string, half wave lengths on the others
};

namespace detail {

/// What both solutions share.
template <PlainReal S>
class DrivenContact {
 public:
  /// Throws std::invalid_argument in the name of `owner` for parameters that break their rules.
  DrivenContact(const WaveParameters<S>& given, const char* owner) : given_(given) {
    using std::abs, std::isfinite;
    const auto& pair = given.pair;
    pair.check(owner);
    const S slack = 16 * std::numeric_limits<S>::epsilon();
    require(abs(pair.G2 - pair.F * pair.G1) <= slack * abs(pair.G2), owner, "G2", pair.G2, "it must be F G1");
    require(abs(pair.s2 - pair.s1) <= slack * pair.length, owner, "s2", pair.s2,
            "the contact must begin at one place of both strings");
    require(isfinite(given.first) && isfinite(given.second), owner, "amplitude", given.first + given.second,
            "it must be finite [m]");
    require(given.waves > 0, owner, "waves", given.waves, "there must be one");
    const S turn = (pair.ends == Ends::periodic ? 2 : 1) * std::numbers::pi_v<S>;
    k_ = turn * S(given.waves) / pair.length;
    eccentricity_ = pair.F * pair.G1 / (1 + pair.F * pair.F) * (pair.F * given.first + given.second) * k_;
    require(abs(eccentricity_) < 1, owner, "g A k", eccentricity_,
            "the contact would be as fast as the waves; it must lie between -1 and 1");
  }

  /// The parameters.
  [[nodiscard]] const WaveParameters<S>& parameters() const noexcept { return given_; }
  /// The wave number k [1/m].
  [[nodiscard]] S wave_number() const noexcept { return k_; }
  /// gAk, the largest speed of the contact over that of the waves.
  [[nodiscard]] S speed_ratio() const noexcept { return eccentricity_; }

 protected:
  /// U from ṡ.
  [[nodiscard]] S velocity_at_speed(S speed) const {
    const auto& pair = given_.pair;
    return pair.G1 != 0 ? speed / pair.G1 : S(0);
  }

  WaveParameters<S> given_;
  S k_{};
  S eccentricity_{};
};

/// 2 atan(factor tan(angle/2)), on the branch that goes with the angle.
template <PlainReal S>
[[nodiscard]] S on_branch(S factor, S angle) {
  constexpr S turn = 2 * std::numbers::pi_v<S>;
  const S turns = turn * std::round(angle / turn);
  return 2 * std::atan(factor * std::tan((angle - turns) / 2)) + turns;
}

}  // namespace detail

/// (2): a wave that travels to the right on periodic strings, u = first · sin k(x − ct) and v likewise at
/// the start.
template <PlainReal S = double>
class TravellingWave : public detail::DrivenContact<S> {
 public:
  /// Throws std::invalid_argument for parameters that break their rules.
  explicit TravellingWave(const WaveParameters<S>& given)
      : detail::DrivenContact<S>(given, "TravellingWave") {
    require(given.pair.ends == Ends::periodic, "TravellingWave", "ends", static_cast<int>(given.pair.ends),
            "the strings must be periodic");
    const S e = this->eccentricity_;
    factor_ = std::sqrt((1 + e) / (1 - e));
    start_ = detail::on_branch(1 / factor_, this->k_ * given.pair.s1);
  }

  /// s₁ = s₂ at the time t [m].
  [[nodiscard]] S position(S t) const {
    const S c = this->given_.pair.c, e = this->eccentricity_;
    return detail::on_branch(factor_, start_ - this->k_ * c * std::sqrt(1 - e * e) * t) / this->k_ + c * t;
  }
  /// ṡ at the time t [m/s].
  [[nodiscard]] S speed(S t) const {
    const S c = this->given_.pair.c;
    return -c * this->eccentricity_ * std::cos(this->k_ * (position(t) - c * t));
  }
  /// U = ⟨u_t⟩ at the time t [m/s]; zero is said where G₁ = 0.
  [[nodiscard]] S velocity(S t) const { return this->velocity_at_speed(speed(t)); }

  /// u at the start.
  [[nodiscard]] Profile<S> first() const { return profile(this->given_.first); }
  /// v at the start.
  [[nodiscard]] Profile<S> second() const { return profile(this->given_.second); }

 private:
  [[nodiscard]] Profile<S> profile(S amplitude) const {
    const S k = this->k_, c = this->given_.pair.c;
    return {.displacement = [=](S x) { return amplitude * std::sin(k * x); },
            .velocity = [=](S x) { return -amplitude * k * c * std::cos(k * x); },
            .slope = [=](S x) { return amplitude * k * std::cos(k * x); }};
  }

  S factor_{};
  S start_{};
};

/// (3): a standing wave, at the start at rest with u = first · sin(kx + α) and v likewise.
template <PlainReal S = double>
class StandingWave : public detail::DrivenContact<S> {
 public:
  /// Throws std::invalid_argument for parameters that break their rules.
  explicit StandingWave(const WaveParameters<S>& given)
      : detail::DrivenContact<S>(given, "StandingWave"),
        phase_(given.pair.ends == Ends::free ? std::numbers::pi_v<S> / 2 : S(0)) {}

  /// s₁ = s₂ at the time t [m].
  [[nodiscard]] S position(S t) const {
    const auto& pair = this->given_.pair;
    const S e = this->eccentricity_, k = this->k_;
    const S growth = std::exp(e * (std::cos(k * pair.c * t) - 1));
    return (detail::on_branch(growth, k * pair.s1 + phase_) - phase_) / k;
  }
  /// ṡ at the time t [m/s].
  [[nodiscard]] S speed(S t) const {
    const S c = this->given_.pair.c, k = this->k_;
    return -c * this->eccentricity_ * std::sin(k * position(t) + phase_) * std::sin(k * c * t);
  }
  /// U = ⟨u_t⟩ at the time t [m/s]; zero is said where G₁ = 0.
  [[nodiscard]] S velocity(S t) const { return this->velocity_at_speed(speed(t)); }

  /// u at the start.
  [[nodiscard]] Profile<S> first() const { return profile(this->given_.first); }
  /// v at the start.
  [[nodiscard]] Profile<S> second() const { return profile(this->given_.second); }

 private:
  [[nodiscard]] Profile<S> profile(S amplitude) const {
    const S k = this->k_, phase = phase_;
    return {.displacement = [=](S x) { return amplitude * std::sin(k * x + phase); },
            .slope = [=](S x) { return amplitude * k * std::cos(k * x + phase); }};
  }

  S phase_;
};

}  // namespace dalembert::strings
