#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/detail/series_coefficients.hpp>

/// Every kernel of the library that would divide by an angle. They take the square of the angle, x = θ² ≥
/// 0, or σ = sin²(θ/2) ∈ [0, 1], so that they are smooth at 0 and need no root there:
///   stumpff<K>(x)   c_K(x) = Σ (−x)ⁿ/(2n+K)! :  c₀ = cos θ,  c₁ = sin θ/θ,
///     c₂ = (1 − cos θ)/θ²,
///                       c₃ = (θ − sin θ)/θ³,  c_K = (1/(K−2)! − c_{K−2})/θ²              (1)
///   cot_remainder(x)    e(x) = (1 − (θ/2)cot(θ/2))/θ² = −c₂′/c₂,  0 ≤ θ < 2π           (2)
///   asinc(σ)   A(σ) = asin(√σ)/√σ,  half the angle over its sine: θ = 2A√σ, 0 ≤ θ ≤ π  (3)
///   asinc_remainder(σ)  D(σ) = (A(σ) − 1)/σ                                                        (4)
/// A prime is d/dx or d/dσ. Derivatives stay inside the family and do not divide by the angle either:
///   c_K′ = ½(K c_{K+2} − c_{K+1}),   A′ = ½(1/(w(1 + w)) − D) with w = √(1 − σ).          (5)
/// A plain number takes a polynomial, or the closed form where the polynomial ends
/// (lie/detail/series_coefficients.hpp): a few ulp on both sides. A pack takes the polynomial without roots,
/// divisions or library calls if it serves every lane. A dual takes the kernel and its derivative (5) of its
/// value, so derivatives of any order are right at 0 too.
namespace dalembert::lie_series {

namespace detail {

/// Estrin's scheme for c[First] + c[First+1] x + … of Count terms; powers[i] is x to the power 2ⁱ.
template <std::size_t First, std::size_t Count, class S, class T, std::size_t N>
[[nodiscard]] constexpr S estrin(const std::array<T, N>& c, const S* powers) noexcept {
  if constexpr (Count == 1) {
    return S(c[First]);
  } else {
    constexpr std::size_t half = std::bit_floor(Count - 1);
    return estrin<First, half, S>(c, powers) +
           powers[std::countr_zero(half)] * estrin<First + half, Count - half, S>(c, powers);
  }
}

/// The polynomial with coefficients c, constant first, at x. In single precision the powers of a small x soon
/// are denormal, which machines are slow with: there an x that is lost beside 1 counts as 0.
template <class S, class T, std::size_t N>
[[nodiscard]] constexpr S polynomial(const std::array<T, N>& c, const S& x) noexcept {
  constexpr std::size_t count = std::bit_width(N - 1);
  S powers[count];
  powers[0] = x;
  if constexpr (std::is_same_v<T, float>) powers[0] = select(x < S(1e-9f), S(0), x);
  for (std::size_t i = 1; i < count; ++i) powers[i] = powers[i - 1] * powers[i - 1];
  return estrin<0, N, S>(c, powers);
}

template <class Kernel, Real S>
[[nodiscard]] S evaluate(const S& x) noexcept;

/// `Kernel` where a polynomial does not reach. Out of line, so that the polynomial can be inlined wherever it
/// is used.
template <class Kernel, class S>
[[nodiscard, gnu::cold, gnu::noinline]] S beyond(S x) noexcept {
  if constexpr (requires { Kernel::closed(x); }) {
    return Kernel::closed(x);
  } else {
    return each_lane(x, [](Number<S> lane) { return evaluate<Kernel>(lane); });
  }
}

/// `Kernel` at x, by the way that suits the scalar.
template <class Kernel, Real S>
[[nodiscard]] inline S evaluate(const S& x) noexcept {
  if constexpr (DualReal<S>) {
    return chain(evaluate<Kernel>(x.value()), Kernel::derivative(x.value()), x);
  } else {
    using T = Number<S>;
    if constexpr (PackReal<S> && !near<Kernel, T>.empty()) {
      if (all_lanes(x <= S(static_cast<T>(near_range<Kernel>)))) return polynomial(near<Kernel, T>, x);
    }
    if (all_lanes(x <= S(static_cast<T>(wide_range<Kernel>)))) return polynomial(wide<Kernel, T>, x);
    return beyond<Kernel>(x);
  }
}

/// cos√x and sin√x. The rounding of the root is made up for, so that both are accurate near their zeros
/// too.
template <PlainReal T>
struct Circle {
  T root, cosine, sine;

