#pragma once

#include <array>
#include <cstddef>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/jet.hpp>
#include <dalembert/linalg/small_solve.hpp>
#include <dalembert/mechanics/detail/differentiated_constraints.hpp>
#include <dalembert/mechanics/detail/over_jets.hpp>
#include <dalembert/mechanics/lagrangian.hpp>

/// The slow motions of a system whose constraints are a friction ν/ε, as series in time t and ε. With λ =
/// −νs/ε, the force of friction on the rows s,
///   M ξ̇ + b − f = Aᵀλ,   s = −ε ν⁻¹λ                                                     (1)
///   A ξ̇ + β = ṡ = −ε ν⁻¹λ̇                                                                (2)
/// (2) is the row s differentiated along the motion. At ε = 0 these are the equations of Lagrange and
/// d'Alembert; and coefficient (i, j) of ξ̇ and λ, that of tⁱεʲ, follows by one linear solve from
/// those of lower degree and from λ_{i+1, j−1}.
namespace dalembert::detail {

/// M, A, f − b and β in a state, over the scalar of W.
template <class W>
struct SlipEquations {
  using S = ScalarOf<W>;
  static constexpr int n = velocity_size<W>, p = rows_of<PositionConstraint, W>,
                       v = rows_of<VelocityConstraint, W>, k = p + v;
  Mat<S, n> mass;
  Mat<S, k, n> rows;
  Vec<S, n> force;
  Vec<S, k> drift;
  Vec<S, k> slip;

  SlipEquations(const W& system, const StateOf<W>& at) {
    const Vec<S, n> bias = euler_lagrange_bias(system, at, &mass);
    force = opposite(bias);
    if constexpr (has<Force, W>) {
      const Vec<S, n> own = call<Force, W>(system, at.g, at.time, at.xi, at.z);
      for (int i = 0; i < n; ++i) force[i] += own[i];
    }
    if constexpr (p > 0) {
      place(rows, 0, 0, position_jacobian(system, at));
      place(drift, 0, 0, positions_along_flow<2>(system, at));
      place(slip, 0, 0, positions_along_flow<1>(system, at));
    }
    if constexpr (v > 0) {
      const LinearisedRows<S, v, n, 0> linear = linearised_velocity_rows(system, at, Vec<S, 0>());
      place(rows, p, 0, linear.jacobian);
      place(drift, p, 0, linear.along_flow);
      place(slip, p, 0, linear.value);
    }
  }

  /// The inverse of (M, −Aᵀ; A, 0), by values.
  [[nodiscard]] Mat<Number<S>, n + k> inverse(Number<S> time) const {
    using T = Number<S>;
    Mat<T, n + k> saddle, result = identity<T, n + k>();
    set_zero(saddle);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) saddle(i, j) = value_of(mass(i, j));
      for (int r = 0; r < k; ++r) {
        saddle(n + r, i) = value_of(rows(r, i));
        saddle(i, n + r) = -saddle(n + r, i);
      }
    }
    if (!linalg::solve_columns(saddle, result))
      throw InvalidState("SlowManifold: the rows depend on each other, or a coordinate has no inertia",
                         static_cast<double>(time));
    return result;
  }
};

/// What the series of the slow motion through a point (g, ξ_D), with R(g, ξ_D) = 0, says at t = 0; j counts
/// powers of ε up to N.
template <class System, int N>
struct SlowSeries {
  using S = ScalarOf<System>;
  static constexpr int n = velocity_size<System>, k = slip_rows<System>;
  static constexpr auto terms = static_cast<std::size_t>(N) + 1;

  std::array<Vec<S, k>, terms> lambda;        ///< of the friction force on the rows
  std::array<Vec<S, k>, terms + 1> slip;      ///< of s, from c₀ = 0 to c_{N+1}
  std::array<Vec<S, n>, terms + 1> drift;     ///< of ξ − ξ_D = B s
  std::array<Vec<S, n>, terms> acceleration;  ///< of ξ̇_D
  Mat<S, n, k> across;                        ///< B = M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹, A B = 1
  Mat<S, k> inertia;                          ///< (AM⁻¹Aᵀ)⁻¹ = BᵀMB, what resists slip
  Mat<S, n> mass;                             ///< M

  /// Expand. `softness` is ν⁻¹. Throws InvalidState where rows depend on each other.
  void compute(const System& system, const Mat<S, k>& softness, const StateOf<System>& at) {
    using J = Jet<S, N>;
    using W = Lifted<System, J>;
    const W lifted(system);
    StateOf<W> state{.time = J::time(at.time), .g = at.g.template cast<J>()};
    for (int i = 0; i < n; ++i) state.xi[i] = at.xi[i];
    Vec<J, n> rate = zeros<J, n>();
    Vec<J, k> force = zeros<J, k>();
    Mat<S, n + k> inverse;
    set_zero(slip[0]);
    set_zero(drift[0]);
    for (int d = 0; d <= N; ++d) {
      const SlipEquations<W> equations(lifted, state);
      if (d == 0) {
        inverse = equations.inverse(at.time);
        take_values(equations, inverse);
      }
      for (int j = 0; j <= d; ++j) solve(equations, inverse, softness, d - j, j, rate, force);
      set_first_order(d, softness, force);
      if (d < N)
        advance(system, state, rate, d);
      else
        set_acceleration(equations, inverse, softness, rate, force);
      if (d < N)
        for (int i = 0; i < n; ++i) state.xi[i](0, d + 1) = drift[static_cast<std::size_t>(d) + 1][i];
    }
  }

