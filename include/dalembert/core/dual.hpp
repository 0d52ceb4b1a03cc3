#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <limits>
#include <utility>

#include <dalembert/core/detail/dual_constants.hpp>
#include <dalembert/core/real.hpp>

/// A number with derivatives: forward automatic differentiation, exact to rounding and without allocation.
///   (a, a′) + (b, b′) = (a + b, a′ + b′)
///   (a, a′)(b, b′) = (ab, a′b + ab′)                     (1)
///   f(a, a′) = (f(a), f′(a) a′)                          (2)
/// A plain value type: what an operation returns is a number again, so `auto` may keep it. The numbers inside
/// may be packs, or carry derivatives themselves. Plain numbers mix with it, and numbers of any depth inside.
/// Comparisons see values only. Mathematical functions are in core/dual_functions.hpp, derivatives of
/// functions of vectors in core/autodiff.hpp.
namespace dalembert {

// A namespace by itself, so that calls with dual numbers do not look into `detail`.
namespace detail::dual {

/// Says that a constructor gets the value and then every derivative.
struct EachPart {};
/// Says that all derivatives are zero.
struct Constant {};
/// Says that one derivative is 1.
struct Variable {};

template <class D, class T, int N, class Indices>
class DualParts;

/// How N derivatives of type T are kept: plain numbers in packs as wide as the machine's registers, so that
/// an operation takes one instruction for many of them; other numbers one by one. The last pack may have
/// lanes to spare, whose contents mean nothing.
template <class T, int N>
struct Layout {
  using Entry = T;
  static constexpr int width = 1, entries = N;

  /// Entry number `entry` of a number whose derivative `i` is 1.
  [[nodiscard]] static constexpr T unit(int i, int entry) noexcept { return T(i == entry ? 1 : 0); }
};
template <class T, int N>
  requires(N > 1 && (std::same_as<T, double> || std::same_as<T, float>))
struct Layout<T, N> {
  /// Lanes that N derivatives take in packs of w.
  static constexpr int lanes(int w) noexcept { return (N + w - 1) / w * w; }
  static constexpr int widest = native_width<T>, half = widest / 2;
  static constexpr int width = N <= widest ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(N)))
                               : half > 1 && lanes(half) < lanes(widest) ? half
                                                                         : widest;
  using Entry = Pack<T, width>;
  static constexpr int entries = (N + width - 1) / width;

  /// Entry number `entry` of a number whose derivative `i` is 1; compilers know it where they know i.
  [[nodiscard]] static constexpr Entry unit(int i, int entry) noexcept {
    return unit(i - entry * width, std::make_integer_sequence<int, width>{});
  }

 private:
  template <int... Lane>
  [[nodiscard]] static constexpr Entry unit(int i, std::integer_sequence<int, Lane...>) noexcept {
    using Lanes = Mask<T, width>;
    return select(Lanes{typename Lanes::Native{Lane...} == typename Lanes::Lane(i)}, Entry(1), Entry(0));
  }
};

/// What a dual number D over T with N derivatives consists of, and its operations. Each entry is written by
/// itself: compilers then keep them in registers.
template <class D, class T, int N, std::size_t... I>
class DualParts<D, T, N, std::index_sequence<I...>> {
 public:
  using Entry = typename Layout<T, N>::Entry;

  DualParts() = default;
  // Part by part: as one block, with the gap behind the value, a copy would wait for what was stored in
  // parts.
  constexpr DualParts(const DualParts& other) noexcept
      : value_(other.value_), entries_{other.entries_[I]...} {}
  constexpr DualParts& operator=(const DualParts& other) noexcept {
    value_ = other.value_;
    ((entries_[I] = other.entries_[I]), ...);
    return *this;
  }
  /// The value, then each entry of the derivatives.
  template <class... E>
  constexpr DualParts(EachPart, const T& value, const E&... entry) noexcept
      : value_(value), entries_{entry...} {}
  /// A constant.
  constexpr DualParts(Constant, const T& value) noexcept : value_(value), entries_{Entry(0 * I)...} {}
  /// Variable number `i`.
  constexpr DualParts(Variable, const T& value, int i) noexcept
      : value_(value), entries_{Layout<T, N>::unit(i, static_cast<int>(I))...} {}

  /// The value.
  [[nodiscard]] constexpr const T& value() const noexcept { return value_; }
  /// The value, to change it.
  [[nodiscard]] constexpr T& value() noexcept { return value_; }
  /// Derivative number i.
  [[nodiscard]] constexpr T derivative(int i) const noexcept {
    if constexpr (std::same_as<Entry, T>)
      return entries_[i];
    else
      return entries_[i / Entry::width][i % Entry::width];
  }
  /// Change derivative number i.
  constexpr void set_derivative(int i, const T& x) noexcept {
    if constexpr (std::same_as<Entry, T>)
      entries_[i] = x;
    else
      entries_[i / Entry::width].set(i % Entry::width, x);
  }

