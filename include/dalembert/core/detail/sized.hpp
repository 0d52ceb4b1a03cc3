#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>

/// Running error analysis: a number with the size of what it was made of, to which its rounding is
/// proportional.
///   (a, α) ± (b, β) = (a ± b, α + β),   (a, α)(b, β) = (ab, |a|β + |b|α),
///     f(a, α) = (f(a), |f′(a)| α)
///        (1) A constant has the size of its magnitude. So x − x has the size 2|x| where its value is 0.
/// Source: Wilkinson 1986, Error analysis revisited; Higham 2002, Accuracy and stability of numerical
/// algorithms, section 3.3.
namespace dalembert {

/// A number over T with a size in place of derivatives: functions of dual numbers take it as they take these.
template <class T>
class Dual<T, -1> {
 public:
  using Scalar = T;  ///< the type of the value and of the size

  Dual() = default;
  /// A constant.
  template <detail::ConstantOf<T> U>
  Dual(const U& x) : value_(detail::operand<T>(x)), size_(magnitude(value_)) {}
  /// A value, and a size that it does not have by itself.
  Dual(const T& value, const T& size) : value_(value), size_(size) {}
  /// The same from a column of one number.
  Dual(const T& value, const Vec<T, 1>& size) : value_(value), size_(size[0]) {}

  /// The value.
  [[nodiscard]] const T& value() const noexcept { return value_; }
  /// The size.
  [[nodiscard]] const T& size() const noexcept { return size_; }
  /// The size as a column.
  [[nodiscard]] Vec<T, 1> derivatives() const { return Vec<T, 1>(size_); }

  // clang-format off
  template <class U> Dual& operator+=(const U& b) { return *this = *this + b; }  ///< a constant or another
  template <class U> Dual& operator-=(const U& b) { return *this = *this - b; }  ///< likewise
  template <class U> Dual& operator*=(const U& b) { return *this = *this * b; }  ///< likewise
  template <class U> Dual& operator/=(const U& b) { return *this = *this / b; }  ///< likewise

  friend Dual operator+(const Dual& a) { return a; }
  friend Dual operator-(const Dual& a) { return {T(-a.value_), a.size_}; }
  friend Dual operator+(const Dual& a, const Dual& b) {
    return {T(a.value_ + b.value_), T(a.size_ + b.size_)};
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {T(a.value_ - b.value_), T(a.size_ + b.size_)};
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {T(a.value_ * b.value_), T(magnitude(a.value_) * b.size_ + magnitude(b.value_) * a.size_)};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T ratio = a.value_ / b.value_;
    return {ratio, T((a.size_ + magnitude(ratio) * b.size_) / magnitude(b.value_))};
  }
  template <detail::ConstantOf<T> U> friend Dual operator*(const U& a, const Dual& b) { return b * a; }
  template <detail::ConstantOf<T> U> friend Dual operator*(const Dual& a, const U& b) {
    const T factor = detail::operand<T>(b);
    return {T(a.value_ * factor), T(a.size_ * magnitude(factor))};
  }
  template <detail::ConstantOf<T> U> friend Dual operator/(const Dual& a, const U& b) {
    const T divisor = detail::operand<T>(b);
    return {T(a.value_ / divisor), T(a.size_ / magnitude(divisor))};
  }

  friend auto operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend auto operator<(const Dual& a, const Dual& b) { return a.value_ < b.value_; }
  friend auto operator>(const Dual& a, const Dual& b) { return a.value_ > b.value_; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.value_ <= b.value_; }
  friend auto operator>=(const Dual& a, const Dual& b) { return a.value_ >= b.value_; }
  // clang-format on

  /// (1) of a function with this value and slope at a.
  friend Dual chain(const T& f, const T& slope, const Dual& a) { return {f, T(magnitude(slope) * a.size_)}; }
  /// The same of two numbers.
  friend Dual chain(const T& f, const T& along_a, const Dual& a, const T& along_b, const Dual& b) {
    return {f, T(magnitude(along_a) * a.size_ + magnitude(along_b) * b.size_)};
  }

 private:
  [[nodiscard]] static T magnitude(const T& x) {
    using std::abs;
    return abs(x);
  }

  T value_, size_;
};

namespace detail {

/// See the head of this file.
template <class T>
using Sized = Dual<T, -1>;

}  // namespace detail

}  // namespace dalembert
