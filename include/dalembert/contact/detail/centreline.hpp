#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/contact/kernel.hpp>
#include <dalembert/contact/lanes.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// The centreline of a rod as contacts have it, from its one end to the other:
///   R(s) = Σ α_k(s) r_k,  α_k = (h/ℓ) B̃((s − s_k)/ℓ),  B̃ the corrected quintic B-spline                (1)
///   ℓ = m h,  m = a/(2h) rounded to a whole number from 1 to 4                                          (2)
/// a radius, h spacing. Near an end the rod goes on as its image in the end node, r_{−j} = 2r₀ − r_j, and so
/// on where the image of the other end is reached; the weights of images fold onto nodes,
///   α₀ += 2α_{−j},  α_j −= α_{−j},                                                                      (3)
/// and so do α′, α″. Hence for a rod of two nodes or more R(0) = r₀, R″(0) = 0, Σα = 1, Σα′ = 0, R is twice
/// continuously differentiable, and a straight rod is straight. The spins Λω take the same weights.
/// With a/2 > 4.5h the kernel is narrower than half the radius: windows do not grow without bound.
/// A ball is a line of one point: R = r + Λp, R′ = R″ = 0.
///   Cells: the rod is cut into L/max(h, a/2) cells, rounded to a whole number n ≥ 1, of ℓ_c = L/n, centred
///   at c_k = kℓ_c, k = 0 … n: those at the ends are half as long.                                        (4)
namespace dalembert::contact::detail {

/// A point of a centreline: its window and equation (1).
template <class S>
struct CentrelinePoint {
  static constexpr int most = 24;  ///< nodes of a window

  S s{};                         ///< arc length of the unloaded rod [m]
  Eigen::Index first = 0;        ///< first node of the window
  int count = 0;                 ///< nodes of the window
  std::array<S, most> weight;    ///< α of its nodes
  std::array<S, most> slope;     ///< α′ of its nodes [1/m]
  Triple<S> node{0, 0, 0};       ///< a node of the window [m]
  Triple<S> from_node{0, 0, 0};  ///< R − node, without the rounding of far positions [m]
  Triple<S> dR{0, 0, 0};         ///< R′ [1]
  Triple<S> ddR{0, 0, 0};        ///< R″ [1/m]

  /// R [m].
  [[nodiscard]] Triple<S> R() const noexcept { return node + from_node; }
};

/// b − a of points anywhere in space.
template <class S>
[[nodiscard]] Triple<S> apart(const CentrelinePoint<S>& a, const CentrelinePoint<S>& b) noexcept {
  return (b.node - a.node) + (b.from_node - a.from_node);
}

/// A rod, or a ball, as contacts have it; see the head of this file.
template <class S>
class Centreline {
 public:
  using Index = Eigen::Index;  ///< counts nodes and cells

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
    c.put_units();
    const S cells = c.length_ / std::max(spacing, half);
    c.cells_ = std::max<Index>(1, static_cast<Index>(number::plain(cells) + 0.5));
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
    constexpr int width = lane_width<S>;
    alignas(64) std::array<S, CentrelinePoint<S>::most> curve;
    const S at = s * per_spacing_;
    Index element = static_cast<Index>(number::plain(at));
    if (at < S(0)) --element;
    element = std::clamp<Index>(element, -multiple_, nodes_ - 2 + multiple_);
    const int half = CorrectedQuinticSpline::reach * multiple_;
    p.first = element - half + 1;
    p.count = 2 * half;
    const S begin = (at - S(element)) + S(half - 1);
    for (int i = 0; i < p.count; i += width) {
      const L x = (L(begin) - rod::lane_index<L>(i)) * L(per_multiple_);
      const KernelValue<L> b = CorrectedQuinticSpline{}(x);
      rod::store(L(L(unit_[0]) * b.value), &p.weight[static_cast<std::size_t>(i)]);
      rod::store(L(L(unit_[1]) * b.first), &p.slope[static_cast<std::size_t>(i)]);
      rod::store(L(L(unit_[2]) * b.second), &curve[static_cast<std::size_t>(i)]);
    }
    if (p.first < 0 || p.first + p.count > nodes_) [[unlikely]]
      fold(p, curve);
    put_sums(chain, p, curve);
  }

 private:
  using L = Lane<S>;
  using Weights = std::array<S, CentrelinePoint<S>::most>;

  void put_units() noexcept {
    per_multiple_ = S(1) / S(multiple_);
    unit_[0] = per_multiple_;
    unit_[1] = unit_[0] * per_multiple_ * per_spacing_;
    unit_[2] = unit_[1] * per_multiple_ * per_spacing_;
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
    const S* const x = chain.configuration.data() + p.first;
    const S* const y = x + chain.configuration.rows();
    const S* const z = y + chain.configuration.rows();
    const int middle = p.count / 2;
    const Triple<S> node(x[middle], y[middle], z[middle]);
    Triple<S> r0(0, 0, 0), r1(0, 0, 0), r2(0, 0, 0);
    for (int i = 0; i < p.count; ++i) {
      const Triple<S> r = Triple<S>(x[i], y[i], z[i]) - node;
      const auto j = static_cast<std::size_t>(i);
      r0 += p.weight[j] * r;
      r1 += p.slope[j] * r;
      r2 += curve[j] * r;
    }
    p.node = node;
    p.from_node = r0;
    p.dR = r1;
    p.ddR = r2;
  }

  [[gnu::noinline]] void put_ball(const rod::Chain<S>& chain, CentrelinePoint<S>& p) const noexcept {
    p.first = node_;
    p.count = 1;
    p.weight[0] = S(1);
    p.slope[0] = S(0);
    p.node = Triple<S>(chain.position(node_));
    p.from_node = Triple<S>(chain.rotation(node_).act(centre));
    p.dR = p.ddR = Triple<S>(0, 0, 0);
  }

  Index nodes_ = 0, node_ = 0, cells_ = 0;
  int multiple_ = 1;
  S spacing_{}, per_spacing_{}, length_{}, cell_length_{}, per_multiple_{1};
  std::array<S, 3> unit_{};  // what B̃, B̃′, B̃″ are multiplied by
};

}  // namespace dalembert::contact::detail