  friend constexpr D operator+(const D& a) noexcept { return a; }
  friend constexpr D operator-(const D& a) noexcept { return {EachPart{}, -a.value_, -a.entries_[I]...}; }

  friend constexpr D operator+(const D& a, const D& b) noexcept {
    return {EachPart{}, a.value_ + b.value_, a.entries_[I] + b.entries_[I]...};
  }
  friend constexpr D operator-(const D& a, const D& b) noexcept {
    return {EachPart{}, a.value_ - b.value_, a.entries_[I] - b.entries_[I]...};
  }
  friend constexpr D operator*(const D& a, const D& b) noexcept {
    return {EachPart{}, a.value_ * b.value_, a.entries_[I] * b.value_ + a.value_ * b.entries_[I]...};
  }
  friend constexpr D operator/(const D& a, const D& b) noexcept {
    const T inverse = 1 / b.value_, ratio = a.value_ / b.value_;
    return {EachPart{}, ratio, (a.entries_[I] - ratio * b.entries_[I]) * inverse...};
  }

  template <ConstantOf<T> U>
  friend constexpr D operator+(const D& a, const U& b) noexcept {
    return {EachPart{}, a.value_ + operand<T>(b), a.entries_[I]...};
  }
  template <ConstantOf<T> U>
  friend constexpr D operator+(const U& a, const D& b) noexcept {
    return {EachPart{}, operand<T>(a) + b.value_, b.entries_[I]...};
  }
  template <ConstantOf<T> U>
  friend constexpr D operator-(const D& a, const U& b) noexcept {
    return {EachPart{}, a.value_ - operand<T>(b), a.entries_[I]...};
  }
  template <ConstantOf<T> U>
  friend constexpr D operator-(const U& a, const D& b) noexcept {
    return {EachPart{}, operand<T>(a) - b.value_, -b.entries_[I]...};
  }
  template <ConstantOf<T> U>
  friend constexpr D operator*(const D& a, const U& b) noexcept {
    return {EachPart{}, a.value_ * operand<T>(b), a.entries_[I] * operand<T>(b)...};
  }
  template <ConstantOf<T> U>
  friend constexpr D operator*(const U& a, const D& b) noexcept {
    return {EachPart{}, operand<T>(a) * b.value_, operand<T>(a) * b.entries_[I]...};
  }
  template <ConstantOf<T> U>
  friend constexpr D operator/(const D& a, const U& b) noexcept {
    return {EachPart{}, a.value_ / operand<T>(b), a.entries_[I] / operand<T>(b)...};
  }
  template <ConstantOf<T> U>
  friend constexpr D operator/(const U& a, const D& b) noexcept {
    const T ratio = operand<T>(a) / b.value_, slope = -ratio / b.value_;
    return {EachPart{}, ratio, slope * b.entries_[I]...};
  }

