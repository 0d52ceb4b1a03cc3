#pragma once

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/lie/detail/triple.hpp>
#include <dalembert/lie/series.hpp>
#include <dalembert/rod/rod.hpp>

/// The tangent of a rod: the derivative of the gradient of its elements, in closed form.
///
/// With x = hΓ, y = Λ*ᵀ(δr₁ − δr₀), σ = Σ₀ + Σ₁, ρ = Σ₁ − Σ₀ the equations (4),
/// (5) of rod/strain.hpp read
///   Σ* = ½ (σ + Uρ),  U = û at the midpoint, −1 forward                         (1)
///   δx = y + x × Σ*,  δΘ = ½ Θ × σ + Hρ,  H = 1 + cΘ̂²                           (2)
///   (δn, δm) = K (δx, δΘ)/h,  K = ∂(n, m)/∂(Γ, Ω)                               (3)
/// The gradient is Λ*n with respect to δr₁, and ½ (τ + m × Θ) and ½ Uᵀτ + Hm to σ and ρ, τ = n
/// × x. It changes by
///   δ(Λ*n) = Λ* (δn + Σ* × n)                                                   (4)
///   ½ (δτ + δm × Θ + m × δΘ),  δτ = δn × x + n × δx                             (5)
///   ½ (Uᵀδτ + τ × δu) + Hδm + δHm                                               (6)
///   δHm = 2e′ (Θ·δΘ) Θ × (Θ × m) + c (δΘ × (Θ × m) + Θ × (δΘ × m))              (7)
/// where c = e(θ²) is lie_series::cot_remainder, and
///   δu = ½ [(w/(1 + w)) ρ + u × σ + u (u·ρ)] at the midpoint, 0 forward         (8)
/// Rotations vary as Λ exp(εΣ̂) and the gradient is left-trivialised: the tangent of a whole rod is
/// symmetric in equilibrium, not elsewhere.
namespace dalembert::rod {

/// A material that gives its tangent ∂(n, m)/∂(Γ, Ω) as a 6×6 matrix.
template <class M>
concept MaterialWithTangent = Material<M> &&
    requires(const M& material, const Vec<typename M::Scalar, 3>& strain) {
  { material.tangent(strain, strain) } -> std::convertible_to<Mat<typename M::Scalar, 6, 6>>;
};

/// ∂(n, m)/∂(Γ, Ω) of any material: its own tangent, or that of its stress by automatic differentiation
/// [N, N m²].
template <Material M, class S = typename M::Scalar>
[[nodiscard]] Mat<S, 6, 6> material_tangent(const M& material, const std::type_identity_t<Vec<S, 3>>& stretch,
                                            const std::type_identity_t<Vec<S, 3>>& curvature) {
  if constexpr (MaterialWithTangent<M>) {
    return material.tangent(stretch, curvature);
  } else {
    const Vec<S, 6> strain = dalembert::detail::stacked(stretch, curvature);
    const auto stress = [&](const auto& e) {
      using D = typename std::decay_t<decltype(e)>::Scalar;
      const Stress<D> s = material.stress(dalembert::detail::part<3>(e), dalembert::detail::part<3>(e, 3));
      return dalembert::detail::stacked(s.force, s.moment);
    };
    return jacobian(stress, strain);
  }
}

/// The derivative of the gradient of one element (force and torque of the first node, then of the second)
/// with respect to (δr₀, Σ₀, δr₁, Σ₁), spatial positions and body rotations [N/m, N; N, N m].
template <class S>
using ElementTangent = Eigen::Matrix<S, 12, 12>;

namespace detail {

/// A strain rule whose frame is known in the form (1).
template <class Rule, class S>
concept RuleWithFrame = requires(const typename Rule::template Frame<S>& frame, const Triple<S>& a) {
  frame.change_of_u(frame.lever(a), frame.lever_transposed(a));
};

/// An element, and how the gradient of its energy changes when its nodes move.
template <class Rule, class S>
class ElementDerivative {
 public:
  using Triple = rod::Triple<S>;
  using Frame = typename Rule::template Frame<S>;

  /// How the gradient changes with respect to δr₁ (to δr₀ it is the opposite), σ and ρ.
  struct Change {
    Triple force, of_sigma, of_rho;
  };

  /// Of rest length h [m], in a pose.
  ElementDerivative(const ElementPose<S>& e, S h) : element_(e), per_length_(S(1) / h) {}
  /// With the stress and the tangent of its material, whose numbers may carry derivatives: they are dropped.
  template <class M>
  ElementDerivative(const ElementPose<S>& e, const M& material, S h) : ElementDerivative(e, h) {
    using L = typename M::Scalar;
    using dalembert::detail::convert_all;
    const Vec<S, 3> gamma = per_length_ * x_, omega = per_length_ * theta_;
    const Vec<L, 3> stretch = convert_all<L>(gamma), curvature = convert_all<L>(omega);
    const Stress<L> stress = material.stress(stretch, curvature);
    hold(convert_all<S>(stress.force), convert_all<S>(stress.moment),
         convert_all<S>(material_tangent(material, stretch, curvature)));
  }

  ElementDerivative(const ElementDerivative&) = delete;

  /// y for δr₁ in space.
  [[nodiscard]] Triple to_frame(const Triple& displacement) const noexcept {
    return frame_.to_frame(displacement);
  }

