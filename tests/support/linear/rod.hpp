#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <dalembert/contact/kernel_average.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/linalg/schur.hpp>
#include <dalembert/linalg/small_solve.hpp>
#include <dalembert/rod/boundary.hpp>
#include <dalembert/rod/elements.hpp>

/// A straight rod in small displacements and turns, on a grid: what the geometrically exact rod is to first order about Γ = E₃, Ω = 0.
/// A field φ = (φ₁, φ₂) of six numbers a node is the displacement and the turn of the section, both in the frame of the straight rod:
///   r = r₀ + Λ₀(s E₃ + φ₁),  Λ = Λ₀ exp(φ₂)                                                                       (1)
///   e = (φ₁′ + E₃ × φ₂, φ₂′)                       strains, δΓ and δΩ                                             (2)
///   V φ̈ = (Q e)′ + (0, E₃ × (Q e)₁)               V inertia, Q stiffness per unit length, 6×6                    (3)
/// On the grid of nodes s_k = kh, with lumped masses, half of one at the ends, and the strains in the middles of the elements,
///   e_k = (φ_{k+1} − φ_k)/h + J (φ_k + φ_{k+1})/2,  J φ = (E₃ × φ₂, 0)                                            (4)
///   energy = Σ ½h m_k φ̇ᵀVφ̇ + Σ ½h eᵀQe,  m_k = 1, or ½ at the ends                                               (5)
/// (4) is the first order of `MidpointStrain`. A wave φ̂ exp(i(ks − ωt)) of the grid has the frequencies of
///   ω²Vφ̂ = BᴴQB φ̂,  B = i (2/h) sin(kh/2) + J cos(kh/2)                                                           (6)
/// and in the limit h → 0, B = ik + J: for diagonal V and Q the waves of Timoshenko's beam.
/// Source: Gay-Balmaz & Putkaradze, eq. (13), which without the coupling J has only the principal part V φ̈ = Q φ″ of (3): right for short waves,
/// wrong for long ones, and not at rest where the rod is turned as a whole.
namespace test::linear {

using namespace dalembert;
using namespace dalembert::contact;
using namespace dalembert::rod;

/// Which strains a linear rod has.
enum class LinearStrain {
  complete,        ///< (2)
  principal_part,  ///< e = φ′ alone, as in eq. (13) of Gay-Balmaz & Putkaradze
};

/// Six numbers a node, a column for each.
template <class S>
using Field = Eigen::Matrix<S, 6, Eigen::Dynamic>;

/// The matrix of (6), real + i imaginary: Hermitian [N/m²; N/m; N].
template <class S>
struct WaveSymbol {
  Mat<S, 6> real;       ///< symmetric
  Mat<S, 6> imaginary;  ///< antisymmetric
};

/// A linear rod; see the head of this file.
template <PlainReal S>
class LinearRod {
 public:
  using Scalar = S;                       ///< the number type
  using Index = Eigen::Index;             ///< counts nodes
  using Vec6 = Vec<S, 6>;                 ///< of one node
  using Mat6 = Mat<S, 6>;                 ///< on them
  using In = Eigen::Ref<const Field<S>>;  ///< a field that is read
  using Out = Eigen::Ref<Field<S>>;       ///< a field that is written

  /// What makes a linear rod.
  struct Parameters {
    int elements = 0;                              ///< N, at least 2 and at most `most_elements`
    S length{};                                    ///< [m]
    Mat6 inertia = Mat6::Zero();                   ///< V, on (φ̇₁, φ̇₂) [kg/m, kg, kg m]
    Mat6 stiffness = Mat6::Zero();                 ///< Q, on e [N, N m, N m²]
    Boundary<S> start = Boundary<S>::free();       ///< at s = 0; directions are those of the straight rod
    Boundary<S> finish = Boundary<S>::free();      ///< at s = L, likewise
    LinearStrain strain = LinearStrain::complete;  ///< which strains it has
  };

