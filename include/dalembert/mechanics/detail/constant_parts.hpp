#pragma once

#include <dalembert/core/number.hpp>
#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/detail/saddle_point.hpp>
#include <dalembert/mechanics/lagrangian.hpp>
#include <dalembert/mechanics/principle.hpp>

/// What never changes in the equations of a system, so that a problem can solve for it once:
///   M constant              its factors
///   M and A constant        ξ̇ = M⁻¹f + M⁻¹Aᵀλ,   λ = −(A M⁻¹Aᵀ)⁻¹A M⁻¹f                                   (1)
namespace dalembert::detail {

/// Whether rows of order 1 are all there are, and take ξ alone: affine rows then have constant coefficients.
template <class System>
inline constexpr bool rows_take_velocity_alone = [] {
  if constexpr (has_constant_mass<System> && has<VelocityConstraint, System>)
    return taken<VelocityConstraint, System> == Arguments{.vectors = 1} &&
           row_total<System> == rows_of<VelocityConstraint, System> &&
           std::same_as<PrincipleOf<System>, principle::DAlembert>;
  return false;
}();

/// (1) for N coordinates and K rows. It is up to the caller that the rows are those of the system at every ξ.
template <class S, int N, int K>
class ConstantSolve {
 public:
  /// Of the mass matrix M, of which the lower triangle is read, and the rows A.
  ConstantSolve(const Mat<S, N>& mass, const Mat<S, K, N>& rows) {
    SaddlePoint<S, N, K, K> equations;
    SaddlePointSolution<S, N, K, K> solution;
    equations.constraint = rows;
    set_zero(equations.drift);
    linalg::SmallLDLT<S, N> factor;
    regular_ = factor.compute(mass);
    for (int j = 0; j < N && regular_; ++j) {
      for (int i = 0; i < N; ++i) equations.force[i] = i == j ? S(1) : S(0);
      regular_ = solve_by_schur<true>(factor, equations, solution);
      for (int i = 0; i < N; ++i) acceleration_(i, j) = solution.x[i];
      for (int i = 0; i < K; ++i) multiplier_(i, j) = solution.lambda[i];
    }
  }

  /// Whether the rows are independent of each other and M is positive; else there is no solution to be had here.
  [[nodiscard]] bool regular() const noexcept { return regular_; }

  /// (1), with f in `force`.
  void solve(const Vec<S, N>& force, Vec<S, N>& x, Vec<S, K>& lambda) const {
    multiply(acceleration_, force, x);
    multiply(multiplier_, force, lambda);
  }

 private:
  template <int R>
  static void multiply(const Mat<S, R, N>& a, const Vec<S, N>& f, Vec<S, R>& y) {
    for (int i = 0; i < R; ++i) {
      S sum = a(i, 0) * f[0];
      for (int j = 1; j < N; ++j) sum += a(i, j) * f[j];
      y[i] = sum;
    }
  }

  Mat<S, N> acceleration_;
  Mat<S, K, N> multiplier_;
  bool regular_;
};

/// Whether x is finite; lanes of a pack are not asked, so that they do not stop the others.
template <class S, int N>
[[nodiscard]] bool is_usable([[maybe_unused]] const Vec<S, N>& x) {
  if constexpr (PackReal<S>) return true;
  if constexpr (!PackReal<S>) return all_finite(x);
}

/// Nothing, for a system whose mass changes.
template <class System, bool mass = has_constant_mass<System>, bool rows = rows_take_velocity_alone<System>>
struct ConstantParts {
  explicit ConstantParts(const System&) {}
};
/// The factored mass of the system.
template <class System>
struct ConstantParts<System, true, false> {
  explicit ConstantParts(const System& system) : mass(call<Mass, System>(system, 0, 0)) {}
  ConstantMass<ScalarOf<System>, System::Group::dof> mass;
};
/// The factored mass of the system and (1).
template <class System>
struct ConstantParts<System, true, true> : ConstantParts<System, true, false> {
  using S = ScalarOf<System>;
  static constexpr int n = System::Group::dof, k = velocity_rows<System>;

  explicit ConstantParts(const System& system)
      : ConstantParts<System, true, false>(system), solve(this->mass.matrix(), rows(system, 0)) {
    // Rows that are not affine after all are left to the general way.
    const Mat<S, k, n> here = rows(system, 0), there = rows(system, 1);
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < n; ++j) affine = affine && number::equal(here(i, j), there(i, j));
  }

  ConstantSolve<S, n, k> solve;
  bool affine = true;

 private:
  [[nodiscard]] static Mat<S, k, n> rows(const System& system, int where) {
    StateOf<System> at;
    for (int i = 0; i < n; ++i) at.xi[i] = S(where) / S(i + 1);
    return velocity_jacobian(system, at, Vec<S, 0>());
  }
};

}  // namespace dalembert::detail
