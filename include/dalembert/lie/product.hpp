#pragma once

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/lie/rn.hpp>

namespace dalembert {

/// The direct product G × H: pairs (g, h) with every operation component by component. A twist is that of G
/// followed by that of H, and so are points and momenta; matrices are block-diagonal.
template <LieGroup G, LieGroup H>
  requires std::same_as<typename G::Scalar, typename H::Scalar>
class Product {
  static constexpr int points_g = G::Point::RowsAtCompileTime, points_h = H::Point::RowsAtCompileTime;

 public:
  using Scalar = typename G::Scalar;               ///< the number type
  static constexpr int dof = G::dof + H::dof;      ///< dimension of the group
  using Tangent = Vec<Scalar, dof>;                ///< coordinates of the algebra
  using Point = Vec<Scalar, points_g + points_h>;  ///< what the group acts on
  /// The same group over another scalar.
  template <Real T>
  using rebind = Product<typename G::template rebind<T>, typename H::template rebind<T>>;

  /// The identity.
  Product() noexcept = default;
  /// The pair (g, h).
  Product(const G& g, const H& h) noexcept : g_(g), h_(h) {}
  /// The identity.
  [[nodiscard]] static Product identity() noexcept { return {G::identity(), H::identity()}; }

  /// The component in G.
  [[nodiscard]] const G& first() const noexcept { return g_; }
  /// The component in H.
  [[nodiscard]] const H& second() const noexcept { return h_; }

  /// (g₁g₂, h₁h₂).
  [[nodiscard]] Product operator*(const Product& other) const noexcept {
    return {g_ * other.g_, h_ * other.h_};
  }
  /// (g⁻¹, h⁻¹).
  [[nodiscard]] Product inverse() const noexcept { return {g_.inverse(), h_.inverse()}; }
  /// g on the first coordinates of p and h on the last.
  [[nodiscard]] Point act(const Point& p) const noexcept {
    return detail::stacked(typename G::Point(g_.act(detail::part<points_g>(p))),
                           typename H::Point(h_.act(detail::part<points_h>(p, points_g))));
  }
  /// Both components normalised.
  [[nodiscard]] Product normalised() const noexcept { return {g_.normalised(), h_.normalised()}; }
  /// The same pair over T.
  template <Real T>
  [[nodiscard]] rebind<T> cast() const noexcept {
    return {g_.template cast<T>(), h_.template cast<T>()};
  }
  /// The element over T whose numbers are f of these, taken in a fixed order.
  template <Real T, class F>
  [[nodiscard]] rebind<T> mapped(F&& f) const {
    const auto g = g_.template mapped<T>(f);
    return {g, h_.template mapped<T>(f)};
  }

  /// (exp ξ_G, exp ξ_H).
  [[nodiscard]] static Product exp(const Tangent& xi) noexcept {
    return {G::exp(of_g(xi)), H::exp(of_h(xi))};
  }
  /// (exp ξ_G, exp ξ_H) but for terms of third order.
  [[nodiscard]] static Product exp_to_second_order(const Tangent& xi) noexcept {
    return {detail::exp_near_identity<G>(of_g(xi)), detail::exp_near_identity<H>(of_h(xi))};
  }
  /// (log g, log h).
  [[nodiscard]] Tangent log() const noexcept { return join(g_.log(), h_.log()); }

  /// diag(Ad_g, Ad_h).
  [[nodiscard]] Mat<Scalar, dof> Ad() const noexcept { return blocks(g_.Ad(), h_.Ad()); }
  /// Ad_(g,h) η.
  [[nodiscard]] Tangent Ad(const Tangent& eta) const noexcept {
    return join(g_.Ad(of_g(eta)), h_.Ad(of_h(eta)));
  }
  /// diag(ad, ad).
  [[nodiscard]] static Mat<Scalar, dof> ad(const Tangent& xi) noexcept {
    return blocks(G::ad(of_g(xi)), H::ad(of_h(xi)));
  }
  /// ad_ξ η = [ξ, η].
  [[nodiscard]] static Tangent ad(const Tangent& xi, const Tangent& eta) noexcept {
    return join(G::ad(of_g(xi), of_g(eta)), H::ad(of_h(xi), of_h(eta)));
  }
  /// ad*_ξ μ: ⟨ad*_ξ μ, η⟩ = ⟨μ, ad_ξ η⟩.
  [[nodiscard]] static Tangent coad(const Tangent& xi, const Tangent& mu) noexcept {
    return join(G::coad(of_g(xi), of_g(mu)), H::coad(of_h(xi), of_h(mu)));
  }

