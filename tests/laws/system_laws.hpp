#pragma once

/// @file
/// The laws that every system obeys: its rates are those of an oracle that was derived by hand, its closed
/// forms are the derivatives of its Lagrangian, and its energy changes by the powers.
///   laws::check_rates<System>(make_system, make_state, oracle);
///   make_system(random) -> System
///   make_state(problem, random) -> a state on the constraints; `problem.project` may put it there
///   oracle(system, state) -> a struct with xidot and, where known, zdot and lambda: `Expected<System>`

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <random>
#include <type_traits>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/catch.hpp"

namespace laws {

using namespace dalembert;

/// Random numbers that are the same in every run with one seed.
template <PlainReal S>
struct Random {
  std::mt19937 engine{test::seed()};  ///< where they come from

  /// A number in [−1, 1].
  S operator()() { return between(S(-1), S(1)); }
  /// A number in [0.3, 3], for masses and lengths.
  S positive() { return between(S(0.3), S(3)); }
  /// A number from a to b.
  S between(S a, S b) { return std::uniform_real_distribution<S>(a, b)(engine); }
  /// N numbers in [−1, 1].
  template <int N>
  Vec<S, N> vector() {
    Vec<S, N> x;
    for (int i = 0; i < N; ++i) x[i] = (*this)();
    return x;
  }
  /// exp of N numbers in [−1, 1].
  template <LieGroup G>
  G element() {
    return G::exp(vector<G::dof>());
  }
};

/// What an oracle may answer; what is not set is not compared.
template <class System>
struct Expected {
  using S = ScalarOf<System>;                                   ///< the number type
  Vec<S, System::Group::dof> xidot;                             ///< ξ̇
  Vec<S, internal_size<System>> zdot = decltype(zdot)::Zero();  ///< ż
  std::optional<Vec<S, variational_rows<System>>> lambda{};     ///< multipliers
};

/// 10⁻¹² in double, 10⁻¹⁵ in long double: what sums and a solve of a few numbers near 1 may lose.
template <class S>
inline constexpr S rate_tolerance = std::same_as<S, double> ? S(1e-12) : S(1e-15);

/// The largest |x|; infinite if one is not a number.
template <class D>
[[nodiscard]] typename D::Scalar largest(const Eigen::MatrixBase<D>& x) {
  using S = typename D::Scalar;
  const typename D::PlainObject values = x;
  S most = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    most = std::isnan(values.coeff(i)) ? std::numeric_limits<S>::infinity()
                                       : std::max(most, std::abs(values.coeff(i)));
  return most;
}

/// Largest difference of a and b relative to the larger of 1 and `scale`.
template <class A, class B>
[[nodiscard]] typename A::Scalar distance(const A& a, const B& b, typename A::Scalar scale) {
  return largest(a - b) / std::max(typename A::Scalar(1), scale);
}

/// In `count` random systems and states the engine's ξ̇ and ż are the oracle's, to `rate_tolerance` of the
/// larger of 1 and the largest rate; and so are the multipliers, to the same part of the largest of them.
template <MechanicalSystem System, class MakeSystem, class MakeState, class Oracle>
void check_rates(MakeSystem make_system, MakeState make_state, Oracle oracle, int count = 1000) {
  using S = ScalarOf<System>;
  Random<S> random;
  S worst_rate = 0, worst_lambda = 0, worst_violation = 0, compared = 0;
  int worst_at = -1;
  for (int i = 0; i < count; ++i) {
    const LagrangeDAlembert<System> problem{make_system(random)};
    const auto state = make_state(problem, random);
    const auto violation = problem.constraint(state);
    worst_violation = std::max({worst_violation, violation.position, violation.velocity});
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const auto expected = oracle(problem.system(), state);
    S scale = largest(expected.xidot);
    if constexpr (0 < internal_size<System>) scale = std::max(scale, largest(expected.zdot));
    S error = distance(rates.xidot, expected.xidot, scale);
    if constexpr (0 < internal_size<System>)
      error = std::max(error, distance(rates.zdot, expected.zdot, scale));
    if (!(error <= worst_rate)) {
      worst_rate = error;
      worst_at = i;
    }
    compared = std::max(compared, scale);
    const auto compare_multipliers = [&](const Vec<S, variational_rows<System>>& lambda) {
      compared = std::max(compared, largest(lambda));
      worst_lambda = std::max(worst_lambda, distance(rates.lambda, lambda, largest(lambda)));
    };
    if constexpr (requires { expected.lambda.has_value(); }) {
      if (expected.lambda) compare_multipliers(*expected.lambda);
    } else if constexpr (requires { expected.lambda; }) {
      compare_multipliers(expected.lambda);
    }
  }
  CAPTURE(worst_at);
  CHECK(worst_violation <= rate_tolerance<S>);
  CHECK(worst_rate <= rate_tolerance<S>);
  CHECK(worst_lambda <= rate_tolerance<S>);
  CHECK(compared > 0);  // or nothing was compared
}

/// `momentum` and `mass` of the system are the first and second derivative of its Lagrangian by ξ, to 10⁻¹³
/// (10⁻¹⁶ in long double) of their largest entry.
template <MechanicalSystem System>
void check_closed_forms(const System& system, const StateOf<System>& state) {
  using S = ScalarOf<System>;
  constexpr int n = System::Group::dof;
  const S tolerance = std::same_as<S, double> ? S(1e-13) : S(1e-16);
  const auto bare = [&](const auto& xi) -> typename std::decay_t<decltype(xi)>::Scalar {
    using T = typename std::decay_t<decltype(xi)>::Scalar;
    return lagrangian<T>(system, StateOf<System, T>{.time = T(state.time),
                                                    .g = state.g.template cast<T>(),
                                                    .xi = xi,
                                                    .z = detail::convert_all<T>(state.z)});
  };
  if constexpr (detail::has<detail::Momentum, System>) {
    const Vec<S, n> closed = momentum<S>(system, state);
    const Vec<S, n> derived = gradient(bare, state.xi);
    CHECK(distance(closed, derived, largest(derived)) <= tolerance);
  }
  if constexpr (detail::has<detail::Mass, System>) {
    const Mat<S, n> closed =
        detail::call<detail::Mass, System>(system, state.g, state.time, state.xi, state.z);
    const Mat<S, n> derived = hessian(bare, state.xi);
    CHECK(distance(closed, derived, largest(derived)) <= tolerance);
  }
  // Otherwise there is nothing to check.
  STATIC_REQUIRE((detail::has<detail::Momentum, System> || detail::has<detail::Mass, System>));
}

/// The energy changes by the sum of the powers: its derivative along (ξ, ξ̇, ż, 1), by a difference of fourth
/// order, is their sum. The state need not be on the constraints.
template <class Problem>
void check_energy_rate(const Problem& problem, const typename Problem::State& state) {
  using S = typename Problem::Scalar;
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  auto slope = problem.make_increment(), step = problem.make_increment();
  problem.slope(state, step, rates, slope);
  auto displaced = state;
  const auto energy_at = [&](S s) -> S {
    step.set_zero();
    step.add_scaled(s, slope);
    problem.retract(state, step, displaced);
    return problem.energy(displaced);
  };
  const S pace = 1 + largest(state.xi) + largest(rates.xidot);
  const S h = std::pow(std::numeric_limits<S>::epsilon(), S(0.2)) / pace;
  const S difference =
      (8 * (energy_at(h) - energy_at(-h)) - (energy_at(2 * h) - energy_at(-2 * h))) / (12 * h);
  const auto power = problem.power(state, rates);
  const S total = power.constraint + power.dissipation + power.load;
  const S scale = pace * (1 + std::abs(problem.energy(state)) + std::abs(problem.kinetic_energy(state)));
  CAPTURE(difference, total);
  CHECK(std::abs(difference - total) <= std::pow(std::numeric_limits<S>::epsilon(), S(0.7)) * scale);
}

}  // namespace laws
