#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <dalembert/core/number.hpp>
#include <dalembert/rod/rod.hpp>

/// A bound on the highest frequency of a rod, for the stability limits of explicit integrators.
/// The stiffness and the mass of a chain are sums over its elements, each with its share of the masses of its two nodes. So no
/// frequency of the chain, however its ends are held, is higher than the highest one of a single element that is free:
///   ω²_max ≤ max_e λ_max(M_e⁻¹ K_e)                                                                              (1)
///   λ_max ≤ (tr A^p)^(1/p),  A = M_e^(−1/2) K_e M_e^(−1/2),  p = 256                                              (2)
/// K_e is the Hessian of an element's energy in its present strains, by central differences of its loads. (2) is too large by at most
/// 12^(1/256), one per cent, in λ. For a straight uniform rod of circular section
///   ω² = max(4E/(ρh²), (4κG/ρ)(1/h² + 1/a²)),  a² = 4 ρI/(ρA)       oracle for tests                              (3)
/// Where only one of the two elements at a node resists its rotation (`ForwardStrain`) (1) is up to √2 too large.
/// Source: Irons's theorem on elements, as in Hughes 1987, section 9.1.2.
namespace dalembert::rod {

namespace detail {

/// The gradient of the energy of an element: forces and torques on its nodes, with the opposite sign.
template <class Strains, class M, class S>
[[nodiscard, gnu::noinline]] std::array<S, 12> element_gradient(const ElementPose<S>& e, const M& material,
                                                                S h) {
  const ElementLoads<S> f = Strains::loads(e, material, h);
  return {-f.force[0], -f.force[1], -f.force[2], -f.torque0[0], -f.torque0[1], -f.torque0[2],
          f.force[0],  f.force[1],  f.force[2],  -f.torque1[0], -f.torque1[1], -f.torque1[2]};
}

/// The Hessian of the energy of an element of rest length h, over (δr₀, Σ₀, δr₁, Σ₁).
template <class Strains, class M, class S>
[[nodiscard]] std::array<std::array<S, 12>, 12> element_hessian(const ElementPose<S>& e, const M& material,
                                                                S h) {
  const S angle = std::cbrt(std::numeric_limits<S>::epsilon());
  const auto turned = [](const S& w, const Vec<S, 3>& v, int i, S by) {  // q exp(by eᵢ)
    const S sine = number::sin(by / 2);
    const Triple<S> half(i == 0 ? sine : S(0), i == 1 ? sine : S(0), i == 2 ? sine : S(0));
    return multiply(Quaternion<S>{w, Triple<S>(v)}, Quaternion<S>{number::cos(by / 2), half});
  };
  const auto moved = [&](int j, S by) {
    ElementPose<S> at = e;
    const int i = j % 3;
    if (j < 3) at.chord[i] -= by * h;
    if (j >= 6 && j < 9) at.chord[i] += by * h;
    if (j >= 3 && j < 6) {
      const Quaternion<S> q = turned(e.w0, e.v0, i, by);
      at.w0 = q.w;
      at.v0 = q.v;
    }
    if (j >= 9) {
      const Quaternion<S> q = turned(e.w1, e.v1, i, by);
      at.w1 = q.w;
      at.v1 = q.v;
    }
    return at;
  };
  std::array<std::array<S, 12>, 12> k{};
  for (std::size_t j = 0; j < 12; ++j) {
    const bool is_turn = (j / 3) % 2 == 1;
    const S per = S(1) / (2 * angle * (is_turn ? S(1) : h));
    const auto after = element_gradient<Strains>(moved(static_cast<int>(j), angle), material, h);
    const auto before = element_gradient<Strains>(moved(static_cast<int>(j), -angle), material, h);
    for (std::size_t i = 0; i < 12; ++i) k[i][j] = per * (after[i] - before[i]);
  }
  for (std::size_t j = 0; j < 12; ++j)
    for (std::size_t i = 0; i < j; ++i) k[i][j] = k[j][i] = (k[i][j] + k[j][i]) / 2;
  return k;
}

/// (2) for a symmetric matrix: not less than the largest magnitude of an eigenvalue.
template <class S>
[[nodiscard]] S eigenvalue_bound(std::array<std::array<S, 12>, 12> a) {
  S logarithm(0);  // of what has been divided out, to the power in use
  S power(1);
  for (int squaring = 0; squaring < 8; ++squaring) {
    S largest(0);
    for (const auto& row : a)
      for (const S x : row) largest = std::max(largest, number::abs(x));
    if (!(largest > S(0))) return S(0);
    logarithm = 2 * (logarithm + std::log(largest));
    power *= 2;
    std::array<std::array<S, 12>, 12> square{};
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t l = 0; l < 12; ++l) {
        const S x = a[i][l] / largest;
        for (std::size_t j = 0; j < 12; ++j) square[i][j] += x * (a[l][j] / largest);
      }
    a = square;
  }
  S trace(0);
  for (std::size_t i = 0; i < 12; ++i) trace += a[i][i];
  return number::exp((logarithm + std::log(trace)) / power);
}

}  // namespace detail

/// A bound on the angular frequencies of small motions about `chain` [rad/s], equations (1), (2): explicit steps of length h are stable up to
/// h ω = 2 (`Verlet`) or 2.83 (`RungeKutta4`). It leaves aside gyroscopic torques, end loads that follow, and damping; constraints
/// only lower frequencies. Takes time in proportion to the elements, about ten microseconds each.
template <class M, class Strains>
[[nodiscard]] typename M::Scalar frequency_bound(const Rod<M, Strains>& rod,
                                                 const Chain<typename M::Scalar>& chain) {
  using S = typename M::Scalar;
  S largest(0);
  for (Eigen::Index k = 0; k < rod.elements(); ++k) {
    auto a =
        detail::element_hessian<Strains>(Rod<M, Strains>::pose(chain, k), rod.material_at(k), rod.spacing());
    std::array<S, 12> per_root_mass{};
    for (std::size_t i = 0; i < 12; ++i) {
      const Eigen::Index node = i < 6 ? k : k + 1;
      const bool is_end = node == 0 || node == rod.elements();
      per_root_mass[i] =
          number::sqrt(rod.inverse_mass(node, static_cast<int>(i % 6)) * (is_end ? S(1) : S(2)));
    }
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t j = 0; j < 12; ++j) a[i][j] *= per_root_mass[i] * per_root_mass[j];
    const S bound = detail::eigenvalue_bound(a);
    if (!(bound <= largest)) largest = bound;  // a NaN stays
  }
  return number::sqrt(largest);
}

namespace detail {

/// A rod of which `frequency_bound` knows the elements.
template <class R>
concept HasFrequencyBound = requires(const R& rod, const Chain<typename R::Scalar>& chain) {
  rod::frequency_bound(rod, chain);
};

}  // namespace detail

}  // namespace dalembert::rod
