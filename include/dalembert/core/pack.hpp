#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>  // a tenth of what the other header declares
#endif

#include <Eigen/Core>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/finite_math.hpp>

/// A pack of W numbers that behaves like one scalar: the same formula, written once over a scalar type, runs
/// on W nodes of a rod at a time. Arithmetic is lane by lane; a comparison gives a `Mask`, and `select` takes
/// the place of a branch. The lanes live in one vector register where the machine has one of that width.
namespace dalembert {

namespace detail {
/// Alignment of a pack of `bytes` bytes: that of Eigen's arrays where a pack is wider than the machine's
/// registers.
inline constexpr std::size_t pack_alignment(std::size_t bytes) noexcept {
  constexpr std::size_t limit = EIGEN_MAX_STATIC_ALIGN_BYTES;
  return limit > 0 && limit < bytes ? limit : bytes;
}
}  // namespace detail

/// The lanes of a comparison between two packs: all bits set where it holds, none where it does not.
template <class T, int W>
struct Mask {
  using Lane = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;  ///< an integer as wide as T
  /// The register.
  using Native [[gnu::vector_size(W * sizeof(T)), gnu::aligned(detail::pack_alignment(W * sizeof(T)))]] =
      Lane;
  Native lanes;  ///< the register itself

  /// Whether lane i holds.
  [[nodiscard]] constexpr bool operator[](int i) const noexcept { return lanes[i] != 0; }
};

/// W numbers of type T, one per lane. T is float or double, W a power of two.
template <std::floating_point T, int W>
struct Pack {
  static_assert(W > 1 && (W & (W - 1)) == 0 && (std::is_same_v<T, float> || std::is_same_v<T, double>));
  /// The register.
  using Native [[gnu::vector_size(W * sizeof(T)), gnu::aligned(detail::pack_alignment(W * sizeof(T)))]] = T;
  static constexpr int width = W;  ///< lanes
  Native lanes;                    ///< the register itself

  Pack() = default;
  /// The same number in every lane.
  constexpr Pack(T x) noexcept : lanes{x - Native{}} {}
  /// An integer constant in every lane.
  template <std::integral I>
  constexpr Pack(I x) noexcept : Pack(static_cast<T>(x)) {}
  /// The native register `x` as it is.
  static constexpr Pack from(const Native& x) noexcept {
    Pack p;
    p.lanes = x;
    return p;
  }
  /// The W numbers that start at `p` (no alignment needed).
  static Pack load(const T* p) noexcept {
    Pack x;
    __builtin_memcpy(&x.lanes, p, sizeof(Native));
    return x;
  }
  /// Write the W numbers to `p` (no alignment needed).
  void store(T* p) const noexcept { __builtin_memcpy(p, &lanes, sizeof(Native)); }

  /// The number in lane i.
  [[nodiscard]] constexpr T operator[](int i) const noexcept { return lanes[i]; }
  /// Put x into lane i.
  constexpr void set(int i, T x) noexcept { lanes[i] = x; }

  /// Add b, lane by lane.
  constexpr Pack& operator+=(Pack b) noexcept {
    lanes += b.lanes;
    return *this;
  }
  /// Subtract b, lane by lane.
  constexpr Pack& operator-=(Pack b) noexcept {
    lanes -= b.lanes;
    return *this;
  }
  /// Multiply by b, lane by lane.
  constexpr Pack& operator*=(Pack b) noexcept {
    lanes *= b.lanes;
    return *this;
  }
  /// Divide by b, lane by lane.
  constexpr Pack& operator/=(Pack b) noexcept {
    lanes /= b.lanes;
    return *this;
  }
  friend constexpr Pack operator+(Pack a, Pack b) noexcept { return from(a.lanes + b.lanes); }
  friend constexpr Pack operator-(Pack a, Pack b) noexcept { return from(a.lanes - b.lanes); }
  friend constexpr Pack operator*(Pack a, Pack b) noexcept { return from(a.lanes * b.lanes); }
  friend constexpr Pack operator/(Pack a, Pack b) noexcept { return from(a.lanes / b.lanes); }
  friend constexpr Pack operator-(Pack a) noexcept { return from(-a.lanes); }
  friend constexpr Pack operator+(Pack a) noexcept { return a; }

