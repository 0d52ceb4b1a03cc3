#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/concepts.hpp>

/// What changes while a mechanical system on a Lie group moves. Everything is of fixed size and lives on the
/// stack.
namespace dalembert {

/// Where a system is and how it moves. A reduced system has what the group carries along
/// (mechanics/reduction.hpp) in place of g.
template <LieGroup G, int Internal = 0, class Configuration = G>
struct State {
  using Scalar = typename G::Scalar;  ///< the number type
  using Group = G;                    ///< the group of motions

  Scalar time{};                                ///< [s]
  Configuration g = Configuration::identity();  ///< configuration
  /// ξ = g⁻¹ġ in the body's frame, or ġg⁻¹ if the system says Right.
  typename G::Tangent xi = detail::zeros<Scalar, G::dof>();
  Vec<Scalar, Internal> z = detail::zeros<Scalar, Internal>();  ///< coordinates without inertia

  /// Whether no number in it is infinite or not-a-number.
  [[nodiscard]] bool is_finite() const {
    using std::isfinite;
    bool all = true;
    (void)mapped<Scalar>([&all](const Scalar& x) {
      all = all && isfinite(x);
      return x;
    });
    return all;
  }

  /// The same over another scalar.
  template <Real T>
  using rebind = State<typename G::template rebind<T>, Internal, typename Configuration::template rebind<T>>;

  /// The state over T whose numbers are f of these, taken in a fixed order.
  template <Real T, class F>
  [[nodiscard]] rebind<T> mapped(F&& f) const {
    rebind<T> state;
    state.time = f(time);
    state.g = g.template mapped<T>(f);
    state.xi = detail::map_all<T>(xi, f);
    state.z = detail::map_all<T>(z, f);
    return state;
  }

  /// Whether all numbers are the same, bit for bit.
  [[nodiscard]] friend bool operator==(const State& a, const State& b) {
    return a.time == b.time && a.g == b.g && detail::same(a.xi, b.xi) && detail::same(a.z, b.z);
  }
};

/// A displacement (η, δξ, δz, δt): `state ⊕ increment` is (g exp η, ξ + δξ, z + δz, t + δt).
template <LieGroup G, int Internal = 0>
struct Increment {
  using Scalar = typename G::Scalar;  ///< the number type

  typename G::Tangent eta = detail::zeros<Scalar, G::dof>();    ///< η
  typename G::Tangent xi = detail::zeros<Scalar, G::dof>();     ///< δξ
  Vec<Scalar, Internal> z = detail::zeros<Scalar, Internal>();  ///< δz
  Scalar time{};                                                ///< [s]

  static constexpr int dimension = 2 * G::dof + Internal;  ///< numbers in `coordinates`

  /// (η, δξ, δz) as one column.
  [[nodiscard]] Vec<Scalar, dimension> coordinates() const {
    return detail::stacked(detail::stacked(eta, xi), z);
  }
  /// Take (η, δξ, δz) from a column; the time stays as it is.
  void set_coordinates(const Vec<Scalar, dimension>& x) {
    eta = detail::part<G::dof>(x);
    xi = detail::part<G::dof>(x, G::dof);
    z = detail::part<Internal>(x, 2 * G::dof);
  }

  /// Make it nothing.
  void set_zero() {
    detail::set_zero(eta);
    detail::set_zero(xi);
    detail::set_zero(z);
    time = 0;
  }
  /// Add factor · other.
  void add_scaled(Scalar factor, const Increment& other) {
    detail::add_scaled(eta, factor, other.eta);
    detail::add_scaled(xi, factor, other.xi);
    detail::add_scaled(z, factor, other.z);
    time += factor * other.time;
  }
  /// Maximum norm over all components but time, in their mixed units; not-a-number if one of them is.
  [[nodiscard]] Scalar norm() const { return detail::largest(coordinates()); }
};

/// What the solve for the rates found out besides.
struct SolveReport {
  int redundant_rows = 0;  ///< constraint rows that follow from the others
  int iterations = 1;      ///< of Newton's method, where rows are not affine in the rates
};

/// How a state changes: ξ̇, ż and the multipliers λ. The reaction on the system is +R_Vᵀλ, so a
/// multiplier has the unit of the force along its row.
template <LieGroup G, int Rows, int Internal = 0>
struct Rates {
  using Scalar = typename G::Scalar;  ///< the number type

  typename G::Tangent xidot = detail::zeros<Scalar, G::dof>();     ///< ξ̇
  Vec<Scalar, Internal> zdot = detail::zeros<Scalar, Internal>();  ///< ż
  Vec<Scalar, Rows> lambda = detail::zeros<Scalar, Rows>();        ///< multipliers, one per row
  SolveReport report{};                                            ///< what the solve found out
};

/// The numbers of an increment, one by one; see `NumberedProblem`.
template <LieGroup G, int Internal, class C, class Visitor>
void visit_increment(const State<G, Internal, C>&, Increment<G, Internal>& u, Visitor&& visit) {
  for (int i = 0; i < G::dof; ++i) visit.position(u.eta[i]);
  for (int i = 0; i < G::dof; ++i) visit.velocity(u.xi[i]);
  for (int i = 0; i < Internal; ++i) visit.internal(u.z[i]);
}
/// The numbers of rates, one by one.
template <LieGroup G, int Rows, int Internal, class C, class Visitor>
void visit_rates(const State<G, Internal, C>&, Rates<G, Rows, Internal>& r, Visitor&& visit) {
  for (int i = 0; i < G::dof; ++i) visit.velocity(r.xidot[i]);
  for (int i = 0; i < Internal; ++i) visit.internal(r.zdot[i]);
  for (int i = 0; i < Rows; ++i) visit.multiplier(r.lambda[i]);
}

}  // namespace dalembert
