#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/contact/kernel.hpp>
#include <dalembert/contact/lanes.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// Averaging a material point of a rod over its nodes:
///   α_k(s) = (h/ℓ) B((s − s_k)/ℓ), or α_k = B_k / Σ B for a kernel without partition of unity  (1)
///   R = Σ α_k r_k,  R′ = Σ α′_k r_k,  R″ = Σ α″_k r_k,  a prime is d/ds  (2)
/// The width ℓ is a physical length; it is rounded to a multiple of the spacing h, at least h.
namespace dalembert::contact {

/// α, α′, α″ of the nodes in the lanes.
template <class L>
using Weights = KernelValue<L>;

/// An averaged material point: where its window lies, and equation (2).
template <class S = double>
struct AveragedPoint {
  S s{};                   ///< arc length of the unloaded rod [m]
  Eigen::Index first = 0;  ///< first node of the window
  int packs = 0;           ///< packs of nodes in the window
  S sum0{1};               ///< Σ B
  S sum1{};                ///< dΣB/ds [1/m]
  S sum2{};                ///< d²ΣB/ds² [1/m²]
  Vec<S, 3> R;             ///< [m]
  Vec<S, 3> dR;            ///< R′ [1]
  Vec<S, 3> ddR;           ///< R″ [1/m]
  S square{};              ///< Σ α²
  S square_slope{};        ///< Σ α α′, half the slope of Σ α² [1/m]
  S square_curve{};        ///< Σ α′² + α α″, half its second derivative [1/m²]
};

/// Averages over the nodes of one rod with a kernel of width ℓ.
template <class S, Kernel K, class Lanes = Lane<S>>
class KernelAverage {
 public:
  using L = Lanes;                                                  ///< lanes of nodes
  using Index = Eigen::Index;                                       ///< counts nodes
  static constexpr int width = static_cast<int>(rod::width_of<L>);  ///< lanes

  /// For a rod of `nodes` nodes at a distance `spacing` [m] and a kernel width [m]. Throws
  /// std::invalid_argument for a spacing or width that is not positive and finite, and for a kernel wider
  /// than the rod. A kernel over all nodes must also be wider than a tenth of the spacing: between two nodes
  /// a narrower one is as good as zero.
  KernelAverage(K kernel, S kernel_width, S spacing, Index nodes)
      : kernel_(kernel), per_spacing_(S(1) / spacing), nodes_(nodes) {
    require(spacing > 0 && number::isfinite(per_spacing_) && number::isfinite(spacing * S(nodes)),
            "KernelAverage", "spacing", spacing,
            "a spacing must be positive, and the length of the rod finite [m]");
    require(kernel_width > 0 && kernel_width < std::numeric_limits<S>::infinity(), "KernelAverage",
            "kernel_width", kernel_width, "a kernel width must be positive and finite [m]");
    if constexpr (K::reach > 0) {
      const S multiple = S(std::max(1.0, number::plain(number::round(kernel_width / spacing))));
      require(2 * K::reach * multiple + 2 <= S(nodes), "KernelAverage", "kernel_width", kernel_width,
              "the kernel must be shorter than the rod");
      ell_ = multiple * spacing;
      half_ = K::reach * static_cast<Index>(number::plain(multiple));
    } else {
      require(kernel_width <= spacing * S(nodes - 1), "KernelAverage", "kernel_width", kernel_width,
              "the kernel must be shorter than the rod");
      require(kernel_width >= spacing / S(10), "KernelAverage", "kernel_width", kernel_width,
              "the kernel must not be narrower than a tenth of the spacing");
      ell_ = kernel_width;
      half_ = nodes;
    }
    scale_ = spacing / ell_;
    const S unit = K::partition_of_unity ? scale_ : S(1);
    unit_ = {unit, unit / ell_, unit / (ell_ * ell_)};
    require(number::isfinite(unit_.second), "KernelAverage", "kernel_width", kernel_width,
            "its square must have a finite inverse [m]");
  }

  /// The width in use [m].
  [[nodiscard]] S kernel_width() const noexcept { return ell_; }

  /// The distance of neighbouring nodes of the unloaded rod [m].
  [[nodiscard]] S spacing() const noexcept { return S(1) / per_spacing_; }

  /// Nodes of the rod that it was made for.
  [[nodiscard]] Index nodes() const noexcept { return nodes_; }

  /// Number of nodes in a window.
  [[nodiscard]] Index window() const noexcept { return K::reach > 0 ? 2 * half_ : nodes_; }
  /// Packs of nodes in a window.
  [[nodiscard]] int packs() const noexcept { return static_cast<int>((window() + width - 1) / width); }

