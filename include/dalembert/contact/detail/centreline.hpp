#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <dalembert/contact/detail/centreline_point.hpp>
#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/contact/kernel.hpp>
#include <dalembert/contact/lanes.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// The centreline of a rod as contacts have it, from its one end to the other:
///   R(s) = Σ α_k(s) r_k,  α_k = (h/ℓ) B̃((s − s_k)/ℓ),  B̃ the corrected quintic B-spline     (1)
///   ℓ = m h,  m = a/(2h) rounded to a whole number from 1 to 4                                         (2)
/// a radius, h spacing. Near an end the rod goes on as its image in the end node, r_{−j} = 2r₀ − r_j,
/// and so on where the image of the other end is reached; the weights of images fold onto nodes,
///   α₀ += 2α_{−j},  α_j −= α_{−j},                                                           (3)
/// and so do α′, α″. Hence for a rod of two nodes or more R(0) = r₀, R″(0) = 0, Σα = 1, Σα′ =
/// 0, R is twice continuously differentiable, and a straight rod is straight. The spins Λω take the same
/// weights. With a/2 > 4.5h the kernel is narrower than half the radius: windows do not grow without bound. A
/// ball is a line of one point: R = r + Λp, R′ = R″ = 0.
///   Cells: the rod is cut into L/max(h, a/2) cells, rounded to a whole number n ≥ 1, of ℓ_c = L/n,
///   centred at c_k = kℓ_c, k = 0 … n: those at the ends are half as long.                           (4)
namespace dalembert::contact::detail {

/// A rod, or a ball, as contacts have it; see the head of this file.
template <class S>
class Centreline {
 public:
  using Index = Eigen::Index;                                  ///< counts nodes and cells
  static constexpr int reach = CorrectedQuinticSpline::reach;  ///< of the kernel, in widths

  std::size_t body = 0;                  ///< number of the body
  S radius{};                            ///< a [m]
  Vec<S, 3> centre = Vec<S, 3>::Zero();  ///< p of a ball, in the frame of its node [m]

  /// Of a rod. Throws std::invalid_argument for a spacing or radius that is not positive and finite, and for
  /// less than two nodes.
  [[nodiscard]] static Centreline of_rod(std::size_t body, Index nodes, S spacing, S radius) {
    check_radius("Centreline", "radius", radius);
    require(nodes >= 2, "Centreline", "nodes", nodes, "a rod has two or more");
    require(spacing > S(0) && number::isfinite(spacing * S(nodes)), "Centreline", "spacing", spacing,
            "a spacing must be positive, and the length of the rod finite [m]");
    Centreline c;
    c.body = body;
    c.radius = radius;
    c.nodes_ = nodes;
    c.spacing_ = spacing;
    c.per_spacing_ = S(1) / spacing;
    c.length_ = spacing * S(nodes - 1);
    const S half = radius / S(2);
    while (c.multiple_ < 4 && half >= (S(c.multiple_) + S(0.5)) * spacing) ++c.multiple_;
    c.powers_ = &powers_of(c.multiple_);
    const S cells = c.length_ / std::max(spacing, half);
    c.cells_ = std::max<Index>(1, static_cast<Index>(std::floor(number::plain(cells) + 0.5)));
    c.cell_length_ = half > spacing ? c.length_ / S(c.cells_) : spacing;
    return c;
  }
  /// Of a ball about p of node `node`. Throws std::invalid_argument for a radius that is not positive and
  /// finite.
  [[nodiscard]] static Centreline of_ball(std::size_t body, Index node, const Vec<S, 3>& p, S radius) {
    check_radius("Centreline", "radius", radius);
    Centreline c;
    c.body = body;
    c.radius = radius;
    c.centre = p;
    c.nodes_ = 1;
    c.node_ = node;
    return c;
  }

  [[nodiscard]] bool is_ball() const noexcept { return nodes_ == 1; }
  /// Nodes of the rod; 1 for a ball.
  [[nodiscard]] Index nodes() const noexcept { return nodes_; }
  /// The node of a ball.
  [[nodiscard]] Index node() const noexcept { return node_; }
  /// h; 0 for a ball [m].
  [[nodiscard]] S spacing() const noexcept { return spacing_; }
  /// L; 0 for a ball [m].
  [[nodiscard]] S length() const noexcept { return length_; }
  /// m of (2).
  [[nodiscard]] int multiple() const noexcept { return multiple_; }
  /// ℓ [m].
  [[nodiscard]] S kernel_width() const noexcept { return S(multiple_) * spacing_; }
  /// Nodes of a window, at most.
  [[nodiscard]] int window() const noexcept { return is_ball() ? 1 : 2 * reach * multiple_; }
  /// n of (4): the cells are 0 … n.
  [[nodiscard]] Index cells() const noexcept { return cells_; }
  /// ℓ_c [m].
  [[nodiscard]] S cell_length() const noexcept { return cell_length_; }
  /// c_k [m].
  [[nodiscard]] S cell_centre(Index k) const noexcept { return k == cells_ ? length_ : S(k) * cell_length_; }
  /// Where cell k begins [m]; cell n + 1 begins at the end of the rod.
  [[nodiscard]] S cell_begin(Index k) const noexcept {
    return k <= 0 ? S(0) : k > cells_ ? length_ : (S(k) - S(0.5)) * cell_length_;
  }

