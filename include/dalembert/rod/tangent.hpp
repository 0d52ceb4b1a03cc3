#pragma once

#include <dalembert/core/autodiff.hpp>
#include <dalembert/lie/series.hpp>
#include <dalembert/rod/block_tridiagonal.hpp>
#include <dalembert/rod/rod.hpp>

/// The tangent of a rod: the derivative of the gradient of its elements, in closed form.
///
/// With x = hΓ, y = Λ*ᵀ(δr₁ − δr₀), σ = Σ₀ + Σ₁, ρ = Σ₁ − Σ₀ the equations (4), (5) of rod/strain.hpp read
///   Σ* = ½ σ + ½ U ρ,  U = û at the midpoint, −1 forward                              (1)
///   δx = y + x̂ Σ*,  δΘ = ½ Θ̂ σ + H ρ,  H = 1 + cΘ̂²                                   (2)
/// or (δx, δΘ) = B (y, σ, ρ). The gradient with respect to (y, σ, ρ) is Bᵀ(n, m), and its derivative
///   Q = Bᵀ K B / h + G,  K = ∂(n, m)/∂(Γ, Ω)                                          (3)
/// has a geometric part G, row by row
///   of y:  −n̂ Σ*                                                                      (4)
///   of σ:  ½ n̂ δx + ½ m̂ δΘ                                                            (5)
///   of ρ:  ½ Uᵀn̂ δx + ½ τ̂ δu + [2e′ p Θᵀ − c (Θ × m)^ − c Θ̂ m̂] δΘ                     (6)
/// where c = e(θ²) is series::cot_remainder, p = Θ × (Θ × m), τ = n × x, and
///   δu = ½ [(w/(1 + w)) ρ + u × σ + u (u·ρ)] at the midpoint, 0 forward               (7)
/// Rotations vary as Λ exp(εΣ̂) and the gradient is left-trivialised: the tangent of a whole rod is symmetric in
/// equilibrium, not elsewhere.
namespace dalembert::rod {

/// A material that gives its tangent ∂(n, m)/∂(Γ, Ω) as a 6×6 matrix.
template <class M>
concept MaterialWithTangent = Material<M> &&
    requires(const M& material, const Vec<typename M::Scalar, 3>& strain) {
  { material.tangent(strain, strain) } -> std::convertible_to<Mat<typename M::Scalar, 6, 6>>;
};

/// ∂(n, m)/∂(Γ, Ω) of any material: its own tangent, or that of its stress by automatic differentiation [N, N m²].
template <Material M>
[[nodiscard]] Mat<typename M::Scalar, 6, 6> material_tangent(const M& material,
                                                             const Vec<typename M::Scalar, 3>& stretch,
                                                             const Vec<typename M::Scalar, 3>& curvature) {
  using S = typename M::Scalar;
  if constexpr (MaterialWithTangent<M>) {
    return material.tangent(stretch, curvature);
  } else {
    Vec<S, 6> strain;
    strain << stretch, curvature;
    const auto stress = [&](const auto& e) {
      using D = typename std::decay_t<decltype(e)>::Scalar;
      const Stress<D> s = material.stress(Vec<D, 3>(e.template head<3>()), Vec<D, 3>(e.template tail<3>()));
      Vec<D, 6> both;
      both << s.force, s.moment;
      return both;
    };
    return jacobian(stress, strain);
  }
}

/// The derivative of the gradient of one element (force and torque of the first node, then of the second) with
/// respect to (δr₀, Σ₀, δr₁, Σ₁), spatial positions and body rotations [N/m, N; N, N m].
template <class S>
using ElementTangent = Eigen::Matrix<S, 12, 12>;

namespace detail {

/// â.
template <class S>
[[nodiscard]] inline Mat<S, 3, 3> hat(const Vec<S, 3>& a) noexcept {
  Mat<S, 3, 3> m;
  m << S(0), -a[2], a[1], a[2], S(0), -a[0], -a[1], a[0], S(0);
  return m;
}

/// Λ*, U and ∂u/∂(σ, ρ) of (1) and (7) for a strain rule.
template <class S>
struct StrainFrame {
  Mat<S, 3, 3> frame;
  Mat<S, 3, 3> lever;
  Mat<S, 3, 3> lever_sum;
  Mat<S, 3, 3> lever_difference;
};

/// The columns of the rotation q with 2/|q|² = scale.
template <class S>
[[nodiscard]] inline Mat<S, 3, 3> frame_of(const S& w, const Vec<S, 3>& v, const S& scale) noexcept {
  Mat<S, 3, 3> m;
  for (int i = 0; i < 3; ++i) m.col(i) = rotate(w, v, scale, Vec<S, 3>(Vec<S, 3>::Unit(i)));
  return m;
}

template <class S>
[[nodiscard]] inline StrainFrame<S> strain_frame(MidpointStrain, const ElementPose<S>&,
                                                 const Relative<S>& r) noexcept {
  const Vec<S, 3> u = r.inverse * r.v;
  const Mat<S, 3, 3> turn = hat<S>(u);
  Mat<S, 3, 3> difference = S(0.5) * u * u.transpose();
  difference.diagonal().array() += S(0.5) * r.w * r.inverse;
  return {frame_of(r.mid_w, r.mid_v, r.inverse), turn, S(0.5) * turn, difference};
}

template <class S>
[[nodiscard]] inline StrainFrame<S> strain_frame(ForwardStrain, const ElementPose<S>& e,
                                                 const Relative<S>&) noexcept {
  return {frame_of(e.w0, e.v0, S(2)), -Mat<S, 3, 3>::Identity(), Mat<S, 3, 3>::Zero(), Mat<S, 3, 3>::Zero()};
}

/// A strain rule whose frame is known in the form (1).
template <class Rule, class S>
concept RuleWithFrame = requires(const ElementPose<S>& e, const Relative<S>& r) {
  { strain_frame(Rule{}, e, r) } -> std::same_as<StrainFrame<S>>;
};

}  // namespace detail

/// The tangent of an element of rest length h [m]; equations (1) to (7).
template <class Rule, Material M, class S>
  requires detail::RuleWithFrame<Rule, S>
[[nodiscard]] ElementTangent<S> element_tangent(const ElementPose<S>& e, const M& material, S h) {
  using Mat3 = Mat<S, 3, 3>;
  using Vec3 = Vec<S, 3>;
  const detail::Relative<S> r(e);
  const detail::StrainFrame<S> f = detail::strain_frame(Rule{}, e, r);
  const Vec3 x = f.frame.transpose() * e.chord;
  const Vec3 theta = S(2) * r.A * r.v;
  const Stress<S> stress = material.stress(Vec3(x / h), Vec3(theta / h));
  const Mat<S, 6, 6> stiffness = material_tangent(material, Vec3(x / h), Vec3(theta / h));

  const S square = theta.squaredNorm();
  const S c = series::cot_remainder(square);
  const S slope = series::cot_remainder_derivative(square);
  const Mat3 n_hat = detail::hat<S>(stress.force);
  const Mat3 m_hat = detail::hat<S>(stress.moment);
  const Mat3 theta_hat = detail::hat<S>(theta);
  const Vec3 theta_m = theta.cross(stress.moment);
  const Vec3 p = theta.cross(theta_m);

  Eigen::Matrix<S, 3, 9> turn;  // Σ*
  turn << Mat3::Zero(), S(0.5) * Mat3::Identity(), S(0.5) * f.lever;
  Eigen::Matrix<S, 6, 9> B;
  B.template topRows<3>().noalias() = detail::hat<S>(x).lazyProduct(turn);
  B.template topLeftCorner<3, 3>().setIdentity();
  B.template bottomRows<3>() << Mat3::Zero(), S(0.5) * theta_hat,
      Mat3::Identity() + c * theta_hat * theta_hat;

  Eigen::Matrix<S, 6, 9> KB;
  KB.noalias() = (stiffness / h).lazyProduct(B);
  Eigen::Matrix<S, 9, 9> Q;
  Q.noalias() = B.transpose().lazyProduct(KB);
  const auto dx = B.template topRows<3>();
  const auto dtheta = B.template bottomRows<3>();
  Q.template topRows<3>() -= n_hat.lazyProduct(turn);
  Q.template middleRows<3>(3) += S(0.5) * (n_hat.lazyProduct(dx) + m_hat.lazyProduct(dtheta));
  const Mat3 bend = S(2) * slope * p * theta.transpose() - c * (detail::hat<S>(theta_m) + theta_hat * m_hat);
  const Mat3 lever_n = S(0.5) * f.lever.transpose() * n_hat;
  Q.template bottomRows<3>() += lever_n.lazyProduct(dx) + bend.lazyProduct(dtheta);
  const Mat3 half_tau = S(0.5) * detail::hat<S>(Vec3(stress.force.cross(x)));
  Q.template block<3, 3>(6, 3) += half_tau * f.lever_sum;
  Q.template block<3, 3>(6, 6) += half_tau * f.lever_difference;

  // from (y, σ, ρ) to both nodes, columns then rows
  Eigen::Matrix<S, 9, 12> C;
  C.template middleCols<3>(6).noalias() = Q.template leftCols<3>().lazyProduct(f.frame.transpose());
  C.template leftCols<3>() = -C.template middleCols<3>(6);
  C.template middleCols<3>(3) = Q.template middleCols<3>(3) - Q.template rightCols<3>();
  C.template rightCols<3>() = Q.template middleCols<3>(3) + Q.template rightCols<3>();
  ElementTangent<S> T;
  T.template middleRows<3>(6).noalias() = f.frame.lazyProduct(C.template topRows<3>());
  T.template topRows<3>() = -T.template middleRows<3>(6);
  T.template middleRows<3>(3) = C.template middleRows<3>(3) - C.template bottomRows<3>();
  T.template bottomRows<3>() = C.template middleRows<3>(3) + C.template bottomRows<3>();
  return T;
}

/// The stiffness −∂f/∂(δr, Σ) of a rod, f its loads (`Rod::forces`) with those at its ends; held degrees are
/// treated like free ones. K must have a block for each node.
template <class R>
void assemble_tangent(const R& rod, const Chain<typename R::Scalar>& chain,
                      BlockTridiagonal<typename R::Scalar>& K) {
  using S = typename R::Scalar;
  K.set_zero();
  for (Eigen::Index k = 0; k < rod.elements(); ++k) {
    const ElementTangent<S> T =
        element_tangent<typename R::Strains>(R::pose(chain, k), rod.material(), rod.spacing());
    K.diagonal(k) += T.template topLeftCorner<6, 6>();
    K.upper(k) = T.template topRightCorner<6, 6>();
    K.lower(k) = T.template bottomLeftCorner<6, 6>();
    K.diagonal(k + 1) = T.template bottomRightCorner<6, 6>();
  }
  const auto add_end = [&](const EndLoad<S>& load, Eigen::Index k) {
    // force Λf turns by Λ(Σ × f), torque Λᵀm by (Λᵀm) × Σ
    const SO3<S> rotation = chain.rotation(k);
    const Mat<S, 3, 3> follower = detail::hat<S>(load.follower_force);
    for (int i = 0; i < 3; ++i)
      K.diagonal(k).template block<3, 1>(0, 3 + i) += rotation.act(Vec<S, 3>(follower.col(i)));
    K.diagonal(k).template block<3, 3>(3, 3) -=
        detail::hat<S>(Vec<S, 3>(rotation.inverse().act(load.moment)));
  };
  add_end(rod.parameters().loads.start, 0);
  add_end(rod.parameters().loads.finish, rod.nodes() - 1);
}

}  // namespace dalembert::rod