  friend constexpr auto operator==(const D& a, const D& b) noexcept { return a.value_ == b.value_; }
  friend constexpr auto operator!=(const D& a, const D& b) noexcept { return a.value_ != b.value_; }
  friend constexpr auto operator<(const D& a, const D& b) noexcept { return a.value_ < b.value_; }
  friend constexpr auto operator>(const D& a, const D& b) noexcept { return a.value_ > b.value_; }
  friend constexpr auto operator<=(const D& a, const D& b) noexcept { return a.value_ <= b.value_; }
  friend constexpr auto operator>=(const D& a, const D& b) noexcept { return a.value_ >= b.value_; }
  template <ConstantOf<T> U>
  friend constexpr auto operator==(const D& a, const U& b) noexcept {
    return a.value_ == operand<T>(b);
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator!=(const D& a, const U& b) noexcept {
    return a.value_ != operand<T>(b);
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator<(const D& a, const U& b) noexcept {
    return a.value_ < operand<T>(b);
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator>(const D& a, const U& b) noexcept {
    return a.value_ > operand<T>(b);
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator<=(const D& a, const U& b) noexcept {
    return a.value_ <= operand<T>(b);
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator>=(const D& a, const U& b) noexcept {
    return a.value_ >= operand<T>(b);
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator<(const U& a, const D& b) noexcept {
    return b > a;
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator>(const U& a, const D& b) noexcept {
    return b < a;
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator<=(const U& a, const D& b) noexcept {
    return b >= a;
  }
  template <ConstantOf<T> U>
  friend constexpr auto operator>=(const U& a, const D& b) noexcept {
    return b <= a;
  }

  /// (2): the number whose value is f and whose derivatives are those of `a` times `slope`.
  friend constexpr D chain(const T& f, const T& slope, const D& a) noexcept {
    return {EachPart{}, f, slope * a.entries_[I]...};
  }
  /// (2) for a function of two numbers, with one slope for each.
  friend constexpr D chain(const T& f, const T& along_a, const D& a, const T& along_b, const D& b) noexcept {
    return {EachPart{}, f, along_a * a.entries_[I] + along_b * b.entries_[I]...};
  }
  /// Lane by lane: a where the mask holds, b elsewhere.
  template <class U, int W>
  friend constexpr D select(const Mask<U, W>& mask, const D& a, const D& b) noexcept {
    return {EachPart{}, select(mask, a.value_, b.value_), select(mask, a.entries_[I], b.entries_[I])...};
  }

 private:
  T value_;
  Entry entries_[sizeof...(I) > 0 ? sizeof...(I) : 1];
};

template <class T, int N>
using PartsOf =
    DualParts<Dual<T, N>, T, N, std::make_index_sequence<static_cast<std::size_t>(Layout<T, N>::entries)>>;

}  // namespace detail::dual

/// A number over T with N derivatives; T is plain, a pack, or a dual number itself. Without an initialiser
/// its parts are indeterminate, as those of a plain number are; `Dual<T, N>{}` is zero.
template <class T, int N>
class Dual : public detail::dual::PartsOf<T, N> {
  using Parts = detail::dual::PartsOf<T, N>;

 public:
  using Parts::Parts;
  using Scalar = T;               ///< the type of the value and of each derivative
  static constexpr int size = N;  ///< derivatives

  Dual() = default;
  /// A constant.
  template <detail::ConstantOf<T> U>
  constexpr Dual(const U& x) noexcept : Parts(detail::dual::Constant{}, detail::operand<T>(x)) {}
  /// The value and its derivatives.
  constexpr Dual(const T& value, const Vec<T, N>& derivatives) noexcept
      : Parts(detail::dual::Constant{}, value) {
    for (int i = 0; i < N; ++i) this->set_derivative(i, derivatives[i]);
  }
  /// Variable number `i` of N: its derivative i is 1, the others are 0.
  [[nodiscard]] static constexpr Dual variable(const T& value, int i) noexcept {
    return {detail::dual::Variable{}, value, i};
  }

  /// Add b, which may be a constant.
  template <class U>
  constexpr Dual& operator+=(const U& b) noexcept {
    return *this = *this + b;
  }
  /// Subtract b, which may be a constant.
  template <class U>
  constexpr Dual& operator-=(const U& b) noexcept {
    return *this = *this - b;
  }
  /// Multiply by b, which may be a constant.
  template <class U>
  constexpr Dual& operator*=(const U& b) noexcept {
    return *this = *this * b;
  }
  /// Divide by b, which may be a constant.
  template <class U>
  constexpr Dual& operator/=(const U& b) noexcept {
    return *this = *this / b;
  }

  /// All derivatives as a column.
  [[nodiscard]] constexpr Vec<T, N> derivatives() const noexcept {
    Vec<T, N> all;
    for (int i = 0; i < N; ++i) all[i] = this->derivative(i);
    return all;
  }
};

/// x without its derivatives of any order.
template <class T, int N>
[[nodiscard]] constexpr auto value_of(const Dual<T, N>& x) noexcept {
  return value_of(x.value());
}

}  // namespace dalembert

/// The limits of a dual number are those of its value.
template <class T, int N>
class std::numeric_limits<dalembert::Dual<T, N>> : public std::numeric_limits<dalembert::Number<T>> {};

namespace Eigen {

/// What Eigen asks of a scalar. One with N = −1 has a size in place of derivatives, core/detail/sized.hpp.
template <class T, int N>
struct NumTraits<dalembert::Dual<T, N>> : GenericNumTraits<dalembert::Dual<T, N>> {
  using Literal = dalembert::Number<T>;            ///< of a constant
  static constexpr int RequireInitialization = 0;  ///< none: parts may be indeterminate
  static constexpr int parts = N < 0 ? -N : N;     ///< beside the value
  static constexpr int ReadCost = parts + 1;       ///< as many numbers
  static constexpr int AddCost = parts + 1;        ///< as many sums
  static constexpr int MulCost = 3 * parts + 1;    ///< as many products and sums
};

/// Lets Eigen mix vectors of dual numbers with their constants.
template <class T, int N, dalembert::detail::ConstantOf<T> U, class Operation>
struct ScalarBinaryOpTraits<dalembert::Dual<T, N>, U, Operation> {
  using ReturnType = dalembert::Dual<T, N>;  ///< the type of the result
};
/// The same with the constant first.
template <class T, int N, dalembert::detail::ConstantOf<T> U, class Operation>
struct ScalarBinaryOpTraits<U, dalembert::Dual<T, N>, Operation> {
  using ReturnType = dalembert::Dual<T, N>;  ///< the type of the result
};

}  // namespace Eigen
