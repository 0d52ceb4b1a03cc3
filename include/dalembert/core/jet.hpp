#pragma once

#include <array>
#include <limits>
#include <type_traits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>

/// A number that depends on two small quantities t and ε, as a polynomial of total degree N; what is of
/// higher degree is dropped:
///   x = Σ x_ij tⁱ εʲ,  i + j ≤ N                                                                  (1)
///   (xy)_ij = Σ x_pq y_{i−p, j−q},   f(x) = Σ f⁽ᵏ⁾(x₀₀)/k! (x − x₀₀)ᵏ            (2)
/// Taylor's arithmetic, exact to rounding and without allocation: a motion expanded in time and in a
/// parameter at once. Plain numbers mix with it, comparisons see values only, and derivatives of functions of
/// jets are those of `Dual<Jet<T, N>, n>`.
namespace dalembert {

/// A polynomial (1) over the plain numbers T. Without an initialiser its coefficients are zero.
template <PlainReal T, int N>
class Jet;

namespace detail {

template <class T, int N>
struct RealParts<Jet<T, N>> : RealParts<T> {};
template <class T, int N>
inline constexpr bool is_dual<Jet<T, N>> = true;

}  // namespace detail

template <PlainReal T, int N>
class Jet {
 public:
  using Scalar = T;                                   ///< the type of a coefficient
  static constexpr int degree = N;                    ///< the highest one
  static constexpr int size = (N + 1) * (N + 2) / 2;  ///< coefficients
  static_assert(N >= 0, "a Jet has a degree of 0 or more");

  Jet() = default;
  /// A constant.
  template <class U>
    requires std::is_arithmetic_v<U>
  constexpr Jet(U x) noexcept { c_[0] = static_cast<T>(x); }
  /// x + t.
  [[nodiscard]] static constexpr Jet time(T x) noexcept {
    Jet jet(x);
    if constexpr (N > 0) jet.c_[1] = 1;
    return jet;
  }
  /// x + ε.
  [[nodiscard]] static constexpr Jet parameter(T x) noexcept {
    Jet jet(x);
    if constexpr (N > 0) jet.c_[2] = 1;
    return jet;
  }

  /// x₀₀.
  [[nodiscard]] constexpr const T& value() const noexcept { return c_[0]; }
  /// x_ij, the coefficient of tⁱεʲ.
  [[nodiscard]] constexpr const T& operator()(int i, int j) const noexcept { return c_[index(i + j, j)]; }
  /// x_ij, to change it.
  [[nodiscard]] constexpr T& operator()(int i, int j) noexcept { return c_[index(i + j, j)]; }
  /// Whether all coefficients but the first are zero.
  [[nodiscard]] constexpr bool is_constant() const noexcept {
    for (std::size_t p = 1; p < c_.size(); ++p)
      if (c_[p] != T(0)) return false;
    return true;
  }

  /// Term by term.
  constexpr Jet& operator+=(const Jet& b) noexcept {
    for (std::size_t p = 0; p < c_.size(); ++p) c_[p] += b.c_[p];
    return *this;
  }
  /// Term by term.
  constexpr Jet& operator-=(const Jet& b) noexcept {
    for (std::size_t p = 0; p < c_.size(); ++p) c_[p] -= b.c_[p];
    return *this;
  }
  /// Every term.
  constexpr Jet& operator*=(T b) noexcept {
    for (T& c : c_) c *= b;
    return *this;
  }
  /// Every term.
  constexpr Jet& operator/=(T b) noexcept {
    for (T& c : c_) c /= b;
    return *this;
  }
  /// The product, up to the highest order.
  constexpr Jet& operator*=(const Jet& b) noexcept { return *this = *this * b; }
  /// The quotient, up to the highest order.
  constexpr Jet& operator/=(const Jet& b) noexcept { return *this = *this / b; }

  friend constexpr Jet operator+(const Jet& a) noexcept { return a; }
  friend constexpr Jet operator-(Jet a) noexcept { return a *= T(-1); }
  friend constexpr Jet operator+(Jet a, const Jet& b) noexcept { return a += b; }
  friend constexpr Jet operator-(Jet a, const Jet& b) noexcept { return a -= b; }
  /// (2).
  friend constexpr Jet operator*(const Jet& a, const Jet& b) noexcept {
    Jet product;
    for (int d = 0; d <= N; ++d)
      for (int j = 0; j <= d; ++j) {
        const T factor = a.c_[index(d, j)];
        if (factor == T(0)) continue;  // constants are many
        for (int e = 0; e <= N - d; ++e)
          for (int q = 0; q <= e; ++q) product.c_[index(d + e, j + q)] += factor * b.c_[index(e, q)];
      }
    return product;
  }
  /// The q with q b = a, degree by degree.
  friend constexpr Jet operator/(const Jet& a, const Jet& b) noexcept {
    Jet quotient = a;
    for (int d = 0; d <= N; ++d)
      for (int j = 0; j <= d; ++j) {
        const T part = quotient.c_[index(d, j)] /= b.c_[0];
        if (part == T(0)) continue;
        for (int e = 1; e <= N - d; ++e)
          for (int q = 0; q <= e; ++q) quotient.c_[index(d + e, j + q)] -= part * b.c_[index(e, q)];
      }
    return quotient;
  }