 private:
  template <class Equations>
  void take_values(const Equations& equations, const Mat<S, n + k>& inverse) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) mass(i, j) = value_of(equations.mass(i, j));
    for (int r = 0; r < k; ++r) {
      for (int i = 0; i < n; ++i) across(i, r) = inverse(i, n + r);
      for (int q = 0; q < k; ++q) inertia(q, r) = inverse(n + q, n + r);
    }
  }

  /// Coefficient (i, j) of ξ̇ and λ.
  template <class Equations, class J>
  static void solve(const Equations& equations, const Mat<S, n + k>& inverse, const Mat<S, k>& softness,
                    int i, int j, Vec<J, n>& rate, Vec<J, k>& force) {
    Vec<S, n + k> right;
    for (int a = 0; a < n; ++a) {
      right[a] = equations.force[a](i, j);
      for (int b = 0; b < n; ++b) right[a] -= known(equations.mass(a, b), rate[b], i, j);
      for (int r = 0; r < k; ++r) right[a] += known(equations.rows(r, a), force[r], i, j);
    }
    for (int r = 0; r < k; ++r) {
      right[n + r] = -equations.drift[r](i, j);
      for (int b = 0; b < n; ++b) right[n + r] -= known(equations.rows(r, b), rate[b], i, j);
      if (j > 0)
        for (int q = 0; q < k; ++q) right[n + r] -= softness(r, q) * S(i + 1) * force[q](i + 1, j - 1);
    }
    const Vec<S, n + k> x = times(inverse, right);
    for (int a = 0; a < n; ++a) rate[a](i, j) = x[a];
    for (int r = 0; r < k; ++r) force[r](i, j) = x[n + r];
  }
  /// Coefficient (i, j) of a product, without that of the first factor's value.
  template <class J>
  [[nodiscard]] static S known(const J& a, const J& b, int i, int j) {
    S sum = 0;
    for (int p = 0; p <= i; ++p)
      for (int q = 0; q <= j; ++q)
        if (p + q > 0) sum += a(p, q) * b(i - p, j - q);
    return sum;
  }

  /// c_{d+1} = −ν⁻¹λ_{0,d}, and where it leads.
  template <class J>
  void set_first_order(int d, const Mat<S, k>& softness, const Vec<J, k>& force) {
    const auto at = static_cast<std::size_t>(d);
    for (int r = 0; r < k; ++r) lambda[at][r] = force[r](0, d);
    for (int r = 0; r < k; ++r) {
      slip[at + 1][r] = 0;
      for (int q = 0; q < k; ++q) slip[at + 1][r] -= softness(r, q) * lambda[at][q];
    }
    drift[at + 1] = times(across, slip[at + 1]);
  }

  /// Degree d + 1 of g and ξ, but for the power of ε alone.
  template <class State, class J>
  static void advance(const System& /*system*/, State& state, const Vec<J, n>& rate, int d) {
    for (int i = 0; i <= d; ++i)
      for (int a = 0; a < n; ++a) state.xi[a](i + 1, d - i) = rate[a](i, d - i) / S(i + 1);
    using D = Dual<J, 1>;
    const auto moved = flowing<Lifted<System, J>, D>(state, D::variable(J(0), 0));
    std::array<J, most_numbers> slopes;
    std::size_t count = 0;
    (void)moved.template mapped<J>([&](const D& x) {
      slopes[count++] = x.derivative(0);
      return x.value();
    });
    count = 0;
    state.g = state.g.template mapped<J>([&](J x) {
      const J& slope = slopes[count++];
      for (int i = 0; i <= d; ++i) x(i + 1, d - i) = slope(i, d - i) / S(i + 1);
      return x;
    });
  }
  static constexpr std::size_t most_numbers = 4 * static_cast<std::size_t>(n);

  /// ξ̇_D = ξ̇ − d/dt(B s), where d/dt B solves (M, −Aᵀ; A, 0)(Ḃ, Ẏ) = −(Ṁ, −Ȧᵀ; Ȧ,
  /// 0)(B, Y).
  template <class Equations, class J>
  void set_acceleration(const Equations& equations, const Mat<S, n + k>& inverse, const Mat<S, k>& softness,
                        const Vec<J, n>& rate, const Vec<J, k>& force) {
    for (int j = 0; j <= N; ++j) {
      const auto at = static_cast<std::size_t>(j);
      for (int a = 0; a < n; ++a) acceleration[at][a] = rate[a](0, j);
      if (j == 0) continue;
      Vec<S, k> slip_rate = zeros<S, k>();
      for (int r = 0; r < k; ++r)
        for (int q = 0; q < k; ++q) slip_rate[r] -= softness(r, q) * force[q](1, j - 1);
      const Vec<S, n> direct = times(across, slip_rate);
      for (int a = 0; a < n; ++a) acceleration[at][a] -= direct[a];
      for (int l = 0; l < j; ++l) {
        const Vec<S, n> turned = across_rate(equations, inverse, l, slip[static_cast<std::size_t>(j - l)]);
        for (int a = 0; a < n; ++a) acceleration[at][a] -= turned[a];
      }
    }
  }
  /// Coefficient εˡ of d/dt B at t = 0, times s.
  template <class Equations>
  [[nodiscard]] Vec<S, n> across_rate(const Equations& equations, const Mat<S, n + k>& inverse, int l,
                                      const Vec<S, k>& s) const {
    const Vec<S, n> moved = times(across, s);
    const Vec<S, k> pushed = times(inertia, s);
    Vec<S, n + k> right = zeros<S, n + k>();
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) right[a] -= equations.mass(a, b)(1, l) * moved[b];
      for (int r = 0; r < k; ++r) right[a] += equations.rows(r, a)(1, l) * pushed[r];
    }
    for (int r = 0; r < k; ++r)
      for (int b = 0; b < n; ++b) right[n + r] -= equations.rows(r, b)(1, l) * moved[b];
    return part<n>(times(inverse, right));
  }
};

}  // namespace dalembert::detail