  /// diag(J_l, J_l).
  [[nodiscard]] static Mat<Scalar, dof> left_jacobian(const Tangent& xi) noexcept {
    return blocks(G::left_jacobian(of_g(xi)), H::left_jacobian(of_h(xi)));
  }
  /// diag(J_r, J_r).
  [[nodiscard]] static Mat<Scalar, dof> right_jacobian(const Tangent& xi) noexcept {
    return blocks(G::right_jacobian(of_g(xi)), H::right_jacobian(of_h(xi)));
  }
  /// diag(J_l⁻¹, J_l⁻¹).
  [[nodiscard]] static Mat<Scalar, dof> left_jacobian_inverse(const Tangent& xi) noexcept {
    return blocks(G::left_jacobian_inverse(of_g(xi)), H::left_jacobian_inverse(of_h(xi)));
  }
  /// diag(J_r⁻¹, J_r⁻¹).
  [[nodiscard]] static Mat<Scalar, dof> right_jacobian_inverse(const Tangent& xi) noexcept {
    return blocks(G::right_jacobian_inverse(of_g(xi)), H::right_jacobian_inverse(of_h(xi)));
  }
  /// J_l(ξ)η.
  [[nodiscard]] static Tangent left_jacobian(const Tangent& xi, const Tangent& eta) noexcept {
    return join(G::left_jacobian(of_g(xi), of_g(eta)), H::left_jacobian(of_h(xi), of_h(eta)));
  }
  /// J_r(ξ)η.
  [[nodiscard]] static Tangent right_jacobian(const Tangent& xi, const Tangent& eta) noexcept {
    return join(G::right_jacobian(of_g(xi), of_g(eta)), H::right_jacobian(of_h(xi), of_h(eta)));
  }
  /// J_l(ξ)⁻¹η.
  [[nodiscard]] static Tangent left_jacobian_inverse(const Tangent& xi, const Tangent& eta) noexcept {
    return join(G::left_jacobian_inverse(of_g(xi), of_g(eta)), H::left_jacobian_inverse(of_h(xi), of_h(eta)));
  }
  /// J_r(ξ)⁻¹η.
  [[nodiscard]] static Tangent right_jacobian_inverse(const Tangent& xi, const Tangent& eta) noexcept {
    return join(G::right_jacobian_inverse(of_g(xi), of_g(eta)),
                H::right_jacobian_inverse(of_h(xi), of_h(eta)));
  }

  /// The part of a twist or momentum that belongs to G.
  [[nodiscard]] static typename G::Tangent of_g(const Tangent& xi) noexcept {
    return detail::part<G::dof>(xi);
  }
  /// The part of a twist or momentum that belongs to H.
  [[nodiscard]] static typename H::Tangent of_h(const Tangent& xi) noexcept {
    return detail::part<H::dof>(xi, G::dof);
  }
  /// The twist or momentum with these parts.
  [[nodiscard]] static Tangent join(const typename G::Tangent& a, const typename H::Tangent& b) noexcept {
    return detail::stacked(a, b);
  }
  /// The matrix with these blocks on its diagonal.
  [[nodiscard]] static Mat<Scalar, dof> blocks(const Mat<Scalar, G::dof>& a,
                                               const Mat<Scalar, H::dof>& b) noexcept {
    Mat<Scalar, dof> m;
    detail::set_zero(m);
    detail::place(m, 0, 0, a);
    detail::place(m, G::dof, G::dof, b);
    return m;
  }

  /// Whether both components are the same, bit for bit.
  [[nodiscard]] friend bool operator==(const Product&, const Product&) = default;

 private:
  G g_;
  H h_;
};

}  // namespace dalembert