  /// Equations (1) to (8).
  [[nodiscard]] Change along(const Triple& y, const Triple& sigma, const Triple& rho) const noexcept {
    const S half = constant<S>(0.5L);
    const Triple turn = half * (sigma + frame_.lever(rho));
    const Triple dx = y + cross(x_, turn);
    const Triple dtheta = half * cross(theta_, sigma) + H(rho);
    const Triple dn = stress_change(0, dx, dtheta), dm = stress_change(3, dx, dtheta);

    const Triple dtau = cross(dn, x_) + cross(n_, dx);
    const Triple dHm = (S(2) * slope_ * dot(theta_, dtheta)) * cross(theta_, theta_m_) +
                       c_ * (cross(dtheta, theta_m_) + cross(theta_, cross(dtheta, m_)));
    const Triple lever = frame_.lever_transposed(dtau) + cross(tau_, frame_.change_of_u(sigma, rho));
    return {frame_.to_space(dn + cross(turn, n_)), half * (dtau + cross(dm, theta_) + cross(m_, dtheta)),
            half * lever + H(dm) + dHm};
  }

  /// All of it, by its columns.
  [[nodiscard]] ElementTangent<S> matrix() const {
    ElementTangent<S> T;
    const auto put = [&](int row, int column, const Triple& a) {
      T(row, column) = a.x;
      T(row + 1, column) = a.y;
      T(row + 2, column) = a.z;
    };
    const Triple zero(S(0), S(0), S(0));
    for (int column = 3; column < 12; ++column) {  // of Σ₀, then δr₁, then Σ₁
      const int axis = column % 3;
      const Triple unit(S(axis == 0), S(axis == 1), S(axis == 2));
      const bool moves = column / 3 == 2;
      const Triple sigma = moves ? zero : unit;
      const Change change = along(moves ? to_frame(unit) : zero, sigma, column < 6 ? -sigma : sigma);
      put(0, column, -change.force);
      put(3, column, change.of_sigma - change.of_rho);
      put(6, column, change.force);
      put(9, column, change.of_sigma + change.of_rho);
    }
    for (int column = 0; column < 3; ++column)  // of δr₀
      for (int row = 0; row < 12; ++row) T(row, column) = -T(row, 6 + column);
    return T;
  }

 private:
  void hold(const Vec<S, 3>& force, const Vec<S, 3>& moment, const Mat<S, 6, 6>& tangent) {
    for (int i = 0; i < 36; ++i) stiffness_.coeffRef(i) = per_length_ * tangent.coeff(i);
    n_ = Triple(force);
    m_ = Triple(moment);
    tau_ = cross(n_, x_);
    theta_m_ = cross(theta_, m_);
  }

  [[nodiscard]] Triple H(const Triple& a) const noexcept { return a + c_ * cross(theta_, cross(theta_, a)); }
  /// Rows row, row + 1, row + 2 of (3).
  [[nodiscard]] Triple stress_change(int row, const Triple& dx, const Triple& dtheta) const noexcept {
    const auto entry = [&](int i) {
      return S(stiffness_(i, 0) * dx.x + stiffness_(i, 1) * dx.y + stiffness_(i, 2) * dx.z +
               stiffness_(i, 3) * dtheta.x + stiffness_(i, 4) * dtheta.y + stiffness_(i, 5) * dtheta.z);
    };
    return {entry(row), entry(row + 1), entry(row + 2)};
  }

  ElementPose<S> element_;
  S per_length_;
  Relative<S> relative_{element_};
  Frame frame_{element_, relative_};
  Triple x_ = frame_.to_frame(Triple(element_.chord)), theta_ = (S(2) * relative_.A) * relative_.v;
  Triple n_, m_, tau_, theta_m_;
  S c_ = lie_series::cot_remainder(dot(theta_, theta_));
  S slope_ = lie_series::cot_remainder_derivative(dot(theta_, theta_));
  Mat<S, 6, 6> stiffness_;  // K/h
};

}  // namespace detail

/// The tangent of an element of rest length h [m]; equations (1) to (8).
template <class Rule, Material M, class S>
  requires detail::RuleWithFrame<Rule, S>
[[nodiscard]] ElementTangent<S> element_tangent(const ElementPose<S>& e, const M& material, S h) {
  return detail::ElementDerivative<Rule, S>(e, material, h).matrix();
}

/// add(k, l, block) for all nodes k, l that share an element, of a chain of elements whose tangents are
/// element(k), with what acts at the first and the last node.
template <class S, class Element, class Add>
void add_elements(Eigen::Index elements, const Mat<S, 6, 6>& start, const Mat<S, 6, 6>& finish,
                  const Element& element, Add&& add) {
  Mat<S, 6, 6> own = start;
  for (Eigen::Index k = 0; k < elements; ++k) {
    const ElementTangent<S> T = element(k);
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) own(i, j) += T(i, j);
    add(k, k, own);
    add(k, k + 1, dalembert::detail::block_of<6, 6>(T, 0, 6));
    add(k + 1, k, dalembert::detail::block_of<6, 6>(T, 6, 0));
    own = dalembert::detail::block_of<6, 6>(T, 6, 6);
  }
  for (int i = 0; i < 36; ++i) own.coeffRef(i) += finish.coeff(i);
  add(elements, elements, own);
}

}  // namespace dalembert::rod
