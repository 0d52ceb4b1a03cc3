#pragma once

#include <numbers>

#include <dalembert/assembly/body.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/string/detail/wave_step.hpp>
#include <dalembert/string/strings.hpp>

/// Strings on a grid, as bodies of an assembly: nodes x_i = i h with one displacement each, kept together by
/// the stretching of what is between,
///   m_i u_i,tt = T (u_{i+1} − 2 u_i + u_{i−1})/h,   T = ρ c²,   m_i = ρ h                         (1)
/// Fixed ends are nodes that do not move, free ones have half the mass; a closed string has as many nodes as
/// elements. Energy: ½ Σ m u_t² + ½ (T/h) Σ (u_{i+1} − u_i)². Ahead of a short wave on a string at
/// rest numbers fall below 1e-308, with which processors compute slowly unless they are told to flush them to
/// zero: a step may take half as long again.
namespace dalembert::strings {

/// A string of an assembly; see the head of this file.
template <PlainReal S = double>
class GridString {
 public:
  using Scalar = S;                       ///< the number type
  using Line = assembly::Line<S>;         ///< its nodes
  using Column = Vec<S, Eigen::Dynamic>;  ///< a number per node
  using Index = Eigen::Index;             ///< counts nodes
  using OnePass = GridString;             ///< it steps in one sweep

  /// What a string is made of.
  struct Parameters {
    S c = 1;                               ///< speed of the waves [m/s]
    S length = 2 * std::numbers::pi_v<S>;  ///< [m]
    int points = 512;                      ///< number of elements
    Ends ends = Ends::fixed;               ///< what both ends do
    S density = 1;                         ///< ρ, mass per length [kg/m]
    S damping = 0;                         ///< ν: every velocity falls at this rate [1/s]
  };

  /// Throws std::invalid_argument for speeds, lengths or densities that are not positive and finite, fewer
  /// than four elements, and damping that is negative.
  explicit GridString(Parameters p) : p_(p) {
    const auto positive = [](const char* name, S value) {
      require(value > 0 && std::isfinite(value), "GridString", name, value, "it must be positive and finite");
    };
    positive("c", p.c);
    positive("length", p.length);
    positive("density", p.density);
    require(p.points >= 4, "GridString", "points", p.points, "a string has at least four elements");
    require(p.damping >= 0 && std::isfinite(p.damping), "GridString", "damping", p.damping,
            "a damping rate must be finite and not negative [1/s]");
    spacing_ = p.length / S(p.points);
    stiffness_ = p.density * p.c * p.c / spacing_;
    inverse_ = S(1) / (p.density * spacing_);
    positive("stiffness of an element", stiffness_);
    positive("inverse mass of a node", inverse_);
  }

  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }  ///< as given
  /// Number of nodes.
  [[nodiscard]] Index nodes() const noexcept { return closed() ? p_.points : p_.points + 1; }
  /// Distance of neighbouring nodes [m].
  [[nodiscard]] S spacing() const noexcept { return spacing_; }
  /// Whether the end is the beginning.
  [[nodiscard]] bool closed() const noexcept { return p_.ends == Ends::periodic; }
  /// Where node k is [m].
  [[nodiscard]] S x(Index k) const noexcept { return S(k) * spacing_; }

  /// The line with this profile. Throws std::invalid_argument for a profile that the string cannot have.
  [[nodiscard]] Line line(const Profile<S>& profile) const {
    check_profile(profile, p_.ends, p_.length, "GridString");
    Line line{Column::Zero(nodes()), Column::Zero(nodes())};
    for (Index k = 0; k < nodes(); ++k) {
      if (profile.displacement) line.displacement[k] = profile.displacement(x(k));
      if (profile.velocity) line.velocity[k] = profile.velocity(x(k));
    }
    hold(*this, line, S(0));
    return line;
  }

  /// The forces of a configuration [N]; always true.
  bool forces(const Line& line, Column& f) const noexcept {
    const S* const u = line.displacement.data();
    S* const to = f.data();
    const Index last = nodes() - 1;
    for (Index k = 1; k < last; ++k) to[k] = stiffness_ * ((u[k + 1] - u[k]) - (u[k] - u[k - 1]));
    if (closed()) {
      to[0] = stiffness_ * ((u[1] - u[0]) - (u[0] - u[last]));
      to[last] = stiffness_ * ((u[0] - u[last]) - (u[last] - u[last - 1]));
    } else {
      to[0] = stiffness_ * (u[1] - u[0]);
      to[last] = -stiffness_ * (u[last] - u[last - 1]);
    }
    return true;
  }
  /// Accelerations of forces [m/s²]; false where they are not finite.
  bool accelerations(const Line& line, const Column& f, S, Column& a) const noexcept {
    a = inverse_ * f - p_.damping * line.velocity;
    at_ends([&](Index k, S share) { a[k] = share * inverse_ * f[k] - p_.damping * line.velocity[k]; });
    return std::isfinite(a.sum());
  }
  /// v += h M⁻¹ f.
  void kick(Line& line, const Column& f, S h) const noexcept {
    S* const v = line.velocity.data();
    const S* const by = f.data();
    const S factor = h * inverse_;
    const S first = v[0], last = v[nodes() - 1];
    for (Index k = 0; k < nodes(); ++k) v[k] += factor * by[k];
    at_ends([&](Index k, S share) { v[k] = (k == 0 ? first : last) + share * factor * by[k]; });
  }
  /// A kick by forces for a time `kick` [s], then free motion with the damping for h [s].
  void kick_drift(const Line& from, const Column& f, S kick, S, S h, Line& to) const noexcept {
    const S* const u = from.displacement.data();
    const S* const v = from.velocity.data();
    const S* const by = f.data();
    S* const u1 = to.displacement.data();
    S* const v1 = to.velocity.data();
    const S factor = kick * inverse_;
    if (p_.damping == S(0)) [[likely]] {
      for (Index k = 0; k < nodes(); ++k) {
        const S velocity = v[k] + factor * by[k];
        v1[k] = velocity;
        u1[k] = u[k] + h * velocity;
      }
    }
    const S decay = std::exp(-p_.damping * h),
            way = p_.damping == S(0) ? h : -std::expm1(-p_.damping * h) / p_.damping;
    const auto one = [&](Index k, S share) {
      const S velocity = v[k] + share * factor * by[k];
      v1[k] = decay * velocity;
      u1[k] = u[k] + way * velocity;
    };
    if (p_.damping != S(0)) [[unlikely]]
      for (Index k = 0; k < nodes(); ++k) one(k, S(1));
    at_ends(one);
  }