  // clang-format off
  template <class U> requires std::is_arithmetic_v<U>
  friend constexpr Jet operator+(Jet a, U b) noexcept { a.c_[0] += static_cast<T>(b); return a; }
  template <class U> requires std::is_arithmetic_v<U>
  friend constexpr Jet operator+(U a, Jet b) noexcept { b.c_[0] += static_cast<T>(a); return b; }
  template <class U> requires std::is_arithmetic_v<U>
  friend constexpr Jet operator-(Jet a, U b) noexcept { a.c_[0] -= static_cast<T>(b); return a; }
  template <class U> requires std::is_arithmetic_v<U>
  friend constexpr Jet operator-(U a, const Jet& b) noexcept { return static_cast<T>(a) + -b; }
  template <class U> requires std::is_arithmetic_v<U>
  friend constexpr Jet operator*(Jet a, U b) noexcept { return a *= static_cast<T>(b); }
  template <class U> requires std::is_arithmetic_v<U>
  friend constexpr Jet operator*(U a, Jet b) noexcept { return b *= static_cast<T>(a); }
  template <class U> requires std::is_arithmetic_v<U>
  friend constexpr Jet operator/(Jet a, U b) noexcept { return a /= static_cast<T>(b); }
  template <class U> requires std::is_arithmetic_v<U>
  friend constexpr Jet operator/(U a, const Jet& b) noexcept { return Jet(a) / b; }
  // clang-format on

  friend constexpr bool operator==(const Jet& a, const Jet& b) noexcept { return a.c_[0] == b.c_[0]; }
  friend constexpr auto operator<=>(const Jet& a, const Jet& b) noexcept { return a.c_[0] <=> b.c_[0]; }

  /// (2) for a function with the derivatives f⁽ᵏ⁾(x₀₀)/k! = `terms[k]`, by Horner's scheme.
  [[nodiscard]] static constexpr Jet composed(const std::array<T, N + 1>& terms, Jet x) noexcept {
    x.c_[0] = 0;
    Jet sum(terms[N]);
    for (std::size_t k = N; k-- > 0;) sum = sum * x + terms[k];
    return sum;
  }