  /// Throws std::invalid_argument for fewer than two elements or more than `most_elements`, a length that is not positive and finite, V or Q
  /// that is not finite, symmetric and positive definite, and an end that is led.
  explicit LinearRod(const Parameters& p) : p_(p) {
    require_elements<S>("LinearRod", p.elements);
    require(p.length > 0 && std::isfinite(p.length), "LinearRod", "length", p.length,
            "a length must be positive and finite [m]");
    h_ = p.length / S(p.elements);
    require(h_ > 0 && std::isfinite(1 / (h_ * h_)), "LinearRod", "length", p.length,
            "the square of an element's length must have a finite inverse [m]");
    require_matrix("inertia", p.inertia);
    require_matrix("stiffness", p.stiffness);
    require(!p.start.moves() && !p.finish.moves(), "LinearRod", "end", "prescribed motion",
            "an end of a linear rod is free or held");
    inner_ = inverse_inertia(Boundary<S>::free(), S(1));
    start_ = inverse_inertia(p.start, S(0.5));
    finish_ = inverse_inertia(p.finish, S(0.5));
  }

  /// N.
  [[nodiscard]] int elements() const noexcept { return p_.elements; }
  /// N + 1.
  [[nodiscard]] Index nodes() const noexcept { return p_.elements + 1; }
  /// Length [m].
  [[nodiscard]] S length() const noexcept { return p_.length; }
  /// h [m].
  [[nodiscard]] S spacing() const noexcept { return h_; }
  /// What the rod was made from.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }
  /// Whether degree i (0–2 displacement, 3–5 turn) of node k is held.
  [[nodiscard]] bool held(Index k, int i) const noexcept {
    return (k == 0 && p_.start.held(i)) || (k == p_.elements && p_.finish.held(i));
  }
  /// m_k h V [kg, kg m, kg m²].
  [[nodiscard]] Mat6 node_inertia(Index k) const {
    return (k == 0 || k == p_.elements ? h_ / 2 : h_) * p_.inertia;
  }
  /// Its inverse on the degrees that are free, zero on those that are held.
  [[nodiscard]] const Mat6& inverse_inertia(Index k) const noexcept {
    return k == 0 ? start_ : k == p_.elements ? finish_ : inner_;
  }

  /// e of element k, equation (4) [1, 1/m].
  [[nodiscard]] Vec6 strain(const In& phi, Index k) const noexcept {
    Vec6 e;
    for (int i = 0; i < 6; ++i) e[i] = (phi(i, k + 1) - phi(i, k)) / h_;
    if (p_.strain == LinearStrain::complete) {
      e[0] -= (phi(4, k) + phi(4, k + 1)) / 2;
      e[1] += (phi(3, k) + phi(3, k + 1)) / 2;
    }
    return e;
  }
  /// Q e of element k: forces and moments in the frame of the straight rod [N, N m].
  [[nodiscard]] Vec6 stress(const In& phi, Index k) const noexcept {
    return dalembert::detail::times(p_.stiffness, strain(phi, k));
  }
  /// Forces and torques on the nodes, what the energy falls by with φ [N, N m].
  void forces(const In& phi, Out f) const noexcept {
    for (int i = 0; i < 6; ++i) f(i, 0) = S(0);
    const S arm = p_.strain == LinearStrain::complete ? h_ / 2 : S(0);
    for (Index k = 0; k < p_.elements; ++k) {
      const Vec6 n = stress(phi, k);
      for (int i = 0; i < 6; ++i) {
        f(i, k) += n[i];
        f(i, k + 1) = -n[i];
      }
      // half of h E₃ × n on either node
      f(3, k) -= arm * n[1];
      f(4, k) += arm * n[0];
      f(3, k + 1) -= arm * n[1];
      f(4, k + 1) += arm * n[0];
    }
  }
  /// M⁻¹ f: held degrees get none [m/s², rad/s²].
  void accelerations(const In& f, Out a) const noexcept {
    for (Index k = 0; k < nodes(); ++k) {
      const Mat6& inverse = inverse_inertia(k);
      Vec6 x;
      for (int i = 0; i < 6; ++i) x[i] = f(i, k);
      x = dalembert::detail::times(inverse, x);
      for (int i = 0; i < 6; ++i) a(i, k) = x[i];
    }
  }
  /// Put held degrees at rest: the velocities nearest to these in the metric of the kinetic energy.
  void hold(Out velocity) const noexcept {
    for (const Index k : {Index(0), Index(p_.elements)}) {
      bool moves = false;
      for (int i = 0; i < 6; ++i) moves = moves || (held(k, i) && velocity(i, k) != S(0));
      if (!moves) continue;
      Vec6 v;
      for (int i = 0; i < 6; ++i) v[i] = velocity(i, k);
      v = dalembert::detail::times(inverse_inertia(k), dalembert::detail::times(node_inertia(k), v));
      for (int i = 0; i < 6; ++i) velocity(i, k) = v[i];
    }
  }

