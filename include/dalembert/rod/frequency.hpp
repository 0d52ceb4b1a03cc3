#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/rod.hpp>

/// A bound on the highest frequency of a rod, for the stability limits of explicit integrators.
/// The stiffness and the mass of a chain are sums over its elements, each with a share of the masses of its
/// two nodes. So no frequency of the chain, however its ends are held, is higher than the highest one of a
/// single element that is free:
///   ω²_max ≤ max_e λ_max(M_e⁻¹ K_e)                                                              (1)
///   λ_max ≤ (tr A^p)^(1/p),  A = M_e^(−1/2) K_e M_e^(−1/2),  p = 256                              (2)
/// K_e is the Hessian of an element's energy in its present strains, by central differences of its loads. (2)
/// is too large by at most 12^(1/256), one per cent, in λ. (1) holds for all shares that sum up to the mass
/// m of a node. Those in proportion to the stiffness of its two elements keep it near where sections vary,
/// and where an element does not resist the rotation of one of its nodes (`ForwardStrain`):
///   m_e = m d_e/(d_e + d_other),  d_e = Σ_j |K_e,ij|/√m_j                                             (3)
/// for each degree i of the node, both nodes' m being its own.
/// For a straight uniform rod of circular section
///   ω² = max(4E/(ρh²), (4κG/ρ)(1/h² + 1/a²)),  a² = 4 ρI/(ρA)       oracle for tests          (4)
/// Source: Irons's theorem on elements, as in Hughes 1987, section 9.1.2.
namespace dalembert::rod {

namespace detail {

/// How the frames of an element move: rotations of both nodes in their own frames, and the change of the
/// chord in space.
template <class L>
struct ElementMotion {
  Triple<L> turn0, turn1, chord;
};

/// That of number j of (δr₀, Σ₀, δr₁, Σ₁) alone.
template <class S>
[[nodiscard]] ElementMotion<S> unit_motion(int j) {
  const auto unit = [&](int first) { return Triple<S>(S(j == first), S(j == first + 1), S(j == first + 2)); };
  return {unit(3), unit(9), unit(6) - unit(0)};
}

/// The gradient of an energy from its loads: forces and torques on both nodes, with the opposite sign.
template <class L>
[[nodiscard]] Vec<L, 12> gradient(const ElementLoads<L>& f) noexcept {
  Vec<L, 12> g;
  for (int i = 0; i < 3; ++i) {
    g[6 + i] = f.force[i];
    g[i] = -f.force[i];
    g[3 + i] = -f.torque0[i];
    g[9 + i] = -f.torque1[i];
  }
  return g;
}

/// The gradient of the energy of an element that has gone `by` along a motion of it.
template <class Strains, class M, class S>
[[nodiscard, gnu::cold, gnu::noinline]] Vec<S, 12> moved_gradient(const ElementPose<S>& e,
                                                                  const ElementMotion<S>& m, S by,
                                                                  const M& material, S h) {
  const auto turned = [by](const S& w, const Vec<S, 3>& v, const Triple<S>& turn) {
    const Triple<S> half = (by / S(2)) * turn;
    const S scale = S(1) / number::sqrt(S(S(1) + dot(half, half)));
    return multiply(Quaternion<S>{w, Triple<S>(v)}, Quaternion<S>{scale, scale * half});
  };
  const Quaternion<S> q0 = turned(e.w0, e.v0, m.turn0), q1 = turned(e.w1, e.v1, m.turn1);
  return gradient(
      Strains::loads(ElementPose<S>{q0.w, q0.v, q1.w, q1.v, Triple<S>(e.chord) + by * m.chord}, material, h));
}

/// The Hessian of the energy of an element of rest length h, over (δr₀, Σ₀, δr₁, Σ₁).
template <class Strains, class M, class S>
[[nodiscard, gnu::cold, gnu::noinline]] Mat<S, 12> element_hessian(const ElementPose<S>& e, const M& material,
                                                                   S h) {
  const S angle = std::cbrt(std::numeric_limits<S>::epsilon());
  Mat<S, 12> k;
  for (int j = 0; j < 12; ++j) {
    const S by = angle * (j / 3 % 2 == 1 ? S(1) : h);  // a turn, or a displacement
    const ElementMotion<S> m = unit_motion<S>(j);
    const auto after = moved_gradient<Strains>(e, m, by, material, h);
    const auto before = moved_gradient<Strains>(e, m, S(-by), material, h);
    for (int i = 0; i < 12; ++i) k(i, j) = (after[i] - before[i]) / S(2 * by);
  }
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < j; ++i) k(i, j) = k(j, i) = (k(i, j) + k(j, i)) / 2;
  return k;
}

/// (2) for a symmetric matrix: not less than the largest magnitude of an eigenvalue.
template <class S>
[[nodiscard, gnu::cold, gnu::noinline]] S eigenvalue_bound(Mat<S, 12> a) {
  S logarithm(0);  // of what has been divided out, to the power in use
  S power(1);
  for (int squaring = 0; squaring < 8; ++squaring) {
    S largest(0);
    for (int i = 0; i < 144; ++i) largest = std::max(largest, S(number::abs(a.coeff(i))));
    if (!(largest > S(0))) return S(0);
    logarithm = 2 * (logarithm + number::log(largest));
    power *= 2;
    Mat<S, 12> root = a;
    for (int i = 0; i < 144; ++i) root.coeffRef(i) /= largest;
    dalembert::detail::set_zero(a);
    for (int j = 0; j < 12; ++j)
      for (int l = 0; l < 12; ++l)
        for (int i = 0; i < 12; ++i) a(i, j) += root(i, l) * root(l, j);
  }
  S trace(0);
  for (int i = 0; i < 12; ++i) trace += a(i, i);
  return number::exp((logarithm + number::log(trace)) / power);
}

/// K_e in the metric of the whole masses of its nodes, and d_e.
template <class S>
struct ScaledElement {
  Mat<S, 12> hessian;
  Vec<S, 12> stiffness;

