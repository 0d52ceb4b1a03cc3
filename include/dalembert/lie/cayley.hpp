#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/power.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/se3.hpp>
#include <dalembert/lie/so2.hpp>
#include <dalembert/lie/so3.hpp>

/// The Cayley transform of the matrix groups, cay ξ = (1 − ½ξ)⁻¹(1 + ½ξ), ξ standing for its
/// matrix:
///   SO(3)  q = (1, ½ω)/√(1 + x/4),  x = |ω|²; the angle is 2 atan(½|ω|)                          (1)
///   SE(3)  R = cay ω,  p = (1 − ½ω̂)⁻¹γ,
///     (1 − ½ω̂)⁻¹ = (1 + ½ω̂ + ¼ωωᵀ)/(1 + x/4)  (2)
/// and SO(2), SE(2) inside them. Its spatial tangent T, cay(ξ + δ) = cay(Tδ) cay(ξ) + O(δ²), follows
/// from
///   T⁻¹η = (1 − ½ξ) η (1 + ½ξ)                                                                (3)
/// Source: Kobilarov, Crane, Desbrun 2009, sec. 4.2; Hairer, Lubich, Wanner 2006, IV.8.3.
namespace dalembert {

/// cay on the group G: `map`, `inverse_map`, `spatial_tangent` and `spatial_tangent_inverse`. Specialise it
/// for a group of your own.
template <class G>
struct CayleyOf;

/// On Rᴺ it changes nothing, like exp.
template <Real S, int N>
struct CayleyOf<Rn<S, N>> {
  using G = Rn<S, N>;                   ///< the group
  using Tangent = typename G::Tangent;  ///< coordinates of the algebra
  /// ξ.
  [[nodiscard]] static G map(const Tangent& xi) noexcept { return G(xi); }
  /// The coordinates.
  [[nodiscard]] static Tangent inverse_map(const G& g) noexcept { return g.coordinates(); }
  /// The unit matrix.
  [[nodiscard]] static Mat<S, N> spatial_tangent(const Tangent&) noexcept { return Mat<S, N>::Identity(); }
  /// The unit matrix.
  [[nodiscard]] static Mat<S, N> spatial_tangent_inverse(const Tangent&) noexcept {
    return Mat<S, N>::Identity();
  }
};

/// cos and sin are rational in the tangent of half the angle, which is ω/2.
template <Real S>
struct CayleyOf<SO2<S>> {
  using G = SO2<S>;                     ///< the group
  using Tangent = typename G::Tangent;  ///< coordinates of the algebra
  /// The turn by 2 atan(ω/2).
  [[nodiscard]] static G map(const Tangent& omega) noexcept {
    const S quarter = constant<S>(0.25L) * omega[0] * omega[0], scale = S(1) / (S(1) + quarter);
    return G::from_unit_complex(S(scale * (S(1) - quarter)), S(scale * omega[0]));
  }
  /// ω = 2 tan(θ/2), in the form without cancellation.
  [[nodiscard]] static Tangent inverse_map(const G& g) noexcept {
    return Tangent(S(S(2) * g.sine() / (S(1) + g.cosine())));
  }
  /// 1/(1 + ω²/4).
  [[nodiscard]] static Mat<S, 1> spatial_tangent(const Tangent& omega) noexcept {
    return Mat<S, 1>(S(S(1) / (S(1) + constant<S>(0.25L) * omega[0] * omega[0])));
  }
  /// 1 + ω²/4.
  [[nodiscard]] static Mat<S, 1> spatial_tangent_inverse(const Tangent& omega) noexcept {
    return Mat<S, 1>(S(S(1) + constant<S>(0.25L) * omega[0] * omega[0]));
  }
};

/// Eq. (2) in the plane.
template <Real S>
struct CayleyOf<SE2<S>> {
  using G = SE2<S>;                     ///< the group
  using Tangent = typename G::Tangent;  ///< coordinates of the algebra
  /// cay ξ.
  [[nodiscard]] static G map(const Tangent& xi) noexcept {
    const S half = constant<S>(0.5L) * xi[2], scale = S(1) / (S(1) + half * half);
    return {CayleyOf<SO2<S>>::map(Vec<S, 1>(xi[2])),
            Vec<S, 2>(S(scale * (xi[0] - half * xi[1])), S(scale * (xi[1] + half * xi[0])))};
  }
  /// The ξ with cay ξ = g, for less than half a turn.
  [[nodiscard]] static Tangent inverse_map(const G& g) noexcept {
    const S omega = CayleyOf<SO2<S>>::inverse_map(g.rotation())[0], half = constant<S>(0.5L) * omega;
    const Vec<S, 2>& p = g.translation();
    return {S(p[0] + half * p[1]), S(p[1] - half * p[0]), omega};
  }
  /// T of (3), 3×3.
  [[nodiscard]] static Mat<S, 3> spatial_tangent(const Tangent& xi) noexcept {
    const S half = constant<S>(0.5L) * xi[2], a = S(1) / (S(1) + half * half), b = a * half,
            c = constant<S>(0.5L) * a;
    Mat<S, 3> m;
    m << a, S(-b), S(c * xi[1]), b, a, S(-c * xi[0]), S(0), S(0), a;
    return m;
  }
  /// T⁻¹ of (3), 3×3.
  [[nodiscard]] static Mat<S, 3> spatial_tangent_inverse(const Tangent& xi) noexcept {
    const S half = constant<S>(0.5L) * xi[2], h = constant<S>(0.5L);
    Mat<S, 3> m;
    m << S(1), half, S(h * (half * xi[0] - xi[1])), S(-half), S(1), S(h * (half * xi[1] + xi[0])), S(0), S(0),
        S(S(1) + half * half);
    return m;
  }
};

/// Eq. (1).
template <Real S>
struct CayleyOf<SO3<S>> {
  using G = SO3<S>;                     ///< the group
  using Tangent = typename G::Tangent;  ///< coordinates of the algebra
  /// The rotation by 2 atan(|ω|/2) about ω.
  [[nodiscard]] static G map(const Tangent& omega) noexcept {
    using std::sqrt;
    const S w = S(1) / sqrt(S(S(1) + constant<S>(0.25L) * omega.squaredNorm()));
    return G::from_unit_quaternion(w, Vec<S, 3>(S(constant<S>(0.5L) * w) * omega));
  }
  /// ω = 2v/w.
  [[nodiscard]] static Tangent inverse_map(const G& g) noexcept { return S(S(2) / g.w()) * g.v(); }
  /// (1 + ½ω̂)/(1 + x/4), 3×3.
  [[nodiscard]] static Mat<S, 3> spatial_tangent(const Tangent& omega) noexcept {
    const S scale = S(1) / (S(1) + constant<S>(0.25L) * omega.squaredNorm());
    return scale * (Mat<S, 3>::Identity() + SO3<S>::hat(constant<S>(0.5L) * omega));
  }
  /// 1 − ½ω̂ + ¼ωωᵀ, 3×3.
  [[nodiscard]] static Mat<S, 3> spatial_tangent_inverse(const Tangent& omega) noexcept {
    return Mat<S, 3>::Identity() - SO3<S>::hat(constant<S>(0.5L) * omega) +
           constant<S>(0.25L) * omega * omega.transpose();
  }
};

/// Eq. (2). With A = 1 − ½ω̂ and D the tangent of SO(3), T = [A⁻¹  ½γ̂D; 0  D].
template <Real S>
struct CayleyOf<SE3<S>> {
  using G = SE3<S>;                     ///< the group
  using Tangent = typename G::Tangent;  ///< coordinates of the algebra
  /// cay ξ.
  [[nodiscard]] static G map(const Tangent& xi) noexcept {
    const Vec<S, 3> omega = xi.template tail<3>();
    return {CayleyOf<SO3<S>>::map(omega), Vec<S, 3>(resolvent(omega) * xi.template head<3>())};
  }
  /// The ξ with cay ξ = g, for less than half a turn.
  [[nodiscard]] static Tangent inverse_map(const G& g) noexcept {
    const Vec<S, 3> omega = CayleyOf<SO3<S>>::inverse_map(g.rotation());
    Tangent xi;
    xi.template head<3>() = g.translation() - constant<S>(0.5L) * detail::cross(omega, g.translation());
    xi.template tail<3>() = omega;
    return xi;
  }
  /// T of (3), 6×6.
  [[nodiscard]] static Mat<S, 6> spatial_tangent(const Tangent& xi) noexcept {
    const Vec<S, 3> omega = xi.template tail<3>();
    const Mat<S, 3> D = CayleyOf<SO3<S>>::spatial_tangent(omega);
    return blocks(resolvent(omega), SO3<S>::hat(constant<S>(0.5L) * xi.template head<3>()) * D, D);
  }
  /// T⁻¹ of (3), 6×6.
  [[nodiscard]] static Mat<S, 6> spatial_tangent_inverse(const Tangent& xi) noexcept {
    const Vec<S, 3> omega = xi.template tail<3>();
    const Mat<S, 3> A = Mat<S, 3>::Identity() - SO3<S>::hat(constant<S>(0.5L) * omega);
    return blocks(A, -A * SO3<S>::hat(constant<S>(0.5L) * xi.template head<3>()),
                  CayleyOf<SO3<S>>::spatial_tangent_inverse(omega));
  }