  explicit Circle(T x) noexcept : root(std::sqrt(x)) {
    const T rest = std::fma(-root, root, x) / (2 * root);
    const T c = std::cos(root), s = std::sin(root);
    cosine = c - rest * s;
    sine = s + rest * c;
    if (std::abs(rest) > constant<T>(1e-8L)) {  // of an angle so large, what the root lacks is no small angle
      const T rest_cosine = std::cos(rest), rest_sine = std::sin(rest);
      cosine = c * rest_cosine - s * rest_sine;
      sine = s * rest_cosine + c * rest_sine;
    }
  }
};

template <int K>
struct Stumpff {
  template <PlainReal T>
  [[nodiscard]] static T closed(T x) noexcept {
    if constexpr (K == 0) {
      return Circle<T>(x).cosine;
    } else if constexpr (K == 1) {
      const Circle<T> circle(x);
      return circle.sine / circle.root;
    } else if constexpr (K == 2) {
      const T half = evaluate<Stumpff<1>>(x / 4);  // sin(θ/2)/(θ/2): no cancellation near 2π
      return half * half / 2;
    } else {
      return (wide<Stumpff<K - 2>, T>[0] - evaluate<Stumpff<K - 2>>(x)) / x;
    }
  }
  template <class S>
  [[nodiscard]] static S derivative(const S& x) noexcept {
    if constexpr (K == 0) {
      return S(constant<S>(-0.5L) * evaluate<Stumpff<1>>(x));
    } else {
      return S(constant<S>(0.5L) * (S(K) * evaluate<Stumpff<K + 2>>(x) - evaluate<Stumpff<K + 1>>(x)));
    }
  }
};

/// The derivative of c_K of order `Order`, by (5).
template <int K, int Order, class S>
[[nodiscard]] S stumpff_derivative(const S& x) noexcept {
  if constexpr (Order == 0) {
    return evaluate<Stumpff<K>>(x);
  } else {
    return S(S(0.5) *
             (S(K) * stumpff_derivative<K + 2, Order - 1>(x) - stumpff_derivative<K + 1, Order - 1>(x)));
  }
}

struct CotRemainder {
  template <PlainReal T>
  [[nodiscard]] static T closed(T x) noexcept {
    const T half = evaluate<Stumpff<1>>(x / 4);
    return (1 - evaluate<Stumpff<1>>(x) / (half * half)) / x;
  }
  template <class S>
  [[nodiscard]] static S derivative(const S& x) noexcept {
    return evaluate<CotRemainderDerivative>(x);
  }
};

struct CotRemainderDerivative {
  /// From x e′ = 1/8 − (3/2)e + ½x e².
  template <PlainReal T>
  [[nodiscard]] static T closed(T x) noexcept {
    const T e = evaluate<CotRemainder>(x);
    return (T(0.125) + e * (x * e - 3) / 2) / x;
  }
  /// e″ = 3e e′ − e³ − c₂‴/c₂, from (2).
  template <class S>
  [[nodiscard]] static S derivative(const S& x) noexcept {
    const S e = evaluate<CotRemainder>(x), slope = evaluate<CotRemainderDerivative>(x);
    const S third = stumpff_derivative<2, 3>(x), c2 = evaluate<Stumpff<2>>(x);
    return S(e * (S(3) * slope - e * e) - third / c2);
  }
};

/// A_M(σ) = Σ a_{n+M}σⁿ: A, then D, then the next remainders, A_{M+1} = (A_M − a_M)/σ.
template <int M>
struct Asinc {
  /// A and D at half the angle: with σ′ = sin²(θ/4) and c = cos(θ/4), A(σ) = A(σ′)/c and D(σ) =
  /// (D(σ′) + 1/(1+c))/(4c³).
  template <class S>
    requires(PlainReal<S> || M < 2)
  [[nodiscard]] static S closed(const S& sigma) noexcept {
    using std::sqrt;
    if constexpr (M < 2) {
      // a σ above 1 by rounding is 1
      const S rest = select(sigma < S(1), S(S(1) - sigma), S(sigma - sigma));
      const S w = sqrt(rest), c = sqrt(S(S(0.5) * (S(1) + w)));
      const S argument =
          select(w >= S(0), S(S(0.5) * (S(1) - w)), S(0));  // the recursion ends for not-a-number too
      const S half = evaluate<Asinc<M>>(argument);
      return M == 0 ? half / c : (half + S(1) / (S(1) + c)) / (S(4) * c * c * c);
    } else {
      return (evaluate<Asinc<M - 1>>(sigma) - S(wide<Asinc<M - 1>, Number<S>>[0])) / sigma;
    }
  }
  /// A_M′ = ½(B_{M+1} − (2M + 1)A_{M+1}), where B_M is the M-th remainder of 1/w = 1 + σ/2 + 3σ²/8 +
  /// …, w = √(1 − σ).
  template <class S>
  [[nodiscard]] static S derivative(const S& sigma) noexcept {
    using std::sqrt;
    const S w = sqrt(S(S(1) - sigma));
    const S next = evaluate<Asinc<M + 1>>(sigma);
    const S u = S(1) + w;
    if constexpr (M == 0) {
      return S(S(0.5) * (S(1) / (w * u) - next));
    } else if constexpr (M == 1) {
      return S(S(0.5) * ((S(2) + w) / (S(2) * w * u * u) - S(3) * next));
    } else {
      static_assert(M == 2, "derivatives of A and D are there up to the second order");
      return S(S(0.5) * ((S(8) + w * (S(9) + S(3) * w)) / (S(8) * w * u * u * u) - S(5) * next));
    }
  }
};

}  // namespace detail

/// c_K(x) of (1) for x = θ² ≥ 0, K ≥ 0.
template <int K, Real S>
[[nodiscard]] S stumpff(const S& x) noexcept {
  return detail::evaluate<detail::Stumpff<K>>(x);
}

/// dc_K/dx for x = θ² ≥ 0.
template <int K, Real S>
[[nodiscard]] S stumpff_derivative(const S& x) noexcept {
  return detail::Stumpff<K>::derivative(x);
}

/// e(x) of (2), the kernel of inverse Jacobians, for 0 ≤ x < 4π²; e(0) = 1/12, a pole at 4π².
template <Real S>
[[nodiscard]] S cot_remainder(const S& x) noexcept {
  return detail::evaluate<detail::CotRemainder>(x);
}

/// de/dx for 0 ≤ x < 4π²; 1/720 at 0.
template <Real S>
[[nodiscard]] S cot_remainder_derivative(const S& x) noexcept {
  return detail::evaluate<detail::CotRemainderDerivative>(x);
}

/// A(σ) of (3), σ = sin²(θ/2) ∈ [0, 1]; A(0) = 1, A(1) = π/2.
template <Real S>
[[nodiscard]] S asinc(const S& sigma) noexcept {
  return detail::evaluate<detail::Asinc<0>>(sigma);
}

/// D(σ) of (4), σ = sin²(θ/2) ∈ [0, 1], without cancellation; D(0) = 1/6. With w = cos(θ/2), e(θ²) =
/// (1/(1+w) − wD)/(4A²).
template <Real S>
[[nodiscard]] S asinc_remainder(const S& sigma) noexcept {
  return detail::evaluate<detail::Asinc<1>>(sigma);
}

}  // namespace dalembert::lie_series