  /// Of element k.
  template <class R>
  [[gnu::cold, gnu::noinline]] ScaledElement(const R& rod, const Chain<S>& chain, Eigen::Index k)
      : hessian(element_hessian<typename R::Strains>(R::pose(chain, k), rod.material_at(k), rod.spacing())) {
    Vec<S, 12> per_root_mass;
    dalembert::detail::set_zero(stiffness);
    for (int i = 0; i < 12; ++i) per_root_mass[i] = number::sqrt(rod.inverse_mass(k + i / 6, i % 6));
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) {
        stiffness[i] += number::abs(hessian(i, j)) * per_root_mass[i < 6 ? j % 6 : 6 + j % 6];
        hessian(i, j) *= per_root_mass[i] * per_root_mass[j];
      }
  }
  /// (2) of this element between two others of this stiffness, 0 where there is none, with the shares (3).
  [[nodiscard, gnu::cold, gnu::noinline]] S bound(const Vec<S, 12>& before, const Vec<S, 12>& after) const {
    Vec<S, 12> per_root_share;
    for (int i = 0; i < 12; ++i) {
      const S own = stiffness[i], other = i < 6 ? before[i + 6] : after[i - 6];
      per_root_share[i] =
          own > S(0) ? number::sqrt(S(1) + other / own) : S(0);  // without stiffness no frequency
    }
    Mat<S, 12> a = hessian;
    for (int j = 0; j < 12; ++j)
      for (int i = 0; i < 12; ++i) a(i, j) *= per_root_share[i] * per_root_share[j];
    return eigenvalue_bound(a);
  }
};

}  // namespace detail

/// A bound on the angular frequencies of small motions about `chain` [rad/s], equations (1) to (3): explicit
/// steps of length h are stable up to h ω = 2 (`Verlet`) or 2.83 (`RungeKutta4`). It leaves aside gyroscopic
/// torques, end loads that follow, and damping; constraints only lower frequencies. Takes time in proportion
/// to the elements, about ten microseconds each.
template <class M, class Strains, class S = typename M::Scalar>
[[nodiscard, gnu::cold, gnu::noinline]] S frequency_bound(const Rod<M, Strains>& rod, const Chain<S>& chain) {
  S largest(0);
  Vec<S, 12> none;
  dalembert::detail::set_zero(none);
  Vec<S, 12> before = none;
  detail::ScaledElement<S> here(rod, chain, 0), after = here;
  for (Eigen::Index k = 0; k < rod.elements(); ++k) {
    const bool is_last = k + 1 == rod.elements();
    if (!is_last) after = detail::ScaledElement<S>(rod, chain, k + 1);
    const S bound = here.bound(before, is_last ? none : after.stiffness);
    number::keep_larger(largest, bound);
    before = here.stiffness;
    here = after;
  }
  return number::sqrt(largest);
}

}  // namespace dalembert::rod