  /// The point at s, from a kernel width before the rod to a kernel width behind it; of a ball, its centre.
  [[gnu::flatten]] void put(const rod::Chain<S>& chain, S s, CentrelinePoint<S>& p) const noexcept {
    p.s = s;
    if (is_ball()) return put_ball(chain, p);
    Weights curve;
    const S at = s * per_spacing_;
    Index element = static_cast<Index>(number::plain(at));
    if (at < S(0)) --element;
    element = std::clamp<Index>(element, -multiple_, nodes_ - 2 + multiple_);
    p.count = window();
    p.first = element - p.count / 2 + 1;
    const L x(at - S(element)), per(per_spacing_), twice(S(2) * per_spacing_ * per_spacing_);
    const Powers& powers = *powers_;
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.count); i += lanes) {  // Horner's scheme
      const auto coefficient = [&](std::size_t power) { return rod::load<S, L>(&powers[power][i]); };
      L value = coefficient(5), first = value, second = first;
      value = value * x + coefficient(4);
      first = first * x + value;
      value = value * x + coefficient(3);
      second = second * x + first;
      first = first * x + value;
      value = value * x + coefficient(2);
      second = second * x + first;
      first = first * x + value;
      value = value * x + coefficient(1);
      second = second * x + first;
      first = first * x + value;
      value = value * x + coefficient(0);
      rod::store(value, &p.weight[i]);
      rod::store(L(first * per), &p.slope[i]);
      rod::store(L(second * twice), &curve[i]);
    }
    if (p.first < 0 || p.first + p.count > nodes_) [[unlikely]]
      fold(p, curve);
    put_sums(chain, p, curve);
  }

  /// The points at nodes from `begin` on, as `put` has them; each is the same wherever it begins.
  template <int nodes>
  void put_nodes(const rod::Chain<S>& chain, Index begin, CentrelineNodes<S, nodes>& points) const noexcept {
    constexpr int most = CentrelineNodes<S, nodes>::most;
    const int beside = reach * multiple_ - 1;
    std::array<std::array<S, most + CentrelinePoint<S>::most>, 3> r;  // of nodes and their images
    for (int i = 0; i < most + 2 * beside; ++i) {
      const Triple<S> at = image(chain, begin - beside + i);
      const auto to = static_cast<std::size_t>(i);
      r[0][to] = at.x, r[1][to] = at.y, r[2][to] = at.z;
    }
    points.bend.fill(S(0));
    const Powers& powers = *powers_;
    const L per(per_spacing_), twice(S(2) * per_spacing_ * per_spacing_);
    for (std::size_t k = 0; k < static_cast<std::size_t>(most); k += lanes)
      for (std::size_t c = 0; c < 3; ++c) {
        const L node = rod::load<S, L>(&r[c][k + static_cast<std::size_t>(beside)]);
        L r0(S(0)), r1(S(0)), r2(S(0));
        for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(beside) + 1; ++i) {
          const L x = rod::load<S, L>(&r[c][k + i]) - node;
          r0 += L(powers[0][i]) * x;
          r1 += L(powers[1][i]) * x;
          r2 += L(powers[2][i]) * x;
        }
        r2 *= twice;
        rod::store(L(node + r0), &points.R[c][k]);
        rod::store(L(r1 * per), &points.dR[c][k]);
        rod::store(L(rod::load<S, L>(&points.bend[k]) + r2 * r2), &points.bend[k]);
      }
  }

 private:
  using L = Lane<S>;
  using Weights = std::array<S, CentrelinePoint<S>::most>;

  static constexpr std::size_t lanes = lane_width<S>;

  /// α of the nodes of a window as polynomials of where in its element a point is: by value, slope and curve
  /// of the kernel at both ends of it. Their coefficients are whole multiples of 1/(480 m⁶).
  using Powers = std::array<Weights, 6>;
  [[nodiscard, gnu::cold, gnu::noinline]] static const Powers& powers_of(int multiple) {
    static const std::array all{powers(1), powers(2), powers(3), powers(4)};
    return all[static_cast<std::size_t>(multiple - 1)];
  }
  [[nodiscard, gnu::cold, gnu::noinline]] static Powers powers(int multiple) noexcept {
    Powers all;
    for (auto& power : all) power.fill(S(0));
    const double m = multiple, unit = 480 * m * m * m * m * m * m;
    for (int i = 0; i < 2 * reach * multiple; ++i) {
      const double x = (reach * multiple - 1 - i) / m;
      const auto [v0, d0, c0] = CorrectedQuinticSpline{}(x);
      const auto [v1, d1, c1] = CorrectedQuinticSpline{}(x + 1 / m);
      const double rise = v1 - v0, b0 = d0 / m, b1 = d1 / m, e0 = c0 / (2 * m * m), e1 = c1 / (2 * m * m);
      const std::array powers{v0,
                              b0,
                              e0,
                              10 * rise - 6 * b0 - 4 * b1 - 3 * e0 + e1,
                              -15 * rise + 8 * b0 + 7 * b1 + 3 * e0 - 2 * e1,
                              6 * rise - 3 * b0 - 3 * b1 - e0 + e1};
      for (std::size_t power = 0; power < 6; ++power)
        all[power][static_cast<std::size_t>(i)] = S(std::round(powers[power] / m * unit) / unit);
    }
    return all;
  }

  /// A node, or the image of one.
  [[nodiscard]] Triple<S> image(const rod::Chain<S>& chain, Index k) const noexcept {
    const auto at = [&](Index i) { return rod::load3<0, S>(chain.configuration, i); };
    if (k >= 0 && k < nodes_) return at(k);
    const Index mirror = k < 0 ? 0 : nodes_ - 1;
    return S(2) * at(mirror) - image(chain, 2 * mirror - k);
  }

  /// Equation (3).
  [[gnu::noinline]] void fold(CentrelinePoint<S>& p, Weights& curve) const noexcept {
    const Index last = nodes_ - 1, from = p.first;
    Index begin = std::max<Index>(from, 0), end = std::min(from + p.count - 1, last);
    if (from < 0) end = std::min(std::max(end, -from), last);
    if (from + p.count - 1 > last) begin = std::max<Index>(std::min(begin, 2 * last - from - p.count + 1), 0);
    const Weights weight = p.weight, slope = p.slope, second = curve;
    p.weight.fill(S(0));
    p.slope.fill(S(0));
    curve.fill(S(0));
    const auto add = [&](Index node, S sign, std::size_t i) {
      const auto to = static_cast<std::size_t>(node - begin);
      p.weight[to] += sign * weight[i];
      p.slope[to] += sign * slope[i];
      curve[to] += sign * second[i];
    };
    for (int i = 0; i < p.count; ++i) {
      Index k = from + i;
      S sign(1);
      while (k < 0 || k > last) {
        const Index mirror = k < 0 ? 0 : last;
        add(mirror, S(2) * sign, static_cast<std::size_t>(i));
        sign = -sign;
        k = 2 * mirror - k;
      }
      add(k, sign, static_cast<std::size_t>(i));
    }
    p.first = begin;
    p.count = static_cast<int>(end - begin + 1);
  }

  static void put_sums(const rod::Chain<S>& chain, CentrelinePoint<S>& p, const Weights& curve) noexcept {
    const Triple<S> node = rod::load3<0, S>(chain.configuration, p.first + p.count / 2);
    const Triple<L> zero{L(S(0)), L(S(0)), L(S(0))}, from{L(node.x), L(node.y), L(node.z)};
    Triple<L> r0 = zero, r1 = zero, r2 = zero;
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.count); i += lanes) {
      const Triple<L> r = rod::load3<0, L>(chain.configuration, p.first + static_cast<Index>(i)) - from;
      r0 += rod::load<S, L>(&p.weight[i]) * r;
      r1 += rod::load<S, L>(&p.slope[i]) * r;
      r2 += rod::load<S, L>(&curve[i]) * r;
    }
    p.node = node;
    p.from_node = Triple<S>(rod::lane_sum(r0));
    p.dR = Triple<S>(rod::lane_sum(r1));
    p.ddR = Triple<S>(rod::lane_sum(r2));
  }

  [[gnu::noinline]] void put_ball(const rod::Chain<S>& chain, CentrelinePoint<S>& p) const noexcept {
    p.first = node_;
    p.count = 1;
    std::fill_n(p.weight.begin(), lanes, S(0));
    std::fill_n(p.slope.begin(), lanes, S(0));
    p.weight[0] = S(1);
    p.node = Triple<S>(chain.position(node_));
    p.from_node = Triple<S>(chain.rotation(node_).act(centre));
    p.dR = p.ddR = Triple<S>(0, 0, 0);
  }

  Index nodes_ = 0, node_ = 0, cells_ = 0;
  int multiple_ = 1;
  S spacing_{}, per_spacing_{}, length_{}, cell_length_{};
  const Powers* powers_ = nullptr;
};

}  // namespace dalembert::contact::detail