  /// Σ ½h m_k φ̇ᵀVφ̇ [J].
  [[nodiscard]] S kinetic_energy(const In& velocity) const noexcept {
    S twice(0);
    for (Index k = 0; k < nodes(); ++k) {
      Vec6 v;
      for (int i = 0; i < 6; ++i) v[i] = velocity(i, k);
      twice += (k == 0 || k == p_.elements ? S(0.5) : S(1)) *
               dalembert::detail::inner(v, dalembert::detail::times(p_.inertia, v));
    }
    return h_ / 2 * twice;
  }
  /// Σ ½h eᵀQe [J].
  [[nodiscard]] S potential_energy(const In& phi) const noexcept {
    S twice(0);
    for (Index k = 0; k < p_.elements; ++k) {
      const Vec6 e = strain(phi, k);
      twice += dalembert::detail::inner(e, dalembert::detail::times(p_.stiffness, e));
    }
    return h_ / 2 * twice;
  }

  /// BᴴQB of (6) for the wave number k [rad/m] on the grid.
  [[nodiscard]] WaveSymbol<S> symbol(S k) const {
    return symbol(2 / h_ * std::sin(k * h_ / 2), std::cos(k * h_ / 2));
  }
  /// The same in the limit h → 0.
  [[nodiscard]] WaveSymbol<S> continuous_symbol(S k) const { return symbol(k, S(1)); }

  /// The six angular frequencies of the waves of wave number k on the grid, the lowest first [rad/s], equation (6): ω² is found to a few
  /// rounding units of the largest.
  [[nodiscard]] Vec6 wave_frequencies(S k) const { return frequencies(symbol(k)); }
  /// The same in the limit h → 0.
  [[nodiscard]] Vec6 continuous_wave_frequencies(S k) const { return frequencies(continuous_symbol(k)); }

  /// The highest angular frequency of one free element with its share of the masses of its nodes, which no frequency of the rod exceeds,
  /// however its ends are held [rad/s].
  [[nodiscard]] S frequency_bound() const {
    const Mat6 root = inverse_root();
    const auto half = [&](S difference) -> Mat6 {
      return (difference / h_ * Mat6::Identity() + coupling() / 2) * root.transpose();
    };
    const Mat6 left = half(S(-1)), right = half(S(1));
    Mat<S, 12> a;
    dalembert::detail::place(a, 0, 0, Mat6(2 * left.transpose() * p_.stiffness * left));
    dalembert::detail::place(a, 0, 6, Mat6(2 * left.transpose() * p_.stiffness * right));
    dalembert::detail::place(a, 6, 0, Mat6(2 * right.transpose() * p_.stiffness * left));
    dalembert::detail::place(a, 6, 6, Mat6(2 * right.transpose() * p_.stiffness * right));
    return std::sqrt(dalembert::linalg::symmetric_eigenvalues<S, 12>(a)[11]);
  }