  friend constexpr Mask<T, W> operator<(Pack a, Pack b) noexcept { return {a.lanes < b.lanes}; }
  friend constexpr Mask<T, W> operator>(Pack a, Pack b) noexcept { return {a.lanes > b.lanes}; }
  friend constexpr Mask<T, W> operator<=(Pack a, Pack b) noexcept { return {a.lanes <= b.lanes}; }
  friend constexpr Mask<T, W> operator>=(Pack a, Pack b) noexcept { return {a.lanes >= b.lanes}; }
};

/// Lane by lane: a where the mask holds, b elsewhere.
template <class T, int W>
[[nodiscard]] constexpr Pack<T, W> select(const Mask<T, W>& m, Pack<T, W> a, Pack<T, W> b) noexcept {
  return Pack<T, W>::from(m.lanes ? a.lanes : b.lanes);
}

/// Whether the mask holds in some lane.
template <class T, int W>
[[nodiscard]] constexpr bool any_lane(const Mask<T, W>& m) noexcept {
#if defined(__AVX512F__)
  if constexpr (W * sizeof(T) == 64) {
    const auto bits = std::bit_cast<__m512i>(m.lanes);
    if (!std::is_constant_evaluated()) return _mm512_test_epi32_mask(bits, bits) != 0;
  }
#endif
  if constexpr (W == 1) {
    return m.lanes[0] != 0;
  } else {
    const auto any_in_halves = [&]<int... I>(std::integer_sequence<int, I...>) {
      return any_lane(Mask<T, W / 2>{__builtin_shufflevector(m.lanes, m.lanes, I...) |
                                     __builtin_shufflevector(m.lanes, m.lanes, (W / 2 + I)...)});
    };
    return any_in_halves(std::make_integer_sequence<int, W / 2>{});
  }
}

/// Whether the mask holds in every lane.
template <class T, int W>
[[nodiscard]] constexpr bool all_lanes(const Mask<T, W>& m) noexcept {
  return !any_lane(Mask<T, W>{~m.lanes});
}

/// The lower and the upper half of a pack.
template <class T, int W>
[[nodiscard]] constexpr Pack<T, W / 2> lower(Pack<T, W> a) noexcept {
  const auto lanes = [&]<int... I>(std::integer_sequence<int, I...>) {
    return Pack<T, W / 2>::from(__builtin_shufflevector(a.lanes, a.lanes, I...));
  };
  return lanes(std::make_integer_sequence<int, W / 2>{});
}
/// The upper half of a pack.
template <class T, int W>
[[nodiscard]] constexpr Pack<T, W / 2> upper(Pack<T, W> a) noexcept {
  const auto lanes = [&]<int... I>(std::integer_sequence<int, I...>) {
    return Pack<T, W / 2>::from(__builtin_shufflevector(a.lanes, a.lanes, (W / 2 + I)...));
  };
  return lanes(std::make_integer_sequence<int, W / 2>{});
}

/// The sum of the lanes, added pairwise.
template <class T, int W>
[[nodiscard]] constexpr T sum(Pack<T, W> a) noexcept {
  if constexpr (W == 2)
    return a[0] + a[1];
  else
    return sum(lower(a) + upper(a));
}

/// Lanes moved up by one place: (last lane of `before`, a[0], …, a[W−2]).
template <class T, int W>
[[nodiscard]] constexpr Pack<T, W> shift_in(Pack<T, W> before, Pack<T, W> a) noexcept {
  const auto lanes = [&]<int... I>(std::integer_sequence<int, I...>) {
    return Pack<T, W>::from(__builtin_shufflevector(before.lanes, a.lanes, (W - 1 + I)...));
  };
  return lanes(std::make_integer_sequence<int, W>{});
}

/// `f` of each lane; the slow path for a function without a vector form.
template <class T, int W, class F>
[[nodiscard]] Pack<T, W> each_lane(Pack<T, W> a, F&& f) {
  for (int i = 0; i < W; ++i) a.set(i, f(a[i]));
  return a;
}

/// √ lane by lane, in the machine's registers where there are any.
template <class T, int W>
[[nodiscard]] Pack<T, W> sqrt(Pack<T, W> a) noexcept {
  using P = Pack<T, W>;
  using Lanes = typename P::Native;
  constexpr std::size_t bytes = W * sizeof(T);
  constexpr bool wide = std::is_same_v<T, double>;
#if defined(__AVX512F__)
  if constexpr (bytes == 64 && wide)
    return P::from(std::bit_cast<Lanes>(_mm512_maskz_sqrt_pd(0xff, std::bit_cast<__m512d>(a.lanes))));
  if constexpr (bytes == 64 && !wide)
    return P::from(std::bit_cast<Lanes>(_mm512_maskz_sqrt_ps(0xffff, std::bit_cast<__m512>(a.lanes))));
#endif
#if defined(__AVX__)
  if constexpr (bytes == 32 && wide)
    return P::from(std::bit_cast<Lanes>(_mm256_sqrt_pd(std::bit_cast<__m256d>(a.lanes))));
  if constexpr (bytes == 32 && !wide)
    return P::from(std::bit_cast<Lanes>(_mm256_sqrt_ps(std::bit_cast<__m256>(a.lanes))));
#endif
#if defined(__SSE2__)
  if constexpr (bytes == 16 && wide)
    return P::from(std::bit_cast<Lanes>(_mm_sqrt_pd(std::bit_cast<__m128d>(a.lanes))));
  if constexpr (bytes == 16 && !wide)
    return P::from(std::bit_cast<Lanes>(_mm_sqrt_ps(std::bit_cast<__m128>(a.lanes))));
#endif
  return each_lane(a, [](T x) { return std::sqrt(x); });
}
/// The sine, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> sin(Pack<T, W> a) noexcept {
  return each_lane(a, [](T x) { return std::sin(x); });
}
/// The cosine, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> cos(Pack<T, W> a) noexcept {
  return each_lane(a, [](T x) { return std::cos(x); });
}
/// The angle of the point (x, y) in (−π, π], lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> atan2(Pack<T, W> y, Pack<T, W> x) noexcept {
  for (int i = 0; i < W; ++i) y.set(i, std::atan2(y[i], x[i]));
  return y;
}
/// The absolute value, lane by lane.
template <class T, int W>
[[nodiscard]] constexpr Pack<T, W> abs(Pack<T, W> a) noexcept {
  return select(a < Pack<T, W>(0), -a, a);
}
/// The smaller number, lane by lane.
template <class T, int W>
[[nodiscard]] constexpr Pack<T, W> min(Pack<T, W> a, Pack<T, W> b) noexcept {
  return select(b < a, b, a);
}
/// The larger number, lane by lane.
template <class T, int W>
[[nodiscard]] constexpr Pack<T, W> max(Pack<T, W> a, Pack<T, W> b) noexcept {
  return select(a < b, b, a);
}