  /// The window around s; throws ContactAtEnd if it leaves the rod or holds one of its end nodes, or s lies
  /// beyond them where a kernel reaches all nodes, NotFinite for an s that is not finite.
  void place(S s, double time, int rod, AveragedPoint<S>& p) const {
    p.s = s;
    if constexpr (K::reach > 0) {
      const S cell(number::floor(s * per_spacing_));
      const S lowest = cell - S(half_) + S(1);
      if (!(lowest >= S(1) && lowest + S(2 * half_) <= S(nodes_ - 1))) throw_at_end(s, time, rod);
      p.first = static_cast<Index>(number::plain(lowest));
    } else {
      if (!(s >= S(0) && s * per_spacing_ <= S(nodes_ - 1))) throw_at_end(s, time, rod);
      p.first = 0;
    }
    p.packs = packs();
  }

  /// The sums of B over the nodes at a point that was placed, which normalise α and its slopes.
  void normalise(AveragedPoint<S>& p) const noexcept {
    if constexpr (!K::partition_of_unity) {
      const Triple<L> zero{L(S(0)), L(S(0)), L(S(0))};
      Triple<L> sums = zero;
      for (int pack = 0; pack < p.packs; ++pack) {
        const Weights<L> b = raw(p, pack);
        sums += Triple<L>{b.value, b.first, b.second};
      }
      const Vec<S, 3> g = rod::lane_sum(sums);
      p.sum0 = g[0];
      p.sum1 = g[1];
      p.sum2 = g[2];
    }
  }

  /// The averaged point at s on `chain`, equation (2); throws as `place` does.
  [[nodiscard, gnu::flatten]] AveragedPoint<S> at(const rod::Chain<S>& chain, S s, double time,
                                                  int rod) const {
    AveragedPoint<S> p;
    put_sums<true>(chain, s, time, rod, p, static_cast<S*>(nullptr));
    return p;
  }
  /// Its R, R′ and R″ alone, and α of its nodes, if there is room for them.
  [[gnu::flatten]] void put_place(const rod::Chain<S>& chain, S s, double time, int rod, AveragedPoint<S>& p,
                                  S* weights) const {
    put_sums<false>(chain, s, time, rod, p, weights);
  }

  /// α, α′, α″ of the nodes p.first + pack·W + lane.
  [[nodiscard]] Weights<L> weights(const AveragedPoint<S>& p, int pack) const noexcept {
    Weights<L> w = raw(p, pack);
    if constexpr (!K::partition_of_unity) {
      const L inverse(S(1) / p.sum0);
      w.value = w.value * inverse;
      w.first = (w.first - w.value * L(p.sum1)) * inverse;
      w.second = (w.second - L(S(2) * p.sum1) * w.first - L(p.sum2) * w.value) * inverse;
    }
    return w;
  }

 private:
  template <bool squares>
  void put_sums(const rod::Chain<S>& chain, S s, double time, int rod, AveragedPoint<S>& p,
                S* weights) const {
    place(s, time, rod, p);
    normalise(p);
    const Triple<L> zero{L(S(0)), L(S(0)), L(S(0))};
    Triple<L> r0 = zero, r1 = zero, r2 = zero;
    L square(S(0)), square_slope(S(0)), square_curve(S(0));
    for (int pack = 0; pack < p.packs; ++pack) {
      const Weights<L> b = this->weights(p, pack);
      if (weights) rod::store(b.value, weights + pack * width);
      const Triple<L> r = rod::load3<0, L>(chain.configuration, p.first + pack * width);
      r0 += b.value * r;
      r1 += b.first * r;
      r2 += b.second * r;
      if constexpr (squares) {
        square += b.value * b.value;
        square_slope += b.value * b.first;
        square_curve += b.first * b.first + b.value * b.second;
      }
    }
    p.R = rod::lane_sum(r0);
    p.dR = rod::lane_sum(r1);
    p.ddR = rod::lane_sum(r2);
    if constexpr (squares) {
      p.square = rod::lane_sum(square);
      p.square_slope = rod::lane_sum(square_slope);
      p.square_curve = rod::lane_sum(square_curve);
    }
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void throw_at_end(S s, double time, int rod) {
    if (!number::isfinite(number::plain(s)))
      throw NotFinite(message({"NotFinite: the contact position on rod ", rod, " is ", s, " m"}), time);
    throw ContactAtEnd(
        message({"ContactAtEnd: the contact kernel on rod ", rod, " reaches an end, s = ", s, " m"}), time);
  }

  /// The weights of (1) before any normalisation.
  [[nodiscard]] Weights<L> raw(const AveragedPoint<S>& p, int pack) const noexcept {
    const L node = rod::lane_index<L>(p.first + pack * width);
    const KernelValue<L> b = kernel_(L((L(p.s * per_spacing_) - node) * L(scale_)));
    Weights<L> w{L(unit_.value) * b.value, L(unit_.first) * b.first, L(unit_.second) * b.second};
    if constexpr (K::reach == 0) {
      const auto inside = node < L(S(nodes_));
      w = {select(inside, w.value, L(S(0))), select(inside, w.first, L(S(0))),
           select(inside, w.second, L(S(0)))};
    }
    return w;
  }

  K kernel_;
  S per_spacing_;
  S ell_{};
  S scale_{};
  Weights<S> unit_{};  // what B, B′, B″ are multiplied by
  Index nodes_;
  Index half_ = 0;
};

}  // namespace dalembert::contact