  /// One step of h [s] by its own forces: a kick for h/2, free motion with the damping for h, another kick
  /// for h/2, all in one sweep. `to` is another line than `from`.
  void step(const Line& from, S h, Line& to) const noexcept {
    wave_step(h)(from.displacement.data(), from.velocity.data(), to.displacement.data(), to.velocity.data());
  }
  /// What such a step has more of where the nodes from `first` on got impulses impulse·weights[j] [N s] with
  /// its first kick; on a closed string after the last node comes the first. A string is linear: what follows
  /// from them is added to what follows without.
  void add_impulse(const S* weights, Index first, Index count, S impulse, S h, Line& to) const noexcept {
    wave_step(h).add(weights, first, count, inverse_ * impulse, to.displacement.data(), to.velocity.data());
  }
  /// The forces on the nodes from `first` on alone [N].
  void forces(const Line& line, Index first, Index count, Column& f) const noexcept {
    const S* const u = line.displacement.data();
    S* const to = f.data();
    if (first > 0 && first + count < nodes()) [[likely]] {
      for (Index k = first; k < first + count; ++k)
        to[k] = stiffness_ * ((u[k + 1] - u[k]) - (u[k] - u[k - 1]));
      return;
    }
    const auto step = wave_step(S(0));
    for (Index j = 0; j < count; ++j) {
      const Index k = first + j < nodes() ? first + j : first + j - nodes();
      to[k] = stiffness_ * step.bend(u, k);
    }
  }

  /// 1/m of node k, 0 where it is held [1/kg].
  friend S inverse_mass(const GridString& s, Index k) noexcept {
    const bool at_end = !s.closed() && (k == 0 || k == s.nodes() - 1);
    return at_end ? s.share_of_end() * s.inverse_ : s.inverse_;
  }
  friend void hold(const GridString& s, Line& line, S) noexcept {
    if (s.p_.ends != Ends::fixed) return;
    for (const Index k : {Index(0), s.nodes() - 1}) line.displacement[k] = line.velocity[k] = S(0);
  }
  friend S damping_rate(const GridString& s) noexcept { return s.p_.damping; }
  friend bool has_prescribed_motion(const GridString&) noexcept { return false; }
  friend S kinetic_energy(const GridString& s, const Line& line) noexcept {
    S square = line.velocity.squaredNorm();
    const S first = line.velocity[0], last = line.velocity[s.nodes() - 1];
    if (!s.closed()) square -= (first * first + last * last) / 2;
    return square / (2 * s.inverse_);
  }
  friend S potential_energy(const GridString& s, const Line& line) noexcept {
    const auto& u = line.displacement;
    S square(0);
    for (Index k = 1; k < u.size(); ++k) square += (u[k] - u[k - 1]) * (u[k] - u[k - 1]);
    if (s.closed()) square += (u[0] - u[u.size() - 1]) * (u[0] - u[u.size() - 1]);
    return s.stiffness_ * square / 2;
  }
  friend S load_power(const GridString&, const Line&, const Column&, const Column&) noexcept { return S(0); }
  /// 2c/h, that of the shortest wave on the grid [rad/s].
  friend S frequency_bound(const GridString& s, const Line&) noexcept { return 2 * s.p_.c / s.spacing_; }

 private:
  [[nodiscard]] detail::WaveStep<S> wave_step(S h) const noexcept {
    const bool damped = p_.damping != S(0);
    return {.kick = h / 2 * stiffness_ * inverse_,
            .way = damped ? -std::expm1(-p_.damping * h) / p_.damping : h,
            .decay = damped ? std::exp(-p_.damping * h) : S(1),
            .end = share_of_end(),
            .closed = closed(),
            .nodes = nodes()};
  }
  /// The inverse mass of an end node over that of the others.
  [[nodiscard]] S share_of_end() const noexcept { return p_.ends == Ends::fixed ? S(0) : S(2); }
  /// f(node, share) for the ends of a string that is not closed.
  template <class F>
  void at_ends(F&& f) const noexcept {
    if (closed()) return;
    f(Index(0), share_of_end());
    f(nodes() - 1, share_of_end());
  }

  Parameters p_;
  S spacing_{}, stiffness_{}, inverse_{};
};

}  // namespace dalembert::strings