 private:
  /// Where the coefficient of degree d with εʲ is.
  static constexpr std::size_t index(int d, int j) noexcept {
    return static_cast<std::size_t>(d) * static_cast<std::size_t>(d + 1) / 2 + static_cast<std::size_t>(j);
  }
  std::array<T, static_cast<std::size_t>(size)> c_{};
};

/// x₀₀.
template <class T, int N>
[[nodiscard]] constexpr T value_of(const Jet<T, N>& x) noexcept {
  return x.value();
}

template <class T, int N>
inline constexpr int number::derivative_order<Jet<T, N>> = N;

namespace detail {

/// `Jet`'s composed with the terms next(0), next(1), …
template <class T, int N, class F>
[[nodiscard]] Jet<T, N> composed_jet(const Jet<T, N>& x, F&& next) {
  std::array<T, N + 1> terms;
  for (std::size_t k = 0; k <= N; ++k) terms[k] = next(static_cast<int>(k));
  return Jet<T, N>::composed(terms, x);
}
/// The terms of x^p: p(p − 1)…/k! x^(p − k). At x = 0 they are infinite from k > p on unless p is
/// whole, which no constant sees.
template <class T, int N>
[[nodiscard]] Jet<T, N> power_jet(const Jet<T, N>& x, T p, T value) {
  if (x.is_constant()) return value;
  T binomial = 1, power = value;
  return composed_jet(x, [&](int k) {
    if (k > 0) {
      binomial *= (p - T(k - 1)) / T(k);
      power = x.value() == T(0) ? std::pow(T(0), p - T(k)) : power / x.value();
    }
    return binomial == T(0) ? T(0) : binomial * power;
  });
}
/// f(x₀₀), f′, −f, −f′ … over k!, those of sine and cosine.
template <class T, int N>
[[nodiscard]] Jet<T, N> circular_jet(const Jet<T, N>& x, T f, T slope) {
  T factorial = 1;
  return composed_jet(x, [&](int k) {
    if (k > 0) factorial *= T(k);
    const T term = (k % 2 == 0 ? f : slope) / factorial;
    return k % 4 < 2 ? term : -term;
  });
}

}  // namespace detail

/// √x, x > 0, or 0 as a constant.
template <class T, int N>
[[nodiscard]] Jet<T, N> sqrt(const Jet<T, N>& x) {
  return detail::power_jet(x, T(0.5L), std::sqrt(x.value()));
}
/// The cube root of x ≠ 0, or of 0 as a constant.
template <class T, int N>
[[nodiscard]] Jet<T, N> cbrt(const Jet<T, N>& x) {
  return detail::power_jet(x, T(1) / T(3), std::cbrt(x.value()));
}
/// x to the power p, where plain numbers have one; at 0 p is whole, or at least the degree, or x a constant.
template <class T, int N, class U>
  requires std::is_arithmetic_v<U>
[[nodiscard]] Jet<T, N> pow(const Jet<T, N>& x, U p) {
  return detail::power_jet(x, static_cast<T>(p), std::pow(x.value(), static_cast<T>(p)));
}
/// eˣ.
template <class T, int N>
[[nodiscard]] Jet<T, N> exp(const Jet<T, N>& x) {
  T term = std::exp(x.value());
  return detail::composed_jet(x, [&](int k) { return k > 0 ? term /= T(k) : term; });
}
/// The natural logarithm of x > 0.
template <class T, int N>
[[nodiscard]] Jet<T, N> log(const Jet<T, N>& x) {
  T power = -1;
  return detail::composed_jet(x, [&](int k) {
    if (k == 0) return std::log(x.value());
    power /= -x.value();
    return power / T(k);
  });
}
/// The sine of x [rad].
template <class T, int N>
[[nodiscard]] Jet<T, N> sin(const Jet<T, N>& x) {
  return detail::circular_jet(x, std::sin(x.value()), std::cos(x.value()));
}
/// The cosine of x [rad].
template <class T, int N>
[[nodiscard]] Jet<T, N> cos(const Jet<T, N>& x) {
  return detail::circular_jet(x, std::cos(x.value()), -std::sin(x.value()));
}
/// The tangent of x [rad].
template <class T, int N>
[[nodiscard]] Jet<T, N> tan(const Jet<T, N>& x) {
  return sin(x) / cos(x);
}
/// The hyperbolic tangent.
template <class T, int N>
[[nodiscard]] Jet<T, N> tanh(const Jet<T, N>& x) {
  const Jet<T, N> power = exp(T(-2) * (x < T(0) ? -x : x));
  const Jet<T, N> of_size = (1 - power) / (1 + power);
  return x < T(0) ? -of_size : of_size;
}
/// |x|, x ≠ 0.
template <class T, int N>
[[nodiscard]] constexpr Jet<T, N> abs(const Jet<T, N>& x) {
  return x.value() < T(0) ? -x : x;
}
/// Whether all coefficients are finite.
template <class T, int N>
[[nodiscard]] bool isfinite(const Jet<T, N>& x) {
  bool finite = true;
  for (int d = 0; d <= N; ++d)
    for (int j = 0; j <= d; ++j) finite = finite && std::isfinite(x(d - j, j));
  return finite;
}

}  // namespace dalembert

/// The limits of a jet are those of its coefficients.
template <class T, int N>
class std::numeric_limits<dalembert::Jet<T, N>> : public std::numeric_limits<T> {};

namespace Eigen {

/// What Eigen asks of a scalar.
template <class T, int N>
struct NumTraits<dalembert::Jet<T, N>> : GenericNumTraits<dalembert::Jet<T, N>> {
  using Literal = T;                                           ///< of a constant
  static constexpr int ReadCost = dalembert::Jet<T, N>::size;  ///< as many numbers
  static constexpr int AddCost = ReadCost;                     ///< as many sums
  static constexpr int MulCost = ReadCost * ReadCost / 2 + 1;  ///< as many products and sums
};

/// Lets Eigen mix vectors of jets with their constants.
template <class T, int N, class Operation>
struct ScalarBinaryOpTraits<dalembert::Jet<T, N>, T, Operation> {
  using ReturnType = dalembert::Jet<T, N>;  ///< the type of the result
};
/// The same with the constant first.
template <class T, int N, class Operation>
struct ScalarBinaryOpTraits<T, dalembert::Jet<T, N>, Operation> {
  using ReturnType = dalembert::Jet<T, N>;  ///< the type of the result
};

}  // namespace Eigen
