#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/detail/dual_state.hpp>

/// Rows of order k ≥ 3 of a system, and what is left of it without them.
namespace dalembert::detail {

/// A system without its rows of order 3 and above: what is left is rows of orders 0 to 2, whose reactions follow from the state.
template <class System>
struct LowerOrders : System {
  explicit LowerOrders(System system) : System(std::move(system)) {}
};
template <class System>
inline constexpr bool has_higher_rows<LowerOrders<System>> = false;

/// ξ, ξ̇, …: as many as the order of the rows.
template <class System, class T>
using RatesUpTo = std::array<Vec<T, velocity_size<System>>, static_cast<std::size_t>(higher_order<System>)>;

/// R(g, ξ, ξ̇, …, t), the rows of order k.
template <class System, class T, class G>
[[nodiscard]] Vec<T, higher_rows<System>> higher_constraint(const System& system, const G& g, const T& time,
                                                            const RatesUpTo<System, T>& rates) {
  if constexpr (has<JerkConstraint, System>)
    return as_rows<T, higher_rows<System>>(
        call<JerkConstraint, System>(system, g, time, rates[0], rates[1], rates[2]));
  else
    return as_rows<T, higher_rows<System>>(call<HigherConstraint, System>(system, g, time, rates));
}

/// ∂R/∂ξ^(k−1) of the rows of order k with their values.
template <class S, int H, int N>
struct LinearisedHigherRows {
  Vec<S, H> value;        ///< R
  Mat<S, H, N> jacobian;  ///< ∂R/∂ξ^(k−1)
};
template <class System, class At, class T = typename At::Scalar>
[[nodiscard]] LinearisedHigherRows<T, higher_rows<System>, velocity_size<System>> linearised_higher_rows(
    const System& system, const At& at, const RatesUpTo<System, T>& rates) {
  constexpr int n = velocity_size<System>, h = higher_rows<System>, last = higher_order<System> - 1;
  constexpr Arguments needed =
      has<JerkConstraint, System> ? taken<JerkConstraint, System> : taken<HigherConstraint, System>;
  using D = Dual<T, n>;
  RatesUpTo<System, D> lifted;
  for (std::size_t i = 0; i < rates.size(); ++i) lifted[i] = dual_vector<D>(rates[i]);
  for (int j = 0; j < n; ++j) lifted[last][j] = D::variable(rates[last][j], j);
  const auto place = dual_state<System, D, needed, Variables{}>(at);
  const Vec<D, h> r = higher_constraint<System, D>(system, place.g, place.time, lifted);
  LinearisedHigherRows<T, h, n> rows;
  for (int i = 0; i < h; ++i) {
    rows.value[i] = r[i].value();
    for (int j = 0; j < n; ++j) rows.jacobian(i, j) = r[i].derivative(j);
  }
  return rows;
}

}  // namespace dalembert::detail
