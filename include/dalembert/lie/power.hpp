#pragma once

#include <array>
#include <cstddef>

#include <dalembert/lie/rn.hpp>

namespace dalembert {

/// The direct product Gᴺ of N copies of one group: chains (g₀, …, g_{N−1}) with every operation component by component.
/// Twists, momenta and points follow each other in that order; matrices are block-diagonal.
template <LieGroup G, int N>
  requires(N > 0)
class Power {
  static constexpr int points = G::Point::RowsAtCompileTime;

 public:
  using Scalar = typename G::Scalar;      ///< the number type
  static constexpr int dof = N * G::dof;  ///< dimension of the group
  using Tangent = Vec<Scalar, dof>;       ///< coordinates of the algebra
  using Point = Vec<Scalar, N * points>;  ///< what the group acts on
  /// The same group over another scalar.
  template <Real T>
  using rebind = Power<typename G::template rebind<T>, N>;

  /// The identity.
  Power() noexcept = default;
  /// The chain of these elements.
  explicit Power(const std::array<G, N>& elements) noexcept : g_(elements) {}
  /// The identity.
  [[nodiscard]] static Power identity() noexcept { return {}; }

  /// Component i, 0 ≤ i < N.
  [[nodiscard]] const G& operator[](int i) const noexcept { return g_[static_cast<std::size_t>(i)]; }
  /// Component i, 0 ≤ i < N, to be changed.
  [[nodiscard]] G& operator[](int i) noexcept { return g_[static_cast<std::size_t>(i)]; }

  /// The products of the components.
  [[nodiscard]] Power operator*(const Power& h) const noexcept {
    return each([&](int i) { return (*this)[i] * h[i]; });
  }
  /// The inverses of the components.
  [[nodiscard]] Power inverse() const noexcept {
    return each([&](int i) { return (*this)[i].inverse(); });
  }
  /// Each component on its part of p.
  [[nodiscard]] Point act(const Point& p) const noexcept {
    Point q;
    for (int i = 0; i < N; ++i) {
      q.template segment<points>(i * points) = (*this)[i].act(p.template segment<points>(i * points));
    }
    return q;
  }
  /// All components normalised.
  [[nodiscard]] Power normalised() const noexcept {
    return each([&](int i) { return (*this)[i].normalised(); });
  }
  /// The same chain over T.
  template <Real T>
  [[nodiscard]] rebind<T> cast() const noexcept {
    rebind<T> h;
    for (int i = 0; i < N; ++i) h[i] = (*this)[i].template cast<T>();
    return h;
  }
  /// The element over T whose numbers are f of these, taken in a fixed order.
  template <Real T, class F>
  [[nodiscard]] rebind<T> mapped(F&& f) const {
    rebind<T> h;
    for (int i = 0; i < N; ++i) h[i] = (*this)[i].template mapped<T>(f);
    return h;
  }

  /// The exponentials of the parts of ξ.
  [[nodiscard]] static Power exp(const Tangent& xi) noexcept {
    return each([&](int i) { return G::exp(part(xi, i)); });
  }
  /// The same but for terms of third order.
  [[nodiscard]] static Power exp_to_second_order(const Tangent& xi) noexcept {
    return each([&](int i) { return detail::exp_near_identity<G>(part(xi, i)); });
  }
  /// The logarithms of the components.
  [[nodiscard]] Tangent log() const noexcept {
    return join([&](int i) { return (*this)[i].log(); });
  }

  /// diag(Ad, …, Ad).
  [[nodiscard]] Mat<Scalar, dof> Ad() const noexcept {
    return blocks([&](int i) { return (*this)[i].Ad(); });
  }
  /// Ad_g η.
  [[nodiscard]] Tangent Ad(const Tangent& eta) const noexcept {
    return join([&](int i) { return (*this)[i].Ad(part(eta, i)); });
  }
  /// diag(ad, …, ad).
  [[nodiscard]] static Mat<Scalar, dof> ad(const Tangent& xi) noexcept {
    return blocks([&](int i) { return G::ad(part(xi, i)); });
  }
  /// ad_ξ η = [ξ, η].
  [[nodiscard]] static Tangent ad(const Tangent& xi, const Tangent& eta) noexcept {
    return join([&](int i) { return G::ad(part(xi, i), part(eta, i)); });
  }
  /// ad*_ξ μ: ⟨ad*_ξ μ, η⟩ = ⟨μ, ad_ξ η⟩.
  [[nodiscard]] static Tangent coad(const Tangent& xi, const Tangent& mu) noexcept {
    return join([&](int i) { return G::coad(part(xi, i), part(mu, i)); });
  }

