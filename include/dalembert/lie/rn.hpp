#pragma once

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/lie/concepts.hpp>

namespace dalembert {

/// The vector space Rᴺ as a commutative group of translations: the product is the sum, exp and log change
/// nothing, and the bracket is zero. Units are those of the coordinates.
template <Real S, int N>
class Rn {
 public:
  using Scalar = S;              ///< the number type
  static constexpr int dof = N;  ///< dimension of the group
  using Tangent = Vec<S, N>;     ///< coordinates of the algebra
  using Point = Vec<S, N>;       ///< what the group acts on
  /// The same group over another scalar.
  template <Real T>
  using rebind = Rn<T, N>;

  /// The origin.
  Rn() noexcept : x_(detail::zeros<S, N>()) {}
  /// The point with these coordinates.
  explicit Rn(const Vec<S, N>& x) noexcept : x_(x) {}
  /// The origin.
  [[nodiscard]] static Rn identity() noexcept { return {}; }

  /// The N coordinates.
  [[nodiscard]] const Vec<S, N>& coordinates() const noexcept { return x_; }

  /// The sum.
  [[nodiscard]] Rn operator*(const Rn& h) const noexcept { return Rn(Tangent(x_ + h.x_)); }
  /// The point opposite to this.
  [[nodiscard]] Rn inverse() const noexcept { return Rn(detail::difference(detail::zeros<S, N>(), x_)); }
  /// p moved by these coordinates.
  [[nodiscard]] Point act(const Point& p) const noexcept { return detail::sum(x_, p); }
  /// Itself.
  [[nodiscard]] Rn normalised() const noexcept { return *this; }
  /// The same point over T.
  template <Real T>
  [[nodiscard]] Rn<T, N> cast() const noexcept {
    return Rn<T, N>(detail::convert_all<T>(x_));
  }
  /// The element over T whose numbers are f of these, taken in a fixed order.
  template <Real T, class F>
  [[nodiscard]] Rn<T, N> mapped(F&& f) const {
    return Rn<T, N>(detail::map_all<T>(x_, f));
  }

  /// The point ξ.
  [[nodiscard]] static Rn exp(const Tangent& xi) noexcept { return Rn(xi); }
  /// The point ξ.
  [[nodiscard]] static Rn exp_to_second_order(const Tangent& xi) noexcept { return Rn(xi); }
  /// The coordinates.
  [[nodiscard]] Tangent log() const noexcept { return x_; }

  /// The unit matrix.
  [[nodiscard]] Mat<S, N> Ad() const noexcept { return Mat<S, N>::Identity(); }
  /// η.
  [[nodiscard]] Tangent Ad(const Tangent& eta) const noexcept { return eta; }
  /// The zero matrix.
  [[nodiscard]] static Mat<S, N> ad(const Tangent&) noexcept { return Mat<S, N>::Zero(); }
  /// Zero.
  [[nodiscard]] static Tangent ad(const Tangent&, const Tangent&) noexcept { return detail::zeros<S, N>(); }
  /// Zero: ⟨ad*_ξ μ, η⟩ = ⟨μ, ad_ξ η⟩.
  [[nodiscard]] static Tangent coad(const Tangent&, const Tangent&) noexcept { return detail::zeros<S, N>(); }

  /// The unit matrix, like the other three Jacobians.
  [[nodiscard]] static Mat<S, N> left_jacobian(const Tangent&) noexcept { return Mat<S, N>::Identity(); }
  /// The unit matrix.
  [[nodiscard]] static Mat<S, N> right_jacobian(const Tangent&) noexcept { return Mat<S, N>::Identity(); }
  /// The unit matrix.
  [[nodiscard]] static Mat<S, N> left_jacobian_inverse(const Tangent&) noexcept {
    return Mat<S, N>::Identity();
  }
  /// The unit matrix.
  [[nodiscard]] static Mat<S, N> right_jacobian_inverse(const Tangent&) noexcept {
    return Mat<S, N>::Identity();
  }
  /// η, like the other three.
  [[nodiscard]] static Tangent left_jacobian(const Tangent&, const Tangent& eta) noexcept { return eta; }
  /// η.
  [[nodiscard]] static Tangent right_jacobian(const Tangent&, const Tangent& eta) noexcept { return eta; }
  /// η.
  [[nodiscard]] static Tangent left_jacobian_inverse(const Tangent&, const Tangent& eta) noexcept {
    return eta;
  }
  /// η.
  [[nodiscard]] static Tangent right_jacobian_inverse(const Tangent&, const Tangent& eta) noexcept {
    return eta;
  }

  /// Whether the coordinates are the same.
  [[nodiscard]] friend bool operator==(const Rn& a, const Rn& b) { return detail::same(a.x_, b.x_); }

 private:
  Vec<S, N> x_;
};

}  // namespace dalembert
