#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/contact/smear.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/string/strings.hpp>

/// Strings on a grid, as bodies of an assembly: nodes x_i = i h with one displacement each, kept together by the stretching of what is between,
///   m_i u_i,tt = T (u_{i+1} − 2 u_i + u_{i−1})/h,   T = ρ c²,   m_i = ρ h                                              (1)
/// and a place on them that moves along, averaged over the nodes by a kernel as a contact of rods is (contact/smear.hpp). Fixed ends are nodes that do not
/// move, free ones have half the mass; a closed string has as many nodes as elements.
/// Energy: ½ Σ m u_t² + ½ (T/h) Σ (u_{i+1} − u_i)².
namespace dalembert::string {

/// A string of an assembly; see the head of this file.
template <PlainReal S>
class GridString {
 public:
  using Scalar = S;                          ///< the number type
  using Line = assembly::Line<S>;            ///< its nodes
  using Column = Vec<S, Eigen::Dynamic>;     ///< a number per node
  using Index = Eigen::Index;                ///< counts nodes

  /// What a string is made of.
  struct Parameters {
    S c = 1;                                     ///< speed of the waves [m/s]
    S length = 2 * std::numbers::pi_v<S>;        ///< [m]
    int points = 512;                            ///< number of elements
    Ends ends = Ends::fixed;                     ///< what both ends do
    S density = 1;                               ///< ρ, mass per length [kg/m]
    S damping = 0;                               ///< ν: every velocity falls at this rate [1/s]
  };

