#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// Materials: the stored energy of the strains (Γ, Ω) and its derivative, the stress resultants (n, m).
///   Γ = Λᵀr′ (shear, shear, stretch), Ω = vee(ΛᵀΛ′) (bending, bending, twist)   [1, 1/m]
///   n = ∂W/∂Γ, m = ∂W/∂Ω                                                          [N, N m]
/// From W alone: rod/stored_energy.hpp. Rubber: rod/rubber.hpp. Stress of strain rates:
/// rod/internal_damping.hpp.
namespace dalembert::rod {

/// Stress resultants of a section, in its frame.
template <class L>
struct Stress {
  Vec<L, 3> force;   ///< n [N]
  Vec<L, 3> moment;  ///< m [N m]
};

/// Strains at which the material is stress-free.
template <class S = double>
struct RestStrain {
  Vec<S, 3> stretch = {S(0), S(0), S(1)};   ///< Γ₀ [1]
  Vec<S, 3> curvature = Vec<S, 3>::Zero();  ///< Ω₀ [1/m]
};

namespace detail {
/// Throw std::invalid_argument unless a material can rest at these strains.
template <class S>
[[gnu::cold, gnu::noinline]] void require_finite_rest(const char* class_name, const RestStrain<S>& rest) {
  for (int i = 0; i < 3; ++i) {
    const auto entry = static_cast<std::size_t>(i);
    require_entry(number::isfinite(rest.stretch[i]), class_name, "rest stretch", entry, rest.stretch[i],
                  "a rest strain must be finite");
    require_entry(number::isfinite(rest.curvature[i]), class_name, "rest curvature", entry, rest.curvature[i],
                  "a rest strain must be finite [1/m]");
  }
}

/// Throw std::invalid_argument, naming the first that is not, unless every entry of a matrix is finite.
template <class S>
void require_finite_entries(const char* class_name, const char* quantity, const Mat<S, 6, 6>& matrix,
                            const char* rule) {
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i)
      require(number::isfinite(matrix(i, j)), class_name, message({quantity, " (", i, ", ", j, ")"}),
              matrix(i, j), rule);
}

/// `diagonal` with its entries first … last raised to force/strain, of numbers that mean something.
template <class S>
[[nodiscard]] Vec<S, 6> raised(const char* function, Vec<S, 6> diagonal, int first, int last, const S& force,
                               const S& strain) {
  require(number::isfinite(force) && force > S(0), function, "force", force,
          "it must be positive and finite [N]");
  require(number::isfinite(strain) && strain > S(0), function, "strain", strain,
          "it must be positive and finite");
  for (int i = first; i <= last; ++i) diagonal[i] = std::max(diagonal[i], S(force / strain));
  return diagonal;
}
}  // namespace detail

/// A stored energy: `stress(Γ, Ω)` and `energy(Γ, Ω)` for any scalar that is made from `Scalar`.
template <class M>
concept Material = requires(const M& material, const Vec<typename M::Scalar, 3>& strain) {
  typename M::Scalar;
  { material.stress(strain, strain) } -> std::same_as<Stress<typename M::Scalar>>;
  { material.energy(strain, strain) } -> std::convertible_to<typename M::Scalar>;
  { material.rest() } -> std::convertible_to<RestStrain<typename M::Scalar>>;
};

namespace detail {

/// What linear laws have in common. `Numbers` are those of an element, or in lanes of elements: of the
/// stiffness, then from number `First` on Γ₀ and Ω₀.
template <class L, class Numbers, int First>
class LinearLaw {
 public:
  using Scalar = L;                               ///< the number type
  static constexpr bool quadratic_energy = true;  ///< stresses are linear in the strains
  static constexpr int count = First + 6;         ///< of the numbers

  /// Of these.
  explicit LinearLaw(const Numbers& numbers) noexcept : numbers_(numbers) {}

  /// Γ₀ and Ω₀.
  [[nodiscard]] RestStrain<L> rest() const {
    return {Vec<L, 3>(numbers_[First], numbers_[First + 1], numbers_[First + 2]),
            Vec<L, 3>(numbers_[First + 3], numbers_[First + 4], numbers_[First + 5])};
  }
  /// All of them.
  [[nodiscard]] const Numbers& numbers() const noexcept { return numbers_; }

