#pragma once

#include <concepts>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>

/// Kernels: the values B(x) by which a contact point is averaged over the nodes of a rod, x = (s −
/// s_k)/ℓ, with its first two derivatives. A kernel of reach ρ vanishes for |x| ≥ ρ; ρ = 0 stands for
/// one that never does. Those with a partition of unity have Σ B(x − i) = 1 for all x when ℓ is a
/// multiple of the spacing; the others are normalised by their sum.
namespace dalembert::contact {

/// B, B′, B″ at the lanes of x.
template <class L>
struct KernelValue {
  L value;   ///< α or B
  L first;   ///< first derivative
  L second;  ///< second derivative
};

/// A bump; see the head of this file.
template <class K>
concept Kernel = requires(const K& kernel, double x) {
  { K::reach } -> std::convertible_to<int>;
  { K::partition_of_unity } -> std::convertible_to<bool>;
  { kernel(x) } -> std::same_as<KernelValue<double>>;
};

namespace detail {
template <class L>
[[nodiscard]] inline L positive_part(const L& x) noexcept {
  return select(x > L(0), x, L(0));
}
template <class L>
[[nodiscard]] inline L magnitude(const L& x) noexcept {
  return select(x < L(0), -x, x);
}
template <class L>
[[nodiscard]] inline L with_sign_of(const L& magnitude, const L& x) noexcept {
  return select(x < L(0), -magnitude, magnitude);
}
}  // namespace detail

/// What a kernel says of itself besides its values.
template <int least, bool unity>
struct KernelReach {
  static constexpr int reach = least;                ///< B vanishes from |x| = reach on; 0 for never
  static constexpr bool partition_of_unity = unity;  ///< whether Σ B(x − i) = 1
};

/// Cubic B-spline, B = ((2 − |x|)₊³ − 4 (1 − |x|)₊³)/6: twice continuously differentiable, the
/// usual choice.
struct CubicSpline : KernelReach<2, true> {
  /// B, B′, B″.
  template <class L>
  [[nodiscard]] KernelValue<L> operator()(const L& x) const noexcept {
    const L r = detail::magnitude(x);
    const L a = detail::positive_part(L(L(2) - r));
    const L b = detail::positive_part(L(L(1) - r));
    const L a2 = a * a;
    const L b2 = b * b;
    return {constant<L>(1.0L / 6.0L) * (a2 * a - L(4) * b2 * b),
            detail::with_sign_of(L(L(-0.5) * (a2 - L(4) * b2)), x), a - L(4) * b};
  }
};

/// Quintic B-spline: four times continuously differentiable, reach 3.
struct QuinticSpline : KernelReach<3, true> {
  /// B, B′, B″.
  template <class L>
  [[nodiscard]] KernelValue<L> operator()(const L& x) const noexcept {
    const L r = detail::magnitude(x);
    const L a = detail::positive_part(L(L(3) - r));
    const L b = detail::positive_part(L(L(2) - r));
    const L c = detail::positive_part(L(L(1) - r));
    const L a3 = a * a * a;
    const L b3 = b * b * b;
    const L c3 = c * c * c;
    return {
        constant<L>(1.0L / 120.0L) * (a3 * a * a - L(6) * b3 * b * b + L(15) * c3 * c * c),
        detail::with_sign_of(L(constant<L>(-1.0L / 24.0L) * (a3 * a - L(6) * b3 * b + L(15) * c3 * c)), x),
        constant<L>(1.0L / 6.0L) * (a3 - L(6) * b3 + L(15) * c3)};
  }
};

/// The quintic B-spline less a quarter of its second derivative, B̃ = B − B″/4: an average with B lies
/// off a curve by R″ℓ²/4 to leading order, and this takes it back, so that B̃ gives back a curve to
/// O(ℓ⁴) where the others are off by O(ℓ²). Twice continuously differentiable, reach 3; it is negative
/// from |x| = 1.271 on.
struct CorrectedQuinticSpline : KernelReach<3, true> {
  /// B̃, B̃′, B̃″.
  template <class L>
  [[nodiscard]] KernelValue<L> operator()(const L& x) const noexcept {
    const KernelValue<L> plain = QuinticSpline{}(x);
    const L r = detail::magnitude(x);
    const L a = detail::positive_part(L(L(3) - r));
    const L b = detail::positive_part(L(L(2) - r));
    const L c = detail::positive_part(L(L(1) - r));
    const L third = detail::with_sign_of(L(L(-0.5) * (a * a - L(6) * b * b + L(15) * c * c)), x);
    const L fourth = a - L(6) * b + L(15) * c;
    return {plain.value - L(0.25) * plain.second, plain.first - L(0.25) * third,
            plain.second - L(0.25) * fourth};
  }
};

/// A compact bump close to a Gaussian of standard deviation 1.06: B = (1 − x²/9)₊⁴, three times
/// continuously differentiable.
struct CompactKernelValue : KernelReach<3, false> {
  /// B, B′, B″.
  template <class L>
  [[nodiscard]] KernelValue<L> operator()(const L& x) const noexcept {
    const L u = detail::positive_part(L(L(1) - constant<L>(1.0L / 9.0L) * x * x));
    const L u2 = u * u;
    return {u2 * u2, constant<L>(-8.0L / 9.0L) * x * u2 * u,
            constant<L>(-8.0L / 9.0L) * u2 * u + constant<L>(16.0L / 27.0L) * x * x * u2};
  }
};

/// The Gaussian exp(−x²/2) over all nodes, as in the discrete strands of Gay-Balmaz & Putkaradze, eq.
/// (10); ℓ is its standard deviation.
struct Gaussian : KernelReach<0, false> {
  /// B, B′, B″.
  template <class L>
  [[nodiscard]] KernelValue<L> operator()(const L& x) const noexcept {
    L g(0);
    if constexpr (requires { L::width; }) {
      g = each_lane(x, [](auto y) { return number::exp(-y * y / 2); });
    } else {
      using std::exp;
      g = exp(-x * x / L(2));
    }
    return {g, -x * g, (x * x - L(1)) * g};
  }
};

}  // namespace dalembert::contact