 private:
  /// (1 − ½ω̂)⁻¹.
  [[nodiscard]] static Mat<S, 3> resolvent(const Vec<S, 3>& omega) noexcept {
    const S scale = S(1) / (S(1) + constant<S>(0.25L) * omega.squaredNorm());
    return scale * (Mat<S, 3>::Identity() + SO3<S>::hat(constant<S>(0.5L) * omega) +
                    constant<S>(0.25L) * omega * omega.transpose());
  }
  /// [A B; 0 D].
  [[nodiscard]] static Mat<S, 6> blocks(const Mat<S, 3>& A, const Mat<S, 3>& B, const Mat<S, 3>& D) noexcept {
    Mat<S, 6> m = Mat<S, 6>::Zero();
    m.template topLeftCorner<3, 3>() = A;
    m.template topRightCorner<3, 3>() = B;
    m.template bottomRightCorner<3, 3>() = D;
    return m;
  }
};

/// Component by component.
template <class A, class B>
struct CayleyOf<Product<A, B>> {
  using G = Product<A, B>;                         ///< the group
  using Tangent = typename G::Tangent;             ///< coordinates of the algebra
  using Matrix = Mat<typename G::Scalar, G::dof>;  ///< linear maps of the algebra
  /// (cay ξ_G, cay ξ_H).
  [[nodiscard]] static G map(const Tangent& xi) noexcept {
    return {CayleyOf<A>::map(G::of_g(xi)), CayleyOf<B>::map(G::of_h(xi))};
  }
  /// The ξ with cay ξ = g.
  [[nodiscard]] static Tangent inverse_map(const G& g) noexcept {
    return G::join(CayleyOf<A>::inverse_map(g.first()), CayleyOf<B>::inverse_map(g.second()));
  }
  /// Block-diagonal.
  [[nodiscard]] static Matrix spatial_tangent(const Tangent& xi) noexcept {
    return G::blocks(CayleyOf<A>::spatial_tangent(G::of_g(xi)), CayleyOf<B>::spatial_tangent(G::of_h(xi)));
  }
  /// Block-diagonal.
  [[nodiscard]] static Matrix spatial_tangent_inverse(const Tangent& xi) noexcept {
    return G::blocks(CayleyOf<A>::spatial_tangent_inverse(G::of_g(xi)),
                     CayleyOf<B>::spatial_tangent_inverse(G::of_h(xi)));
  }
};

/// Component by component.
template <class A, int N>
struct CayleyOf<Power<A, N>> {
  using G = Power<A, N>;                           ///< the group
  using Tangent = typename G::Tangent;             ///< coordinates of the algebra
  using Matrix = Mat<typename G::Scalar, G::dof>;  ///< linear maps of the algebra
  /// The transforms of the parts of ξ.
  [[nodiscard]] static G map(const Tangent& xi) noexcept {
    return G::each([&](int i) { return CayleyOf<A>::map(G::part(xi, i)); });
  }
  /// The ξ with cay ξ = g.
  [[nodiscard]] static Tangent inverse_map(const G& g) noexcept {
    return G::join([&](int i) { return CayleyOf<A>::inverse_map(g[i]); });
  }
  /// Block-diagonal.
  [[nodiscard]] static Matrix spatial_tangent(const Tangent& xi) noexcept {
    return G::blocks([&](int i) { return CayleyOf<A>::spatial_tangent(G::part(xi, i)); });
  }
  /// Block-diagonal.
  [[nodiscard]] static Matrix spatial_tangent_inverse(const Tangent& xi) noexcept {
    return G::blocks([&](int i) { return CayleyOf<A>::spatial_tangent_inverse(G::part(xi, i)); });
  }
};

}  // namespace dalembert