  /// Throws std::invalid_argument for speeds, lengths or densities that are not positive and finite, fewer than four elements, and damping that is
  /// negative.
  [[gnu::cold]] explicit GridString(const Parameters& p) : p_(p) {
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
  [[nodiscard, gnu::cold]] Line line(const Profile<S>& profile) const {
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
  friend bool moves_by_itself(const GridString&) noexcept { return false; }
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

/// A place on a string that moves along it; its s is an internal coordinate of the constraint.
template <class S, contact::Kernel K = contact::CubicSpline>
class StringPlace {
 public:
  static constexpr bool slides = true;   ///< one internal coordinate
  static constexpr bool on_line = true;  ///< of an assembly's lines
  using L = contact::Lane<S>;            ///< lanes of nodes

  std::size_t body = 0;  ///< number of the body

  /// On body number `number`, which is this string, with a kernel of width ℓ [m]. Throws std::invalid_argument as `contact::Smear` does.
  [[gnu::cold]] StringPlace(std::size_t number, const GridString<S>& string, S kernel_width, K kernel = {})
      : body(number),
        smear_(kernel, kernel_width, string.spacing(), string.nodes() + 2 * margin(string, kernel_width)),
        c_(string.parameters().c),
        nodes_(string.nodes()),
        margin_(margin(string, kernel_width)) {
    require(smear_.window() <= nodes_, "StringPlace", "kernel_width", kernel_width,
            "the kernel must be shorter than the string");
  }

  /// The speed of waves there [m/s].
  [[nodiscard]] S c() const noexcept { return c_; }
  /// Number of nodes that bear it.
  [[nodiscard]] Eigen::Index count() const noexcept { return smear_.window(); }
  /// As far as a position may move in one step of Newton's method [m].
  [[nodiscard]] S reach() const noexcept { return smear_.kernel_width(); }
  /// Its velocity is that of the string.
  [[nodiscard]] bool beside_node() const noexcept { return false; }
  /// It is on the string [m].
  [[nodiscard]] Vec<S, 3> arm(const assembly::Point<S>&) const noexcept { return {S(0), S(0), S(0)}; }

  /// Throws std::invalid_argument for a body that is not there, or another string.
  void check(const std::vector<assembly::Line<S>>& lines, const std::string& what) const {
    require(body < lines.size(), what, "string of a place", body, message({"there are ", lines.size(), " bodies"}));
    require(lines[body].displacement.size() == nodes_, what, "nodes of a place", nodes_,
            message({"string ", body, " has ", lines[body].displacement.size(), " nodes"}));
  }
  /// Where it is for the position s [m], its nodes, and their weights α if there is room for them. Throws ContactAtEnd, NotFinite.
  void find(const std::vector<assembly::Line<S>>& lines, S s, S time, assembly::Point<S>& p,
            assembly::Window& window, S* weights) const {
    contact::SmearedPoint<S> point = placed(s, time);
    p.s = s;
    window.body = body;
    window.line = true;
    window.around = margin_ > 0 ? nodes_ : 0;
    window.first = first(point);
    if (weights)
      for (int pack = 0; pack < point.packs; ++pack)
        rod::store(smear_.weights(point, pack).value, weights + pack * contact::lane_width<S>);
    const auto [u, slope] = averages(point, lines[body].displacement);
    p.R = {u, S(0), S(0)};
    p.dR = {slope, S(0), S(0)};
  }
  /// How the string moves there.
  void find_velocity(const std::vector<assembly::Line<S>>& lines, assembly::Point<S>& p) const {
    const auto [u, slope] = averages(placed(p.s, S(0)), lines[body].velocity);
    p.V = {u, S(0), S(0)};
    p.dV = {slope, S(0), S(0)};
  }
  /// The rate of what is seen of it at this time while it stays where it is.
  [[nodiscard]] assembly::Moved<S> moved(const assembly::Point<S>& p) const { return {p.V, p.dV}; }
  /// How what is seen of it changes with its position.
  [[nodiscard]] assembly::Moved<S> slid(const assembly::Point<S>& p) const { return {p.dR, p.ddR}; }
  /// How what is seen of it changes while the nodes keep their velocities and it moves at `rate` = ṡ [m/s].
  [[nodiscard]] assembly::Passing<S> passing(const assembly::Point<S>& p, S rate) const {
    return {p.V + rate * p.dR, rate * p.dV, Vec<S, 3>(S(0), S(0), S(0))};
  }
  /// What is seen of it: one number each, as x.
  template <class T>
  [[nodiscard]] assembly::Seen<T> seen(const assembly::Moving<T>& x) const {
    return {x.R, x.dR, x.rotation, x.V, x.W};
  }

 private:
  /// A closed string goes on beyond its ends for as many nodes as a window is wide.
  [[nodiscard]] static Eigen::Index margin(const GridString<S>& string, S kernel_width) {
    if (!string.closed()) return 0;
    if (!(kernel_width > S(0)) || !(kernel_width < string.parameters().length)) return 1;
    return static_cast<Eigen::Index>(std::ceil(S(K::reach + 1) * kernel_width / string.spacing())) + K::reach + 2;
  }
  [[nodiscard]] contact::SmearedPoint<S> placed(S s, S time) const {
    const S length = S(nodes_) / S(1) * smear_.spacing();
    const S at = margin_ > 0 ? s - std::floor(s / length) * length + S(margin_) * smear_.spacing() : s;
    contact::SmearedPoint<S> point;
    smear_.place(at, static_cast<double>(time), static_cast<int>(body) + 1, point);
    smear_.normalise(point);
    return point;
  }
  [[nodiscard]] Eigen::Index first(const contact::SmearedPoint<S>& p) const noexcept {
    const Eigen::Index k = p.first - margin_;
    return k < 0 ? k + nodes_ : k >= nodes_ ? k - nodes_ : k;
  }
  /// Σ α x and Σ α′ x.
  [[nodiscard]] std::pair<S, S> averages(const contact::SmearedPoint<S>& p,
                                         const Vec<S, Eigen::Dynamic>& x) const {
    constexpr Eigen::Index width = contact::lane_width<S>;
    S sum(0), slope(0);
    const Eigen::Index begin = first(p);
    for (int pack = 0; pack < p.packs; ++pack) {
      const auto w = smear_.weights(p, pack);
      alignas(64) S value[static_cast<std::size_t>(width)], change[static_cast<std::size_t>(width)];
      rod::store(w.value, value);
      rod::store(w.first, change);
      const Eigen::Index done = pack * width, count = std::min(width, smear_.window() - done);
      for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index k = begin + done + i, at = k < nodes_ ? k : k - nodes_;
        sum += value[i] * x[at];
        slope += change[i] * x[at];
      }
    }
    return {sum, slope};
  }

  contact::Smear<S, K> smear_;
  S c_;
  Eigen::Index nodes_, margin_;
};

/// Two strings that roll on each other without slip where the contact is spread over their nodes, with the notation of string/strings.hpp:
///   Σ α u_t = F Σ β v_t,   ṡ₁ = G₁ Σ α u_t,   ṡ₂ = G₂ Σ β v_t                                                          (2)
/// Its multiplier is minus the λ there [N]. The energy of the grid is kept exactly by (1) and (2), whatever the kernel.
template <class S, contact::Kernel K = contact::CubicSpline>
struct GridContact {
  using Scalar = S;                            ///< the number type
  static constexpr const char* name = "GridContact";

  StringPlace<S, K> first;   ///< on the string of u
  StringPlace<S, K> second;  ///< on that of v
  S F = 1;                   ///< ratio of the velocities
  S G1 = 0;                  ///< ratio of the contact's speed to the first string's
  S G2 = 0;                  ///< the same of the second

  [[nodiscard]] auto places() const { return std::tie(first, second); }
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity(const assembly::Seen<T>& x, const assembly::Seen<T>& y, const T&) const {
    return Vec<T, 1>(x.velocity[0] - T(F) * y.velocity[0]);
  }
  [[nodiscard]] assembly::Rows<S, 1, 2> coefficients(const assembly::Seen<S>&, const assembly::Seen<S>&,
                                                     const S&) const {
    assembly::Rows<S, 1, 2> rows;
    for (int i = 0; i < 2; ++i) {
      rows.linear[static_cast<std::size_t>(i)] << (i == 0 ? S(1) : -F), S(0), S(0);
      rows.angular[static_cast<std::size_t>(i)].setZero();
    }
    rows.known[0] = S(0);
    return rows;
  }
  [[nodiscard]] Vec<S, 1> drift(const assembly::Seen<S>&, const assembly::Seen<S>&,
                                const assembly::Passing<S>& x, const assembly::Passing<S>& y, const S&) const {
    return Vec<S, 1>(x.velocity[0] - F * y.velocity[0]);
  }
  [[nodiscard]] Vec<S, 2> sliding(const assembly::Seen<S>& x, const assembly::Seen<S>& y, const S&) const {
    return {G1 * x.velocity[0], G2 * y.velocity[0]};
  }
  /// Throws SupersonicContact where the contact is not slower than the waves.
  void check(const Vec<S, 1>&, const assembly::Seen<S>& x, const assembly::Seen<S>& y, const S& time) const {
    const S ratio = std::max(std::abs(G1 * x.velocity[0]) / first.c(), std::abs(G2 * y.velocity[0]) / second.c());
    if (ratio >= S(1)) [[unlikely]]
      throw SupersonicContact(static_cast<double>(ratio), static_cast<double>(time));
  }
  /// Throws std::invalid_argument for ratios that are not finite, and F = 0.
  void check_parameters() const {
    require(std::isfinite(F) && F != S(0), name, "F", F, "the ratio of velocities must be finite and not zero");
    require(std::isfinite(G1), name, "G1", G1, "the ratio of speeds must be finite");
    require(std::isfinite(G2), name, "G2", G2, "the ratio of speeds must be finite");
  }
};

}  // namespace dalembert::string