/// Lanes in the widest register that the compilation target has.
template <class T>
inline constexpr int native_width =
#if defined(__AVX512F__)
    64 / sizeof(T);
#elif defined(__AVX__)
    32 / sizeof(T);
#else
    16 / sizeof(T);
#endif

/// The pack that the rods step with.
template <class T>
using NativePack = Pack<T, native_width<T>>;

}  // namespace dalembert

namespace Eigen {
/// What Eigen asks of a scalar.
template <class T, int W>
struct NumTraits<dalembert::Pack<T, W>> : GenericNumTraits<dalembert::Pack<T, W>> {
  using Literal = T;  ///< of a constant
  enum { IsSigned = 1, RequireInitialization = 0 };
  /// Distance from 1 to the next number.
  static dalembert::Pack<T, W> epsilon() { return std::numeric_limits<T>::epsilon(); }
};

/// Products of vectors of packs with plain numbers.
template <class T, int W, class Operation>
struct ScalarBinaryOpTraits<dalembert::Pack<T, W>, T, Operation> {
  using ReturnType = dalembert::Pack<T, W>;  ///< the type of the result
};
/// Lets Eigen mix the two scalars.
template <class T, int W, class Operation>
struct ScalarBinaryOpTraits<T, dalembert::Pack<T, W>, Operation> {
  using ReturnType = dalembert::Pack<T, W>;  ///< the type of the result
};

}  // namespace Eigen