 protected:
  /// Γ − Γ₀ or Ω − Ω₀, the rest strains being numbers `first`, `first` + 1, `first` + 2.
  template <class Q>
  [[nodiscard]] Vec<Q, 3> less_rest(const Vec<Q, 3>& strain, int first) const noexcept {
    return {Q(strain[0] - Q(numbers_[first])), Q(strain[1] - Q(numbers_[first + 1])),
            Q(strain[2] - Q(numbers_[first + 2]))};
  }

  Numbers numbers_;
};

/// The law of `LinearElastic`, of 12 numbers.
template <class L, class Numbers>
class DiagonalLaw : public LinearLaw<L, Numbers, 6> {
 public:
  using LinearLaw<L, Numbers, 6>::LinearLaw;

  /// n = diag(k₁, k₂, k₃)(Γ − Γ₀), m = diag(k₄, k₅, k₆)(Ω − Ω₀) [N, N m].
  template <class Q>
  [[nodiscard]] Stress<Q> stress(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const noexcept {
    const Vec<Q, 3> a = this->less_rest(stretch, 6), b = this->less_rest(curvature, 9);
    Stress<Q> s;
    for (int i = 0; i < 3; ++i) {
      s.force[i] = Q(this->numbers_[i]) * a[i];
      s.moment[i] = Q(this->numbers_[3 + i]) * b[i];
    }
    return s;
  }
  /// W [J/m].
  template <class Q>
  [[nodiscard]] Q energy(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const noexcept {
    const Vec<Q, 3> a = this->less_rest(stretch, 6), b = this->less_rest(curvature, 9);
    Q twice(0);
    for (int i = 0; i < 3; ++i)
      twice += Q(this->numbers_[i]) * a[i] * a[i] + Q(this->numbers_[3 + i]) * b[i] * b[i];
    return twice / Q(2);
  }
  /// ∂(n, m)/∂(Γ, Ω) = diag(k), the same at all strains [N, N m²].
  [[nodiscard]] Mat<L, 6, 6> tangent(const Vec<L, 3>&, const Vec<L, 3>&) const {
    return dalembert::detail::diagonal(stiffness());
  }
  /// Diagonal of the stiffness [N, N m²].
  [[nodiscard]] Vec<L, 6> stiffness() const {
    Vec<L, 6> k;
    for (int i = 0; i < 6; ++i) k[i] = this->numbers_[i];
    return k;
  }
};

/// The law of `CoupledElastic`, of 27 numbers: the upper triangle of K column by column comes first.
template <class L, class Numbers>
class CoupledLaw : public LinearLaw<L, Numbers, 21> {
 public:
  using LinearLaw<L, Numbers, 21>::LinearLaw;

  /// (n, m) = K e [N, N m].
  template <class Q>
  [[nodiscard]] Stress<Q> stress(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const noexcept {
    const Vec<Q, 3> a = this->less_rest(stretch, 21), b = this->less_rest(curvature, 24);
    Stress<Q> s;
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      s.force[i] = row(i, a, b);
      s.moment[i] = row(3 + i, a, b);
    }
    return s;
  }
  /// W [J/m].
  template <class Q>
  [[nodiscard]] Q energy(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const noexcept {
    using dalembert::detail::inner;
    const Stress<Q> s = stress(stretch, curvature);
    return (inner(s.force, this->less_rest(stretch, 21)) + inner(s.moment, this->less_rest(curvature, 24))) /
           Q(2);
  }
  /// ∂(n, m)/∂(Γ, Ω) = K, the same at all strains [N, N m²].
  [[nodiscard]] Mat<L, 6, 6> tangent(const Vec<L, 3>&, const Vec<L, 3>&) const { return stiffness(); }
  /// K [N, N m²].
  [[nodiscard]] Mat<L, 6, 6> stiffness() const {
    Mat<L, 6, 6> k;
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) k(i, j) = this->numbers_[place(i, j)];
    return k;
  }

 protected:
  /// Where K_ij is among the numbers.
  [[nodiscard]] static constexpr int place(int i, int j) noexcept {
    return i <= j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j;
  }

 private:
  /// Row i of K e.
  template <class Q>
  [[nodiscard]] Q row(int i, const Vec<Q, 3>& a, const Vec<Q, 3>& b) const noexcept {
    Q sum = Q(this->numbers_[place(i, 0)]) * a[0];
#pragma GCC unroll 2
    for (int j = 1; j < 3; ++j) sum += Q(this->numbers_[place(i, j)]) * a[j];
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) sum += Q(this->numbers_[place(i, 3 + j)]) * b[j];
    return sum;
  }
};

}  // namespace detail

/// Saint Venant and Kirchhoff, the usual material: right while the strains of all fibres are small, however
/// far the rod is bent.
///   W = ½ aᵀ diag(k₁, k₂, k₃) a + ½ bᵀ diag(k₄, k₅, k₆) b,  a = Γ − Γ₀,
///     b = Ω − Ω₀
template <class S = double>
class LinearElastic : public detail::DiagonalLaw<S, Vec<S, 12>> {
 public:
  using Stiffness = Vec<S, 6>;  ///< [N, N m²]