 private:
  static void require_matrix(const char* name, const Mat6& a) {
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        require(std::isfinite(a(i, j)), "LinearRod", message({name, " (", i, ", ", j, ")"}), a(i, j),
                "its entries must be finite");
    const S asymmetry = dalembert::detail::largest(Mat6(a - a.transpose()));
    require(asymmetry <= S(16) * std::numeric_limits<S>::epsilon() * dalembert::detail::largest(a),
            "LinearRod", message({"asymmetry of ", name}), asymmetry, "it must be symmetric");
    dalembert::linalg::SmallLDLT<S, 6> factor;
    require(dalembert::linalg::is_positive_definite<S, 6>(a) && factor.compute(a), "LinearRod", name, a,
            "it must be positive definite, and not nearly singular");
  }

  /// (m h V)⁻¹ on the free degrees.
  [[nodiscard]] Mat6 inverse_inertia(const Boundary<S>& end, S mass) const {
    Mat6 v = mass * h_ * p_.inertia;
    for (int i = 0; i < 6; ++i)
      if (end.held(i))
        for (int j = 0; j < 6; ++j) v(i, j) = v(j, i) = S(i == j ? 1 : 0);
    dalembert::linalg::SmallLDLT<S, 6> factor;
    const char* const rule = "the inertia of a node must have a finite inverse";
    require(factor.compute(v), "LinearRod", "inertia", p_.inertia, rule);
    Mat6 inverse = Mat6::Identity();
    for (int j = 0; j < 6; ++j) {
      Vec6 x = dalembert::detail::zeros<S, 6>();
      if (!end.held(j)) x[j] = S(1);
      factor.solve_lower(x);
      factor.solve_upper(x);
      for (int i = 0; i < 6; ++i) inverse(i, j) = end.held(i) ? S(0) : x[i];
    }
    require(dalembert::detail::all_finite(inverse), "LinearRod", "inertia", p_.inertia, rule);
    return inverse;
  }

  /// J, or nothing of it.
  [[nodiscard]] Mat6 coupling() const {
    Mat6 j = Mat6::Zero();
    if (p_.strain == LinearStrain::complete) {
      j(0, 4) = S(-1);
      j(1, 3) = S(1);
    }
    return j;
  }
  /// R with R V Rᵀ = 1.
  [[nodiscard]] Mat6 inverse_root() const {
    dalembert::linalg::SmallLDLT<S, 6> factor;
    (void)factor.compute(p_.inertia);
    Mat6 root = Mat6::Identity();
    factor.solve_lower(root);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) root(i, j) *= std::sqrt(factor.inverse_d[i]);
    return root;
  }
  /// (6) with B = i difference + J mean.
  [[nodiscard]] WaveSymbol<S> symbol(S difference, S mean) const {
    const Mat6 j = mean * coupling(), qj = p_.stiffness * j;
    return {Mat6(difference * difference * p_.stiffness + j.transpose() * qj),
            Mat6(difference * (qj.transpose() - qj))};
  }
  [[nodiscard]] Vec6 frequencies(const WaveSymbol<S>& symbol) const {
    const Mat6 root = inverse_root();
    const Mat6 re = root * symbol.real * root.transpose(), im = root * symbol.imaginary * root.transpose();
    Mat<S, 12> a;  // has each eigenvalue twice
    dalembert::detail::place(a, 0, 0, re);
    dalembert::detail::place(a, 6, 6, re);
    dalembert::detail::place(a, 0, 6, Mat6(-im));
    dalembert::detail::place(a, 6, 0, im);
    const Vec<S, 12> squares = dalembert::linalg::symmetric_eigenvalues<S, 12>(a);
    Vec6 omega;
    for (int i = 0; i < 6; ++i) omega[i] = std::sqrt(std::max(S(0), squares[2 * i]));
    return omega;
  }

  Parameters p_;
  S h_{};
  Mat6 inner_, start_, finish_;  // inverse inertia of the nodes
};

}  // namespace test::linear