  /// diag(J_l, …, J_l).
  [[nodiscard]] static Mat<Scalar, dof> left_jacobian(const Tangent& xi) noexcept {
    return blocks([&](int i) { return G::left_jacobian(part(xi, i)); });
  }
  /// diag(J_r, …, J_r).
  [[nodiscard]] static Mat<Scalar, dof> right_jacobian(const Tangent& xi) noexcept {
    return blocks([&](int i) { return G::right_jacobian(part(xi, i)); });
  }
  /// diag(J_l⁻¹, …, J_l⁻¹).
  [[nodiscard]] static Mat<Scalar, dof> left_jacobian_inverse(const Tangent& xi) noexcept {
    return blocks([&](int i) { return G::left_jacobian_inverse(part(xi, i)); });
  }
  /// diag(J_r⁻¹, …, J_r⁻¹).
  [[nodiscard]] static Mat<Scalar, dof> right_jacobian_inverse(const Tangent& xi) noexcept {
    return blocks([&](int i) { return G::right_jacobian_inverse(part(xi, i)); });
  }
  /// J_l(ξ)η.
  [[nodiscard]] static Tangent left_jacobian(const Tangent& xi, const Tangent& eta) noexcept {
    return join([&](int i) { return G::left_jacobian(part(xi, i), part(eta, i)); });
  }
  /// J_r(ξ)η.
  [[nodiscard]] static Tangent right_jacobian(const Tangent& xi, const Tangent& eta) noexcept {
    return join([&](int i) { return G::right_jacobian(part(xi, i), part(eta, i)); });
  }
  /// J_l(ξ)⁻¹η.
  [[nodiscard]] static Tangent left_jacobian_inverse(const Tangent& xi, const Tangent& eta) noexcept {
    return join([&](int i) { return G::left_jacobian_inverse(part(xi, i), part(eta, i)); });
  }
  /// J_r(ξ)⁻¹η.
  [[nodiscard]] static Tangent right_jacobian_inverse(const Tangent& xi, const Tangent& eta) noexcept {
    return join([&](int i) { return G::right_jacobian_inverse(part(xi, i), part(eta, i)); });
  }

  /// The part of a twist or momentum that belongs to component i.
  [[nodiscard]] static typename G::Tangent part(const Tangent& xi, int i) noexcept {
    return xi.template segment<G::dof>(i * G::dof);
  }
  /// The chain whose component i is f(i).
  template <class F>
  [[nodiscard]] static Power each(const F& f) noexcept {
    Power h;
    for (int i = 0; i < N; ++i) h[i] = f(i);
    return h;
  }
  /// The twist or momentum whose part i is f(i).
  template <class F>
  [[nodiscard]] static Tangent join(const F& f) noexcept {
    Tangent xi;
    for (int i = 0; i < N; ++i) xi.template segment<G::dof>(i * G::dof) = f(i);
    return xi;
  }
  /// The matrix with the blocks f(i) on its diagonal.
  template <class F>
  [[nodiscard]] static Mat<Scalar, dof> blocks(const F& f) noexcept {
    Mat<Scalar, dof> m = Mat<Scalar, dof>::Zero();
    for (int i = 0; i < N; ++i) m.template block<G::dof, G::dof>(i * G::dof, i * G::dof) = f(i);
    return m;
  }

  /// Whether all components are the same, bit for bit.
  [[nodiscard]] friend bool operator==(const Power&, const Power&) = default;

 private:
  std::array<G, N> g_{};
};

}  // namespace dalembert