  /// Diagonal of the stiffness [N, N m²]; throws std::invalid_argument, in the name of `class_name`, unless
  /// every entry is positive and finite, and the rest strains are finite.
  [[gnu::cold, gnu::noinline]] explicit LinearElastic(const Vec<S, 6>& stiffness,
                                                      const RestStrain<S>& rest = {},
                                                      const char* class_name = "LinearElastic")
      : detail::DiagonalLaw<S, Vec<S, 12>>(
            dalembert::detail::stacked(stiffness, dalembert::detail::stacked(rest.stretch, rest.curvature))) {
    for (int i = 0; i < 6; ++i)
      require_entry(number::isfinite(stiffness[i]) && stiffness[i] > 0, class_name, "stiffness",
                    static_cast<std::size_t>(i), stiffness[i],
                    "a stiffness must be positive and finite [N, N m^2]");
    detail::require_finite_rest(class_name, rest);
  }
};

/// W = ½ eᵀ K e with e = (Γ − Γ₀, Ω − Ω₀) and a full symmetric 6×6 stiffness K.
template <class S = double>
class CoupledElastic : public detail::CoupledLaw<S, Vec<S, 27>> {
 public:
  using Stiffness = Mat<S, 6, 6>;  ///< [N, N m²]

  /// Throws std::invalid_argument unless K is finite, symmetric but for rounding and positive definite, and
  /// the rest strains are finite. The upper triangle counts.
  explicit CoupledElastic(const Mat<S, 6, 6>& stiffness, const RestStrain<S>& rest = {})
      : detail::CoupledLaw<S, Vec<S, 27>>(numbers_of(stiffness, rest)) {
    detail::require_finite_entries("CoupledElastic", "stiffness", stiffness,
                                   "a stiffness must be finite [N, N m^2]");
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < j; ++i) {
        const S size =
            number::sqrt(number::abs(stiffness(i, i))) * number::sqrt(number::abs(stiffness(j, j)));
        const S asymmetry = number::abs(stiffness(i, j) - stiffness(j, i));
        require(asymmetry <= S(4096) * std::numeric_limits<S>::epsilon() * size, "CoupledElastic",
                message({"asymmetry (", i, ", ", j, ")"}), asymmetry, "the stiffness must be symmetric");
      }
    require(dalembert::linalg::is_positive_definite<S, 6>(stiffness), "CoupledElastic", "stiffness",
            "6x6 matrix", "it must be positive definite");
    detail::require_finite_rest("CoupledElastic", rest);
  }

 private:
  [[nodiscard]] static Vec<S, 27> numbers_of(const Mat<S, 6, 6>& stiffness, const RestStrain<S>& rest) {
    using dalembert::detail::stacked;
    Vec<S, 21> upper;
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i <= j; ++i) upper[CoupledElastic::place(i, j)] = stiffness(i, j);
    return stacked(stacked(upper, rest.stretch), rest.curvature);
  }
};

/// The stiffness `diagonal` on (Γ, Ω), raised so that a rod hardly stretches: under axial forces up to
/// `force` [N] by no more than `strain`. A rod that cannot stretch is the limit, which elements meet without
/// locking. Explicit steps become as short as the waves in it are quick, h < spacing √(ρA/EA): take
/// statics or an implicit integrator. Throws std::invalid_argument unless both are positive and finite.
template <class S>
[[nodiscard]] Vec<S, 6> nearly_inextensible(const Vec<S, 6>& diagonal, const S& force, const S& strain) {
  return detail::raised("nearly_inextensible", diagonal, 2, 2, force, strain);
}

/// The same for shear: sections stay across the rod, as Euler and Kirchhoff have them, but for angles up to
/// `strain`.
template <class S>
[[nodiscard]] Vec<S, 6> nearly_unshearable(const Vec<S, 6>& diagonal, const S& force, const S& strain) {
  return detail::raised("nearly_unshearable", diagonal, 0, 1, force, strain);
}

}  // namespace dalembert::rod
